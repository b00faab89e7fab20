//! Workers as processes: started, listened to, killed when silent for too long.

use anyhow::{Context as _, Result};
use std::ffi::OsString;
use std::fmt;
use std::io::{BufRead as _, BufReader, Read as _};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Longest time of one mutant.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(5);

/// How often a busy machine may make it longer: beyond the limit it is the time of the processor that counts.
const PATIENCE: u32 = 12;

/// How one case ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Verdict {
    /// Its number, for a range.
    pub(crate) number: u64,
    /// The name of the outcome; empty for a failure.
    pub(crate) outcome: String,
    /// What went wrong.
    pub(crate) failure: Option<String>,
    /// How long it took.
    pub(crate) millis: u64,
    /// Most bytes in use.
    pub(crate) bytes: u64,
}

impl Verdict {
    /// Failures with the same key have the same cause, most likely.
    pub(crate) fn key(&self) -> Option<String> {
        let failure = self.failure.as_deref()?;
        // numbers in messages differ from case to case; the place of a panic does not
        match failure.strip_prefix("panic at ") {
            Some(panic) => panic.split(": ").next().map(str::to_owned),
            None => Some(failure.chars().filter(|c| !c.is_ascii_digit()).collect()),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.failure.as_deref().unwrap_or(&self.outcome);
        write!(f, "{what} ({} ms, {} MB)", self.millis, self.bytes >> 20)
    }
}

/// Runs one case file in a process of its own.
pub(crate) fn run_file(file: &Path) -> Result<Verdict> {
    let mut worker = Worker::start(|command| command.arg("--one").arg(file))?;
    Ok(worker.next_end(0).unwrap_or_default())
}

/// Starts workers that misbehave in every way; true when each was found out.
pub(crate) fn self_test() -> Result<bool> {
    let mut all = true;
    for (how, wanted) in [("panic", "panic at"), ("stack", "abort"), ("memory", "abort: memory"), ("hang", "hang")] {
        let mut worker = Worker::start(|command| command.args(["--misbehave", how]))?;
        let verdict = worker.next_start().and_then(|number| worker.next_end(number)).unwrap_or_default();
        let found = verdict.failure.as_ref().is_some_and(|failure| failure.starts_with(wanted));
        println!("{how}: {} {verdict}", if found { "found," } else { "MISSED," });
        all &= found;
    }
    Ok(all)
}

/// Runs a range of cases; `each` is told of every verdict. A case that kills its worker gets the verdict of its death,
/// and a new worker goes on behind it. Stops early when `each` says false.
///
/// `job` are the arguments that tell the worker what to do, first and end of the range come behind them, and the longest
/// time of one case.
pub(crate) fn run_range(
    (job, limit): (&[OsString], Duration),
    numbers: Range<u64>,
    each: &mut dyn FnMut(Verdict) -> bool,
) -> Result<()> {
    let mut next = numbers.start;
    while next < numbers.end {
        let (from, to) = (next.to_string(), numbers.end.to_string());
        let mut worker = Worker::start(|command| command.args(job).args([&from, &to]))?;
        worker.limit = limit;
        while let Some(number) = worker.next_start() {
            let Some(verdict) = worker.next_end(number) else { break };
            next = number + 1;
            if !each(verdict) {
                return Ok(());
            }
        }
        anyhow::ensure!(next > from.parse()?, "a worker ended before its first case: {}", worker.last_words());
    }
    Ok(())
}

/// A running worker; killed when dropped.
struct Worker {
    child: Child,
    lines: Receiver<String>,
    limit: Duration,
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Worker {
    fn start(arguments: impl FnOnce(&mut Command) -> &mut Command) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        arguments(&mut command).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("RUST_BACKTRACE", "0");
        let mut child = command.spawn().context("starting a worker")?;
        let stdout = child.stdout.take().context("no way to hear the worker")?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, lines, limit: TIME_LIMIT })
    }

    /// The number of the case that starts next; `None` when the worker is done.
    fn next_start(&mut self) -> Option<u64> {
        // reading the seeds takes its time too
        self.lines.recv_timeout(10 * TIME_LIMIT).ok()?.strip_prefix("> ")?.parse().ok()
    }

    /// How the case that has started ends; `None` when the worker says something else.
    fn next_end(&mut self, number: u64) -> Option<Verdict> {
        let failed = |failure: String| Verdict { number, failure: Some(failure), ..Verdict::default() };
        let before = self.processor_time();
        let mut answer = self.lines.recv_timeout(self.limit);
        for _ in 1..PATIENCE {
            // without a clock for the processor the limit is the limit
            let used = self.processor_time().zip(before).map_or(self.limit, |(now, before)| now.saturating_sub(before));
            if answer != Err(RecvTimeoutError::Timeout) || used >= self.limit {
                break;
            }
            answer = self.lines.recv_timeout(self.limit);
        }
        match answer {
            Ok(line) => {
                let mut words = line.strip_prefix("< ")?.splitn(3, ' ');
                let (millis, bytes) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
                let outcome = words.next()?;
                let failure = outcome.strip_prefix("failure ").map(str::to_owned);
                let outcome = if failure.is_some() { String::new() } else { outcome.to_owned() };
                Some(Verdict { number, outcome, failure, millis, bytes })
            }
            Err(RecvTimeoutError::Timeout) => Some(failed(format!("hang: no end after {} s", self.limit.as_secs()))),
            Err(RecvTimeoutError::Disconnected) => Some(failed(format!("abort: {}", self.last_words()))),
        }
    }

    /// What the worker has used of its processor, where the system tells.
    fn processor_time(&self) -> Option<Duration> {
        processor_time(&self.child.id().to_string())
    }

    /// How the process ended, and the last line it left.
    fn last_words(&mut self) -> String {
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
        let mut text = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            let _ = stderr.read_to_string(&mut text);
        }
        let said: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        format!("{}, {status}", said.join(" "))
    }
}

/// What a process (`self` for this one) has used of its processor, where the system tells.
pub(crate) fn processor_time(process: &str) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // after the name in parentheses: user and system time are fields 14 and 15, in hundredths of a second
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}
