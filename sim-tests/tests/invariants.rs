//! Algorithms against each other: laws of mechanics that need no reference numbers, and the drift that MuJoCo has too.

use nalgebra::{DMatrix, DVector, Matrix3};
use sim_core::integrate::integrate_pos;
use sim_core::{Data, Model, jacobian, smooth};
use sim_tests::fd::central;
use sim_tests::{Golden, Tol, assert_close, engine, mujoco_model};

/// Models that move, at a state away from the reference, after a forward pass.
fn at(state: &str) -> Vec<(Golden, Model, Data)> {
    let mut all = Vec::new();
    for golden in Golden::moving().unwrap() {
        let m = mujoco_model(&golden).unwrap();
        let mut d = engine::data_at(&m, &golden, state).unwrap();
        d.forward(&m).unwrap();
        if m.nv > 0 {
            all.push((golden, m, d));
        }
    }
    all
}

fn dense_m(m: &Model, d: &Data) -> DMatrix<f64> {
    DMatrix::from_row_slice(m.nv, m.nv, &engine::read(m, d, "M"))
}

/// Jacobians of a body's centre of mass: position, rotation.
fn jacobians(m: &Model, d: &Data, body: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let (mut jacp, mut jacr) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
    jacobian::jac_body_com(m, d, &mut jacp, &mut jacr, body);
    (DMatrix::from_row_slice(3, m.nv, &jacp), DMatrix::from_row_slice(3, m.nv, &jacr))
}

/// Data at a configuration that differs in one dof.
fn moved(m: &Model, d: &Data, dof: usize, h: f64) -> Data {
    let mut near = d.clone();
    let mut direction = vec![0.0; m.nv];
    direction[dof] = 1.0;
    integrate_pos(m, &mut near.qpos, &direction, h);
    near
}

#[test]
fn inertia_times_acceleration_plus_bias_is_newton_euler() {
    for (golden, m, mut d) in at("thrown") {
        // inertia along tendons is no body's
        if m.tendon_armature.iter().any(|x| *x != 0.0) {
            continue;
        }
        let mut want = vec![0.0; m.nv];
        let qacc = d.qacc.clone();
        smooth::rne_with_acceleration(&m, &mut d, &qacc, &mut want);
        for dof in 0..m.nv {
            want[dof] += m.dof_armature[dof] * qacc[dof]; // a rotor's inertia belongs to M only
        }
        let mut got = vec![0.0; m.nv];
        smooth::mul_m(&m, &d, &qacc, &mut got);
        got.iter_mut().zip(&d.qfrc_bias).for_each(|(x, bias)| *x += bias);
        assert_close(&golden.label("thrown", "M·qacc + bias"), &got, &want, Tol::FORWARD.scaled(&want));
    }
}

#[test]
fn all_forces_balance() {
    for (golden, m, d) in at("thrown") {
        let mut want: Vec<f64> =
            (0..m.nv).map(|i| d.qfrc_passive[i] + d.qfrc_applied[i] + d.qfrc_actuator[i]).collect();
        for body in 1..m.nbody {
            let (jacp, jacr) = jacobians(&m, &d, body);
            let x = d.xfrc_applied[body];
            let pull = jacp.transpose() * DVector::from_row_slice(&x[..3]);
            let twist = jacr.transpose() * DVector::from_row_slice(&x[3..]);
            want.iter_mut().zip((pull + twist).iter()).for_each(|(w, f)| *w += f);
        }
        let got = dense_m(&m, &d) * DVector::from_column_slice(&d.qacc) + DVector::from_column_slice(&d.qfrc_bias);
        assert_close(&golden.label("thrown", "forces"), got.as_slice(), &want, Tol::FORWARD.scaled(got.as_slice()));
    }
}

#[test]
fn inertia_is_the_sum_over_bodies() {
    for (golden, m, d) in at("moved") {
        let mut want = DMatrix::from_diagonal(&DVector::from_column_slice(&m.dof_armature));
        for body in 1..m.nbody {
            let (jacp, jacr) = jacobians(&m, &d, body);
            let inertia = d.ximat[body] * Matrix3::from_diagonal(&m.body_inertia[body]) * d.ximat[body].transpose();
            want += m.body_mass[body] * jacp.transpose() * jacp + jacr.transpose() * inertia * jacr;
        }
        for tendon in 0..m.ntendon {
            let row =
                d.array(&m, "ten_J").map(|j| DVector::from_column_slice(&j.data[tendon * m.nv..][..m.nv])).unwrap();
            want += m.tendon_armature[tendon] * &row * row.transpose();
        }
        let got = dense_m(&m, &d);
        assert_close(
            &golden.label("moved", "M"),
            got.as_slice(),
            want.as_slice(),
            Tol::FORWARD.scaled(want.as_slice()),
        );
    }
}

#[test]
fn jacobians_are_derivatives_of_poses() {
    for (golden, m, d) in at("moved") {
        let poses = central(m.nv, 1e-6, |dof, h| {
            let mut near = moved(&m, &d, dof, h);
            smooth::kinematics(&m, &mut near);
            let points = near.xpos.iter().chain(&near.xipos).chain(&near.geom_xpos).chain(&near.site_xpos);
            points.flat_map(|p| [p.x, p.y, p.z]).collect()
        });
        let (mut got, mut row) = (Vec::new(), vec![0.0; 3 * m.nv]);
        for body in 0..m.nbody {
            jacobian::jac_body(&m, &d, &mut row, &mut [], body);
            got.extend_from_slice(&row);
        }
        for body in 0..m.nbody {
            jacobian::jac_body_com(&m, &d, &mut row, &mut [], body);
            got.extend_from_slice(&row);
        }
        for geom in 0..m.ngeom {
            jacobian::jac_geom(&m, &d, &mut row, &mut [], geom);
            got.extend_from_slice(&row);
        }
        for site in 0..m.nsite {
            jacobian::jac_site(&m, &d, &mut row, &mut [], site);
            got.extend_from_slice(&row);
        }
        assert_close(&golden.label("moved", "jacp"), &got, &poses, Tol::DIFFERENCE.scaled(&poses));
    }
}

#[test]
fn rotation_jacobians_are_derivatives_of_orientations() {
    for (golden, m, d) in at("moved") {
        // angular velocity is the axial vector of dR·Rᵀ
        let want = central(m.nv, 1e-6, |dof, h| {
            let mut near = moved(&m, &d, dof, h);
            smooth::kinematics(&m, &mut near);
            let turned = near.xmat.iter().zip(&d.xmat).map(|(r, r0)| r * r0.transpose());
            turned
                .flat_map(|w| [w[(2, 1)] - w[(1, 2)], w[(0, 2)] - w[(2, 0)], w[(1, 0)] - w[(0, 1)]])
                .map(|x| x / 2.0)
                .collect()
        });
        let (mut got, mut row) = (Vec::new(), vec![0.0; 3 * m.nv]);
        for body in 0..m.nbody {
            jacobian::jac_body(&m, &d, &mut [], &mut row, body);
            got.extend_from_slice(&row);
        }
        assert_close(&golden.label("moved", "jacr"), &got, &want, Tol::DIFFERENCE.scaled(&want));
    }
}

/// At rest the bias is the slope of the gravity potential; springs are minus the slope of theirs.
#[test]
fn forces_at_rest_are_the_slope_of_the_potential() {
    for (golden, m, mut d) in at("moved") {
        d.qvel.fill(0.0);
        d.forward(&m).unwrap();
        let want = central(m.nv, 1e-6, |dof, h| {
            let mut near = moved(&m, &d, dof, h);
            near.forward(&m).unwrap();
            vec![near.energy[0]]
        });
        let got: Vec<f64> = (0..m.nv).map(|i| d.qfrc_bias[i] - d.qfrc_spring[i]).collect();
        let tol = Tol::DIFFERENCE.scaled(&[d.energy[0]]).scaled(&want);
        assert_close(&golden.label("moved", "potential"), &got, &want, tol);
    }
}

#[test]
fn kinetic_energy_and_momentum_agree_with_the_inertia() {
    for (golden, m, d) in at("thrown") {
        let v = DVector::from_column_slice(&d.qvel);
        let want = 0.5 * (v.transpose() * dense_m(&m, &d) * &v)[0];
        assert_close(&golden.label("thrown", "energy"), &d.energy[1..], &[want], Tol::FORWARD);

        let mut d = d.clone();
        smooth::subtree_vel(&m, &mut d);
        let momentum: DVector<f64> = (1..m.nbody).map(|b| m.body_mass[b] * jacobians(&m, &d, b).0 * &v).sum();
        let got = d.subtree_linvel[0] * m.body_subtreemass[0];
        assert_close(&golden.label("thrown", "momentum"), got.as_slice(), momentum.as_slice(), Tol::FORWARD);
    }
}

/// The rate of kinetic energy is the power of all forces but gravity's: velocity terms of the bias do no work.
#[test]
fn coriolis_forces_do_no_work() {
    for (golden, m, d) in at("moved") {
        let kinetic = |t: f64| {
            let mut near = d.clone();
            let mean: Vec<f64> = (0..m.nv).map(|i| d.qvel[i] + 0.5 * t * d.qacc[i]).collect();
            integrate_pos(&m, &mut near.qpos, &mean, t);
            (0..m.nv).for_each(|i| near.qvel[i] += t * d.qacc[i]);
            near.forward(&m).unwrap();
            near.energy[1]
        };
        let rate = (kinetic(1e-5) - kinetic(-1e-5)) / 2e-5;

        let mut rest = d.clone();
        rest.qvel.fill(0.0);
        rest.forward(&m).unwrap();
        let power: f64 = (0..m.nv).map(|i| d.qvel[i] * (d.qfrc_smooth[i] + d.qfrc_bias[i] - rest.qfrc_bias[i])).sum();
        let scale = [d.energy[1], rate, d.qacc.iter().map(|a| a.abs()).fold(0.0, f64::max)];
        assert_close(&golden.label("moved", "power"), &[power], &[rate], Tol { abs: 1e-6, rel: 1e-6 }.scaled(&scale));
    }
}

/// Energy, velocity and angular momentum of two undamped systems drift as MuJoCo's do, over a thousand steps.
#[test]
fn conserved_quantities_drift_as_mujocos() {
    for name in ["chain5", "spinning_body"] {
        let golden = Golden::load(name).unwrap();
        let m = mujoco_model(&golden).unwrap();
        let mut d = engine::data_at(&m, &golden, "start").unwrap();
        let (mut energy, mut linvel, mut angmom) = (Vec::new(), Vec::new(), Vec::new());
        for step in 0..=1000 {
            if step % 100 == 0 {
                let mut probe = d.clone();
                probe.forward(&m).unwrap();
                smooth::subtree_vel(&m, &mut probe);
                energy.extend_from_slice(&probe.energy);
                linvel.extend_from_slice(probe.subtree_linvel[0].as_slice());
                angmom.extend_from_slice(probe.subtree_angmom[0].as_slice());
            }
            d.step(&m).unwrap();
        }
        let same = Tol { abs: 1e-11, rel: 1e-9 };
        for (field, got) in [("energy", &energy), ("subtree_linvel", &linvel), ("subtree_angmom", &angmom)] {
            assert_close(&golden.label("drift", field), got, golden.get("drift", field), same);
        }

        // the drift itself, a small difference of large numbers
        let drift = |e: &[f64]| -> Vec<f64> { e.chunks(2).map(|pair| pair[0] + pair[1] - e[0] - e[1]).collect() };
        let (got, want) = (drift(&energy), drift(golden.get("drift", "energy")));
        let scale = 1e-9 * (energy[0].abs() + energy[1].abs());
        assert_close(&golden.label("drift", "total energy"), &got, &want, Tol { abs: scale, rel: 1e-9 });
        assert!(want.iter().all(|x| x.abs() < 0.05 * (energy[0].abs() + energy[1].abs())), "{want:?}");
    }
}

/// Nothing but gravity acts on the thrown body: its angular momentum about the centre of mass hardly changes.
#[test]
fn a_free_body_keeps_its_angular_momentum() {
    let golden = Golden::load("spinning_body").unwrap();
    let m = mujoco_model(&golden).unwrap();
    let mut d = m.make_data();
    let momentum = |d: &mut Data| {
        d.forward(&m).unwrap();
        smooth::subtree_vel(&m, d);
        d.subtree_angmom[0]
    };
    d.reset_to_keyframe(&m, 1).unwrap();
    let before = momentum(&mut d);
    for _ in 0..1000 {
        d.step(&m).unwrap();
    }
    let after = momentum(&mut d);
    assert!((after - before).norm() < 0.01 * before.norm(), "{before} became {after}");
}
