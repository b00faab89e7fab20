//! Bounding volume hierarchy of a body: the boxes of its geoms, in its inertial frame.

use super::pose::Pose;
use sim_collision::bvh::{self, Element, Node};
use sim_types::Vec3;

/// A box to be enclosed: the pose of its frame in the body, and its centre and half sizes in that frame.
pub(super) struct Leaf {
    pub(super) geom: usize,
    pub(super) pose: Pose,
    pub(super) aabb: [f64; 6],
}

/// The hierarchy over `leaves`, parents before children; empty when there are none.
#[doc(alias = "mjCBoundingVolumeHierarchy::CreateBVH")]
pub(super) fn build(leaves: &[Leaf], inertial: &Pose) -> Vec<Node> {
    let mut elements: Vec<Element> = leaves.iter().enumerate().map(|(i, leaf)| element(i, leaf, inertial)).collect();
    bvh::build(&mut elements)
}

/// A leaf in the inertial frame.
fn element(order: usize, leaf: &Leaf, inertial: &Pose) -> Element {
    // rotations by quaternion, not by matrix: they leave points alone when the quaternion is almost nothing
    let (turn, place) = (inertial.quat.conj(), leaf.pose.pos - inertial.pos);
    let [cx, cy, cz, hx, hy, hz] = leaf.aabb;
    let (mut min, mut max) = (Vec3::repeat(f64::MAX), Vec3::repeat(f64::MIN));
    for corner in 0..8 {
        let side = |bit: usize, half: f64| if corner & bit == 0 { -half } else { half };
        let local = Vec3::new(cx + side(1, hx), cy + side(2, hy), cz + side(4, hz));
        let point = turn.rotate(&(leaf.pose.quat.rotate(&local) + place));
        min = min.inf(&point);
        max = max.sup(&point);
    }
    Element { order, id: leaf.geom, centre: turn.rotate(&place), min, max }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_types::Quat;

    #[test]
    fn leaves_are_seen_from_the_inertial_frame() {
        let leaf = |geom, x| Leaf {
            geom,
            pose: Pose::new(Vec3::new(x, 0.0, 0.0), Quat::IDENTITY),
            aabb: [0.0, 0.0, 0.5, 1.0, 2.0, 3.0],
        };
        let quarter = Quat::from_axis_angle(&Vec3::z(), std::f64::consts::FRAC_PI_2);
        let inertial = Pose::new(Vec3::new(1.0, 0.0, 0.0), quarter);
        let nodes = build(&[leaf(7, 5.0), leaf(8, -5.0)], &inertial);
        let ids: Vec<i32> = nodes.iter().map(|n| n.id.raw()).collect();
        // x of the body is −y of the inertial frame
        assert_eq!(ids, [-1, 7, 8]);
        let want = [0.0, -4.0, 0.5, 2.0, 1.0, 3.0];
        assert!(nodes[1].aabb.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-12), "{:?}", nodes[1].aabb);
        assert!(build(&[], &inertial).is_empty());
    }
}
