//! Edges, surface, layers and neighbours of the elements of a flex.

use sim_types::{OptId, Vec3};
use std::collections::HashMap;

/// How elements hang together.
pub(in crate::compile) struct Topology {
    /// Vertices of the elements; tetrahedra turned so that their faces look outwards.
    pub(in crate::compile) elem: Vec<u32>,
    /// Vertices of the edges, the smaller one first.
    pub(in crate::compile) edge: Vec<[u32; 2]>,
    /// Edges of the elements.
    pub(in crate::compile) elemedge: Vec<u32>,
    /// For triangles, per edge: its vertices as the first triangle has them, and the vertices opposite to it.
    pub(in crate::compile) flap: Vec<Flap>,
    /// Vertices of the fragments that belong to one element only.
    pub(in crate::compile) shell: Vec<u32>,
    /// Distance from the surface, tetrahedra only.
    pub(in crate::compile) elemlayer: Vec<u32>,
    /// Elements at the border with the far vertex of a neighbour; not for tetrahedra.
    pub(in crate::compile) evpair: Vec<[u32; 2]>,
}

/// An edge and the two triangles at it.
pub(in crate::compile) struct Flap {
    pub(super) ends: [u32; 2],
    pub(in crate::compile) opposite: [OptId; 2],
}

/// Edges of an element, by dimension.
const EDGES: [&[[usize; 2]]; 3] =
    [&[[0, 1]], &[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];

/// Fragments of an element, by dimension: ends, sides or faces.
const FRAGMENTS: [&[&[usize]]; 3] =
    [&[&[0], &[1]], &[&[0, 1], &[2, 0], &[1, 2]], &[&[0, 1, 2], &[0, 3, 1], &[0, 2, 3], &[1, 3, 2]]];

/// Finds everything from the elements and where the vertices are.
pub(super) fn find(dim: usize, mut elem: Vec<u32>, vertxpos: &[Vec3]) -> Topology {
    if dim == 3 {
        for e in elem.chunks_exact_mut(4) {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| vertxpos[e[k] as usize]);
            if (b - a).cross(&(c - a)).dot(&(d - a)) > 0.0 {
                e.swap(1, 2);
            }
        }
    }
    let (edge, elemedge, flap) = edges(dim, &elem);
    let (shell, elemlayer, evpair) = surface(dim, &elem);
    Topology { elem, edge, elemedge, flap, shell, elemlayer, evpair }
}

/// Edges in the order in which elements meet them.
fn edges(dim: usize, elem: &[u32]) -> (Vec<[u32; 2]>, Vec<u32>, Vec<Flap>) {
    let (mut edge, mut elemedge, mut flap) = (Vec::new(), Vec::new(), Vec::new());
    let mut known: HashMap<[u32; 2], u32> = HashMap::new();
    for e in elem.chunks_exact(dim + 1) {
        for &[i, j] in EDGES[dim - 1] {
            let ends = [e[i], e[j]];
            let sorted = [ends[0].min(ends[1]), ends[0].max(ends[1])];
            let next = edge.len() as u32;
            let id = *known.entry(sorted).or_insert(next);
            elemedge.push(id);
            if id == next {
                edge.push(sorted);
            }
            if dim == 2 {
                let opposite = OptId::some(e[(j + 1) % 3] as usize);
                if id == next {
                    flap.push(Flap { ends, opposite: [opposite, OptId::NONE] });
                } else {
                    flap[id as usize].opposite[1] = opposite;
                }
            }
        }
    }
    (edge, elemedge, flap)
}

/// Fragments of elements that no other element shares, and what follows from those that are shared.
#[doc(alias = "mjCFlex::CreateShellPair")]
fn surface(dim: usize, elem: &[u32]) -> (Vec<u32>, Vec<u32>, Vec<[u32; 2]>) {
    // sorted vertices, element, vertices as they are
    let mut fragments: Vec<([u32; 3], u32, [u32; 3])> = Vec::with_capacity(elem.len());
    for (e, verts) in elem.chunks_exact(dim + 1).enumerate() {
        for corners in FRAGMENTS[dim - 1] {
            let mut own = [0; 3];
            own.iter_mut().zip(*corners).for_each(|(v, k)| *v = verts[*k]);
            let mut sorted = own;
            sorted[..dim].sort_unstable();
            fragments.push((sorted, e as u32, own));
        }
    }
    fragments.sort_unstable();

    // a fragment that occurs once is on the border; neighbours in a longer run are connected
    let nelem = elem.len() / (dim + 1);
    let mut border = vec![false; nelem];
    let mut shell = Vec::new();
    let mut connected: Vec<([u32; 2], [u32; 3])> = Vec::new();
    for run in fragments.chunk_by(|a, b| a.0 == b.0) {
        if let [(_, e, own)] = run {
            border[*e as usize] = true;
            shell.extend_from_slice(&own[..dim]);
        }
        connected.extend(run.windows(2).map(|pair| ([pair[0].1, pair[1].1], pair[0].0)));
    }
    let elemlayer = if dim == 3 { layers(&border, &connected) } else { vec![0; nelem] };
    let evpair = if dim == 3 { Vec::new() } else { pairs(dim, elem, &border, &connected) };
    (shell, elemlayer, evpair)
}

/// Distance of each element from the border, through shared faces.
fn layers(border: &[bool], connected: &[([u32; 2], [u32; 3])]) -> Vec<u32> {
    let mut neighbours = vec![Vec::new(); border.len()];
    for ([a, b], _) in connected {
        neighbours[*a as usize].push(*b);
        neighbours[*b as usize].push(*a);
    }
    // as far as nothing can be
    let far = border.len() as u32 + 1;
    let mut layer: Vec<u32> = border.iter().map(|b| if *b { 0 } else { far }).collect();
    let mut front: Vec<u32> = (0..border.len() as u32).filter(|e| border[*e as usize]).collect();
    let mut distance = 0;
    while !front.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for e in front {
            for &n in &neighbours[e as usize] {
                if layer[n as usize] == far {
                    layer[n as usize] = distance;
                    next.push(n);
                }
            }
        }
        front = next;
    }
    layer
}

/// Elements at the border, each with the vertex of its neighbour that they do not share.
fn pairs(dim: usize, elem: &[u32], border: &[bool], connected: &[([u32; 2], [u32; 3])]) -> Vec<[u32; 2]> {
    let mut list = Vec::new();
    for ([a, b], shared) in connected.iter().filter(|(pair, _)| pair.iter().any(|e| border[*e as usize])) {
        for (own, other) in [(a, b), (b, a)] {
            let start = *own as usize * (dim + 1);
            let far = elem[start..=start + dim].iter().find(|v| !shared[..dim].contains(v));
            list.extend(far.map(|v| [*other, *v]));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_of_two_triangles() {
        let t = find(2, vec![0, 1, 2, 0, 2, 3], &[Vec3::zeros(); 4]);
        assert_eq!(t.edge, [[1, 2], [0, 2], [0, 1], [2, 3], [0, 3]]);
        assert_eq!(t.elemedge, [0, 1, 2, 3, 4, 1]);
        assert_eq!(t.flap[1].opposite, [OptId::some(1), OptId::some(3)]);
        assert_eq!(t.flap[0].opposite, [OptId::some(0), OptId::NONE]);
        assert_eq!(t.shell, [0, 1, 3, 0, 1, 2, 2, 3]);
        assert_eq!(t.evpair, [[1, 1], [0, 3]]);
    }

    #[test]
    fn faces_of_tetrahedra_look_outwards() {
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let t = find(3, vec![0, 1, 2, 3], &corners);
        assert_eq!(t.elem, [0, 2, 1, 3]);
        assert_eq!((t.shell.len(), t.elemlayer), (12, vec![0]));
    }
}
