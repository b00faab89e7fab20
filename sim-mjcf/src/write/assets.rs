//! Assets: textures, materials, meshes, height fields, skins; and deformables.

use super::elements;
use super::text::{Xml, diff};
use crate::keywords;
use crate::spec::{Flex, Hfield, Mesh, Skin, Spec, Texture};

pub(super) fn assets(w: &mut Xml, spec: &Spec) {
    w.start("asset");
    for t in &spec.textures {
        texture(w, t);
    }
    for m in &spec.materials {
        w.start("material");
        w.name("name", &m.name);
        spec.put_class(w, m.class, Spec::MAIN);
        if let Some(class) = spec.class_or_main(m.class) {
            elements::material(w, m, &class.material);
        }
        w.end();
    }
    for m in &spec.meshes {
        mesh(w, spec, m);
    }
    for h in &spec.hfields {
        hfield(w, h);
    }
    w.end_unless_empty();
}

pub(super) fn deformable(w: &mut Xml, spec: &Spec) {
    w.start("deformable");
    for f in &spec.flexes {
        flex(w, f);
    }
    for s in &spec.skins {
        skin(w, s);
    }
    w.end_unless_empty();
}

fn texture(w: &mut Xml, t: &Texture) {
    let b = &Texture::default();
    w.start("texture");
    w.name("name", &t.name);
    w.key("type", t.r#type, b.r#type, &keywords::TEXTURE);
    w.key("colorspace", t.colorspace, b.colorspace, &keywords::COLORSPACE);
    w.name("content_type", &t.content_type);
    w.name("file", &t.file);
    w.key("builtin", t.builtin, b.builtin, &keywords::BUILTIN);
    w.key("mark", t.mark, b.mark, &keywords::MARK);
    diff!(w, t, b:
        "rgb1" => rgb1;
        "rgb2" => rgb2;
        "markrgb" => markrgb;
        "random" => random;
        "width" => width;
        "height" => height;
        "nchannel" => nchannel;
        "hflip" => hflip;
        "vflip" => vflip;
        "gridsize" => gridsize;
    );
    // one letter per cell
    let cells = usize::try_from(i64::from(t.gridsize[0]) * i64::from(t.gridsize[1])).unwrap_or(0);
    if t.gridlayout != b.gridlayout
        && let Some(layout) = t.gridlayout.get(..cells)
    {
        w.set("gridlayout", layout);
    }
    for (name, file) in
        ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"].into_iter().zip(&t.cubefiles)
    {
        w.name(name, file);
    }
    w.end();
}

fn mesh(w: &mut Xml, spec: &Spec, m: &Mesh) {
    let b = &Mesh::default();
    w.start("mesh");
    w.name("name", &m.name);
    spec.put_class(w, m.class, Spec::MAIN);
    w.name("content_type", &m.content_type);
    w.name("file", &m.file);
    if m.builtin.is_some() {
        let word = keywords::MESH_BUILTIN.iter().find(|(_, kind)| Some(*kind) == m.builtin);
        w.set("builtin", word.map_or("none", |(word, _)| *word));
        w.set("params", &m.params);
    }
    if let Some(class) = spec.class_or_main(m.class) {
        elements::mesh(w, m, &class.mesh);
    }
    diff!(w, m, b:
        "refpos" => refpos;
        "refquat" => refquat;
        "smoothnormal" => smoothnormal;
        "vertex" => vert;
        "normal" => normal;
        "texcoord" => texcoord;
        "face" => face;
        "material" => material;
    );
    w.end();
}

fn hfield(w: &mut Xml, h: &Hfield) {
    let b = &Hfield::default();
    w.start("hfield");
    w.name("name", &h.name);
    w.name("content_type", &h.content_type);
    w.name("file", &h.file);
    diff!(w, h, b:
        "size" => size;
        "nrow" => nrow;
        "ncol" => ncol;
        "elevation" => elevation;
    );
    w.end();
}

fn skin(w: &mut Xml, s: &Skin) {
    let b = &Skin::default();
    w.start("skin");
    w.name("name", &s.name);
    w.name("file", &s.file);
    diff!(w, s, b:
        "material" => material;
        "rgba" => rgba;
        "inflate" => inflate;
        "group" => group;
        "vertex" => vert;
        "texcoord" => texcoord;
        "face" => face;
    );
    for bone in &s.bones {
        w.start("bone");
        w.set("body", &bone.body);
        w.set("bindpos", &bone.bindpos);
        w.set("bindquat", &bone.bindquat);
        w.set("vertid", &bone.vertid);
        w.set("vertweight", &bone.vertweight);
        w.end();
    }
    w.end();
}

fn flex(w: &mut Xml, f: &Flex) {
    let b = &Flex::default();
    w.start("flex");
    w.name("name", &f.name);
    diff!(w, f, b:
        "group" => group;
        "dim" => dim;
        "radius" => radius;
        "material" => material;
        "rgba" => rgba;
        "flatskin" => flatskin;
    );
    w.set("body", f.vertbody.join(" ").as_str());
    w.name("node", &f.nodebody.join(" "));
    diff!(w, f, b: "vertex" => vert;);
    w.set("element", &f.elem);
    diff!(w, f, b:
        "texcoord" => texcoord;
        "elemtexcoord" => elemtexcoord;
    );
    w.start("contact");
    diff!(w, f, b:
        "contype" => contype;
        "conaffinity" => conaffinity;
        "condim" => condim;
        "priority" => priority;
        "friction" => friction;
        "solmix" => solmix;
        "solref" => solref;
        "solimp" => solimp;
        "margin" => margin;
        "gap" => gap;
        "internal" => internal;
    );
    w.key("selfcollide", f.selfcollide, b.selfcollide, &keywords::SELF_COLLIDE);
    diff!(w, f, b:
        "vertcollide" => vertcollide;
        "passive" => passive;
        "activelayers" => activelayers;
    );
    w.end_unless_empty();
    w.start("edge");
    diff!(w, f, b:
        "stiffness" => edgestiffness;
        "damping" => edgedamping;
    );
    w.end_unless_empty();
    w.start("elasticity");
    diff!(w, f, b:
        "young" => young;
        "poisson" => poisson;
        "damping" => damping;
        "thickness" => thickness;
    );
    w.key("elastic2d", f.elastic2d, b.elastic2d, &keywords::ELASTIC_2D);
    w.end_unless_empty();
    w.end();
}
