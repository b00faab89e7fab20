//! The grammar of MJCF: which element may stand where, how often, with which attributes of which type.
//!
//! The tables in [`settings`], [`tree`] and [`relations`] hold the whole language of MuJoCo 3.5.0, also what is not
//! built yet. [`check`] compares a document with them.

mod check;
mod relations;
mod settings;
mod suggest;
mod tree;

pub(crate) use check::{check, warn_unread};
pub(crate) use suggest::nearest;

/// An element of the grammar.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Name.
    pub(crate) name: &'static str,
    /// Whether it may appear only once in its parent.
    pub(crate) unique: bool,
    /// Its attributes, in groups that several elements share.
    pub(crate) attributes: &'static [&'static [Attr]],
    /// What may stand inside.
    pub(crate) children: &'static [&'static Rule],
}

/// An attribute of the grammar.
#[derive(Debug)]
pub(crate) struct Attr {
    /// Name.
    pub(crate) name: &'static str,
    /// Type.
    pub(crate) kind: Kind,
}

/// Type of an attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// What the value looks like.
    pub(crate) value: Value,
    /// Whether it must be given.
    pub(crate) required: bool,
}

/// What an attribute's value looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    /// Any text.
    Text,
    /// Numbers.
    Numbers(Precision, Count),
    /// A quaternion that is not zero.
    Quat,
    /// One integer.
    Int,
    /// One of these words.
    Key(&'static [&'static str]),
    /// Some of these words, each at most once.
    Keys(&'static [&'static str]),
}

/// What kind of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// Reals, kept in double precision.
    Double,
    /// Reals, kept in single precision.
    Single,
    /// Integers.
    Whole,
}

/// How many numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// This many.
    Exactly(usize),
    /// This many or fewer; they replace the leading ones.
    UpTo(usize),
    /// As many as there are.
    Any,
}

impl Rule {
    /// An element that may appear any number of times.
    const fn many(
        name: &'static str,
        attributes: &'static [&'static [Attr]],
        children: &'static [&'static Self],
    ) -> Self {
        Self { name, unique: false, attributes, children }
    }

    /// An element that may appear once.
    const fn once(
        name: &'static str,
        attributes: &'static [&'static [Attr]],
        children: &'static [&'static Self],
    ) -> Self {
        Self { name, unique: true, attributes, children }
    }

    /// The attribute called `name`.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'static Attr> {
        self.all_attributes().find(|a| a.name == name)
    }

    /// True if both are the same entry of the table.
    pub(crate) fn is(&self, other: &'static Self) -> bool {
        std::ptr::eq(self, other)
    }

    /// All attributes.
    pub(crate) fn all_attributes(&self) -> impl Iterator<Item = &'static Attr> {
        self.attributes.iter().flat_map(|group| group.iter())
    }
}

impl Kind {
    /// The same, but it must be given.
    const fn required(self) -> Self {
        Self { required: true, ..self }
    }
}

const fn kind(value: Value) -> Kind {
    Kind { value, required: false }
}

const fn real(n: usize) -> Kind {
    kind(Value::Numbers(Precision::Double, Count::Exactly(n)))
}

const fn real_upto(n: usize) -> Kind {
    kind(Value::Numbers(Precision::Double, Count::UpTo(n)))
}

const fn float(n: usize) -> Kind {
    kind(Value::Numbers(Precision::Single, Count::Exactly(n)))
}

const fn ints(n: usize) -> Kind {
    kind(Value::Numbers(Precision::Whole, Count::Exactly(n)))
}

const fn ints_upto(n: usize) -> Kind {
    kind(Value::Numbers(Precision::Whole, Count::UpTo(n)))
}

const fn key(words: &'static [&'static str]) -> Kind {
    kind(Value::Key(words))
}

const fn keys(words: &'static [&'static str]) -> Kind {
    kind(Value::Keys(words))
}

const TEXT: Kind = kind(Value::Text);
const INT: Kind = kind(Value::Int);
const QUAT: Kind = kind(Value::Quat);
const REALS: Kind = kind(Value::Numbers(Precision::Double, Count::Any));
const FLOATS: Kind = kind(Value::Numbers(Precision::Single, Count::Any));
const INTS: Kind = kind(Value::Numbers(Precision::Whole, Count::Any));
const BOOL: Kind = key(&["false", "true"]);
const AUTO: Kind = key(&["false", "true", "auto"]);
const SOLREF: Kind = real_upto(2);
const SOLIMP: Kind = real_upto(5);

/// A group of attributes, one line per type.
macro_rules! attrs {
    ($($kind:expr => $($name:ident)+;)*) => {
        &[$($(Attr { name: stringify!($name), kind: $kind },)+)*]
    };
}
use attrs;

/// The root of the grammar.
pub(crate) static MUJOCO: Rule = Rule::many(
    "mujoco",
    &[attrs! { TEXT => model; }],
    &[
        &settings::COMPILER,
        &settings::OPTION,
        &settings::SIZE,
        &settings::VISUAL,
        &settings::STATISTIC,
        &settings::DEFAULT,
        &relations::EXTENSION,
        &settings::CUSTOM,
        &settings::ASSET,
        &tree::WORLDBODY,
        &relations::DEFORMABLE,
        &relations::CONTACT,
        &relations::EQUALITY,
        &relations::TENDON,
        &relations::ACTUATOR,
        &relations::SENSOR,
        &relations::KEYFRAME,
        // allowed by MuJoCo and then ignored
        &tree::BODY,
        &tree::FRAME,
        &tree::REPLICATE,
    ],
);

#[cfg(test)]
mod tests;
