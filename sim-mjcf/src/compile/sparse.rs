//! Sparsity patterns over the tree of dofs: the inertia matrix M, its symmetric closure D, bodies against dofs B.
//!
//! Every pattern is in compressed rows with ascending columns. M is the lower triangle; its rows of simple dofs hold
//! only the diagonal. D has ancestors and descendants of every dof.

use sim_types::OptId;

/// A pattern in compressed rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pattern {
    pub(super) rownnz: Vec<u32>,
    pub(super) rowadr: Vec<u32>,
    pub(super) colind: Vec<u32>,
}

impl Pattern {
    fn push_row(&mut self, columns: impl IntoIterator<Item = u32>) {
        let start = self.colind.len();
        self.colind.extend(columns);
        self.rowadr.push(start as u32);
        self.rownnz.push((self.colind.len() - start) as u32);
    }

    fn row(&self, i: usize) -> std::ops::Range<usize> {
        let start = self.rowadr[i] as usize;
        start..start + self.rownnz[i] as usize
    }

    /// Address of the entry (i, j).
    fn find(&self, i: usize, j: u32) -> Option<usize> {
        let row = self.row(i);
        self.colind[row.clone()].binary_search(&j).ok().map(|k| row.start + k)
    }
}

/// How many entries the chains of all dofs have together, each dof and its ancestors.
pub(super) fn chain_entries(parent: &[OptId]) -> u64 {
    let mut length = vec![0u64; parent.len()];
    for (i, p) in parent.iter().enumerate() {
        length[i] = 1 + p.get().map_or(0, |p| length[p]);
    }
    length.iter().sum()
}

/// How many entries [`body_dof`] will have.
pub(super) fn body_dof_entries(parent: &[u32], dofnum: &[u32]) -> u64 {
    // every body counts its own dofs in its row, in those of its ancestors, and in those of its descendants
    let mut depth = vec![0u64; parent.len()];
    let mut above = vec![0u64; parent.len()];
    let mut total = dofnum.first().map_or(0, |n| u64::from(*n));
    for body in 1..parent.len() {
        let p = parent[body] as usize;
        depth[body] = depth[p] + 1;
        above[body] = above[p] + u64::from(dofnum[p]);
        total += u64::from(dofnum[body]) * (depth[body] + 1) + above[body];
    }
    total
}

/// The pattern of M.
pub(super) fn inertia(parent: &[OptId], simplenum: &[u32]) -> Pattern {
    let mut pattern = Pattern::default();
    let mut chain = Vec::new();
    for i in 0..parent.len() {
        chain.clear();
        chain.push(i as u32);
        if simplenum[i] == 0 {
            chain.extend(ancestors(parent, i));
        }
        pattern.push_row(chain.iter().rev().copied());
    }
    pattern
}

/// The pattern of D, and the index of the diagonal within each row.
pub(super) fn symmetric(parent: &[OptId]) -> (Pattern, Vec<u32>) {
    let mut descendants = vec![Vec::new(); parent.len()];
    for i in 0..parent.len() {
        for j in ancestors(parent, i) {
            descendants[j as usize].push(i as u32);
        }
    }
    let mut pattern = Pattern::default();
    let mut diagonal = Vec::with_capacity(parent.len());
    let mut chain = Vec::new();
    for (i, below) in descendants.iter().enumerate() {
        chain.clear();
        chain.push(i as u32);
        chain.extend(ancestors(parent, i));
        diagonal.push(chain.len() as u32 - 1);
        pattern.push_row(chain.iter().rev().chain(below).copied());
    }
    (pattern, diagonal)
}

/// The pattern of B: for every body the dofs of its subtree and of its ancestors.
///
/// Bodies are in depth-first order, so the dofs of a subtree are one range.
pub(super) fn body_dof(parent: &[u32], dofnum: &[u32]) -> Pattern {
    // dofs before each body, and the end of its subtree's dofs
    let mut first = Vec::with_capacity(parent.len());
    let mut total = 0;
    for n in dofnum {
        first.push(total);
        total += n;
    }
    let mut end: Vec<u32> = first.iter().zip(dofnum).map(|(a, n)| a + n).collect();
    for body in (1..parent.len()).rev() {
        let p = parent[body] as usize;
        end[p] = end[p].max(end[body]);
    }

    let mut pattern = Pattern::default();
    let mut above = Vec::new();
    for body in 0..parent.len() {
        above.clear();
        let mut p = parent[body] as usize;
        while p > 0 {
            above.extend((first[p]..first[p] + dofnum[p]).rev());
            p = parent[p] as usize;
        }
        pattern.push_row(above.iter().rev().copied().chain(first[body]..end[body]));
    }
    pattern
}

/// Index maps between the three ways to store the inertia matrix.
pub(super) struct Maps {
    /// For each entry of M, its place in the full-chain matrix.
    pub(super) m_to_m: Vec<u32>,
    /// For each entry of M, its place in D.
    pub(super) d_to_m: Vec<u32>,
    /// For each entry of D, its place in M, if M has it.
    pub(super) m_to_d: Vec<OptId>,
}

/// The maps between M, D and the full-chain matrix whose rows start at `madr` with the diagonal.
pub(super) fn maps(m: &Pattern, d: &Pattern, madr: &[u32]) -> Maps {
    let mut maps = Maps { m_to_m: Vec::new(), d_to_m: Vec::new(), m_to_d: Vec::new() };
    for (i, &adr) in madr.iter().enumerate() {
        let row = m.row(i);
        for k in row.clone() {
            maps.m_to_m.push(adr + (row.end - 1 - k) as u32);
            maps.d_to_m.push(d.find(i, m.colind[k]).unwrap_or_default() as u32);
        }
        for &j in &d.colind[d.row(i)] {
            let (low, high) = if j as usize <= i { (j, i) } else { (i as u32, j as usize) };
            maps.m_to_d.push(OptId::from(m.find(high, low)));
        }
    }
    maps
}

/// The dofs above `i`, nearest first.
fn ancestors(parent: &[OptId], i: usize) -> impl Iterator<Item = u32> + '_ {
    std::iter::successors(parent[i].get(), |&j| parent[j].get()).map(|j| j as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain 0-1-2 with a branch 3 under dof 0, then six dofs of a free body that is simple.
    fn example() -> (Vec<OptId>, Vec<u32>) {
        let parent = [-1, 0, 1, 0, -1, 4, 5, 6, 7, 8].map(OptId::from_raw).to_vec();
        (parent, vec![0, 0, 0, 0, 6, 5, 4, 3, 2, 1])
    }

    /// Numbers printed by MuJoCo 3.5.0 for this tree.
    #[test]
    fn inertia_pattern_and_map_of_a_known_model() {
        let (parent, simplenum) = example();
        let m = inertia(&parent, &simplenum);
        assert_eq!(m.rownnz, [1, 2, 3, 2, 1, 1, 1, 1, 1, 1]);
        assert_eq!(m.colind, [0, 0, 1, 0, 1, 2, 0, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(chain_entries(&parent), 8 + 21);
        let madr = [0, 1, 3, 6, 8, 9, 11, 14, 18, 23];
        let (d, _) = symmetric(&parent);
        assert_eq!(maps(&m, &d, &madr).m_to_m, [0, 2, 1, 5, 4, 3, 7, 6, 8, 9, 11, 14, 18, 23]);
    }

    #[test]
    fn the_symmetric_pattern_is_symmetric() {
        let (parent, simplenum) = example();
        let (d, diagonal) = symmetric(&parent);
        assert_eq!(d.colind.len() as u64, 2 * chain_entries(&parent) - parent.len() as u64);
        for i in 0..parent.len() {
            let row = d.row(i);
            assert!(d.colind[row.clone()].is_sorted());
            assert_eq!(d.colind[row.start + diagonal[i] as usize], i as u32);
            for &j in &d.colind[row] {
                assert!(d.find(j as usize, i as u32).is_some());
            }
        }
        // M → D → M is the identity
        let m = inertia(&parent, &simplenum);
        let maps = maps(&m, &d, &[0; 10]);
        for (k, &adr) in maps.d_to_m.iter().enumerate() {
            assert_eq!(maps.m_to_d[adr as usize].get(), Some(k));
        }
    }

    /// World, a body with two dofs, its child with one, a second tree with one.
    #[test]
    fn bodies_see_their_subtree_and_their_ancestors() {
        let b = body_dof(&[0, 0, 1, 0], &[0, 2, 1, 1]);
        assert_eq!(b.rownnz, [4, 3, 3, 1]);
        assert_eq!(b.colind, [0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3]);
        assert_eq!(body_dof_entries(&[0, 0, 1, 0], &[0, 2, 1, 1]), b.colind.len() as u64);
    }
}
