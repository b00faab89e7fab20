//! A warm step allocates nothing: every allocation of this binary is counted.

#![expect(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sim_core::collision::collision;
use sim_core::derivative::{AnalyticWork, Transition, transition_analytic};
use sim_core::{BatchSim, Data, Model, Mujoco, StateBits, StepStatus, sensor, smooth};
use sim_tests::{Golden, engine, mujoco_model};
use sim_types::{EnableFlags, Integrator, Stage};

struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Bytes in use.
static LIVE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's layout, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `ptr` came from `System` with this layout.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        LIVE.fetch_add(new_size, Ordering::Relaxed);
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `ptr` came from `System` with this layout.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A thousand steps with forces that change; allocations made meanwhile.
fn thousand_steps(m: &Model, d: &mut Data) -> usize {
    let before = COUNT.load(Ordering::Relaxed);
    for step in 0..1000 {
        for (dof, force) in d.qfrc_applied.iter_mut().enumerate() {
            *force = 0.001 * ((step + 7 * dof) % 13) as f64;
        }
        assert!(d.step(m).is_ok());
    }
    COUNT.load(Ordering::Relaxed) - before
}

/// Contacts and the sensors that look at geoms, at poses that have nothing in common; allocations made meanwhile.
fn contacts_at(m: &Model, d: &mut Data, poses: &[Vec<f64>]) -> usize {
    let before = COUNT.load(Ordering::Relaxed);
    for qpos in poses {
        d.qpos.copy_from_slice(qpos);
        smooth::kinematics(m, d);
        smooth::com_pos(m, d);
        smooth::cam_light(m, d);
        collision(m, d, &Mujoco::default());
        sensor::sensors(m, d, &Mujoco::default(), Stage::Pos);
    }
    COUNT.load(Ordering::Relaxed) - before
}

/// Analytic derivatives of a step; allocations made meanwhile.
fn derivatives(m: &Model, d: &mut Data, work: &mut AnalyticWork) -> usize {
    let nx = 2 * m.nv + m.na;
    let (mut a, mut c) = (vec![0.0; nx * nx], vec![0.0; m.nsensordata * nx]);
    let before = COUNT.load(Ordering::Relaxed);
    for sensors in [false, true] {
        let mut out = Transition { a: Some(&mut a), c: sensors.then_some(&mut c), ..Transition::default() };
        assert!(transition_analytic(m, d, &mut Mujoco::default(), work, &mut out).is_ok());
    }
    COUNT.load(Ordering::Relaxed) - before
}

/// One test, so that no other thread of the harness allocates while it counts.
#[test]
fn a_warm_step_allocates_nothing() {
    let probe = COUNT.load(Ordering::Relaxed);
    drop(std::hint::black_box(vec![1u8; 100]));
    assert!(COUNT.load(Ordering::Relaxed) > probe, "the counter does not count");

    for golden in Golden::moving().unwrap() {
        let m = mujoco_model(&golden).unwrap();
        let mut d = engine::data_at(&m, &golden, "thrown").unwrap();
        let other = d.clone();
        thousand_steps(&m, &mut d);

        let before = COUNT.load(Ordering::Relaxed);
        d.reset(&m);
        assert_eq!(COUNT.load(Ordering::Relaxed) - before, 0, "{}: reset", golden.name);
        assert_eq!(thousand_steps(&m, &mut d), 0, "{}: a thousand steps", golden.name);

        let before = COUNT.load(Ordering::Relaxed);
        d.copy_from(&other);
        assert_eq!(COUNT.load(Ordering::Relaxed) - before, 0, "{}: copy_from", golden.name);
    }

    for name in ["contact/shapes", "contact/filters", "contact/crowd", "contact/sensors"] {
        let (m, golden) = (engine::load(name).unwrap(), Golden::load(name).unwrap());
        let pose = |state: &String| golden.get(&format!("state {state}"), "qpos").to_vec();
        let poses: Vec<Vec<f64>> = golden.states.iter().map(pose).collect();
        let mut d = m.make_data();
        assert!(contacts_at(&m, &mut d, &poses) > 0, "{name}: the first time there is nothing yet");
        assert_eq!(contacts_at(&m, &mut d, &poses), 0, "{name}: contacts");
    }

    // with constraints the same thousand steps again: rows and contacts have reached their peak
    for name in ["contact", "equality", "friction_limit", "tree", "sleep"] {
        let m = engine::load(&format!("constraint/{name}")).unwrap();
        let mut d = m.make_data();
        thousand_steps(&m, &mut d);
        d.reset(&m);
        assert_eq!(thousand_steps(&m, &mut d), 0, "{name}: a thousand steps with constraints");
    }

    for name in ["chain", "actuators", "fluid", "contacts"] {
        for &integrator in Integrator::ALL {
            let mut m = engine::load(&format!("integrate/{name}")).unwrap();
            m.opt.integrator = integrator;
            m.opt.enableflags |= EnableFlags::FWDINV;
            let mut d = m.make_data();
            thousand_steps(&m, &mut d);
            d.reset(&m);
            assert_eq!(thousand_steps(&m, &mut d), 0, "{name}: a thousand steps of {integrator:?}");
            if integrator != Integrator::Rk4 {
                let mut work = AnalyticWork::default();
                derivatives(&m, &mut d, &mut work);
                assert_eq!(derivatives(&m, &mut d, &mut work), 0, "{name}: derivatives of {integrator:?}");
            }
        }
    }

    warm_batches_allocate_nothing();
    an_environment_of_a_batch_is_small();
}

/// Two hundred calls of everything that steps a batch, from the start; allocations made meanwhile.
fn batch_calls(sim: &mut BatchSim, rows: &mut [f64]) -> usize {
    let before = COUNT.load(Ordering::Relaxed);
    let mut status = [StepStatus::Ok; 8];
    sim.reset_all();
    for step in 0..100 {
        if let Some(env) = sim.env_mut(step % 8) {
            env.qfrc_applied.fill(0.001 * step as f64);
        }
        sim.step_all(&mut status);
        assert!(sim.step_into(StateBits::FULLPHYSICS, rows, &mut status).is_ok());
        sim.step_with(&mut status, |_, _, d| d.ctrl.fill(0.1), |_, _, _, status| assert!(status.is_ok()));
        sim.reset_where(&[false, step % 10 == 0]);
    }
    COUNT.load(Ordering::Relaxed) - before
}

fn warm_batches_allocate_nothing() {
    for name in ["chain5", "humanoid", "constraint/contact", "constraint/sleep", "actuators"] {
        let m = Arc::new(engine::load(name).unwrap());
        for threads in [1, 2] {
            let mut sim = BatchSim::builder(Arc::clone(&m)).envs(8).threads(threads).build().unwrap();
            let mut rows = vec![0.0; 8 * sim.row_size(StateBits::FULLPHYSICS)];
            // with threads, a worker may meet an environment with many contacts for the first time later than the others
            let warm = (0..30).any(|_| batch_calls(&mut sim, &mut rows) == 0);
            assert!(warm, "{name} on {threads} threads: every round of 300 calls allocates");
            if threads == 1 || name == "chain5" {
                assert_eq!(batch_calls(&mut sim, &mut rows), 0, "{name} on {threads} threads");
            }
        }
    }
}

fn an_environment_of_a_batch_is_small() {
    let m = Arc::new(engine::load("humanoid").unwrap());
    let live = |n: usize| {
        let before = LIVE.load(Ordering::Relaxed);
        let mut sim = BatchSim::new(Arc::clone(&m), n);
        for _ in 0..20 {
            sim.step_all(&mut []);
        }
        (LIVE.load(Ordering::Relaxed) - before, sim.bytes())
    };
    let (small, large) = (live(100), live(1100));
    let each = (large.0 - small.0) / 1000;
    assert!((1000..4000).contains(&each), "{each} bytes per humanoid");
    assert!(
        (large.1 - small.1).abs_diff(large.0 - small.0) < 64 * 1000,
        "the batch says {large:?} and {small:?} bytes"
    );
}
