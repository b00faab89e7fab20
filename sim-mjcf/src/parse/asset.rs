//! Materials and textures.

use super::Reader;
use crate::attr::Fields;
use crate::error::{MjcfErrorKind, Problems};
use crate::keywords;
use crate::schema::nearest;
use crate::spec::{Material, Spec, Texture};
use crate::xml::Element;
use std::collections::HashSet;

/// Slots for the textures of a material: one per role and one that is not used.
const ROLES: usize = keywords::TEXTURE_ROLE.len() + 1;

/// Slot of the texture that `texture=` names.
const RGB: usize = 1;

pub(super) fn asset(reader: &mut Reader<'_>, section: Element<'_>) {
    for element in section.children() {
        match element.name() {
            "texture" => texture(reader, element),
            "material" => {
                let class = reader.class(element, "class").unwrap_or(Spec::MAIN);
                let start = reader.spec.defaults.get(class).map(|d| d.material.clone()).unwrap_or_default();
                let mut record = Material { class, at: element.at(), ..start };
                material(element, &mut record, reader.problems);
                reader.spec.materials.push(record);
            }
            _ => reader.unsupported(element),
        }
    }
}

/// Notes textures that are used but not defined. With `discardvisual` no texture exists, and no material asks for one.
pub(super) fn check_textures(spec: &Spec, problems: &mut Problems) {
    let discard = spec.compiler.discardvisual;
    let defined: HashSet<&str> = spec.textures.iter().filter(|_| !discard).map(|t| t.name.as_str()).collect();
    let of_materials = spec.materials.iter().filter(|_| !discard).flat_map(|m| m.textures.iter().map(|t| (t, &m.at)));
    let of_lights = spec.lights.iter().map(|l| (&l.texture, &l.at));
    for (name, at) in of_materials.chain(of_lights) {
        if !name.is_empty() && !defined.contains(name.as_str()) {
            let suggestion = nearest(name, spec.textures.iter().map(|t| t.name.as_str()));
            problems.push(at, MjcfErrorKind::UndefinedName { kind: "texture".into(), name: name.clone(), suggestion });
        }
    }
}

/// Reads the attributes of a material, or of a class's materials.
pub(crate) fn material(element: Element<'_>, material: &mut Material, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("name", &mut material.name);
    material.textures.resize(ROLES, String::new());
    let named = f.get("texture", &mut material.textures[RGB]);
    for layer in element.children() {
        let mut f = Fields::new(layer, f.problems);
        if named {
            f.refuse("layers cannot be used together with the material's attribute texture");
        }
        let mut role = RGB;
        if f.key("role", &mut role, &keywords::TEXTURE_ROLE) {
            f.get("texture", &mut material.textures[role]);
        }
    }
    f.get("texuniform", &mut material.texuniform);
    f.get("texrepeat", &mut material.texrepeat);
    f.get("emission", &mut material.emission);
    f.get("specular", &mut material.specular);
    f.get("shininess", &mut material.shininess);
    f.get("reflectance", &mut material.reflectance);
    f.get("metallic", &mut material.metallic);
    f.get("roughness", &mut material.roughness);
    f.get("rgba", &mut material.rgba);
}

fn texture(reader: &mut Reader<'_>, element: Element<'_>) {
    let mut t = Texture { at: element.at(), ..Texture::default() };
    let mut f = reader.fields(element);
    f.key("type", &mut t.r#type, &keywords::TEXTURE);
    f.key("colorspace", &mut t.colorspace, &keywords::COLORSPACE);
    f.get("name", &mut t.name);
    f.get("content_type", &mut t.content_type);
    f.get("file", &mut t.file);
    f.get("width", &mut t.width);
    f.get("height", &mut t.height);
    f.get("nchannel", &mut t.nchannel);
    f.get("rgb1", &mut t.rgb1);
    f.get("rgb2", &mut t.rgb2);
    f.get("markrgb", &mut t.markrgb);
    f.get("random", &mut t.random);
    f.key("builtin", &mut t.builtin, &keywords::BUILTIN);
    f.key("mark", &mut t.mark, &keywords::MARK);
    f.get("hflip", &mut t.hflip);
    f.get("vflip", &mut t.vflip);

    // one letter per cell of the grid, the cells that are not named stay empty
    f.get("gridsize", &mut t.gridsize);
    let mut layout = String::new();
    if f.get("gridlayout", &mut layout) {
        let cells = i64::from(t.gridsize[0]) * i64::from(t.gridsize[1]);
        if layout.len() > 12 || layout.len() as i64 != cells {
            f.wrong("gridlayout", format!("one letter per cell of gridsize, {cells}, and at most 12"));
        } else if layout.is_ascii() {
            t.gridlayout.replace_range(..layout.len(), &layout);
        }
    }
    for (name, file) in
        ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"].into_iter().zip(&mut t.cubefiles)
    {
        f.get(name, file);
    }
    reader.spec.textures.push(t);
}
