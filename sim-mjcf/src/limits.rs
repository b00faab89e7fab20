//! How much a model may ask for before it is refused: a few bytes of XML can describe more than a machine holds.

/// Budgets of loading. The defaults are far above any real model; passing one is an error that names the element.
///
/// ```
/// use sim_mjcf::{LoadOptions, Limits, Memory, load_with};
///
/// let xml = "<mujoco><worldbody><body/><body/></worldbody></mujoco>";
/// let options = LoadOptions { limits: Limits { bodies: 2, ..Limits::default() }, ..LoadOptions::default() };
/// assert!(load_with(&Memory::from([("m.xml", xml)]), "m.xml", options).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bodies of the model, the world included. MuJoCo's own limit for bodies and flexes together is 65533.
    pub bodies: usize,
    /// Elements of the spec of all kinds, after `replicate`, `attach`, `composite` and `flexcomp`.
    pub elements: usize,
    /// Vertices of all meshes, skins and flexes.
    pub vertices: usize,
    /// Pixels of all textures and elevations of all height fields.
    pub pixels: usize,
    /// Bytes of the compiled model and of one state for it.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bodies: 65_533, elements: 1_000_000, vertices: 1 << 25, pixels: 1 << 28, memory: 2 << 30 }
    }
}
