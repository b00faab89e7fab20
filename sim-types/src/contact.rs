//! One contact point.

use crate::ids::OptId;
use crate::math::{Mat3, Vec3};
use crate::option::{SolImp, SolRef};

/// A contact between two geoms or deformables (`mjContact`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// Distance between the surfaces; negative when they overlap.
    pub dist: f64,
    /// Midpoint between the two surfaces, world frame.
    pub pos: Vec3,
    /// Rows are the axes: normal from the first geom to the second, then two tangents.
    pub frame: Mat3,
    /// The contact enters the solver when `dist` is below this: margin minus gap.
    pub includemargin: f64,
    /// Friction: two tangential, one torsional, two rolling.
    pub friction: [f64; 5],
    /// Reference parameters, normal direction.
    pub solref: SolRef,
    /// Reference parameters, friction directions; zero means the normal's.
    pub solreffriction: SolRef,
    /// Impedance parameters.
    pub solimp: SolImp,
    /// Friction of the regularised cone, set by the constraint stage.
    pub mu: f64,
    /// Number of rows: 1, 3, 4 or 6.
    pub dim: u32,
    /// The two geoms; none on the side of a deformable.
    pub geom: [OptId; 2],
    /// The two deformables; none on the side of a geom.
    pub flex: [OptId; 2],
    /// Elements of the deformables.
    pub elem: [OptId; 2],
    /// Vertices of the deformables.
    pub vert: [OptId; 2],
    /// Why the contact is left out of the solver; 0 when it is in.
    pub exclude: u32,
    /// First constraint row of this contact, when it has any.
    pub efc_address: OptId,
}
