//! From the arrays as written to everything a model keeps of a mesh.

use super::error::MeshError;
use super::mass::{self, Triangle};
use super::{Mesh, MeshData, MeshInertia, MeshOptions, normal, octree, polygon};
use crate::compile::{eig3, pose};
use sim_collision::bvh;
use sim_collision::hull::{Hull, convex_hull};
use sim_types::{MINVAL, Quat, Vec3};

/// Checks a mesh and processes it: hull, normals, polygons, then scale and frame.
///
/// The order is MuJoCo's and shows: hull and polygons are made of the vertices as written, before they are turned and
/// scaled. With a scale that mirrors, their faces point inwards.
#[doc(alias = "mjCMesh::Process")]
pub fn process(data: &MeshData, options: &MeshOptions) -> Result<Mesh, MeshError> {
    let mut raw = Raw::check(data)?;
    if options.inertia == MeshInertia::Exact {
        check_orientation(&raw.vert, &raw.face)?;
    }

    // hull, and what depends on it
    let needs_hull = options.needs_hull || raw.face.is_empty() || options.inertia == MeshInertia::Convex;
    let hull = needs_hull.then(|| convex_hull(&raw.vert, options.maxhullvert)).transpose()?;
    raw.complete(hull.as_ref(), options.smoothnormal)?;
    let sides = hull.as_ref().map_or(&raw.face, |hull| &hull.faces);
    let polygons = polygon::make(&raw.vert, sides);

    // the place and size the model asks for
    transform(&mut raw, options);
    if raw.vert.iter().any(|v| v.iter().any(|x| !x.is_finite())) {
        return Err(MeshError::Overflow);
    }

    // mass properties, then the frame that makes them simple
    let centroid = mass::face_centroid(&raw.vert, &raw.face)?;
    let body = match &hull {
        Some(hull) if options.inertia == MeshInertia::Convex => &hull.faces,
        _ => &raw.face,
    };
    let pos = mass::centre_of_mass(&raw.vert, body, options.inertia, &centroid)?;
    let (inertia, volume) = mass::inertia(&raw.vert, body, options.inertia, &pos);
    let (moments, quat) = eig3::eig3(&inertia);
    let inertia_box = mass::inertia_box(&moments, volume)?;
    let (min, max) = recentre(&mut raw, &pos, quat);

    let polynormal = polygon::normals(&raw.vert, &polygons);
    let polymap = polygons.transposed(raw.vert.len());
    let bvh = bvh::build(&mut boxes(&raw.vert, &raw.face));
    let octree = if options.needs_sdf { octree::build(&raw.vert, &raw.face, &bvh, (&min, &max))? } else { Vec::new() };
    let graph = hull.map_or_else(Vec::new, |hull| hull.graph());
    let Raw { vert, normal, texcoord, face, facenormal, facetexcoord } = raw;
    let mesh = Mesh {
        vert,
        normal,
        texcoord,
        face,
        facenormal,
        facetexcoord,
        graph,
        polygons,
        polynormal,
        polymap,
        bvh,
        octree,
        pos,
        quat,
        volume,
        inertia_box,
        min,
        max,
    };
    Ok(mesh)
}

/// A mesh whose arrays have the right lengths and whose faces name vertices that exist.
struct Raw {
    vert: Vec<Vec3>,
    normal: Vec<[f32; 3]>,
    texcoord: Vec<[f32; 2]>,
    face: Vec<[u32; 3]>,
    facenormal: Vec<[i32; 3]>,
    facetexcoord: Vec<[i32; 3]>,
}

impl Raw {
    #[doc(alias = "mjCMesh::CheckInitialMesh")]
    fn check(data: &MeshData) -> Result<Self, MeshError> {
        let mut vert = Vec::with_capacity(data.vert.len() / 3);
        for (i, [x, y, z]) in rows("vertex", &data.vert, "a multiple of 3")?.into_iter().enumerate() {
            if !(x.is_finite() && y.is_finite() && z.is_finite()) {
                return Err(MeshError::NotFinite(i));
            }
            vert.push(Vec3::new(f64::from(x), f64::from(y), f64::from(z)));
        }
        if vert.len() < 4 {
            return Err(MeshError::Length { what: "vertex", count: data.vert.len(), expected: "4 vertices or more" });
        }
        let texcoord = rows("texcoord", &data.texcoord, "a multiple of 2")?;
        if !texcoord.is_empty() && texcoord.len() != vert.len() && data.facetexcoord.is_empty() && !data.any_texcoord {
            let expected = "two per vertex, or an OBJ file that says which face uses which";
            return Err(MeshError::Length { what: "texcoord", count: data.texcoord.len(), expected });
        }
        let index = |face: usize, v: i32| match u32::try_from(v) {
            Ok(index) if (index as usize) < vert.len() => Ok(index),
            _ => Err(MeshError::Index { face, vertex: i64::from(v), count: vert.len() }),
        };
        let mut face = Vec::with_capacity(data.face.len() / 3);
        for (i, [a, b, c]) in rows("face", &data.face, "a multiple of 3")?.into_iter().enumerate() {
            face.push([index(i, a)?, index(i, b)?, index(i, c)?]);
        }
        Ok(Self {
            normal: rows("normal", &data.normal, "a multiple of 3")?,
            facenormal: rows("facenormal", &data.facenormal, "a multiple of 3")?,
            facetexcoord: rows("facetexcoord", &data.facetexcoord, "a multiple of 3")?,
            vert,
            texcoord,
            face,
        })
    }

    /// Fills in what was not given: faces from the hull, normals from the faces, corners from the vertices.
    fn complete(&mut self, hull: Option<&Hull>, smooth: bool) -> Result<(), MeshError> {
        if let (true, Some(hull)) = (self.face.is_empty(), hull) {
            self.face.clone_from(&hull.faces);
        }
        let corners = |step: i32| self.face.iter().map(|f| f.map(|v| step.wrapping_mul(v as i32))).collect();
        if self.normal.is_empty() {
            self.normal = normal::make(&self.vert, &self.face, smooth);
            self.facenormal = corners(1);
        }
        if self.facenormal.is_empty() {
            // several normals per vertex are a frame; its first axis is the normal
            self.facenormal = corners((self.normal.len() / self.vert.len()) as i32);
        }
        if self.facenormal.len() != self.face.len() {
            let (what, count) = ("facenormal", 3 * self.facenormal.len());
            return Err(MeshError::Length { what, count, expected: "as many as in face" });
        }
        if self.facetexcoord.is_empty() && !self.texcoord.is_empty() {
            self.facetexcoord = corners(1);
        }
        Ok(())
    }
}

/// Flat numbers as rows of `N`.
fn rows<T: Copy, const N: usize>(
    what: &'static str,
    flat: &[T],
    expected: &'static str,
) -> Result<Vec<[T; N]>, MeshError> {
    let (rows, rest) = flat.as_chunks();
    if !rest.is_empty() {
        return Err(MeshError::Length { what, count: flat.len(), expected });
    }
    Ok(rows.to_vec())
}

/// Every edge may be used once in each sense; faces next to nothing are not looked at.
fn check_orientation(vert: &[Vec3], face: &[[u32; 3]]) -> Result<(), MeshError> {
    let mut edges = Vec::with_capacity(3 * face.len());
    for &[a, b, c] in face {
        let area = Triangle::new(&vert[a as usize], &vert[b as usize], &vert[c as usize]).area;
        if area > MINVAL.sqrt() {
            edges.extend([(a, b), (b, c), (c, a)]);
        }
    }
    edges.sort_unstable();
    match edges.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(MeshError::Orientation(pair[0].0 + 1, pair[0].1 + 1)),
        None => Ok(()),
    }
}

/// Moves, turns and scales vertices and normals as the mesh element says.
#[doc(alias = "mjCMesh::ApplyTransformations")]
fn transform(raw: &mut Raw, options: &MeshOptions) {
    if options.refpos != Vec3::zeros() {
        raw.vert.iter_mut().for_each(|v| *v -= options.refpos);
    }
    if options.refquat != Quat::IDENTITY {
        turn_back(raw, pose::normalized(options.refquat));
    }
    if options.scale != Vec3::repeat(1.0) {
        let scale = options.scale;
        raw.vert.iter_mut().for_each(|v| v.component_mul_assign(&scale));
        for n in &mut raw.normal {
            *n = [0, 1, 2].map(|k| (f64::from(n[k]) * scale[k]) as f32);
        }
    }
    raw.normal.iter_mut().for_each(normal::renormalize);
}

/// Makes `pos` the origin and the axes of `quat` the frame; returns the bounding box.
fn recentre(raw: &mut Raw, pos: &Vec3, quat: Quat) -> (Vec3, Vec3) {
    raw.vert.iter_mut().for_each(|v| *v -= pos);
    turn_back(raw, quat);
    let (mut min, mut max) = (Vec3::repeat(1e10), Vec3::repeat(-1e10));
    for v in &raw.vert {
        min = min.inf(v);
        max = max.sup(v);
    }
    (min, max)
}

/// Turns vertices and normals by the inverse of a rotation.
fn turn_back(raw: &mut Raw, quat: Quat) {
    let mat = quat.conj().to_mat();
    raw.vert.iter_mut().for_each(|v| *v = mat * *v);
    for n in &mut raw.normal {
        let turned = mat * Vec3::from(n.map(f64::from));
        *n = [0, 1, 2].map(|k| turned[k] as f32);
    }
}

/// The boxes around all faces, sorted in the hierarchy by the centre of the circle through their corners.
#[doc(alias = "mjCMesh::MakeCenter")]
fn boxes(vert: &[Vec3], face: &[[u32; 3]]) -> Vec<bvh::Element> {
    let element = |(order, f): (usize, &[u32; 3])| {
        let [p, q, r] = f.map(|v| vert[v as usize]);
        let (a, b) = (p - r, q - r);
        let across = a.cross(&b);
        // the root is taken and squared again for its rounding: centres that almost agree are told apart by it
        let area = across.dot(&across).sqrt();
        let centre = (b * a.dot(&a) - a * b.dot(&b)).cross(&across) / (2.0 * area * area) + r;

        // from corners to centre and half sizes and back, for the same reason
        let (min, max) = (p.inf(&q).inf(&r), p.sup(&q).sup(&r));
        let (middle, half) = ((min + max) * 0.5, (max - min) * 0.5);
        bvh::Element { order, id: order, centre, min: middle - half, max: middle + half }
    };
    face.iter().enumerate().map(element).collect()
}
