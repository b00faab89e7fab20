//! A polygon clipped by the walls over the sides of another, and reduced to few points.

use sim_types::{MINVAL, Vec3};

use super::vec::{cross, dot, norm, same_point};
use crate::MAX_PAIR_CONTACTS;

/// What is clipped: the subject (a polygon or an edge) by the walls over the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    /// Polygon or edge to be cut.
    pub(super) subject: &'a [Vec3],
    /// Polygon whose sides cut.
    pub(super) window: &'a [Vec3],
    /// Normal of the window.
    pub(super) normal: Vec3,
}

/// Memory of the clipper, kept from query to query.
#[derive(Clone, Debug, Default)]
pub(super) struct Clipper {
    polygon: Vec<Vec3>,
    next: Vec<Vec3>,
}

impl Clipper {
    /// The subject inside the window, at most `most` points; `None` when nothing is left or the window is no polygon.
    pub(super) fn clip(&mut self, piece: &Piece<'_>, most: usize) -> Option<&[Vec3]> {
        if piece.window.len() < 3 {
            return None;
        }
        self.polygon.clear();
        self.polygon.extend_from_slice(piece.subject);
        for (i, from) in piece.window.iter().enumerate() {
            let to = &piece.window[(i + 1) % piece.window.len()];
            let wall = cross(&(to - from), &(from + piece.normal - from));
            self.cut(from, &wall);
        }
        if self.polygon.is_empty() {
            return None;
        }

        // too many for the caller: the largest quadrilateral; too many at all: the first ones
        if most < 5 && self.polygon.len() > 4 {
            self.next.clear();
            self.next.extend(largest_quad(&self.polygon).map(|i| self.polygon[i]));
        } else {
            self.next.clear();
            let all = self.polygon.len() > MAX_PAIR_CONTACTS;
            for p in self.polygon.iter().take(MAX_PAIR_CONTACTS) {
                if all || !self.next.iter().any(|q| same_point(q, p)) {
                    self.next.push(*p);
                }
            }
        }
        Some(&self.next)
    }

    /// Cuts the polygon by the wall through `at`; the inside is where `wall` points to.
    fn cut(&mut self, at: &Vec3, wall: &Vec3) {
        let offset = dot(wall, at);
        self.next.clear();
        let inside = |p: &Vec3| dot(&(p - at), wall) > -MINVAL;
        for (i, p) in self.polygon.iter().enumerate() {
            let q = &self.polygon[(i + 1) % self.polygon.len()];
            let (p_inside, q_inside) = (inside(p), inside(q));
            if p_inside != q_inside {
                let step = q - p;
                let t = (offset - dot(wall, p)) / dot(wall, &step);
                if (0.0..=1.0).contains(&t) {
                    self.next.push(p + step * t);
                }
            }
            if q_inside {
                self.next.push(*q);
            }
        }
        std::mem::swap(&mut self.polygon, &mut self.next);
    }
}

/// Four vertices of a convex polygon of five or more that span a large area, found by going around once.
fn largest_quad(polygon: &[Vec3]) -> [usize; 4] {
    let next = |i: usize| (i + 1) % polygon.len();
    let area = |[a, b, c, d]: [usize; 4]| quad_area(&polygon[a], &polygon[b], &polygon[c], &polygon[d]);
    let mut quad = [0, 1, 2, 3];
    let mut best = quad;
    let mut most = area(quad);

    // moves one corner on when that gains area
    let mut advance = |quad: &mut [usize; 4], corner: usize, best: &mut [usize; 4]| {
        let mut moved = *quad;
        moved[corner] = next(moved[corner]);
        let gained = area(moved);
        if gained > most {
            most = gained;
            *quad = moved;
            *best = moved;
            true
        } else {
            false
        }
    };
    for a in 0..polygon.len() {
        quad[0] = a;
        while advance(&mut quad, 3, &mut best) {
            while advance(&mut quad, 2, &mut best) {}
            while advance(&mut quad, 1, &mut best) {}
        }

        // corners that the first one has caught up with make room
        for corner in 1..4 {
            if quad[corner] != quad[corner - 1] {
                break;
            }
            quad[corner] = next(quad[corner]);
        }
    }
    best
}

/// Area of a quadrilateral.
fn quad_area(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    0.5 * norm(&(cross(&(d - a), &(b - d)) + cross(&(c - b), &(a - c))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f64, z: f64) -> Vec<Vec3> {
        [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)].map(|(x, y)| Vec3::new(x * half, y * half, z)).to_vec()
    }

    #[test]
    fn a_small_square_inside_a_large_one_is_kept() {
        let (small, large) = (square(0.5, 0.1), square(1.0, 0.0));
        let mut clipper = Clipper::default();
        let piece = Piece { subject: &small, window: &large, normal: Vec3::z() };
        let kept = clipper.clip(&piece, 8).unwrap();
        assert_eq!(kept.len(), 4);
        assert!(small.iter().all(|p| kept.contains(p)));
    }

    #[test]
    fn a_large_square_is_cut_to_the_small_one() {
        let (small, large) = (square(0.5, 0.1), square(1.0, 0.0));
        let mut clipper = Clipper::default();
        let piece = Piece { subject: &large, window: &small, normal: Vec3::z() };
        let kept = clipper.clip(&piece, 8).unwrap();
        assert_eq!(kept.len(), 4);
        assert!(kept.iter().all(|p| p.x.abs() == 0.5 && p.y.abs() == 0.5 && p.z == 0.0));
    }

    #[test]
    fn an_octagon_is_reduced_to_four_corners() {
        let small = square(0.9, 0.0);
        let s = 0.5f64.sqrt() * 1.1;
        let turned = vec![
            Vec3::new(0.0, 2.0 * s, 0.0),
            Vec3::new(2.0 * s, 0.0, 0.0),
            Vec3::new(0.0, -2.0 * s, 0.0),
            Vec3::new(-2.0 * s, 0.0, 0.0),
        ];
        let mut clipper = Clipper::default();
        let piece = Piece { subject: &turned, window: &small, normal: Vec3::z() };
        assert_eq!(clipper.clip(&piece, 8).unwrap().len(), 8);
        assert_eq!(clipper.clip(&piece, 4).unwrap().len(), 4);
    }

    #[test]
    fn nothing_left_and_no_window() {
        let far: Vec<Vec3> = square(0.1, 0.0).iter().map(|p| p + Vec3::new(5.0, 0.0, 0.0)).collect();
        let window = square(1.0, 0.0);
        let mut clipper = Clipper::default();
        assert!(clipper.clip(&Piece { subject: &far, window: &window, normal: Vec3::z() }, 4).is_none());
        assert!(clipper.clip(&Piece { subject: &far, window: &window[..2], normal: Vec3::z() }, 4).is_none());
    }

    #[test]
    fn nan_ends() {
        let bad = vec![Vec3::repeat(f64::NAN); 7];
        let window = square(1.0, 0.0);
        let mut clipper = Clipper::default();
        let _ = clipper.clip(&Piece { subject: &bad, window: &window, normal: Vec3::z() }, 4);
        let _ = clipper.clip(&Piece { subject: &window, window: &bad, normal: Vec3::z() }, 4);
        assert_eq!(largest_quad(&bad), [0, 1, 2, 3]);
    }
}
