//! Work shared between the calling thread and the threads of a pool.
//!
//! A step of a small model takes a few microseconds per environment, and waking a sleeping thread takes fifty. So the
//! calling thread works too instead of sleeping meanwhile, it waits for the last piece of the others awake, and they stay
//! awake for a moment in case that the next call comes soon. Every thread begins with environments of its own, the same
//! ones in every call, which its cache still holds, and then helps the others. Who steps an environment makes no
//! difference to it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::crew::Split;
use super::worker::Worker;
use crate::lanes::LANES;

/// Pieces that a thread cuts its own environments into, at least: enough to even out some that take longer.
const PIECES: usize = 32;
/// Most shares; further threads begin with one that another has too.
const SHARES: usize = 16;
/// Times that a thread looks whether it may go on before it sleeps: about 100 µs, which is what sleeping and waking take.
const LOOKS: usize = 4000;
/// Looks after which a thread lets others have the core.
const YIELD: usize = 50;
/// Looks more, for the pool's own books.
const LAST_LOOKS: usize = 30;

/// Threads beside the calling one.
#[derive(Debug)]
pub(super) struct Helpers {
    pool: ThreadPool,
    /// Counts the calls; what those who wait for the next one look at.
    calls: Arc<AtomicUsize>,
}

/// The work of one call.
struct Shares<'a, S> {
    /// What is left of the environments that each thread begins with.
    left: [Mutex<Option<S>>; SHARES],
    /// How many of them there are.
    n: usize,
    workers: &'a [Mutex<Worker>],
    /// Environments that are done in one go.
    piece: usize,
    /// Environments that must not be taken apart.
    group: usize,
    /// Threads of the pool that are not done.
    busy: AtomicUsize,
}

impl Helpers {
    /// Starts `n` threads.
    pub(super) fn new(n: usize) -> Result<Self, ThreadPoolBuildError> {
        let name = |i: usize| format!("sim-batch-{}", i + 1);
        let pool = ThreadPoolBuilder::new().num_threads(n).thread_name(name).build()?;
        Ok(Self { pool, calls: Arc::default() })
    }

    /// Workers for these threads and the calling one, each in memory that one of these threads allocates. Allocators give
    /// every thread a region of its own; arrays of the calling thread may lie between those of the model, on cache lines
    /// that the other threads read.
    pub(super) fn workers(&self, first: &Worker) -> Vec<Mutex<Worker>> {
        let mut all = vec![self.pool.install(|| Mutex::new(first.clone()))];
        all.extend(self.pool.broadcast(|_| Mutex::new(first.clone())));
        all
    }

    /// Changes every worker, where its memory comes from.
    pub(super) fn change(&self, workers: &[Mutex<Worker>], f: impl Fn(&mut Worker) + Sync) {
        let change = |worker: Option<&Mutex<Worker>>| {
            if let Some(worker) = worker {
                f(&mut worker.lock().unwrap_or_else(PoisonError::into_inner));
            }
        };
        self.pool.install(|| change(workers.first()));
        self.pool.broadcast(|thread| change(workers.get(thread.index() + 1)));
    }

    /// Runs `f` on pieces that cover all of the work, on these threads and the calling one.
    pub(super) fn run<S: Split>(&self, workers: &[Mutex<Worker>], work: S, f: &(impl Fn(&mut Worker, S) + Sync)) {
        let (envs, threads) = (work.len(), workers.len());
        let group = if envs >= LANES * threads { LANES } else { 1 };
        let helpers = envs.div_ceil(group).min(threads).saturating_sub(1);
        let piece = (envs / (PIECES * threads)).next_multiple_of(group).max(group);
        let n = (helpers + 1).min(SHARES);
        let shares = Shares { left: deal(work, n, group), n, workers, piece, group, busy: AtomicUsize::new(helpers) };
        self.pool.in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| {
                    let _done = Done(&shares.busy);
                    shares.help(1 + rayon::current_thread_index().unwrap_or(0), f);
                });
            }
            let call = self.calls.fetch_add(1, Ordering::Release) + 1;
            for _ in 0..helpers {
                let calls = Arc::clone(&self.calls);
                self.pool.spawn(move || {
                    look_until(|| calls.load(Ordering::Acquire) != call);
                });
            }
            shares.help(0, f);
            if look_until(|| shares.busy.load(Ordering::Acquire) == 0) {
                for _ in 0..LAST_LOOKS {
                    std::hint::spin_loop();
                }
            }
        });
    }
}

/// Cuts the work into equal parts.
fn deal<S: Split>(work: S, parts: usize, group: usize) -> [Mutex<Option<S>>; SHARES] {
    let mut rest = Some(work);
    std::array::from_fn(|part| {
        let now = rest.take().map(|work| {
            let n = work.len();
            let (now, later) = work.split((n / (parts - part)).next_multiple_of(group).min(n));
            rest = (part + 1 < parts).then_some(later);
            now
        });
        Mutex::new(now)
    })
}

impl<S: Split> Shares<'_, S> {
    /// Works until nothing is left: first on the environments of this thread, then on those of the others.
    fn help(&self, thread: usize, f: &(impl Fn(&mut Worker, S) + Sync)) {
        let mut worker = match self.workers.get(thread).map(Mutex::try_lock) {
            Some(Ok(worker)) => worker,
            Some(Err(TryLockError::Poisoned(worker))) => worker.into_inner(),
            // a visitor that waits for this pool came here; its own thread goes on afterwards
            _ => return,
        };
        let own = thread % self.n;
        for at in (own..self.n).chain(0..own) {
            while let Some(piece) = self.take(at, at == own) {
                f(&mut worker, piece);
            }
        }
    }

    /// The next piece of a share: its first environments for the thread that it was meant for, its last ones for others.
    fn take(&self, at: usize, own: bool) -> Option<S> {
        let mut left = self.left[at].lock().unwrap_or_else(PoisonError::into_inner);
        let work = left.take()?;
        let n = work.len();
        if n <= self.piece {
            return Some(work);
        }
        if own {
            let (now, later) = work.split(self.piece);
            *left = Some(later);
            return Some(now);
        }
        // the cut stays where groups end
        let (first, last) = work.split((n - self.piece).next_multiple_of(self.group));
        *left = Some(first);
        Some(last)
    }
}

/// Counts down when a thread is done, also when a visitor panics.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// Waits, awake, but not for long; false when it was not enough. Whoever waits for the same core may have it meanwhile:
/// it may be the thread that this one waits for.
#[cfg(feature = "parallel")]
fn look_until(done: impl Fn() -> bool) -> bool {
    (1..=LOOKS).any(|look| {
        std::hint::spin_loop();
        if look % YIELD == 0 {
            std::thread::yield_now();
        }
        done()
    })
}
