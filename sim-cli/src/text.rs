//! Text for people: colours, numbers, aligned columns.

use anstyle::{AnsiColor, Style};

/// Headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// Secondary text.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Names of objects.
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
/// Good news.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Warnings.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
/// Errors.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();

/// A number in at most six significant digits.
pub(crate) fn number(x: f64) -> String {
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
pub(crate) fn trim_zeros(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}

/// A whole number with thin groups of three digits.
pub(crate) fn grouped(x: u64) -> String {
    let digits = x.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of bytes.
pub(crate) fn bytes(n: usize) -> String {
    match n {
        0..=9_999 => format!("{n} B"),
        10_000..=9_999_999 => format!("{:.1} kB", n as f64 / 1e3),
        _ => format!("{:.1} MB", n as f64 / 1e6),
    }
}

/// A time span.
pub(crate) fn seconds(s: f64) -> String {
    match s {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        _ => format!("{:.2} µs", s * 1e6),
    }
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
    fn digits_in_groups() {
        assert_eq!([1, 999, 1000, 1234567].map(grouped), ["1", "999", "1,000", "1,234,567"]);
    }
}
