//! Values of attributes: checking them against their type, and reading them into fields.
//!
//! An attribute is *exact* (all its numbers are given and replace the old ones) or an *overlay* (the numbers given
//! replace the leading ones, the rest stays what the default class says). A numeric attribute without any number counts
//! as not given.

use crate::error::{MjcfErrorKind, Problems};
use crate::keywords;
use crate::number::{Number, NumberError, words};
use crate::schema::{Count, Precision, Value};
use crate::xml::Element;
use sim_types::{Quat, Vec3};

/// What was noticed about a valid value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checked {
    /// It holds a NaN.
    pub(crate) nan: bool,
}

/// Checks a value against its type; the error says what would be right.
pub(crate) fn check(text: &str, value: Value) -> Result<Checked, String> {
    let fine = Ok(Checked { nan: false });
    match value {
        Value::Text => fine,
        Value::Numbers(Precision::Double, count) => check_numbers::<f64>(text, count),
        Value::Numbers(Precision::Single, count) => check_numbers::<f32>(text, count),
        Value::Numbers(Precision::Whole, count) => check_numbers::<i32>(text, count),
        Value::Quat => {
            if words(text).next().is_none() {
                return fine;
            }
            let quat = exactly::<f64, 4>(text)?;
            match quat {
                Some([0.0, 0.0, 0.0, 0.0]) => Err("a quaternion that is not zero".into()),
                _ => Ok(Checked { nan: quat.is_some_and(|q| q.iter().any(|x| x.is_nan())) }),
            }
        }
        Value::Int => single_int(text).and(fine),
        Value::Key(allowed) if allowed.contains(&text) => fine,
        Value::Key(allowed) => Err(one_of(allowed)),
        Value::Keys(allowed) => {
            let given: Vec<&str> = words(text).collect();
            let repeated = |i: usize| given[..i].contains(&given[i]);
            // more words than keywords cannot all be different
            if given.len() > allowed.len() || (0..given.len()).any(|i| !allowed.contains(&given[i]) || repeated(i)) {
                return Err(format!("some of {}, each at most once", allowed.join(", ")));
            }
            fine
        }
    }
}

/// True if an attribute of this type with this text counts as given.
pub(crate) fn is_given(text: &str, value: Value) -> bool {
    !matches!(value, Value::Numbers(..) | Value::Quat) || words(text).next().is_some()
}

/// The problem of an attribute whose value is wrong.
pub(crate) fn invalid(element: Element<'_>, attribute: &str, expected: String) -> MjcfErrorKind {
    const SHOWN: usize = 60;
    let text = element.attribute(attribute).unwrap_or_default();
    let mut value: String = text.chars().take(SHOWN).collect();
    if value.len() < text.len() {
        value.push('…');
    }
    MjcfErrorKind::InvalidValue { element: element.name().into(), attribute: attribute.into(), value, expected }
}

/// Reads the attributes of an element into fields; a wrong value is noted and leaves its field alone.
pub(crate) struct Fields<'d, 'p> {
    /// The element.
    pub(crate) element: Element<'d>,
    /// Where wrong values are noted.
    pub(crate) problems: &'p mut Problems,
}

impl<'d, 'p> Fields<'d, 'p> {
    pub(crate) fn new(element: Element<'d>, problems: &'p mut Problems) -> Self {
        Self { element, problems }
    }

    /// Reads an exact attribute; true if it is given.
    pub(crate) fn get<T: FromText>(&mut self, name: &str, field: &mut T) -> bool {
        let Some(text) = self.element.attribute(name) else { return false };
        match T::from_text(text) {
            Ok(Some(value)) => {
                *field = value;
                true
            }
            Ok(None) => false,
            Err(expected) => self.wrong(name, expected),
        }
    }

    /// Reads an attribute that may be left out altogether.
    pub(crate) fn maybe<T: FromText>(&mut self, name: &str, field: &mut Option<T>) -> bool {
        let Some(text) = self.element.attribute(name) else { return false };
        match T::from_text(text) {
            Ok(Some(value)) => {
                *field = Some(value);
                true
            }
            Ok(None) => false,
            Err(expected) => self.wrong(name, expected),
        }
    }

    /// Replaces the leading numbers of `field` by those given.
    pub(crate) fn overlay<T: Number>(&mut self, name: &str, field: &mut [T]) {
        let Some(text) = self.element.attribute(name) else { return };
        match numbers::<T>(text, Count::UpTo(field.len())) {
            Ok(given) => field.iter_mut().zip(given).for_each(|(old, new)| *old = new),
            Err(expected) => {
                self.wrong(name, expected);
            }
        }
    }

    /// Reads a keyword.
    pub(crate) fn key<T: Copy, const N: usize>(
        &mut self,
        name: &str,
        field: &mut T,
        map: &keywords::Map<T, N>,
    ) -> bool {
        let Some(text) = self.element.attribute(name) else { return false };
        match map.iter().find(|(word, _)| *word == text) {
            Some((_, value)) => {
                *field = *value;
                true
            }
            None => self.wrong(name, one_of(&keywords::names(map))),
        }
    }

    /// Reads a keyword that may be left out altogether.
    pub(crate) fn maybe_key<T: Copy, const N: usize>(
        &mut self,
        name: &str,
        field: &mut Option<T>,
        map: &keywords::Map<T, N>,
    ) -> bool {
        let Some((_, first)) = map.first() else { return false };
        let mut value = field.unwrap_or(*first);
        let given = self.key(name, &mut value, map);
        if given {
            *field = Some(value);
        }
        given
    }

    /// Notes that the element breaks a rule.
    pub(crate) fn refuse(&mut self, message: &str) {
        let name = self.element.attribute("name").unwrap_or_default();
        self.problems.invalid(&self.element.at(), self.element.name(), name, message);
    }

    /// Notes that a value is wrong.
    pub(crate) fn wrong(&mut self, name: &str, expected: impl Into<String>) -> bool {
        self.problems.push(&self.element.attribute_at(name), invalid(self.element, name, expected.into()));
        false
    }
}

/// A value that can be read from the text of an attribute; `None` means "not given".
pub(crate) trait FromText: Sized {
    fn from_text(text: &str) -> Result<Option<Self>, String>;
}

impl FromText for String {
    fn from_text(text: &str) -> Result<Option<Self>, String> {
        Ok(Some(text.to_owned()))
    }
}

impl FromText for bool {
    fn from_text(text: &str) -> Result<Option<Self>, String> {
        let found = keywords::BOOL.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        found.map(Some).ok_or_else(|| one_of(&keywords::names(&keywords::BOOL)))
    }
}

impl FromText for i32 {
    fn from_text(text: &str) -> Result<Option<Self>, String> {
        single_int(text).map(Some)
    }
}

impl FromText for f64 {
    fn from_text(text: &str) -> Result<Option<Self>, String> {
        Ok(exactly::<f64, 1>(text)?.map(|[x]| x))
    }
}

impl FromText for f32 {
    fn from_text(text: &str) -> Result<Option<Self>, String> {
        Ok(exactly::<f32, 1>(text)?.map(|[x]| x))
    }
}

impl<T: Number + Default, const N: usize> FromText for [T; N] {
    fn from_text(text: &str) -> Result<Option<Self>, String> {
        exactly(text)
    }
}

impl FromText for Vec3 {
    fn from_text(text: &str) -> Result<Option<Self>, String> {
        Ok(exactly::<f64, 3>(text)?.map(Vec3::from))
    }
}

impl FromText for Quat {
    fn from_text(text: &str) -> Result<Option<Self>, String> {
        Ok(exactly::<f64, 4>(text)?.map(|[w, x, y, z]| Quat { w, x, y, z }))
    }
}

impl<T: Number> FromText for Vec<T> {
    fn from_text(text: &str) -> Result<Option<Self>, String> {
        numbers(text, Count::Any).map(|v| Some(v).filter(|v| !v.is_empty()))
    }
}

fn check_numbers<T: Number>(text: &str, count: Count) -> Result<Checked, String> {
    Ok(Checked { nan: numbers::<T>(text, count)?.iter().any(|x| x.is_nan()) })
}

/// Exactly `N` numbers, or none.
fn exactly<T: Number + Default, const N: usize>(text: &str) -> Result<Option<[T; N]>, String> {
    let given = numbers(text, Count::Exactly(N))?;
    Ok(<[T; N]>::try_from(given).ok())
}

/// The numbers of an array attribute; none if there is no word.
fn numbers<T: Number>(text: &str, count: Count) -> Result<Vec<T>, String> {
    let mut given = Vec::new();
    for word in words(text) {
        let value = T::read(word).map_err(|error| {
            let shown: String = word.chars().take(30).collect();
            match error {
                NumberError::Format => format!("{}, but '{shown}' is not one", described(count)),
                NumberError::Range => format!("{}, but '{shown}' is too large or too close to zero", described(count)),
            }
        })?;
        given.push(value);
    }
    let fits = match count {
        Count::Exactly(n) => given.is_empty() || given.len() == n,
        Count::UpTo(n) => given.len() <= n,
        Count::Any => true,
    };
    if fits { Ok(given) } else { Err(format!("{}, found {}", described(count), given.len())) }
}

fn described(count: Count) -> String {
    match count {
        Count::Exactly(1) => "a number".into(),
        Count::Exactly(n) => format!("{n} numbers"),
        Count::UpTo(n) => format!("at most {n} numbers"),
        Count::Any => "numbers".into(),
    }
}

/// A single integer, by the rules of a C++ stream.
fn single_int(text: &str) -> Result<i32, String> {
    let mut given = words(text);
    match (given.next().map(i32::read), given.next()) {
        (Some(Ok(value)), None) => Ok(value),
        (Some(Err(NumberError::Range)), None) => Err("an integer of at most 32 bits".into()),
        _ => Err("one integer".into()),
    }
}

fn one_of(allowed: &[&str]) -> String {
    format!("one of {}", allowed.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL3: Value = Value::Numbers(Precision::Double, Count::Exactly(3));
    const UPTO3: Value = Value::Numbers(Precision::Double, Count::UpTo(3));

    fn wrong(text: &str, value: Value) -> String {
        check(text, value).unwrap_err()
    }

    #[test]
    fn counts_and_formats_are_explained() {
        assert!(check("1 2 3", REAL3).is_ok());
        assert!(check("", REAL3).is_ok(), "an empty value is one that is not given");
        assert_eq!(wrong("1 2", REAL3), "3 numbers, found 2");
        assert_eq!(wrong("1 2 3 4", UPTO3), "at most 3 numbers, found 4");
        assert_eq!(wrong("1,2,3", REAL3), "3 numbers, but '1,2,3' is not one");
        assert_eq!(wrong("1 2 1e400", REAL3), "3 numbers, but '1e400' is too large or too close to zero");
        assert!(check("1e39", Value::Numbers(Precision::Single, Count::Any)).is_err());
        assert!(check("nan 1 2", REAL3).unwrap().nan);
    }

    #[test]
    fn integers_need_a_word() {
        assert!(check(" +3 ", Value::Int).is_ok());
        for text in ["", " ", "1.0", "0x3", "1 2", "3000000000"] {
            assert!(check(text, Value::Int).is_err(), "{text}");
        }
    }

    #[test]
    fn keywords_are_literal() {
        let value = Value::Key(&["false", "true"]);
        assert!(check("true", value).is_ok());
        for text in [" true", "True", "1", ""] {
            assert_eq!(wrong(text, value), "one of false, true");
        }
        let several = Value::Keys(&["rgb", "depth"]);
        assert!(check("depth  rgb", several).is_ok() && check("", several).is_ok());
        assert!(check("rgb rgb", several).is_err() && check("red", several).is_err());
    }

    #[test]
    fn zero_is_not_a_rotation() {
        assert!(check("2 0 0 0", Value::Quat).is_ok() && check("", Value::Quat).is_ok());
        assert_eq!(wrong("0 0 0 0", Value::Quat), "a quaternion that is not zero");
        assert_eq!(wrong("1 0 0", Value::Quat), "4 numbers, found 3");
    }
}
