//! Values that nobody expects.

use crate::Rng;

/// Numbers at and beyond every edge.
const NUMBERS: [&str; 30] = [
    "nan",
    "inf",
    "-inf",
    "1e300",
    "-1e300",
    "1e-300",
    "1e-320",
    "1e10",
    "-1e10",
    "-1",
    "0",
    "-0",
    "1",
    "2",
    "3",
    "0.5",
    "1e-15",
    "1e38",
    "1e39",
    "255",
    "256",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "18446744073709551616",
    "1e999",
];

/// Words that mean something somewhere, and some that never do.
const WORDS: [&str; 26] = [
    "",
    " ",
    "true",
    "false",
    "auto",
    "free",
    "ball",
    "slide",
    "hinge",
    "plane",
    "hfield",
    "sphere",
    "capsule",
    "ellipsoid",
    "cylinder",
    "box",
    "mesh",
    "sdf",
    "world",
    "main",
    "..",
    "/",
    "&#0;",
    "&lt;",
    "0x10",
    "ÿ",
];

/// A number that is hard to digest.
pub(super) fn number(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => format!("{}", rng.signed()),
        _ => rng.pick(&NUMBERS).copied().unwrap_or_default().to_owned(),
    }
}

/// A whole value: one number, a list of some length, or a word.
pub(super) fn value(rng: &mut Rng) -> String {
    match rng.below(8) {
        0 => rng.pick(&WORDS).copied().unwrap_or_default().to_owned(),
        1 => "x".repeat(1 << rng.below(17)),
        2 => {
            // a long list of one number
            let n = 1 << rng.below(14);
            vec![number(rng); n].join(" ")
        }
        3 | 4 => {
            let n = rng.below(12);
            (0..n).map(|_| number(rng)).collect::<Vec<_>>().join(" ")
        }
        _ => number(rng),
    }
}

/// The value with one of its words changed, dropped or repeated.
pub(super) fn edited(rng: &mut Rng, old: &str) -> String {
    let mut words: Vec<String> = old.split_ascii_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        return value(rng);
    }
    let at = rng.below(words.len());
    match rng.below(8) {
        0 => {
            words.remove(at);
        }
        1 => words.insert(at, number(rng)),
        2 => words.truncate(at),
        3 => words = vec![words; 1 + rng.below(20)].concat(),
        _ => words[at] = number(rng),
    }
    words.join(" ")
}
