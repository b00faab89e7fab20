//! The source files of one crate, found by following its `mod` declarations.
//!
//! A file is test code when every way to it leads through a `#[cfg(test)]` module or starts at a test, bench or
//! example. A file that no way leads to is an orphan: it looks like part of the crate and is never compiled.

use super::scan::{ModuleDecl, Scan, scan};
use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A source file that belongs to a crate.
pub(crate) struct Source {
    /// Whether it is compiled for tests only.
    pub(crate) test: bool,
    /// Its content.
    pub(crate) text: String,
    /// What the content holds.
    pub(crate) scan: Scan,
}

/// Where a crate starts: `lib.rs`, `main.rs`, a file in `tests/`.
pub(crate) struct Root {
    /// The file.
    pub(crate) path: PathBuf,
    /// Whether the target is a test, bench, example or build script.
    pub(crate) test: bool,
}

/// Reads every file reachable from the roots.
pub(crate) fn sources(roots: &[Root]) -> Result<BTreeMap<PathBuf, Source>> {
    let mut found = BTreeMap::new();
    for root in roots {
        follow(&root.path, root.test, true, &mut found)?;
    }
    Ok(found)
}

fn follow(path: &Path, test: bool, owns_folder: bool, found: &mut BTreeMap<PathBuf, Source>) -> Result<()> {
    // seen already, and nothing new to say about it
    if found.get(path).is_some_and(|s: &Source| !s.test || test) {
        return Ok(());
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let scan = scan(&text).with_context(|| path.display().to_string())?;
    let children: Vec<(Vec<PathBuf>, bool)> =
        scan.modules.iter().map(|m| (candidates(path, owns_folder, m), m.test)).collect();
    found.insert(path.to_owned(), Source { test, text, scan });

    for (candidates, child_test) in children {
        // a module that is nowhere is the compiler's to report
        if let Some(child) = candidates.iter().find(|c| c.is_file()) {
            let owns = child.file_name().is_some_and(|n| n == "mod.rs");
            follow(child, test || child_test, owns, found)?;
        }
    }
    Ok(())
}

/// The files in which the compiler looks for a module.
fn candidates(parent: &Path, owns_folder: bool, module: &ModuleDecl) -> Vec<PathBuf> {
    let folder = parent.parent().unwrap_or(Path::new(""));
    if let Some(path) = &module.path {
        return vec![folder.join(path)];
    }
    let mut base = folder.to_owned();
    if !owns_folder {
        base.push(parent.file_stem().unwrap_or_default());
    }
    base.extend(&module.inside);
    vec![base.join(format!("{}.rs", module.name)), base.join(&module.name).join("mod.rs")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decl(inside: &[&str], name: &str, path: Option<&str>) -> ModuleDecl {
        let inside = inside.iter().map(|s| (*s).to_owned()).collect();
        ModuleDecl { inside, name: name.into(), path: path.map(str::to_owned), test: false }
    }

    #[test]
    fn modules_are_looked_for_where_the_compiler_does() {
        let of = |parent: &str, owns, m: &ModuleDecl| candidates(Path::new(parent), owns, m);
        let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(of("s/lib.rs", true, &decl(&[], "a", None)), paths(&["s/a.rs", "s/a/mod.rs"]));
        assert_eq!(of("s/a.rs", false, &decl(&[], "b", None)), paths(&["s/a/b.rs", "s/a/b/mod.rs"]));
        assert_eq!(of("s/lib.rs", true, &decl(&["x"], "b", None)), paths(&["s/x/b.rs", "s/x/b/mod.rs"]));
        assert_eq!(of("s/a.rs", false, &decl(&[], "b", Some("z.rs"))), paths(&["s/z.rs"]));
    }

    #[test]
    fn this_crate_knows_its_own_tests() {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let found = sources(&[Root { path: src.join("main.rs"), test: false }]).unwrap();
        assert!(!found[&src.join("source/scan.rs")].test);
        assert!(found[&src.join("source/scan/tests.rs")].test);
    }
}
