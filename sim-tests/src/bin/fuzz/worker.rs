//! The worker: runs cases, says what it does.

use crate::memory;
use crate::process::processor_time;
use anyhow::{Result, anyhow};
use sim_tests::fuzz::{Case, Outcome, Seeds, extreme, extreme_model, mutant, run};
use std::io::Write as _;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

/// The stack that Rust gives to threads: a user may load a model in one.
const STACK: usize = 2 << 20;

/// Place and message of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Runs cases by number: `> number` before each, `< milliseconds bytes outcome` after it.
pub(crate) fn range(seed: u64, numbers: Range<u64>) -> Result<bool> {
    let seeds = Seeds::own()?;
    in_thread(move || {
        for number in numbers {
            println!("> {number}");
            say(&mutant(&seeds, seed, number));
        }
    })
}

/// Runs a model from extreme states by number, as [`range`] does with cases. A model that is refused ends it.
pub(crate) fn extremes(file: &Path, numbers: Range<u64>) -> Result<bool> {
    let model = extreme_model(file);
    in_thread(move || {
        for number in numbers {
            println!("> {number}");
            match &model {
                Ok(model) => say_result(|| extreme(model, number as usize)),
                Err(error) => {
                    println!("< 0 0 refused: {}", error.lines().next().unwrap_or_default());
                    return;
                }
            }
        }
    })
}

/// Runs one case.
pub(crate) fn one(case: &Case) -> Result<bool> {
    let case = case.clone();
    in_thread(move || say(&case))
}

/// Does what no case may do, to see that the driver notices.
pub(crate) fn misbehave(how: &str) -> Result<bool> {
    let how = how.to_owned();
    in_thread(move || {
        println!("> 0");
        if how == "panic" {
            say_result(|| {
                std::hint::black_box(&[0][..]).get(1).map(|_| Outcome::Stepped).ok_or_else(|| unreachable!())
            });
        }
        match how.as_str() {
            "stack" => drop(deeper(0)),
            "memory" => drop(std::hint::black_box(vec![1_u8; 1 << 40])),
            "hang" => std::thread::sleep(std::time::Duration::from_secs(3600)),
            _ => {}
        }
    })
}

/// Calls itself until the stack is used up.
#[expect(unconditional_recursion, reason = "the stack is to overflow")]
fn deeper(n: u64) -> Vec<u64> {
    let mut below = deeper(std::hint::black_box(n + 1));
    below.push(n);
    below
}

fn in_thread(work: impl FnOnce() + Send + 'static) -> Result<bool> {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |l| format!("{}:{}", l.file(), l.line()));
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(|s| &s[..]));
        let message = text.unwrap_or("no message").replace('\n', " ");
        if let Ok(mut last) = PANIC.lock() {
            *last = format!("{place}: {message}");
        }
    }));
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work)?;
    thread.join().map_err(|_| anyhow!("the worker itself panicked"))?;
    Ok(true)
}

/// Runs a case and prints how it ended.
fn say(case: &Case) {
    say_result(|| run(case));
}

fn say_result(run: impl FnOnce() -> Result<Outcome, String>) {
    memory::restart();
    let start = (Instant::now(), processor_time("self"));
    let outcome = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(outcome)) => outcome.as_str().to_owned(),
        Ok(Err(wrong)) => format!("failure {wrong}"),
        Err(_) => format!("failure panic at {}", PANIC.lock().map(|p| p.clone()).unwrap_or_default()),
    };
    // on a busy machine the time of the processor tells more than the clock
    let used =
        processor_time("self").zip(start.1).map_or_else(|| start.0.elapsed(), |(now, then)| now.saturating_sub(then));
    println!("< {} {} {outcome}", used.as_millis(), memory::peak());
    // a pipe is written at once, so that the driver knows where we are
    let _ = std::io::stdout().flush();
}
