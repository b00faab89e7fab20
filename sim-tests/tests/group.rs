//! Environments of a batch that are stepped four at a time: the bits of single ones, whatever happens to one of them.

use std::sync::Arc;

use sim_core::{BadNumber, Data, StepStatus};
use sim_tests::engine;
use sim_types::{DisableFlags, Integrator};

use crate::batch::{assert_same, bits, models, pair_of};

/// Groups of four, what is left of them, and fewer than four.
#[test]
fn batches_of_any_size_step_as_on_their_own() {
    for name in ["humanoid", "integrate/contacts", "tendons", "sensors"] {
        let m = Arc::new(engine::load(name).unwrap());
        for envs in 1..=9 {
            for threads in [1, 2] {
                let (mut own, mut sim) = pair_of(&m, envs, threads);
                for step in 0..12 {
                    for d in &mut own {
                        d.step(&m).unwrap();
                    }
                    sim.step_all(&mut []);
                    assert_same(&format!("{name}, {envs} on {threads} threads, step {step}"), &m, &own, &sim);
                }
            }
        }
    }
}

/// Whichever of them goes wrong, and whenever, the others of its group step as if it did not.
#[test]
fn a_bad_environment_does_not_touch_its_group() {
    for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::ImplicitFast] {
        for autoreset in [true, false] {
            for (bad, what) in [(0, 0), (2, 1), (3, 2), (6, 3)] {
                let mut m = engine::load("humanoid").unwrap();
                m.opt.integrator = integrator;
                m.opt.disableflags.set(DisableFlags::AUTORESET, !autoreset);
                let m = Arc::new(m);
                let (mut own, mut sim) = pair_of(&m, 9, 1);
                for step in 0..6 {
                    if step == 2 {
                        let env = sim.env_mut(bad).unwrap();
                        let d = &mut own[bad];
                        match what {
                            0 => (d.qpos[8], env.qpos[8]) = (f64::NAN, f64::NAN),
                            1 => (d.qvel[3], env.qvel[3]) = (1e11, 1e11),
                            // too fast for the acceleration, and a force that is not a number
                            2 => (d.qvel[3], env.qvel[3]) = (1e9, 1e9),
                            _ => (d.qfrc_applied[7], env.qfrc_applied[7]) = (f64::NAN, f64::NAN),
                        }
                    }
                    let mut failed = [false; 9];
                    for (d, failed) in own.iter_mut().zip(&mut failed) {
                        *failed = d.step(&m).is_err();
                    }
                    sim.step_all(&mut []);
                    let statuses: Vec<bool> = sim.status().iter().map(|s| s.is_failed()).collect();
                    assert_eq!(statuses, failed, "{integrator:?}, autoreset {autoreset}, {what}");
                    // both name the same number as the first bad one
                    for (env, d) in own.iter().enumerate().filter(|(env, _)| !failed[*env]) {
                        assert_eq!(sim.status()[env], d.restart.map_or(StepStatus::Ok, StepStatus::Reset));
                    }
                    if what == 3 && step == 2 && autoreset {
                        let applied = BadNumber { what: "qfrc_applied", index: 7 };
                        assert_eq!(sim.status()[bad], StepStatus::Reset(applied));
                    }
                    assert_same(&format!("{integrator:?}, {autoreset}, {what}, step {step}"), &m, &own, &sim);
                    if failed[bad] {
                        break;
                    }
                }
            }
        }
    }
}

/// What plain steps have checked once is checked again after a visitor, who may have computed with another model.
#[test]
fn a_visitor_with_another_model_leaves_no_trace() {
    let m = Arc::new(engine::load("humanoid").unwrap());
    let mut other = (*m).clone();
    for size in &mut other.geom_size {
        *size *= 1.5;
    }
    for rbound in &mut other.geom_rbound {
        *rbound *= 1.5;
    }
    for threads in [1, 2] {
        let (mut own, mut sim) = pair_of(&m, 9, threads);
        for step in 0..12 {
            for d in &mut own {
                d.step(&m).unwrap();
            }
            sim.step_all(&mut []);
            assert_same(&format!("step {step} on {threads} threads"), &m, &own, &sim);
            if step % 3 == 1 {
                sim.visit(&mut [(); 9], |_, (), _, d| d.forward(&other).unwrap()).unwrap();
            }
            if step % 3 == 2 {
                let forward = |_: usize, _: &sim_core::Model, d: &mut Data| d.forward(&other).unwrap();
                sim.step_with(&mut [], forward, |_, _, _, _| {});
                for d in &mut own {
                    d.step(&m).unwrap();
                }
            }
        }
    }
}

/// Everything that smooth dynamics computes is there for visitors, with the bits of a step alone.
#[test]
fn a_group_leaves_all_results_in_the_data() {
    let fields = [
        "xpos",
        "xquat",
        "xmat",
        "xipos",
        "ximat",
        "xanchor",
        "xaxis",
        "geom_xpos",
        "geom_xmat",
        "site_xpos",
        "site_xmat",
        "subtree_com",
        "cinert",
        "crb",
        "cdof",
        "cdof_dot",
        "cvel",
        "M",
        "qLD",
        "qLDiagInv",
        "qfrc_bias",
        "qfrc_smooth",
        "qacc_smooth",
        "qacc",
        "qH",
        "qHDiagInv",
    ];
    for (name, m) in models() {
        let m = Arc::new(m);
        let (mut own, mut sim) = pair_of(&m, 4, 1);
        let read = |d: &Data| fields.map(|f| bits(&d.array(&m, f).unwrap().data));
        for _ in 0..3 {
            for d in &mut own {
                drop(d.step(&m));
            }
            let mut seen = vec![None; 4];
            sim.step_zip(&mut seen, |_, _, _, _| {}, |_, seen, _, d, _| *seen = Some(read(d))).unwrap();
            for (env, (d, seen)) in own.iter().zip(&seen).enumerate() {
                for ((field, want), got) in fields.iter().zip(read(d)).zip(seen.as_ref().unwrap()) {
                    assert_eq!(*got, want, "{name}: {field} of environment {env}");
                }
            }
        }
    }
}
