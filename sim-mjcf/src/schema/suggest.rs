//! "Did you mean …?"

/// The candidate most similar to `name`, if one is similar enough to be what was meant.
pub(crate) fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    // nobody mistypes a hundred letters, and the distance costs the product of the lengths
    let letters: Vec<char> = name.chars().take(LONGEST + 1).collect();
    if letters.len() > LONGEST {
        return None;
    }
    let ranked = candidates.into_iter().filter(|c| c.len() <= LONGEST).map(|c| (distance(&letters, c), c));
    let (best, candidate) = ranked.min()?;
    (best <= (letters.len() / 3).max(1)).then(|| candidate.to_owned())
}

const LONGEST: usize = 64;

/// Letters to insert, delete, replace or swap with their neighbour to get from one word to the other, ignoring case.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let same = |x: char, y: char| x.eq_ignore_ascii_case(&y);
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(!same(a[i - 1], b[j - 1]));
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]) {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_find_their_word() {
        let words = ["size", "site", "solref", "solimp", "friction", "frictionloss", "contype"];
        let cases = [("siez", "size"), ("frcition", "friction"), ("contyp", "contype"), ("Solref", "solref")];
        for (typed, meant) in cases {
            assert_eq!(nearest(typed, words).as_deref(), Some(meant), "{typed}");
        }
        assert_eq!(nearest("colour", words), None);
        assert_eq!(nearest(&"s".repeat(1000), words), None);
        assert_eq!(nearest("x", []), None);
    }
}
