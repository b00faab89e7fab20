//! Forces of a fluid, against closed forms and against MuJoCo 3.5.0's numbers.

use sim_core::{Data, Model};
use sim_mjcf::load_model;
use sim_tests::{Golden, Tol, assert_close, engine};

/// One free body in a fluid without gravity, moving.
fn moving(option: &str, body: &str, geoms: &str, qvel: [f64; 6]) -> (Model, Data) {
    let m = load_model(&format!(
        "<mujoco><option gravity='0 0 0' {option}/><worldbody><body {body}><freejoint/>{geoms}</body></worldbody></mujoco>"
    ))
    .unwrap();
    let mut d = m.make_data();
    d.qvel.copy_from_slice(&qvel);
    d.forward(&m).unwrap();
    (m, d)
}

fn force(option: &str, body: &str, geoms: &str, qvel: [f64; 6]) -> Vec<f64> {
    moving(option, body, geoms, qvel).1.qfrc_fluid
}

fn assert_near(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-9), "{got:?} instead of {want:?}");
}

fn ellipsoid(coef: &str) -> String {
    format!("<geom type='ellipsoid' size='0.1 0.05 0.02' mass='1' fluidshape='ellipsoid' fluidcoef='{coef}'/>")
}

const TUMBLE: [f64; 6] = [3.0, 0.0, 0.0, 0.0, 2.0, 0.0];
const TILTED: &str = "quat='0.9 0.1 0.3 0.2'";

#[test]
fn nothing_pushes_in_a_vacuum() {
    let f = force("wind='5 0 0'", "", "<geom size='0.1' fluidshape='ellipsoid'/>", [3.0, 1.0, 2.0, 4.0, 5.0, 6.0]);
    assert!(f.iter().all(|x| *x == 0.0));
}

/// The fall of a ball through air ends at MuJoCo's velocity.
#[test]
fn a_falling_ball_reaches_its_terminal_velocity() {
    for (shape, want) in [("none", -26.099_838_696_714_876), ("ellipsoid", -22.812_179_506_621_59)] {
        let m = load_model(&format!(
            "<mujoco><option density='1.2' viscosity='1.8e-5' timestep='0.005'/><worldbody><body><freejoint/>
             <geom type='sphere' size='0.1' mass='1' fluidshape='{shape}'/></body></worldbody></mujoco>"
        ))
        .unwrap();
        let mut d = m.make_data();
        for _ in 0..4000 {
            d.step(&m).unwrap();
        }
        assert!((d.qvel[2] - want).abs() < 1e-9 * want.abs(), "{shape}: {}", d.qvel[2]);
    }
}

#[test]
fn wind_pushes_a_body_at_rest() {
    let geom = |shape: &str| format!("<geom type='box' size='0.1 0.05 0.02' mass='1' fluidshape='{shape}'/>");
    let option = "density='1.2' wind='5 0 0'";
    assert_near(&force(option, "", &geom("none"), [0.0; 6]), &[0.06, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let want = [0.141_371_669_411_540_7, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_near(&force(option, "", &geom("ellipsoid"), [0.0; 6]), &want);
}

/// A small ball obeys Stokes' law; its equivalent inertia box, which is smaller, does not.
#[test]
fn a_small_ball_obeys_stokes() {
    let geom = "<geom type='sphere' size='0.001' mass='1e-3' fluidshape='ellipsoid' fluidcoef='0 0 0 0 0'/>";
    let f = force("viscosity='1'", "", geom, [2.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let stokes = -6.0 * std::f64::consts::PI * 0.001 * 2.0;
    assert!((f[0] - stokes).abs() < 1e-6 * stokes.abs(), "{}", f[0]);
    let boxed = force("viscosity='1'", "", "<geom size='0.001' mass='1e-3'/>", [2.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_near(&boxed, &[-0.029_201_606_467_01, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn drag_depends_on_the_attitude() {
    let geom = ellipsoid("0.5 0.25 1.5 1 1");
    let along = force("density='10'", "", &geom, TUMBLE);
    let across = force("density='10'", "quat='0.7071067811865476 0 0.7071067811865476 0'", &geom, TUMBLE);
    assert_near(&[along[0], along[2]], &[-0.424_115_008_234_622_1, -0.022_481_596_125_861_08]);
    assert_near(&[across[0], across[2]], &[-0.706_858_347_057_704, 0.023_329_894_403_007_57]);
}

#[test]
fn a_spinning_ball_is_lifted_by_magnus_and_not_by_kutta() {
    let geom = |coef: &str| format!("<geom size='0.1' mass='1' fluidshape='ellipsoid' fluidcoef='{coef}'/>");
    let option = "density='10'";
    let plain = force(option, "", &geom("0 0 0 0 0"), TUMBLE);
    let magnus = force(option, "", &geom("0 0 0 0 1"), TUMBLE);
    // ρ·V·ω×v
    let want = 10.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3 * -6.0;
    assert!((magnus[2] - plain[2] - want).abs() < 1e-9, "{} {}", magnus[2], plain[2]);
    assert_near(&magnus, &[0.0, 0.0, -0.125_663_780_162_721_98, 0.0, 0.0, 0.0]);
    assert_near(&force(option, "", &geom("0 0 0 1 0"), TUMBLE), &plain);
}

#[test]
fn kutta_lifts_a_tilted_body() {
    let f = force("density='10'", TILTED, &ellipsoid("0 0 0 1 0"), TUMBLE);
    let want = [
        -0.020_314_413_861_111_6,
        0.091_452_682_109_530_53,
        -0.648_038_687_258_260_4,
        0.011_642_871_611_428_36,
        0.030_471_620_791_667_4,
        0.001_910_180_733_818_36,
    ];
    assert_near(&f, &want);
}

#[test]
fn coefficients_switch_lift_off_and_double_drag() {
    let (single, double) = (ellipsoid("0.5 0.25 1 0 0"), ellipsoid("1 0.5 2 0 0"));
    let (none, one) =
        (force("density='10'", "", &ellipsoid("0 0 0 0 0"), TUMBLE), force("density='10'", "", &single, TUMBLE));
    let two = force("density='10'", "", &double, TUMBLE);
    assert!(((two[0] - none[0]) - 2.0 * (one[0] - none[0])).abs() < 1e-12);
    let want = [
        -1.404_379_217_440_655_7,
        -0.013_202_499_110_411_92,
        0.017_092_666_951_722_07,
        0.011_642_871_611_428_37,
        0.029_801_414_358_901_58,
        0.001_910_180_733_818_36,
    ];
    assert_near(&force("density='10'", TILTED, &double, TUMBLE), &want);
}

/// One ellipsoid geom turns the box model off for its whole body.
#[test]
fn a_body_of_several_geoms_has_one_of_the_models() {
    let geoms = |shape: &str| {
        format!(
            "<geom type='box' size='0.1 0.05 0.02' mass='1' fluidshape='{shape}'/><geom size='0.05' pos='0.2 0.1 0' mass='0.5'/>"
        )
    };
    let (option, qvel) = ("density='10' viscosity='0.1'", [3.0, 1.0, 0.0, 0.5, 2.0, 1.0]);
    let boxed = [
        -0.805_512_822_297_527_9,
        -0.305_411_076_030_421_6,
        0.023_667_159_009_204_537,
        0.000_192_788_659_525_147_87,
        -0.006_825_098_338_029_151_5,
        0.004_183_699_876_972_48,
    ];
    assert_near(&force(option, "", &geoms("none"), qvel), &boxed);
    let round = [
        -0.734_661_649_709_476_3,
        -0.447_623_897_281_344_83,
        -0.021_070_807_750_979_498,
        -0.000_337_776_073_144_764_9,
        -0.001_434_097_708_791_603_2,
        -0.003_502_937_554_305_222_6,
    ];
    assert_near(&force(option, "", &geoms("ellipsoid"), qvel), &round);
}

/// Wings that beat in air: forces at the start, and after a hundred steps of our own.
#[test]
fn a_fly_feels_the_air_as_in_mujoco() {
    let golden = Golden::load("fly").unwrap();
    for m in engine::both(&golden).unwrap() {
        let mut d = engine::data_at(&m, &golden, "thrown").unwrap();
        for (state, steps) in [("thrown", 0), ("after", 100)] {
            for _ in 0..steps {
                d.step(&m).unwrap();
            }
            let mut here = d.clone();
            here.forward(&m).unwrap();
            let want = golden.get(&format!("forward {state}"), "qfrc_passive");
            let largest = want.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            assert!(here.qfrc_fluid.iter().any(|x| x.abs() > 0.1 * largest), "the air hardly counts");
            let tol = Tol { abs: 1e-6 * largest, rel: 0.0 };
            assert_close(&golden.label(state, "qfrc_passive"), &here.qfrc_passive, want, tol);
        }
    }
}
