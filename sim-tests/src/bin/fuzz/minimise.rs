//! Smaller models that fail in the same way: elements and attributes are taken out one by one.

use crate::process::{Verdict, run_file};
use anyhow::Result;
use sim_tests::fuzz::{Case, Element};
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest search for one failure.
const TIME: Duration = Duration::from_secs(60);

/// Writes the smallest case found to `file`.
pub(crate) fn minimise(case: &Case, verdict: &Verdict, file: &Path) -> Result<()> {
    let attempt = file.with_extension("attempt");
    let mut search = Search { best: case.clone(), wanted: verdict.key(), attempt: &attempt, start: Instant::now() };
    search.files()?;
    search.elements()?;
    search.attributes()?;
    std::fs::write(file, search.best.to_bytes())?;
    let _ = std::fs::remove_file(&attempt);
    Ok(())
}

struct Search<'a> {
    best: Case,
    wanted: Option<String>,
    attempt: &'a Path,
    start: Instant,
}

impl Search<'_> {
    /// Keeps the case if it still fails in the same way.
    fn try_case(&mut self, case: Case) -> Result<bool> {
        if self.start.elapsed() > TIME {
            return Ok(false);
        }
        std::fs::write(self.attempt, case.to_bytes())?;
        let same = run_file(self.attempt)?.key() == self.wanted;
        if same {
            self.best = case;
        }
        Ok(same)
    }

    fn files(&mut self) -> Result<()> {
        let others: Vec<String> = self.best.files.keys().filter(|path| **path != self.best.main).cloned().collect();
        for path in others {
            let mut case = self.best.clone();
            case.files.remove(&path);
            self.try_case(case)?;
        }
        Ok(())
    }

    /// The model with a change; false when it is no XML or does not fail any more.
    fn try_tree(&mut self, change: impl FnOnce(&mut Element) -> bool) -> Result<bool> {
        let mut case = self.best.clone();
        let Some(mut root) = case.files.get(&case.main).and_then(|text| Element::parse(text)) else { return Ok(false) };
        if !change(&mut root) {
            return Ok(false);
        }
        case.files.insert(case.main.clone(), root.write().into_bytes());
        self.try_case(case)
    }

    fn count(&self) -> usize {
        let text = self.best.files.get(&self.best.main);
        text.and_then(|text| Element::parse(text)).map_or(0, |root| root.count())
    }

    /// Without elements: last ones first, because the first ones are referred to; twice, because one may need another.
    fn elements(&mut self) -> Result<()> {
        for _ in 0..2 {
            let mut n = self.count();
            while n > 1 {
                n = (n - 1).min(self.count().saturating_sub(1));
                self.try_tree(|root| remove(root, &mut n.clone()))?;
                // with what is in it put in its place
                self.try_tree(|root| unwrap_element(root, &mut n.clone()))?;
            }
        }
        Ok(())
    }

    fn attributes(&mut self) -> Result<()> {
        for n in 0..self.count() {
            let mut at = 0;
            loop {
                let mut there = false;
                let removed = self.try_tree(|root| {
                    let Some(element) = root.nth_mut(n) else { return false };
                    there = at < element.attributes.len();
                    if there {
                        element.attributes.remove(at);
                    }
                    there
                })?;
                if !there {
                    break;
                }
                at += usize::from(!removed);
            }
        }
        Ok(())
    }
}

/// Takes out the element with this number; the root is 0 and stays.
fn remove(element: &mut Element, n: &mut usize) -> bool {
    for child in 0..element.children.len() {
        *n -= 1;
        if *n == 0 {
            element.children.remove(child);
            return true;
        }
        if remove(&mut element.children[child], n) {
            return true;
        }
        if *n == 0 {
            return false;
        }
    }
    false
}

/// Puts the children of the element with this number in its place.
fn unwrap_element(element: &mut Element, n: &mut usize) -> bool {
    for child in 0..element.children.len() {
        *n -= 1;
        if *n == 0 {
            let inner = std::mem::take(&mut element.children[child].children);
            let any = !inner.is_empty();
            element.children.splice(child..=child, inner);
            return any;
        }
        if unwrap_element(&mut element.children[child], n) {
            return true;
        }
        if *n == 0 {
            return false;
        }
    }
    false
}
