//! Batches: the bits of single environments on any number of threads, isolation, resets, rollouts.

use std::sync::Arc;

use sim_core::pipeline::StageName;
use sim_core::{
    BadNumber, BatchError, BatchSim, Data, Fault, Model, Rollout, StateBits, StepError, StepStatus, Trajectories,
    Warning,
};
use sim_tests::{Rng, engine, files, models_dir};
use sim_types::{DisableFlags, EnableFlags, Integrator};

const ENVS: usize = 5;
const ALL: StateBits = StateBits::INTEGRATION;

/// Every model of the tests that can be stepped, with its name.
pub(crate) fn models() -> Vec<(String, Model)> {
    let mut all = Vec::new();
    for folder in ["", "constraint", "contact", "integrate"] {
        let dir = models_dir().join(folder);
        for path in ["xml", "urdf"].iter().flat_map(|kind| files(&dir, kind).unwrap()) {
            let name = format!("{folder}/{}", path.file_stem().unwrap().to_str().unwrap());
            let m = sim_mjcf::load_file(&path).unwrap();
            if m.make_data().step(&m).is_ok() {
                all.push((name, m));
            }
        }
    }
    assert!(all.len() > 80, "only {} models", all.len());
    all
}

/// A different state for each environment: moved, pushed, switched.
fn scramble(m: &Model, d: &mut Data, env: usize) {
    let mut rng = Rng::new(env as u64 + 1);
    let mut small = |scale: f64| scale * rng.signed();
    for x in d.qvel.iter_mut().chain(&mut d.ctrl).chain(&mut d.act) {
        *x += small(0.5);
    }
    for x in d.qpos.iter_mut().chain(&mut d.qfrc_applied) {
        *x += small(0.05);
    }
    if env % 2 == 1 {
        for x in d.xfrc_applied.as_flattened_mut() {
            *x = small(0.2);
        }
    }
    for pos in &mut d.mocap_pos {
        pos.x += small(0.1);
    }
    for (eq, active) in d.eq_active.iter_mut().enumerate() {
        *active ^= (eq + env).is_multiple_of(3);
    }
    d.userdata.fill(env as f64);
    d.time = env as f64 * m.opt.timestep;
}

fn state(m: &Model, d: &Data) -> Vec<f64> {
    let mut out = vec![0.0; m.state_size(ALL)];
    d.get_state(m, ALL, &mut out).unwrap();
    out
}

pub(crate) fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// Scrambled data of its own for each environment, and a batch in the same states.
fn pair(m: &Arc<Model>, threads: usize) -> (Vec<Data>, BatchSim) {
    pair_of(m, ENVS, threads)
}

pub(crate) fn pair_of(m: &Arc<Model>, envs: usize, threads: usize) -> (Vec<Data>, BatchSim) {
    let mut own = vec![m.make_data(); envs];
    let mut sim = BatchSim::builder(Arc::clone(m)).envs(envs).threads(threads).build().unwrap();
    let mut all = Vec::new();
    for (env, d) in own.iter_mut().enumerate() {
        scramble(m, d, env);
        all.extend(state(m, d));
    }
    sim.set_state(ALL, &all).unwrap();
    (own, sim)
}

/// State, sensors and warnings of all environments are those of the data.
pub(crate) fn assert_same(what: &str, m: &Model, own: &[Data], sim: &BatchSim) {
    let size = m.state_size(ALL);
    let mut all = vec![0.0; own.len() * size];
    sim.state_into(ALL, &mut all).unwrap();
    for (env, d) in own.iter().enumerate() {
        assert_eq!(bits(&all[env * size..][..size]), bits(&state(m, d)), "{what}: environment {env}");
        let view = sim.env(env).unwrap();
        assert_eq!(bits(view.sensordata), bits(&d.sensordata), "{what}: sensors of environment {env}");
        assert_eq!(*view.warning, d.warning, "{what}: warnings of environment {env}");
        assert_eq!((view.ncon, view.nefc), (d.ncon(), d.efc.nefc), "{what}: environment {env}");
    }
}

#[test]
fn every_model_steps_in_a_batch_as_on_its_own() {
    for (name, m) in models() {
        let m = Arc::new(m);
        for threads in [1, 3] {
            let (mut own, mut sim) = pair(&m, threads);
            for step in 0..15 {
                for d in &mut own {
                    drop(d.step(&m));
                }
                sim.step_all(&mut []);
                assert_same(&format!("{name}, step {step}, {threads} threads"), &m, &own, &sim);
            }
        }
    }
}

#[test]
fn every_integrator_steps_in_a_batch_as_on_its_own() {
    for name in
        ["integrate/chain", "integrate/actuators", "integrate/fluid", "integrate/contacts", "actuators", "sensors"]
    {
        for &integrator in Integrator::ALL {
            let mut m = engine::load(name).unwrap();
            m.opt.integrator = integrator;
            let m = Arc::new(m);
            for threads in [1, 2] {
                let (mut own, mut sim) = pair(&m, threads);
                for _ in 0..20 {
                    for d in &mut own {
                        d.step(&m).unwrap();
                    }
                    sim.step_all(&mut []);
                }
                assert_same(&format!("{name}, {integrator:?}, {threads} threads"), &m, &own, &sim);
            }
        }
    }
}

#[test]
fn sleepers_sleep_and_wake_in_a_batch_as_on_their_own() {
    let m = Arc::new(engine::load("constraint/sleep").unwrap());
    assert!(m.opt.enabled(EnableFlags::SLEEP));
    let mut own = vec![m.make_data(); ENVS];
    let mut sim = BatchSim::builder(Arc::clone(&m)).envs(ENVS).threads(2).build().unwrap();
    let (mut slept, mut woke) = (false, false);
    for step in 0..600 {
        // a push to one environment after another
        let env = step / 100 % ENVS;
        let push = if step % 100 == 99 { 1.0 } else { 0.0 };
        own[env].qfrc_applied[0] = push;
        sim.env_mut(env).unwrap().qfrc_applied[0] = push;
        let before = own[env].awake.some_sleep;
        for d in &mut own {
            d.step(&m).unwrap();
        }
        sim.step_all(&mut []);
        slept |= own[env].awake.some_sleep;
        woke |= before && own[env].awake.ntree > 0 && push > 0.0;
        assert_same(&format!("step {step}"), &m, &own, &sim);
    }
    assert!(slept && woke, "nothing slept or woke");
}

#[test]
fn a_step_depends_on_nothing_but_the_state() {
    let state_names = [
        "qpos",
        "qvel",
        "act",
        "history",
        "qacc_warmstart",
        "ctrl",
        "qfrc_applied",
        "xfrc_applied",
        "eq_active",
        "mocap_pos",
        "mocap_quat",
        "userdata",
        "sensordata",
    ];
    let kept = |name: &str| state_names.contains(&name) || name.contains("awake") || name.contains("asleep");
    for (name, m) in models() {
        if m.opt.enabled(EnableFlags::SLEEP) {
            continue;
        }
        let m = Arc::new(m);
        let (mut own, mut sim) = pair(&m, 1);
        for _ in 0..3 {
            for d in &mut own {
                drop(d.step(&m));
            }
            let poison = |_: usize, (): &mut (), m: &Model, d: &mut Data| {
                for field in Data::fields().iter().filter(|f| !kept(f.name)) {
                    let n = d.array(m, field.name).map_or(0, |a| a.data.len());
                    let column = d.column_mut(field.name).unwrap();
                    // arrays of integers take no NaN, sparse ones are shown dense
                    if !column.read(&vec![f64::NAN; n]) {
                        column.clear();
                    }
                }
                d.energy = [f64::NAN; 2];
                d.lazy =
                    sim_core::data::LazyFlags { energypos: true, energyvel: true, subtreevel: true, rnepost: true };
            };
            sim.step_zip(&mut [(); ENVS], poison, |_, (), _, _, _| {}).unwrap();
            assert_same(&name, &m, &own, &sim);
        }
    }
}

#[test]
fn a_visitor_sees_the_data_that_an_environment_of_its_own_would_have() {
    let mut touched = 0;
    for name in ["humanoid", "integrate/contacts", "tendons"] {
        let m = Arc::new(engine::load(name).unwrap());
        let (mut own, mut sim) = pair(&m, 3);
        let mut seen: Vec<Vec<Vec<u64>>> = vec![Vec::new(); ENVS];
        let fields = ["xpos", "geom_xmat", "M", "qacc", "ten_length", "contact.pos", "efc_force", "energy"];
        let read = |m: &Model, d: &Data| -> Vec<Vec<u64>> { fields.map(|f| bits(&engine::read(m, d, f))).to_vec() };
        for step in 0..50 {
            for (env, d) in own.iter_mut().enumerate() {
                d.ctrl.fill(0.1 * env as f64);
                d.step(&m).unwrap();
                touched += d.ncon();
            }
            let before = |env: usize, _: &mut Vec<Vec<u64>>, _: &Model, d: &mut Data| d.ctrl.fill(0.1 * env as f64);
            sim.step_zip(&mut seen, before, |_, seen, m, d, _| *seen = read(m, d)).unwrap();
            for (env, (d, seen)) in own.iter().zip(&seen).enumerate() {
                assert_eq!(*seen, read(&m, d), "{name}: environment {env}, step {step}");
            }
        }
    }
    assert!(touched > 0, "nothing touched");
}

#[test]
fn substeps_are_steps_with_the_same_control() {
    let m = Arc::new(engine::load("humanoid").unwrap());
    let (mut own, one) = pair(&m, 1);
    let mut sim = BatchSim::builder(Arc::clone(&m)).envs(ENVS).threads(2).substeps(4).build().unwrap();
    let mut all = vec![0.0; ENVS * m.state_size(ALL)];
    one.state_into(ALL, &mut all).unwrap();
    sim.set_state(ALL, &all).unwrap();
    for _ in 0..5 {
        sim.step_all(&mut []);
        for d in &mut own {
            (0..4).for_each(|_| d.step(&m).unwrap());
        }
    }
    assert_same("substeps", &m, &own, &sim);
}

#[test]
fn environments_with_models_of_their_own_step_as_on_their_own() {
    let base = engine::load("humanoid").unwrap();
    let models: Vec<Arc<Model>> = (0..ENVS)
        .map(|env| {
            let mut m = base.clone();
            let factor = 1.0 + 0.1 * env as f64;
            for x in &mut m.body_mass {
                *x *= factor;
            }
            for x in &mut m.geom_friction {
                x[0] *= factor;
            }
            for x in &mut m.dof_damping {
                *x *= factor;
            }
            if env == 2 {
                // other shapes: the plan for collision is another one
                for x in &mut m.geom_size {
                    *x *= 1.05;
                }
            }
            Arc::new(m)
        })
        .collect();
    for threads in [1, 2] {
        let mut sim = BatchSim::builder(Arc::new(base.clone()))
            .envs(ENVS)
            .threads(threads)
            .models(models.clone())
            .build()
            .unwrap();
        let mut own: Vec<Data> = models.iter().map(|m| m.make_data()).collect();
        for step in 0..150 {
            own.iter_mut().zip(&models).for_each(|(d, m)| d.step(m).unwrap());
            sim.step_all(&mut []);
            assert_same(&format!("step {step}"), &base, &own, &sim);
        }
        let heights: Vec<f64> = own.iter().map(|d| d.qpos[2]).collect();
        assert!(heights.windows(2).all(|pair| pair[0] != pair[1]), "the models do not differ: {heights:?}");
    }
}

#[test]
fn models_of_other_sizes_are_refused() {
    let mut sim = BatchSim::new(Arc::new(engine::load("humanoid").unwrap()), 2);
    let other = Arc::new(engine::load("pendulum").unwrap());
    assert!(matches!(sim.set_model(1, Arc::clone(&other)), Err(BatchError::OtherSizes { env: 1, array: "qpos", .. })));
    assert_eq!(sim.set_model(2, Arc::clone(sim.shared_model())), Err(BatchError::NoEnv { env: 2, envs: 2 }));
    assert!(BatchSim::builder(Arc::clone(sim.shared_model())).envs(3).models([other]).build().is_err());
}

/// A humanoid batch whose second environment has a NaN in it; the others as on their own.
fn poisoned(autoreset: bool, threads: usize) -> (Arc<Model>, Vec<Data>, BatchSim) {
    let mut m = engine::load("humanoid").unwrap();
    m.opt.disableflags.set(DisableFlags::AUTORESET, !autoreset);
    let m = Arc::new(m);
    let (mut own, mut sim) = pair(&m, threads);
    own[1].qpos[9] = f64::NAN;
    sim.env_mut(1).unwrap().qpos[9] = f64::NAN;
    (m, own, sim)
}

#[test]
fn a_bad_environment_is_reset_and_says_where_it_went_wrong() {
    for threads in [1, 2] {
        let (m, mut own, mut sim) = poisoned(true, threads);
        let mut status = [StepStatus::Ok; ENVS];
        for d in &mut own {
            d.step(&m).unwrap();
        }
        sim.step_all(&mut status);
        let bad = BadNumber { what: "qpos", index: 9 };
        let want = [StepStatus::Ok, StepStatus::Reset(bad), StepStatus::Ok, StepStatus::Ok, StepStatus::Ok];
        assert_eq!(status, want);
        assert_eq!(own[1].restart, Some(bad));
        assert_same("the others and the reset one", &m, &own, &sim);
        sim.step_all(&mut status);
        assert_eq!(status, [StepStatus::Ok; ENVS], "it goes on from the reference pose");
    }
}

/// The status names the array, the index and the stage where the first number arose that is not finite.
#[test]
fn the_first_bad_number_counts_also_when_it_is_an_acceleration() {
    let mut m = engine::load("chain5").unwrap();
    m.opt.timestep = 1e-3;
    let mut sim = BatchSim::new(Arc::new(m.clone()), 2);
    sim.env_mut(1).unwrap().qfrc_applied[3] = f64::INFINITY;
    sim.step_all(&mut []);
    let bad = BadNumber { what: "qfrc_applied", index: 3 };
    assert_eq!(sim.status(), [StepStatus::Ok, StepStatus::Reset(bad)]);
    assert_eq!((bad.stage(), bad.to_string()), (None, "qfrc_applied[3]".to_owned()));
    assert_eq!(sim.env(1).unwrap().warning.get(Warning::BadQacc).number, 1, "the warning is MuJoCo's");
    assert_eq!(sim.env(1).unwrap().qfrc_applied[3], 0.0, "a reset forgets what was applied");

    // finite, but too large: nothing before the acceleration is at fault
    sim.env_mut(0).unwrap().qfrc_applied[3] = 1e30;
    sim.step_all(&mut []);
    let StepStatus::Reset(bad) = sim.status()[0] else { panic!("{}", sim.status()[0]) };
    assert_eq!((bad.what, bad.stage()), ("qacc", Some(StageName::Constraint)));

    // a model that makes the bad number itself, without automatic reset: the same in the error
    let mut broken = m.clone();
    broken.dof_damping[2] = f64::NAN;
    sim.set_model(1, Arc::new(broken.clone())).unwrap();
    sim.step_all(&mut []);
    let bad = BadNumber { what: "qfrc_passive", index: 2 };
    assert_eq!(sim.status()[1], StepStatus::Reset(bad));
    assert_eq!(bad.to_string(), "qfrc_passive[2] (stage velocity)");
    broken.opt.disableflags |= DisableFlags::AUTORESET;
    sim.set_model(1, Arc::new(broken)).unwrap();
    sim.reset(1);
    sim.env_mut(1).unwrap().qvel[2] = 1.0;
    sim.step_all(&mut []);
    assert_eq!(sim.status()[1], StepStatus::Failed(Fault::Bad(bad)));
    assert!(matches!(sim.error(1), Some(StepError::BadState { what: "qfrc_passive", index: 2, .. })));
}

#[test]
fn without_automatic_reset_a_bad_environment_stays_failed_until_it_is_reset() {
    let (m, mut own, mut sim) = poisoned(false, 2);
    let failed = StepStatus::Failed(Fault::Bad(BadNumber { what: "qpos", index: 9 }));
    let mut status = [StepStatus::Ok; ENVS];
    for _ in 0..3 {
        for (env, d) in own.iter_mut().enumerate() {
            assert_eq!(d.step(&m).is_ok(), env != 1);
        }
        sim.step_all(&mut status);
        assert_eq!(status, [StepStatus::Ok, failed, StepStatus::Ok, StepStatus::Ok, StepStatus::Ok]);
    }
    assert!(matches!(sim.error(1), Some(StepError::BadState { what: "qpos", index: 9, .. })));
    assert!(sim.error(0).is_none());

    // mending the state is not enough
    sim.env_mut(1).unwrap().qpos[9] = 0.0;
    sim.step_all(&mut status);
    assert_eq!(status[1], failed);

    assert_eq!(sim.reset(1), Some(()));
    own[1].reset(&m);
    for d in &mut own {
        d.step(&m).unwrap();
    }
    own.iter_mut().enumerate().filter(|(env, _)| *env != 1).for_each(|(_, d)| d.step(&m).unwrap());
    sim.step_all(&mut status);
    assert_eq!(status, [StepStatus::Ok; ENVS]);
    assert_same("after the reset", &m, &own, &sim);
}

#[test]
fn a_visitor_can_bring_a_failed_environment_back() {
    let (m, _, mut sim) = poisoned(false, 1);
    let revive = |_: usize, m: &Model, d: &mut Data, status: &mut StepStatus| {
        if status.is_failed() {
            d.reset(m);
            *status = StepStatus::Ok;
        }
    };
    sim.step_with(&mut [], |_, _, _| {}, revive);
    assert_eq!(bits(sim.env(1).unwrap().qpos), bits(&m.qpos0));
    sim.step_all(&mut []);
    assert_eq!(sim.status(), [StepStatus::Ok; ENVS]);
    assert!(sim.error(1).is_none());
}

#[test]
fn a_visitor_that_breaks_the_data_fails_its_environment_only() {
    let m = Arc::new(engine::load("humanoid").unwrap());
    let (mut own, mut sim) = pair(&m, 1);
    for d in &mut own {
        d.step(&m).unwrap();
    }
    let break_one = |env: usize, _: &Model, d: &mut Data| {
        if env == 2 {
            d.xpos.clear();
            d.qpos.push(0.0);
        }
    };
    let before = sim.env(2).unwrap().qpos.to_vec();
    sim.step_with(&mut [], break_one, |_, _, _, _| {});
    assert_eq!(sim.status()[2], StepStatus::Failed(Fault::Refused));
    assert_eq!(sim.env(2).unwrap().qpos, before);
    for env in [0, 1, 3, 4] {
        assert_eq!(bits(sim.env(env).unwrap().qvel), bits(&own[env].qvel), "environment {env}");
    }
}

#[test]
fn resets_touch_what_they_are_asked_to() {
    let m = Arc::new(engine::load("keyframes").unwrap());
    let (_, mut sim) = pair(&m, 1);
    sim.step_all(&mut []);
    let at_start = |sim: &BatchSim| -> Vec<bool> {
        (0..ENVS).map(|env| sim.env(env).map(|e| e.time == 0.0 && e.qpos == m.qpos0).unwrap()).collect()
    };
    assert_eq!(at_start(&sim), [false; ENVS]);
    assert_eq!(sim.reset(ENVS), None);
    sim.reset_where(&[true, false, true]);
    assert_eq!(at_start(&sim), [true, false, true, false, false]);
    sim.reset_where(&[false, false, false, true, false, true, true]);
    assert_eq!(at_start(&sim), [true, false, true, true, false]);
    sim.reset_all();
    assert_eq!(at_start(&sim), [true; ENVS]);

    // all that a reset leaves is that of fresh data
    let fresh = m.make_data();
    let mut all = vec![0.0; ENVS * m.state_size(ALL)];
    sim.state_into(ALL, &mut all).unwrap();
    assert_eq!(bits(&all), bits(&state(&m, &fresh).repeat(ENVS)));

    let mut d = m.make_data();
    d.reset_to_keyframe(&m, 1).unwrap();
    sim.reset_to_keyframe(3, 1).unwrap().unwrap();
    assert_eq!(bits(sim.env(3).unwrap().qpos), bits(&d.qpos));
    assert!(sim.reset_to_keyframe(3, m.nkey).unwrap().is_err());
    assert!(sim.reset_to_keyframe(ENVS, 0).is_none());
}

#[test]
fn inspecting_an_environment_shows_everything_and_changes_nothing() {
    for name in ["humanoid", "constraint/sleep"] {
        let m = Arc::new(engine::load(name).unwrap());
        let (mut own, mut sim) = pair(&m, 2);
        for _ in 0..10 {
            for d in &mut own {
                d.step(&m).unwrap();
            }
            sim.step_all(&mut []);
            let mut d = own[3].clone();
            d.forward(&m).unwrap();
            let (xpos, energy) =
                sim.inspect(3, |m, d| (d.array(m, "xpos").unwrap().data, d.qacc.clone())).unwrap().unwrap();
            assert_eq!(
                (bits(&xpos), bits(&energy)),
                (bits(&d.array(&m, "xpos").unwrap().data), bits(&d.qacc)),
                "{name}"
            );
        }
        assert_same(name, &m, &own, &sim);
        assert!(sim.inspect(ENVS, |_, _| ()).is_none());
    }
}

#[test]
fn a_model_that_cannot_be_stepped_fails_every_environment() {
    let mut m = engine::load("pendulum").unwrap();
    m.opt.timestep = f64::NAN;
    let mut sim = BatchSim::new(Arc::new(m), 2);
    sim.step_all(&mut []);
    assert_eq!(sim.status(), [StepStatus::Failed(Fault::Refused); 2]);
    assert!(matches!(sim.error(0), Some(StepError::InvalidTimestep { .. })));
}

#[test]
fn an_empty_batch_does_nothing() {
    let mut sim = BatchSim::builder(Arc::new(engine::load("pendulum").unwrap())).envs(0).threads(2).build().unwrap();
    assert!(sim.is_empty() && sim.env(0).is_none() && sim.env_mut(0).is_none() && sim.model(0).is_none());
    sim.step_all(&mut [StepStatus::Ok; 2]);
    sim.step_into(StateBits::QPOS, &mut [], &mut []).unwrap();
}

#[test]
fn rollouts_are_the_steps_from_each_state() {
    const NSTEP: usize = 30;
    for (name, threads) in [("humanoid", 1), ("humanoid", 3), ("sensors", 2), ("constraint/sleep", 2), ("actuators", 2)]
    {
        let m = Arc::new(engine::load(name).unwrap());
        let full = StateBits::FULLPHYSICS;
        let (size, ns) = (m.state_size(full), m.nsensordata);
        let mut rng = Rng::new(7);
        let controls: Vec<f64> = (0..ENVS * NSTEP * m.nu).map(|_| 0.3 * rng.signed()).collect();
        let (own, mut sim) = pair(&m, threads);
        let mut initial = vec![0.0; ENVS * size];
        sim.state_into(full, &mut initial).unwrap();
        let (mut states, mut sensordata) = (vec![0.0; ENVS * NSTEP * size], vec![0.0; ENVS * NSTEP * ns]);
        let mut status = [StepStatus::Ok; ENVS];
        let out = Trajectories { states: &mut states, sensordata: &mut sensordata, status: &mut status };
        sim.rollout(&Rollout::new(&initial, NSTEP).controls(&controls), out).unwrap();
        for env in 0..ENVS {
            let mut d = m.make_data();
            d.set_state(&m, full, &initial[env * size..][..size]).unwrap();
            for step in 0..NSTEP {
                let row = env * NSTEP + step;
                d.ctrl.copy_from_slice(&controls[row * m.nu..][..m.nu]);
                d.step(&m).unwrap();
                let mut want = vec![0.0; size];
                d.get_state(&m, full, &mut want).unwrap();
                assert_eq!(bits(&states[row * size..][..size]), bits(&want), "{name}: state {env}, {step}");
                assert_eq!(bits(&sensordata[row * ns..][..ns]), bits(&d.sensordata), "{name}: sensors {env}, {step}");
            }
        }
        assert_eq!(status, [StepStatus::Ok; ENVS]);
        // the environments have not moved
        let mut now = vec![0.0; ENVS * m.state_size(ALL)];
        sim.state_into(ALL, &mut now).unwrap();
        assert_eq!(bits(&now), own.iter().flat_map(|d| bits(&state(&m, d))).collect::<Vec<_>>());
    }
}

#[test]
fn a_rollout_that_goes_wrong_repeats_its_last_row() {
    // alone, and in a group
    for (autoreset, paths) in [(true, 2), (false, 2), (true, 5), (false, 5)] {
        let mut m = engine::load("chain5").unwrap();
        m.opt.disableflags.set(DisableFlags::AUTORESET, !autoreset);
        let m = Arc::new(m);
        let (size, nstep) = (m.state_size(StateBits::FULLPHYSICS), 6);
        let mut initial = vec![0.0; paths * size];
        BatchSim::new(Arc::clone(&m), paths).state_into(StateBits::FULLPHYSICS, &mut initial).unwrap();
        // a force that is no number in step 3 of the second trajectory
        let mut forces = vec![0.0; paths * nstep * m.nv];
        forces[(nstep + 3) * m.nv + 2] = f64::NAN;
        let job =
            Rollout { controls: &forces, control_parts: StateBits::QFRC_APPLIED, ..Rollout::new(&initial, nstep) };
        let (mut states, mut status) = (vec![0.0; paths * nstep * size], vec![StepStatus::Ok; paths]);
        sim_core::rollout(&m, &job, Trajectories { states: &mut states, sensordata: &mut [], status: &mut status })
            .unwrap();
        assert_eq!((status[0], status[1].is_reset(), status[1].is_failed()), (StepStatus::Ok, autoreset, !autoreset));
        let row = |path: usize, step: usize| bits(&states[(path * nstep + step) * size..][..size]);
        assert_ne!(row(0, 4), row(0, 5));
        assert_eq!(row(0, 2), row(1, 2), "the same until then");
        assert_eq!((row(1, 4), row(1, 5)), (row(1, 3), row(1, 3)));
        for path in 2..paths {
            assert_eq!(status[path], StepStatus::Ok);
            assert!((0..nstep).all(|step| row(path, step) == row(0, step)), "trajectory {path} is untouched");
        }
        let short = Rollout { controls: &forces[1..], ..job };
        assert!(matches!(
            sim_core::rollout(&m, &short, Trajectories::default()),
            Err(StepError::WrongSize { array: "controls", .. })
        ));
    }
}
