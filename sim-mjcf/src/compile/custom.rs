//! Custom numbers, texts and tuples.

use super::names;
use crate::error::Problems;
use crate::spec::Spec;
use sim_core::Model;
use sim_types::{ObjType, OptId};

/// Largest length of a numeric field.
const MAX_NUMERIC: usize = 500;

/// Fills the arrays of custom data; all names must be in the model already.
pub(super) fn fill(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    numerics(spec, m, problems);
    texts(spec, m, problems);
    tuples(spec, m, problems);
}

fn numerics(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    for n in &spec.numerics {
        let size = n.size.map_or(n.data.len(), |size| usize::try_from(size).unwrap_or(0));
        if size == 0 || size > MAX_NUMERIC {
            problems.invalid(&n.at, "numeric", &n.name, format!("the size must be between 1 and {MAX_NUMERIC}"));
        } else if size < n.data.len() {
            let message = format!("size {size} is smaller than the {} numbers given", n.data.len());
            problems.invalid(&n.at, "numeric", &n.name, message);
        } else {
            m.numeric_adr.push(m.numeric_data.len() as u32);
            m.numeric_size.push(size as u32);
            m.numeric_data.extend(n.data.iter().copied().chain(std::iter::repeat(0.0)).take(size));
        }
    }
    (m.nnumeric, m.nnumericdata) = (m.numeric_adr.len(), m.numeric_data.len());
}

fn texts(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    for t in &spec.texts {
        if t.data.is_empty() {
            problems.invalid(&t.at, "text", &t.name, "the text cannot be empty");
            continue;
        }
        m.text_adr.push(m.text_data.len() as u32);
        m.text_size.push(t.data.len() as u32 + 1);
        m.text_data.extend(t.data.bytes().chain([0]));
    }
    (m.ntext, m.ntextdata) = (m.text_adr.len(), m.text_data.len());
}

fn tuples(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    for t in &spec.tuples {
        if t.elements.is_empty() {
            problems.invalid(&t.at, "tuple", &t.name, "a tuple needs at least one element");
            continue;
        }
        m.tuple_adr.push(m.tuple_objid.len() as u32);
        m.tuple_size.push(t.elements.len() as u32);
        for e in &t.elements {
            // MuJoCo keeps the names of a tuple in one string
            if e.objname.split_ascii_whitespace().count() != 1 {
                problems.invalid(&e.at, "element", &e.objname, "objname must be one word");
                continue;
            }
            let kind = (e.objtype, kind_name(e.objtype));
            let id = names::resolve(&m.names, kind, &e.objname, &e.at, problems);
            m.tuple_objtype.push(e.objtype);
            m.tuple_objid.push(OptId::from(id));
            m.tuple_objprm.push(e.prm);
        }
    }
    (m.ntuple, m.ntupledata) = (m.tuple_adr.len(), m.tuple_objid.len());
}

/// MJCF's word for a kind of object.
pub(super) fn kind_name(kind: ObjType) -> &'static str {
    match kind {
        ObjType::Body | ObjType::XBody => "body",
        ObjType::Joint | ObjType::Dof => "joint",
        ObjType::Geom => "geom",
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        ObjType::Light => "light",
        ObjType::Material => "material",
        ObjType::Mesh => "mesh",
        ObjType::Hfield => "height field",
        ObjType::Texture => "texture",
        ObjType::Flex => "flex",
        ObjType::Skin => "skin",
        ObjType::Pair => "contact pair",
        ObjType::Exclude => "excluded body pair",
        ObjType::Equality => "equality constraint",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        ObjType::Sensor => "sensor",
        ObjType::Numeric => "numeric",
        ObjType::Text => "text",
        ObjType::Tuple => "tuple",
        ObjType::Key => "keyframe",
        _ => "object of that type",
    }
}
