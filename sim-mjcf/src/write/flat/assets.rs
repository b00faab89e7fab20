//! Materials, height fields, and what only the spec knows about assets.

use super::{WriteError, name, tree};
use crate::compile::name_of_asset;
use crate::spec::pending::depth_first;
use crate::spec::{Geom, Hfield, Material, Mesh, Spec};
use sim_core::Model;
use sim_types::{ObjType, Vec3};

/// Materials without their textures, and height fields.
pub(super) fn fill(spec: &mut Spec, m: &Model) {
    let material = |i: usize| Material {
        name: name(m, ObjType::Material, i),
        texuniform: m.mat_texuniform[i],
        texrepeat: m.mat_texrepeat[i],
        emission: m.mat_emission[i],
        specular: m.mat_specular[i],
        shininess: m.mat_shininess[i],
        reflectance: m.mat_reflectance[i],
        metallic: m.mat_metallic[i],
        roughness: m.mat_roughness[i],
        rgba: m.mat_rgba[i],
        ..Material::default()
    };
    spec.materials = (0..m.nmat).map(material).collect();
    spec.hfields = (0..m.assets.nhfield).map(|i| hfield(m, i)).collect();
}

/// A height field; the row with the largest y comes first.
fn hfield(m: &Model, i: usize) -> Hfield {
    let a = &m.assets;
    let (first, nrow, ncol) = (a.hfield_adr[i] as usize, a.hfield_nrow[i], a.hfield_ncol[i]);
    let data = a.hfield_data.get(first..first + (nrow * ncol) as usize).unwrap_or_default();
    Hfield {
        name: name(m, ObjType::Hfield, i),
        size: a.hfield_size[i],
        nrow: nrow as i32,
        ncol: ncol as i32,
        elevation: data.chunks(ncol.max(1) as usize).rev().flatten().copied().collect(),
        ..Hfield::default()
    }
}

/// Takes the assets of `spec` that are in the model, as they were written.
pub(super) fn take(flat: &mut Spec, spec: &Spec, m: &Model) -> Result<(), WriteError> {
    // a mesh that nothing uses may have been dropped
    let meshes =
        spec.meshes.iter().filter(|mesh| m.names.id(ObjType::Mesh, name_of_asset(&mesh.name, &mesh.file)).is_some());
    flat.meshes = meshes.map(|mesh| Mesh { class: Spec::MAIN, ..mesh.clone() }).collect();
    flat.hfields.clone_from(&spec.hfields);
    flat.flexes.clone_from(&spec.flexes);
    flat.skins.clone_from(&spec.skins);
    if !spec.compiler.discardvisual {
        flat.textures.clone_from(&spec.textures);
        flat.materials = spec.materials.iter().map(|m| Material { class: Spec::MAIN, ..m.clone() }).collect();
        for (light, id) in flat.lights.iter_mut().zip(&m.light_texid) {
            let texture = id.get().and_then(|id| spec.textures.get(id));
            light.texture = texture.map(|t| t.name.clone()).unwrap_or_default();
        }
    }
    let counts = [
        ("meshes", flat.meshes.len(), m.assets.nmesh),
        ("height fields", flat.hfields.len(), m.assets.nhfield),
        ("materials", flat.materials.len(), m.nmat),
        ("deformables", flat.flexes.len(), m.nflex),
        ("skins", flat.skins.len(), m.assets.nskin),
    ];
    for (what, have, want) in counts {
        if have != want {
            return Err(WriteError::OtherSpec { what: format!("it has {have} {what} and the model has {want}") });
        }
    }
    fit_again(flat, spec, m);
    Ok(())
}

/// Gives primitives that were fitted to a mesh their mesh back, so that they are fitted again.
///
/// Done where the spec's geoms can be told to be the model's. There is one setting for all: primitives that were fitted to
/// inertia boxes by one part of the model and to bounding boxes by another stay as they are in the second.
fn fit_again(flat: &mut Spec, spec: &Spec, m: &Model) {
    let mut by_body = vec![Vec::new(); spec.bodies.len()];
    for geom in &spec.geoms {
        if let Some(list) = by_body.get_mut(geom.body) {
            list.push(geom);
        }
    }
    let written: Vec<_> = depth_first(spec).into_iter().flat_map(|body| std::mem::take(&mut by_body[body])).collect();
    // geoms that were dropped have neither a name that counts nor anything to collide with
    let key = |g: &Geom| (g.name.clone(), g.r#type, g.contype, g.conaffinity);
    let mut rest = written.into_iter();
    let written: Vec<_> = flat.geoms.iter().map_while(|kept| rest.find(|was| key(was) == key(kept))).collect();
    if written.len() != flat.geoms.len() {
        return;
    }
    let to_aabb = |was: &Geom| spec.compiler_of(was.origin).fitaabb;
    let is_fitted = |geom: &Geom, was: &Geom| !was.mesh.is_empty() && geom.mesh.is_empty();
    let mut fitted = flat.geoms.iter().zip(&written).filter(|(geom, was)| is_fitted(geom, was)).peekable();
    flat.compiler.fitaabb = fitted.peek().is_some() && fitted.all(|(_, was)| to_aabb(was));
    for ((geom, was), mesh) in flat.geoms.iter_mut().zip(written).zip(&m.geom_dataid) {
        let again = is_fitted(geom, was) && to_aabb(was) == flat.compiler.fitaabb;
        if let Some(mesh) = mesh.get().filter(|_| again) {
            let centre = if to_aabb(was) { box_centre(m, mesh) } else { Vec3::zeros() };
            (geom.pos, geom.quat) = tree::without_mesh_frame(m, mesh, centre, (geom.pos, geom.quat));
            geom.mesh = name(m, ObjType::Mesh, mesh);
            (geom.size, geom.fitscale) = (was.size, was.fitscale);
        }
    }
}

/// Centre of the box around the vertices of a mesh.
///
/// The vertices themselves are kept in single precision. The box around all faces is not, and is the same unless the
/// outermost vertices belong to no face.
fn box_centre(m: &Model, mesh: usize) -> Vec3 {
    let a = &m.assets;
    let (first, count) = (a.mesh_vertadr[mesh] as usize, a.mesh_vertnum[mesh] as usize);
    let (mut min, mut max) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for v in a.mesh_vert.get(first..first + count).unwrap_or_default() {
        let v = Vec3::from(v.map(f64::from));
        (min, max) = (min.inf(&v), max.sup(&v));
    }
    let rough = (min + max) / 2.0;
    let faces = m.bvh_aabb.get(a.mesh_bvhadr[mesh] as usize).filter(|_| a.mesh_bvhnum[mesh] > 0);
    let exact = faces.map(|b| Vec3::new(b[0], b[1], b[2]));
    exact.filter(|exact| (exact - rough).amax() <= 1e-6 * (max - min).amax()).unwrap_or(rough)
}
