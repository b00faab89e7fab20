//! Does a triangle touch a box?

use sim_types::Vec3;

/// True when the triangle and the box between `min` and `max` have a point in common.
///
/// M. Schwarz and H.-P. Seidel, *Fast Parallel Surface and Solid Voxelization on GPUs* (2010): the boxes of both overlap,
/// the plane of the triangle passes through the box, and so do the projections along the axes.
#[doc(alias = "boxTriangle")]
pub(super) fn touches(v: &[Vec3; 3], min: &Vec3, max: &Vec3) -> bool {
    for k in 0..3 {
        if v.iter().all(|v| v[k] < min[k]) || v.iter().all(|v| v[k] > max[k]) {
            return false;
        }
    }

    // the two corners furthest along the normal are on different sides of the plane
    let edges = [v[1] - v[0], v[2] - v[1], v[0] - v[2]];
    let normal = edges[0].cross(&edges[1]);
    let size = max - min;
    let corner = Vec3::from_fn(|k, _| if normal[k] > 0.0 { size[k] } else { 0.0 });
    let near = normal.dot(min) + normal.dot(&(corner - v[0]));
    let far = normal.dot(min) + normal.dot(&(size - corner - v[0]));
    if near * far > 0.0 {
        return false;
    }

    // no edge of a projection has the whole box outside
    for a in 0..3 {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let sign = if normal[a] >= 0.0 { 1.0 } else { -1.0 };
        for (edge, start) in edges.iter().zip(v) {
            let out = [-edge[c] * sign, edge[b] * sign];
            let offset = -(out[0] * start[b] + out[1] * start[c])
                + f64::max(0.0, size[b] * out[0])
                + f64::max(0.0, size[c] * out[1]);
            if out[0] * min[b] + out[1] * min[c] + offset < 0.0 {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_touch_the_boxes_they_pass_through() {
        let (min, max) = (Vec3::zeros(), Vec3::repeat(1.0));
        let triangle = |points: [[f64; 3]; 3]| points.map(Vec3::from);
        let inside = triangle([[0.2, 0.2, 0.2], [0.4, 0.2, 0.2], [0.2, 0.4, 0.2]]);
        let through = triangle([[-9.0, 0.5, 0.5], [9.0, 0.5, 0.5], [0.0, 9.0, 0.5]]);
        let above = triangle([[0.0, 0.0, 1.1], [1.0, 0.0, 1.1], [0.0, 1.0, 1.1]]);
        let past_a_corner = triangle([[1.4, 0.8, 0.5], [0.8, 1.4, 0.5], [1.4, 1.4, 0.5]]);
        let beside_a_corner = triangle([[3.2, 0.0, 0.0], [0.0, 3.2, 0.0], [0.0, 0.0, 3.2]]);
        assert!(touches(&inside, &min, &max) && touches(&through, &min, &max));
        assert!(!touches(&above, &min, &max) && !touches(&past_a_corner, &min, &max));
        assert!(!touches(&beside_a_corner, &min, &max));
    }
}
