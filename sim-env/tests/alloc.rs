//! A warm step of many environments allocates nothing: every allocation of this binary is counted.

#![expect(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use sim_env::tasks::{CartPole, HumanoidRun};
use sim_env::{Settings, VecEnv};

struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's layout, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `System` with this layout.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Steps with actions that change; allocations made meanwhile, and episodes finished.
fn steps(envs: &mut VecEnv, actions: &mut [f64], n: usize) -> (usize, usize) {
    let before = COUNT.load(Ordering::Relaxed);
    let mut finished = 0;
    for step in 0..n {
        for (k, a) in actions.iter_mut().enumerate() {
            *a = ((step + 7 * k) % 13) as f64 / 6.0 - 1.0;
        }
        envs.step(actions).unwrap();
        finished += envs.episodes().iter().flatten().count();
    }
    (COUNT.load(Ordering::Relaxed) - before, finished)
}

/// One test, so that no other thread of the harness allocates while it counts.
#[test]
fn a_warm_step_with_resets_allocates_nothing() {
    let probe = COUNT.load(Ordering::Relaxed);
    drop(std::hint::black_box(vec![1u8; 100]));
    assert!(COUNT.load(Ordering::Relaxed) > probe, "the counter does not count");

    let settings = Settings { envs: 8, seed: 1, threads: 1 };
    let carts = VecEnv::new(CartPole { max_steps: 50 }, CartPole::model().unwrap(), &settings).unwrap();
    let humanoids = VecEnv::new(HumanoidRun::default(), HumanoidRun::model().unwrap(), &settings).unwrap();
    for mut envs in [carts, humanoids] {
        let mut actions = vec![0.0; envs.len() * envs.action_space().size()];
        steps(&mut envs, &mut actions, 500);
        let (allocations, finished) = steps(&mut envs, &mut actions, 500);
        assert!(finished > 8, "{}: no episode ended", envs.env().name());
        assert_eq!(allocations, 0, "{}", envs.env().name());
    }
}
