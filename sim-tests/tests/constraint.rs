//! Constraint rows, islands and solutions against MuJoCo, under every setting of the solver; sleep.

use sim_core::{Data, Model};
use sim_tests::tol::compare;
use sim_tests::{Golden, Tol, assert_close, engine};
use sim_types::{Cone, DisableFlags, Jacobian, Options, Solver};

const MODELS: [&str; 7] = ["contact", "equality", "friction_limit", "passed_by", "sleep", "tactile", "tree"];

fn goldens() -> impl Iterator<Item = Golden> {
    MODELS.into_iter().map(|name| Golden::load(&format!("constraint/{name}")).unwrap())
}

/// The settings of a golden's variant, written over the model's.
fn vary(opt: &mut Options, variant: &str) {
    let (first, cone) = variant.split_once('-').unwrap_or((variant, ""));
    match first {
        "pgs" => opt.solver = Solver::Pgs,
        "cg" => (opt.solver, opt.iterations) = (Solver::Cg, 6),
        "newton" => opt.solver = Solver::Newton,
        "dense" => opt.jacobian = Jacobian::Dense,
        "sparse" => opt.jacobian = Jacobian::Sparse,
        "whole" => opt.disableflags.insert(DisableFlags::ISLAND),
        "cold" => opt.disableflags.insert(DisableFlags::WARMSTART),
        "unsafe" => opt.disableflags.insert(DisableFlags::REFSAFE),
        "noslip" => opt.noslip_iterations = 5,
        other => panic!("no such variant: {other}"),
    }
    match cone {
        "elliptic" => opt.cone = Cone::Elliptic,
        "pyramidal" => opt.cone = Cone::Pyramidal,
        _ => {}
    }
}

/// Every array of a section that the engine gives another value for.
fn differences(m: &Model, d: &Data, golden: &Golden, section: &str, tol: Tol) -> Vec<String> {
    let wrong = |(field, want): (&String, &sim_tests::Array)| {
        let got = if field == "solver_niter" {
            // MuJoCo's list has an entry for every island, also when all are solved as one
            let counts = d.solver.niter.iter().map(|n| *n as f64);
            counts.chain(std::iter::repeat(0.0)).take(want.data.len()).collect()
        } else {
            engine::read(m, d, field)
        };
        compare(&golden.label(section, field), &got, &want.data, tol.scaled(&want.data)).err()
    };
    golden.section(section).iter().filter_map(wrong).collect()
}

#[test]
fn rows_and_islands_at_every_state() {
    let mut wrong = Vec::new();
    for golden in goldens() {
        let m = engine::load(&golden.name).unwrap();
        for state in &golden.states {
            let mut d = engine::data_at(&m, &golden, state).unwrap();
            d.forward(&m).unwrap();
            let section = format!("rows {state}");
            assert!(golden.section(&section).len() >= 18);
            wrong.extend(differences(&m, &d, &golden, &section, Tol::FORWARD));
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn solutions_under_every_setting() {
    let mut wrong = Vec::new();
    let mut solved = 0;
    for golden in goldens() {
        let m = engine::load(&golden.name).unwrap();
        for (state, section) in
            golden.states.iter().flat_map(|s| golden.titles(&format!("solve {s} ")).map(move |t| (s, t)))
        {
            let mut m = m.clone();
            vary(&mut m.opt, section.rsplit(' ').next().unwrap_or_default());
            let mut d = engine::data_at(&m, &golden, state).unwrap();
            d.forward(&m).unwrap();
            sim_core::smooth::rne_post(&m, &mut d);
            wrong.extend(differences(&m, &d, &golden, section, Tol::SOLUTION));
            solved += 1;
        }
    }
    assert!(solved >= 150, "only {solved} solves");
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// Who sleeps at each step: left alone, pushed by a billionth of a newton, moved.
#[test]
fn trees_sleep_and_wake_with_mujoco() {
    let golden = Golden::load("constraint/sleep").unwrap();
    let m = engine::load(&golden.name).unwrap();
    let mut d = m.make_data();
    let want = golden.get("sleep", "tree_asleep");
    for (step, want) in want.chunks_exact(m.ntree).enumerate() {
        d.xfrc_applied[1][0] = if step == 40 { 1e-9 } else { 0.0 };
        if step == 70 {
            d.qpos[14] += 0.1;
        }
        d.step(&m).unwrap();
        let got: Vec<f64> = d.tree_asleep.iter().map(|x| f64::from(*x)).collect();
        assert_close(&format!("tree_asleep after step {step}"), &got, want, Tol::SAME);
    }
    assert_close("qpos", &d.qpos, golden.get("sleep", "qpos"), Tol::TRAJECTORY);
    let asleep = |tree: usize| d.tree_asleep[tree] >= 0;
    let dofs = |tree: usize| m.tree_dofadr[tree] as usize..(m.tree_dofadr[tree] + m.tree_dofnum[tree]) as usize;
    for tree in (0..m.ntree).filter(|&tree| asleep(tree)) {
        assert!(d.qvel[dofs(tree)].iter().all(|v| v.to_bits() == 0), "sleepers have no velocity at all");
    }
}

/// Islands solved one by one and all rows solved at once have the same solution.
#[test]
fn islands_do_not_change_the_solution() {
    for golden in goldens().filter(|g| !g.name.ends_with("sleep") && !g.name.ends_with("tactile")) {
        let mut m = engine::load(&golden.name).unwrap();
        m.opt.tolerance = 0.0;
        let mut d = engine::data_at(&m, &golden, "late").unwrap();
        d.forward(&m).unwrap();
        let (apart, islands) = (d.qacc.clone(), d.island.nisland);
        m.opt.disableflags.insert(DisableFlags::ISLAND);
        d.forward(&m).unwrap();
        assert!(islands > 0 && d.island.nisland == 0);
        assert_close(&golden.name, &apart, &d.qacc, Tol::SOLUTION.scaled(&d.qacc));
    }
}

/// Numbers that are no numbers are an error with a name, or a reset: never a panic.
#[test]
fn an_unsolvable_problem_is_an_error_or_a_reset() {
    let golden = Golden::load("constraint/tree").unwrap();
    let mut m = engine::load(&golden.name).unwrap();
    m.eq_solref[0] = [f64::NAN, f64::NAN];
    m.eq_data[0][1] = f64::NAN;
    let mut d = m.make_data();
    assert!(d.step(&m).is_err(), "the reset state is as bad");
    m.opt.disableflags.insert(DisableFlags::AUTORESET);
    let message = d.step(&m).unwrap_err().to_string();
    assert!(message.contains("constraint row 0") || message.contains("qacc"), "{message}");
}
