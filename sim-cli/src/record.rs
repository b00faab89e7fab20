//! Chosen numbers over time: streamed as CSV, kept for a plot.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// A CSV file with a `time` column and one column per series.
pub(crate) struct Csv {
    out: BufWriter<File>,
    path: String,
}

impl Csv {
    /// Creates the file and writes the header.
    pub(crate) fn create<'a>(path: &Path, names: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let file = File::create(path).with_context(|| format!("cannot write '{}'", path.display()))?;
        let mut csv = Self { out: BufWriter::new(file), path: path.display().to_string() };
        let header: Vec<String> = std::iter::once("time").chain(names).map(quoted).collect();
        writeln!(csv.out, "{}", header.join(",")).with_context(|| format!("cannot write '{}'", csv.path))?;
        Ok(csv)
    }

    /// Writes one row; numbers read back exactly.
    pub(crate) fn row(&mut self, time: f64, values: &[f64]) -> Result<()> {
        write!(self.out, "{time:?}")
            .and_then(|()| values.iter().try_for_each(|x| write!(self.out, ",{x:?}")))
            .and_then(|()| writeln!(self.out))
            .with_context(|| format!("cannot write '{}'", self.path))
    }

    /// Writes what is still buffered.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.out.flush().with_context(|| format!("cannot write '{}'", self.path))
    }
}

/// A header cell, quoted when it has to be.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

/// What a plot shows: every row of a run, thinned out evenly when there are very many.
pub(crate) struct History {
    /// Time of each row.
    pub time: Vec<f64>,
    /// One vector per series.
    pub series: Vec<Vec<f64>>,
    /// Rows kept before thinning.
    limit: usize,
    keep_every: u64,
    seen: u64,
}

impl History {
    /// Far more rows than a screen resolves, fewer when there are very many series.
    pub(crate) fn new(series: usize) -> Self {
        let limit = (8_000_000 / series.max(1)).clamp(2_000, 20_000);
        Self { time: Vec::new(), series: vec![Vec::new(); series], limit, keep_every: 1, seen: 0 }
    }

    pub(crate) fn push(&mut self, time: f64, values: &[f64]) {
        if self.seen.is_multiple_of(self.keep_every) {
            self.time.push(time);
            for (all, x) in self.series.iter_mut().zip(values) {
                all.push(*x);
            }
        }
        self.seen += 1;
        if self.time.len() >= self.limit {
            self.halve();
        }
    }

    /// Keeps every second row, now and from now on.
    fn halve(&mut self) {
        for column in self.series.iter_mut().chain(std::iter::once(&mut self.time)) {
            let mut i = 0;
            column.retain(|_| {
                i += 1;
                i % 2 == 1
            });
        }
        self.keep_every *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_are_quoted() {
        assert_eq!(quoted("qpos.knee"), "qpos.knee");
        assert_eq!(quoted("qpos.a,\"b\""), "\"qpos.a,\"\"b\"\"\"");
    }

    #[test]
    fn a_long_history_is_thinned_evenly() {
        let mut history = History::new(1);
        for i in 0..100_000 {
            history.push(f64::from(i), &[f64::from(2 * i)]);
        }
        assert!(history.time.len() < history.limit);
        assert_eq!(history.time.len(), history.series[0].len());
        let gaps: Vec<f64> = history.time.windows(2).map(|w| w[1] - w[0]).collect();
        assert!(gaps.iter().all(|gap| *gap == gaps[0]));
        assert!(history.time.iter().zip(&history.series[0]).all(|(t, x)| *x == 2.0 * t));
    }
}
