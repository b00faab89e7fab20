//! The shapes of geoms and sites, as the collision functions see them.

use sim_collision::sdf::{OctreeView, SdfSource, SdfView};
use sim_collision::{HfieldView, MeshView, Polygons, Posed, Shape, TreeView};
use sim_types::{GeomType, Mat3, Vec3};

use crate::data::Data;
use crate::model::{Assets, Model};

/// A shape that needs no asset; `None` for meshes, height fields and distance fields.
pub(crate) fn primitive(kind: GeomType, size: &Vec3) -> Option<Shape<'static>> {
    Some(match kind {
        GeomType::Plane => Shape::Plane { half: [size.x, size.y] },
        GeomType::Sphere => Shape::Sphere { radius: size.x },
        GeomType::Capsule => Shape::Capsule { radius: size.x, half: size.y },
        GeomType::Ellipsoid => Shape::Ellipsoid { size: *size },
        GeomType::Cylinder => Shape::Cylinder { radius: size.x, half: size.y },
        GeomType::Box => Shape::Box { size: *size },
        GeomType::Mesh | GeomType::Hfield | GeomType::Sdf => return None,
    })
}

/// Calls `f` with a geom where it is now.
pub(crate) fn with_posed<R>(m: &Model, d: &Data, hulls: &Hulls, geom: usize, f: impl FnOnce(&Posed<'_>) -> R) -> R {
    let (pos, mat) = (d.geom_xpos[geom], d.geom_xmat[geom]);
    with_shape(m, hulls, geom, |shape| f(&Posed { shape, pos, mat }))
}

/// Calls `f` with the shape of a geom.
pub(crate) fn with_shape<R>(m: &Model, hulls: &Hulls, geom: usize, f: impl FnOnce(Shape<'_>) -> R) -> R {
    match m.geom_type[geom] {
        GeomType::Mesh => f(Shape::Mesh(&mesh(m, hulls, geom))),
        GeomType::Hfield => f(Shape::Hfield(&hfield(m, geom))),
        GeomType::Sdf => {
            let mesh = mesh(m, hulls, geom);
            let source = SdfSource::Octree(octree(m, geom));
            f(Shape::Sdf(&SdfView { source, aabb: m.geom_aabb[geom], mesh: Some(&mesh) }))
        }
        kind => f(primitive(kind, &m.geom_size[geom]).unwrap_or(Shape::Sphere { radius: 0.0 })),
    }
}

/// A geom of type plane, sphere, capsule, ellipsoid, cylinder or box where it is now; others have no size here.
pub(crate) fn posed(kind: GeomType, size: &Vec3, pos: &Vec3, mat: &Mat3) -> Posed<'static> {
    Posed { shape: primitive(kind, size).unwrap_or(Shape::Sphere { radius: 0.0 }), pos: *pos, mat: *mat }
}

/// The mesh of a geom; an empty one when there is none.
fn mesh<'a>(m: &'a Model, hulls: &'a Hulls, geom: usize) -> MeshView<'a> {
    let a = &*m.assets;
    let bare = MeshView { half: m.geom_size[geom], rbound: m.geom_rbound[geom], ..MeshView::default() };
    let Some(id) = m.geom_dataid[geom].get().filter(|id| *id < a.nmesh) else { return bare };
    let polygons = Polygons {
        normal: part(&a.mesh_polynormal, a.mesh_polyadr[id], a.mesh_polynum[id]),
        vertadr: part(&a.mesh_polyvertadr, a.mesh_polyadr[id], a.mesh_polynum[id]),
        vertnum: part(&a.mesh_polyvertnum, a.mesh_polyadr[id], a.mesh_polynum[id]),
        vert: &a.mesh_polyvert,
        mapadr: part(&a.mesh_polymapadr, a.mesh_vertadr[id], a.mesh_vertnum[id]),
        mapnum: part(&a.mesh_polymapnum, a.mesh_vertadr[id], a.mesh_vertnum[id]),
        map: &a.mesh_polymap,
    };
    let tree = tree(m, a.mesh_bvhadr[id], a.mesh_bvhnum[id]);
    MeshView {
        vert: part(&a.mesh_vert, a.mesh_vertadr[id], a.mesh_vertnum[id]),
        graph: graph(a, id),
        hull_vert: hulls.of(id),
        polygons,
        face: part(&a.mesh_face, a.mesh_faceadr[id], a.mesh_facenum[id]),
        tree,
        ..bare
    }
}

/// The distances around a geom's mesh; none when it has no octree.
pub(crate) fn octree(m: &Model, geom: usize) -> OctreeView<'_> {
    let a = &*m.assets;
    let Some(id) = m.geom_dataid[geom].get().filter(|id| *id < a.nmesh) else { return OctreeView::default() };
    let Some(adr) = a.mesh_octadr[id].get() else { return OctreeView::default() };
    let (adr, num) = (adr as u32, a.mesh_octnum[id]);
    OctreeView {
        child: part(&a.oct_child, adr, num),
        aabb: part(&a.oct_aabb, adr, num),
        coeff: part(&a.oct_coeff, adr, num),
    }
}

fn hfield(m: &Model, geom: usize) -> HfieldView<'_> {
    let a = &*m.assets;
    let Some(id) = m.geom_dataid[geom].get().filter(|id| *id < a.nhfield) else { return HfieldView::default() };
    let (nrow, ncol) = (a.hfield_nrow[id] as usize, a.hfield_ncol[id] as usize);
    let count = u32::try_from(nrow.saturating_mul(ncol)).unwrap_or(u32::MAX);
    HfieldView { size: a.hfield_size[id], nrow, ncol, data: part(&a.hfield_data, a.hfield_adr[id], count) }
}

/// A tree of boxes fixed in a body or a mesh; an empty one when the numbers do not fit.
pub(crate) fn tree(m: &Model, adr: u32, num: u32) -> TreeView<'_> {
    TreeView {
        child: part(&m.bvh_child, adr, num),
        nodeid: part(&m.bvh_nodeid, adr, num),
        aabb: part(&m.bvh_aabb, adr, num),
    }
}

fn graph(a: &Assets, mesh: usize) -> &[i32] {
    a.mesh_graphadr[mesh].get().and_then(|adr| a.mesh_graph.get(adr..)).unwrap_or_default()
}

fn part<T>(all: &[T], adr: u32, num: u32) -> &[T] {
    all.get(adr as usize..adr as usize + num as usize).unwrap_or_default()
}

/// Hull vertices of all meshes in double precision, in the order of their graphs: searches run over them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hulls {
    vert: Vec<Vec3>,
    /// First vertex per mesh, and the end.
    adr: Vec<usize>,
}

impl Hulls {
    pub(crate) fn new(a: &Assets) -> Self {
        let mut hulls = Self { vert: Vec::new(), adr: vec![0] };
        for mesh in 0..a.nmesh {
            let graph = graph(a, mesh);
            let count = graph.first().and_then(|n| usize::try_from(*n).ok()).unwrap_or(0);
            let ids =
                count.checked_add(2).and_then(|from| graph.get(from..from.checked_add(count)?)).unwrap_or_default();
            let vert = part(&a.mesh_vert, a.mesh_vertadr[mesh], a.mesh_vertnum[mesh]);
            let at = |id: &i32| usize::try_from(*id).ok().and_then(|id| vert.get(id)).copied().unwrap_or_default();
            hulls.vert.extend(ids.iter().map(|id| Vec3::from(at(id).map(f64::from))));
            hulls.adr.push(hulls.vert.len());
        }
        hulls
    }

    fn of(&self, mesh: usize) -> &[Vec3] {
        match (self.adr.get(mesh), self.adr.get(mesh + 1)) {
            (Some(&from), Some(&to)) => &self.vert[from..to],
            _ => &[],
        }
    }
}
