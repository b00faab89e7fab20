//! Boxes and balls around shapes: quick tests that two shapes are apart.
//!
//! A box is given by centre and half sizes in a frame. The tests let pairs pass that are apart, never the reverse, up to
//! rounding; sums are in MuJoCo's order, because shapes that touch exactly are told apart by the last bit.

use sim_types::{MAXVAL, Mat3, Vec3};

use crate::convex::{rotate, rotate_t};

/// Centre and half sizes.
pub type Aabb = [f64; 6];

/// True when the balls are farther apart than the margin.
#[inline]
#[doc(alias = "mj_filterSphere")]
pub fn spheres_apart(centre1: &Vec3, centre2: &Vec3, reach: f64) -> bool {
    (centre1 - centre2).norm_squared() > reach * reach
}

/// True when a ball is higher above a plane than the margin.
#[inline]
pub fn sphere_above_plane(origin: &Vec3, normal: &Vec3, centre: &Vec3, reach: f64) -> bool {
    (centre - origin).dot(normal) > reach
}

/// True when a ball with radius `reach` does not touch a box in a frame of its own.
#[inline]
pub fn ball_apart(centre: &Vec3, reach: f64, aabb: &Aabb, (pos, mat): (&Vec3, &Mat3)) -> bool {
    let local = rotate_t(mat, &(centre - pos));
    let past = |k: usize| ((local[k] - aabb[k]).abs() - aabb[k + 3]).max(0.0);
    let [x, y, z] = [past(0), past(1), past(2)];
    reach >= 0.0 && x * x + y * y + z * z > reach * reach
}

/// True when two boxes in one frame are nearer than the margin on every axis.
#[inline]
#[doc(alias = "filterBox")]
pub fn boxes_near(a: &Aabb, b: &Aabb, margin: f64) -> bool {
    (0..3).all(|k| a[k] + a[k + 3] + margin >= b[k] - b[k + 3] && b[k] + b[k + 3] + margin >= a[k] - a[k + 3])
}

/// Position and axes of a frame; axes as columns.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Origin.
    pub pos: Vec3,
    /// Axes.
    pub mat: Mat3,
}

impl Frame {
    #[inline]
    fn axis(&self, k: usize) -> Vec3 {
        Vec3::new(self.mat[(0, k)], self.mat[(1, k)], self.mat[(2, k)])
    }
}

/// True unless a face of one of the boxes, each in its own frame, separates them by more than the margin.
///
/// A side of [`MAXVAL`] or more is endless: a box with three of them meets everything, one with some of them is not
/// projected on the axes of the other.
#[doc(alias = "mj_collideOBB")]
pub fn oriented_boxes_near(box1: &Aabb, frame1: &Frame, box2: &Aabb, frame2: &Frame, margin: f64) -> bool {
    let (boxes, frames) = ([box1, box2], [frame1, frame2]);
    let middle = |i: usize| rotate(&frames[i].mat, &Vec3::new(boxes[i][0], boxes[i][1], boxes[i][2])) + frames[i].pos;
    let centre = [middle(0), middle(1)];
    faces_overlap(&boxes, margin, |i, j, k| {
        let axis = frames[j].axis(k);
        let on = |l: usize| frames[i].axis(l).dot(&axis);
        (centre[i].dot(&axis), Vec3::new(on(0), on(1), on(2)))
    })
}

/// Two frames whose boxes are tested against each other many times.
#[derive(Clone, Copy, Debug)]
pub struct FramePair {
    /// Axes of frame i on axis k of frame j.
    product: [[[Vec3; 3]; 2]; 2],
    /// Origin of frame i on axis k of frame j.
    offset: [[[f64; 3]; 2]; 2],
}

impl FramePair {
    /// Computes what all boxes in these frames have in common.
    pub fn new(frame1: &Frame, frame2: &Frame) -> Self {
        let frames = [frame1, frame2];
        let mut all = Self { product: [[[Vec3::zeros(); 3]; 2]; 2], offset: [[[0.0; 3]; 2]; 2] };
        for j in 0..2 {
            for k in 0..3 {
                let axis = frames[j].axis(k);
                for i in 0..2 {
                    let on = |l: usize| frames[i].axis(l).dot(&axis);
                    all.product[i][j][k] = Vec3::new(on(0), on(1), on(2));
                    all.offset[i][j][k] = frames[i].pos.dot(&axis);
                }
            }
        }
        all
    }

    /// [`oriented_boxes_near`] for a box in the first frame and one in the second.
    #[inline]
    pub fn near(&self, box1: &Aabb, box2: &Aabb, margin: f64) -> bool {
        let boxes = [box1, box2];
        faces_overlap(&boxes, margin, |i, j, k| {
            let product = self.product[i][j][k];
            let b = boxes[i];
            (b[0] * product.x + b[1] * product.y + b[2] * product.z + self.offset[i][j][k], product)
        })
    }
}

/// The test on the six face normals; `project(i, j, k)` gives the centre of box i and its axes on axis k of box j.
#[inline]
fn faces_overlap(boxes: &[&Aabb; 2], margin: f64, project: impl Fn(usize, usize, usize) -> (f64, Vec3)) -> bool {
    let count = |b: &Aabb| usize::from(b[3] >= MAXVAL) + usize::from(b[4] >= MAXVAL) + usize::from(b[5] >= MAXVAL);
    let endless = [count(boxes[0]), count(boxes[1])];
    if endless[0] == 3 || endless[1] == 3 {
        return true;
    }
    let shadow = |i: usize, j: usize, k: usize| {
        let (place, on) = project(i, j, k);
        let b = boxes[i];
        (place, (b[3] * on.x).abs() + (b[4] * on.y).abs() + (b[5] * on.z).abs())
    };
    for j in 0..2 {
        if endless[1 - j] > 0 {
            continue;
        }
        for k in 0..3 {
            let ((place1, radius1), (place2, radius2)) = (shadow(0, j, k), shadow(1, j, k));
            if radius1 + radius2 + margin < (place2 - place1).abs() {
                return false;
            }
        }
    }
    true
}

/// True when a face of one box, or a direction at right angles to an edge of each, separates two boxes by more than the
/// margin, which must allow for rounding. Frames are origin and axes. Unlike [`oriented_boxes_near`] this leaves nothing
/// but slanted corners undecided.
#[inline]
pub fn boxes_apart(
    box1: &Aabb,
    (pos1, mat1): (&Vec3, &Mat3),
    box2: &Aabb,
    (pos2, mat2): (&Vec3, &Mat3),
    margin: f64,
) -> bool {
    let middle = |b: &Aabb, pos: &Vec3, mat: &Mat3| rotate(mat, &Vec3::new(b[0], b[1], b[2])) + pos;
    let apart = middle(box2, pos2, mat2) - middle(box1, pos1, mat1);
    let (half1, half2) = ([box1[3], box1[4], box1[5]], [box2[3], box2[4], box2[5]]);
    let (mut between, mut turn, mut size) = ([0.0; 3], [[0.0; 3]; 3], [[0.0_f64; 3]; 3]);

    // faces of the first box
    for i in 0..3 {
        let axis = Vec3::new(mat1[(0, i)], mat1[(1, i)], mat1[(2, i)]);
        between[i] = axis.dot(&apart);
        for j in 0..3 {
            turn[i][j] = axis.x * mat2[(0, j)] + axis.y * mat2[(1, j)] + axis.z * mat2[(2, j)];
            size[i][j] = turn[i][j].abs();
        }
        let reach = half1[i] + half2[0] * size[i][0] + half2[1] * size[i][1] + half2[2] * size[i][2];
        if between[i].abs() > reach + margin {
            return true;
        }
    }
    // faces of the second
    for j in 0..3 {
        let place = between[0] * turn[0][j] + between[1] * turn[1][j] + between[2] * turn[2][j];
        let reach = half2[j] + half1[0] * size[0][j] + half1[1] * size[1][j] + half1[2] * size[2][j];
        if place.abs() > reach + margin {
            return true;
        }
    }
    // edges of both; the direction is shorter than one, which makes the margin larger than it need be
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let place = between[i2] * turn[i1][j] - between[i1] * turn[i2][j];
            let reach1 = half1[i1] * size[i2][j] + half1[i2] * size[i1][j];
            let reach2 = half2[j1] * size[i][j2] + half2[j2] * size[i][j1];
            if place.abs() > reach1 + reach2 + margin {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sim_types::Quat;

    fn frame(pos: [f64; 3], axis: [f64; 3], angle: f64) -> Frame {
        let mut axis = Vec3::from(axis);
        sim_types::math::normalize3(&mut axis);
        Frame { pos: pos.into(), mat: Quat::from_axis_angle(&axis, angle).to_mat() }
    }

    #[test]
    fn a_ball_beside_a_corner_is_apart_though_its_box_is_not() {
        let (aabb, pos, mat) = ([1.0, 0.0, 0.0, 1.0, 1.0, 1.0], Vec3::zeros(), Mat3::identity());
        let apart = |x: f64, reach: f64| ball_apart(&Vec3::new(2.0 + x, 1.0 + x, 1.0 + x), reach, &aabb, (&pos, &mat));
        assert!(apart(0.6, 1.0) && !apart(0.57, 1.0) && !apart(-0.5, 0.1));
        assert!(!apart(9.0, -1.0) && !apart(f64::NAN, 1.0));
    }

    #[test]
    fn apart_along_a_turned_face() {
        let unit = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let a = frame([0.0; 3], [0.0, 0.0, 1.0], 0.0);
        let b = frame([2.5, 0.0, 0.0], [0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_4);
        assert!(!oriented_boxes_near(&unit, &a, &unit, &b, 0.05));
        assert!(oriented_boxes_near(&unit, &a, &unit, &b, 0.1));
        assert!(FramePair::new(&a, &b).near(&unit, &unit, 0.1) && !FramePair::new(&a, &b).near(&unit, &unit, 0.05));
    }

    #[test]
    fn a_plane_is_endless_sideways_but_not_upwards() {
        let half_space = [0.0, 0.0, -MAXVAL / 2.0, MAXVAL, MAXVAL, MAXVAL / 2.0];
        let unit = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let plane = frame([0.0; 3], [0.0, 0.0, 1.0], 0.0);
        for (z, near) in [(1.5, false), (0.9, true), (-50.0, true)] {
            let b = frame([1e3, -1e3, z], [0.0, 0.0, 1.0], 0.3);
            assert_eq!(oriented_boxes_near(&half_space, &plane, &unit, &b, 0.0), near);
        }
        assert!(oriented_boxes_near(&[0.0, 0.0, 0.0, MAXVAL, MAXVAL, MAXVAL], &plane, &unit, &plane, 0.0));
    }

    /// Two sticks that cross at a distance: no face tells, their edges do.
    #[test]
    fn sticks_that_cross_are_told_apart_by_their_edges() {
        let stick = [0.0, 0.0, 0.0, 5.0, 0.1, 0.1];
        let quarter = std::f64::consts::FRAC_PI_4;
        let a = frame([0.0; 3], [1.0, 0.0, 0.0], quarter);
        let mut b = frame([0.0, 0.0, 0.27], [0.0, 0.0, 1.0], 2.0 * quarter);
        b.mat *= frame([0.0; 3], [1.0, 0.0, 0.0], quarter).mat;
        for (z, apart) in [(0.30, true), (0.28, false)] {
            b.pos.z = z;
            assert!(oriented_boxes_near(&stick, &a, &stick, &b, 0.0));
            assert_eq!(boxes_apart(&stick, (&a.pos, &a.mat), &stick, (&b.pos, &b.mat), 0.0), apart);
        }
    }

    #[test]
    fn boxes_in_one_frame() {
        let (a, b) = ([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], [2.5, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert!(!boxes_near(&a, &b, 0.4) && boxes_near(&b, &a, 0.5));
    }

    proptest! {
        /// Boxes that share a point are never told apart, and both forms of the test agree.
        #[test]
        fn boxes_with_a_common_point_are_near(
            half1 in prop::array::uniform3(0.01..2.0f64), half2 in prop::array::uniform3(0.01..2.0f64),
            in1 in prop::array::uniform3(-1.0..1.0f64), in2 in prop::array::uniform3(-1.0..1.0f64),
            axis in prop::array::uniform3(-1.0..1.0f64), angle in -3.0..3.0f64, pos in prop::array::uniform3(-9.0..9.0f64),
        ) {
            let a = frame(pos, [1.0, 2.0, 3.0], 0.7);
            let mut b = frame([0.0; 3], axis, angle);
            let common = a.mat * Vec3::from(in1).component_mul(&Vec3::from(half1)) + a.pos;
            b.pos = common - b.mat * Vec3::from(in2).component_mul(&Vec3::from(half2));
            let of = |half: [f64; 3]| [0.0, 0.0, 0.0, half[0], half[1], half[2]];
            prop_assert!(oriented_boxes_near(&of(half1), &a, &of(half2), &b, 1e-12));
            prop_assert!(FramePair::new(&a, &b).near(&of(half1), &of(half2), 1e-12));
            prop_assert!(!boxes_apart(&of(half1), (&a.pos, &a.mat), &of(half2), (&b.pos, &b.mat), 1e-12));
            prop_assert!(!spheres_apart(&a.pos, &b.pos, Vec3::from(half1).norm() + Vec3::from(half2).norm() + 1e-12));
        }
    }
}
