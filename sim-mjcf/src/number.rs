//! Numbers as MuJoCo reads them.
//!
//! There are two readers with different rules. Reals and all arrays go word by word through C's `strtod`, `strtof` and
//! `strtol`: hexadecimal floats, `inf` and `nan` are numbers, and a result outside the range of normal numbers is an
//! error, be it too large or too small. Single integers go through a C++ stream: decimal digits with a sign, nothing
//! else, and an empty text is an error.

/// Why a word is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberError {
    /// It does not look like one.
    Format,
    /// It is too large, or too close to zero.
    Range,
}

/// What C calls white space.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r')
}

/// The words of an attribute value.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// A number that `strtod`, `strtof` or `strtol` can read.
pub(crate) trait Number: Copy {
    /// Reads a whole word.
    fn read(word: &str) -> Result<Self, NumberError>;
    /// True for not-a-number.
    fn is_nan(self) -> bool {
        false
    }
}

macro_rules! float {
    ($float:ty, $digits:literal, $min_exponent:literal) => {
        impl Number for $float {
            fn read(word: &str) -> Result<Self, NumberError> {
                let (negative, digits) = match word.as_bytes().first() {
                    Some(b'-') => (true, &word[1..]),
                    Some(b'+') => (false, &word[1..]),
                    _ => (false, word),
                };
                let sign = if negative { -1.0 } else { 1.0 };
                if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
                    let (mantissa, exponent) = hexadecimal(hex, $digits, $min_exponent)?;
                    return Ok(sign * mantissa as $float * power_of_two(exponent) as $float);
                }
                if !digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-')) {
                    return special(digits).map(|x| sign * x as $float);
                }
                if digits.starts_with(['+', '-']) {
                    return Err(NumberError::Format);
                }
                let value: $float = digits.parse().map_err(|_| NumberError::Format)?;
                let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
                let is_zero = !mantissa.bytes().any(|b| matches!(b, b'1'..=b'9'));
                if value.is_normal() || is_zero { Ok(sign * value) } else { Err(NumberError::Range) }
            }

            fn is_nan(self) -> bool {
                self.is_nan()
            }
        }
    };
}

float!(f64, 53, -1074);
float!(f32, 24, -149);

impl Number for i32 {
    fn read(word: &str) -> Result<Self, NumberError> {
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(NumberError::Format);
        }
        word.parse().map_err(|_| NumberError::Range)
    }
}

/// `inf`, `infinity`, `nan` and `nan(…)`, in any case.
fn special(word: &str) -> Result<f64, NumberError> {
    let lower = word.to_ascii_lowercase();
    match lower.as_str() {
        "inf" | "infinity" => Ok(f64::INFINITY),
        "nan" => Ok(f64::NAN),
        _ => {
            let payload = lower.strip_prefix("nan(").and_then(|rest| rest.strip_suffix(')'));
            let valid = payload.is_some_and(|p| p.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
            if valid { Ok(f64::NAN) } else { Err(NumberError::Format) }
        }
    }
}

/// Mantissa and binary exponent of a hexadecimal float, rounded to `digits` binary digits, halves to even.
///
/// `min_exponent` is the exponent of the smallest number that is not zero. A number that needs rounding below the
/// normal range is out of range; one that is exact there is not.
fn hexadecimal(word: &str, digits: u32, min_exponent: i32) -> Result<(u64, i32), NumberError> {
    // up to 60 bits are kept, the rest only counts as "more than exact"
    let bytes = word.as_bytes();
    let (mut mantissa, mut exponent, mut sticky) = (0u64, 0i64, false);
    let (mut any, mut point, mut i) = (false, false, 0);
    while let Some(&byte) = bytes.get(i) {
        if byte == b'.' && !point {
            point = true;
        } else if let Some(digit) = (byte as char).to_digit(16) {
            any = true;
            if mantissa >> 56 == 0 {
                mantissa = mantissa << 4 | u64::from(digit);
                exponent -= if point { 4 } else { 0 };
            } else {
                sticky |= digit != 0;
                exponent += if point { 0 } else { 4 };
            }
        } else {
            break;
        }
        i += 1;
    }
    if !any {
        return Err(NumberError::Format);
    }
    match bytes.get(i) {
        None => {}
        Some(b'p' | b'P') => exponent += binary_exponent(&word[i + 1..])?,
        Some(_) => return Err(NumberError::Format),
    }
    if mantissa == 0 {
        return Ok((0, 0));
    }

    // round to the precision that the exponent leaves
    let used = 64 - i64::from(mantissa.leading_zeros());
    let drop = (used - i64::from(digits)).max(i64::from(min_exponent) - exponent);
    let mut inexact = sticky;
    if drop > 0 {
        if drop > 62 {
            return Err(NumberError::Range);
        }
        let rest = mantissa & ((1 << drop) - 1);
        let half = 1u64 << (drop - 1);
        mantissa >>= drop;
        exponent += drop;
        inexact |= rest != 0;
        let up = rest > half || rest == half && (sticky || mantissa & 1 == 1);
        mantissa += u64::from(up);
    }
    let subnormal = mantissa < 1 << (digits - 1) && exponent <= i64::from(min_exponent);
    let top = exponent + 64 - i64::from(mantissa.leading_zeros());
    let limit = 2 - i64::from(min_exponent) - i64::from(digits) + 1;
    if top > limit || mantissa == 0 || subnormal && inexact {
        return Err(NumberError::Range);
    }
    i32::try_from(exponent).map(|e| (mantissa, e)).map_err(|_| NumberError::Range)
}

/// The number after the `p` of a hexadecimal float; far beyond any range it stays where it is.
fn binary_exponent(word: &str) -> Result<i64, NumberError> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Format);
    }
    Ok(word.parse::<i64>().unwrap_or(if word.starts_with('-') { i64::MIN } else { i64::MAX }).clamp(-1 << 40, 1 << 40))
}

/// 2 to the power `exponent`, which [`hexadecimal`] keeps within the range of `f64`.
fn power_of_two(exponent: i32) -> f64 {
    if exponent >= -1022 {
        f64::from_bits(((exponent + 1023).clamp(0, 2046) as u64) << 52)
    } else {
        f64::from_bits(1 << (exponent + 1074).clamp(0, 52))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_what_strtod_reads() {
        let ok = [
            (".5", 0.5),
            ("5.", 5.0),
            ("+2", 2.0),
            ("-1e-3", -1e-3),
            ("0e-999", 0.0),
            ("0x10", 16.0),
            ("0x1p-3", 0.125),
            ("-0X.8p1", -1.0),
            ("0x1.fffffffffffff8p0", 2.0),
            ("0x1.00000000000008p0", 1.0),
            ("0x1.000000000000080001p0", 1.0 + f64::EPSILON),
            ("0x1p-1074", 5e-324),
            ("0x1.fffffffffffffp1023", f64::MAX),
            ("0x0p99999999999999999999", 0.0),
            ("1e308", 1e308),
            ("inf", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
        ];
        for (word, expected) in ok {
            assert_eq!(f64::read(word), Ok(expected), "{word}");
        }
        assert!(f64::read("nan").unwrap().is_nan() && f64::read("-NAN(0x_1)").unwrap().is_nan());
        for word in ["", "1,2", "1f", "0x", "0x1p", "0x.p1", "1e", "--1", "+-1", ".", "e5", "infinit", "nan(", "1e5.0"]
        {
            assert_eq!(f64::read(word), Err(NumberError::Format), "{word}");
        }
        for word in ["1e309", "-1e400", "1e-320", "1e-999", "0x1p1024", "0x1.8p-1074", "0x1p-1075", "0x1p-99999999999"]
        {
            assert_eq!(f64::read(word), Err(NumberError::Range), "{word}");
        }
    }

    #[test]
    fn short_floats_have_their_own_range() {
        assert_eq!(f32::read("0.1"), Ok(0.1f32));
        assert_eq!(f32::read("0x1.fffffep127"), Ok(f32::MAX));
        assert_eq!(f32::read("0x1.ffffffp127"), Err(NumberError::Range));
        assert_eq!(f32::read("1e39"), Err(NumberError::Range));
        assert_eq!(f32::read("1e-40"), Err(NumberError::Range));
        assert_eq!(f32::read("0x1p-149"), Ok(f32::from_bits(1)));
    }

    #[test]
    fn integers_are_decimal() {
        assert_eq!(i32::read("010"), Ok(10));
        assert_eq!(i32::read("+3"), Ok(3));
        assert_eq!(i32::read("-2147483648"), Ok(i32::MIN));
        assert_eq!(i32::read("2147483648"), Err(NumberError::Range));
        for word in ["", "+", "1.0", "1e0", "0x3", "--1"] {
            assert_eq!(i32::read(word), Err(NumberError::Format), "{word}");
        }
    }

    #[test]
    fn words_are_split_at_c_white_space() {
        assert_eq!(words(" 1\t2\u{b}3\n").collect::<Vec<_>>(), ["1", "2", "3"]);
        assert_eq!(words("1\u{a0}2").count(), 1);
    }
}
