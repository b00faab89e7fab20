//! Developer commands: `cargo xtask COMMAND`. Each runs cargo, `sim` or Python as a process and links none of our
//! crates, so it works while they do not compile.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program talks to its user")]

mod bench;
mod bench_load;
mod bench_step;
mod conform;
mod fuzz;
mod golden;
mod grade;
mod links;
mod python;
mod source;
mod tidy;
mod workspace;

use anyhow::{Context as _, Result, bail};
use conform::Request;
use lexopt::Parser;
use lexopt::prelude::*;
use python::Python;
use std::path::PathBuf;
use std::process::ExitCode;
use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  grade [--tests FILE]       the quality gate: one letter per crate; anything below A fails.
                             FILE is the output of `cargo test --workspace --release 2>&1`; without it the tests are run
  tidy                       the rules that need no compiler: lengths, panics in libraries, silenced lints
  test-count [--record] FILE compare the number of tests in FILE with the recorded one, or record it
  golden [--check] [MODEL…]  let MuJoCo write the golden files again and print the largest changes
  conform [PATH…]            compare `sim eval` with an installed MuJoCo; files, folders, or sim-tests/models
          [--covered]        list what uses only supported elements and judge that
          [--report]         write docs/CONFORMANCE.md
          [--sim PATH]       the program to judge; built from here when not given
  bench-load [PATH…]         time loading, ours and MuJoCo's side by side; files, folders, or sim-tests/models
          [--rounds N]       loads of each file on each side; the best counts [5]
          [--report]         write docs/load-times.md
          [--sim PATH]       the program to time; built from here when not given
  fuzz-mjcf [OPTIONS]        load and step mutants of our models; --help says more
  conform-pairs              compare the contacts of every pair of shapes at random poses
          [--poses N] [--only PAIR] [--report] [--sim PATH]
  bench-step MODEL…          race steps against MuJoCo's, in turns, and show where the time goes
          [--batch N]        also batches of N environments on two threads
          [--turns N]        turns of each side; the median counts [5]
          [--report]         write docs/PERFORMANCE.md
          [--sim PATH]       the program to time; built from here when not given
  bench-collision [MODEL…]   time the search for contacts against MuJoCo's; scenes of its own without models
          [--only NAME]      only scenes whose name contains NAME; may be given more than once
          [--sim PATH]       the program to time; built from here when not given

golden, conform and bench need Python with mujoco==3.5.0 and numpy: --python PATH, else $PYTHON, else python3
";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command given on the command line; false means that it found something wrong.
fn run() -> Result<bool> {
    let mut args = Parser::from_env();
    let command = match args.next()? {
        Some(Value(command)) => command.string()?,
        Some(Short('h') | Long("help")) | None => {
            print!("{USAGE}");
            return Ok(true);
        }
        Some(other) => return Err(other.unexpected().into()),
    };
    match command.as_str() {
        "grade" => run_grade(&mut args),
        "tidy" => {
            no_more(&mut args)?;
            tidy::run(&Workspace::load()?)
        }
        "test-count" => run_test_count(&mut args),
        "golden" => run_golden(&mut args),
        "conform" => run_conform(&mut args),
        "bench-load" => run_bench_load(&mut args),
        "bench-step" => run_bench_step(&mut args),
        "fuzz-mjcf" => fuzz::run(&Workspace::load()?, &args.raw_args()?.collect::<Vec<_>>()),
        "conform-pairs" => run_pairs(&mut args),
        "bench-collision" => run_bench(&mut args),
        other => bail!("no command `{other}`\n{USAGE}"),
    }
}

fn run_grade(args: &mut Parser) -> Result<bool> {
    let mut log = None;
    while let Some(arg) = args.next()? {
        match arg {
            Long("tests") => log = Some(PathBuf::from(args.value()?)),
            other => return Err(other.unexpected().into()),
        }
    }
    grade::run(&Workspace::load()?, log.as_deref())
}

fn run_test_count(args: &mut Parser) -> Result<bool> {
    let (mut log, mut record) = (None, false);
    while let Some(arg) = args.next()? {
        match arg {
            Long("record") => record = true,
            Value(file) if log.is_none() => log = Some(PathBuf::from(file)),
            other => return Err(other.unexpected().into()),
        }
    }
    let log = log.context("test-count needs the file with the output of `cargo test`")?;
    grade::tests_log::count(&Workspace::load()?, &log, record)
}

fn run_golden(args: &mut Parser) -> Result<bool> {
    let (mut models, mut check, mut python) = (Vec::new(), false, None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("check") => check = true,
            Long("python") => python = Some(args.value()?),
            Value(model) => models.push(model),
            other => return Err(other.unexpected().into()),
        }
    }
    golden::run(&Workspace::load()?, &Python::find(python)?, &models, check)
}

fn run_conform(args: &mut Parser) -> Result<bool> {
    let (mut request, mut python) = (Request::default(), None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("covered") => request.covered = true,
            Long("report") => request.report = true,
            Long("sim") => request.sim = Some(args.value()?.into()),
            Long("python") => python = Some(args.value()?),
            Value(path) => request.paths.push(path.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    conform::run(&Workspace::load()?, &Python::find(python)?, &request)
}

fn run_bench_load(args: &mut Parser) -> Result<bool> {
    let mut request = bench_load::Request { paths: Vec::new(), rounds: 5, report: false, sim: None };
    let mut python = None;
    while let Some(arg) = args.next()? {
        match arg {
            Long("rounds") => request.rounds = args.value()?.parse()?,
            Long("report") => request.report = true,
            Long("sim") => request.sim = Some(args.value()?.into()),
            Long("python") => python = Some(args.value()?),
            Value(path) => request.paths.push(path.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    bench_load::run(&Workspace::load()?, &Python::find(python)?, &request)
}

fn run_bench_step(args: &mut Parser) -> Result<bool> {
    let (mut request, mut python) = (bench_step::Request::default(), None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("batch") => request.batch = args.value()?.parse()?,
            Long("turns") => request.turns = Some(args.value()?.string()?),
            Long("report") => request.report = true,
            Long("sim") => request.sim = Some(args.value()?.into()),
            Long("python") => python = Some(args.value()?),
            Value(model) => request.models.push(model.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    bench_step::run(&Workspace::load()?, &Python::find(python)?, &request)
}

fn run_pairs(args: &mut Parser) -> Result<bool> {
    let (mut request, mut python) = (conform::pairs::Request::default(), None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("report") => request.report = true,
            Long("poses") => request.poses = Some(args.value()?.string()?),
            Long("only") => request.only = Some(args.value()?.string()?),
            Long("sim") => request.sim = Some(args.value()?.into()),
            Long("python") => python = Some(args.value()?),
            other => return Err(other.unexpected().into()),
        }
    }
    conform::pairs::run(&Workspace::load()?, &Python::find(python)?, &request)
}

fn run_bench(args: &mut Parser) -> Result<bool> {
    let (mut request, mut python) = (bench::Request::default(), None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("only") => request.only.push(args.value()?.string()?),
            Long("sim") => request.sim = Some(args.value()?.into()),
            Long("python") => python = Some(args.value()?),
            Value(model) => request.models.push(model.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    bench::run(&Workspace::load()?, &Python::find(python)?, &request)
}

fn no_more(args: &mut Parser) -> Result<()> {
    args.next()?.map_or(Ok(()), |arg| Err(arg.unexpected().into()))
}
