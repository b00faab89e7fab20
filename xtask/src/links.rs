//! Documents that name files: every file they name must exist.

use std::path::Path;

/// The files that a document names and that do not exist, with their lines.
///
/// `folder` is where the document is: links are relative to it. Words in backticks count as files when they start with a
/// folder of the repository (`sim-core/src/lib.rs`); those with a placeholder (`<name>`, `*`) do not.
pub(crate) fn missing(text: &str, folder: &Path, root: &Path) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        // code blocks are examples
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        let dead_links = links(line).filter(|target| !folder.join(target).exists());
        let dead_words = words(line).filter(|word| is_path(word, root) && !root.join(word).exists());
        found.extend(dead_links.chain(dead_words).map(|name| (number + 1, name.to_owned())));
    }
    found
}

/// Targets of `[text](target)` that are files of ours.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split(')').next()?.split('#').next()?;
        (!target.is_empty() && !target.contains("://")).then_some(target)
    })
}

/// What stands in backticks.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn is_path(word: &str, root: &Path) -> bool {
    let plain = !word.contains(|c: char| c.is_whitespace() || "<>*{}…".contains(c));
    plain && word.split_once('/').is_some_and(|(first, _)| !first.is_empty() && root.join(first).is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Vec<(usize, String)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        missing(text, &root.join("docs"), &root)
    }

    #[test]
    fn a_dead_link_is_found_with_its_line() {
        assert_eq!(check("see [x](STYLE.md)\n[y](nowhere.md#part)"), [(2, "nowhere.md".to_owned())]);
    }

    #[test]
    fn a_file_that_moved_is_found() {
        let text = "`xtask/src/main.rs`, `xtask/src/gone.rs`, `xtask/src/<name>.rs`, `other/thing`, `cargo xtask tidy`";
        assert_eq!(check(text), [(1, "xtask/src/gone.rs".to_owned())]);
    }

    #[test]
    fn addresses_and_examples_are_left_alone() {
        assert_eq!(check("[a](https://example.org/b) [c](#d)\n```\n`xtask/gone`\n```\n"), []);
    }
}
