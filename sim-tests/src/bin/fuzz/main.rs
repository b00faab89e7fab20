//! The mutation harness: `cargo xtask fuzz-mjcf` builds it with all checks on and runs it.
//!
//! The driver ([`driver`]) starts this program again as a worker; a worker runs a range of cases, one line when a case
//! starts and one when it ends. A worker that dies or stays silent costs one case: the one it had started.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program talks to its user")]

mod driver;
mod extremes;
mod memory;
mod minimise;
mod process;
mod worker;

use anyhow::{Context as _, Result, bail};
use lexopt::prelude::*;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask fuzz-mjcf [OPTIONS]

Loads and steps mutants of our own models. A panic, an abort, a case that takes longer than 5 s, or a state that is
not finite with nothing said is a failure; each is written to a file.

  --cases N      mutants to run [20000]
  --seed S       which mutants; the same for the same number [1]
  --seconds T    stop after so many seconds
  --jobs J       processes at a time [one per core]
  --out DIR      where failures are written [target/fuzz-cases]
  --quick        do not look for the smallest model that fails
  --replay FILE  run one failure again and say what happens
  --write N      write the case with this number, do not run it
  --extremes PATH...
                 step the models in these files and folders from extreme states with extreme controls, 60 s each
  --self-test    panic, overflow the stack, exhaust the memory and hang, and see that each is noticed
";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("fuzz: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// False means that a failure was found.
fn run() -> Result<bool> {
    let mut args = lexopt::Parser::from_env();
    let mut options = driver::Options::default();
    let mut replay: Option<PathBuf> = None;
    let (mut range, mut write) = (None, None);
    let mut extremes: Vec<PathBuf> = Vec::new();
    while let Some(arg) = args.next()? {
        match arg {
            Long("cases") => options.cases = args.value()?.parse()?,
            Long("seed") => options.seed = args.value()?.parse()?,
            Long("seconds") => options.seconds = Some(args.value()?.parse()?),
            Long("jobs") => options.jobs = args.value()?.parse()?,
            Long("out") => options.out = args.value()?.into(),
            Long("quick") => options.minimise = false,
            Long("write") => write = Some(args.value()?.parse()?),
            Long("replay") => replay = Some(args.value()?.into()),
            // what the driver says to a worker
            Long("worker") => range = Some((args.value()?.parse()?, args.value()?.parse()?)),
            Long("extremes-of") => {
                let file = PathBuf::from(args.value()?);
                return worker::extremes(&file, args.value()?.parse()?..args.value()?.parse()?);
            }
            Long("extremes") => extremes.extend(args.values()?.map(PathBuf::from)),
            Long("one") => return worker::one(&read(&PathBuf::from(args.value()?))?),
            Long("misbehave") => return worker::misbehave(&args.value()?.string()?),
            Long("self-test") => return process::self_test(),
            Short('h') | Long("help") => {
                print!("{USAGE}");
                return Ok(true);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if !extremes.is_empty() {
        return extremes::run(&extremes, options.jobs);
    }
    match (range, replay, write) {
        (Some((first, end)), ..) => worker::range(options.seed, first..end),
        (None, Some(file), _) => replay_case(&file),
        (None, None, Some(number)) => driver::write(&options, number),
        (None, None, None) => driver::run(&options),
    }
}

/// Runs a failure again, in a process of its own.
fn replay_case(file: &std::path::Path) -> Result<bool> {
    read(file)?;
    let verdict = process::run_file(file)?;
    println!("{}: {verdict}", file.display());
    Ok(verdict.failure.is_none())
}

fn read(file: &std::path::Path) -> Result<sim_tests::fuzz::Case> {
    let bytes = std::fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    match sim_tests::fuzz::Case::from_bytes(&bytes) {
        Some(case) => Ok(case),
        None => bail!("{} is not a case of this program", file.display()),
    }
}
