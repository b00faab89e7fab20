//! Deformables.

use crate::error::Location;
use sim_types::option::{SOLIMP_DEFAULT, SOLREF_DEFAULT};
use sim_types::{FlexSelf, SolImp, SolRef};

/// Which forces of a sheet are elastic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "elastic2d")]
pub enum Elastic2d {
    /// None.
    #[default]
    None,
    /// Against bending.
    Bend,
    /// Against stretching.
    Stretch,
    /// Against both.
    Both,
}

impl Elastic2d {
    /// True if bending is elastic.
    pub fn bends(self) -> bool {
        matches!(self, Self::Bend | Self::Both)
    }

    /// True if stretching is elastic.
    pub fn stretches(self) -> bool {
        matches!(self, Self::Stretch | Self::Both)
    }
}

record! {
    /// A deformable: lines, triangles or tetrahedra between vertices that move with bodies (`mjsFlex`).
    #[doc(alias = "mjsFlex")]
    Flex {
        /// Name; empty if it has none.
        name: String = String::new(),
        /// Material; empty for none.
        material: String = String::new(),
        /// Visibility group.
        group: i32 = 0,
        /// Colour when there is no material.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
        /// Whether it is shown with flat shading.
        flatskin: bool = false,
        /// Kind of element: 1 lines, 2 triangles, 3 tetrahedra.
        dim: i32 = 2,
        /// Radius around every element.
        radius: f64 = 0.005,
        /// Body of each vertex; one name for all of them makes the flex rigid.
        vertbody: Vec<String> = Vec::new(),
        /// Bodies of the 8 or 27 nodes that the vertices are interpolated from; empty if they move with their own bodies.
        nodebody: Vec<String> = Vec::new(),
        /// Positions of the vertices in their bodies, three numbers each; empty if all are at the origin.
        vert: Vec<f64> = Vec::new(),
        /// Positions of the nodes in their bodies, three numbers each; empty if all are at the origin.
        node: Vec<f64> = Vec::new(),
        /// Vertices of the elements, `dim` + 1 each.
        elem: Vec<i32> = Vec::new(),
        /// Texture coordinates, two numbers each.
        texcoord: Vec<f32> = Vec::new(),
        /// Texture coordinates of the vertices of the elements; empty to go by vertex.
        elemtexcoord: Vec<i32> = Vec::new(),
        /// Contact types, one bit each.
        contype: i32 = 1,
        /// Contact types it reacts to.
        conaffinity: i32 = 1,
        /// Rows of its contacts: 1, 3, 4 or 6.
        condim: i32 = 3,
        /// Whose contact parameters win.
        priority: i32 = 0,
        /// Friction: sliding, torsional, rolling.
        friction: [f64; 3] = [1.0, 0.005, 0.0001],
        /// Weight when contact parameters are mixed.
        solmix: f64 = 1.0,
        /// Solver reference.
        solref: SolRef = SOLREF_DEFAULT,
        /// Solver impedance.
        solimp: SolImp = SOLIMP_DEFAULT,
        /// Distance at which contacts are created.
        margin: f64 = 0.0,
        /// Distance by which contacts are kept out of the solver.
        gap: f64 = 0.0,
        /// Whether elements collide with the vertices of their neighbours.
        internal: bool = false,
        /// How it is tested against itself.
        selfcollide: FlexSelf = FlexSelf::Auto,
        /// Whether a `flexcomp` gives its vertices sphere geoms.
        vertcollide: bool = false,
        /// Whether contacts act as passive forces.
        passive: bool = false,
        /// Layers of tetrahedra that collide, counted from the surface.
        activelayers: i32 = 1,
        /// Stiffness of edges; lines only.
        edgestiffness: f64 = 0.0,
        /// Damping of edges.
        edgedamping: f64 = 0.0,
        /// Young's modulus.
        young: f64 = 0.0,
        /// Poisson's ratio.
        poisson: f64 = 0.0,
        /// Damping of the elastic force.
        damping: f64 = 0.0,
        /// Thickness of a sheet; negative means "not given".
        thickness: f64 = -1.0,
        /// Elastic forces of a sheet.
        elastic2d: Elastic2d = Elastic2d::None,
        /// Where it was written.
        at: Location = Location::default(),
    }
}
