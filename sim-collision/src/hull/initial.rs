//! The first tetrahedron.

use super::Fail;
use super::plane::{Point, Tolerance, dot, sub};
use super::state::{Id, NONE, State};

/// A simplex so thin that its volume is less than this share of what its width suggests is looked at twice.
const THIN: f64 = 1e-3;
/// Two facets whose normals are this opposite make a hull too narrow to trust.
const NARROW: f64 = -0.99999999;

/// Points with the smallest and largest coordinate along each axis.
pub(super) fn extremes(points: &[Point]) -> [usize; 6] {
    let mut out = [0; 6];
    for k in 0..3 {
        let (mut min, mut max) = (0, 0);
        for (i, p) in points.iter().enumerate() {
            if points[max][k] < p[k] {
                max = i;
            } else if points[min][k] > p[k] {
                min = i;
            }
        }
        out[2 * k] = min;
        out[2 * k + 1] = max;
    }
    out
}

/// Tolerances for points with these extremes.
pub(super) fn tolerance(points: &[Point], extremes: &[usize; 6]) -> Tolerance {
    let side = |odd: usize| [0, 1, 2].map(|k| points[extremes[2 * k + odd]][k]);
    Tolerance::new(&side(0), &side(1))
}

impl State<'_> {
    /// Builds the first tetrahedron and hands every point to a facet that it is above.
    pub(super) fn start(&mut self, extremes: &[usize; 6]) -> Result<(), Fail> {
        if self.tol.width <= 0.0 {
            return Err(Fail::Flat);
        }
        let simplex = self.largest_simplex(extremes)?;
        let mut vertices: Vec<Id> = simplex.iter().map(|&p| self.new_vertex(p as u32)).collect();
        vertices.reverse();
        self.create_simplex(&vertices);
        self.orient_simplex(&vertices)?;
        self.partition_all(&simplex)?;
        self.reset_lists(true);
        self.facet_next = self.facet_list;
        self.furthest_next();
        Ok(())
    }

    /// Four points that span much: the ends along x, then whatever makes the largest area and volume.
    fn largest_simplex(&self, extremes: &[usize; 6]) -> Result<[usize; 4], Fail> {
        let x = |i: usize| self.points[i][0];
        let (mut low, mut high) = (extremes[0], extremes[0]);
        for &i in extremes {
            if x(high) < x(i) {
                high = i;
            }
            if x(low) > x(i) {
                low = i;
            }
        }
        if low == high {
            return Err(Fail::Flat);
        }
        let mut simplex = vec![low, high];
        let mut size = x(high) - x(low);
        while simplex.len() < 4 {
            let (point, larger) = self.extend_simplex(&simplex, extremes, size)?;
            simplex.push(point);
            size = larger;
        }
        simplex.try_into().map_err(|_| Fail::Flat)
    }

    /// The point that extends a simplex most: one of the extremes, or any if those are not good enough.
    fn extend_simplex(&self, simplex: &[usize], extremes: &[usize; 6], size: f64) -> Result<(usize, f64), Fail> {
        let mut best = (NONE, -1.0, false);
        for &i in extremes {
            if !simplex.contains(&i) && i != best.0 {
                let (det, near_zero) = self.determinant(i, simplex);
                if det > best.1 {
                    best = (i, det, near_zero);
                }
            }
        }
        let target = size * self.tol.width;
        let thin = best.1 > 0.0 && best.1 / target < THIN;
        if best.0 == NONE || best.2 || thin {
            for i in 0..self.points.len() {
                if extremes.contains(&i) || simplex.contains(&i) {
                    continue;
                }
                let (det, near_zero) = self.determinant(i, simplex);
                if det > best.1 {
                    best = (i, det, near_zero);
                    if !near_zero && det > 10.0 * THIN * target {
                        break;
                    }
                }
            }
        }
        if best.0 == NONE { Err(Fail::Flat) } else { Ok((best.0, best.1)) }
    }

    /// Size of the simplex with `apex`, in the plane of x and y or in space, and whether rounding may explain it.
    fn determinant(&self, apex: usize, simplex: &[usize]) -> (f64, bool) {
        let row = |i: usize| sub(&self.points[simplex[i]], &self.points[apex]);
        let (a, b) = (row(0), row(1));
        if simplex.len() == 2 {
            let det = a[0] * b[1] - a[1] * b[0];
            return (det.abs(), det.abs() < 10.0 * self.tol.near_zero[1]);
        }
        let c = row(2);
        let det2 = |p: &Point, q: &Point| p[1] * q[2] - p[2] * q[1];
        let det = a[0] * det2(&b, &c) - b[0] * det2(&a, &c) + c[0] * det2(&a, &b);
        (det.abs(), det.abs() < 10.0 * self.tol.near_zero[2])
    }

    /// Four facets, each without one of the vertices.
    fn create_simplex(&mut self, vertices: &[Id]) {
        let mut new = Vec::new();
        for (i, &vertex) in vertices.iter().enumerate() {
            let facet = self.new_facet();
            self.facets[facet].vertices = vertices.iter().copied().filter(|&v| v != vertex).collect();
            self.facets[facet].top_orient = i % 2 == 0;
            self.append_facet(facet);
            self.append_vertex(vertex);
            new.push(facet);
        }
        for &facet in &new {
            self.facets[facet].neighbors = new.iter().copied().filter(|&f| f != facet).collect();
        }
    }

    /// Planes of the first facets, all facing out.
    fn orient_simplex(&mut self, vertices: &[Id]) -> Result<(), Fail> {
        self.reset_lists(true);
        self.facet_next = self.facet_list;
        self.interior = self.mean(vertices);
        let facets = self.facets_from(self.facet_list);

        // the first facet decides the sense of all
        let start = facets[0];
        self.set_plane(start)?;
        self.facets[start].flipped = false;
        if self.height(&self.interior.clone(), start)? > self.tol.dist_round {
            for &f in &facets {
                self.facets[f].top_orient ^= true;
            }
            self.set_plane(start)?;
        }
        for &f in &facets[1..] {
            self.set_plane(f)?;
        }
        let interior = self.interior;
        for &f in &facets {
            self.facets[f].flipped = false;
            if self.height(&interior, f)? > self.tol.dist_round {
                return Err(Fail::Flat);
            }
        }

        // a flat simplex has its middle in a facet, or a vertex in the opposite facet
        let mut min_angle = f64::MAX;
        for &f in &facets {
            if !self.check_flipped(f)? {
                return Err(Fail::Flat);
            }
            for (i, &n) in self.facets[f].neighbors.iter().enumerate() {
                if let (Some(a), Some(b)) = (self.facets[f].plane, self.facets[n].plane) {
                    min_angle = min_angle.min(dot(&a.normal, &b.normal));
                }
                if self.height(&self.at(self.facets[f].vertices[i]), n)? >= -self.tol.dist_round {
                    return Err(Fail::Flat);
                }
            }
        }
        self.narrow = min_angle < NARROW;
        Ok(())
    }

    /// Mean of vertices.
    pub(super) fn mean(&self, vertices: &[Id]) -> Point {
        [0, 1, 2].map(|k| vertices.iter().fold(0.0, |sum, &v| sum + self.at(v)[k]) / vertices.len() as f64)
    }

    /// Computes the plane of a facet from its first three vertices.
    pub(super) fn set_plane(&mut self, facet: Id) -> Result<(), Fail> {
        let &[a, b, c] = self.facets[facet].vertices.first_chunk().ok_or(Fail::Topology)?;
        let rows = [self.at(a), self.at(b), self.at(c)];
        let plane = super::plane::Plane::through(rows, self.facets[facet].top_orient, &self.interior, &self.tol);
        self.facets[facet].plane = Some(plane);
        self.check_flipped(facet)?;
        Ok(())
    }

    /// False, and marked, when the inside of the hull is not clearly below the facet.
    fn check_flipped(&mut self, facet: Id) -> Result<bool, Fail> {
        if self.facets[facet].flipped {
            return Ok(false);
        }
        let flipped = self.height(&self.interior.clone(), facet)? >= -self.tol.dist_round;
        self.facets[facet].flipped = flipped;
        Ok(!flipped)
    }
}
