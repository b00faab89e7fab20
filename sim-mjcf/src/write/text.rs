//! XML text: elements with attributes, numbers that read back bit for bit.

use crate::keywords::Map;
use sim_types::{Quat, Vec3};
use std::fmt::Write;

/// Elements are started and ended in order; attributes go to the element that was started last.
#[derive(Default)]
pub(super) struct Xml {
    text: String,
    open: Vec<Open>,
}

/// An element that was started and not ended.
struct Open {
    name: &'static str,
    /// Length of the text before it.
    start: usize,
    /// Has neither attributes nor content.
    empty: bool,
    /// Has content, so that its tag is closed.
    filled: bool,
    /// Whether the element around it was empty and filled before.
    outer: (bool, bool),
}

impl Xml {
    /// The text; every element must have been ended.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Starts an element.
    pub(super) fn start(&mut self, name: &'static str) {
        let start = self.text.len();
        let mut outer = (true, false);
        if let Some(parent) = self.open.last_mut() {
            if !parent.filled {
                self.text.push_str(">\n");
            }
            outer = (parent.empty, parent.filled);
            (parent.empty, parent.filled) = (false, true);
        }
        // a blank line sets the sections apart
        if self.open.len() == 1 {
            self.text.push('\n');
        }
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        self.open.push(Open { name, start, empty: true, filled: false, outer });
    }

    /// Ends the element that was started last.
    pub(super) fn end(&mut self) {
        let Some(Open { name, filled, .. }) = self.open.pop() else { return };
        if filled {
            if self.open.is_empty() {
                self.text.push('\n');
            }
            self.indent();
            self.text.push_str("</");
            self.text.push_str(name);
            self.text.push_str(">\n");
        } else {
            self.text.push_str("/>\n");
        }
    }

    /// Ends the element that was started last, and takes it back if nothing was said about it.
    pub(super) fn end_unless_empty(&mut self) {
        let Some(open) = self.open.pop_if(|open| open.empty) else { return self.end() };
        self.text.truncate(open.start);
        if let Some(parent) = self.open.last_mut() {
            (parent.empty, parent.filled) = open.outer;
        }
    }

    /// Writes an attribute.
    pub(super) fn set<T: Value + ?Sized>(&mut self, name: &str, value: &T) {
        if let Some(open) = self.open.last_mut() {
            open.empty = false;
        }
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        value.put(&mut self.text);
        self.text.push('"');
    }

    /// Writes an attribute that differs from what it would be without.
    pub(super) fn diff<T: Value + ?Sized>(&mut self, name: &str, value: &T, base: &T) {
        if !value.same(base) {
            self.set(name, value);
        }
    }

    /// Writes a name, unless it is empty.
    pub(super) fn name(&mut self, name: &str, value: &str) {
        self.diff(name, value, "");
    }

    /// Writes a keyword that differs from what it would be without.
    pub(super) fn key<T: Copy + PartialEq, const N: usize>(&mut self, name: &str, value: T, base: T, map: &Map<T, N>) {
        if value != base
            && let Some((word, _)) = map.iter().find(|(_, v)| *v == value)
        {
            self.set(name, *word);
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.open.len() {
            self.text.push_str("  ");
        }
    }
}

/// A value of an attribute.
pub(super) trait Value {
    /// Appends its text.
    fn put(&self, out: &mut String);
    /// True if both have the same text.
    fn same(&self, other: &Self) -> bool;
}

macro_rules! float {
    ($float:ty, $bits:ty, $smallest:literal) => {
        impl Value for $float {
            fn put(&self, out: &mut String) {
                let sign = if self.is_sign_negative() { "-" } else { "" };
                // writing to a String cannot fail
                _ = if self.is_nan() {
                    out.write_str("nan")
                } else if self.is_infinite() {
                    write!(out, "{sign}inf")
                } else if self.is_subnormal() {
                    // in decimal they would be out of range
                    write!(out, concat!("{}0x{:x}p", $smallest), sign, self.abs().to_bits())
                } else {
                    write!(out, "{self:?}")
                };
                if let Some(short) = out.strip_suffix(".0").map(str::len) {
                    out.truncate(short);
                }
            }

            fn same(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits()
            }
        }
    };
}

float!(f64, u64, "-1074");
float!(f32, u32, "-149");

macro_rules! whole {
    ($($type:ty)*) => {$(
        impl Value for $type {
            fn put(&self, out: &mut String) {
                _ = write!(out, "{self}");
            }

            fn same(&self, other: &Self) -> bool {
                self == other
            }
        }
    )*};
}

whole!(i32 i64 u32 u64 bool);

impl Value for str {
    fn put(&self, out: &mut String) {
        for c in self.chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                '\n' => out.push_str("&#10;"),
                '\r' => out.push_str("&#13;"),
                '\t' => out.push_str("&#9;"),
                _ => out.push(c),
            }
        }
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl Value for String {
    fn put(&self, out: &mut String) {
        self.as_str().put(out);
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl<T: Value> Value for [T] {
    fn put(&self, out: &mut String) {
        for (i, x) in self.iter().enumerate() {
            if i > 0 {
                out.push(' ');
            }
            x.put(out);
        }
    }

    fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn put(&self, out: &mut String) {
        self.as_slice().put(out);
    }

    fn same(&self, other: &Self) -> bool {
        self.as_slice().same(other)
    }
}

impl<T: Value> Value for Vec<T> {
    fn put(&self, out: &mut String) {
        self.as_slice().put(out);
    }

    fn same(&self, other: &Self) -> bool {
        self.as_slice().same(other)
    }
}

impl Value for Vec3 {
    fn put(&self, out: &mut String) {
        self.as_slice().put(out);
    }

    fn same(&self, other: &Self) -> bool {
        self.as_slice().same(other.as_slice())
    }
}

impl Value for Quat {
    fn put(&self, out: &mut String) {
        self.to_array().put(out);
    }

    fn same(&self, other: &Self) -> bool {
        self.to_array().same(&other.to_array())
    }
}

/// Writes the attributes of `a` that differ from those of `b`: one line per attribute and field.
macro_rules! diff {
    ($w:ident, $a:ident, $b:ident: $($name:literal => $($field:ident).+;)*) => {
        $($w.diff($name, &$a.$($field).+, &$b.$($field).+);)*
    };
}
pub(super) use diff;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;

    fn text<T: Value + ?Sized>(value: &T) -> String {
        let mut out = String::new();
        value.put(&mut out);
        out
    }

    #[test]
    fn numbers_are_short_and_read_back_bit_for_bit() {
        let cases = [
            (0.1, "0.1"),
            (1.0, "1"),
            (-0.0, "-0"),
            (1e-7, "1e-7"),
            (1e300, "1e300"),
            (f64::NEG_INFINITY, "-inf"),
            (5e-324, "0x1p-1074"),
            (-f64::from_bits(1 << 44), "-0x100000000000p-1074"),
            (0.1 + 0.2, "0.30000000000000004"),
        ];
        for (x, want) in cases {
            assert_eq!(text(&x), want);
            assert_eq!(f64::read(want).map(f64::to_bits), Ok(x.to_bits()), "{want}");
        }
        for x in [0.1f32, 1.5e-40, f32::MAX] {
            assert_eq!(f32::read(&text(&x)).map(f32::to_bits), Ok(x.to_bits()), "{x}");
        }
    }

    #[test]
    fn elements_that_say_nothing_can_be_taken_back() {
        let mut w = Xml::default();
        w.start("a");
        w.start("b");
        w.start("c");
        w.end_unless_empty();
        w.end_unless_empty();
        w.start("d");
        w.set("x", "1 & \"2\"\n");
        w.end_unless_empty();
        w.end();
        assert_eq!(w.finish(), "<a>\n\n  <d x=\"1 &amp; &quot;2&quot;&#10;\"/>\n\n</a>\n");
    }
}
