//! Boxes against boxes: closed forms, separating axes, and what MuJoCo says where it surprises.

use super::*;
use crate::testing::*;
use proptest::prelude::*;
use sim_types::Quat;

#[test]
fn a_shifted_box_on_a_box_has_four_contacts_in_order() {
    let contacts = run(&at(cuboid([0.1; 3]), [0.0; 3]), &at(cuboid([0.1; 3]), [0.05, 0.0, 0.195]), 0.0);
    let want = [[0.1, -0.1], [-0.05, 0.1], [0.1, 0.1], [-0.05, -0.1]];
    assert_contacts(&contacts, &want.map(|[x, y]| (-0.005, [x, y, 0.0975], [0.0, 0.0, 1.0])));
}

#[test]
fn a_small_box_on_a_large_one_touches_with_its_corners() {
    let contacts = run(&at(cuboid([1.0, 1.0, 0.5]), [0.0; 3]), &at(cuboid([0.1, 0.2, 0.3]), [0.3, 0.2, 0.79]), 0.0);
    assert_eq!(contacts.len(), 4);
    for (x, y) in [(0.2, 0.0), (0.2, 0.4), (0.4, 0.0), (0.4, 0.4)] {
        let near = |c: &&RawContact| (c.pos - Vec3::new(x, y, 0.495)).norm() < 1e-12;
        assert_eq!(contacts.iter().filter(near).count(), 1, "{x} {y}");
    }
}

#[test]
fn a_box_turned_by_an_eighth_on_an_equal_one_has_eight_contacts() {
    let turned = turned(cuboid([0.1; 3]), [0.0, 0.0, 0.19], [0.0, 0.0, 1.0], 45.0);
    let contacts = run(&at(cuboid([0.1; 3]), [0.0; 3]), &turned, 0.0);
    assert_eq!(contacts.len(), 8);
    assert!(contacts.iter().all(|c| (c.dist + 0.01).abs() < 1e-12 && (c.normal - Vec3::z()).norm() < 1e-12));
}

#[test]
fn crossed_edges_touch_in_one_point() {
    let a = turned(cuboid([0.1, 1.0, 0.1]), [0.0; 3], [0.0, 1.0, 0.0], 45.0);
    let half = 0.1 * 2.0_f64.sqrt();
    let mut b = turned(cuboid([1.0, 0.1, 0.1]), [0.0, 0.0, 2.0 * half - 0.01], [1.0, 0.0, 0.0], 45.0);
    let contacts = run(&a, &b, 0.0);
    assert_contacts(&contacts, &[(-0.01, [0.0, 0.0, half - 0.005], [0.0, 0.0, 1.0])]);
    b.pos.z += 0.02;
    assert!(run(&a, &b, 0.0).is_empty());
    assert_eq!(run(&a, &b, 0.02).len(), 1);
}

#[test]
fn a_corner_on_a_face() {
    let tip = (1.0_f64 / 3.0).sqrt().acos().to_degrees();
    let half = 0.1 * 3.0_f64.sqrt();
    let standing = turned(cuboid([0.1; 3]), [0.0, 0.0, 0.5 + half - 0.01], [1.0, -1.0, 0.0], tip);
    let contacts = run(&at(cuboid([0.5; 3]), [0.0; 3]), &standing, 0.0);
    assert_contacts(&contacts, &[(-0.01, [0.0, 0.0, 0.495], [0.0, 0.0, 1.0])]);
}

/// MuJoCo measures the corners of the second box to the reference face alone; with a margin, one below that face but
/// beside the first box is reported as deep although the boxes are apart. Numbers from MuJoCo 3.5.0.
#[test]
fn with_a_margin_edges_apart_can_have_a_deep_contact() {
    let mut axis = Vec3::new(0.0, 0.3744897896579584, 0.5464891145767728);
    normalize3(&mut axis);
    let b = Posed {
        shape: cuboid([0.2808611526401538, 0.38008814702491006, 0.1715221377312517]),
        pos: Vec3::new(0.5173788193866884, 0.3967532424217313, 0.3687879772241212),
        mat: Quat::from_axis_angle(&axis, -2.5065737868408293).to_mat(),
    };
    let contacts = run(&at(cuboid([0.05, 0.1251628695799684, 0.05]), [0.0; 3]), &b, 0.16026232099876722);
    let dists: Vec<f64> = contacts.iter().map(|c| c.dist).collect();
    assert_eq!(dists.len(), 2);
    assert!(
        (dists[0] + 0.4019091552248609).abs() < 1e-12 && (dists[1] - 0.1271234174895949).abs() < 1e-12,
        "{dists:?}"
    );
}

/// Overlap of two boxes on all fifteen axes; the least.
fn overlap(a: &Posed<'_>, b: &Posed<'_>, size1: &Vec3, size2: &Vec3) -> f64 {
    let axes = |p: &Posed<'_>| (0..3).map(|k| Vec3::from(p.mat.column(k))).collect::<Vec<_>>();
    let (axes1, axes2) = (axes(a), axes(b));
    let crossed = axes1.iter().flat_map(|u| axes2.iter().map(move |v| u.cross(v)));
    let all = axes1.iter().chain(&axes2).copied().chain(crossed).filter(|n| n.norm() > 1e-6);
    let on = |axes: &[Vec3], size: &Vec3, n: &Vec3| (0..3).map(|k| size[k] * axes[k].dot(n).abs()).sum::<f64>();
    let each = all.map(|n| n.normalize());
    each.map(|n| on(&axes1, size1, &n) + on(&axes2, size2, &n) - (b.pos - a.pos).dot(&n).abs()).fold(f64::MAX, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// No contact beyond the margin; the normal does not depend on which box comes first.
    #[test]
    fn contacts_agree_with_the_separating_axes(
        size1 in prop::array::uniform3(0.05..0.5f64), size2 in prop::array::uniform3(0.05..0.5f64),
        pos in prop::array::uniform3(-0.6..0.6f64), axis in prop::array::uniform3(-1.0..1.0f64), angle in -3.0..3.0f64,
        margin in 0.0..0.2f64,
    ) {
        let mut axis = Vec3::from(axis);
        normalize3(&mut axis);
        let a = at(cuboid(size1), [0.0; 3]);
        let b = Posed { shape: cuboid(size2), pos: pos.into(), mat: Quat::from_axis_angle(&axis, angle).to_mat() };
        let depth = overlap(&a, &b, &size1.into(), &size2.into());
        let (there, back) = (run(&a, &b, margin), run(&b, &a, margin));
        if depth < -margin - 1e-9 {
            prop_assert!(there.is_empty() && back.is_empty());
        }
        if let ([c, ..], [d, ..]) = (&there[..], &back[..]) {
            prop_assert!((c.normal + d.normal).norm() < 1e-6);
        }
    }
}
