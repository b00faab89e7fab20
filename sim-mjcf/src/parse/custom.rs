//! Custom data and keyframes.

use super::Reader;
use crate::number::words;
use crate::spec::{Key, Numeric, Text, Tuple, TupleElement};
use crate::xml::Element;
use sim_types::ObjType;

/// Longest array of custom numbers.
const MAX_NUMERIC: usize = 500;

pub(super) fn custom(reader: &mut Reader<'_>, section: Element<'_>) {
    for element in section.children() {
        match element.name() {
            "numeric" => numeric(reader, element),
            "text" => text(reader, element),
            "tuple" => tuple(reader, element),
            _ => {}
        }
    }
}

pub(super) fn keyframe(reader: &mut Reader<'_>, section: Element<'_>) {
    for element in section.children() {
        let mut key = Key { at: element.at(), ..Key::default() };
        let mut f = reader.fields(element);
        f.get("name", &mut key.name);
        f.get("time", &mut key.time);
        f.get("qpos", &mut key.qpos);
        f.get("qvel", &mut key.qvel);
        f.get("act", &mut key.act);
        f.get("mpos", &mut key.mpos);
        f.get("mquat", &mut key.mquat);
        f.get("ctrl", &mut key.ctrl);
        reader.spec.keys.push(key);
    }
}

fn numeric(reader: &mut Reader<'_>, element: Element<'_>) {
    let mut record = Numeric { at: element.at(), ..Numeric::default() };
    let mut f = reader.fields(element);
    f.get("name", &mut record.name);
    f.maybe("size", &mut record.size);
    f.get("data", &mut record.data);
    let given = record.data.len();
    let size = record.size.map_or(given, |size| usize::try_from(size).unwrap_or(0));
    if !(1..=MAX_NUMERIC).contains(&size) {
        f.refuse(&format!("it must hold between 1 and {MAX_NUMERIC} numbers, by its size or its data"));
    } else if given > size {
        f.wrong("data", format!("at most {size} numbers, as size says, found {given}"));
    }
    reader.spec.numerics.push(record);
}

fn text(reader: &mut Reader<'_>, element: Element<'_>) {
    let mut record = Text { at: element.at(), ..Text::default() };
    let mut f = reader.fields(element);
    f.get("name", &mut record.name);
    f.get("data", &mut record.data);
    if record.data.is_empty() {
        f.wrong("data", "a text that is not empty");
    }
    reader.spec.texts.push(record);
}

fn tuple(reader: &mut Reader<'_>, element: Element<'_>) {
    let mut record = Tuple { at: element.at(), ..Tuple::default() };
    reader.fields(element).get("name", &mut record.name);
    let mut names: Vec<&str> = Vec::new();
    for object in element.children() {
        let mut entry = TupleElement { at: object.at(), ..TupleElement::default() };
        let mut f = reader.fields(object);
        match object.attribute("objtype").and_then(object_type) {
            Some(kind) => entry.objtype = kind,
            None => {
                f.wrong("objtype", "a kind of object: body, joint, geom, site, …");
            }
        }
        names.extend(words(object.attribute("objname").unwrap_or_default()));
        f.get("prm", &mut entry.prm);
        record.elements.push(entry);
    }

    // MuJoCo writes all names into one text and splits it at blanks
    if names.len() == record.elements.len() {
        for (entry, name) in record.elements.iter_mut().zip(names) {
            name.clone_into(&mut entry.objname);
        }
    } else {
        reader.fields(element).refuse("every element needs one objname, without blanks");
    }
    reader.spec.tuples.push(record);
}

/// Words for kinds of objects, in the order of their numbers from 1.
const OBJECTS: [&str; 25] = [
    "body", "xbody", "joint", "dof", "geom", "site", "camera", "light", "flex", "mesh", "skin", "hfield", "texture",
    "material", "pair", "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key",
    "plugin",
];

/// The kind of object that a word stands for.
pub(super) fn object_type(word: &str) -> Option<ObjType> {
    let index = OBJECTS.iter().position(|w| *w == word)?;
    ObjType::from_number(index as i32 + 1)
}

/// The word for a kind of object.
pub(crate) fn object_word(kind: ObjType) -> &'static str {
    let index = usize::try_from(kind as i32 - 1).unwrap_or(usize::MAX);
    OBJECTS.get(index).copied().unwrap_or("unknown")
}
