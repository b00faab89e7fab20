//! Threads that stand by to run a function that the caller only lends them.
//!
//! A thread that sleeps takes fifty microseconds to wake, about ten steps of a small model. So threads stay awake for a
//! moment in case that the next call comes soon, and the calling thread waits for the last of them awake. A call
//! allocates nothing.

#![cfg(feature = "parallel")]
#![expect(unsafe_code, reason = "a function that is borrowed for a call goes to threads that outlive the call")]

use std::any::Any;
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Times that a thread looks whether it may go on before it sleeps: about 100 µs, which is what sleeping and waking take.
const LOOKS: usize = 4000;
/// Looks after which a thread lets others have the core.
const YIELD: usize = 50;

/// Threads beside the calling one.
pub(super) struct Threads {
    shared: Arc<Shared>,
    handles: Vec<JoinHandle<()>>,
}

/// A function of a call, with the number of the thread that runs it. It is there only while the call lasts.
type Job = &'static (dyn Fn(usize) + Sync);

/// What all threads see.
#[derive(Default)]
struct Shared {
    /// Number of calls so far; what threads that stand by look at.
    calls: AtomicUsize,
    /// Threads that have not ended the call yet.
    busy: AtomicUsize,
    gate: Mutex<Gate>,
    /// Wakes threads that stand by.
    next: Condvar,
    /// Wakes the calling thread.
    done: Condvar,
}

#[derive(Default)]
struct Gate {
    /// The function of the call, and how many threads beside the calling one run it.
    job: Option<(Job, usize)>,
    /// Threads that sleep until the next call.
    asleep: usize,
    /// True while the calling thread sleeps until the others are done.
    waiting: bool,
    /// True when there will be no call any more.
    over: bool,
    /// What the function panicked with.
    panic: Option<Box<dyn Any + Send>>,
}

impl Threads {
    /// Starts `n` threads.
    pub(super) fn new(n: usize) -> io::Result<Self> {
        let mut threads = Self { shared: Arc::default(), handles: Vec::with_capacity(n) };
        for thread in 1..=n {
            let shared = Arc::clone(&threads.shared);
            let started = Builder::new().name(format!("sim-batch-{thread}")).spawn(move || shared.stand_by(thread));
            // those that have started end with `threads`
            threads.handles.push(started?);
        }
        Ok(threads)
    }

    /// Runs `f` on the calling thread, as number 0, and on `helpers` of these, as numbers from 1. Returns when all of
    /// them are done. A panic in one of them goes on here.
    pub(super) fn run(&mut self, helpers: usize, f: &(dyn Fn(usize) + Sync)) {
        let helpers = helpers.min(self.handles.len());
        // SAFETY: only the lifetime changes. Threads take the function from the gate, where it is only until the end of
        // `call` below. Those that may take it are counted in `busy`, and `call` does not end, not even by a panic, before
        // all of them are done with it. No other call can come in between, because this one has `self` for itself.
        let job = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), Job>(f) };
        let call = self.shared.begin(job, helpers);
        f(0);
        drop(call);
        let panic = self.shared.gate().panic.take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Threads").field("n", &self.handles.len()).finish_non_exhaustive()
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.shared.gate().over = true;
        self.shared.calls.fetch_add(1, Ordering::Release);
        self.shared.next.notify_all();
        for handle in self.handles.drain(..) {
            // it catches what the functions panic with, and has nothing else to say
            let _ended = handle.join();
        }
    }
}

impl Shared {
    fn gate(&self) -> MutexGuard<'_, Gate> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the threads their work.
    fn begin(&self, job: Job, helpers: usize) -> Call<'_> {
        let mut gate = self.gate();
        gate.job = Some((job, helpers));
        self.busy.store(helpers, Ordering::Relaxed);
        self.calls.fetch_add(1, Ordering::Release);
        let wake = gate.asleep > 0;
        drop(gate);
        if wake {
            self.next.notify_all();
        }
        Call(self)
    }

    /// What a thread does from its start to its end.
    fn stand_by(&self, thread: usize) {
        let mut seen = 0;
        while let ControlFlow::Continue(job) = self.next_call(thread, &mut seen) {
            let Some(job) = job else { continue };
            let _done = Done(self);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| job(thread))) {
                self.gate().panic.get_or_insert(panic);
            }
        }
    }

    /// Waits for a call after the one that was `seen`; breaks when there will be none. Gives its function if this thread
    /// is to run it. Others must not even copy the reference: the call may end without them.
    fn next_call(&self, thread: usize, seen: &mut usize) -> ControlFlow<(), Option<Job>> {
        look_until(|| self.calls.load(Ordering::Acquire) != *seen);
        let mut gate = self.gate();
        while self.calls.load(Ordering::Acquire) == *seen && !gate.over {
            gate.asleep += 1;
            gate = self.next.wait(gate).unwrap_or_else(PoisonError::into_inner);
            gate.asleep -= 1;
        }
        *seen = self.calls.load(Ordering::Acquire);
        let job = match &gate.job {
            Some((job, helpers)) if thread <= *helpers => Some(*job),
            _ => None,
        };
        if gate.over { ControlFlow::Break(()) } else { ControlFlow::Continue(job) }
    }
}

/// A call that has begun; dropping it waits for its end.
struct Call<'a>(&'a Shared);

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let busy = || self.0.busy.load(Ordering::Acquire) != 0;
        look_until(|| !busy());
        let mut gate = self.0.gate();
        while busy() {
            gate.waiting = true;
            gate = self.0.done.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
        gate.waiting = false;
        gate.job = None;
    }
}

/// Says that a thread is done when it goes out of scope.
struct Done<'a>(&'a Shared);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if self.0.busy.fetch_sub(1, Ordering::AcqRel) == 1 && self.0.gate().waiting {
            self.0.done.notify_one();
        }
    }
}

/// Waits, awake, but not for long. Whoever waits for the same core may have it meanwhile: it may be the thread that this
/// one waits for.
fn look_until(done: impl Fn() -> bool) {
    for look in 1..=LOOKS {
        if done() {
            return;
        }
        std::hint::spin_loop();
        if look % YIELD == 0 {
            std::thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of the threads that a call runs on, as bits.
    fn who(threads: &mut Threads, helpers: usize) -> usize {
        let bits = AtomicUsize::new(0);
        threads.run(helpers, &|thread| {
            bits.fetch_add(1 << (8 * thread), Ordering::Relaxed);
        });
        bits.into_inner()
    }

    #[test]
    fn every_call_runs_once_on_every_thread() {
        let mut threads = Threads::new(3).unwrap();
        for call in 0..if cfg!(miri) { 20 } else { 2000 } {
            assert_eq!(who(&mut threads, 3), 0x0101_0101, "call {call}");
            assert_eq!(who(&mut threads, 1), 0x0101, "call {call}, two threads");
            assert_eq!(who(&mut threads, 0), 1, "call {call}, alone");
            assert_eq!(who(&mut threads, 9), 0x0101_0101, "call {call}, more than there are");
        }
    }

    #[test]
    fn threads_wake_from_sleep() {
        let mut threads = Threads::new(2).unwrap();
        for _ in 0..5 {
            let asleep = (0..5000).any(|_| {
                std::thread::sleep(std::time::Duration::from_millis(1));
                threads.shared.gate().asleep == 2
            });
            assert!(asleep, "the threads do not sleep");
            assert_eq!(who(&mut threads, 2), 0x01_0101);
        }
    }

    #[test]
    fn the_calling_thread_waits_for_those_that_take_long() {
        let mut threads = Threads::new(2).unwrap();
        let done = AtomicUsize::new(0);
        threads.run(2, &|thread| {
            std::thread::sleep(std::time::Duration::from_millis(30 * thread as u64));
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), 3);
    }

    #[test]
    fn a_panic_goes_on_in_the_calling_thread_and_leaves_the_others_alive() {
        let mut threads = Threads::new(2).unwrap();
        for bad in 0..3 {
            let done = AtomicUsize::new(0);
            let run = catch_unwind(AssertUnwindSafe(|| {
                threads.run(2, &|thread| {
                    assert!(thread != bad, "thread {bad}");
                    std::thread::sleep(std::time::Duration::from_millis(5));
                    done.fetch_add(1, Ordering::Relaxed);
                });
            }));
            assert!(run.is_err(), "the panic of thread {bad} is lost");
            assert_eq!(done.into_inner(), 2, "the call ended before the others did");
            assert_eq!(who(&mut threads, 2), 0x01_0101, "after the panic of thread {bad}");
        }
    }

    #[test]
    fn no_thread_is_alright() {
        assert_eq!(who(&mut Threads::new(0).unwrap(), 4), 1);
    }
}
