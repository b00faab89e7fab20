//! Deformables and skins, as written.

use super::{Reader, asset};
use crate::attr::Fields;
use crate::keywords;
use crate::number::words;
use crate::spec::{Bone, Flex, Skin};
use crate::xml::Element;

pub(super) fn deformable(reader: &mut Reader<'_>, section: Element<'_>) {
    for element in section.children() {
        match element.name() {
            "flex" => flex(reader, element),
            "skin" => skin(reader, element),
            _ => reader.unsupported(element),
        }
    }
}

/// Reads a skin, here or among the assets.
pub(super) fn skin(reader: &mut Reader<'_>, element: Element<'_>) {
    let file = asset::file(reader, element, "file", &reader.spec.compiler.meshdir).unwrap_or_default();
    let mut record = Skin { file, at: element.at(), ..Skin::default() };
    let mut f = reader.fields(element);
    f.get("name", &mut record.name);
    f.get("material", &mut record.material);
    f.get("group", &mut record.group);
    f.get("rgba", &mut record.rgba);
    f.get("inflate", &mut record.inflate);
    f.get("vertex", &mut record.vert);
    f.get("texcoord", &mut record.texcoord);
    f.get("face", &mut record.face);
    if !(0..=5).contains(&record.group) {
        f.refuse("the group of a skin must be between 0 and 5");
    }
    for bone in element.children() {
        let mut f = reader.fields(bone);
        let mut record_bone = Bone::default();
        f.get("body", &mut record_bone.body);
        f.get("bindpos", &mut record_bone.bindpos);
        f.get("bindquat", &mut record_bone.bindquat);
        f.get("vertid", &mut record_bone.vertid);
        f.get("vertweight", &mut record_bone.vertweight);
        record.bones.push(record_bone);
    }
    reader.spec.skins.push(record);
}

/// Reads a flex.
fn flex(reader: &mut Reader<'_>, element: Element<'_>) {
    let mut record = Flex { at: element.at(), ..Flex::default() };
    let mut f = reader.fields(element);
    f.get("name", &mut record.name);
    appearance(&mut f, &mut record);
    f.get("vertex", &mut record.vert);
    f.get("element", &mut record.elem);
    f.get("texcoord", &mut record.texcoord);
    f.get("elemtexcoord", &mut record.elemtexcoord);
    let list = |name: &str| words(element.attribute(name).unwrap_or_default()).map(str::to_owned).collect();
    record.vertbody = list("body");
    record.nodebody = list("node");
    for child in element.children() {
        let mut f = reader.fields(child);
        match child.name() {
            "contact" => contact(&mut f, &mut record),
            "edge" => edge(&mut f, &mut record),
            "elasticity" => elasticity(&mut f, &mut record),
            _ => {}
        }
    }
    passive(reader, element, &mut record);
    reader.spec.flexes.push(record);
}

/// MuJoCo reads `passive` and then overwrites it with the last of `flatskin` and `internal`, if one of them is given.
fn passive(reader: &mut Reader<'_>, element: Element<'_>, record: &mut Flex) {
    let Some(contact) = element.children().find(|c| c.name() == "contact") else { return };
    if contact.attribute("passive").is_none() {
        return;
    }
    let taken = if contact.attribute("internal").is_some() {
        record.internal
    } else if element.attribute("flatskin").is_some() {
        record.flatskin
    } else {
        return;
    };
    if taken != record.passive {
        let message = format!("passive is {taken}, as in MuJoCo, which takes the value of the boolean read before it");
        reader.problems.warn(&contact.attribute_at("passive"), message);
        record.passive = taken;
    }
}

/// Reads what `flex` and `flexcomp` share: appearance and dimension.
pub(super) fn appearance(f: &mut Fields<'_, '_>, record: &mut Flex) {
    f.get("material", &mut record.material);
    f.get("rgba", &mut record.rgba);
    f.get("flatskin", &mut record.flatskin);
    f.get("dim", &mut record.dim);
    f.get("radius", &mut record.radius);
    f.get("group", &mut record.group);
}

/// Reads a `contact` element.
pub(super) fn contact(f: &mut Fields<'_, '_>, record: &mut Flex) {
    f.get("contype", &mut record.contype);
    f.get("conaffinity", &mut record.conaffinity);
    f.get("condim", &mut record.condim);
    f.get("priority", &mut record.priority);
    f.overlay("friction", &mut record.friction);
    f.get("solmix", &mut record.solmix);
    f.overlay("solref", &mut record.solref);
    f.overlay("solimp", &mut record.solimp);
    f.get("margin", &mut record.margin);
    f.get("gap", &mut record.gap);
    f.get("internal", &mut record.internal);
    f.key("selfcollide", &mut record.selfcollide, &keywords::SELF_COLLIDE);
    f.get("vertcollide", &mut record.vertcollide);
    f.get("passive", &mut record.passive);
    f.get("activelayers", &mut record.activelayers);
}

/// Reads an `edge` element.
pub(super) fn edge(f: &mut Fields<'_, '_>, record: &mut Flex) {
    f.get("stiffness", &mut record.edgestiffness);
    f.get("damping", &mut record.edgedamping);
}

/// Reads an `elasticity` element.
pub(super) fn elasticity(f: &mut Fields<'_, '_>, record: &mut Flex) {
    f.get("young", &mut record.young);
    f.get("poisson", &mut record.poisson);
    f.get("damping", &mut record.damping);
    f.get("thickness", &mut record.thickness);
    f.key("elastic2d", &mut record.elastic2d, &keywords::ELASTIC_2D);
}
