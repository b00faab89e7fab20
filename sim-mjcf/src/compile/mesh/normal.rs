//! Vertex normals for meshes that come without.

use super::super::pose::normalize;
use sim_types::{MINVAL, Vec3};

/// A face counts for a vertex when its normal is at most this far from the vertex normal (a cosine).
const SMOOTH: f64 = 0.8;

/// One normal per vertex: the mean of those of the faces around it, weighted by area.
///
/// Unless `smooth`, faces at a large angle to the mean are taken out again, so that edges look sharp.
#[doc(alias = "mjCMesh::MakeNormal")]
pub(super) fn make(vert: &[Vec3], face: &[[u32; 3]], smooth: bool) -> Vec<[f32; 3]> {
    let mut normal = vec![[0.0f32; 3]; vert.len()];
    for f in face {
        let (direction, weight) = weighted(vert, f);
        for &v in f {
            add(&mut normal[v as usize], &direction, weight);
        }
    }
    if !smooth {
        let mut sharp = vec![[0.0f32; 3]; vert.len()];
        for f in face {
            let (direction, weight) = weighted(vert, f);
            for &v in f {
                let mut mean = Vec3::from(normal[v as usize].map(f64::from));
                normalize(mean.as_mut_slice());
                if direction.dot(&mean) < SMOOTH {
                    add(&mut sharp[v as usize], &direction, weight);
                }
            }
        }
        for (n, s) in normal.iter_mut().zip(&sharp) {
            *n = [n[0] - s[0], n[1] - s[1], n[2] - s[2]];
        }
    }
    for n in &mut normal {
        let len = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        *n = if f64::from(len) > MINVAL { n.map(|x| x / len) } else { [0.0, 0.0, 1.0] };
    }
    normal
}

/// Unit length again after scaling; no length becomes z.
pub(super) fn renormalize(normal: &mut [f32; 3]) {
    let squared = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    if f64::from(squared) > MINVAL {
        let scale = 1.0 / squared.sqrt();
        *normal = normal.map(|x| x * scale);
    } else {
        *normal = [0.0, 0.0, 1.0];
    }
}

/// Direction of a face and twice its area; a face with next to no area has weight zero.
fn weighted(vert: &[Vec3], f: &[u32; 3]) -> (Vec3, f64) {
    let [a, b, c] = f.map(|v| vert[v as usize]);
    let mut direction = (b - a).cross(&(c - a));
    let weight = normalize(direction.as_mut_slice());
    (direction, weight)
}

fn add(sum: &mut [f32; 3], direction: &Vec3, weight: f64) {
    for k in 0..3 {
        sum[k] = (f64::from(sum[k]) + direction[k] * weight) as f32;
    }
}
