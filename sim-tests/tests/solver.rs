//! Solvers as a user sees them: resting, stacked and sliding bodies, forces in their cones, exchangeable solvers.

use sim_core::actuation::DefaultGain;
use sim_core::constraint::{CgStrict, XpbdSolver};
use sim_core::pipeline::{self, NoHooks, Parts, Skip};
use sim_core::{Data, Kit, Model, Mujoco};
use sim_mjcf::load_model;
use sim_types::{Cone, Solver};

fn model(option: &str, bodies: &str, slope: f64) -> Model {
    load_model(&format!(
        "<mujoco><option timestep='0.002' tolerance='1e-12' iterations='1000' cone='elliptic' {option}/><worldbody>
         <geom type='plane' size='9 9 1' euler='0 {slope} 0' friction='0.3 0.005 0.0001'/>{bodies}</worldbody></mujoco>"
    ))
    .unwrap()
}

fn ball() -> String {
    "<body pos='0 0 0.05'><freejoint/><geom size='0.05' mass='1'/></body>".to_owned()
}

fn stack(n: usize) -> String {
    let cube = |k: usize| {
        let z = 0.0495 + 0.099 * k as f64;
        format!(
            "<body pos='0 0 {z}'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1' friction='0.5 0.005 0.0001'/></body>"
        )
    };
    (0..n).map(cube).collect()
}

fn cube_on_slope() -> String {
    let (s, c) = 25f64.to_radians().sin_cos();
    format!(
        "<body pos='{} 0 {}' euler='0 25 0'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1' friction='0.3 0.005 0.0001'/></body>",
        0.05 * s,
        0.05 * c
    )
}

fn run<P: Parts>(m: &Model, parts: &mut P, steps: usize) -> Data {
    let mut d = m.make_data();
    for _ in 0..steps {
        pipeline::step(m, &mut d, parts).unwrap();
        assert_in_cones(&d);
    }
    d
}

fn strict() -> Kit<NoHooks, DefaultGain, CgStrict> {
    Kit { hooks: NoHooks, gain: DefaultGain, contact_solver: CgStrict }
}

fn assert_in_cones(d: &Data) {
    for (k, con) in d.contact.iter().enumerate() {
        let f = d.contact_force(k);
        let tangent = (f[1] * f[1] + f[2] * f[2]).sqrt();
        assert!(f[0] >= 0.0 && tangent <= con.friction[0] * f[0] + 1e-10, "{f:?} {:?}", con.friction);
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}

fn with(solver: Solver, bodies: &str, slope: f64) -> Model {
    let mut m = model("", bodies, slope);
    m.opt.solver = solver;
    m
}

#[test]
fn a_resting_ball_is_carried_alike_by_all_solvers() {
    let normal = |d: &Data| d.contact_force(0)[0];
    let pgs = run(&with(Solver::Pgs, &ball(), 0.0), &mut Mujoco::default(), 1000);
    let strict = run(&with(Solver::Cg, &ball(), 0.0), &mut strict(), 1000);
    assert!((normal(&pgs) - 9.81).abs() < 1e-3, "{}", normal(&pgs));
    assert!((normal(&strict) - normal(&pgs)).abs() <= 1e-4 * normal(&pgs));
    assert_eq!(strict.solver.converged, [true]);
}

#[test]
fn a_stack_is_carried_alike_by_all_solvers() {
    let pgs = run(&with(Solver::Pgs, &stack(3), 0.0), &mut Mujoco::default(), 500);
    let cg = run(&with(Solver::Cg, &stack(3), 0.0), &mut strict(), 500);
    let newton = run(&with(Solver::Newton, &stack(3), 0.0), &mut Mujoco::default(), 500);
    assert!(distance(&cg.qfrc_constraint, &pgs.qfrc_constraint) <= 1e-3);
    assert!(distance(&newton.qfrc_constraint, &cg.qfrc_constraint) <= 1e-3);
}

#[test]
fn a_box_slides_alike_under_all_solvers() {
    let pgs = run(&with(Solver::Pgs, &cube_on_slope(), 25.0), &mut Mujoco::default(), 200);
    let cg = run(&with(Solver::Cg, &cube_on_slope(), 25.0), &mut strict(), 200);
    assert!(cg.qvel[0] > 0.3, "{:?}", cg.qvel);
    assert!(distance(&cg.qvel, &pgs.qvel) <= 1e-3, "{:?} {:?}", cg.qvel, pgs.qvel);
}

#[test]
fn without_contacts_there_is_nothing_to_solve() {
    let m = with(Solver::Cg, "<body pos='0 0 5'><freejoint/><geom size='0.05'/></body>", 0.0);
    let mut d = m.make_data();
    pipeline::forward(&m, &mut d, &mut strict(), Skip::Nothing).unwrap();
    assert!(d.solver.niter.is_empty() && d.qfrc_constraint.iter().all(|x| *x == 0.0));
    assert_eq!(d.qacc, d.qacc_smooth);
}

/// The strict solver says that it did not converge and gives no forces; the plain one gives what it has.
#[test]
fn an_unfinished_strict_solve_gives_no_forces() {
    let mut m = with(Solver::Cg, &stack(10), 0.0);
    (m.opt.iterations, m.opt.tolerance) = (1, 1e-15);
    let mut d = m.make_data();
    pipeline::forward(&m, &mut d, &mut strict(), Skip::Nothing).unwrap();
    assert!(d.contact.len() >= 20);
    assert_eq!((d.solver.niter.as_slice(), d.solver.converged.as_slice()), (&[1][..], &[false][..]));
    assert!(d.efc.force.iter().chain(&d.qfrc_constraint).all(|x| *x == 0.0));
    d.forward(&m).unwrap();
    assert!(!d.solver.converged[0] && d.efc.force.iter().any(|x| *x != 0.0));
}

#[test]
fn warm_starts_save_iterations() {
    let mut m = with(Solver::Cg, &stack(3), 0.0);
    (m.opt.cone, m.opt.tolerance) = (Cone::Pyramidal, 1e-8);
    let mut d = m.make_data();
    let counts: Vec<usize> = (0..100).map(|_| d.step(&m).map(|()| d.solver.niter[0]).unwrap()).collect();
    let mean = counts[9..].iter().sum::<usize>() as f64 / 91.0;
    assert!(mean <= 0.7 * counts[0] as f64, "{mean} after {}", counts[0]);
}

#[test]
fn the_solver_of_the_file_is_the_solver_of_the_model() {
    for (name, solver) in [("PGS", Solver::Pgs), ("CG", Solver::Cg), ("Newton", Solver::Newton)] {
        assert_eq!(model(&format!("solver='{name}'"), &ball(), 0.0).opt.solver, solver);
    }
    assert_eq!(model("", &ball(), 0.0).opt.solver, Solver::Newton);
}

/// Statistics are kept for every island.
#[test]
fn every_island_reports_its_iterations() {
    let two = format!("{}<body pos='1 0 0.049'><freejoint/><geom type='box' size='0.05 0.06 0.05'/></body>", ball());
    let m = with(Solver::Newton, &two, 0.0);
    let d = run(&m, &mut Mujoco::default(), 3);
    assert_eq!((d.island.nisland, d.solver.niter.len(), d.solver.converged.len()), (2, 2, 2));
    for island in 0..2 {
        let stats = d.solver.iterations(island);
        assert_eq!(stats.len(), d.solver.niter[island]);
        assert!(stats.iter().all(|s| s.improvement.is_finite() && s.gradient.is_finite()));
    }
}

#[test]
fn position_based_dynamics_carries_and_separates() {
    let mut parts = Kit { hooks: NoHooks, gain: DefaultGain, contact_solver: XpbdSolver { iterations: 30 } };
    let m = with(Solver::Newton, &stack(1), 0.0);
    let d = run(&m, &mut parts, 1000);
    // a fixed number of sweeps leaves a slow creep
    let rest = d.qpos[..2].iter().chain(&d.qvel[..3]).all(|x| x.abs() < 1e-3);
    assert!(
        rest && (d.qpos[2] - 0.05).abs() < 1e-3 && d.qvel[3..].iter().all(|w| w.abs() < 5e-3),
        "{:?} {:?}",
        d.qpos,
        d.qvel
    );
    // two bodies inside one another come apart
    let inside = "<body pos='0 0 0.05'><freejoint/><geom size='0.05'/></body><body pos='0.06 0 0.05'><freejoint/><geom size='0.05'/></body>";
    let m = with(Solver::Newton, inside, 0.0);
    let d = run(&m, &mut parts, 500);
    assert!((d.qpos[7] - d.qpos[0]).abs() > 0.099, "{:?}", d.qpos);
}

#[test]
fn solvers_may_change_between_steps() {
    let mut m = with(Solver::Newton, &stack(2), 0.0);
    let mut d = m.make_data();
    for k in 0..60 {
        m.opt.solver = [Solver::Newton, Solver::Cg, Solver::Pgs][k % 3];
        if k % 4 == 3 {
            pipeline::step(&m, &mut d, &mut strict()).unwrap();
        } else {
            d.step(&m).unwrap();
        }
    }
    assert!((d.qpos[2] - 0.05).abs() < 1e-3, "{:?}", d.qpos);
}
