//! Geoms and sites.

use super::Orientation;
use crate::error::Location;
use sim_types::option::{SOLIMP_DEFAULT, SOLREF_DEFAULT};
use sim_types::{GeomType, Quat, SolImp, SolRef, Vec3};

/// Where a geom's mass sits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "mjtGeomInertia")]
pub enum GeomInertia {
    /// In its volume.
    #[default]
    Volume,
    /// On its surface.
    Shell,
}

record! {
    /// A geom: a shape that collides, is seen, and gives its body inertia (`mjsGeom`).
    #[doc(alias = "mjsGeom")]
    Geom {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Body it is fixed to.
        body: usize = 0,
        /// Frame of that body it stands in.
        frame: Option<usize> = None,
        /// Default class.
        class: usize = 0,
        /// Shape.
        r#type: GeomType = GeomType::Sphere,
        /// Position in the body.
        pos: Vec3 = Vec3::zeros(),
        /// Orientation in the body, used when `alt` is absent.
        quat: Quat = Quat::IDENTITY,
        /// Orientation in the body, given another way; beats `quat`.
        alt: Option<Orientation> = None,
        /// The two ends of a capsule, cylinder, box or ellipsoid; replaces position, orientation and length.
        fromto: Option<[f64; 6]> = None,
        /// Sizes; their meaning depends on the shape.
        size: [f64; 3] = [0.0; 3],
        /// Contact type bits.
        contype: i32 = 1,
        /// Bits of the contact types it collides with.
        conaffinity: i32 = 1,
        /// Dimensions of the contact space: 1, 3, 4 or 6.
        condim: i32 = 3,
        /// The geom with the higher priority decides the contact's parameters.
        priority: i32 = 0,
        /// Friction: sliding, torsional, rolling.
        friction: [f64; 3] = [1.0, 0.005, 0.0001],
        /// Weight when parameters of two geoms are mixed.
        solmix: f64 = 1.0,
        /// Solver reference of its contacts.
        solref: SolRef = SOLREF_DEFAULT,
        /// Solver impedance of its contacts.
        solimp: SolImp = SOLIMP_DEFAULT,
        /// Distance at which contacts are found.
        margin: f64 = 0.0,
        /// Contacts further than `margin - gap` are found but inactive.
        gap: f64 = 0.0,
        /// Mass; beats `density`.
        mass: Option<f64> = None,
        /// Density, per volume or per area.
        density: f64 = 1000.0,
        /// Where the mass sits.
        typeinertia: GeomInertia = GeomInertia::Volume,
        /// Whether the ellipsoid fluid model acts on it.
        fluid_ellipsoid: bool = false,
        /// Fluid coefficients: blunt drag, slender drag, angular drag, Kutta lift, Magnus lift.
        fluid_coefs: [f64; 5] = [0.5, 0.25, 1.5, 1.0, 1.0],
        /// Material; empty for none.
        material: String = String::new(),
        /// Colour when there is no material.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
        /// Visibility group; also selects geoms for body inertia.
        group: i32 = 0,
        /// Height field; empty for none.
        hfield: String = String::new(),
        /// Mesh; empty for none.
        mesh: String = String::new(),
        /// Scale when a primitive is fitted to a mesh.
        fitscale: f64 = 1.0,
        /// User numbers.
        user: Vec<f64> = Vec::new(),
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}

record! {
    /// A site: a place of interest on a body (`mjsSite`).
    #[doc(alias = "mjsSite")]
    Site {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Body it is fixed to.
        body: usize = 0,
        /// Frame of that body it stands in.
        frame: Option<usize> = None,
        /// Default class.
        class: usize = 0,
        /// Shape.
        r#type: GeomType = GeomType::Sphere,
        /// Position in the body.
        pos: Vec3 = Vec3::zeros(),
        /// Orientation in the body, used when `alt` is absent.
        quat: Quat = Quat::IDENTITY,
        /// Orientation in the body, given another way; beats `quat`.
        alt: Option<Orientation> = None,
        /// The two ends of a capsule, cylinder, box or ellipsoid; replaces position, orientation and length.
        fromto: Option<[f64; 6]> = None,
        /// Sizes; their meaning depends on the shape.
        size: [f64; 3] = [0.005; 3],
        /// Material; empty for none.
        material: String = String::new(),
        /// Colour when there is no material.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
        /// Visibility group.
        group: i32 = 0,
        /// User numbers.
        user: Vec<f64> = Vec::new(),
        /// Whose compiler settings it is read with; see [`super::Spec::compiler_of`].
        origin: usize = 0,
        /// Where it was written.
        at: Location = Location::default(),
    }
}
