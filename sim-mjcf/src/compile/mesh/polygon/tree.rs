//! A red-black tree of normals under a comparison that is no order.
//!
//! With such a comparison the answer depends on the path through the tree, hence on its balance: insertion and
//! rebalancing are those of the textbook (Cormen et al., *Introduction to Algorithms*), as in every `std::set`.

use sim_types::{MINVAL, Vec3};

/// Normals closer than this cosine count as equal.
const SAME: f64 = 0.99999872;
/// The absent node.
const NIL: usize = usize::MAX;

/// Normals and the values kept with them.
pub(super) struct Tree {
    nodes: Vec<Node>,
    root: usize,
}

struct Node {
    normal: Vec3,
    value: usize,
    child: [usize; 2],
    parent: usize,
    red: bool,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: Vec::new(), root: NIL }
    }
}

/// True when `a` comes before `b`: larger x first, then larger y, then larger z.
#[doc(alias = "PolygonCmp")]
fn before(a: &Vec3, b: &Vec3) -> bool {
    if a.dot(b) > SAME {
        return false;
    }
    for k in 0..3 {
        if (a[k] - b[k]).abs() > MINVAL {
            return a[k] > b[k];
        }
    }
    false
}

impl Tree {
    /// The value kept with an equal normal.
    pub(super) fn find(&self, normal: &Vec3) -> Option<usize> {
        let (mut at, mut bound) = (self.root, NIL);
        while at != NIL {
            let node = &self.nodes[at];
            if before(&node.normal, normal) {
                at = node.child[1];
            } else {
                bound = at;
                at = node.child[0];
            }
        }
        let node = self.nodes.get(bound)?;
        (!before(normal, &node.normal)).then_some(node.value)
    }

    /// Adds a normal; false, and nothing added, when an equal one is met on the way.
    pub(super) fn insert(&mut self, normal: Vec3, value: usize) -> bool {
        let (mut at, mut parent, mut side) = (self.root, NIL, 0);
        while at != NIL {
            let node = &self.nodes[at];
            parent = at;
            side = if before(&normal, &node.normal) {
                0
            } else if before(&node.normal, &normal) {
                1
            } else {
                return false;
            };
            at = node.child[side];
        }
        let new = self.nodes.len();
        self.nodes.push(Node { normal, value, child: [NIL; 2], parent, red: true });
        match parent {
            NIL => self.root = new,
            _ => self.nodes[parent].child[side] = new,
        }
        self.rebalance(new);
        true
    }

    /// All values, from first to last.
    pub(super) fn in_order(&self) -> Vec<usize> {
        let mut out = Vec::with_capacity(self.nodes.len());
        let mut stack = Vec::new();
        let mut at = self.root;
        while at != NIL || !stack.is_empty() {
            while at != NIL {
                stack.push(at);
                at = self.nodes[at].child[0];
            }
            if let Some(node) = stack.pop() {
                out.push(self.nodes[node].value);
                at = self.nodes[node].child[1];
            }
        }
        out
    }

    /// Restores the colours after a red leaf was added.
    fn rebalance(&mut self, mut at: usize) {
        while let Some((parent, grand)) = self.red_parent(at) {
            let side = usize::from(self.nodes[grand].child[1] == parent);
            let uncle = self.nodes[grand].child[1 - side];
            if uncle != NIL && self.nodes[uncle].red {
                self.nodes[parent].red = false;
                self.nodes[uncle].red = false;
                self.nodes[grand].red = true;
                at = grand;
                continue;
            }
            if self.nodes[parent].child[1 - side] == at {
                self.rotate(parent, side);
                at = parent;
            }
            let parent = self.nodes[at].parent;
            self.nodes[parent].red = false;
            self.nodes[grand].red = true;
            self.rotate(grand, 1 - side);
        }
        let root = self.root;
        self.nodes[root].red = false;
    }

    /// Parent and grandparent, when the parent is red.
    fn red_parent(&self, at: usize) -> Option<(usize, usize)> {
        let parent = self.nodes[at].parent;
        let node = self.nodes.get(parent)?;
        (node.red && node.parent != NIL).then_some((parent, node.parent))
    }

    /// Moves `at` down to `side`; its child on the other side takes its place.
    fn rotate(&mut self, at: usize, side: usize) {
        let up = self.nodes[at].child[1 - side];
        let inner = self.nodes[up].child[side];
        let parent = self.nodes[at].parent;
        self.nodes[at].child[1 - side] = inner;
        if inner != NIL {
            self.nodes[inner].parent = at;
        }
        self.nodes[up].parent = parent;
        if parent == NIL {
            self.root = up;
        } else {
            let from = usize::from(self.nodes[parent].child[1] == at);
            self.nodes[parent].child[from] = up;
        }
        self.nodes[up].child[side] = at;
        self.nodes[at].parent = up;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_out_by_falling_x() {
        let mut tree = Tree::default();
        for i in 0..200usize {
            let angle = (i * 37 % 200) as f64 * 0.015;
            assert!(tree.insert(Vec3::new(angle.cos(), angle.sin(), 0.0), i * 37 % 200));
        }
        assert_eq!(tree.in_order(), (0..200).collect::<Vec<_>>());
        for i in 0..200 {
            let angle = i as f64 * 0.015 + 1e-4;
            assert_eq!(tree.find(&Vec3::new(angle.cos(), angle.sin(), 0.0)), Some(i));
        }
    }

    #[test]
    fn no_path_is_twice_as_long_as_another() {
        let mut tree = Tree::default();
        for i in 0..1000 {
            let angle = f64::from(i) * 0.003;
            tree.insert(Vec3::new(angle.cos(), angle.sin(), 0.0), i as usize);
        }
        let depth = |mut at: usize| {
            let mut depth = 0;
            while at != NIL {
                at = tree.nodes[at].parent;
                depth += 1;
            }
            depth
        };
        let leaves: Vec<usize> =
            (0..tree.nodes.len()).filter(|&i| tree.nodes[i].child.contains(&NIL)).map(depth).collect();
        assert!(leaves.iter().max().unwrap() <= &(2 * leaves.iter().min().unwrap()));
    }
}
