//! Joints.

use crate::attr::Fields;
use crate::error::Problems;
use crate::keywords;
use crate::spec::Joint;
use crate::xml::Element;

/// Reads the attributes of a joint, or of a class's joints.
pub(crate) fn joint(element: Element<'_>, joint: &mut Joint, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("name", &mut joint.name);
    f.key("type", &mut joint.r#type, &keywords::JOINT);
    f.key("limited", &mut joint.limited, &keywords::LIMITED);
    f.key("actuatorfrclimited", &mut joint.actfrclimited, &keywords::LIMITED);
    f.get("group", &mut joint.group);
    f.overlay("solreflimit", &mut joint.solref_limit);
    f.overlay("solimplimit", &mut joint.solimp_limit);
    f.overlay("solreffriction", &mut joint.solref_friction);
    f.overlay("solimpfriction", &mut joint.solimp_friction);
    f.get("pos", &mut joint.pos);
    f.get("axis", &mut joint.axis);
    f.get("springdamper", &mut joint.springdamper);
    f.get("stiffness", &mut joint.stiffness);
    f.get("range", &mut joint.range);
    f.get("actuatorfrcrange", &mut joint.actfrcrange);
    f.get("margin", &mut joint.margin);
    f.get("ref", &mut joint.r#ref);
    f.get("springref", &mut joint.springref);
    f.get("armature", &mut joint.armature);
    f.get("damping", &mut joint.damping);
    f.get("frictionloss", &mut joint.frictionloss);
    f.get("actuatorgravcomp", &mut joint.actgravcomp);
    f.get("user", &mut joint.user);
}

/// Reads a `freejoint`, which takes no defaults.
pub(super) fn freejoint(element: Element<'_>, joint: &mut Joint, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("name", &mut joint.name);
    f.get("group", &mut joint.group);
    f.key("align", &mut joint.align, &keywords::ALIGN);
}
