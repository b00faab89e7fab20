//! Nanoseconds per solve of a humanoid-sized problem (27 dofs): the least of many short turns, since a busy machine
//! only ever adds time. `cargo bench -p sim-constraint --bench solve -- [FILTER or FILE] [TURNS]`

#![expect(clippy::unwrap_used, reason = "benches may unwrap as tests do")]
#![expect(clippy::print_stdout, reason = "a bench prints its numbers")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Owned, random, read};
use sim_constraint::{Mujoco, Settings, Solution, SolverStat, Work, solve};
use sim_types::Solver;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let filter = args.first().map_or("", String::as_str);
    let turns = args.get(1).and_then(|a| a.parse().ok()).unwrap_or(200);
    for (name, text) in [
        ("pyramidal", include_str!("../tests/data/figure_pyramidal.txt")),
        ("elliptic", include_str!("../tests/data/figure_elliptic.txt")),
    ] {
        let (p, cases) = read(text);
        for (label, solver) in [("newton", Solver::Newton), ("cg", Solver::Cg), ("pgs", Solver::Pgs)] {
            // from the acceleration of the last step, and from the solution as in a scene at rest
            for (start, warm) in [("moving", &p.warm), ("settled", &cases[0].qacc)] {
                let name = format!("{name}_{label}_{start}");
                if name.contains(filter) {
                    run(&name, &p, solver, warm, turns);
                }
            }
        }
    }
    // a file of cases given by its path
    if let Ok(text) = std::fs::read_to_string(filter) {
        let (p, cases) = read(&text);
        for (start, warm) in [("moving", &p.warm), ("settled", &cases[0].qacc)] {
            run(&format!("{filter}_{start}"), &p, Solver::Newton, warm, turns);
        }
    }
    for bodies in [4, 10, 11, 20, 76, 400] {
        let name = format!("pile_{bodies}");
        if name.contains(filter) {
            let p = random::pile(bodies, 8);
            let opt = Settings { iterations: 20_000, tolerance: 1e-14, ..Settings::default() };
            let best = p.solve(&Mujoco, &opt, true, &mut Work::default()).unwrap().qacc;
            run(&format!("{name}_moving"), &p, Solver::Newton, &p.warm, turns.min(50));
            run(&format!("{name}_settled"), &p, Solver::Newton, &best, turns.min(50));
        }
    }
}

fn run(name: &str, p: &Owned, solver: Solver, warm: &[f64], turns: usize) {
    let (nv, n) = (p.qfrc_smooth.len(), p.sizes[3]);
    let mut work = Work::default();
    let (mut qacc, mut qfrc) = (vec![0.0; nv], vec![0.0; nv]);
    let (mut force, mut state, mut stat) = (vec![0.0; n], vec![0; n], vec![SolverStat::default(); 200]);
    let (view, opt) = (p.view(), Settings { solver, ..Settings::default() });
    let (mut niter, mut least) = (0, f64::INFINITY);
    for _ in 0..turns {
        let begin = Instant::now();
        for _ in 0..10 {
            let mut out = Solution {
                qacc: &mut qacc,
                qfrc_constraint: &mut qfrc,
                force: &mut force,
                state: &mut state,
                stat: &mut stat,
            };
            niter = solve(&Mujoco, &view, &opt, Some(warm), &mut out, &mut work).unwrap().niter;
        }
        least = least.min(begin.elapsed().as_secs_f64() / 10.0);
    }
    println!("{name}: {:.0} ns, {niter} iterations", 1e9 * least);
}
