//! Meshes, height fields, textures and materials in the arrays of the model.

use super::super::asset::{self, Assets};
use super::super::{hfield, mesh};
use super::each;
use crate::error::Problems;
use crate::spec::Spec;
use sim_core::Model;
use sim_types::{ObjType, OptId};
use std::collections::HashMap;
use std::sync::Arc;

/// Roles a texture can have in a material.
const ROLES: usize = 10;

/// Arrays of all assets; the bounding volumes of meshes follow those of bodies.
#[doc(alias = "mjCModel::CopyObjects")]
pub(super) fn assets(spec: &Spec, compiled: &Assets<'_>, m: &mut Model, problems: &mut Problems) {
    let mut a = sim_core::Assets::default();
    for (mesh, &at) in compiled.meshes.iter().zip(&compiled.mesh_spec) {
        mesh::store(mesh, spec.meshes[at].scale, m.bvh_depth.len(), &mut a);
        m.bvh_aabb.extend(mesh.bvh.iter().map(|n| n.aabb));
        m.bvh_child.extend(mesh.bvh.iter().map(|n| n.child));
        m.bvh_nodeid.extend(mesh.bvh.iter().map(|n| n.id));
        m.bvh_depth.extend(mesh.bvh.iter().map(|n| n.depth));
    }
    (m.nbvh, m.nbvhstatic) = (m.bvh_depth.len(), m.bvh_aabb.len());
    for field in &compiled.hfields {
        hfield::store(field, &mut a);
    }
    for pixels in &compiled.textures {
        pixels.store(&mut a);
    }
    paths(spec, compiled, &mut a);
    if too_large(&a) {
        problems.invalid(&crate::Location::default(), "asset", "", "the assets together are too large to be addressed");
    }
    m.assets = Arc::new(a);
}

/// Materials; what they refer to was checked before.
pub(super) fn materials(spec: &Spec, m: &mut Model) {
    if spec.compiler.discardvisual {
        return;
    }
    let names = spec.textures.iter().map(|t| asset::name(&t.name, &t.file));
    let ids: HashMap<&str, usize> = names.enumerate().map(|(id, name)| (name, id)).collect();
    let texid = |name: &String| OptId::from(ids.get(name.as_str()).copied().filter(|_| !name.is_empty()));
    let all = &spec.materials;
    m.nmat = all.len();
    m.mat_texid = each(all, |mat| {
        let mut row = [OptId::NONE; ROLES];
        row.iter_mut().zip(&mat.textures).for_each(|(id, name)| *id = texid(name));
        row
    });
    m.mat_texuniform = each(all, |mat| mat.texuniform);
    m.mat_texrepeat = each(all, |mat| mat.texrepeat);
    m.mat_emission = each(all, |mat| mat.emission);
    m.mat_specular = each(all, |mat| mat.specular);
    m.mat_shininess = each(all, |mat| mat.shininess);
    m.mat_reflectance = each(all, |mat| mat.reflectance);
    m.mat_metallic = each(all, |mat| mat.metallic);
    m.mat_roughness = each(all, |mat| mat.roughness);
    m.mat_rgba = each(all, |mat| mat.rgba);
}

/// Names of assets, in the order of ids.
pub(super) fn names(spec: &Spec, compiled: &Assets<'_>, m: &mut Model) {
    let mesh = |&at: &usize| asset::name(&spec.meshes[at].name, &spec.meshes[at].file).to_owned();
    let mut set = |kind, list: Vec<String>| {
        // names were checked before, so this cannot fail
        let _ = m.names.set(kind, list);
    };
    set(ObjType::Mesh, compiled.mesh_spec.iter().map(mesh).collect());
    set(ObjType::Hfield, each(&spec.hfields, |h| asset::name(&h.name, &h.file).to_owned()));
    let shown = if spec.compiler.discardvisual { &[][..] } else { &spec.textures };
    set(ObjType::Texture, shown.iter().map(|t| asset::name(&t.name, &t.file).to_owned()).collect());
}

/// File names as written, one after the other: height fields, meshes, textures.
#[doc(alias = "mjCModel::CopyPaths")]
fn paths(spec: &Spec, compiled: &Assets<'_>, a: &mut sim_core::Assets) {
    let paths = &mut a.paths;
    let mut add = |file: &String| {
        if file.is_empty() {
            return OptId::NONE;
        }
        let file = if spec.compiler.strippath { crate::source::file_name(file) } else { file };
        let adr = OptId::some(paths.len());
        paths.extend(file.bytes().chain([0]));
        adr
    };
    a.hfield_pathadr = spec.hfields.iter().map(|h| add(&h.file)).collect();
    a.mesh_pathadr = compiled.mesh_spec.iter().map(|&at| add(&spec.meshes[at].file)).collect();
    a.skin_pathadr = spec.skins.iter().map(|s| add(&s.file)).collect();
    if !spec.compiler.discardvisual {
        a.tex_pathadr = spec.textures.iter().map(|t| add(&t.file)).collect();
    }
    if paths.is_empty() {
        paths.push(0);
    }
    a.npaths = a.paths.len();
}

/// True when an address would not fit its type; every list has at most this many entries per vertex or face.
fn too_large(a: &sim_core::Assets) -> bool {
    let most = i32::MAX as usize;
    [a.nmeshvert, a.nmeshface, a.nmeshgraph, a.nmeshpolyvert, a.nmeshpolymap, a.nhfielddata].iter().any(|n| *n > most)
}
