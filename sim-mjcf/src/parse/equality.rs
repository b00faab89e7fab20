//! Equality constraints.

use super::Reader;
use crate::attr::Fields;
use crate::error::Problems;
use crate::spec::{Equality, Spec};
use crate::xml::Element;
use sim_types::{EqType, ObjType};

pub(super) fn equalities(reader: &mut Reader<'_>, section: Element<'_>) {
    for element in section.children() {
        let kind = match element.name() {
            "connect" => EqType::Connect,
            "weld" => EqType::Weld,
            "joint" => EqType::Joint,
            "tendon" => EqType::Tendon,
            "flex" => EqType::Flex,
            "flexvert" => EqType::FlexVert,
            _ => {
                reader.unsupported(element);
                continue;
            }
        };
        let class = reader.class(element, "class").unwrap_or(Spec::MAIN);
        let start = reader.spec.defaults.get(class).map(|d| d.equality.clone()).unwrap_or_default();
        let mut record = Equality { class, r#type: kind, at: element.at(), ..start };
        let mut f = reader.fields(element);
        f.get("name", &mut record.name);
        match kind {
            EqType::Connect | EqType::Weld => between_frames(&mut f, &mut record),
            EqType::Flex | EqType::FlexVert => _ = f.get("flex", &mut record.name1),
            EqType::Joint => polynomial(&mut f, &mut record, ["joint1", "joint2"]),
            _ => polynomial(&mut f, &mut record, ["tendon1", "tendon2"]),
        }
        equality(element, &mut record, reader.problems);
        reader.spec.equalities.push(record);
    }
}

/// Reads what every equality constraint has, which is also what a class can say.
pub(crate) fn equality(element: Element<'_>, equality: &mut Equality, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("active", &mut equality.active);
    f.overlay("solref", &mut equality.solref);
    f.overlay("solimp", &mut equality.solimp);
}

/// Reads a constraint between two bodies or two sites.
fn between_frames(f: &mut Fields<'_, '_>, record: &mut Equality) {
    let (mut bodies, mut sites) = ([None, None], [None, None]);
    f.maybe("body1", &mut bodies[0]);
    f.maybe("body2", &mut bodies[1]);
    f.maybe("site1", &mut sites[0]);
    f.maybe("site2", &mut sites[1]);
    let (mut anchor, mut relpose) = ([0.0; 3], [0.0; 7]);
    let anchored = f.get("anchor", &mut anchor);
    let placed = f.get("relpose", &mut relpose);
    f.get("torquescale", &mut record.data[10]);

    let weld = record.r#type == EqType::Weld;
    let any_site = sites.iter().any(Option::is_some);
    let any_body = anchored || placed || bodies.iter().any(Option::is_some);
    if any_site && any_body {
        return f.refuse(
            "it holds either bodies or sites: site1 and site2 cannot stand next to body1, body2, anchor, relpose",
        );
    }
    match (bodies, sites) {
        ([Some(first), second], _) if weld || anchored => {
            (record.objtype, record.name1, record.name2) = (ObjType::Body, first, second.unwrap_or_default());
            record.data[..3].copy_from_slice(&anchor);
            if placed {
                record.data[3..10].copy_from_slice(&relpose);
            }
        }
        (_, [Some(first), Some(second)]) => {
            (record.objtype, record.name1, record.name2) = (ObjType::Site, first, second);
        }
        _ if weld => f.refuse("give body1 (and if needed body2, anchor, relpose), or site1 and site2"),
        _ => f.refuse("give body1 and anchor (and if needed body2), or site1 and site2"),
    }
}

/// Reads a constraint between two joints or tendons.
fn polynomial(f: &mut Fields<'_, '_>, record: &mut Equality, [first, second]: [&str; 2]) {
    f.get(first, &mut record.name1);
    f.get(second, &mut record.name2);
    f.overlay("polycoef", &mut record.data[..5]);
}
