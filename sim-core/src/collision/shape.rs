//! The shapes of geoms and sites, as the collision functions see them.

use sim_collision::sdf::{OctreeView, SdfSource, SdfView};
use sim_collision::{HfieldView, HullSearch, MeshField, MeshView, Polygons, Posed, Shape, TreeView};
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
        GeomType::Mesh => {
            let field = MeshField { aabb: m.geom_aabb[geom], octree: octree_of(&m.assets, geom) };
            f(Shape::Mesh(&MeshView { field: Some(&field), ..mesh(m, hulls, geom) }))
        }
        GeomType::Hfield => f(Shape::Hfield(&hfield(m, geom))),
        GeomType::Sdf => {
            let aabb = m.geom_aabb[geom];
            if let Some(grid) = m.assets.sdf_of(geom) {
                return f(Shape::Sdf(&SdfView { source: SdfSource::Grid(grid), aabb, mesh: None }));
            }
            let source = SdfSource::Octree(octree(m, geom));
            f(Shape::Sdf(&SdfView { source, aabb, mesh: Some(&mesh(m, hulls, geom)) }))
        }
        kind => f(primitive(kind, &m.geom_size[geom]).unwrap_or(Shape::Sphere { radius: 0.0 })),
    }
}

/// A geom of type plane, sphere, capsule, ellipsoid, cylinder or box where it is now; others have no size here.
pub(crate) fn posed(kind: GeomType, size: &Vec3, pos: &Vec3, mat: &Mat3) -> Posed<'static> {
    Posed { shape: primitive(kind, size).unwrap_or(Shape::Sphere { radius: 0.0 }), pos: *pos, mat: *mat }
}

/// Calls `f` with the shape of a geom as the search for contacts sees it: unless the whole is asked for, a mesh has
/// neither triangles nor polygons, and a field made from a mesh is one for planes only.
pub(super) fn with_hull<R>(m: &Model, hulls: &Hulls, geom: usize, whole: bool, f: impl FnOnce(Shape<'_>) -> R) -> R {
    match m.geom_type[geom] {
        GeomType::Mesh if !whole => f(Shape::Mesh(&hull(m, hulls, geom))),
        GeomType::Sdf if !whole && m.assets.sdf_of(geom).is_none() => {
            let source = SdfSource::Octree(OctreeView::default());
            f(Shape::Sdf(&SdfView { source, aabb: m.geom_aabb[geom], mesh: Some(&hull(m, hulls, geom)) }))
        }
        _ => with_shape(m, hulls, geom, f),
    }
}

/// The convex hull of the mesh of a geom; an empty one when there is none.
fn hull<'a>(m: &'a Model, hulls: &'a Hulls, geom: usize) -> MeshView<'a> {
    let a = &*m.assets;
    let (mut vert, mut neighbours, mut search): (&[_], &[_], _) = (&[], &[], None);
    if let Some(id) = m.geom_dataid[geom].get().filter(|id| *id < a.nmesh) {
        vert = part(&a.mesh_vert, a.mesh_vertadr[id], a.mesh_vertnum[id]);
        (neighbours, search) = (graph(a, id), hulls.of(id));
    }
    let (half, rbound) = (m.geom_size[geom], m.geom_rbound[geom]);
    MeshView { vert, graph: neighbours, search, half, rbound, ..MeshView::default() }
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
        search: hulls.of(id),
        polygons,
        face: part(&a.mesh_face, a.mesh_faceadr[id], a.mesh_facenum[id]),
        tree,
        ..bare
    }
}

/// The distances around a geom's mesh; none when it has no octree.
pub(crate) fn octree(m: &Model, geom: usize) -> OctreeView<'_> {
    let a = &*m.assets;
    m.geom_dataid[geom].get().map_or_else(OctreeView::default, |id| octree_of(a, id))
}

/// The octree of a mesh; an empty one when it has none, or there is no such mesh.
fn octree_of(a: &Assets, mesh: usize) -> OctreeView<'_> {
    let Some(adr) = a.mesh_octadr.get(mesh).and_then(|adr| adr.get()) else { return OctreeView::default() };
    let (adr, num) = (adr as u32, a.mesh_octnum[mesh]);
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

/// The hulls of all meshes, laid out for searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hulls {
    search: Vec<HullSearch>,
}

impl Hulls {
    pub(crate) fn new(a: &Assets) -> Self {
        let vert = |mesh: usize| part(&a.mesh_vert, a.mesh_vertadr[mesh], a.mesh_vertnum[mesh]);
        Self { search: (0..a.nmesh).map(|mesh| HullSearch::new(vert(mesh), graph(a, mesh))).collect() }
    }

    fn of(&self, mesh: usize) -> Option<&HullSearch> {
        self.search.get(mesh)
    }
}
