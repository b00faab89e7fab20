//! Developer commands: `cargo xtask COMMAND`. Each runs cargo, `sim` or Python as a process and links none of our
//! crates, so it works while they do not compile.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program talks to its user")]

mod source;
mod tidy;
mod workspace;

use anyhow::{Result, bail};
use lexopt::prelude::*;
use std::process::ExitCode;
use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  tidy                       rules that need no compiler: lengths, panics in libraries, silenced lints
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

fn run() -> Result<bool> {
    let mut parser = lexopt::Parser::from_env();
    let command = match parser.next()? {
        Some(Value(command)) => command.string()?,
        Some(Short('h') | Long("help")) | None => {
            print!("{USAGE}");
            return Ok(true);
        }
        Some(other) => return Err(other.unexpected().into()),
    };
    match command.as_str() {
        "tidy" => tidy::run(&Workspace::load()?),
        other => bail!("no command `{other}`\n{USAGE}"),
    }
}
