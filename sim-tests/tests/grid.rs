//! Geoms whose shape is a distance field on a grid, an extension.

use sim_core::{Data, Model, SdfGrid};
use sim_types::{GeomType, Vec3};

/// A ball of radius 0.3 around `centre`.
fn ball(centre: Vec3) -> SdfGrid {
    SdfGrid::from_fn([33; 3], 0.025, centre - Vec3::repeat(0.4), |p| (p - centre).norm() - 0.3).unwrap()
}

/// Two bodies, the first fixed at the origin with the given geom, the second at `at` with a geom that becomes a ball on a grid.
fn scene(other: &str, at: &str, centre: Vec3) -> Model {
    let assets = "<asset>
        <mesh name='wedge' vertex='-.2 -.2 -.1  .2 -.2 -.1  0 .25 -.1  0 0 .3'/>
        <hfield name='flat' nrow='3' ncol='3' size='1 1 .2 .1' elevation='1 1 1 1 1 1 1 1 1'/>
      </asset>";
    let assets = if other.contains("mesh") || other.contains("hfield") { assets } else { "" };
    let xml = format!(
        "<mujoco>
           {assets}
           <worldbody>
             <body>{other}</body>
             <body name='field' pos='{at}'><freejoint/><geom name='field' size='.3' mass='1'/></body>
           </worldbody>
         </mujoco>"
    );
    let mut m = sim_mjcf::load_model(&xml).unwrap();
    let geom = m.geom_id("field").unwrap().0;
    m.set_geom_sdf(geom, &ball(centre)).unwrap();
    m.check().unwrap();
    m
}

fn forward(m: &Model) -> Data {
    let mut d = m.make_data();
    d.forward(m).unwrap();
    d
}

/// Every type of geom under the ball, whose lowest point is 0.02 below its top.
#[test]
fn a_grid_meets_every_type_of_geom() {
    let shapes = [
        ("<geom type='plane' size='1 1 .1' pos='0 0 .2'/>", 0.2),
        ("<geom type='hfield' hfield='flat'/>", 0.0),
        ("<geom size='.2'/>", 0.2),
        ("<geom type='capsule' size='.1 .2' euler='0 90 0'/>", 0.1),
        ("<geom type='ellipsoid' size='.3 .2 .1'/>", 0.1),
        ("<geom type='cylinder' size='.2 .1'/>", 0.1),
        ("<geom type='box' size='.2 .2 .1'/>", 0.1),
        ("<geom type='mesh' mesh='wedge'/>", 0.2),
    ];
    for (shape, top) in shapes {
        let m = scene(shape, &format!("0 0 {}", top + 0.28), Vec3::zeros());
        let d = forward(&m);
        assert!(d.ncon() > 0, "{shape}: no contact");
        for con in &d.contact {
            // the field is the second geom, and the normal goes there
            assert_eq!(con.geom[1].get(), m.geom_id("field").map(|g| g.0), "{shape}");
            assert!(con.dist <= 0.0 && con.dist > -0.08, "{shape}: {}", con.dist);
            assert!(con.frame[(0, 2)] > 0.5, "{shape}: normal {}", con.frame.row(0));
        }
        let apart = scene(shape, "0 0 1.5", Vec3::zeros());
        assert_eq!(forward(&apart).ncon(), 0, "{shape}");
    }
}

#[test]
fn two_grids_meet() {
    let mut m = scene("<geom name='other' size='.3'/>", "0 0 .57", Vec3::zeros());
    m.set_geom_sdf(m.geom_id("other").unwrap().0, &ball(Vec3::zeros())).unwrap();
    let d = forward(&m);
    assert!(d.ncon() > 0);
    for con in &d.contact {
        // as deep as both fields are there: half of the overlap at most
        assert!(con.frame[(0, 2)] > 0.9 && con.dist <= 0.0 && con.dist > -0.016, "{} {}", con.dist, con.frame.row(0));
    }
}

/// Bounds are around the geom's origin, wherever the grid is.
#[test]
fn a_grid_beside_its_geom_is_not_overlooked() {
    // the grid is a metre beside the geom; with a second geom the body has a tree of boxes
    let floor = "<geom type='box' size='.2 .2 .1'/><geom size='.01' pos='0 0 -.5'/>";
    let m = scene(floor, "-1 0 .38", Vec3::x());
    let geom = m.geom_id("field").unwrap().0;
    assert_eq!((m.geom_type[geom], m.geom_aabb[geom][0]), (GeomType::Sdf, 1.0));
    assert!((m.geom_rbound[geom] - Vec3::new(1.4, 0.4, 0.4).norm()).abs() < 1e-12);
    assert!(forward(&m).ncon() > 0);

    // the field in the body with the tree, in place of the small ball
    let mut m = scene(floor, "1 0 .05", Vec3::zeros());
    assert_eq!(forward(&m).ncon(), 0);
    m.set_geom_sdf(1, &ball(Vec3::new(1.0, 0.0, 0.0))).unwrap();
    assert!(forward(&m).ncon() > 0);
}

#[test]
fn a_ball_on_a_grid_comes_to_rest() {
    let m = scene("<geom type='box' size='.5 .5 .1'/>", "0 0 .45", Vec3::zeros());
    let mut d = m.make_data();
    for _ in 0..1000 {
        d.step(&m).unwrap();
    }
    assert!(!d.warning.any(), "{:?}", d.warning);
    assert!((d.qpos[2] - 0.4).abs() < 0.02, "height {}", d.qpos[2]);
}

#[test]
fn grids_survive_a_file_and_are_refused_by_mjcf() {
    let m = scene("<geom size='.2'/>", "0 0 .48", Vec3::zeros());
    let again = Model::from_bytes(&m.to_bytes().unwrap()).unwrap();
    assert_eq!(forward(&again).contact, forward(&m).contact);
    let error = sim_mjcf::model_to_mjcf(&m).unwrap_err();
    assert_eq!(error.to_string(), "MJCF cannot say the distance field on a grid of geom 'field'");

    let mut broken = m.clone();
    assert!(broken.set_geom_sdf(9, &ball(Vec3::zeros())).is_err());
    std::sync::Arc::make_mut(&mut broken.assets).sdf_size[0] = [1000; 3];
    assert!(broken.check().is_err());
    assert!(forward(&broken).contact.iter().all(|c| c.dist.is_finite()));
}
