//! How many crates of others a library asks its users to trust.

use super::Cell;
use crate::workspace::{Workspace, is_library};
use cargo_metadata::{DependencyKind, Package};
use std::collections::BTreeSet;

/// Most direct external dependencies of a library crate; optional ones count, those of tests do not.
const LIMIT: usize = 7;

/// Counts the direct external dependencies and looks for the reason beside each.
pub(crate) fn cell(workspace: &Workspace, name: &str) -> Cell {
    let members = workspace.members();
    let Some(package) = members.iter().find(|p| p.name.as_str() == name) else { return Cell::ok("-") };
    let ours: BTreeSet<&str> = members.iter().map(|p| p.name.as_str()).collect();
    let external = external(package, &ours);
    if !is_library(name) {
        return Cell::ok(format!("{} free", external.len()));
    }
    let manifest = std::fs::read_to_string(&package.manifest_path).unwrap_or_default();
    judge(&external, &manifest)
}

fn judge(external: &BTreeSet<&str>, manifest: &str) -> Cell {
    let mut details = Vec::new();
    if external.len() > LIMIT {
        let list = external.iter().copied().collect::<Vec<_>>().join(", ");
        details.push(format!("{} direct external dependencies, at most {LIMIT}: {list}", external.len()));
    }
    let uncommented = external.iter().filter(|d| !has_reason(manifest, d));
    details.extend(uncommented.map(|d| format!("`{d}` has no comment in Cargo.toml that says why it is there")));
    Cell {
        text: format!("{}/{LIMIT}{}", external.len(), if details.is_empty() { "" } else { " !" }),
        ..Cell::from_details(details)
    }
}

/// Names of the dependencies, built or linked, that are not ours.
fn external<'a>(package: &'a Package, ours: &BTreeSet<&str>) -> BTreeSet<&'a str> {
    let counted = package.dependencies.iter().filter(|d| d.kind != DependencyKind::Development);
    counted.map(|d| d.name.as_str()).filter(|n| !ours.contains(n)).collect()
}

/// Whether the line of a dependency, or the line above it, has a comment.
fn has_reason(manifest: &str, dependency: &str) -> bool {
    let lines: Vec<&str> = manifest.lines().collect();
    let declares =
        |line: &str| line.strip_prefix(dependency).is_some_and(|rest| rest.trim_start().starts_with(['=', '.']));
    lines.iter().enumerate().any(|(k, line)| {
        declares(line) && (line.contains('#') || (k > 0 && lines[k - 1].trim_start().starts_with('#')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eighth_dependency_is_one_too_many() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let manifest = names.map(|n| format!("{n} = \"1\" # why")).join("\n");
        let seven = judge(&names[..7].iter().copied().collect(), &manifest);
        assert_eq!((seven.ok, seven.text.as_str()), (true, "7/7"));
        let eight = judge(&names.iter().copied().collect(), &manifest);
        assert_eq!((eight.ok, eight.text.as_str(), eight.details.len()), (false, "8/7 !", 1));
    }

    #[test]
    fn a_dependency_says_why_it_is_there() {
        assert!(has_reason("[dependencies]\nlibm = \"1\" # same digits on every target\n", "libm"));
        assert!(has_reason("# same digits on every target\nlibm = \"1\"\n", "libm"));
        assert!(has_reason("libm.workspace = true # x\n", "libm"));
        assert!(!has_reason("libm = \"1\"\n", "libm"));
        assert!(!has_reason("libm-test = \"1\" # x\n", "libm"));
    }
}
