//! The farthest vertex of a convex hull, found by walking from vertex to vertex, four neighbours at a time.

use sim_types::Vec3;

use crate::hull_faces::HullFaces;
use crate::hull_graph::{HullGraph, point};
use crate::wide;

/// Meshes with at most so many vertices are searched vertex by vertex even when they have a graph.
pub(crate) const FEW: usize = 9;
/// Hulls with at most so many vertices are searched whole first: no walk, so no jumps that cannot be foreseen.
pub(crate) const SMALL: usize = 64;
/// Share of a hull's reach by which the farthest vertex must be ahead of all others to be where every walk ends. A walk
/// ends early only where all neighbours are equally far but for rounding.
const AHEAD: f64 = 1e-9;
/// Vertices looked at together.
const LANES: usize = 4;

/// Up to four neighbours of a hull vertex; the last one is repeated to make four.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    pub(crate) x: [f64; LANES],
    pub(crate) y: [f64; LANES],
    pub(crate) z: [f64; LANES],
    pub(crate) id: [u32; LANES],
}

/// The convex hull of a mesh, laid out for climbing from vertex to vertex.
#[derive(Clone, Debug, Default)]
pub struct HullSearch {
    /// Vertices of the hull.
    vert: Vec<Vec3>,
    /// The mesh's vertex of each.
    id: Vec<i32>,
    /// First block per vertex, and the end.
    pub(crate) first: Vec<u32>,
    pub(crate) blocks: Vec<Block>,
    /// All vertices of a hull that is small, in order; what is missing to four is not a number.
    pub(crate) small: Vec<Block>,
    /// By how much the farthest vertex must be ahead of all others, for a unit direction.
    pub(crate) ahead: f64,
    /// All vertices of a mesh that has few.
    few: Vec<Vec3>,
    /// Faces of a hull that is small.
    faces: Option<HullFaces>,
}

impl HullSearch {
    /// Lays out the hull of a mesh; an empty one when there is no graph or it is broken.
    pub fn new(vert: &[[f32; 3]], graph: &[i32]) -> Self {
        let few = if vert.len() <= FEW { vert.iter().map(point).collect() } else { Vec::new() };
        let laid_out = HullGraph::new(graph).and_then(|hull| Self::layout(vert, &hull)).unwrap_or_default();
        Self { few, ..laid_out }
    }

    fn layout(vert: &[[f32; 3]], hull: &HullGraph<'_>) -> Option<Self> {
        let mut all = Self { first: vec![0], ..Self::default() };
        for i in 0..hull.len() {
            let id = hull.vertex(i)?;
            all.id.push(i32::try_from(id).ok()?);
            all.vert.push(point(vert.get(id)?));
        }
        for i in 0..hull.len() {
            let list: Vec<usize> = hull.neighbours(i).collect();
            for four in list.chunks(LANES) {
                let mut block = Block::default();
                for lane in 0..LANES {
                    let next = four[lane.min(four.len() - 1)];
                    let v = all.vert.get(next)?;
                    (block.x[lane], block.y[lane], block.z[lane]) = (v.x, v.y, v.z);
                    block.id[lane] = u32::try_from(next).ok()?;
                }
                all.blocks.push(block);
            }
            all.first.push(u32::try_from(all.blocks.len()).ok()?);
        }
        if all.vert.len() <= SMALL {
            let none = Vec3::repeat(f64::NAN);
            for (at, four) in all.vert.chunks(LANES).enumerate() {
                let mut block = Block::default();
                for lane in 0..LANES {
                    let v = four.get(lane).unwrap_or(&none);
                    (block.x[lane], block.y[lane], block.z[lane]) = (v.x, v.y, v.z);
                    block.id[lane] = (LANES * at + lane) as u32;
                }
                all.small.push(block);
            }
            all.ahead = AHEAD * all.vert.iter().fold(0.0, |most: f64, v| most.max(v.norm()));
        }
        all.faces = HullFaces::new(vert, hull);
        Some(all)
    }

    /// Number of hull vertices; zero when there is no hull.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.vert.len()
    }

    /// A hull vertex, and which vertex of the mesh it is.
    #[inline]
    pub(crate) fn at(&self, hull_vertex: usize) -> (Vec3, i32) {
        match (self.vert.get(hull_vertex), self.id.get(hull_vertex)) {
            (Some(v), Some(id)) => (*v, *id),
            _ => (Vec3::zeros(), 0),
        }
    }

    /// All vertices of the mesh if it has few, else none.
    #[inline]
    pub(crate) fn few(&self) -> &[Vec3] {
        &self.few
    }

    /// The faces, if there are not too many.
    #[inline]
    pub(crate) fn faces(&self) -> Option<&HullFaces> {
        self.faces.as_ref()
    }

    /// Walks along the edges of the hull from `start` while a neighbour is farther in direction `dir` than `max` and all
    /// before it; returns the last hull vertex. Of neighbours equally far the first one in the graph's list counts.
    #[doc(alias = "mjc_hillclimbSupport")]
    #[inline(always)]
    pub(crate) fn climb(&self, start: usize, max: f64, dir: &Vec3) -> usize {
        wide::climb(self, start, max, dir)
    }

    /// Where a walk from `start` in the unit direction `dir` ends, the start not measured.
    #[inline(always)]
    pub(crate) fn farthest(&self, start: usize, dir: &Vec3) -> usize {
        wide::foremost(self, dir).unwrap_or_else(|_| self.walk(start, dir))
    }

    /// [`farthest`](Self::farthest) by walking. Such a walk takes at least one step.
    #[inline(always)]
    pub(crate) fn walk(&self, start: usize, dir: &Vec3) -> usize {
        self.climb(start, -f64::from(f32::MAX), dir)
    }
}

/// The vertex of a small hull that is farther in the unit direction `dir` than all others, and clearly so: every walk ends
/// there. Otherwise how far the farthest are.
pub(crate) fn foremost(hull: &HullSearch, dir: &Vec3) -> Result<usize, f64> {
    let value = |block: &Block, lane: usize| dir.x * block.x[lane] + dir.y * block.y[lane] + dir.z * block.z[lane];
    let all = || hull.small.iter().flat_map(|block| (0..LANES).map(move |lane| value(block, lane)));
    let most = all().fold(f64::NEG_INFINITY, f64::max);
    let mut near = all().enumerate().filter(|&(_, value)| value > most - hull.ahead);
    match (near.next(), near.next()) {
        (Some((vertex, _)), None) => Ok(vertex),
        _ => Err(most),
    }
}

/// [`foremost`] for CPUs with AVX: the same values, four at a time.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx")]
pub(crate) fn foremost_avx(hull: &HullSearch, dir: &Vec3) -> Result<usize, f64> {
    use std::arch::x86_64::{
        __m256d, _CMP_GT_OQ, _mm256_add_pd, _mm256_blendv_pd, _mm256_cmp_pd, _mm256_cvtsd_f64, _mm256_max_pd,
        _mm256_min_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_permute_pd, _mm256_permute2f128_pd, _mm256_set1_pd,
        _mm256_setr_pd, _mm256_setzero_pd, _mm256_sub_pd,
    };
    let (dx, dy, dz) = (_mm256_set1_pd(dir.x), _mm256_set1_pd(dir.y), _mm256_set1_pd(dir.z));
    // per lane: the farthest, the second farthest, and the block of the farthest. Of two numbers, one of which is none, the
    // second one is taken: empty places change nothing
    let look = |Block { x, y, z, .. }: &Block, at: __m256d, [max, second, place]: [__m256d; 3]| {
        let x = _mm256_mul_pd(dx, _mm256_setr_pd(x[0], x[1], x[2], x[3]));
        let y = _mm256_mul_pd(dy, _mm256_setr_pd(y[0], y[1], y[2], y[3]));
        let z = _mm256_mul_pd(dz, _mm256_setr_pd(z[0], z[1], z[2], z[3]));
        let value = _mm256_add_pd(_mm256_add_pd(x, y), z);
        let second = _mm256_max_pd(_mm256_min_pd(max, value), second);
        let place = _mm256_blendv_pd(place, at, _mm256_cmp_pd::<_CMP_GT_OQ>(value, max));
        [_mm256_max_pd(value, max), second, place]
    };
    // even and odd blocks apart: neither waits for the other
    let none = _mm256_set1_pd(f64::NEG_INFINITY);
    let (mut even, mut odd) = ([none, none, _mm256_setzero_pd()], [none, none, _mm256_setzero_pd()]);
    let (one, mut at) = (_mm256_set1_pd(1.0), _mm256_setzero_pd());
    let mut pairs = hull.small.chunks_exact(2);
    for blocks in &mut pairs {
        let next = _mm256_add_pd(at, one);
        even = look(&blocks[0], at, even);
        odd = look(&blocks[1], next, odd);
        at = _mm256_add_pd(next, one);
    }
    for block in pairs.remainder() {
        even = look(block, at, even);
    }
    let ([max0, second0, place0], [max1, second1, place1]) = (even, odd);
    let second = _mm256_max_pd(_mm256_min_pd(max0, max1), _mm256_max_pd(second0, second1));
    let place = _mm256_blendv_pd(place0, place1, _mm256_cmp_pd::<_CMP_GT_OQ>(max1, max0));
    let max = _mm256_max_pd(max0, max1);
    let most = _mm256_max_pd(max, _mm256_permute2f128_pd::<1>(max, max));
    let most = _mm256_max_pd(most, _mm256_permute_pd::<0b0101>(most));
    let limit = _mm256_sub_pd(most, _mm256_set1_pd(hull.ahead));
    let near = |values| _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(values, limit)) as u32;
    let (first, others) = (near(max), near(second));
    if others != 0 || !first.is_power_of_two() {
        return Err(_mm256_cvtsd_f64(most));
    }
    let lane = first.trailing_zeros() as usize;
    Ok(LANES * crate::four::numbers(place)[lane % LANES] as usize + lane)
}

/// [`HullSearch::climb`] for every CPU.
pub(crate) fn climb(hull: &HullSearch, start: usize, mut max: f64, dir: &Vec3) -> usize {
    let mut best = start;
    loop {
        let from = best;
        let (Some(&begin), Some(&end)) = (hull.first.get(from), hull.first.get(from + 1)) else { return best };
        for block in &hull.blocks[begin as usize..end as usize] {
            for lane in 0..LANES {
                let value = dir.x * block.x[lane] + dir.y * block.y[lane] + dir.z * block.z[lane];
                if value > max {
                    (best, max) = (block.id[lane] as usize, value);
                }
            }
        }
        if best == from {
            return best;
        }
    }
}

/// [`HullSearch::climb`] for CPUs with AVX: the same values, four at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
pub(crate) fn climb_avx(hull: &HullSearch, start: usize, max: f64, dir: &Vec3) -> usize {
    use std::arch::x86_64::{
        _CMP_EQ_OQ, _CMP_GT_OQ, _mm256_add_pd, _mm256_cmp_pd, _mm256_max_pd, _mm256_movemask_pd, _mm256_mul_pd,
        _mm256_permute_pd, _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_setr_pd,
    };
    let (dx, dy, dz) = (_mm256_set1_pd(dir.x), _mm256_set1_pd(dir.y), _mm256_set1_pd(dir.z));
    let mut max = _mm256_set1_pd(max);
    let mut best = start;
    loop {
        let from = best;
        let (Some(&begin), Some(&end)) = (hull.first.get(from), hull.first.get(from + 1)) else { return best };
        for Block { x, y, z, id } in &hull.blocks[begin as usize..end as usize] {
            let x = _mm256_mul_pd(dx, _mm256_setr_pd(x[0], x[1], x[2], x[3]));
            let y = _mm256_mul_pd(dy, _mm256_setr_pd(y[0], y[1], y[2], y[3]));
            let z = _mm256_mul_pd(dz, _mm256_setr_pd(z[0], z[1], z[2], z[3]));
            let value = _mm256_add_pd(_mm256_add_pd(x, y), z);
            if _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(value, max)) != 0 {
                // the largest in every lane, then the first lane that has it
                let swapped = _mm256_max_pd(value, _mm256_permute2f128_pd::<1>(value, value));
                max = _mm256_max_pd(swapped, _mm256_permute_pd::<0b0101>(swapped));
                let equal = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(value, max));
                best = id[equal.trailing_zeros() as usize % LANES] as usize;
            }
        }
        if best == from {
            return best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A ring of vertices on a circle with two poles; each vertex is joined to its neighbours and the poles.
    fn spindle(count: usize) -> (Vec<[f32; 3]>, Vec<i32>) {
        let mut vert: Vec<[f32; 3]> = (0..count)
            .map(|i| {
                let (sin, cos) = (std::f64::consts::TAU * i as f64 / count as f64).sin_cos();
                [cos as f32, sin as f32, 0.0]
            })
            .collect();
        vert.extend([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]);
        let (mut adr, mut edges) = (Vec::new(), Vec::new());
        for i in 0..count {
            adr.push(edges.len() as i32);
            edges.extend([(i + 1) % count, (i + count - 1) % count, count, count + 1].map(|x| x as i32));
            edges.push(-1);
        }
        for _ in 0..2 {
            adr.push(edges.len() as i32);
            edges.extend((0..count).map(|x| x as i32));
            edges.push(-1);
        }
        let (nvert, nface) = (vert.len(), 2 * count);
        let mut graph = vec![nvert as i32, nface as i32];
        graph.extend(adr);
        graph.extend((0..nvert).map(|x| x as i32));
        graph.extend(edges);
        graph.extend(vec![0; 3 * nface]);
        (vert, graph)
    }

    proptest! {
        /// Both kinds of code, and the walk over the graph itself, end at the same vertex, ties included.
        #[test]
        fn all_walks_end_at_the_same_vertex(
            count in 3_usize..40, start in 0_usize..40, dir in prop::array::uniform3(-1.0..1.0f64), flat in 0..4,
        ) {
            let (vert, graph) = spindle(count);
            let hull = HullSearch::new(&vert, &graph);
            prop_assert_eq!(hull.len(), count + 2);
            let mut dir = Vec3::from(dir);
            // along an axis, several vertices are equally far
            if flat > 0 {
                dir = Vec3::from_fn(|k, _| if k == flat as usize - 1 { 1.0 } else { 0.0 });
            }
            let start = start % hull.len();
            let least = -f64::from(f32::MAX);
            let plain = climb(&hull, start, least, &dir);
            prop_assert_eq!(hull.climb(start, least, &dir), plain);
            let by_graph = crate::hull_graph::climb(&HullGraph::new(&graph).unwrap(), start, |i| {
                vert.get(i).map(|v| crate::hull_graph::along(&dir, v))
            });
            prop_assert_eq!(by_graph, plain);
            prop_assert_eq!(hull.farthest(start, &dir), plain);
            let ahead = foremost(&hull, &dir);
            prop_assert_eq!(wide::foremost(&hull, &dir), ahead);
            prop_assert!(ahead.is_err() || ahead == Ok(plain), "{ahead:?}, and the walk ends at {plain}");
        }
    }

    #[test]
    fn a_direction_that_is_not_a_number_ends() {
        let (vert, graph) = spindle(9);
        let hull = HullSearch::new(&vert, &graph);
        for bad in [f64::NAN, f64::INFINITY] {
            assert!(hull.climb(3, -1.0, &Vec3::new(bad, 0.0, 1.0)) < hull.len());
            assert!(climb(&hull, 3, -1.0, &Vec3::new(bad, 0.0, 1.0)) < hull.len());
            assert!(hull.farthest(3, &Vec3::new(bad, 0.0, 1.0)) < hull.len());
            assert_eq!(foremost(&hull, &Vec3::new(bad, 0.0, 1.0)), wide::foremost(&hull, &Vec3::new(bad, 0.0, 1.0)));
        }
        assert_eq!(hull.climb(900, -1.0, &Vec3::x()), 900);
    }

    #[test]
    fn broken_graphs_give_no_hull() {
        let (vert, mut graph) = spindle(5);
        assert_eq!(HullSearch::new(&vert[..3], &graph).len(), 0);
        graph[2 + 14] = 99;
        assert_eq!(HullSearch::new(&vert, &graph).len(), 0);
        assert_eq!(HullSearch::new(&[], &[]).len(), 0);
    }
}
