//! Ids: what arrays store, and what name lookups return.

use std::fmt;

/// An id that may be absent: 4 bytes, −1 inside, as in MuJoCo's arrays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "i32", into = "i32"))]
#[repr(transparent)]
pub struct OptId(i32);

/// A number that is neither an id nor −1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is neither an id nor -1")]
pub struct NotAnId(i32);

impl OptId {
    /// No object.
    pub const NONE: Self = Self(-1);

    /// The object with this id. Ids beyond `i32::MAX` cannot occur: models are refused long before.
    pub const fn some(id: usize) -> Self {
        Self(id as i32)
    }

    /// From MuJoCo's number: negative means none.
    pub const fn from_raw(raw: i32) -> Self {
        if raw < 0 { Self::NONE } else { Self(raw) }
    }

    /// MuJoCo's number: −1 for none.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The id, if there is one.
    #[inline]
    pub const fn get(self) -> Option<usize> {
        if self.0 < 0 { None } else { Some(self.0 as usize) }
    }

    /// True when there is an id.
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 >= 0
    }

    /// True when there is none.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 < 0
    }
}

/// What a file says: one number means none, so that ids can be compared as numbers.
impl TryFrom<i32> for OptId {
    type Error = NotAnId;
    fn try_from(raw: i32) -> Result<Self, NotAnId> {
        if raw < -1 { Err(NotAnId(raw)) } else { Ok(Self(raw)) }
    }
}

impl From<OptId> for i32 {
    fn from(id: OptId) -> Self {
        id.0
    }
}

impl Default for OptId {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<Option<usize>> for OptId {
    fn from(id: Option<usize>) -> Self {
        id.map_or(Self::NONE, Self::some)
    }
}

impl fmt::Debug for OptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

macro_rules! object_ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub usize);
    )*};
}

object_ids! {
    /// A body found by name. Holds a plain index: use `m.body_pos[id.0]`.
    BodyId;
    /// A joint found by name.
    JointId;
    /// A geom found by name.
    GeomId;
    /// A site found by name.
    SiteId;
    /// A camera found by name.
    CameraId;
    /// A keyframe found by name.
    KeyId;
}
