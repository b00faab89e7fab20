//! Where the entries of a large sparse factor are.
//!
//! Dofs are grouped into blocks of neighbours within a kinematic tree; rows that touch several blocks couple them.
//! Blocks are eliminated in the order of least fill. The structure is kept while every coupling of a new problem has a
//! place in it, so that contacts which come and go cost no new analysis.

use crate::problem::{Problem, Rows};
use sim_types::linalg::TreeSparse;

/// Largest number of dofs in a block.
const BLOCK: usize = 8;
/// Number of blocks up to which the order of elimination is searched; above, leaves come first.
const SEARCHED: usize = 4096;

/// Partition, order of elimination and pattern of the factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbolic {
    /// Pattern of the inertia this was made for.
    rownnz: Vec<u32>,
    colind: Vec<u32>,
    /// Column of each dof: place of its block in the order of elimination, and its place within the block.
    pub(crate) place: Vec<(u32, u32)>,
    /// Dofs in the order of elimination.
    pub(crate) order: Vec<u32>,
    /// Per block, in the order of elimination.
    pub(crate) panels: Vec<Panel>,
    /// Blocks coupled to each block and eliminated later, increasing; with their first column in the panel.
    pub(crate) below: Vec<(u32, u32)>,
    /// Length of all panels.
    pub(crate) len: usize,
    /// Couplings this was made for.
    ncoupling: usize,
    adjacency: Vec<Vec<u32>>,
    block_of: Vec<u32>,
}

/// The rows of one block: itself, then the blocks below, in columns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Panel {
    /// Number of dofs.
    pub(crate) size: usize,
    /// Number of columns.
    pub(crate) width: usize,
    /// First value.
    pub(crate) value: usize,
    /// First dof in the order of elimination.
    pub(crate) first: usize,
    /// Its part of `below`.
    pub(crate) below: (usize, usize),
}

impl Symbolic {
    /// Makes sure that the inertia and all rows have their places.
    pub(crate) fn fit(&mut self, p: &Problem<'_>) {
        let same = self.place.len() == p.nv() && self.rownnz == p.pattern.rownnz && self.same_columns(&p.pattern);
        if same && self.couplings(&p.rows).is_some_and(|n| 2 * n + 16 >= self.ncoupling) {
            return;
        }
        self.analyse(p);
    }

    /// Column of block `to` in the panel of block `from`; `from` is eliminated first.
    #[inline]
    pub(crate) fn column(&self, from: usize, to: usize) -> Option<usize> {
        if from == to {
            return Some(0);
        }
        let below = &self.below[self.panels[from].below.0..self.panels[from].below.1];
        below.binary_search_by_key(&(to as u32), |b| b.0).ok().map(|k| below[k].1 as usize)
    }

    fn same_columns(&self, pattern: &TreeSparse<'_>) -> bool {
        let mut k = 0;
        for (&adr, &nnz) in pattern.rowadr.iter().zip(pattern.rownnz) {
            let row = &pattern.colind[adr as usize..(adr + nnz) as usize];
            if self.colind.get(k..k + row.len()) != Some(row) {
                return false;
            }
            k += row.len();
        }
        true
    }

    /// Number of couplings of the rows, or None when one of them has no place.
    fn couplings(&self, rows: &Rows<'_>) -> Option<usize> {
        let mut n = 0;
        for i in row_blocks(rows) {
            let columns = rows.row(i).1;
            let (mut blocks, mut count) = ([u32::MAX; 32], 0);
            for &c in columns {
                let b = self.place[c as usize].0;
                if count > 0 && blocks[count - 1] == b {
                    continue;
                }
                if count == blocks.len() {
                    if !self.all_coupled(columns) {
                        return None;
                    }
                    break;
                }
                for &a in &blocks[..count] {
                    self.column(a.min(b) as usize, a.max(b) as usize)?;
                    n += 1;
                }
                blocks[count] = b;
                count += 1;
            }
        }
        Some(n)
    }

    /// True when every pair of columns of a long row has its place.
    fn all_coupled(&self, columns: &[u32]) -> bool {
        columns.iter().all(|&a| {
            columns.iter().all(|&b| {
                let (a, b) = (self.place[a as usize].0, self.place[b as usize].0);
                a > b || self.column(a as usize, b as usize).is_some()
            })
        })
    }

    /// Partition, couplings, order, pattern.
    fn analyse(&mut self, p: &Problem<'_>) {
        self.rownnz = p.pattern.rownnz.to_vec();
        self.colind.clear();
        for (&adr, &nnz) in p.pattern.rowadr.iter().zip(p.pattern.rownnz) {
            self.colind.extend_from_slice(&p.pattern.colind[adr as usize..(adr + nnz) as usize]);
        }
        let sizes = self.partition(&p.pattern, &p.rows);
        self.adjacency = vec![Vec::new(); sizes.len()];
        for (&adr, &nnz) in p.pattern.rowadr.iter().zip(p.pattern.rownnz) {
            self.couple(&p.pattern.colind[adr as usize..(adr + nnz) as usize]);
        }
        for i in row_blocks(&p.rows) {
            self.couple(p.rows.row(i).1);
        }
        for a in &mut self.adjacency {
            a.sort_unstable();
            a.dedup();
        }
        let order = if sizes.len() <= SEARCHED {
            least_fill(&self.adjacency, &sizes)
        } else {
            (0..sizes.len() as u32).rev().collect()
        };
        self.pattern(&order, &sizes);
        self.ncoupling = self.couplings(&p.rows).unwrap_or(0);
    }

    /// Groups dofs: a block is a run of neighbours in one tree, or in the same rows. Returns the sizes.
    fn partition(&mut self, pattern: &TreeSparse<'_>, rows: &Rows<'_>) -> Vec<usize> {
        // a number that tells in which rows a dof occurs; 0 in none
        let mut occurs = vec![0u64; pattern.n()];
        for i in row_blocks(rows) {
            for &c in rows.row(i).1 {
                let x = &mut occurs[c as usize];
                *x = (x.wrapping_add(i as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            }
        }
        let mut sizes: Vec<usize> = Vec::new();
        self.block_of.clear();
        for i in 0..pattern.n() {
            let (adr, nnz) = (pattern.rowadr[i] as usize, pattern.rownnz[i] as usize);

            // the dof continues a block when it hangs on the dof before it, or always occurs with it
            let child = nnz > 1 && pattern.colind[adr + nnz - 2] as usize + 1 == i;
            let child = child || (i > 0 && occurs[i] != 0 && occurs[i] == occurs[i - 1]);
            match sizes.last_mut() {
                Some(size) if child && *size < BLOCK => *size += 1,
                _ => sizes.push(1),
            }
            self.block_of.push(sizes.len() as u32 - 1);
        }
        sizes
    }

    /// Couples all blocks that a row touches.
    fn couple(&mut self, columns: &[u32]) {
        let mut blocks: Vec<u32> = columns.iter().map(|&c| self.block_of[c as usize]).collect();
        blocks.dedup();
        for (k, &a) in blocks.iter().enumerate() {
            for &b in &blocks[..k] {
                if a != b {
                    self.adjacency[a as usize].push(b);
                    self.adjacency[b as usize].push(a);
                }
            }
        }
    }

    /// Pattern of the factor: what a block is coupled to, and what its children in the elimination tree hand on.
    fn pattern(&mut self, order: &[u32], sizes: &[usize]) {
        let n = order.len();
        let mut position = vec![0u32; n];
        for (k, &b) in order.iter().enumerate() {
            position[b as usize] = k as u32;
        }
        self.panels.clear();
        self.below.clear();
        self.order.clear();
        self.place = vec![(0, 0); self.block_of.len()];
        let mut starts = vec![0u32; n];
        for b in 1..n {
            starts[b] = starts[b - 1] + sizes[b - 1] as u32;
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut value = 0;
        for (k, &b) in order.iter().enumerate() {
            let mut list: Vec<u32> =
                self.adjacency[b as usize].iter().map(|&a| position[a as usize]).filter(|&a| a > k as u32).collect();
            for &c in &children[k] {
                let (from, to) = self.panels[c].below;
                list.extend(self.below[from..to].iter().map(|x| x.0).filter(|&x| x > k as u32));
            }
            list.sort_unstable();
            list.dedup();
            if let Some(&parent) = list.first() {
                children[parent as usize].push(k);
            }
            let (size, first, from) = (sizes[b as usize], self.order.len(), self.below.len());
            let mut width = size;
            for &x in &list {
                self.below.push((x, width as u32));
                width += sizes[order[x as usize] as usize];
            }
            self.panels.push(Panel { size, width, value, first, below: (from, self.below.len()) });
            value += size * width;
            for t in 0..size as u32 {
                let dof = starts[b as usize] + t;
                self.place[dof as usize] = (k as u32, t);
                self.order.push(dof);
            }
        }
        self.len = value;
    }
}

/// First base rows of all blocks of rows with equal columns.
fn row_blocks<'a>(rows: &Rows<'a>) -> impl Iterator<Item = usize> + use<'a> {
    (0..rows.ne + rows.nf + rows.nl).chain(rows.contacts.iter().map(|c| c.base as usize))
}

/// Order of elimination: always the block with the fewest dofs coupled to it; the last of equals, so leaves go first.
fn least_fill(adjacency: &[Vec<u32>], sizes: &[usize]) -> Vec<u32> {
    let n = adjacency.len();
    let words = n.div_ceil(64);
    let mut bits = vec![0u64; n * words];
    let mut degree = vec![0usize; n];
    for (a, list) in adjacency.iter().enumerate() {
        for &b in list {
            bits[a * words + b as usize / 64] |= 1 << (b % 64);
            degree[a] += sizes[b as usize];
        }
    }
    let mut alive = vec![true; n];
    let mut order = Vec::with_capacity(n);
    let mut own = vec![0u64; words];
    for _ in 0..n {
        let Some(k) = (0..n).rev().filter(|&k| alive[k]).min_by_key(|&k| degree[k]) else { break };
        alive[k] = false;
        order.push(k as u32);
        own.copy_from_slice(&bits[k * words..(k + 1) * words]);

        // its neighbours become neighbours of each other
        for i in ones(&own) {
            let row = &mut bits[i * words..(i + 1) * words];
            for (r, o) in row.iter_mut().zip(&own) {
                *r |= o;
            }
            row[k / 64] &= !(1 << (k % 64));
            row[i / 64] &= !(1 << (i % 64));
        }
        for i in ones(&own) {
            degree[i] = ones(&bits[i * words..(i + 1) * words]).map(|j| sizes[j]).sum();
        }
    }
    order
}

/// Positions of the bits that are set.
fn ones(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(w, &word)| {
        std::iter::successors(Some(word), |x| Some(x & x.wrapping_sub(1)))
            .take_while(|&x| x != 0)
            .map(move |x| w * 64 + x.trailing_zeros() as usize)
    })
}
