//! Rays, distances and points inside geoms, on a model where the answers are plain and on goldens of all types of geom.

use sim_core::{Data, Model, RayFilter, RayHit, geom_distance, inside_geom, multi_ray, ray, smooth};
use sim_tests::tol::compare;
use sim_tests::{Golden, Section, Tol, engine};
use sim_types::{DisableFlags, GeomId, GeomType, Vec3};
use std::rc::Rc;

/// A ball of radius 0.15 at height 0.5 above a floor, among other things; an invisible pane at y = 0.3.
fn scene() -> (Model, Data) {
    let m = engine::load("contact/sensors").unwrap();
    let mut d = m.make_data();
    smooth::kinematics(&m, &mut d);
    smooth::com_pos(&m, &mut d);
    (m, d)
}

fn geom(m: &Model, name: &str) -> GeomId {
    m.geom_id(name).unwrap()
}

#[track_caller]
fn assert_hit(hit: Option<RayHit>, geom: GeomId, dist: f64, normal: Vec3) {
    let hit = hit.unwrap();
    assert_eq!(hit.geom, geom.0);
    assert!((hit.dist - dist).abs() < 1e-12 && (hit.normal - normal).norm() < 1e-12, "{hit:?}");
}

#[test]
fn a_ray_hits_the_nearest_geom_that_counts() {
    let (mut m, d) = scene();
    let (from, down) = (Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.0, 0.0, -2.0));
    let (ball, floor) = (geom(&m, "ball"), geom(&m, "floor"));
    let every = RayFilter::default();
    // distances are multiples of the direction
    assert_hit(ray(&m, &d, &from, &down, &every), ball, 0.675, Vec3::z());
    let without_ball = RayFilter { exclude_body: Some(m.geom_bodyid[ball.0] as usize), ..every };
    assert_hit(ray(&m, &d, &from, &down, &without_ball), floor, 1.0, Vec3::z());
    assert_eq!(ray(&m, &d, &from, &down, &RayFilter { fixed: false, ..without_ball }), None);

    // groups; those beyond the last belong to it
    m.geom_group[ball.0] = 9;
    let mut groups = [true; 6];
    groups[5] = false;
    assert_hit(ray(&m, &d, &from, &down, &RayFilter { groups, ..every }), floor, 1.0, Vec3::z());

    // what cannot be seen is not hit
    let (side, pane) = (Vec3::new(0.3, 0.0, 0.9), Vec3::y());
    assert_eq!(ray(&m, &d, &side, &pane, &every), None);
    let glass = geom(&m, "glass").0;
    m.geom_rgba[glass][3] = 0.5;
    assert_hit(ray(&m, &d, &side, &pane, &every), GeomId(glass), 0.29, -Vec3::y());
}

#[test]
fn directions_without_length_hit_nothing() {
    let (m, d) = scene();
    for dir in [Vec3::zeros(), Vec3::repeat(1e-300), Vec3::repeat(f64::NAN)] {
        assert_eq!(ray(&m, &d, &Vec3::z(), &dir, &RayFilter::default()), None);
    }
}

#[test]
fn many_rays_hit_what_single_rays_hit() {
    let (m, d) = scene();
    let from = Vec3::new(0.1, -1.0, 0.8);
    let dirs: Vec<Vec3> =
        (0..200).map(|i| Vec3::new(f64::from(i % 20) / 10.0 - 1.0, 1.0, f64::from(i / 20) / 5.0 - 1.0)).collect();
    let mut hits = vec![None; dirs.len()];
    multi_ray(&m, &d, &from, &dirs, &RayFilter::default(), f64::INFINITY, &mut hits);
    for (dir, hit) in dirs.iter().zip(&hits) {
        assert_eq!(*hit, ray(&m, &d, &from, dir, &RayFilter::default()), "{dir}");
    }
    assert!(hits.iter().flatten().any(|h| h.geom != 0) && hits.iter().any(Option::is_none));

    // a geom beyond the cutoff does not count
    let short = 0.2;
    multi_ray(&m, &d, &from, &dirs, &RayFilter::default(), short, &mut hits);
    let near = |h: &RayHit| (d.geom_xpos[h.geom] - from).norm() <= short + m.geom_rbound[h.geom];
    assert!(hits.iter().flatten().all(near));
}

#[test]
fn distances_run_from_the_first_geom_to_the_second() {
    let (m, d) = scene();
    let (ball, brick) = (geom(&m, "ball"), geom(&m, "brick"));
    let found = geom_distance(&m, &d, ball, brick, 2.0).unwrap();
    assert!((found.dist - 0.15).abs() < 1e-9, "{found:?}");
    let [from, to] = found.segment.unwrap();
    assert!((from - Vec3::new(-0.15, 0.0, 0.5)).norm() < 1e-9 && (to - Vec3::new(-0.3, 0.0, 0.5)).norm() < 1e-9);
    let far = geom_distance(&m, &d, ball, brick, 0.1).unwrap();
    assert_eq!((far.dist, far.segment), (0.1, None));
    assert!(geom_distance(&m, &d, ball, GeomId(99), 1.0).is_none());
}

#[test]
fn points_are_inside_or_outside() {
    let (m, d) = scene();
    let (ball, floor) = (geom(&m, "ball"), geom(&m, "floor"));
    assert!(inside_geom(&m, &d, ball, &Vec3::new(0.0, 0.14, 0.5)));
    assert!(!inside_geom(&m, &d, ball, &Vec3::new(0.0, 0.16, 0.5)));
    assert!(inside_geom(&m, &d, floor, &Vec3::new(5.0, 5.0, -0.1)));
    assert!(!inside_geom(&m, &d, GeomId(99), &Vec3::zeros()));
}

/// Searches on smooth convex shapes end when a step gains less than 1e-6; where they end is less certain than the distance.
const SEARCHED: Tol = Tol { abs: 2e-6, rel: 1e-6 };

/// The states of all goldens of queries, each with its golden and the model there.
fn states() -> Vec<(Rc<Golden>, String, Model, Data)> {
    let goldens = ["query/shapes", "query/meshes_and_fields"].map(|name| Rc::new(Golden::load(name).unwrap()));
    let at = |golden: &Rc<Golden>, state: &String| {
        let m = engine::load(&golden.name).unwrap();
        let mut d = engine::data_at(&m, golden, state).unwrap();
        smooth::kinematics(&m, &mut d);
        smooth::com_pos(&m, &mut d);
        (Rc::clone(golden), state.clone(), m, d)
    };
    goldens.iter().flat_map(|golden| golden.states.iter().map(move |state| at(golden, state))).collect()
}

/// Row `i` of an array.
fn row<'a>(section: &'a Section, name: &str, i: usize) -> &'a [f64] {
    let array = &section[name];
    let width: usize = array.shape[1..].iter().product();
    &array.data[i * width..(i + 1) * width]
}

fn vec3(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}

fn filter(row: &[f64]) -> RayFilter {
    let bits = row[0] as usize;
    let body = (row[2] >= 0.0).then_some(row[2] as usize);
    RayFilter { groups: std::array::from_fn(|k| bits >> k & 1 == 1), fixed: row[1] != 0.0, exclude_body: body }
}

/// Geom, distance and normal, as MuJoCo writes them.
fn numbers(hit: Option<RayHit>) -> [f64; 5] {
    hit.map_or([-1.0, -1.0, 0.0, 0.0, 0.0], |h| [h.geom as f64, h.dist, h.normal.x, h.normal.y, h.normal.z])
}

/// What is wrong with a hit.
fn judge(label: &str, got: Option<RayHit>, want: &[f64]) -> Option<String> {
    compare(label, &numbers(got), want, Tol::STAGE).err()
}

#[test]
fn rays_hit_what_mujocos_rays_hit() {
    let (mut wrong, mut hit) = (Vec::new(), Vec::new());
    for (golden, state, m, d) in states() {
        let rays = golden.section(&format!("rays {state}"));
        for i in 0..rays["dist"].data.len() {
            let (from, dir) = (vec3(row(rays, "pnt", i)), vec3(row(rays, "vec", i)));
            let got = ray(&m, &d, &from, &dir, &filter(row(rays, "filter", i)));
            let want = [row(rays, "geomid", i), row(rays, "dist", i), row(rays, "normal", i)].concat();
            wrong.extend(judge(&format!("{} [rays {state}] {i}", golden.name), got, &want));
            hit.extend(got.map(|h| m.geom_type[h.geom]));
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    let every: Vec<GeomType> = (0..9).filter_map(GeomType::from_number).collect();
    assert!(every.len() == 9 && every.iter().all(|kind| hit.contains(kind)), "{hit:?}");
}

#[test]
fn bundles_of_rays_hit_what_mujocos_bundles_hit() {
    let (mut wrong, mut hits) = (Vec::new(), 0);
    for (golden, state, m, d) in states() {
        let bundles = golden.section(&format!("bundles {state}"));
        for (i, cutoff) in bundles["cutoff"].data.iter().enumerate() {
            let dirs: Vec<Vec3> = row(bundles, "vec", i).chunks(3).map(vec3).collect();
            let mut out = vec![None; dirs.len()];
            let filter = filter(row(bundles, "filter", i));
            multi_ray(&m, &d, &vec3(row(bundles, "pnt", i)), &dirs, &filter, *cutoff, &mut out);
            for (k, got) in out.iter().enumerate() {
                let (geom, dist) = (row(bundles, "geomid", i)[k], row(bundles, "dist", i)[k]);
                let want = [&[geom, dist], &row(bundles, "normal", i)[3 * k..3 * k + 3]].concat();
                wrong.extend(judge(&format!("{} [bundles {state}] {i} {k}", golden.name), *got, &want));
                hits += usize::from(got.is_some());
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    assert!(hits > 50, "{hits}");
}

#[test]
fn distances_and_segments_are_mujocos() {
    let mut wrong = Vec::new();
    for (golden, state, mut m, d) in states() {
        for (variant, flag) in [("plain", DisableFlags::empty()), ("portal", DisableFlags::NATIVECCD)] {
            m.opt.disableflags |= flag;
            let title = format!("distances {state} {variant}");
            let pairs = golden.section(&title);
            for (i, limit) in pairs["distmax"].data.iter().enumerate() {
                let [a, b] = ["geom1", "geom2"].map(|name| GeomId(row(pairs, name, i)[0] as usize));
                let found = geom_distance(&m, &d, a, b, *limit).unwrap();
                let label = format!("{} [{title}] {:?} {:?}, {limit}", golden.name, m.geom_type[a.0], m.geom_type[b.0]);
                wrong.extend(compare(&label, &[found.dist], row(pairs, "dist", i), Tol { abs: 1e-6, rel: 0.0 }).err());
                let [from, to] = found.segment.unwrap_or_default();
                let segment = [from.as_slice(), to.as_slice()].concat();
                wrong.extend(compare(&label, &segment, row(pairs, "fromto", i), SEARCHED).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// A step of a descent that gains nothing but rounding is taken or not by the last bit, which must be MuJoCo's then.
#[test]
fn meshes_in_fields_are_as_deep_as_in_mujoco_to_the_last_bit() {
    let mut in_touch = 0;
    for (golden, state, m, d) in states() {
        let pairs = golden.section(&format!("distances {state} plain"));
        for (i, limit) in pairs["distmax"].data.iter().enumerate() {
            let [a, b] = ["geom1", "geom2"].map(|name| row(pairs, name, i)[0] as usize);
            let kinds = [m.geom_type[a], m.geom_type[b]];
            if kinds.contains(&GeomType::Mesh) && kinds.contains(&GeomType::Sdf) {
                let found = geom_distance(&m, &d, GeomId(a), GeomId(b), *limit).unwrap();
                assert_eq!(found.dist, row(pairs, "dist", i)[0], "{} {state}: {a} {b}", golden.name);
                in_touch += usize::from(found.segment.is_some());
            }
        }
    }
    assert!(in_touch > 10, "{in_touch}");
}
