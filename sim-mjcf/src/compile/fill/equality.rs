//! Equality constraints; what they leave to the reference pose is filled in later.

use super::super::names;
use super::each;
use crate::error::Problems;
use crate::spec::{Equality, Spec};
use sim_core::Model;
use sim_types::{EqType, JointType, ObjType, OptId};

/// Arrays of equality constraints. Tendons must be there already.
#[doc(alias = "mjCEquality::Compile")]
pub(super) fn equalities(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    let list = &spec.equalities;
    for e in list {
        let [first, second] = objects(e, m, problems);
        m.eq_obj1id.push(OptId::from(first));
        m.eq_obj2id.push(OptId::from(second));
        m.nemax += match e.r#type {
            EqType::Connect => 3,
            EqType::Weld => 7,
            _ => 1,
        };
    }
    m.neq = list.len();
    m.eq_type = each(list, |e| e.r#type);
    m.eq_objtype = each(list, |e| e.objtype);
    m.eq_active0 = each(list, |e| e.active);
    m.eq_solref = each(list, |e| e.solref);
    m.eq_solimp = each(list, |e| e.solimp);
    m.eq_data = each(list, |e| e.data);
}

/// The two objects of a constraint; what is wrong with them is noted.
fn objects(e: &Equality, m: &Model, problems: &mut Problems) -> [Option<usize>; 2] {
    let kind = match (e.r#type, e.objtype) {
        (EqType::Connect | EqType::Weld, ObjType::Body) => (ObjType::Body, "body"),
        (EqType::Connect | EqType::Weld, ObjType::Site) => (ObjType::Site, "site"),
        (EqType::Joint, _) => (ObjType::Joint, "joint"),
        (EqType::Tendon, _) => (ObjType::Tendon, "tendon"),
        (EqType::Flex | EqType::FlexVert, _) => return [flex(e, m, problems), None],
        _ => {
            let message =
                "only connect and weld between bodies or sites, joint, tendon and flex constraints can be built";
            problems.invalid(&e.at, word(e.r#type), &e.name, message);
            return [None; 2];
        }
    };
    let first = names::resolve(&m.names, kind, &e.name1, &e.at, problems);
    let second = match (e.name2.as_str(), kind.0) {
        ("", ObjType::Body) => Some(Spec::WORLD),
        ("", ObjType::Site) => {
            problems.invalid(&e.at, word(e.r#type), &e.name, "it needs two sites");
            None
        }
        ("", _) => None,
        (name, _) => names::resolve(&m.names, kind, name, &e.at, problems),
    };
    if first.is_some() && first == second {
        problems.invalid(
            &e.at,
            word(e.r#type),
            &e.name,
            format!("the two objects must differ, and both are '{}'", e.name1),
        );
    }
    if e.r#type == EqType::Joint {
        let scalar = |id: &usize| matches!(m.jnt_type[*id], JointType::Hinge | JointType::Slide);
        if !first.iter().chain(&second).all(scalar) {
            problems.invalid(&e.at, "joint", &e.name, "only hinge and slide joints can be constrained");
        }
    }
    [first, second]
}

/// The flex that a constraint holds.
fn flex(e: &Equality, m: &Model, problems: &mut Problems) -> Option<usize> {
    let flex = names::resolve(&m.names, (ObjType::Flex, "flex"), &e.name1, &e.at, problems)?;
    if m.flex_rigid.get(flex).copied().unwrap_or(false) {
        problems.invalid(&e.at, word(e.r#type), &e.name, format!("flex '{}' is rigid and cannot be held", e.name1));
    }
    Some(flex)
}

/// The element of a kind of constraint.
fn word(kind: EqType) -> &'static str {
    match kind {
        EqType::Connect => "connect",
        EqType::Weld => "weld",
        EqType::Joint => "joint",
        EqType::Tendon => "tendon",
        EqType::Flex => "flex",
        EqType::FlexVert => "flexvert",
        EqType::Distance => "equality",
    }
}
