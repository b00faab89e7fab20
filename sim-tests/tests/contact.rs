//! Contacts against goldens: filters, order, parameters, frames, and the sensors that look at geoms.

use sim_core::collision::collision;
use sim_core::{Data, Hooks, Kit, Model, Mujoco, StepError, Warning, sensor, smooth};
use sim_tests::tol::compare;
use sim_tests::{Golden, Tol, engine, models_dir};
use sim_types::{DisableFlags, EnableFlags, GeomType, Stage, Vec3};

const FIELDS: [&str; 11] = [
    "geom",
    "dist",
    "pos",
    "frame",
    "dim",
    "friction",
    "solref",
    "solreffriction",
    "solimp",
    "exclude",
    "includemargin",
];

/// Searches on smooth convex shapes end when a step gains less than 1e-6; positions are less certain than depths.
const SEARCHED: Tol = Tol { abs: 2e-6, rel: 1e-6 };

/// The sets of flags of `golden.py`.
fn variants() -> [(&'static str, DisableFlags, EnableFlags); 5] {
    let (none, default) = (DisableFlags::empty(), EnableFlags::empty());
    [
        ("plain", none, default),
        ("loops", DisableFlags::MIDPHASE, default),
        ("family", DisableFlags::FILTERPARENT, default),
        ("multiccd", none, EnableFlags::MULTICCD),
        ("portal", DisableFlags::NATIVECCD, default),
    ]
}

/// The model and data at a state of the golden, its contacts found with the flags added.
fn forward(golden: &Golden, state: &str, disable: DisableFlags, enable: EnableFlags) -> (Model, Data) {
    at(engine::load(&golden.name).unwrap(), golden, state, disable, enable)
}

/// The same for a model that is already loaded.
fn at(mut m: Model, golden: &Golden, state: &str, disable: DisableFlags, enable: EnableFlags) -> (Model, Data) {
    m.opt.disableflags |= disable;
    m.opt.enableflags |= enable;
    let mut d = engine::data_at(&m, golden, state).unwrap();
    smooth::kinematics(&m, &mut d);
    smooth::com_pos(&m, &mut d);
    smooth::cam_light(&m, &mut d);
    collision(&m, &mut d, &Mujoco::default());
    sensor::sensors(&m, &mut d, &Mujoco::default(), Stage::Pos);
    (m, d)
}

fn names() -> Vec<String> {
    let files = sim_tests::files(&models_dir().join("contact"), "xml").unwrap();
    files.iter().map(|f| format!("contact/{}", f.file_stem().unwrap().to_str().unwrap())).collect()
}

#[test]
fn contacts_are_mujocos_in_number_order_and_value() {
    let mut wrong = Vec::new();
    let mut contacts = 0;
    for name in names() {
        let golden = Golden::load(&name).unwrap();
        let model = engine::load(&name).unwrap();
        for state in &golden.states {
            for (variant, disable, enable) in variants() {
                // left out where the flags change nothing
                let title = |variant: &str| format!("contact {state} {variant}");
                let own = !golden.section(&title(variant)).is_empty();
                let section = title(if own { variant } else { "plain" });
                let (m, d) = at(model.clone(), &golden, state, disable, enable);
                contacts += d.ncon();
                for (field, want) in golden.section(&section) {
                    let tol = if field == "sensordata" || field.ends_with("pos") || field.ends_with("frame") {
                        SEARCHED
                    } else if field.ends_with("dist") {
                        Tol { abs: 1e-6, rel: 0.0 }
                    } else {
                        Tol::EXACT
                    };
                    let label = format!("{name} [{section}] as {variant}, {field}");
                    wrong.extend(compare(&label, &engine::read(&m, &d, field), &want.data, tol).err());
                }
            }
        }
    }
    assert!(contacts > 1000, "only {contacts} contacts");
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// Which types meet a terrain and a distance field when stepped; the terrain is the first geom of a contact and the field the
/// second, whatever their order in the model. Terrains and fields do not meet, nor do terrains and planes.
#[test]
fn every_type_of_geom_meets_terrains_and_fields_in_a_step() {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Hfield, Mesh, Plane, Sdf, Sphere};
    let terrain = vec![Sphere, Capsule, Ellipsoid, Cylinder, Box, Mesh];
    let field = vec![Plane, Sphere, Capsule, Ellipsoid, Cylinder, Box, Sdf];
    for (name, kind, place, want) in [("terrain", Hfield, 0, terrain), ("fields", Sdf, 1, field)] {
        let m = engine::load(&format!("contact/{name}")).unwrap();
        let mut d = m.make_data();
        d.step(&m).unwrap();
        let types = d.contact.iter().map(|c| c.geom.map(|g| m.geom_type[g.get().unwrap()]));
        let mut met: Vec<GeomType> = types.filter(|t| t[place] == kind).map(|t| t[1 - place]).collect();
        met.sort_by_key(|t| t.number());
        met.dedup();
        assert_eq!(met, want, "{name}");
    }
}

/// Every field is there and has the length of the list.
#[test]
fn fields_of_contacts_have_names() {
    let golden = Golden::load("contact/shapes").unwrap();
    let (m, d) = forward(&golden, "start", DisableFlags::empty(), EnableFlags::empty());
    assert!(d.ncon() > 0);
    for field in FIELDS.iter().chain(&["geom1", "geom2", "flex", "elem", "vert", "mu", "efc_address"]) {
        let array = d.array(&m, &format!("contact.{field}")).unwrap();
        assert_eq!(array.shape[0], d.ncon(), "{field}");
    }
    assert_eq!(d.array(&m, "ncon").unwrap().data, [d.ncon() as f64]);
    assert!(d.array(&m, "contact.weight").is_none());
}

#[test]
fn flags_switch_contacts_off() {
    let golden = Golden::load("contact/shapes").unwrap();
    for flag in [DisableFlags::CONTACT, DisableFlags::CONSTRAINT] {
        assert_eq!(forward(&golden, "start", flag, EnableFlags::empty()).1.ncon(), 0, "{flag:?}");
    }
}

#[test]
fn a_limit_leaves_geoms_out_and_is_counted() {
    let golden = Golden::load("contact/shapes").unwrap();
    let (m, mut d) = forward(&golden, "start", DisableFlags::empty(), EnableFlags::empty());
    let all = d.contact.clone();
    d.contact_limit = Some(all.len() / 2);
    collision(&m, &mut d, &Mujoco::default());
    assert!(d.ncon() <= all.len() / 2 && d.ncon() > 0);
    assert!(d.warning.get(Warning::ContactFull).number > 0);
    assert!(d.contact.iter().all(|c| all.contains(c)));
    d.contact_limit = None;
    collision(&m, &mut d, &Mujoco::default());
    assert_eq!(d.contact, all);
}

/// Without a limit every contact is kept: a pile has more than anybody would list, and its step is refused as a whole.
#[test]
fn contacts_have_no_limit_but_the_work_they_take() {
    let pile = "<mujoco><worldbody><geom type='plane' size='9 9 1'/>
      <replicate count='200'><body><freejoint/><geom type='box' size='.1 .1 .1'/></body></replicate></worldbody></mujoco>";
    let m = sim_mjcf::load_model(pile).unwrap();
    let mut d = m.make_data();
    assert_eq!(d.contact_limit, None);
    smooth::kinematics(&m, &mut d);
    collision(&m, &mut d, &Mujoco::default());
    let all = d.ncon();
    assert!(all > 65_536 && !d.warning.any(), "{all} contacts, {:?}", d.warning);

    d.work_limit = Some((all as u64 / 2) << 13);
    let refused = d.forward(&m).unwrap_err();
    assert!(matches!(&refused, StepError::TooLarge { what, .. } if what.contains("contacts")), "{refused}");
    assert!(d.ncon() > all / 2 && d.ncon() < all && d.warning.get(Warning::ContactFull).number > 0);
}

/// A solver without room for one iteration is an error, with room for a few it stops and says so.
#[test]
fn too_much_work_is_never_silent() {
    let golden = Golden::load("contact/shapes").unwrap();
    let (mut m, mut d) = forward(&golden, "start", DisableFlags::empty(), EnableFlags::empty());
    (m.opt.tolerance, m.opt.iterations) = (0.0, 1000);
    assert_eq!(d.warning.get(Warning::CnstrFull).number, 0);
    d.work_limit = Some(10);
    let error = d.forward(&m).unwrap_err();
    assert!(error.to_string().contains("multiplications, and the limit is 10"), "{error}");
    let work: u64 = 16 * d.efc.J.len() as u64 + 64 * d.efc.nefc as u64 + (m.nv as u64).pow(3) / 6;
    d.work_limit = Some(2 * work.max(20_000));
    d.forward(&m).unwrap();
    assert!(d.warning.get(Warning::CnstrFull).number > 0);
    assert!(d.solver.niter.iter().all(|n| *n <= 2), "{:?}", d.solver.niter);
}

/// The plan follows edits of the model between steps.
#[test]
fn edits_of_the_model_take_effect() {
    let golden = Golden::load("contact/shapes").unwrap();
    let (mut m, mut d) = forward(&golden, "start", DisableFlags::empty(), EnableFlags::empty());
    let before = d.ncon();
    assert!(before > 0);
    let masks = (m.geom_contype.clone(), m.geom_conaffinity.clone());
    m.geom_contype.fill(0);
    m.geom_conaffinity.fill(0);
    collision(&m, &mut d, &Mujoco::default());
    assert_eq!(d.ncon(), 0);
    (m.geom_contype, m.geom_conaffinity) = masks;
    m.geom_margin.fill(0.5);
    collision(&m, &mut d, &Mujoco::default());
    assert!(d.ncon() > before);
}

/// A user's filter replaces the masks of geoms.
#[test]
fn a_user_decides_which_geoms_touch() {
    #[derive(Default)]
    struct OnlyFloor;
    impl Hooks for OnlyFloor {
        fn filters_contacts(&self) -> bool {
            true
        }
        fn contact_filter(&self, _: &Model, _: &Data, geom1: usize, _: usize) -> bool {
            geom1 != 0
        }
    }
    let golden = Golden::load("contact/shapes").unwrap();
    let (m, mut d) = forward(&golden, "start", DisableFlags::empty(), EnableFlags::empty());
    let floor: Vec<_> = d.contact.iter().filter(|c| c.geom[0].get() == Some(0)).copied().collect();
    assert!(!floor.is_empty() && floor.len() < d.ncon());
    let kit: Kit<OnlyFloor> = Kit { hooks: OnlyFloor, ..Kit::default() };
    collision(&m, &mut d, &kit);
    assert_eq!(d.contact, floor);
}

/// Poses that no kinematics would give: nothing panics, and every contact is finite.
#[test]
fn broken_poses_give_finite_contacts_or_none() {
    for name in ["contact/shapes", "contact/crowd"] {
        let golden = Golden::load(name).unwrap();
        let (m, good) = forward(&golden, "start", DisableFlags::empty(), EnableFlags::MULTICCD);
        let places = [f64::NAN, f64::INFINITY, 1e300, -1e-300, 1e10, 0.0];
        for place in places {
            let mut d = good.clone();
            for geom in (1..m.ngeom).step_by(2) {
                d.geom_xpos[geom] = Vec3::repeat(place);
                d.xipos[m.geom_bodyid[geom] as usize] = Vec3::repeat(place);
            }
            collision(&m, &mut d, &Mujoco::default());
            assert!(d.contact.iter().all(|c| c.dist.is_finite() && c.frame.iter().all(|x| x.is_finite())), "{place}");
            let mut d = good.clone();
            d.geom_xmat.iter_mut().step_by(3).for_each(|mat| mat.fill(place));
            collision(&m, &mut d, &Mujoco::default());
            assert!(d.contact.iter().all(|c| c.dist.is_finite()), "{place}");
        }
    }
}

/// Sizes that no compiler would give.
#[test]
fn broken_sizes_give_finite_contacts_or_none() {
    let golden = Golden::load("contact/shapes").unwrap();
    let (good, mut d) = forward(&golden, "start", DisableFlags::empty(), EnableFlags::MULTICCD);
    for size in [0.0, -1.0, 1e-300, 1e12, f64::NAN, f64::INFINITY] {
        let mut m = good.clone();
        m.geom_size.fill(Vec3::repeat(size));
        m.geom_rbound.fill(size);
        collision(&m, &mut d, &Mujoco::default());
        assert!(d.contact.iter().all(|c| c.dist.is_finite() && c.pos.iter().all(|x| x.is_finite())), "{size}");
        let mut m = good.clone();
        m.geom_size.iter_mut().step_by(2).for_each(|s| *s = Vec3::new(size, 1e-3, 1e3));
        collision(&m, &mut d, &Mujoco::default());
        assert!(d.contact.iter().all(|c| c.dist.is_finite()), "{size}");
    }
}

/// The two ways to find candidates agree: the crowd as it is, and with geoms taken away until rows of bits are used.
#[test]
fn rows_and_sweep_find_the_same() {
    let golden = Golden::load("contact/crowd").unwrap();
    for state in &golden.states {
        let (mut m, mut d) = forward(&golden, state, DisableFlags::empty(), EnableFlags::empty());
        let all = d.contact.clone();
        // three geoms without masks are enough
        let gone = [1, 2, 3];
        for g in gone {
            (m.geom_contype[g], m.geom_conaffinity[g]) = (0, 0);
        }
        collision(&m, &mut d, &Mujoco::default());
        let kept: Vec<_> =
            all.iter().filter(|c| c.geom.iter().all(|g| !gone.contains(&g.get().unwrap()))).copied().collect();
        assert_eq!(d.contact, kept, "{state}");
    }
}
