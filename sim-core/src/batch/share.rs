//! Work shared between the calling thread and the threads of a batch.
//!
//! The calling thread works too. Every thread begins with environments of its own, the same ones in every call, which its
//! cache still holds, and then helps the others. Who steps an environment makes no difference to it.

use std::io;
use std::sync::{Mutex, PoisonError};

use super::crew::Split;
use super::threads::Threads;
use super::worker::Worker;
use crate::lanes::LANES;

/// Pieces that a thread cuts its own environments into, at least: enough to even out some that take longer.
const PIECES: usize = 32;
/// Most shares; further threads begin with one that another has too.
const SHARES: usize = 16;

/// Threads beside the calling one, and how they share work with it.
#[derive(Debug)]
pub(super) struct Helpers {
    n: usize,
    threads: Threads,
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
}

impl Helpers {
    /// Starts `n` threads.
    pub(super) fn new(n: usize) -> io::Result<Self> {
        Ok(Self { n, threads: Threads::new(n)? })
    }

    /// Workers for these threads and the calling one, each in memory that one of these threads allocates. Allocators give
    /// every thread a region of its own; arrays of the calling thread may lie between those of the model, on cache lines
    /// that the other threads read.
    pub(super) fn workers(&mut self, first: &Worker) -> Vec<Mutex<Worker>> {
        let mut all = Vec::new();
        all.resize_with(self.n + 1, || Mutex::new(None));
        self.on_each(&all, |worker| *worker = Some(first.clone()));
        let made = |worker: Mutex<Option<Worker>>| worker.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.into_iter().map(|worker| Mutex::new(made(worker).unwrap_or_else(|| first.clone()))).collect()
    }

    /// Changes every worker, where its memory comes from.
    pub(super) fn change(&mut self, workers: &[Mutex<Worker>], f: impl Fn(&mut Worker) + Sync) {
        self.on_each(workers, f);
    }

    /// Runs `f` for the worker of each thread on that thread, and for the calling thread's on the first of the others.
    fn on_each<T: Send>(&mut self, all: &[Mutex<T>], f: impl Fn(&mut T) + Sync) {
        let at = |i: usize| {
            if let Some(one) = all.get(i) {
                f(&mut one.lock().unwrap_or_else(PoisonError::into_inner));
            }
        };
        self.threads.run(self.n, &|thread| {
            if thread == 1 {
                at(0);
            }
            if thread > 0 {
                at(thread);
            }
        });
    }

    /// Runs `f` on pieces that cover all of the work, on these threads and the calling one.
    pub(super) fn run<S: Split>(&mut self, workers: &[Mutex<Worker>], work: S, f: &(impl Fn(&mut Worker, S) + Sync)) {
        let (envs, threads) = (work.len(), workers.len());
        let group = if envs >= LANES * threads { LANES } else { 1 };
        let helpers = envs.div_ceil(group).min(threads).saturating_sub(1);
        let piece = (envs / (PIECES * threads)).next_multiple_of(group).max(group);
        let n = (helpers + 1).min(SHARES);
        let shares = Shares { left: deal(work, n, group), n, workers, piece, group };
        self.threads.run(helpers, &|thread| shares.help(thread, f));
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
        // only this thread takes it
        let Some(worker) = self.workers.get(thread) else { return };
        let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
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
