//! Wrapping in the plane: a string around, or through, a circle at the origin.

use sim_types::MINVAL;
use sim_types::math::{acos, asin, cos, sin};

/// A point of the plane.
pub(crate) type Vec2 = [f64; 2];

/// Where a string touches the circle, and the length of its arc there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    pub(crate) points: [Vec2; 2],
    pub(crate) arc: f64,
}

/// A string from `ends[0]` to `ends[1]` around the outside. With `side` (a point on the circle) it passes there even if
/// the straight line misses the circle on the other side. `None`: it does not touch.
pub(crate) fn around(ends: &[Vec2; 2], side: Option<&Vec2>, radius: f64) -> Option<Touch> {
    let r2 = radius * radius;
    let d2 = [dot(&ends[0], &ends[0]), dot(&ends[1], &ends[1])];
    if d2[0] < r2 || d2[1] < r2 || radius < MINVAL {
        return None;
    }
    let along = sub(&ends[1], &ends[0]);
    let length2 = dot(&along, &along);
    if length2 < MINVAL {
        return None;
    }

    // the straight line is the path unless it cuts the circle or passes on the wrong side
    let nearest = (-dot(&along, &ends[0]) / length2).clamp(0.0, 1.0);
    let foot = [ends[0][0] + nearest * along[0], ends[0][1] + nearest * along[1]];
    if dot(&foot, &foot) > r2 && side.is_none_or(|s| dot(s, &foot) >= 0.0) {
        return None;
    }

    // two candidates, one on each side; crossed strings are bad
    let root = [(d2[0] - r2).sqrt(), (d2[1] - r2).sqrt()];
    let tangent = |k: usize, turn: f64| {
        let e = &ends[k];
        [(e[0] * r2 + turn * radius * e[1] * root[k]) / d2[k], (e[1] * r2 - turn * radius * e[0] * root[k]) / d2[k]]
    };
    let candidate = |turn: f64| [tangent(0, turn), tangent(1, -turn)];
    let (left, right) = (candidate(1.0), candidate(-1.0));
    let take_left = goodness(ends, &left, side) > goodness(ends, &right, side);
    let points = if take_left { left } else { right };
    if segments_cross(&ends[0], &points[0], &ends[1], &points[1]) {
        return None;
    }
    Some(Touch { points, arc: arc_length(&points, take_left, radius) })
}

/// A string that is pulled through the circle and touches it from inside at one point. `None`: it does not touch.
///
/// The touching point makes equal angles with both segments. It is found by Newton steps on the sine of that angle;
/// where they fail, the point between the ends is taken.
pub(crate) fn inside(ends: &[Vec2; 2], radius: f64) -> Option<Touch> {
    let length = [norm(&ends[0]), norm(&ends[1])];
    let short = |x: f64| x <= radius || x < MINVAL;
    if short(length[0]) || short(length[1]) || radius < MINVAL {
        return None;
    }

    // a straight line through the circle needs no help
    let along = sub(&ends[1], &ends[0]);
    let length2 = dot(&along, &along);
    if length2 > MINVAL {
        let nearest = -dot(&along, &ends[0]) / length2;
        let foot = [ends[0][0] + nearest * along[0], ends[0][1] + nearest * along[1]];
        if nearest > 0.0 && nearest < 1.0 && norm(&foot) <= radius {
            return None;
        }
    }
    let cos_gap = (length[0] * length[0] + length[1] * length[1] - length2) / (2.0 * length[0] * length[1]);
    if cos_gap < -1.0 + MINVAL {
        return None;
    }
    let between = unit(&[0.5 * (ends[0][0] + ends[1][0]), 0.5 * (ends[0][1] + ends[1][1])]);
    let fallback = [radius * between[0], radius * between[1]];
    let point = if cos_gap > 1.0 - MINVAL {
        fallback
    } else {
        inside_point(ends, &length, radius, acos(cos_gap)).unwrap_or(fallback)
    };
    Some(Touch { points: [point, point], arc: 0.0 })
}

/// The point of equal angles, or `None` where the iteration does not behave.
fn inside_point(ends: &[Vec2; 2], length: &[f64; 2], radius: f64, gap: f64) -> Option<Vec2> {
    const MAX_ITERATIONS: usize = 20;
    const TOLERANCE: f64 = 1e-6;
    let (a, b) = (radius / length[0], radius / length[1]);
    let residual = |z: f64| asin(a * z) + asin(b * z) - 2.0 * asin(z) + gap;
    let slope = |z: f64, k: f64| k / (1.0 - z * z * k * k).sqrt().max(MINVAL);

    let mut z = 1.0 - 1e-7;
    let mut f = residual(z);
    if f > 0.0 {
        return None;
    }
    let mut iterations = 0;
    while f.abs() > TOLERANCE {
        if iterations == MAX_ITERATIONS {
            return None;
        }
        iterations += 1;
        let df = slope(z, a) + slope(z, b) - 2.0 * slope(z, 1.0);
        if df > -MINVAL {
            return None;
        }
        let next = z - f / df;
        if next > z {
            return None;
        }
        z = next;
        f = residual(z);
        if f > TOLERANCE {
            return None;
        }
    }
    // the loop of the reference counts one more pass: reaching the limit exactly is no convergence
    if iterations >= MAX_ITERATIONS {
        return None;
    }

    // turn from the end that comes first
    let cross = ends[0][0] * ends[1][1] - ends[0][1] * ends[1][0];
    let (from, angle) =
        if cross > 0.0 { (unit(&ends[0]), asin(z) - asin(a * z)) } else { (unit(&ends[1]), asin(z) - asin(b * z)) };
    let (s, c) = (sin(angle), cos(angle));
    Some([radius * (c * from[0] - s * from[1]), radius * (s * from[0] + c * from[1])])
}

/// Larger is better: near the side point, or a short chord; crossed segments are never good.
fn goodness(ends: &[Vec2; 2], points: &[Vec2; 2], side: Option<&Vec2>) -> f64 {
    if segments_cross(&ends[0], &points[0], &ends[1], &points[1]) {
        return -10000.0;
    }
    if let Some(side) = side {
        return dot(&unit(&[points[0][0] + points[1][0], points[0][1] + points[1][1]]), side);
    }
    let chord = sub(&points[0], &points[1]);
    -dot(&chord, &chord)
}

/// Length of the arc from one touching point to the other, the way the string goes.
fn arc_length(points: &[Vec2; 2], left: bool, radius: f64) -> f64 {
    let angle = acos(dot(&unit(&points[0]), &unit(&points[1])));
    let cross = points[0][1] * points[1][0] - points[0][0] * points[1][1];
    let long_way = (cross > 0.0 && !left) || (cross < 0.0 && left);
    radius * if long_way { 2.0 * std::f64::consts::PI - angle } else { angle }
}

/// Do the segments `a0–a1` and `b0–b1` cross or touch?
fn segments_cross(a0: &Vec2, a1: &Vec2, b0: &Vec2, b1: &Vec2) -> bool {
    let (a, b, gap) = (sub(a1, a0), sub(b1, b0), sub(a0, b0));
    let det = b[1] * a[0] - b[0] * a[1];
    if det.abs() < MINVAL {
        return false;
    }
    let on_a = (b[0] * gap[1] - b[1] * gap[0]) / det;
    let on_b = (a[0] * gap[1] - a[1] * gap[0]) / det;
    (0.0..=1.0).contains(&on_a) && (0.0..=1.0).contains(&on_b)
}

fn dot(a: &Vec2, b: &Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn sub(a: &Vec2, b: &Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

fn norm(a: &Vec2) -> f64 {
    dot(a, a).sqrt()
}

/// The unit vector along `a`; x for a vector of no length.
pub(crate) fn unit(a: &Vec2) -> Vec2 {
    let length = norm(a);
    if length < MINVAL { [1.0, 0.0] } else { [a[0] / length, a[1] / length] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_circle_between_opposite_ends() {
        // ends at (±2, 0), unit circle: two tangents of √3 and an arc of π/3
        let touch = around(&[[-2.0, 0.0], [2.0, 0.0]], Some(&[0.0, 1.0]), 1.0).unwrap();
        assert!((touch.arc - std::f64::consts::PI / 3.0).abs() < 1e-12);
        for p in touch.points {
            assert!((norm(&p) - 1.0).abs() < 1e-12 && p[1] > 0.0);
        }
    }

    #[test]
    fn a_line_that_misses_does_not_touch() {
        assert_eq!(around(&[[-2.0, 1.5], [2.0, 1.5]], None, 1.0), None);
        assert_eq!(around(&[[-0.5, 0.0], [2.0, 0.0]], None, 1.0), None, "an end inside");
        assert_eq!(around(&[[2.0, 0.0], [2.0, 0.0]], None, 1.0), None, "no length");
    }

    #[test]
    fn inside_touches_with_equal_angles() {
        let ends = [[2.0, 0.0], [1.5, 1.5 * 3f64.sqrt()]];
        let p = inside(&ends, 1.0).unwrap().points[0];
        assert!((norm(&p) - 1.0).abs() < 1e-10);
        // equal angles: the two unit directions from p mirror each other about the normal p
        let (u, v) = (unit(&sub(&ends[0], &p)), unit(&sub(&ends[1], &p)));
        let tangent = [-p[1], p[0]];
        assert!((dot(&u, &tangent) + dot(&v, &tangent)).abs() < 1e-8);
    }

    #[test]
    fn inside_with_an_end_on_or_across_the_circle() {
        assert_eq!(inside(&[[2.0, 0.0], [-2.0, 0.0]], 1.0), None, "the line passes through");
        assert_eq!(inside(&[[1.0, 0.0], [0.0, 2.0]], 1.0), None, "an end on the circle");
        let grazing = inside(&[[1.0 + 1e-9, 0.0], [0.0, 1.0 + 1e-9]], 1.0);
        assert!(grazing.is_none_or(|t| (norm(&t.points[0]) - 1.0).abs() < 1e-10));
    }
}
