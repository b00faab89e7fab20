//! Default classes.

use super::{Actuator, Camera, Equality, Geom, Joint, Light, Material, Mesh, Pair, Site, Tendon};
use crate::error::Location;

record! {
    /// A default class: one record per kind of element (`mjsDefault`).
    ///
    /// An element starts as a clone of its class's record. The records' place, name and body are not used.
    #[doc(alias = "mjsDefault")]
    DefaultClass {
        /// Name.
        name: String = String::new(),
        /// Class it is nested in; absent for `main`.
        parent: Option<usize> = None,
        /// Joints.
        joint: Joint = Joint::default(),
        /// Geoms.
        geom: Geom = Geom::default(),
        /// Sites.
        site: Site = Site::default(),
        /// Cameras.
        camera: Camera = Camera::default(),
        /// Lights.
        light: Light = Light::default(),
        /// Meshes.
        mesh: Mesh = Mesh::default(),
        /// Materials.
        material: Material = Material::default(),
        /// Contact pairs.
        pair: Pair = Pair::default(),
        /// Equality constraints.
        equality: Equality = Equality::default(),
        /// Tendons.
        tendon: Tendon = Tendon::default(),
        /// Actuators, whatever the shortcut.
        actuator: Actuator = Actuator::default(),
        /// Where it was written.
        at: Location = Location::default(),
    }
}

impl DefaultClass {
    /// The root class with MuJoCo's built-in defaults.
    pub fn main() -> Self {
        Self { name: "main".to_owned(), ..Self::default() }
    }
}
