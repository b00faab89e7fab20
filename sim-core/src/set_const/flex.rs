//! Deformables at the reference pose: patterns of their Jacobians, edge lengths and inverse inertias.

use std::ops::Range;

use sim_types::math::{atan2, cos, normalize3, sin};
use sim_types::{MINVAL, Quat, Vec3};

use super::weights::TreeSolve;
use crate::data::Data;
use crate::error::ModelError;
use crate::model::Model;

/// Finds the columns of the edge and vertex Jacobians, the edges at each vertex and the rest shape around it.
///
/// A row starts where the row before it ends, also when the row before belongs to a flex without a Jacobian, whose rows
/// are empty and at zero. So rows of several flexes may share addresses, as in MuJoCo.
#[doc(alias = "makeFlexSparse")]
pub(super) fn patterns(m: &mut Model) -> Result<(), ModelError> {
    count_entries(m);
    m.flexedge_J_rownnz.fill(0);
    m.flexedge_J_rowadr.fill(0);
    m.flexvert_J_rownnz.fill([0; 2]);
    m.flexvert_J_rowadr.fill([0; 2]);
    m.flex_vertedgeadr.fill(0);
    m.flex_vertedgenum.fill(0);
    m.flex_vertedge.fill([0; 2]);
    m.flex_vertmetric.fill([0.0; 4]);
    let mut listed = 0;
    for flex in (0..m.nflex).filter(|&f| !m.flex_rigid[f] && m.flex_interp[f] == 0).collect::<Vec<_>>() {
        if m.flex_edgeequality[flex] != 0 || has_edge_forces(m, flex) {
            edge_rows(m, flex);
        }
        if holds_vertices(m, flex) {
            listed += edges_at_vertices(m, flex, listed);
            vertex_metric(m, flex)?;
            vertex_rows(m, flex);
        }
    }
    Ok(())
}

/// Turns the rest shape of sheets whose vertices are held so that the first triangle looks along z.
#[doc(alias = "mj_alignFlex")]
pub(super) fn align(m: &mut Model) {
    for flex in (0..m.nflex).filter(|&f| holds_vertices(m, f)).collect::<Vec<_>>() {
        let verts = vertices(m, flex);
        let first = m.flex_elemdataadr[flex] as usize;
        let corner = |k: usize| m.flex_vert0[verts.start + m.flex_elem[first + k] as usize];
        let mut normal = (corner(1) - corner(0)).cross(&(corner(2) - corner(0)));
        normalize3(&mut normal);
        let turn = z_to(&normal).to_mat();
        for vert in &mut m.flex_vert0[verts] {
            *vert = turn.tr_mul(vert);
        }
    }
}

/// Edge lengths and inverse inertias.
pub(super) fn edges(m: &mut Model, d: &Data) {
    let mut jacobian = vec![0.0; m.nJfe];
    for flex in (0..m.nflex).filter(|&f| m.flex_interp[f] == 0).collect::<Vec<_>>() {
        let with_jacobian = !m.flex_rigid[flex] && (m.flex_edgeequality[flex] == 1 || has_edge_forces(m, flex));
        edge_lengths(m, d, flex, with_jacobian.then_some(&mut jacobian[..]));
    }
    let mut solver = TreeSolve::new(m);
    for flex in (0..m.nflex).filter(|&f| m.flex_interp[f] == 0).collect::<Vec<_>>() {
        for edge in edge_range(m, flex) {
            let [a, b] = edge_bodies(m, flex, edge);
            m.flexedge_invweight0[edge] = if m.nv == 0 || m.flexedge_rigid[edge] {
                0.0
            } else if m.body_simple[a] == 2 && m.body_simple[b] == 2 {
                0.5 * (1.0 / m.body_mass[a] + 1.0 / m.body_mass[b])
            } else {
                let row = row(m.flexedge_J_rowadr[edge], m.flexedge_J_rownnz[edge]);
                solver.solve(m, d, &jacobian[row.clone()], &m.flexedge_J_colind[row]).0
            };
        }
    }
}

/// How far flexes make bodies reach.
pub(super) fn extend_bodies(m: &Model, d: &Data, size: &mut [f64]) {
    for flex in 0..m.nflex {
        if m.flex_interp[flex] != 0 {
            let nodes = &m.flex_nodebodyid[row(m.flex_nodeadr[flex], m.flex_nodenum[flex])];
            for &a in nodes {
                for &b in nodes {
                    let distance = (d.xpos[a as usize] - d.xpos[b as usize]).norm();
                    size[a as usize] = size[a as usize].max(distance);
                }
            }
            continue;
        }
        for edge in edge_range(m, flex) {
            for body in edge_bodies(m, flex, edge) {
                size[body] = size[body].max(m.flexedge_length0[edge]);
            }
        }
    }
}

/// Sizes of the Jacobians: every flex whose vertices can move apart counts, with or without forces.
fn count_entries(m: &mut Model) {
    (m.nJfe, m.nJfv) = (0, 0);
    let mut columns = Vec::new();
    for flex in (0..m.nflex).filter(|&f| !m.flex_rigid[f] && m.flex_interp[f] == 0) {
        let verts = vertices(m, flex);
        let mut around: Vec<Vec<usize>> = verts.clone().map(|v| vec![vertex_body(m, v)]).collect();
        for edge in edge_range(m, flex) {
            let bodies = edge_bodies(m, flex, edge);
            m.nJfe += union(m, &bodies, &mut columns);
            let [a, b] = m.flex_edge[edge].map(|v| v as usize);
            around[a].push(bodies[1]);
            around[b].push(bodies[0]);
        }
        for bodies in &mut around {
            bodies.sort_unstable();
            bodies.dedup();
            m.nJfv += union(m, bodies, &mut columns);
        }
    }
    m.flexedge_J_colind = vec![0; m.nJfe];
    m.flexvert_J_colind = vec![[0; 2]; m.nJfv];
}

fn edge_rows(m: &mut Model, flex: usize) {
    let mut columns = Vec::new();
    for edge in edge_range(m, flex) {
        if edge > 0 {
            m.flexedge_J_rowadr[edge] = m.flexedge_J_rowadr[edge - 1] + m.flexedge_J_rownnz[edge - 1];
        }
        let nnz = union(m, &edge_bodies(m, flex, edge), &mut columns);
        m.flexedge_J_rownnz[edge] = nnz as u32;
        let adr = m.flexedge_J_rowadr[edge] as usize;
        m.flexedge_J_colind[adr..adr + nnz].copy_from_slice(&columns);
    }
}

/// Lists the edges at each vertex, from entry `start` of the list on; returns how many there are.
fn edges_at_vertices(m: &mut Model, flex: usize, start: usize) -> usize {
    let (verts, edges) = (vertices(m, flex), edge_range(m, flex));
    for edge in edges.clone() {
        for v in m.flex_edge[edge] {
            m.flex_vertedgenum[verts.start + v as usize] += 1;
        }
    }
    let mut next = start;
    let mut free = Vec::with_capacity(verts.len());
    for v in verts {
        m.flex_vertedgeadr[v] = next as u32;
        free.push(next);
        next += m.flex_vertedgenum[v] as usize;
    }
    let list = m.flex_vertedge.as_flattened_mut();
    for (local, edge) in edges.enumerate() {
        for v in m.flex_edge[edge] {
            let slot = &mut free[v as usize];
            list[*slot] = local as u32;
            *slot += 1;
        }
    }
    next - start
}

/// Inverse of the mass-weighted shape of the edges around each vertex, seen from above.
fn vertex_metric(m: &mut Model, flex: usize) -> Result<(), ModelError> {
    let (verts, first) = (vertices(m, flex), m.flex_edgeadr[flex] as usize);
    let scale = m.flex_size[flex] * 2.0;
    for v in verts.clone() {
        let mut shape = [0.0; 4];
        for &local in &m.flex_vertedge.as_flattened()[row(m.flex_vertedgeadr[v], m.flex_vertedgenum[v])] {
            let [a, b] = m.flex_edge[first + local as usize].map(|v| verts.start + v as usize);
            let dx = (m.flex_vert0[b] - m.flex_vert0[a]).component_mul(&scale);
            if dx.z.abs() > MINVAL {
                let what = format!("flex {flex} is held by its vertices, but they are not in one horizontal plane");
                return Err(ModelError::Inconsistent { what });
            }
            let neighbour = if v == a { b } else { a };
            let weight = m.body_mass[vertex_body(m, neighbour)].max(MINVAL);
            for (k, entry) in shape.iter_mut().enumerate() {
                *entry += weight * dx[k / 2] * dx[k % 2];
            }
        }
        let det = shape[0] * shape[3] - shape[1] * shape[2];
        if det.abs() >= MINVAL {
            m.flex_vertmetric[v] = [shape[3] / det, -shape[1] / det, -shape[2] / det, shape[0] / det];
        }
    }
    Ok(())
}

fn vertex_rows(m: &mut Model, flex: usize) {
    let (verts, first) = (vertices(m, flex), m.flex_edgeadr[flex] as usize);
    let mut adr = match verts.start.checked_sub(1) {
        Some(v) => (m.flexvert_J_rowadr[v][1] + m.flexvert_J_rownnz[v][1]) as usize,
        None => 0,
    };
    let (mut bodies, mut columns) = (Vec::new(), Vec::new());
    let last = verts.end;
    for v in verts {
        bodies.clear();
        for &local in &m.flex_vertedge.as_flattened()[row(m.flex_vertedgeadr[v], m.flex_vertedgenum[v])] {
            bodies.extend(edge_bodies(m, flex, first + local as usize));
        }
        let nnz = union(m, &bodies, &mut columns);
        m.flexvert_J_rownnz[v] = [nnz as u32; 2];
        m.flexvert_J_rowadr[v] = [adr as u32, (adr + nnz) as u32];
        let list = m.flexvert_J_colind.as_flattened_mut();
        for start in [adr, adr + nnz] {
            list[start..start + nnz].copy_from_slice(&columns);
        }
        adr += 2 * nnz;
    }
    // the vertex after the last one of this flex starts where its rows end
    if let Some(next) = m.flexvert_J_rowadr.get_mut(last) {
        next[0] = adr as u32;
    }
}

/// Lengths of the edges of one flex and, where asked for, their Jacobian.
fn edge_lengths(m: &mut Model, d: &Data, flex: usize, mut jacobian: Option<&mut [f64]>) {
    let nv = m.nv;
    let mut ends = [vec![0.0; 3 * nv], vec![0.0; 3 * nv]];
    let first = m.flex_vertadr[flex] as usize;
    for edge in edge_range(m, flex) {
        let bodies = edge_bodies(m, flex, edge);
        let points = m.flex_edge[edge].map(|v| vertex_position(m, d, flex, first + v as usize));
        let mut along = points[1] - points[0];
        m.flexedge_length0[edge] = normalize3(&mut along);
        let Some(jacobian) = jacobian.as_deref_mut() else { continue };
        for ((end, point), body) in ends.iter_mut().zip(&points).zip(bodies) {
            let offset = point - d.subtree_com[m.body_rootid[body] as usize];
            for dof in m.body_chain(body) {
                let column = d.cdof[dof].lin + d.cdof[dof].rot.cross(&offset);
                (0..3).for_each(|k| end[k * nv + dof] = column[k]);
            }
        }
        let row = row(m.flexedge_J_rowadr[edge], m.flexedge_J_rownnz[edge]);
        for (x, &dof) in jacobian[row.clone()].iter_mut().zip(&m.flexedge_J_colind[row]) {
            *x = (0..3).map(|k| along[k] * (ends[1][k * nv + dof as usize] - ends[0][k * nv + dof as usize])).sum();
        }
        // the next edge finds zeros outside of its own chains
        for (end, body) in ends.iter_mut().zip(bodies) {
            m.body_chain(body).for_each(|dof| (0..3).for_each(|k| end[k * nv + dof] = 0.0));
        }
    }
}

fn vertex_position(m: &Model, d: &Data, flex: usize, vertex: usize) -> Vec3 {
    let body = vertex_body(m, vertex);
    if m.flex_centered[flex] { d.xpos[body] } else { d.xmat[body] * m.flex_vert[vertex] + d.xpos[body] }
}

/// The sorted dofs that move any of `bodies`; returns how many.
fn union(m: &Model, bodies: &[usize], columns: &mut Vec<u32>) -> usize {
    columns.clear();
    for &body in bodies {
        columns.extend(m.body_chain(body).map(|dof| dof as u32));
    }
    columns.sort_unstable();
    columns.dedup();
    columns.len()
}

fn has_edge_forces(m: &Model, flex: usize) -> bool {
    m.flex_edgedamping[flex] != 0.0 || m.flex_edgestiffness[flex] != 0.0 || m.flex_damping[flex] != 0.0
}

fn holds_vertices(m: &Model, flex: usize) -> bool {
    m.flex_dim[flex] == 2 && m.flex_edgeequality[flex] == 2
}

fn vertices(m: &Model, flex: usize) -> Range<usize> {
    row(m.flex_vertadr[flex], m.flex_vertnum[flex])
}

fn edge_range(m: &Model, flex: usize) -> Range<usize> {
    row(m.flex_edgeadr[flex], m.flex_edgenum[flex])
}

fn edge_bodies(m: &Model, flex: usize, edge: usize) -> [usize; 2] {
    let first = m.flex_vertadr[flex] as usize;
    m.flex_edge[edge].map(|v| vertex_body(m, first + v as usize))
}

/// The body of a vertex that is not interpolated.
fn vertex_body(m: &Model, vertex: usize) -> usize {
    m.flex_vertbodyid[vertex].get().unwrap_or(0)
}

fn row(adr: u32, num: u32) -> Range<usize> {
    adr as usize..adr as usize + num as usize
}

/// The smallest rotation that takes the z axis to the unit vector `v`.
#[doc(alias = "mju_quatZ2Vec")]
fn z_to(v: &Vec3) -> Quat {
    let mut axis = Vec3::z().cross(v);
    let sine = normalize3(&mut axis);
    if sine < MINVAL {
        // parallel or opposite
        return if v.z < 0.0 { Quat::new(0.0, 1.0, 0.0, 0.0) } else { Quat::IDENTITY };
    }
    let half = 0.5 * atan2(sine, v.z);
    let s = sin(half);
    Quat::new(cos(half), axis.x * s, axis.y * s, axis.z * s)
}
