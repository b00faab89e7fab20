//! Trees of boxes: how they are built, and which leaves of two of them may touch.

mod select;

use crate::TreeView;
use crate::aabb::{Aabb, FramePair};
use crate::broadphase::MOST_PAIRS;
use sim_types::{OptId, Vec3};

/// Sides thinner than this are thickened by it; lengths and places must differ by it to count as different.
#[doc(alias = "mjEPS")]
const EPS: f64 = 1e-14;

/// A box to be enclosed, in the frame of the tree.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Place among its kind; decides when the points it is sorted by agree.
    pub order: usize,
    /// What is inside: a geom, a triangle.
    pub id: usize,
    /// The point it is sorted by.
    pub centre: Vec3,
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates.
    pub max: Vec3,
}

/// One box of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Centre and half sizes.
    pub aabb: Aabb,
    /// Children, as indices into the same tree.
    pub child: [OptId; 2],
    /// What is inside, for a leaf.
    pub id: OptId,
    /// Distance from the root.
    pub depth: u32,
}

/// The tree over `elements`, parents before children, split at the median of the longest side.
#[doc(alias = "mjCBoundingVolumeHierarchy::MakeBVH")]
pub fn build(elements: &mut [Element]) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(2 * elements.len());
    if !elements.is_empty() {
        split(elements, 0, &mut nodes);
    }
    nodes
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

/// Puts the smaller centres before `middle`; centres that agree up to [`EPS`] go by their order.
fn divide(elements: &mut [Element], axis: usize, middle: usize) {
    let less = |a: &Element, b: &Element| {
        let (x, y) = (a.centre[axis], b.centre[axis]);
        if (x - y).abs() > EPS { x < y } else { a.order < b.order }
    };
    if !select::select(elements, middle, less) {
        let key = |e: &Element| e.centre[axis];
        elements.sort_unstable_by(|a, b| key(a).total_cmp(&key(b)).then(a.order.cmp(&b.order)));
    }
}

/// Calls `found` with the contents of every two leaves of two trees whose parents' boxes are within the margin.
///
/// Leaves are not tested themselves: what they hold has tighter boxes and margins of its own. `stack` is scratch; once it
/// has grown to the depth of the trees nothing is allocated. False when it stopped after [`MOST_PAIRS`] of them.
#[doc(alias = "mj_collideTree")]
pub fn collide_trees(
    trees: [&TreeView<'_>; 2],
    frames: &FramePair,
    margin: f64,
    stack: &mut Vec<[u32; 2]>,
    mut found: impl FnMut(usize, usize),
) -> bool {
    let mut room = MOST_PAIRS;
    stack.clear();
    stack.push([0, 0]);
    while let Some(pair) = stack.pop() {
        let node = [0, 1].map(|i| Visit::new(trees[i], pair[i] as usize));
        let [Some(first), Some(second)] = node else { continue };
        let split = match (first.id, second.id) {
            (Some(a), Some(b)) => {
                let Some(left) = room.checked_sub(1) else { return false };
                room = left;
                found(a, b);
                continue;
            }
            (None, Some(_)) => 0,
            (Some(_), None) => 1,
            (None, None) => usize::from(surface(first.aabb) <= surface(second.aabb)),
        };
        if !frames.near(first.aabb, second.aabb, margin) {
            continue;
        }
        // children come after their parents in a sound tree, so that the walk ends on any
        let parent = pair[split];
        for child in [&first, &second][split].child.iter().filter_map(|c| c.get()) {
            if child > parent as usize {
                let mut next = pair;
                next[split] = child as u32;
                stack.push(next);
            }
        }
    }
    true
}

/// A node of a tree while walking.
struct Visit<'a> {
    aabb: &'a Aabb,
    child: &'a [OptId; 2],
    id: Option<usize>,
}

impl<'a> Visit<'a> {
    fn new(tree: &TreeView<'a>, node: usize) -> Option<Self> {
        Some(Self { aabb: tree.aabb.get(node)?, child: tree.child.get(node)?, id: tree.nodeid.get(node)?.get() })
    }
}

/// What MuJoCo takes for the surface of a box: it reads centre and half sizes as two corners. It decides which of two
/// nodes is split, and so which boxes are compared.
fn surface(b: &Aabb) -> f64 {
    let [x, y, z] = [b[3] - b[0], b[4] - b[1], b[5] - b[2]];
    x * y + y * z + z * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aabb::{Frame, oriented_boxes_near};
    use proptest::prelude::*;
    use sim_types::{Mat3, Quat};

    fn element(id: usize, centre: Vec3, half: f64) -> Element {
        Element { order: id, id, centre, min: centre.add_scalar(-half), max: centre.add_scalar(half) }
    }

    struct Tree {
        child: Vec<[OptId; 2]>,
        nodeid: Vec<OptId>,
        aabb: Vec<Aabb>,
    }

    impl Tree {
        fn new(mut elements: Vec<Element>) -> Self {
            let nodes = build(&mut elements);
            Self {
                child: nodes.iter().map(|n| n.child).collect(),
                nodeid: nodes.iter().map(|n| n.id).collect(),
                aabb: nodes.iter().map(|n| n.aabb).collect(),
            }
        }

        fn view(&self) -> TreeView<'_> {
            TreeView { child: &self.child, nodeid: &self.nodeid, aabb: &self.aabb }
        }
    }

    #[test]
    fn n_elements_make_2n_minus_1_nodes_and_every_box_holds_its_children() {
        let mut elements: Vec<_> = (0..7).map(|i| element(i, Vec3::new((i * i) as f64, 0.0, 0.0), 0.5)).collect();
        let nodes = build(&mut elements);
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
        let places = [(10, 5.0), (11, -5.0), (12, 0.0)];
        let nodes = build(&mut places.map(|(id, x)| element(id, Vec3::new(x, 0.0, 0.0), 1.0)));
        let ids: Vec<i32> = nodes.iter().map(|n| n.id.raw()).collect();
        assert_eq!(ids, [-1, 11, -1, 12, 10]);
        assert_eq!(nodes[0].aabb, [0.0, 0.0, 0.0, 6.0, 1.0, 1.0]);
    }

    #[test]
    fn equal_centres_and_nan_keep_their_order() {
        for x in [1.0, f64::NAN] {
            let nodes = build(&mut [3, 4].map(|id| element(id, Vec3::new(x, 0.0, 0.0), 1.0)));
            assert_eq!((nodes[1].id.raw(), nodes[2].id.raw()), (3, 4));
        }
        assert!(build(&mut []).is_empty());
    }

    #[test]
    fn a_walk_over_broken_trees_ends() {
        let child = [[OptId::some(0), OptId::some(1)], [OptId::some(1), OptId::some(900)]];
        let broken = TreeView { child: &child, nodeid: &[OptId::NONE; 2], aabb: &[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]; 2] };
        let here = Frame { pos: Vec3::zeros(), mat: Mat3::identity() };
        let frames = FramePair::new(&here, &here);
        let mut count = 0;
        collide_trees([&broken, &broken], &frames, 0.0, &mut Vec::new(), |_, _| count += 1);
        collide_trees([&TreeView::default(), &broken], &frames, 0.0, &mut Vec::new(), |_, _| count += 1);
        assert_eq!(count, 0);
    }

    proptest! {
        /// No pair of boxes that are near is lost, and no pair is met twice.
        #[test]
        fn walking_finds_what_testing_all_finds(
            places1 in prop::collection::vec(prop::array::uniform3(-2.0..2.0f64), 1..12),
            places2 in prop::collection::vec(prop::array::uniform3(-2.0..2.0f64), 1..12),
            angle in -3.0..3.0f64, margin in 0.0..0.3f64,
        ) {
            let elements = |places: &[[f64; 3]]| {
                places.iter().enumerate().map(|(i, p)| element(i, (*p).into(), 0.2)).collect::<Vec<_>>()
            };
            let (tree1, tree2) = (Tree::new(elements(&places1)), Tree::new(elements(&places2)));
            let a = Frame { pos: Vec3::zeros(), mat: Mat3::identity() };
            let b = Frame { pos: Vec3::x(), mat: Quat::from_axis_angle(&Vec3::z(), angle).to_mat() };
            let near = |i: usize, j: usize| {
                let of = |p: &[f64; 3]| [p[0], p[1], p[2], 0.2, 0.2, 0.2];
                oriented_boxes_near(&of(&places1[i]), &a, &of(&places2[j]), &b, margin)
            };
            let mut got = Vec::new();
            let frames = FramePair::new(&a, &b);
            collide_trees([&tree1.view(), &tree2.view()], &frames, margin + 1e-12, &mut Vec::new(), |i, j| got.push((i, j)));
            let met = got.len();
            got.sort_unstable();
            got.dedup();
            prop_assert_eq!(met, got.len());
            got.retain(|&(i, j)| near(i, j));
            let all = (0..places1.len()).flat_map(|i| (0..places2.len()).map(move |j| (i, j)));
            prop_assert_eq!(got, all.filter(|&(i, j)| near(i, j)).collect::<Vec<_>>());
        }
    }
}
