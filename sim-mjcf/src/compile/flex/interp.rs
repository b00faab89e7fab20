//! Elastic constants of a box that is interpolated between its nodes.

use crate::spec;
use sim_types::{Mat3, Vec3};

/// Stiffness between all nodes, negated, row-major at the start of the numbers that belong to the elements.
#[doc(alias = "ComputeLinearStiffness")]
pub(super) fn stiffness(out: &mut [[f64; 21]], nodes: &[Vec3], spec: &spec::Flex, order: u32) -> Result<(), String> {
    let dofs = 3 * nodes.len();
    let flat = out.as_flattened_mut();
    if dofs * dofs > flat.len() {
        let needed = (dofs * dofs).div_ceil(21);
        return Err(format!(
            "elasticity of {} nodes needs at least {needed} elements, and there are {}",
            nodes.len(),
            flat.len() / 21
        ));
    }
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return Ok(()) };
    let size = last - first;
    let det = size.x * size.y * size.z;
    let inverse = size.map(|s| 1.0 / s);
    let lambda = spec.young * spec.poisson / (1.0 + spec.poisson) / (1.0 - 2.0 * spec.poisson);
    let mu = spec.young / (2.0 * (1.0 + spec.poisson));

    let samples = quadrature(order);
    for s in &samples {
        for t in &samples {
            for u in &samples {
                let volume = s.weight * t.weight * u.weight * det;
                let gradients = gradients([s.at, t.at, u.at], order, &inverse);
                add(flat, &gradients, [lambda, mu], volume);
            }
        }
    }
    Ok(())
}

/// Adds the part of one sample point.
fn add(flat: &mut [f64], gradients: &[Vec3], [lambda, mu]: [f64; 2], volume: f64) {
    let dofs = 3 * gradients.len();
    for (i, a) in gradients.iter().enumerate() {
        for (j, b) in gradients.iter().enumerate() {
            for k in 0..3 {
                let du = gradient_of(k, a);
                for l in 0..3 {
                    let dv = gradient_of(l, b);
                    let entry = &mut flat[dofs * (3 * i + k) + 3 * j + l];
                    *entry -= lambda * du.trace() * dv.trace() * volume;
                    *entry -= mu * (symmetric(&du) * symmetric(&dv)).trace() * volume;
                }
            }
        }
    }
}

/// Displacement gradient when one node moves along axis `k`.
fn gradient_of(k: usize, gradient: &Vec3) -> Mat3 {
    let mut m = Mat3::zeros();
    m.set_row(k, &gradient.transpose());
    m
}

fn symmetric(m: &Mat3) -> Mat3 {
    (m + m.transpose()) / 2.0
}

/// Gradients of the basis functions of all nodes at a point, z fastest.
fn gradients(at: [f64; 3], order: u32, inverse: &Vec3) -> Vec<Vec3> {
    let basis = at.map(|s| basis(s, order));
    let slope = at.map(|s| slope(s, order));
    let n = order as usize + 1;
    let mut list = Vec::with_capacity(n * n * n);
    for x in 0..n {
        for y in 0..n {
            for z in 0..n {
                let gradient = Vec3::new(
                    slope[0][x] * basis[1][y] * basis[2][z],
                    basis[0][x] * slope[1][y] * basis[2][z],
                    basis[0][x] * basis[1][y] * slope[2][z],
                );
                list.push(inverse.component_mul(&gradient));
            }
        }
    }
    list
}

fn basis(s: f64, order: u32) -> [f64; 3] {
    if order == 1 { [1.0 - s, s, 0.0] } else { [2.0 * s * s - 3.0 * s + 1.0, 4.0 * (s - s * s), 2.0 * s * s - s] }
}

fn slope(s: f64, order: u32) -> [f64; 3] {
    if order == 1 { [-1.0, 1.0, 0.0] } else { [4.0 * s - 3.0, 4.0 * (1.0 - 2.0 * s), 4.0 * s - 1.0] }
}

struct Sample {
    at: f64,
    weight: f64,
}

/// Where the integrand is sampled. The outer points of order 2 are MuJoCo's, which lie outside of the box.
fn quadrature(order: u32) -> Vec<Sample> {
    let list: &[(f64, f64)] = if order == 1 {
        let at = 0.5 / 3f64.sqrt();
        &[(-at, 0.5), (at, 0.5)]
    } else {
        let at = 0.5 / (3f64 / 5.0).sqrt();
        &[(0.0, 4.0 / 9.0), (-at, 5.0 / 18.0), (at, 5.0 / 18.0)]
    };
    list.iter().map(|(at, weight)| Sample { at: at + 0.5, weight: *weight }).collect()
}
