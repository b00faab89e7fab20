//! The same bits from run to run, from a clone, and after a reset.

use sim_core::{Data, Model};
use sim_tests::{Golden, engine, mujoco_model};

const STEPS: usize = 300;

/// FNV-1a over the bits of the state.
fn hash(d: &Data) -> u64 {
    let numbers = [d.time].into_iter().chain(d.qpos.iter().copied()).chain(d.qvel.iter().copied());
    numbers
        .flat_map(|x| x.to_bits().to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn run(m: &Model, d: &mut Data, steps: usize) -> u64 {
    for _ in 0..steps {
        d.step(m).unwrap();
    }
    hash(d)
}

fn humanoid() -> (Golden, Model) {
    let golden = Golden::load("humanoid").unwrap();
    let m = mujoco_model(&golden).unwrap();
    (golden, m)
}

#[test]
fn repeated_runs_end_in_the_same_bits() {
    for golden in Golden::moving().unwrap() {
        let m = mujoco_model(&golden).unwrap();
        let start = engine::data_at(&m, &golden, "thrown").unwrap();
        let first = run(&m, &mut start.clone(), 50);
        assert_eq!(first, run(&m, &mut start.clone(), 50), "{}", golden.name);
        if m.nv > 0 {
            assert_ne!(first, hash(&start), "{}: nothing moved", golden.name);
        }
    }
}

#[test]
fn a_clone_in_mid_run_ends_in_the_same_bits() {
    let (golden, m) = humanoid();
    let mut d = engine::data_at(&m, &golden, "thrown").unwrap();
    run(&m, &mut d, STEPS / 2);
    let mut twin = d.clone();
    let mut copy = m.make_data();
    copy.copy_from(&d);
    let want = run(&m, &mut d, STEPS / 2);
    assert_eq!(want, run(&m, &mut twin, STEPS / 2));
    assert_eq!(want, run(&m, &mut copy, STEPS / 2));
}

#[test]
fn a_reset_forgets_everything() {
    let (golden, m) = humanoid();
    let mut fresh = m.make_data();
    let mut used = engine::data_at(&m, &golden, "thrown").unwrap();
    run(&m, &mut used, 10);
    used.reset(&m);
    used.scratch = fresh.scratch.clone(); // holds nothing between stages
    assert!(fresh == used);
    assert_eq!(run(&m, &mut fresh, STEPS), run(&m, &mut used, STEPS));
}
