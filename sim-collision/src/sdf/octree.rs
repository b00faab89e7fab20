//! Distances on an octree, interpolated in its leaves.

use sim_types::{MAXVAL, OptId, Vec3};

/// An octree of distances; node 0 is the root.
#[derive(Clone, Copy, Debug, Default)]
pub struct OctreeView<'a> {
    /// Children per node; bit 0, 1, 2 of the place is set in the upper half of x, y, z. A leaf has none.
    pub child: &'a [[OptId; 8]],
    /// Centre and half sizes per node.
    pub aabb: &'a [[f64; 6]],
    /// Distances at the corners, in the order of the children, per node.
    pub coeff: &'a [[f64; 8]],
}

/// Deeper trees are not searched.
const MAX_DEPTH: usize = 100;

/// The leaf where a point was found last. The next point is mostly near it, and then there is no need to come from the
/// root again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last(usize);

impl Default for Last {
    fn default() -> Self {
        Self(usize::MAX)
    }
}

impl OctreeView<'_> {
    /// Distance of a point. Outside the root box it is that of the nearest point of the box plus the way there.
    #[doc(alias = "oct_distance")]
    pub fn distance(&self, p: &Vec3) -> f64 {
        self.distance_near(p, &mut Last::default())
    }

    /// [`distance`](Self::distance), beginning at the last leaf.
    pub(super) fn distance_near(&self, p: &Vec3, last: &mut Last) -> f64 {
        let Some(root) = self.aabb.first() else { return MAXVAL };
        let (inner, way) = into_box(p, root);
        let Some((leaf, at)) = self.leaf(&inner, last) else { return MAXVAL };
        let mut sum = 0.0;
        for (j, coeff) in leaf.iter().enumerate() {
            sum += side(at.x, j & 1) * side(at.y, j & 2) * side(at.z, j & 4) * coeff;
        }
        if way > 0.0 { sum + way } else { sum }
    }

    /// Direction in which the distance grows.
    ///
    /// Inside the root box the derivative is per edge of the leaf, not per unit of length: its length depends on the size
    /// of the leaf, and in a box that is no cube its direction is skewed, as in MuJoCo.
    #[doc(alias = "oct_gradient")]
    pub fn gradient(&self, p: &Vec3) -> Vec3 {
        self.gradient_near(p, &mut Last::default())
    }

    /// [`gradient`](Self::gradient), beginning at the last leaf.
    pub(super) fn gradient_near(&self, p: &Vec3, last: &mut Last) -> Vec3 {
        const STEP: f64 = 1e-8;
        let Some(root) = self.aabb.first() else { return Vec3::zeros() };
        let (inner, way) = into_box(p, root);

        // outside: differences
        if way > 0.0 || way.is_nan() {
            let here = self.distance_near(p, last);
            let mut along = |k: usize| {
                let mut q = *p;
                q[k] += STEP;
                (self.distance_near(&q, last) - here) / STEP
            };
            return Vec3::new(along(0), along(1), along(2));
        }

        let mut sum = Vec3::zeros();
        let Some((leaf, at)) = self.leaf(&inner, last) else { return sum };
        for (j, coeff) in leaf.iter().enumerate() {
            let (x, y, z) = (side(at.x, j & 1), side(at.y, j & 2), side(at.z, j & 4));
            let sign = |bit: usize| if j & bit == 0 { -1.0 } else { 1.0 };
            sum.x += sign(1) * y * z * coeff;
            sum.y += x * sign(2) * z * coeff;
            sum.z += x * y * sign(4) * coeff;
        }
        sum
    }

    /// Corner values of the leaf that contains a point of the root box, and where in the leaf the point is, from 0 to 1.
    fn leaf(&self, p: &Vec3, last: &mut Last) -> Option<(&[f64; 8], Vec3)> {
        const SLACK: f64 = 1e-8;
        if !self.well_inside(p, last.0) {
            last.0 = self.walk(p)?;
        }
        let (low, high) = corners(self.aabb.get(last.0)?);
        if (0..3).any(|k| p[k] + SLACK < low[k] || p[k] - SLACK > high[k]) {
            return None;
        }
        self.coeff.get(last.0).map(|coeff| (coeff, (p - low).component_div(&(high - low))))
    }

    /// True when the walk from the root would end in this node, beyond any doubt of rounding.
    #[inline]
    fn well_inside(&self, p: &Vec3, node: usize) -> bool {
        const CLEAR: f64 = 1.0 - 1e-6;
        let Some([x, y, z, hx, hy, hz]) = self.aabb.get(node) else { return false };
        (p.x - x).abs() < hx * CLEAR && (p.y - y).abs() < hy * CLEAR && (p.z - z).abs() < hz * CLEAR
    }

    /// The leaf that a point is in, from the root on.
    #[doc(alias = "findOct")]
    fn walk(&self, p: &Vec3) -> Option<usize> {
        let mut node = 0;
        for _ in 0..MAX_DEPTH {
            let (low, high) = corners(self.aabb.get(node)?);
            // the same as a quotient below one half, rounded or not
            let upper = |k: usize, bit: usize| if 2.0 * (p[k] - low[k]) < high[k] - low[k] { 0 } else { bit };
            let children = self.child.get(node)?;
            match children[upper(0, 1) + upper(1, 2) + upper(2, 4)].get() {
                Some(child) => node = child,
                None => return children.iter().all(|c| !c.is_some()).then_some(node),
            }
        }
        None
    }
}

/// Low and high corner of a box given by centre and half sizes.
#[inline]
fn corners([x, y, z, hx, hy, hz]: &[f64; 6]) -> (Vec3, Vec3) {
    (Vec3::new(x - hx, y - hy, z - hz), Vec3::new(x + hx, y + hy, z + hz))
}

/// Weight of the lower (bit clear) or upper side of a cell.
#[inline]
fn side(x: f64, bit: usize) -> f64 {
    if bit == 0 { 1.0 - x } else { x }
}

/// The point moved just inside a box (centre and half sizes), and how far it was outside; not positive inside.
fn into_box(p: &Vec3, aabb: &[f64; 6]) -> (Vec3, f64) {
    const INSET: f64 = 1e-6;
    let r = Vec3::new(p.x - aabb[0], p.y - aabb[1], p.z - aabb[2]);
    let q = Vec3::new(r.x.abs() - aabb[3], r.y.abs() - aabb[4], r.z.abs() - aabb[5]);
    if q.x <= 0.0 && q.y <= 0.0 && q.z <= 0.0 {
        return (*p, q.x.max(q.y.max(q.z)));
    }
    let (mut inner, mut way2) = (*p, 0.0);
    for k in 0..3 {
        if q[k] >= 0.0 {
            way2 += q[k] * q[k];
            inner[k] -= if r[k] > 0.0 { q[k] + INSET } else { -(q[k] + INSET) };
        }
    }
    (inner, way2.sqrt())
}
