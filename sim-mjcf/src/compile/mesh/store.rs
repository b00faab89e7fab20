//! A processed mesh into the arrays of the model.

use super::{Lists, Mesh};
use sim_core::Assets;
use sim_types::{OptId, Vec3};

/// Appends a mesh without the name of its file. Its bounding volumes go to the model's own list, where they start at `bvhadr`.
#[doc(alias = "mjCModel::CopyObjects")]
pub fn store(mesh: &Mesh, scale: Vec3, bvhadr: usize, a: &mut Assets) {
    a.mesh_vertadr.push(a.mesh_vert.len() as u32);
    a.mesh_vertnum.push(mesh.vert.len() as u32);
    a.mesh_faceadr.push(a.mesh_face.len() as u32);
    a.mesh_facenum.push(mesh.face.len() as u32);
    a.mesh_bvhadr.push(bvhadr as u32);
    a.mesh_bvhnum.push(mesh.bvh.len() as u32);
    a.mesh_octadr.push(address(a.oct_depth.len(), mesh.octree.len()));
    a.mesh_octnum.push(mesh.octree.len() as u32);
    a.mesh_normaladr.push(a.mesh_normal.len() as u32);
    a.mesh_normalnum.push(mesh.normal.len() as u32);
    a.mesh_texcoordadr.push(address(a.mesh_texcoord.len(), mesh.texcoord.len()));
    a.mesh_texcoordnum.push(mesh.texcoord.len() as u32);
    a.mesh_graphadr.push(address(a.mesh_graph.len(), mesh.graph.len()));
    a.mesh_scale.push(scale);
    a.mesh_pos.push(mesh.pos);
    a.mesh_quat.push(mesh.quat);
    a.mesh_pathadr.push(OptId::NONE);
    a.mesh_polynum.push(mesh.polygons.len() as u32);
    a.mesh_polyadr.push(a.mesh_polynormal.len() as u32);

    a.mesh_vert.extend(mesh.vert.iter().map(|v| [v.x as f32, v.y as f32, v.z as f32]));
    a.mesh_normal.extend_from_slice(&mesh.normal);
    a.mesh_texcoord.extend_from_slice(&mesh.texcoord);
    a.mesh_face.extend_from_slice(&mesh.face);
    a.mesh_facenormal.extend_from_slice(&mesh.facenormal);
    a.mesh_facetexcoord.extend_from_slice(&mesh.facetexcoord);
    a.mesh_facetexcoord.resize(a.mesh_face.len(), [0; 3]);
    a.mesh_graph.extend_from_slice(&mesh.graph);
    a.mesh_polynormal.extend_from_slice(&mesh.polynormal);
    lists(&mesh.polygons, &mut a.mesh_polyvertadr, &mut a.mesh_polyvertnum, &mut a.mesh_polyvert);
    lists(&mesh.polymap, &mut a.mesh_polymapadr, &mut a.mesh_polymapnum, &mut a.mesh_polymap);

    a.oct_depth.extend(mesh.octree.iter().map(|cell| cell.depth));
    a.oct_child.extend(mesh.octree.iter().map(|cell| cell.child));
    a.oct_aabb.extend(mesh.octree.iter().map(|cell| cell.aabb));
    a.oct_coeff.extend(mesh.octree.iter().map(|cell| cell.coeff));

    a.noct = a.oct_depth.len();
    a.nmesh = a.mesh_vertadr.len();
    a.nmeshvert = a.mesh_vert.len();
    a.nmeshnormal = a.mesh_normal.len();
    a.nmeshtexcoord = a.mesh_texcoord.len();
    a.nmeshface = a.mesh_face.len();
    a.nmeshgraph = a.mesh_graph.len();
    a.nmeshpoly = a.mesh_polynormal.len();
    a.nmeshpolyvert = a.mesh_polyvert.len();
    a.nmeshpolymap = a.mesh_polymap.len();
}

/// The address of a list; none for an empty one.
fn address(start: usize, len: usize) -> OptId {
    if len == 0 { OptId::NONE } else { OptId::some(start) }
}

/// Appends lists to one flat list, with the start and length of each.
fn lists(from: &Lists, adr: &mut Vec<u32>, num: &mut Vec<u32>, flat: &mut Vec<u32>) {
    let mut next = flat.len() as u32;
    for list in from.iter() {
        adr.push(next);
        num.push(list.len() as u32);
        next += list.len() as u32;
    }
    flat.extend_from_slice(from.items());
}
