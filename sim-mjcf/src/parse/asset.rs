//! Meshes, height fields, materials and textures.

use super::Reader;
use crate::attr::Fields;
use crate::error::Problems;
use crate::keywords;
use crate::source;
use crate::spec::{Hfield, Material, Mesh, Spec, Texture};
use crate::xml::Element;

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
            "skin" => super::deformable::skin(reader, element),
            "mesh" => mesh(reader, element),
            "hfield" => hfield(reader, element),
            "model" => super::model::model(reader, element),
            _ => reader.unsupported(element),
        }
    }
}

/// A file of an asset that is looked for in `dir`, a directory seen from the model file.
///
/// A file named by an included model may also stand beside that model; the model's own directory comes first.
#[doc(alias = "mjXUtil::ReadAttrFile")]
pub(super) fn file(reader: &Reader<'_>, element: Element<'_>, attribute: &str, dir: &str) -> Option<String> {
    let file = element.attribute(attribute)?;
    let at = element.at();
    let beside = source::directory(&at.file);
    let main = &reader.spec.dir;
    if source::is_absolute(file) || beside == main {
        return Some(source::reduce(file));
    }
    if reader.context.source.exists(&source::join(main, &source::join(dir, file))) {
        return Some(source::reduce(file));
    }
    Some(source::join(beside.strip_prefix(main.as_str()).unwrap_or(beside), file))
}

/// What a class can say about meshes.
pub(crate) fn mesh_class(element: Element<'_>, mesh: &mut Mesh, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("scale", &mut mesh.scale);
    f.key("inertia", &mut mesh.inertia, &keywords::MESH_INERTIA);
    if f.get("maxhullvert", &mut mesh.maxhullvert) && mesh.maxhullvert != -1 && mesh.maxhullvert < 4 {
        f.wrong("maxhullvert", "4 or more, or −1 for no limit");
    }
}

fn mesh(reader: &mut Reader<'_>, element: Element<'_>) {
    let class = reader.class(element, "class").unwrap_or(Spec::MAIN);
    let start = reader.spec.defaults.get(class).map(|d| d.mesh.clone()).unwrap_or_default();
    let file = file(reader, element, "file", &reader.spec.compiler.meshdir).unwrap_or_default();
    let mut mesh = Mesh { class, file, at: element.at(), ..start };
    mesh_class(element, &mut mesh, reader.problems);
    let mut f = reader.fields(element);
    f.get("name", &mut mesh.name);
    f.get("content_type", &mut mesh.content_type);
    f.get("refpos", &mut mesh.refpos);
    f.get("refquat", &mut mesh.refquat);
    f.get("smoothnormal", &mut mesh.smoothnormal);
    f.get("vertex", &mut mesh.vert);
    f.get("normal", &mut mesh.normal);
    f.get("texcoord", &mut mesh.texcoord);
    f.get("face", &mut mesh.face);
    f.get("material", &mut mesh.material);
    if element.attribute("builtin").is_some() {
        f.maybe_key("builtin", &mut mesh.builtin, &keywords::MESH_BUILTIN);
        if !f.get("params", &mut mesh.params) {
            f.refuse("a builtin mesh needs params");
        }
    }
    if let Some(plugin) = element.children().next() {
        reader.unsupported(plugin);
    }
    named_after_file(&mut mesh.name, &mesh.file);
    reader.spec.meshes.push(mesh);
}

fn hfield(reader: &mut Reader<'_>, element: Element<'_>) {
    let file = file(reader, element, "file", &reader.spec.compiler.meshdir).unwrap_or_default();
    let mut field = Hfield { file, at: element.at(), ..Hfield::default() };
    let mut f = reader.fields(element);
    f.get("name", &mut field.name);
    f.get("content_type", &mut field.content_type);
    f.get("size", &mut field.size);
    if field.file.is_empty() {
        f.get("nrow", &mut field.nrow);
        f.get("ncol", &mut field.ncol);
        f.get("elevation", &mut field.elevation);
    }
    named_after_file(&mut field.name, &field.file);
    reader.spec.hfields.push(field);
}

/// An asset without a name has that of its file.
fn named_after_file(name: &mut String, file: &str) {
    if name.is_empty() {
        source::stem(file).clone_into(name);
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
    let dir = reader.spec.compiler.texturedir.clone();
    let mut t = Texture { at: element.at(), ..Texture::default() };
    t.file = file(reader, element, "file", &dir).unwrap_or_default();
    let faces = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];
    t.cubefiles = faces.map(|name| file(reader, element, name, &dir).unwrap_or_default());
    let mut f = reader.fields(element);
    f.key("type", &mut t.r#type, &keywords::TEXTURE);
    f.key("colorspace", &mut t.colorspace, &keywords::COLORSPACE);
    f.get("name", &mut t.name);
    f.get("content_type", &mut t.content_type);
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
    named_after_file(&mut t.name, &t.file);
    reader.spec.textures.push(t);
}
