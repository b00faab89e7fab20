//! Bounding volume hierarchy of a body: boxes in its inertial frame, split at the median of the longest side.

use super::pose::{EPS, Pose};
use sim_types::{OptId, Vec3};

/// A box to be enclosed: the pose of its frame in the body, and its centre and half sizes in that frame.
pub(super) struct Leaf {
    pub(super) geom: usize,
    pub(super) pose: Pose,
    pub(super) aabb: [f64; 6],
}

/// One box of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Centre and half sizes in the frame of the whole.
    pub aabb: [f64; 6],
    /// Children, as indices into the same hierarchy.
    pub child: [OptId; 2],
    /// What is inside, for a leaf: a geom or a face.
    pub id: OptId,
    /// Distance from the root.
    pub depth: u32,
}

/// The hierarchy over `leaves`, parents before children; empty when there are none.
#[doc(alias = "mjCBoundingVolumeHierarchy::MakeBVH")]
pub(super) fn build(leaves: &[Leaf], inertial: &Pose) -> Vec<Node> {
    over_boxes(leaves.iter().enumerate().map(|(i, leaf)| Element::new(i, leaf, inertial)).collect())
}

/// The hierarchy over boxes that are given in one frame.
pub(super) fn over_boxes(mut elements: Vec<Element>) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(2 * elements.len());
    if !elements.is_empty() {
        split(&mut elements, 0, &mut nodes);
    }
    nodes
}

/// A box and the point it is sorted by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// Place among its kind; decides when the points agree.
    pub(super) order: usize,
    /// What is inside.
    pub(super) id: usize,
    /// The point it is sorted by.
    pub(super) centre: Vec3,
    /// Smallest coordinates.
    pub(super) min: Vec3,
    /// Largest coordinates.
    pub(super) max: Vec3,
}

impl Element {
    fn new(order: usize, leaf: &Leaf, inertial: &Pose) -> Self {
        // rotations by quaternion, not by matrix: they leave points alone when the quaternion is almost nothing
        let to_frame = |p: Vec3| inertial.quat.conj().rotate(&(p - inertial.pos));
        let [cx, cy, cz, hx, hy, hz] = leaf.aabb;
        let (mut min, mut max) = (Vec3::repeat(f64::MAX), Vec3::repeat(f64::MIN));
        for corner in 0..8 {
            let side = |bit: usize, half: f64| if corner & bit == 0 { -half } else { half };
            let local = Vec3::new(cx + side(1, hx), cy + side(2, hy), cz + side(4, hz));
            let point = to_frame(leaf.pose.quat.rotate(&local) + leaf.pose.pos);
            min = min.inf(&point);
            max = max.sup(&point);
        }
        Self { order, id: leaf.geom, centre: to_frame(leaf.pose.pos), min, max }
    }
}

/// Adds the node over `elements` and everything below it; returns its index. Halving keeps the recursion shallow.
fn split(elements: &mut [Element], depth: u32, nodes: &mut Vec<Node>) -> usize {
    // the box around all elements; flat sides get a little thickness
    let (mut min, mut max) = (Vec3::repeat(f64::MAX), Vec3::repeat(f64::MIN));
    for e in elements.iter() {
        min = min.inf(&e.min);
        max = max.sup(&e.max);
    }
    for k in 0..3 {
        if (min[k] - max[k]).abs() < EPS {
            min[k] -= EPS;
            max[k] += EPS;
        }
    }
    let (centre, half) = ((max + min) / 2.0, (max - min) / 2.0);
    let index = nodes.len();
    let id = if let [only] = elements { OptId::some(only.id) } else { OptId::NONE };
    let aabb = [centre.x, centre.y, centre.z, half.x, half.y, half.z];
    nodes.push(Node { aabb, child: [OptId::NONE; 2], id, depth });
    if elements.len() <= 1 {
        return index;
    }

    // longest side; a later axis must win by a margin
    let side = max - min;
    let mut axis = 0;
    if side.y >= side.x + EPS {
        axis = 1;
    }
    if side.z >= side[axis] + EPS {
        axis = 2;
    }
    let middle = elements.len() / 2;
    divide(elements, axis, middle);
    let (low, high) = elements.split_at_mut(middle);
    let left = split(low, depth + 1, nodes);
    let right = split(high, depth + 1, nodes);
    if let Some(node) = nodes.get_mut(index) {
        node.child = [OptId::some(left), OptId::some(right)];
    }
    index
}

/// Puts the smaller centres before `middle`; centres that agree with the one there up to [`EPS`] go by document order.
fn divide(elements: &mut [Element], axis: usize, middle: usize) {
    let by_centre = |a: &Element, b: &Element| a.centre[axis].total_cmp(&b.centre[axis]).then(a.order.cmp(&b.order));
    let (_, pivot, _) = elements.select_nth_unstable_by(middle, by_centre);
    let pivot = pivot.centre[axis];
    let places: Vec<usize> = (0..elements.len()).filter(|&i| (elements[i].centre[axis] - pivot).abs() <= EPS).collect();
    let mut near: Vec<Element> = places.iter().map(|&i| elements[i]).collect();
    near.sort_unstable_by_key(|e| e.order);
    for (place, element) in places.into_iter().zip(near) {
        elements[place] = element;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_types::Quat;

    fn leaf(geom: usize, x: f64, half: f64) -> Leaf {
        let pose = Pose::new(Vec3::new(x, 0.0, 0.0), Quat::IDENTITY);
        Leaf { geom, pose, aabb: [0.0, 0.0, 0.0, half, half, half] }
    }

    #[test]
    fn n_leaves_make_2n_minus_1_nodes_and_every_box_holds_its_children() {
        let leaves: Vec<Leaf> = (0..7).map(|i| leaf(i, (i * i) as f64, 0.5)).collect();
        let nodes = build(&leaves, &Pose::default());
        assert_eq!(nodes.len(), 13);
        let mut seen: Vec<usize> = nodes.iter().filter_map(|n| n.id.get()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..7).collect::<Vec<_>>());
        for node in &nodes {
            for child in node.child.iter().filter_map(|c| c.get()) {
                let inner = &nodes[child];
                assert_eq!(inner.depth, node.depth + 1);
                for k in 0..3 {
                    assert!(inner.aabb[k] + inner.aabb[k + 3] <= node.aabb[k] + node.aabb[k + 3] + 1e-12);
                    assert!(inner.aabb[k] - inner.aabb[k + 3] >= node.aabb[k] - node.aabb[k + 3] - 1e-12);
                }
            }
        }
    }

    #[test]
    fn the_lower_half_goes_left() {
        let nodes = build(&[leaf(10, 5.0, 1.0), leaf(11, -5.0, 1.0), leaf(12, 0.0, 1.0)], &Pose::default());
        let geoms: Vec<i32> = nodes.iter().map(|n| n.id.raw()).collect();
        assert_eq!(geoms, [-1, 11, -1, 12, 10]);
        assert_eq!(nodes[0].aabb, [0.0, 0.0, 0.0, 6.0, 1.0, 1.0]);
    }

    #[test]
    fn equal_centres_and_nan_keep_document_order() {
        for x in [1.0, f64::NAN] {
            let nodes = build(&[leaf(3, x, 1.0), leaf(4, x, 1.0)], &Pose::default());
            assert_eq!((nodes[1].id.raw(), nodes[2].id.raw()), (3, 4));
        }
        assert!(build(&[], &Pose::default()).is_empty());
    }
}
