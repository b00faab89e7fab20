//! Numbers in OBJ files, with the tolerance and the rounding of MuJoCo's loader.

use super::{is_blank, trim_start};
use sim_types::math::pow;

/// The next word as a number; a word that is none counts as zero.
pub(super) fn real(rest: &mut &[u8]) -> f32 {
    let text = trim_start(rest);
    let end = text.iter().position(|c| is_blank(*c)).unwrap_or(text.len());
    let (word, tail) = text.split_at(end);
    *rest = tail;
    decimal(word).unwrap_or(0.0) as f32
}

/// The integer that the text begins with, zero if none.
#[doc(alias = "atoi")]
pub(super) fn integer(text: &[u8]) -> i32 {
    let text = text.trim_ascii_start();
    let (negative, digits) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    };
    let mut value = 0i64;
    for c in digits.iter().take_while(|c| c.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(i64::from(c - b'0'));
    }
    let value = if negative { -value } else { value };
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// A decimal number, digit by digit: sign, digits, fraction, exponent; what follows is passed over.
///
/// Digits are added up in double precision, which is not always the nearest number: the sums have to be the same.
fn decimal(word: &[u8]) -> Option<f64> {
    let (negative, mut rest) = match word.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, word),
    };
    let mut value = 0.0;
    if rest.first() != Some(&b'.') {
        let digits = take_digits(&mut rest);
        if digits.is_empty() {
            return None;
        }
        for c in digits {
            value = value * 10.0 + f64::from(c - b'0');
        }
    }
    if let Some((b'.', tail)) = rest.split_first() {
        rest = tail;
        for (i, c) in take_digits(&mut rest).iter().enumerate() {
            value += f64::from(c - b'0') * tenth(i + 1);
        }
    }
    let mut exponent = 0i32;
    if let Some((b'e' | b'E', tail)) = rest.split_first() {
        let (down, mut tail) = match tail.split_first() {
            Some((b'-', tail)) => (true, tail),
            Some((b'+', tail)) => (false, tail),
            _ => (false, tail),
        };
        let digits = take_digits(&mut tail);
        if digits.is_empty() {
            return None;
        }
        for c in digits {
            exponent = exponent.saturating_mul(10).saturating_add(i32::from(c - b'0'));
        }
        exponent = if down { -exponent } else { exponent };
    }
    if exponent != 0 {
        // 10^e = 5^e · 2^e, and the power of two is exact
        value = scale_by_two(value * pow(5.0, f64::from(exponent)), exponent);
    }
    Some(if negative { -value } else { value })
}

fn take_digits<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let end = rest.iter().position(|c| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, tail) = rest.split_at(end);
    *rest = tail;
    digits
}

/// 10⁻ⁿ.
fn tenth(n: usize) -> f64 {
    const TABLE: [f64; 8] = [1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001, 0.000001, 0.0000001];
    TABLE.get(n).copied().unwrap_or_else(|| pow(10.0, -(n as f64)))
}

/// `x · 2ⁿ`, in steps that neither overflow nor underflow early.
fn scale_by_two(mut x: f64, n: i32) -> f64 {
    let mut left = n.clamp(-3000, 3000);
    while left != 0 && x != 0.0 && x.is_finite() {
        let step = left.clamp(-1000, 1000);
        x *= f64::from_bits(((1023 + i64::from(step)) as u64) << 52);
        left -= step;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        for (text, want) in [
            ("1", 1.0),
            ("-0.25", -0.25),
            ("+.5", 0.5),
            ("3.", 3.0),
            ("1e3", 1000.0),
            ("2.5E-2", 0.025),
            ("7x", 7.0),
            ("x7", 0.0),
            ("1e", 0.0),
            ("nan", 0.0),
            ("", 0.0),
            (".", 0.0),
        ] {
            let mut rest = text.as_bytes();
            assert_eq!(real(&mut rest), want, "{text}");
        }
        assert_eq!(real(&mut b"1e400".as_slice()), f32::INFINITY);
        assert_eq!(real(&mut b"1e-99999999999".as_slice()), 0.0);
        assert!(real(&mut b"0e99999999999".as_slice()).is_nan());
    }

    #[test]
    fn fractions_agree_with_the_nearest_number_to_single_precision() {
        for i in 0..2000 {
            let text = format!("{:.9}", f64::from(i) * 0.000_737_123_457 - 0.5);
            let (got, want) = (real(&mut text.as_bytes()), text.parse::<f32>().unwrap());
            assert!((got - want).abs() <= f32::EPSILON * want.abs(), "{text}: {got} {want}");
        }
    }

    #[test]
    fn integers_stop_at_the_first_other_character() {
        for (text, want) in
            [("12/3", 12), ("-4 5", -4), ("+7", 7), ("a", 0), ("", 0), ("99999999999999999999", i32::MAX)]
        {
            assert_eq!(integer(text.as_bytes()), want, "{text}");
        }
    }
}
