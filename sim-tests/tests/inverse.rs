//! Inverse dynamics beyond one call: its derivatives, its comparison with forward dynamics, and constraint forces at given
//! residuals, all against goldens.

use sim_core::constraint::constraint_update;
use sim_core::derivative::{InverseDerivatives, inverse_fd};
use sim_core::{Data, Model, Mujoco, StepError};
use sim_tests::tol::compare;
use sim_tests::{Golden, Tol, assert_close, engine, models_dir};
use sim_types::{Cone, Integrator, Solver};

/// Differences of size 1e-6 magnify rounding by a million.
const DIFFERENCES: Tol = Tol { abs: 2e-7, rel: 1e-6 };

fn goldens() -> Vec<(Golden, Model)> {
    let files = sim_tests::files(&models_dir().join("integrate"), "xml").unwrap();
    let name = |f: &std::path::PathBuf| format!("integrate/{}", f.file_stem().unwrap().to_str().unwrap());
    let load = |name: String| {
        let mut m = engine::load(&name).unwrap();
        (m.opt.tolerance, m.opt.iterations) = (1e-14, 200);
        (Golden::load(&name).unwrap(), m)
    };
    files.iter().map(name).map(load).collect()
}

/// Every matrix of [`inverse_fd`] by the name MuJoCo's documentation gives it.
fn derivatives(m: &Model, d: &mut Data, actuation: bool) -> Vec<(&'static str, Vec<f64>)> {
    let (square, sensor) = (vec![0.0; m.nv * m.nv], vec![0.0; m.nv * m.nsensordata]);
    let (mut fq, mut fv, mut fa) = (square.clone(), square.clone(), square);
    let (mut sq, mut sv, mut sa) = (sensor.clone(), sensor.clone(), sensor);
    let mut mq = vec![0.0; m.nv * m.nM];
    let mut out = InverseDerivatives {
        force_by_pos: Some(&mut fq),
        force_by_vel: Some(&mut fv),
        force_by_acc: Some(&mut fa),
        sensor_by_pos: Some(&mut sq),
        sensor_by_vel: Some(&mut sv),
        sensor_by_acc: Some(&mut sa),
        inertia_by_pos: Some(&mut mq),
    };
    inverse_fd(m, d, &mut Mujoco::default(), 1e-6, actuation, &mut out).unwrap();
    let force = [("DfDq", fq), ("DfDv", fv), ("DfDa", fa)];
    let rest = [("DsDq", sq), ("DsDv", sv), ("DsDa", sa), ("DmDq", mq)];
    force.into_iter().chain(rest.into_iter().filter(|_| !actuation)).collect()
}

#[test]
fn derivatives_of_inverse_dynamics_are_mujocos() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (golden, model) in goldens() {
        for (name, integrator) in [
            ("euler", Integrator::Euler),
            ("implicit", Integrator::Implicit),
            ("implicitfast", Integrator::ImplicitFast),
        ] {
            let mut m = model.clone();
            m.opt.integrator = integrator;
            let section = format!("inverse derivatives far {name}");
            for actuation in [false, true] {
                let mut d = engine::data_at(&m, &golden, "far").unwrap();
                let before = d.clone();
                for (field, got) in derivatives(&m, &mut d, actuation) {
                    let field = format!("{field}{}", if actuation { "_actuation" } else { "" });
                    let want = golden.get(&section, &field);
                    count += want.len();
                    wrong.extend(compare(&golden.label(&section, &field), &got, want, DIFFERENCES.scaled(want)).err());
                }
                assert_eq!((&d.qpos, &d.qvel, &d.qacc), (&before.qpos, &before.qvel, &before.qacc));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 1000, "{count} numbers were compared");
}

/// After one iteration of a solver forward and inverse dynamics differ by as much as MuJoCo's do.
#[test]
fn forward_and_inverse_differ_as_mujocos() {
    let mut largest = [0.0_f64; 2];
    for (golden, model) in goldens() {
        for section in golden.titles("compare ") {
            for (name, solver) in [("newton", Solver::Newton), ("pgs", Solver::Pgs)] {
                let mut m = model.clone();
                (m.opt.iterations, m.opt.solver) = (1, solver);
                let mut d = engine::data_at(&m, &golden, &section["compare ".len()..]).unwrap();
                d.forward(&m).unwrap();
                sim_core::inverse::compare(&m, &mut d, &mut Mujoco::default()).unwrap();
                let want = golden.get(section, name);
                assert_close(&golden.label(section, name), &d.solver_fwdinv, want, Tol { abs: 1e-9, rel: 1e-9 });
                largest = [0, 1].map(|k| largest[k].max(want[k]));
            }
        }
    }
    assert!(largest.iter().all(|x| *x > 0.1), "{largest:?}: there is something to compare");
}

#[test]
fn constraint_update_is_mujocos() {
    let mut states = std::collections::BTreeSet::new();
    for (golden, model) in goldens() {
        for section in golden.titles("update ") {
            let words: Vec<&str> = section.split(' ').collect();
            let mut m = model.clone();
            m.opt.cone = if words[2] == "elliptic" { Cone::Elliptic } else { Cone::Pyramidal };
            let mut d = engine::data_at(&m, &golden, words[1]).unwrap();
            d.forward(&m).unwrap();
            let mut hessians = vec![[7.0; 36]; d.contact.len()];
            let cost = constraint_update(&m, &mut d, golden.get(section, "jar"), Some(&mut hessians)).unwrap();

            let state: Vec<f64> = d.efc.state.iter().map(|s| f64::from(*s)).collect();
            states.extend(d.efc.state.iter().map(|s| (words[2] == "elliptic", *s)));
            assert_eq!(state, golden.get(section, "efc_state"), "{}", golden.label(section, "efc_state"));
            let close = |field: &str, got: &[f64]| {
                let want = golden.get(section, field);
                assert_close(&golden.label(section, field), got, want, Tol::FORWARD.scaled(want));
            };
            close("cost", &[cost]);
            close("efc_force", &d.efc.force);
            close("qfrc_constraint", &d.qfrc_constraint);
            if golden.get(section, "H").is_empty() {
                assert!(hessians.iter().flatten().all(|h| *h == 0.0), "no contact is on its cone");
            } else {
                close("H", hessians.as_flattened());
            }
        }
    }
    for cone in [false, true] {
        for state in 0..if cone { 5 } else { 4 } {
            assert!(states.contains(&(cone, state)), "no row in state {state}, elliptic {cone}");
        }
    }
}

/// At the residuals of an acceleration it gives the forces of inverse dynamics there; at those of the solution the solver's.
#[test]
fn constraint_update_agrees_with_inverse_and_forward_dynamics() {
    let (golden, m) = goldens().into_iter().find(|(golden, _)| golden.name == "integrate/contacts").unwrap();
    for state in &golden.states {
        let mut d = engine::data_at(&m, &golden, state).unwrap();
        d.inverse(&m).unwrap();
        let want = (d.efc.force.clone(), d.efc.state.clone(), d.qfrc_constraint.clone());
        let jar = d.efc.residual(&d.qacc);
        d.efc.force.fill(7.0);
        assert!(d.constraint_update(&m, &jar).unwrap() > 0.0);
        assert_close(state, &d.efc.force, &want.0, Tol::FORWARD);
        assert_close(state, &d.qfrc_constraint, &want.2, Tol::FORWARD);
        assert_eq!(d.efc.state, want.1);

        d.forward(&m).unwrap();
        let solved = d.qfrc_constraint.clone();
        let jar = d.efc.residual(&d.qacc);
        d.constraint_update(&m, &jar).unwrap();
        assert_close(state, &d.qfrc_constraint, &solved, Tol { abs: 1e-9, rel: 1e-9 });
    }
}

#[test]
fn constraint_update_refuses_what_does_not_fit() {
    let (golden, m) = goldens().into_iter().find(|(golden, _)| golden.name == "integrate/contacts").unwrap();
    let mut d = engine::data_at(&m, &golden, "near").unwrap();
    d.forward(&m).unwrap();
    let n = d.efc.nefc;
    let refused = d.constraint_update(&m, &vec![0.0; n + 1]);
    assert_eq!(refused, Err(StepError::WrongSize { array: "jar", got: n + 1, want: n }));
    let refused = constraint_update(&m, &mut d, &vec![0.0; n], Some(&mut []));
    assert_eq!(refused, Err(StepError::WrongSize { array: "hessians", got: 0, want: d.contact.len() }));
    assert!(d.efc.residual(&[]).is_empty());

    // without rows there is nothing to pay
    let mut empty = m.make_data();
    assert_eq!(empty.constraint_update(&m, &[]), Ok(0.0));
}
