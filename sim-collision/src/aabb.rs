//! Boxes and balls around shapes: quick tests that two shapes are apart.
//!
//! A box is given by centre and half sizes in a frame. The tests let pairs pass that are apart, never the reverse, up to
//! rounding; sums are in MuJoCo's order, because shapes that touch exactly are told apart by the last bit.

use sim_types::{MAXVAL, Mat3, Vec3};

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
        self.mat.column(k).into()
    }
}

/// True unless a face of one of the boxes, each in its own frame, separates them by more than the margin.
///
/// A side of [`MAXVAL`] or more is endless: a box with three of them meets everything, one with some of them is not
/// projected on the axes of the other.
#[doc(alias = "mj_collideOBB")]
pub fn oriented_boxes_near(box1: &Aabb, frame1: &Frame, box2: &Aabb, frame2: &Frame, margin: f64) -> bool {
    let (boxes, frames) = ([box1, box2], [frame1, frame2]);
    let centre = [0, 1].map(|i| frames[i].mat * Vec3::new(boxes[i][0], boxes[i][1], boxes[i][2]) + frames[i].pos);
    faces_overlap(&boxes, margin, |i, j, k| {
        let axis = frames[j].axis(k);
        let product = Vec3::from_fn(|l, _| frames[i].axis(l).dot(&axis));
        (centre[i].dot(&axis), product)
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
        let on = |j: usize, k: usize, v: &Vec3| v.dot(&frames[j].axis(k));
        let axes = |i: usize, j: usize, k: usize| Vec3::from_fn(|l, _| on(j, k, &frames[i].axis(l)));
        Self {
            product: [0, 1].map(|i| [0, 1].map(|j| [0, 1, 2].map(|k| axes(i, j, k)))),
            offset: [0, 1].map(|i| [0, 1].map(|j| [0, 1, 2].map(|k| on(j, k, &frames[i].pos)))),
        }
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
    let endless = boxes.map(|b| b[3..].iter().filter(|half| **half >= MAXVAL).count());
    if endless.contains(&3) {
        return true;
    }
    for j in 0..2 {
        if endless[1 - j] > 0 {
            continue;
        }
        for k in 0..3 {
            let [(place1, radius1), (place2, radius2)] = [0, 1].map(|i| {
                let (place, on) = project(i, j, k);
                let b = boxes[i];
                (place, (b[3] * on.x).abs() + (b[4] * on.y).abs() + (b[5] * on.z).abs())
            });
            if radius1 + radius2 + margin < (place2 - place1).abs() {
                return false;
            }
        }
    }
    true
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
            prop_assert!(!spheres_apart(&a.pos, &b.pos, Vec3::from(half1).norm() + Vec3::from(half2).norm() + 1e-12));
        }
    }
}
