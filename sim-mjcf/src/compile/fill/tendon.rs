//! Tendons: paths that make sense, limits decided.

use super::super::joint::is_limited;
use super::super::names;
use super::objects::material;
use super::{each, user};
use crate::error::Problems;
use crate::spec::{Compiler, PathObject, Spec, Tendon, Wrap};
use sim_core::Model;
use sim_types::{GeomType, ObjType, OptId, WrapType};

/// Arrays of tendons and of the objects on their paths. Geoms and sites must be there already.
#[doc(alias = "mjCTendon::Compile")]
pub(super) fn tendons(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    let list = &spec.tendons;
    for t in list {
        let path: Vec<Step> = t.path.iter().filter_map(|wrap| step(wrap, m, problems)).collect();
        let done = if path.len() == t.path.len() { check_path(t, &path) } else { Ok(()) };
        let limits = done.and_then(|()| limits(t, spec.compiler_of(t.origin)));
        let (limited, forcelimited) = limits.unwrap_or_else(|message| {
            problems.invalid(&t.at, "tendon", &t.name, message);
            (false, false)
        });
        m.tendon_limited.push(limited);
        m.tendon_actfrclimited.push(forcelimited);
        m.tendon_adr.push(m.wrap_type.len() as u32);
        m.tendon_num.push(path.len() as u32);
        for (kind, id, number) in path {
            m.wrap_type.push(kind);
            m.wrap_objid.push(id);
            m.wrap_prm.push(number);
        }
        let name = if spec.compiler.discardvisual { "" } else { &t.material };
        let material = material(m, name, &t.at, problems);
        m.tendon_matid.push(material);
    }
    (m.ntendon, m.nwrap) = (list.len(), m.wrap_type.len());
    m.tendon_group = each(list, |t| t.group);
    m.tendon_width = each(list, |t| t.width);
    m.tendon_solref_lim = each(list, |t| t.solref_limit);
    m.tendon_solimp_lim = each(list, |t| t.solimp_limit);
    m.tendon_solref_fri = each(list, |t| t.solref_friction);
    m.tendon_solimp_fri = each(list, |t| t.solimp_friction);
    m.tendon_range = each(list, |t| t.range);
    m.tendon_actfrcrange = each(list, |t| t.actfrcrange);
    m.tendon_margin = each(list, |t| t.margin);
    m.tendon_stiffness = each(list, |t| t.stiffness);
    m.tendon_damping = each(list, |t| t.damping);
    m.tendon_armature = each(list, |t| t.armature);
    m.tendon_frictionloss = each(list, |t| t.frictionloss);
    m.tendon_lengthspring = each(list, |t| t.springlength);
    m.tendon_user = user(list.iter().map(|t| &t.user), m.nuser_tendon);
    m.tendon_rgba = each(list, |t| t.rgba);
    derived(m);
}

/// Room for what follows from the path and the reference pose.
fn derived(m: &mut Model) {
    m.ten_J_rownnz = vec![0; m.ntendon];
    m.ten_J_rowadr = vec![0; m.ntendon];
    m.tendon_treenum = vec![0; m.ntendon];
    m.tendon_treeid = vec![[OptId::NONE; 2]; m.ntendon];
    m.tendon_length0 = vec![0.0; m.ntendon];
    m.tendon_invweight0 = vec![0.0; m.ntendon];
}

/// Kind, id and number of a path object.
type Step = (WrapType, OptId, f64);

/// Finds a path object; a name that does not exist or a wrong shape is noted.
fn step(wrap: &Wrap, m: &Model, problems: &mut Problems) -> Option<Step> {
    let mut find = |kind, name: &str| names::resolve(&m.names, kind, name, &wrap.at, problems);
    Some(match &wrap.object {
        PathObject::Joint { joint, coef } => {
            (WrapType::Joint, OptId::some(find((ObjType::Joint, "joint"), joint)?), *coef)
        }
        PathObject::Site { site } => (WrapType::Site, OptId::some(find((ObjType::Site, "site"), site)?), 0.0),
        PathObject::Geom { geom, sidesite } => {
            let id = find((ObjType::Geom, "geom"), geom)?;
            let side = if sidesite.is_empty() { -1.0 } else { find((ObjType::Site, "site"), sidesite)? as f64 };
            let kind = match m.geom_type[id] {
                GeomType::Sphere => WrapType::Sphere,
                GeomType::Cylinder => WrapType::Cylinder,
                _ => {
                    let message = format!("a tendon wraps around a sphere or a cylinder, and '{geom}' is neither");
                    problems.invalid(&wrap.at, "geom", "", message);
                    return None;
                }
            };
            (kind, OptId::some(id), side)
        }
        PathObject::Pulley { divisor } => {
            if *divisor < 0.0 {
                problems.invalid(&wrap.at, "pulley", "", "divisor cannot be negative");
                return None;
            }
            (WrapType::Pulley, OptId::NONE, *divisor)
        }
    })
}

/// The rules of a path whose objects all exist.
fn check_path(t: &Tendon, path: &[Step]) -> Result<(), String> {
    let Some(first) = path.first() else { return Err("its path is empty".to_owned()) };
    if first.0 == WrapType::Joint {
        return match path.iter().position(|step| step.0 != WrapType::Joint) {
            Some(i) => Err(format!("path object {i} is no joint, but the path starts as one of joints")),
            None => Ok(()),
        };
    }
    if path.len() < 2 {
        return Err("the path of a spatial tendon needs at least two objects".to_owned());
    }
    if t.width <= 0.0 {
        return Err("width must be positive".to_owned());
    }
    if t.armature < 0.0 {
        return Err("armature cannot be negative".to_owned());
    }
    let kind = |i: usize| path.get(i).map(|step| step.0);
    let is_end = |kind: Option<WrapType>| matches!(kind, None | Some(WrapType::Pulley));
    for (i, step) in path.iter().enumerate() {
        let before = i.checked_sub(1).and_then(kind);
        let after = kind(i + 1);
        let problem = match step.0 {
            WrapType::Pulley if before == Some(WrapType::Pulley) => "is a pulley right after a pulley",
            WrapType::Pulley if after.is_none() => "is a pulley, and the path cannot end with one",
            WrapType::Site if is_end(before) && is_end(after) => "is a site without a neighbour that is not a pulley",
            WrapType::Site if after == Some(WrapType::Site) && path[i + 1].1 == step.1 => "is repeated",
            WrapType::Sphere | WrapType::Cylinder
                if before != Some(WrapType::Site) || after != Some(WrapType::Site) =>
            {
                "is a geom that does not stand between two sites"
            }
            WrapType::Sphere | WrapType::Cylinder if t.armature > 0.0 => {
                "is a geom, and a tendon with armature cannot wrap around geoms"
            }
            WrapType::Joint => "is a joint, which a spatial tendon cannot have",
            _ => continue,
        };
        return Err(format!("path object {i} {problem}"));
    }
    Ok(())
}

/// Whether length and actuator force are limited.
fn limits(t: &Tendon, compiler: &Compiler) -> Result<(bool, bool), String> {
    let limited = is_limited(t.limited, t.range, compiler, "range", "limited")?;
    if limited && t.range[0] >= t.range[1] {
        return Err("the first number of range must be smaller than the second".to_owned());
    }
    let [low, high] = t.actfrcrange;
    let force = is_limited(t.actfrclimited, t.actfrcrange, compiler, "actuatorfrcrange", "actuatorfrclimited")?;
    if force && (low >= high || low > 0.0 || high < 0.0) {
        return Err("actuatorfrcrange must be a range that contains 0".to_owned());
    }
    if t.springlength[0] > t.springlength[1] {
        return Err("the first number of springlength cannot be larger than the second".to_owned());
    }
    Ok((limited, force))
}
