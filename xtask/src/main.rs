//! Developer commands: `cargo xtask COMMAND`. Each runs cargo, `sim` or Python as a process and links none of our
//! crates, so it works while they do not compile.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program talks to its user")]

mod grade;
mod source;
mod tidy;
mod workspace;

use anyhow::{Context as _, Result, bail};
use lexopt::Parser;
use lexopt::prelude::*;
use std::path::PathBuf;
use std::process::ExitCode;
use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  grade [--tests FILE]       the quality gate: one letter per crate; anything below A fails.
                             FILE is the output of `cargo test --workspace --release 2>&1`; without it the tests are run
  tidy                       the rules that need no compiler: lengths, panics in libraries, silenced lints
  test-count [--record] FILE compare the number of tests in FILE with the recorded one, or record it
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

fn no_more(args: &mut Parser) -> Result<()> {
    args.next()?.map_or(Ok(()), |arg| Err(arg.unexpected().into()))
}
