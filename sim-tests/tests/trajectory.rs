//! Steps from MuJoCo's states: one, and a hundred.

use sim_tests::{Golden, Tol, assert_close, engine, mujoco_model};
use sim_types::Integrator;

#[test]
fn one_step_from_every_state() {
    for golden in Golden::moving().unwrap() {
        for (m, state) in engine::both(&golden).unwrap().iter().flat_map(|m| golden.states.iter().map(move |s| (m, s)))
        {
            let section = format!("step {state}");
            let mut d = engine::data_at(m, &golden, state).unwrap();
            d.step(m).unwrap();
            for (field, want) in golden.section(&section) {
                let got = engine::read(m, &d, field);
                assert_close(&golden.label(&section, field), &got, &want.data, Tol::FORWARD.scaled(&want.data));
            }
        }
    }
}

/// Applied forces stay on, as they did in MuJoCo.
#[test]
fn a_hundred_steps_end_where_mujocos_do() {
    for golden in Golden::moving().unwrap() {
        for m in engine::both(&golden).unwrap() {
            let mut d = engine::data_at(&m, &golden, "thrown").unwrap();
            for _ in 0..100 {
                d.step(&m).unwrap();
            }
            for field in ["time", "qpos", "qvel", "qfrc_applied", "xfrc_applied"] {
                let want = golden.get("state after", field);
                let got = engine::read(&m, &d, field);
                assert_close(&golden.label("after", field), &got, want, Tol::TRAJECTORY.scaled(want));
            }
        }
    }
}

/// `step1` and `step2` are one step; `forward` in between changes nothing that matters.
#[test]
fn two_half_steps_are_a_step() {
    for golden in Golden::moving().unwrap() {
        let mut m = mujoco_model(&golden).unwrap();
        if m.opt.integrator == Integrator::Rk4 {
            // as in MuJoCo, half steps know no Runge-Kutta
            m.opt.integrator = Integrator::Euler;
        }
        let mut whole = engine::data_at(&m, &golden, "thrown").unwrap();
        let mut halves = whole.clone();
        for _ in 0..10 {
            whole.step(&m).unwrap();
            halves.step1(&m).unwrap();
            halves.step2(&m).unwrap();
        }
        assert_eq!(
            (whole.time, &whole.qpos, &whole.qvel),
            (halves.time, &halves.qpos, &halves.qvel),
            "{}",
            golden.name
        );
    }
}

/// A reset, or the first keyframe, is the state that MuJoCo starts from.
#[test]
fn reset_is_mujocos() {
    for golden in Golden::moving().unwrap() {
        let m = engine::load_for(&golden).unwrap();
        let mut d = engine::data_at(&m, &golden, "thrown").unwrap();
        d.step(&m).unwrap();
        if m.nkey > 0 {
            d.reset_to_keyframe(&m, 0).unwrap();
        } else {
            d.reset(&m);
        }
        for (field, want) in golden.section("state start") {
            let got = engine::read(&m, &d, field);
            assert_close(&golden.label("start", field), &got, &want.data, Tol::MODEL);
        }
        assert!(d.reset_to_keyframe(&m, m.nkey).is_err());
    }
}
