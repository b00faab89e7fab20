//! Extreme states and controls: a step ends in an error, a reset or finite numbers.

use sim_tests::fuzz::{EXTREMES, Outcome, extreme};
use sim_tests::{engine, files, models_dir, zoo};

/// Every model of this crate from every pair of an extreme state and an extreme control.
#[test]
fn extreme_states_do_no_harm() {
    let mut names = zoo().unwrap();
    for folder in ["integrate", "constraint", "contact"] {
        let found = files(&models_dir().join(folder), "xml").unwrap();
        names.extend(found.iter().map(|f| format!("{folder}/{}", f.file_stem().unwrap().to_str().unwrap())));
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut wrong = Vec::new();
    for name in names {
        let m = engine::load(&name).unwrap();
        for number in 0..EXTREMES {
            match extreme(&m, number) {
                Ok(outcome) => drop(seen.insert(outcome)),
                Err(what) => wrong.push(format!("{name} {number}: {what}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!([Outcome::Stepped, Outcome::StepError].iter().all(|o| seen.contains(o)), "{seen:?}");
}
