//! A compiled model as a flat spec: what the compiler decided, so that compiling it again changes nothing.

mod assets;
mod relations;
mod tree;

use crate::spec::{Limited, Size, Spec, StatisticOverride};
use sim_core::{Model, ModelError};
use sim_types::ObjType;
use thiserror::Error;

/// Why a model cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Its arrays contradict each other.
    #[error("the model is inconsistent: {0}")]
    Inconsistent(#[from] ModelError),
    /// Something refers to an object, which MJCF does by name, and it has none.
    #[error("{user} refers to {kind} {id}, which does not exist or has no name: give it one")]
    Unnamed {
        /// Kind of the object.
        kind: String,
        /// Index of the object.
        id: usize,
        /// What refers to it.
        user: String,
    },
    /// It has something that is not kept as it was written.
    #[error("a compiled model does not keep how its {what} were given: use the spec that it was compiled from")]
    NeedsSpec {
        /// What is not kept.
        what: String,
    },
    /// It has something that no element of MJCF says.
    #[error("MJCF cannot say {what}")]
    NotInMjcf {
        /// What it is.
        what: String,
    },
    /// The model and the spec do not belong together.
    #[error("the model was not compiled from this spec: {what}")]
    OtherSpec {
        /// What does not fit.
        what: String,
    },
}

/// A compiled model as MJCF: angles in radians, every element with its final values.
///
/// Compiling the text again gives the same model. What a model does not keep cannot be written: frames, default
/// classes, compiler settings, how masses were given (bodies get explicit inertias), and the memory that MuJoCo
/// reserves. Textures and skins, which only viewers use, are left out. A model with meshes or deformables is an error:
/// [`Spec::flattened`] takes them from the spec.
///
/// ```
/// let xml = "<mujoco><worldbody><body euler='0 0 90'><freejoint/><geom size='1'/></body></worldbody></mujoco>";
/// let model = sim_mjcf::load_model(xml)?;
/// let flat = sim_mjcf::model_to_mjcf(&model).unwrap();
/// assert_eq!(sim_mjcf::load_model(&flat)?, model);
/// # Ok::<(), sim_mjcf::MjcfError>(())
/// ```
pub fn model_to_mjcf(model: &Model) -> Result<String, WriteError> {
    let what = if model.assets.nmesh > 0 {
        "meshes"
    } else if model.nflex > 0 {
        "deformables"
    } else {
        return Ok(from_model(model)?.to_xml());
    };
    Err(WriteError::NeedsSpec { what: what.to_owned() })
}

impl Spec {
    /// What the compiler made of this spec, as a spec without frames, classes and angles in degrees.
    ///
    /// `model` must be the result of compiling this spec. Assets, sizes and statistics are those of the spec, everything
    /// else comes from the model.
    pub fn flattened(&self, model: &Model) -> Result<Self, WriteError> {
        // `flexcomp` puts nodes anywhere in their bodies, `flex` only at their origins
        if let Some(node) = model.flex_node.iter().position(|pos| pos.norm() > 0.0) {
            let flex =
                (0..model.nflex).rfind(|f| model.flex_nodeadr[*f] as usize <= node && model.flex_nodenum[*f] > 0);
            let name = flex.map(|f| name(model, ObjType::Flex, f)).unwrap_or_default();
            return Err(WriteError::NotInMjcf {
                what: format!("where the nodes of flex '{name}' are in their bodies"),
            });
        }
        let mut flat = from_model(model)?;
        // files of attached parts are found from where those were
        flat.dir.clone_from(&self.dir);
        flat.origins.clone_from(&self.origins);
        flat.statistic = self.statistic.clone();
        flat.compiler.meshdir.clone_from(&self.compiler.meshdir);
        flat.compiler.texturedir.clone_from(&self.compiler.texturedir);
        flat.compiler.strippath = self.compiler.strippath;
        flat.compiler.usethread = self.compiler.usethread;
        // texture coordinates of meshes are dropped with what is for show
        flat.compiler.discardvisual = self.compiler.discardvisual;
        flat.size = Size { memory: self.size.memory, nstack: self.size.nstack, ..flat.size };
        assets::take(&mut flat, self, model)?;
        Ok(flat)
    }
}

/// The flat spec of a model.
fn from_model(m: &Model) -> Result<Spec, WriteError> {
    m.check()?;
    let mut spec = Spec { model_name: m.modelname.clone(), ..Spec::default() };
    spec.compiler.degree = false;
    spec.option = m.opt.clone();
    spec.visual = m.vis.clone();
    spec.size = size(m);
    spec.statistic = StatisticOverride {
        meaninertia: Some(m.stat.meaninertia),
        meanmass: Some(m.stat.meanmass),
        meansize: Some(m.stat.meansize),
        extent: Some(m.stat.extent),
        center: Some(m.stat.center.into()),
    };
    assets::fill(&mut spec, m);
    tree::fill(&mut spec, m)?;
    relations::fill(&mut spec, m)?;
    Ok(spec)
}

fn size(m: &Model) -> Size {
    let some = |n: usize| Some(n).filter(|n| *n > 0).and_then(|n| i32::try_from(n).ok());
    let legacy = |n: i64| i32::try_from(n).ok().filter(|n| *n != -1);
    Size {
        njmax: legacy(m.njmax),
        nconmax: legacy(m.nconmax),
        nuserdata: i32::try_from(m.nuserdata).unwrap_or(i32::MAX),
        nuser_body: some(m.nuser_body),
        nuser_jnt: some(m.nuser_jnt),
        nuser_geom: some(m.nuser_geom),
        nuser_site: some(m.nuser_site),
        nuser_cam: some(m.nuser_cam),
        nuser_tendon: some(m.nuser_tendon),
        nuser_actuator: some(m.nuser_actuator),
        nuser_sensor: some(m.nuser_sensor),
        ..Size::default()
    }
}

/// Name of an object, which may be empty.
fn name(m: &Model, kind: ObjType, id: usize) -> String {
    m.names.name(kind, id).unwrap_or_default().to_owned()
}

/// Name of an object that something refers to.
fn reference(m: &Model, kind: ObjType, id: usize, user: &str) -> Result<String, WriteError> {
    // names of both kinds of body are in one list
    let list = if kind == ObjType::XBody { ObjType::Body } else { kind };
    match m.names.name(list, id) {
        Some(name) if !name.is_empty() => Ok(name.to_owned()),
        _ => {
            let kind = crate::parse::object_word(kind).to_owned();
            Err(WriteError::Unnamed { kind, id, user: user.to_owned() })
        }
    }
}

/// User numbers of one object, without the zeros at their end.
fn user(all: &[f64], i: usize, n: usize) -> Vec<f64> {
    let own = all.get(i * n..(i + 1) * n).unwrap_or_default();
    let used = own.iter().rposition(|x| x.to_bits() != 0).map_or(0, |last| last + 1);
    own[..used].to_vec()
}

/// How to say whether a range is enforced; nothing needs to be said when the range itself does.
fn limited(flag: bool, range: [f64; 2]) -> Limited {
    if flag == (range[0] < range[1]) {
        Limited::Auto
    } else if flag {
        Limited::True
    } else {
        Limited::False
    }
}
