//! Hulls of points moved by a hair, for points that rounding makes too hard.

use super::plane::Point;
use super::{Fail, Hull, merged_hull};

/// How often the points are moved, each time ten times as far.
const ATTEMPTS: i32 = 8;

/// The hull of points that are moved a little, at random but always in the same way.
pub(super) fn hull(points: &[Point], max_vertices: usize) -> Result<Hull, Fail> {
    let width = points.iter().flatten().fold(0.0f64, |w, x| w.max(x.abs()));
    let mut reach = width * 1e-13;
    for _ in 0..ATTEMPTS {
        reach *= 10.0;
        let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
        let moved: Vec<Point> = points.iter().map(|p| p.map(|x| x + reach * noise.next())).collect();
        match merged_hull(&moved, max_vertices) {
            Err(Fail::Topology) => {}
            result => return result,
        }
    }
    Err(Fail::Topology)
}

/// Numbers between −1 and 1 from a multiplicative generator.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
