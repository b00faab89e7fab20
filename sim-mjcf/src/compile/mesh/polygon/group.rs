//! The faces of one normal: their outlines, and which of them hang together.

use super::Starts;
use crate::compile::mesh::Lists;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Edges that are looked through one by one.
const FEW: usize = 16;

/// Edges that one face of the group uses and no other crosses, in order of insertion.
pub(super) struct Group {
    edges: Vec<Option<Edge>>,
    /// Where each directed edge is; kept when there are many.
    at: Option<Positions>,
    /// The older island that each island was joined to; itself for one that stands.
    joined: Vec<usize>,
}

/// Positions of directed edges. Most are there once, so the others hang behind the first in a chain.
#[derive(Default)]
struct Positions {
    /// Oldest and newest position of each edge.
    ends: HashMap<(u32, u32), (usize, usize)>,
    /// The next position of the same edge, by position; only a position that is not the newest has one.
    later: HashMap<usize, usize>,
}

#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    island: usize,
}

impl Group {
    pub(super) fn new([a, b, c]: [u32; 3]) -> Self {
        let mut group = Self { edges: Vec::with_capacity(3), at: None, joined: vec![0] };
        for (from, to) in [(a, b), (b, c), (c, a)] {
            group.push(from, to, 0);
        }
        group
    }

    /// Adds a face: edges it shares with the group cancel, islands it touches are joined.
    #[doc(alias = "MeshPolygon::InsertFace")]
    pub(super) fn insert(&mut self, [a, b, c]: [u32; 3]) {
        let sides = [(a, b), (b, c), (c, a)];
        let mut island = None;
        let mut open = [true; 3];
        for (side, open) in sides.into_iter().zip(&mut open) {
            if let Some(other) = self.take(side.1, side.0) {
                *open = false;
                island = Some(island.map_or(other, |mine| self.join(mine, other)));
            }
        }
        let island = island.unwrap_or_else(|| {
            self.joined.push(self.joined.len());
            self.joined.len() - 1
        });
        for ((from, to), _) in sides.into_iter().zip(open).filter(|(_, open)| *open) {
            self.push(from, to, island);
        }
    }

    /// Appends the outline of every island that closes, as vertices, if it has three or more.
    ///
    /// The search for the next edge leaves out the first edge of the group; an outline that needs it does not close.
    #[doc(alias = "MeshPolygon::Paths")]
    pub(super) fn paths(&self, out: &mut Lists) {
        if let [Some(a), Some(b), Some(c)] = self.edges.as_slice() {
            out.push(&[a.from, b.from, c.from]);
            return;
        }
        let mut roots: Vec<usize> = Vec::with_capacity(self.joined.len());
        for (i, &up) in self.joined.iter().enumerate() {
            roots.push(if up == i { i } else { roots[up] });
        }
        let edges: Vec<Edge> = self.edges.iter().flatten().map(|e| Edge { island: roots[e.island], ..*e }).collect();
        if let [a, b, c] = edges.as_slice() {
            out.push(&[a.from, b.from, c.from]);
            return;
        }

        // the first edge of each island, how many it has, and where each vertex leads
        let mut next = Starts::new();
        let mut islands: std::collections::BTreeMap<usize, (usize, usize)> = std::collections::BTreeMap::new();
        for (i, e) in edges.iter().enumerate() {
            islands.entry(e.island).or_insert((i, 0)).1 += 1;
            if i > 0 {
                next.entry((e.island, e.from)).or_insert(i);
            }
        }
        let walk = |(island, (first, count)): (usize, (usize, usize))| {
            let mut path = vec![edges[first].from, edges[first].to];
            for _ in 0..count {
                let to = edges[*next.get(&(island, path[path.len() - 1]))?].to;
                if to == path[0] {
                    return Some(path);
                }
                path.push(to);
            }
            None
        };
        for path in islands.into_iter().filter_map(walk).filter(|path| path.len() >= 3) {
            out.push(&path);
        }
    }

    fn push(&mut self, from: u32, to: u32, island: usize) {
        if let Some(at) = &mut self.at {
            at.push((from, to), self.edges.len());
        }
        self.edges.push(Some(Edge { from, to, island }));
        if self.at.is_none() && self.edges.len() > FEW {
            let mut at = Positions::default();
            for (i, edge) in self.edges.iter().enumerate() {
                if let Some(edge) = edge {
                    at.push((edge.from, edge.to), i);
                }
            }
            self.at = Some(at);
        }
    }

    /// Removes the oldest edge between two vertices and returns its island.
    fn take(&mut self, from: u32, to: u32) -> Option<usize> {
        let position = match &mut self.at {
            Some(at) => at.pop((from, to))?,
            None => self.edges.iter().position(|e| e.is_some_and(|e| (e.from, e.to) == (from, to)))?,
        };
        let edge = self.edges.get_mut(position)?.take()?;
        Some(self.root(edge.island))
    }

    /// Joins two islands under the older name.
    fn join(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.root(a), self.root(b));
        self.joined[a.max(b)] = a.min(b);
        a.min(b)
    }

    /// The standing island that this one belongs to; shortens the way for the next time.
    fn root(&mut self, mut island: usize) -> usize {
        while self.joined[island] != island {
            self.joined[island] = self.joined[self.joined[island]];
            island = self.joined[island];
        }
        island
    }
}

impl Positions {
    fn push(&mut self, edge: (u32, u32), position: usize) {
        match self.ends.entry(edge) {
            Entry::Vacant(entry) => {
                entry.insert((position, position));
            }
            Entry::Occupied(mut entry) => {
                let newest = &mut entry.get_mut().1;
                self.later.insert(*newest, position);
                *newest = position;
            }
        }
    }

    /// Removes the oldest position of an edge.
    fn pop(&mut self, edge: (u32, u32)) -> Option<usize> {
        let Entry::Occupied(mut entry) = self.ends.entry(edge) else { return None };
        let (oldest, newest) = *entry.get();
        match self.later.remove(&oldest).filter(|_| oldest != newest) {
            Some(next) => entry.get_mut().0 = next,
            None => {
                entry.remove();
            }
        }
        Some(oldest)
    }
}
