//! Tendons.

use super::Reader;
use crate::attr::Fields;
use crate::error::Problems;
use crate::keywords;
use crate::number::words;
use crate::spec::{PathObject, Spec, Tendon, Wrap};
use crate::xml::Element;

pub(super) fn tendons(reader: &mut Reader<'_>, section: Element<'_>) {
    for element in section.children() {
        let class = reader.class(element, "class").unwrap_or(Spec::MAIN);
        let start = reader.spec.defaults.get(class).map(|d| d.tendon.clone()).unwrap_or_default();
        let mut record = Tendon { class, at: element.at(), ..start };
        tendon(element, &mut record, reader.problems);
        record.path = element.children().map(|object| wrap(object, reader.problems)).collect();
        reader.spec.tendons.push(record);
    }
}

/// Reads the attributes of a tendon, or of a class's tendons.
pub(crate) fn tendon(element: Element<'_>, tendon: &mut Tendon, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("name", &mut tendon.name);
    f.get("group", &mut tendon.group);
    f.get("material", &mut tendon.material);
    f.key("limited", &mut tendon.limited, &keywords::LIMITED);
    f.key("actuatorfrclimited", &mut tendon.actfrclimited, &keywords::LIMITED);
    f.get("width", &mut tendon.width);
    f.overlay("solreflimit", &mut tendon.solref_limit);
    f.overlay("solimplimit", &mut tendon.solimp_limit);
    f.overlay("solreffriction", &mut tendon.solref_friction);
    f.overlay("solimpfriction", &mut tendon.solimp_friction);
    f.get("range", &mut tendon.range);
    f.get("actuatorfrcrange", &mut tendon.actfrcrange);
    f.get("margin", &mut tendon.margin);
    f.get("stiffness", &mut tendon.stiffness);
    f.get("damping", &mut tendon.damping);
    f.get("armature", &mut tendon.armature);
    f.get("frictionloss", &mut tendon.frictionloss);
    f.overlay("springlength", &mut tendon.springlength);
    if words(element.attribute("springlength").unwrap_or_default()).count() == 1 {
        // one number stands for both
        tendon.springlength[1] = tendon.springlength[0];
    }
    f.get("rgba", &mut tendon.rgba);
    f.get("user", &mut tendon.user);
}

/// Reads one object of the path.
fn wrap(element: Element<'_>, problems: &mut Problems) -> Wrap {
    let mut f = Fields::new(element, problems);
    let (mut name, mut side, mut number) = (String::new(), String::new(), 0.0);
    let object = match element.name() {
        "joint" => {
            f.get("joint", &mut name);
            f.get("coef", &mut number);
            PathObject::Joint { joint: name, coef: number }
        }
        "site" => {
            f.get("site", &mut name);
            PathObject::Site { site: name }
        }
        "geom" => {
            f.get("geom", &mut name);
            f.get("sidesite", &mut side);
            PathObject::Geom { geom: name, sidesite: side }
        }
        _ => {
            f.get("divisor", &mut number);
            PathObject::Pulley { divisor: number }
        }
    };
    Wrap { object, at: element.at() }
}
