//! Distances to the surface of a mesh, sampled at the corners of an octree.
//!
//! Cells that touch a triangle are cut into eight, down to a fixed depth; then cells beside much smaller ones are cut
//! too, until neighbours differ by one level at most. A corner that lies on an edge or a side of a larger neighbour gets
//! the mean of that neighbour's corners, so that the field has no steps.

mod distance;
mod overlap;

use super::error::MeshError;
use distance::Distance;
use sim_collision::bvh::Node as BvhNode;
use sim_types::{OptId, Vec3};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// Deepest level; the root is level 0.
const MAX_LEVEL: u32 = 6;

/// Most tests of a cell against a triangle; a few seconds.
const MAX_TESTS: u64 = 1 << 28;

/// A cell as the model keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct OctreeCell {
    /// Level, the root is 0.
    pub depth: u32,
    /// Children, counted from the root; bit 0 of the place is the upper half along x, 1 along y, 2 along z.
    pub child: [OptId; 8],
    /// Centre and half sizes.
    pub aabb: [f64; 6],
    /// Signed distances at the corners, in the order of the children.
    pub coeff: [f64; 8],
}

/// Builds the octree of a mesh between `min` and `max`, with some room around it.
#[doc(alias = "mjCOctree::CreateOctree")]
pub(super) fn build(
    vert: &[Vec3],
    face: &[[u32; 3]],
    bvh: &[BvhNode],
    (min, max): (&Vec3, &Vec3),
) -> Result<Vec<OctreeCell>, MeshError> {
    let (centre, half) = ((min + max) / 2.0, (max - min) / 2.0);
    let mut tree = Tree::default();
    tree.cells.push(Cell::default());
    (tree.cells[0].min, tree.cells[0].max) = (centre - 1.1 * half, centre + 1.1 * half);
    tree.number_corners(0);
    tree.refine(vert, face)?;
    tree.balance();
    let hanging = tree.hanging();
    let coeff = tree.coefficients(&hanging, &Distance::new(vert, face, bvh))?;
    let done = tree.cells.iter().map(|cell| {
        let (centre, half) = ((cell.min + cell.max) / 2.0, (cell.max - cell.min) / 2.0);
        OctreeCell {
            depth: cell.level,
            child: cell.children.map_or([OptId::NONE; 8], |c| [0, 1, 2, 3, 4, 5, 6, 7].map(|k| OptId::some(c + k))),
            aabb: [centre.x, centre.y, centre.z, half.x, half.y, half.z],
            coeff: cell.corners.map(|v| coeff[v]),
        }
    });
    Ok(done.collect())
}

/// A cell while the tree grows.
#[derive(Clone, Default)]
struct Cell {
    level: u32,
    /// Parent, and place among its children.
    parent: Option<(usize, usize)>,
    /// The first of eight children, which follow each other.
    children: Option<usize>,
    min: Vec3,
    max: Vec3,
    /// Corners by number.
    corners: [usize; 8],
}

impl Cell {
    fn centre(&self) -> Vec3 {
        (self.min + self.max) / 2.0
    }
}

#[derive(Default)]
struct Tree {
    cells: Vec<Cell>,
    corners: Vec<Vec3>,
    numbers: HashMap<[u64; 3], usize>,
}

impl Tree {
    /// Cuts every cell that touches a triangle, breadth first.
    fn refine(&mut self, vert: &[Vec3], face: &[[u32; 3]]) -> Result<(), MeshError> {
        let triangles: Vec<[Vec3; 3]> = face.iter().map(|f| f.map(|v| vert[v as usize])).collect();
        let all: Vec<u32> = (0..triangles.len() as u32).collect();
        let mut queue = VecDeque::from([(0, Rc::new(all))]);
        let mut tests = 0;
        while let Some((id, candidates)) = queue.pop_front() {
            let (min, max, level) = (self.cells[id].min, self.cells[id].max, self.cells[id].level);
            tests += candidates.len() as u64;
            if tests > MAX_TESTS {
                return Err(MeshError::Budget("too many triangles for an sdf geom".to_owned()));
            }
            if level >= MAX_LEVEL {
                continue;
            }
            let touching = |i: &u32| overlap::touches(&triangles[*i as usize], &min, &max);
            let touching: Vec<u32> = candidates.iter().copied().filter(touching).collect();
            if touching.is_empty() {
                continue;
            }
            let (first, touching) = (self.cut(id), Rc::new(touching));
            queue.extend((first..first + 8).map(|child| (child, Rc::clone(&touching))));
        }
        Ok(())
    }

    /// Cuts a cell into eight; the first of them.
    fn cut(&mut self, id: usize) -> usize {
        let first = self.cells.len();
        let Cell { level, min, max, .. } = self.cells[id];
        let middle = (max + min) / 2.0;
        self.cells[id].children = Some(first);
        for place in 0..8 {
            let upper = |k: usize| place >> k & 1 == 1;
            let pick = |if_upper: &Vec3, if_lower: &Vec3| {
                Vec3::from_fn(|k, _| if upper(k) { if_upper[k] } else { if_lower[k] })
            };
            let (min, max) = (pick(&middle, &min), pick(&max, &middle));
            self.cells.push(Cell { level: level + 1, parent: Some((id, place)), min, max, ..Cell::default() });
            self.number_corners(first + place);
        }
        first
    }

    /// Gives every corner a number; equal corners of several cells share one.
    fn number_corners(&mut self, id: usize) {
        for place in 0..8usize {
            let cell = &self.cells[id];
            let corner = Vec3::from_fn(|k, _| if place >> k & 1 == 1 { cell.max[k] } else { cell.min[k] });
            // adding zero makes a negative zero positive
            let key = [corner.x, corner.y, corner.z].map(|x| (x + 0.0).to_bits());
            let next = self.corners.len();
            let number = *self.numbers.entry(key).or_insert(next);
            if number == next {
                self.corners.push(corner);
            }
            self.cells[id].corners[place] = number;
        }
    }

    /// Cuts cells until no two neighbours differ by more than one level.
    #[doc(alias = "mjCOctree::BalanceOctree")]
    fn balance(&mut self) {
        loop {
            let mut coarse = Vec::new();
            for leaf in self.leaves() {
                let level = self.cells[leaf].level;
                for direction in 0..6 {
                    let Some(neighbour) = self.neighbour(leaf, direction) else { continue };
                    let other = self.cells[neighbour].level;
                    if other > level + 1 {
                        coarse.push(leaf);
                    }
                    if level > other + 1 {
                        coarse.push(neighbour);
                    }
                }
            }
            if coarse.is_empty() {
                return;
            }
            for cell in coarse {
                if self.cells[cell].children.is_none() {
                    self.cut(cell);
                }
            }
        }
    }

    fn leaves(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&id| self.cells[id].children.is_none()).collect()
    }

    /// The leaf beside a cell: `direction` is twice the axis, plus one for its upper side.
    #[doc(alias = "mjCOctree::FindNeighbor")]
    fn neighbour(&self, id: usize, direction: usize) -> Option<usize> {
        let (axis, upper) = (direction / 2, direction % 2 == 1);
        let bit = 1 << axis;

        // up to the first ancestor that has a sibling on that side
        let mut up = id;
        let mut found = loop {
            let (parent, place) = self.cells[up].parent?;
            if upper != (place & bit != 0) {
                break self.cells[parent].children? + (place ^ bit);
            }
            up = parent;
        };

        // down again, along the common side
        let centre = self.cells[id].centre();
        while let Some(children) = self.cells[found].children {
            let other = self.cells[found].centre();
            let mut place = (0..3).filter(|&k| centre[k] > other[k]).fold(0, |place, k| place | 1 << k);
            place = if upper { place & !bit } else { place | bit };
            found = children + place;
        }
        Some(found)
    }

    /// For every corner, the corners of a larger neighbour between which it lies; mostly none.
    #[doc(alias = "mjCOctree::MarkHangingNodes")]
    fn hanging(&self) -> Vec<Vec<usize>> {
        let mut hanging = vec![Vec::new(); self.corners.len()];
        for leaf in self.leaves() {
            for direction in 0..6 {
                let Some(neighbour) = self.neighbour(leaf, direction) else { continue };
                if self.cells[neighbour].level >= self.cells[leaf].level {
                    continue;
                }
                let bit = 1 << (direction / 2);
                for place in (0..8usize).filter(|place| (place & bit != 0) == (direction % 2 == 1)) {
                    let corner = self.cells[leaf].corners[place];
                    if hanging[corner].is_empty() {
                        hanging[corner] = self.between(&self.cells[neighbour], corner);
                    }
                }
            }
        }
        hanging
    }

    /// The corners of `cell` around a point on its surface: two on an edge, four on a side, none at a corner.
    fn between(&self, cell: &Cell, corner: usize) -> Vec<usize> {
        let p = &self.corners[corner];
        let low = [0, 1, 2].map(|k| (p[k] - cell.min[k]).abs() < 1e-9);
        let high = [0, 1, 2].map(|k| (p[k] - cell.max[k]).abs() < 1e-9);
        let fixed = (0..3).filter(|&k| low[k] || high[k]).count();
        if fixed != 1 && fixed != 2 {
            return Vec::new();
        }
        let fits = |place: &usize| (0..3).all(|k| !(low[k] || high[k]) || (place >> k & 1 == 1) == high[k]);
        // around a side across y, the corners go along z first
        let order = if fixed == 1 && (low[1] || high[1]) { [0, 4, 1, 5, 2, 6, 3, 7] } else { [0, 1, 2, 3, 4, 5, 6, 7] };
        order.into_iter().filter(fits).map(|place| cell.corners[place]).collect()
    }

    /// The value at every corner, large cells first.
    fn coefficients(&self, hanging: &[Vec<usize>], distance: &Distance<'_>) -> Result<Vec<f64>, MeshError> {
        let mut known = vec![None; self.corners.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(id) = queue.pop_front() {
            for &corner in &self.cells[id].corners {
                if known[corner].is_some() {
                    continue;
                }
                let around = &hanging[corner];
                let value = if around.is_empty() {
                    Some(distance.signed(&self.corners[corner]))
                } else {
                    let sum: Option<f64> = around.iter().map(|&c| known[c]).sum();
                    sum.map(|sum| sum / around.len() as f64)
                };
                known[corner] = Some(value.ok_or_else(|| MeshError::Budget("an octree with gaps".to_owned()))?);
            }
            queue.extend(self.cells[id].children.into_iter().flat_map(|first| first..first + 8));
        }
        Ok(known.into_iter().map(|value| value.unwrap_or(0.0)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::mesh::{MeshBuiltin, MeshOptions, builtin, process};

    fn ball() -> Vec<OctreeCell> {
        let data = builtin::make(MeshBuiltin::Sphere, &[2.0]).unwrap();
        process(&data, &MeshOptions { needs_sdf: true, ..MeshOptions::default() }).unwrap().octree
    }

    #[test]
    fn corners_hold_the_distance_to_the_surface() {
        let cells = ball();
        let finest = cells.iter().filter(|cell| cell.depth == MAX_LEVEL);
        let mut count = 0;
        for cell in finest {
            let [x, y, z, ..] = cell.aabb;
            let [.., hx, hy, hz] = cell.aabb;
            let corner = Vec3::new(x - hx, y - hy, z - hz);
            // the faces of the polyhedron are a little inside of the sphere
            let gap = corner.norm() - 1.0 - cell.coeff[0];
            assert!((-0.05..0.001).contains(&gap), "{corner:?} {}", cell.coeff[0]);
            count += 1;
        }
        assert!(count > 1000);
    }

    #[test]
    fn children_fill_their_parent() {
        let cells = ball();
        for cell in cells.iter().filter(|cell| cell.child[0] != OptId::NONE) {
            for (place, child) in cell.child.iter().enumerate() {
                let child = &cells[child.get().unwrap()];
                assert_eq!(child.depth, cell.depth + 1);
                for k in 0..3 {
                    let side = if place >> k & 1 == 1 { 0.5 } else { -0.5 };
                    assert!((child.aabb[k] - cell.aabb[k] - side * cell.aabb[k + 3]).abs() < 1e-12);
                }
            }
        }
    }
}
