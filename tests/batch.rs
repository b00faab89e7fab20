//! Batches through the public API: rows in the caller's buffer, the same bits for any number of threads.

#![allow(clippy::expect_used, reason = "helpers of tests")]

use std::sync::Arc;

use sim_physics::{BatchSim, Model, StateBits, StepError, StepStatus, load_model};

const ENVS: usize = 7;

fn pendulum() -> Arc<Model> {
    let xml = "<mujoco><worldbody><body pos='0 0 1'><joint axis='0 1 0' damping='.1'/><geom type='capsule' \
               fromto='0 0 0 .5 0 0' size='.05'/></body></worldbody></mujoco>";
    Arc::new(load_model(xml).expect("a valid model"))
}

/// Rows after some steps from different states.
fn rows(mut sim: BatchSim) -> Vec<f64> {
    for env in 0..ENVS {
        sim.env_mut(env).expect("an environment").qvel[0] = env as f64;
    }
    let mut rows = vec![0.0; ENVS * sim.row_size(StateBits::FULLPHYSICS)];
    let mut status = vec![StepStatus::Ok; ENVS];
    for _ in 0..50 {
        sim.step_into(StateBits::FULLPHYSICS, &mut rows, &mut status).expect("buffers fit");
    }
    assert!(status.iter().all(|s| s.is_ok()));
    rows
}

#[test]
fn rows_are_the_states() {
    let m = pendulum();
    let rows = rows(BatchSim::new(Arc::clone(&m), ENVS));
    let mut d = m.make_data();
    d.qvel[0] = 3.0;
    for _ in 0..50 {
        d.step(&m).expect("a step");
    }
    assert_eq!(rows[3 * 3..4 * 3], [d.time, d.qpos[0], d.qvel[0]]);
}

/// Builds with and without the feature `parallel` are compared by numbers that are written down: run this with
/// `--no-default-features` too.
#[test]
fn every_build_gives_the_same_bits() {
    for threads in [1, 2] {
        let sim = BatchSim::builder(pendulum()).envs(ENVS).threads(threads).build().expect("threads start");
        let sum = rows(sim).iter().fold(0_u64, |sum, x| sum.rotate_left(7) ^ x.to_bits());
        assert_eq!(sum, 0x2f2c_dd3e_4ff8_be0b, "{threads} threads: {sum:#x}");
    }
}

#[test]
#[cfg(feature = "parallel")]
fn threads_do_not_change_a_bit() {
    let m = pendulum();
    let one = rows(BatchSim::new(Arc::clone(&m), ENVS));
    for threads in [2, 3] {
        let many = BatchSim::builder(Arc::clone(&m)).envs(ENVS).threads(threads).build().expect("threads start");
        let bits = |rows: &[f64]| rows.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&rows(many)), bits(&one));
    }
}

#[test]
fn buffers_of_the_wrong_size_are_refused() {
    let mut sim = BatchSim::new(pendulum(), ENVS);
    let mut status = vec![StepStatus::Ok; ENVS];
    let short = sim.step_into(StateBits::QPOS, &mut [0.0; ENVS - 1], &mut status);
    assert!(matches!(short, Err(StepError::WrongSize { want: ENVS, .. })));
    assert!(matches!(sim.set_state(StateBits::QVEL, &[0.0]), Err(StepError::WrongSize { want: ENVS, .. })));
    assert!(matches!(sim.state_into(StateBits::QVEL, &mut [0.0]), Err(StepError::WrongSize { want: ENVS, .. })));
    assert_eq!(sim.env(0).expect("an environment").time, 0.0, "nothing was stepped");
}
