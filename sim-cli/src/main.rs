//! The `sim` command: inspect, run, evaluate and benchmark MJCF models.

#![forbid(unsafe_code)]

mod args;
mod cmd;
mod fields;
mod load;
mod plot;
mod record;
mod select;
mod suggest;
mod text;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::text::ERROR;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            // help and version come this way too; a closed pipe is no reason to complain
            let _ = e.print();
            return if e.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    let done = match &cli.command {
        Command::Info(args) => cmd::info::run(args),
        Command::Run(args) => cmd::run::run(args),
        Command::Eval(args) => cmd::eval::run(args),
        Command::Bench(args) => cmd::bench::run(args),
        Command::Convert(args) => cmd::convert::run(args),
        Command::TimeLoad => cmd::time_load::run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) if is_broken_pipe(&e) => ExitCode::SUCCESS,
        Err(e) => {
            report(&e);
            ExitCode::FAILURE
        }
    }
}

/// Whoever read our output has had enough.
fn is_broken_pipe(e: &anyhow::Error) -> bool {
    e.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

/// One line per problem; a model may have several.
fn report(e: &anyhow::Error) {
    let mut err = anstream::stderr().lock();
    for line in format!("{e:#}").lines() {
        let _ = writeln!(err, "{ERROR}error:{ERROR:#} {line}");
    }
}
