//! The known name nearest to a mistyped one.

/// The nearest of `names`, when it is near enough to be what was meant.
pub(crate) fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wrong.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&lower, &name.to_lowercase());
    let best = names.into_iter().map(|name| (distance(name), name)).min()?;
    (best.0 <= (wrong.chars().count() / 3).max(1)).then_some(best.1)
}

/// `; did you mean 'x'?`, or nothing.
pub(crate) fn did_you_mean<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(wrong, names).map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_only() {
        let names = ["qpos", "qvel", "xpos"];
        assert_eq!(nearest("qpso", names), Some("qpos"));
        assert_eq!(nearest("banana", names), None);
        assert_eq!(did_you_mean("Xpos", names), "; did you mean 'xpos'?");
    }
}
