//! Numbers and names as text of a picture.

use std::fmt::Write;

/// A number in at most six significant digits.
pub fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let digits = x.abs().log10().floor() as i32;
    if (-4..7).contains(&digits) {
        let decimals = (5 - digits).clamp(0, 9) as usize;
        trim_zeros(&format!("{x:.decimals$}"))
    } else {
        let text = format!("{x:.4e}");
        match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{}e{exponent}", trim_zeros(mantissa)),
            None => text,
        }
    }
}

/// Without the zeros that end a decimal fraction.
pub fn trim_zeros(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}

/// The end of a name that is too long for the legend.
pub(crate) fn shortened(name: &str) -> String {
    const LENGTH: usize = 26;
    if name.chars().count() <= LENGTH {
        return name.to_owned();
    }
    let tail: Vec<char> = name.chars().rev().take(LENGTH - 1).collect();
    std::iter::once('…').chain(tail.into_iter().rev()).collect()
}

/// Text that may stand in XML.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            // XML has no way to write these
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Writing to a string cannot fail.
pub(crate) fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let all = [0.0, 1.0, -2.5, 0.002, 123456.789, 1e-9, 3.25e12].map(number);
        assert_eq!(all, ["0", "1", "-2.5", "0.002", "123457", "1e-9", "3.25e12"]);
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(escape("a<b>&\"\u{1}"), "a&lt;b&gt;&amp;&quot;\u{fffd}");
    }
}
