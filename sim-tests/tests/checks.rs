//! States that went bad, models that need what is not there yet, data of another model.

use sim_core::{Data, Model, StepError, Warning};
use sim_tests::{Golden, engine, mujoco_model};

fn chain() -> (Model, Data) {
    let golden = Golden::load("chain5").unwrap();
    let m = mujoco_model(&golden).unwrap();
    let d = m.make_data();
    (m, d)
}

fn after_one_step(m: &Model) -> Data {
    let mut d = m.make_data();
    d.step(m).unwrap();
    d
}

/// A bad position or velocity is reset before the step, a bad acceleration before integration.
#[test]
fn a_bad_state_is_reset_and_counted() {
    let (m, _) = chain();
    let want = after_one_step(&m);
    type Spoil = (Warning, fn(&mut Data));
    let spoil: [Spoil; 5] = [
        (Warning::BadQpos, |d| d.qpos[3] = f64::NAN),
        (Warning::BadQpos, |d| d.qpos[3] = -2e10),
        (Warning::BadQvel, |d| d.qvel[3] = f64::INFINITY),
        (Warning::BadQacc, |d| d.qfrc_applied[3] = 1e13),
        (Warning::BadQacc, |d| d.qfrc_applied[3] = f64::NAN),
    ];
    for (kind, spoil) in spoil {
        let (_, mut d) = chain();
        d.step(&m).unwrap();
        spoil(&mut d);
        d.step(&m).unwrap();
        assert_eq!((d.time, &d.qpos, &d.qvel), (want.time, &want.qpos, &want.qvel), "{kind:?}");
        assert_eq!(d.warning.get(kind).number, 1, "{kind:?}");
        assert_eq!(d.warning.all().iter().map(|w| w.number).sum::<u32>(), 1, "{kind:?}");
    }
}

#[test]
fn without_autoreset_a_bad_state_is_an_error() {
    let golden = Golden::load("autoreset_off").unwrap();
    let m = mujoco_model(&golden).unwrap();
    let mut d = m.make_data();
    d.qvel[0] = f64::NAN;
    let error = d.step(&m).unwrap_err();
    assert!(matches!(error, StepError::BadState { what: "qvel", index: 0, .. }), "{error}");
    assert!(error.to_string().contains("qvel[0]"), "{error}");
}

/// Physics that is not there yet is refused by name.
#[test]
fn a_missing_stage_is_refused() {
    let m = engine::load("flex_lines").unwrap();
    let error = m.make_data().step(&m).unwrap_err();
    assert!(matches!(error, StepError::Unsupported { .. }), "{error}");
}

#[test]
fn data_of_another_model_is_refused() {
    let (m, _) = chain();
    let other = mujoco_model(&Golden::load("pendulum").unwrap()).unwrap();
    let error = other.make_data().step(&m).unwrap_err();
    assert!(matches!(error, StepError::WrongSize { .. }), "{error}");
}

#[test]
fn a_timestep_that_is_not_positive_is_refused() {
    for timestep in [0.0, -0.001, f64::NAN, f64::INFINITY] {
        let (mut m, mut d) = chain();
        m.opt.timestep = timestep;
        assert!(matches!(d.step(&m), Err(StepError::InvalidTimestep { .. })), "{timestep}");
    }
}

#[test]
fn a_model_without_a_world_is_refused() {
    let m = Model::default();
    assert!(matches!(m.make_data().step(&m), Err(StepError::Unsupported { .. })));
    assert!(matches!(m.make_data().forward(&m), Err(StepError::Unsupported { .. })));
}
