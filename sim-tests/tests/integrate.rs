//! Integrators, inverse dynamics and derivatives against goldens and closed forms.

use sim_core::derivative::{InverseDerivatives, Transition, inverse_fd, transition_fd};
use sim_core::pipeline::{StageName, step};
use sim_core::{BadNumber, Data, Hooks, Kit, Model, Mujoco, StepError, Warning};
use sim_tests::tol::compare;
use sim_tests::{Golden, Tol, assert_close, engine, models_dir};
use sim_types::{DisableFlags, EnableFlags, Integrator};

const INTEGRATORS: [(&str, Integrator); 4] = [
    ("euler", Integrator::Euler),
    ("rk4", Integrator::Rk4),
    ("implicit", Integrator::Implicit),
    ("implicitfast", Integrator::ImplicitFast),
];

/// Differences of size 1e-6 magnify rounding of the step by a million.
const DIFFERENCES: Tol = Tol { abs: 2e-7, rel: 1e-6 };

fn goldens() -> Vec<(Golden, Model)> {
    let files = sim_tests::files(&models_dir().join("integrate"), "xml").unwrap();
    let name = |f: &std::path::PathBuf| format!("integrate/{}", f.file_stem().unwrap().to_str().unwrap());
    let all: Vec<_> = files.iter().map(name).map(|name| (Golden::load(&name).unwrap(), load(&name))).collect();
    assert!(all.len() >= 4);
    all
}

/// The solver goes as far as it can: what differs is the integrator.
fn load(name: &str) -> Model {
    let mut m = engine::load(name).unwrap();
    (m.opt.tolerance, m.opt.iterations) = (1e-14, 200);
    m
}

fn with(m: &Model, integrator: Integrator) -> Model {
    let mut m = m.clone();
    m.opt.integrator = integrator;
    m
}

fn differences(golden: &Golden, section: &str, m: &Model, d: &Data, tol: Tol) -> Vec<String> {
    let fields = golden.section(section);
    assert!(!fields.is_empty(), "{} has no [{section}]", golden.name);
    let error = |(field, want): (&String, &sim_tests::golden::Array)| {
        compare(&golden.label(section, field), &engine::read(m, d, field), &want.data, tol.scaled(&want.data)).err()
    };
    fields.iter().filter_map(error).collect()
}

#[test]
fn steps_of_every_integrator_are_mujocos() {
    let mut wrong = Vec::new();
    for (golden, model) in goldens() {
        for (name, integrator) in INTEGRATORS {
            let m = with(&model, integrator);
            for state in &golden.states {
                let mut d = engine::data_at(&m, &golden, state).unwrap();
                d.step(&m).unwrap();
                wrong.extend(differences(&golden, &format!("step {state} {name}"), &m, &d, Tol::FORWARD));
                for _ in 1..20 {
                    d.step(&m).unwrap();
                }
                wrong.extend(differences(&golden, &format!("later {state} {name}"), &m, &d, Tol::TRAJECTORY));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn inverse_dynamics_is_mujocos() {
    let mut wrong = Vec::new();
    for (golden, model) in goldens() {
        for state in &golden.states {
            let mut d = engine::data_at(&model, &golden, state).unwrap();
            d.inverse(&model).unwrap();
            wrong.extend(differences(&golden, &format!("inverse {state} euler"), &model, &d, Tol::FORWARD));
            for (name, integrator) in INTEGRATORS.into_iter().filter(|(_, i)| *i != Integrator::Rk4) {
                let mut m = with(&model, integrator);
                m.opt.enableflags |= EnableFlags::INVDISCRETE;
                let mut d = engine::data_at(&m, &golden, state).unwrap();
                let qacc = d.qacc.clone();
                d.inverse(&m).unwrap();
                wrong.extend(differences(&golden, &format!("discrete {state} {name}"), &m, &d, Tol::FORWARD));
                assert_eq!(d.qacc, qacc, "the acceleration is the caller's");
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// Inverse dynamics of the velocity change of a step gives back what was applied, for every integrator that allows it.
#[test]
fn discrete_inverse_undoes_a_step() {
    for (golden, model) in goldens() {
        for integrator in Integrator::ALL.iter().copied().filter(|i| *i != Integrator::Rk4) {
            let mut m = with(&model, integrator);
            m.opt.enableflags |= EnableFlags::INVDISCRETE;
            m.opt.disableflags |= DisableFlags::ACTUATION;
            for state in &golden.states {
                let mut d = engine::data_at(&m, &golden, state).unwrap();
                for (dof, force) in d.qfrc_applied.iter_mut().enumerate() {
                    *force = 0.1 * (dof as f64 - 3.0);
                }
                let (qpos, qvel) = (d.qpos.clone(), d.qvel.clone());
                d.step(&m).unwrap();
                let difference = |(new, old): (&f64, &f64)| (new - old) / m.opt.timestep;
                d.qacc = d.qvel.iter().zip(&qvel).map(difference).collect();
                (d.qpos, d.qvel) = (qpos, qvel);
                d.inverse(&m).unwrap();
                let label = format!("{} {state} {integrator:?}", golden.name);
                assert_close(&label, &d.qfrc_inverse, &d.qfrc_applied, Tol { abs: 1e-8, rel: 1e-8 });
            }
        }
        let mut m = with(&model, Integrator::Rk4);
        m.opt.enableflags |= EnableFlags::INVDISCRETE;
        assert!(matches!(m.make_data().inverse(&m), Err(StepError::Unsupported { .. })));
    }
}

/// The comparison that a step makes is small, changes nothing, and notices a wrong force.
#[test]
fn forward_and_inverse_agree() {
    let mut m = load("integrate/contacts");
    m.opt.enableflags |= EnableFlags::FWDINV;
    let plain = load("integrate/contacts");
    let (mut d, mut other) = (m.make_data(), plain.make_data());
    for _ in 0..50 {
        d.step(&m).unwrap();
        other.step(&plain).unwrap();
        assert!(d.efc.nefc > 0);
        assert!(d.solver_fwdinv[0] < 1e-9 && d.solver_fwdinv[1] < 1e-9, "{:?}", d.solver_fwdinv);
        assert_eq!((&d.qpos, &d.qvel, &d.efc.force), (&other.qpos, &other.qvel, &other.efc.force));
    }
    assert_eq!(other.solver_fwdinv, [0.0; 2]);
    d.forward(&m).unwrap();
    d.qacc[0] += 0.1;
    sim_core::inverse::compare(&m, &mut d, &mut Mujoco::default()).unwrap();
    assert!(d.solver_fwdinv[1] > 1e-3);
}

#[test]
fn derivatives_of_a_step_are_mujocos() {
    let mut wrong = Vec::new();
    // steps with delays have none
    for (golden, model) in goldens().into_iter().filter(|(_, m)| m.nhistory == 0) {
        for (name, integrator) in INTEGRATORS.into_iter().filter(|(_, i)| *i != Integrator::Rk4) {
            let m = with(&model, integrator);
            let section = format!("transition far {name}");
            for centered in [false, true] {
                let mut d = engine::data_at(&m, &golden, "far").unwrap();
                let before = d.clone();
                for (field, got) in matrices(&m, &mut d, centered) {
                    let field = format!("{field}{}", if centered { "_centered" } else { "" });
                    let want = golden.get(&section, &field);
                    wrong.extend(compare(&golden.label(&section, &field), &got, want, DIFFERENCES.scaled(want)).err());
                }
                assert_eq!((&d.qpos, &d.qvel, &d.act, d.time), (&before.qpos, &before.qvel, &before.act, before.time));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// The force of a motor by its control is its gain, also where the range allows a difference to one side only, and zero
/// where it allows none.
#[test]
fn sensors_by_control_have_the_sign_of_the_gain() {
    let xml = r#"<mujoco><worldbody><body><joint name="j" type="slide"/><geom size="0.1"/></body></worldbody>
        <actuator><general name="a" joint="j" gainprm="3" ctrllimited="true" ctrlrange="-1 1"/></actuator>
        <sensor><actuatorfrc actuator="a"/></sensor></mujoco>"#;
    let mut m = sim_mjcf::load_model(xml).unwrap();
    for centered in [false, true] {
        for control in [-1.0, 0.3, 1.0] {
            let mut d = m.make_data();
            d.ctrl[0] = control;
            let [_, _, _, (_, by_control)] = matrices(&m, &mut d, centered);
            assert_close(&format!("{control} {centered}"), &by_control, &[3.0], Tol { abs: 1e-8, rel: 0.0 });
        }
    }
    m.actuator_ctrlrange[0] = [0.0, 1e-9];
    let [_, _, _, (_, by_control)] = matrices(&m, &mut m.make_data(), true);
    assert_eq!(by_control, [0.0]);
}

fn matrices(m: &Model, d: &mut Data, centered: bool) -> [(&'static str, Vec<f64>); 4] {
    let (nx, nu, ns) = (2 * m.nv + m.na, m.nu, m.nsensordata);
    let (mut a, mut b, mut c, mut e) = (vec![0.0; nx * nx], vec![0.0; nx * nu], vec![0.0; ns * nx], vec![0.0; ns * nu]);
    let mut out = Transition { a: Some(&mut a), b: Some(&mut b), c: Some(&mut c), d: Some(&mut e) };
    transition_fd(m, d, &mut Mujoco::default(), 1e-6, centered, &mut out).unwrap();
    [("A", a), ("B", b), ("C", c), ("D", e)]
}

/// The derivative of inverse dynamics by acceleration is the inertia matrix where there are no constraints.
#[test]
fn inverse_dynamics_is_linear_in_acceleration() {
    let m = load("integrate/chain");
    let mut d = m.make_data();
    d.qvel = (0..m.nv).map(|i| 0.1 * i as f64).collect();
    d.forward(&m).unwrap();
    let inertia = engine::read(&m, &d, "M");
    let bias_slope = |d: &mut Data, eps: f64| {
        let mut by_vel = vec![0.0; m.nv * m.nv];
        let mut by_acc = vec![0.0; m.nv * m.nv];
        let mut out = InverseDerivatives {
            force_by_vel: Some(&mut by_vel),
            force_by_acc: Some(&mut by_acc),
            ..Default::default()
        };
        inverse_fd(&m, d, &mut Mujoco::default(), eps, true, &mut out).unwrap();
        (by_vel, by_acc)
    };
    let (by_vel, by_acc) = bias_slope(&mut d, 1e-6);
    assert_close("force by acceleration", &by_acc, &inertia, Tol { abs: 1e-7, rel: 1e-6 });

    // by velocity it is minus the derivative of the smooth force, transposed
    sim_core::derivative::smooth_vel(&m, &mut d, &Mujoco::default(), true);
    for dof in 0..m.nv {
        for k in m.d_row(dof) {
            let (got, want) = (by_vel[m.D_colind[k] as usize * m.nv + dof], -d.qDeriv[k]);
            assert!((got - want).abs() < 1e-5, "{dof} {k}: {got} {want}");
        }
    }
}

/// Halving the step makes the error of RK4 sixteen times smaller, that of Euler two times.
#[test]
fn runge_kutta_is_of_fourth_order() {
    let run = |integrator, h: f64| {
        let (m, mut d) = pendulum(h);
        let m = with(&m, integrator);
        for _ in 0..(1.0 / h).round() as usize {
            d.step(&m).unwrap();
        }
        d.qpos[0]
    };
    let exact = run(Integrator::Rk4, 0.001);
    let ratio = |integrator, h| (run(integrator, h) - exact).abs() / (run(integrator, h / 2.0) - exact).abs();
    let (euler, rk4) = (ratio(Integrator::Euler, 0.01), ratio(Integrator::Rk4, 0.01));
    assert!((2.0..4.0).contains(&euler), "{euler}");
    assert!((15.5..16.5).contains(&rk4), "{rk4}");
}

/// One stiff spring: `v⁺ = (m·v − h·k·x) / (m + h·c + h²·k)`, stable at any step.
#[test]
fn implicit_spring_damper_is_implicit_in_both() {
    let xml = r#"<mujoco><option timestep="0.1" gravity="0 0 0" integrator="implicitspringdamper"/>
        <worldbody><body><joint type="slide" stiffness="5000" damping="3"/><geom size="0.1" mass="2"/></body></worldbody>
        </mujoco>"#;
    let m = sim_mjcf::load_model(xml).unwrap();
    assert_eq!(m.opt.integrator, Integrator::ImplicitSpringDamper);
    let mut d = m.make_data();
    (d.qpos[0], d.qvel[0]) = (0.3, -0.5);
    let (mut x, mut v) = (0.3, -0.5);
    for _ in 0..50 {
        d.step(&m).unwrap();
        v = (2.0 * v - 0.1 * 5000.0 * x) / (2.0 + 0.1 * 3.0 + 0.01 * 5000.0);
        x += 0.1 * v;
        assert!((d.qpos[0] - x).abs() < 1e-12 && (d.qvel[0] - v).abs() < 1e-12);
    }
    assert!(x.abs() < 1e-3);
}

/// A matrix that cannot be factored is a reset, or an error where resets are off; never a bad state.
#[test]
fn a_singular_implicit_step_is_noticed() {
    let xml = r#"<mujoco><option timestep="0.01" gravity="0 0 0" integrator="implicit"/>
        <worldbody><body><joint name="j" type="slide"/><geom size="0.1" mass="1"/></body></worldbody>
        <actuator><general joint="j" biastype="affine" biasprm="0 0 100"/></actuator></mujoco>"#;
    let mut m = sim_mjcf::load_model(xml).unwrap();
    let mut d = m.make_data();
    d.qvel[0] = 1.0;
    // M − h·slope is 1 − 0.01·100: reset, and at rest it is as singular as before
    assert!(matches!(d.step(&m), Err(StepError::Unsolvable { .. })));
    m.opt.disableflags |= DisableFlags::AUTORESET;
    d.qvel[0] = 1.0;
    assert!(matches!(d.step(&m), Err(StepError::Unsolvable { .. })));
    assert!(d.qpos[0].is_finite() && d.qvel[0].is_finite());
}

/// What is singular because of a control is not after the reset, which says at which dof it was.
#[test]
fn a_reset_names_the_dof_of_a_singular_implicit_step() {
    let xml = r#"<mujoco><option timestep="0.01" gravity="0 0 0" integrator="implicit"/>
        <worldbody><body><joint type="slide"/><geom size="0.1" mass="1"/></body>
        <body><joint name="j" type="slide"/><geom size="0.1" mass="1" contype="0"/></body></worldbody>
        <actuator><general joint="j" gaintype="affine" gainprm="0 0 100"/></actuator></mujoco>"#;
    let m = sim_mjcf::load_model(xml).unwrap();
    let mut d = m.make_data();
    (d.qvel[1], d.ctrl[0]) = (1.0, 1.0);
    d.step(&m).unwrap();
    assert_eq!(d.restart, Some(BadNumber { what: "qacc", index: 1 }));
    assert_eq!(d.warning.get(Warning::BadQacc).lastinfo, 1);
    d.step(&m).unwrap();
    assert_eq!(d.restart, None);
}

#[test]
fn derivatives_refuse_what_they_cannot_do() {
    let m = with(&load("integrate/chain"), Integrator::Rk4);
    let mut d = m.make_data();
    let refused = transition_fd(&m, &mut d, &mut Mujoco::default(), 1e-6, false, &mut Transition::default());
    assert!(matches!(refused, Err(StepError::Unsupported { .. })));
    let m = with(&m, Integrator::Euler);
    let mut short = [0.0; 3];
    let mut out = Transition { a: Some(&mut short), ..Transition::default() };
    let refused = transition_fd(&m, &mut d, &mut Mujoco::default(), 1e-6, false, &mut out);
    assert_eq!(refused, Err(StepError::WrongSize { array: "A", got: 3, want: (2 * m.nv) * (2 * m.nv) }));
    (d.qvel[0], d.qfrc_applied[0]) = (1e9, 3.0);
    let refused = transition_fd(
        &m,
        &mut d,
        &mut Mujoco::default(),
        1e10,
        false,
        &mut Transition { a: Some(&mut vec![0.0; 4 * m.nv * m.nv]), ..Transition::default() },
    );
    assert!(matches!(refused, Err(StepError::BadState { .. })));
    assert_eq!((d.qvel[0], d.qfrc_applied[0], d.warning.any()), (1e9, 3.0, false));
}

const PENDULUM: &str = r#"<mujoco><option integrator="RK4"><flag energy="enable"/></option>
    <worldbody><body><joint name="j" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.5"/></body></worldbody>
    <sensor><jointpos joint="j"/></sensor></mujoco>"#;

fn pendulum(timestep: f64) -> (Model, Data) {
    let mut m = sim_mjcf::load_model(PENDULUM).unwrap();
    m.opt.timestep = timestep;
    let mut d = m.make_data();
    d.qpos[0] = 1.0;
    d.forward(&m).unwrap();
    (m, d)
}

/// Energy of an undamped pendulum after a second, relative to what it had at its highest.
#[test]
fn runge_kutta_keeps_energy() {
    let drift = |h: f64| {
        let (m, mut d) = pendulum(h);
        let start = d.energy[0] + d.energy[1];
        let mut low = start;
        for _ in 0..(1.0 / h).round() as usize {
            d.step(&m).unwrap();
            low = low.min(d.energy[0]);
        }
        d.forward(&m).unwrap();
        ((d.energy[0] + d.energy[1] - start) / (start - low)).abs()
    };
    assert!(drift(0.001) < 1e-10, "{}", drift(0.001));
    // of fifth order; with steps below 0.005 s rounding takes over, in MuJoCo too
    let ratio = drift(0.02) / drift(0.01);
    assert!((32.0..64.0).contains(&ratio), "{ratio}");
}

/// Four evaluations of the dynamics instead of one, and about four times the time.
#[test]
fn runge_kutta_costs_four_times_euler() {
    #[derive(Default)]
    struct Count(std::cell::Cell<usize>);
    impl Hooks for Count {
        fn stage(&self, stage: StageName) {
            self.0.set(self.0.get() + usize::from(stage == StageName::Kinematics));
        }
    }
    let euler = load("deep_chain");
    let rk4 = with(&euler, Integrator::Rk4);
    let mut parts: Kit<Count> = Kit::default();
    let mut best = [std::time::Duration::MAX; 2];
    for turn in 0..20 {
        let m = if turn % 2 == 0 { &euler } else { &rk4 };
        let mut d = m.make_data();
        d.qvel.fill(0.1);
        parts.hooks.0.set(0);
        let start = std::time::Instant::now();
        for _ in 0..50 {
            step(m, &mut d, &mut parts).unwrap();
        }
        best[turn % 2] = best[turn % 2].min(start.elapsed());
        assert_eq!(parts.hooks.0.get(), if turn % 2 == 0 { 50 } else { 200 });
    }
    let ratio = best[1].as_secs_f64() / best[0].as_secs_f64();
    assert!((2.0..8.0).contains(&ratio), "{ratio}");
}

/// Every name of an integrator is read.
#[test]
fn integrators_have_names() {
    for (name, want) in INTEGRATORS.into_iter().chain([("implicitspringdamper", Integrator::ImplicitSpringDamper)]) {
        let name = if want == Integrator::Rk4 {
            "RK4"
        } else if want == Integrator::Euler {
            "Euler"
        } else {
            name
        };
        let m = sim_mjcf::load_model(&format!("<mujoco><option integrator='{name}'/></mujoco>")).unwrap();
        assert_eq!(m.opt.integrator, want);
    }
    assert!(sim_mjcf::load_model("<mujoco><option integrator='leapfrog'/></mujoco>").is_err());
}

/// From a moderate angle ten tiny steps of RK4 and Euler end within 1e-8 of each other, and do differ.
#[test]
fn runge_kutta_and_euler_meet_at_tiny_steps() {
    let (m, mut d) = pendulum(1e-5);
    d.qpos[0] = 0.3;
    let mut other = d.clone();
    for _ in 0..10 {
        d.step(&m).unwrap();
        other.step(&with(&m, Integrator::Euler)).unwrap();
    }
    let gap = (d.qpos[0] - other.qpos[0]).abs();
    assert!(gap > 0.0 && gap < 1e-8, "{gap}");
}

/// With a tiny step all methods agree; sensors show the state before the step, poses the state after it.
#[test]
fn runge_kutta_next_to_euler() {
    let (m, mut d) = pendulum(1e-5);
    let euler = with(&m, Integrator::Euler);
    let mut other = d.clone();
    for _ in 0..10 {
        let before = d.qpos[0];
        d.step(&m).unwrap();
        other.step(&euler).unwrap();
        assert_eq!(d.sensordata[0], before);
    }
    // Euler is ahead by half a step of the last velocity
    let ahead = 10.0 * 0.5 * d.qacc[0] * 1e-10;
    assert!((other.qpos[0] - d.qpos[0] - ahead).abs() < 1e-3 * ahead.abs(), "{} {}", other.qpos[0], d.qpos[0]);
}

/// A ball falls on the ground and stays there; its energy never grows beyond rounding.
#[test]
fn runge_kutta_lands() {
    let xml = r#"<mujoco><option integrator="RK4"><flag energy="enable"/></option><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.4"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#;
    let m = sim_mjcf::load_model(xml).unwrap();
    let mut d = m.make_data();
    d.forward(&m).unwrap();
    let most = (d.energy[0] + d.energy[1]) * (1.0 + 1e-9);
    for _ in 0..1000 {
        d.step(&m).unwrap();
        assert!(d.qpos[2] > 0.08 && d.qpos[2] < 0.401, "{}", d.qpos[2]);
        let mut now = d.clone();
        now.forward(&m).unwrap();
        assert!(now.energy[0] + now.energy[1] <= most, "{:?}", now.energy);
    }
    assert!((d.qpos[2] - 0.1).abs() < 2e-3 && d.ncon() == 1, "{}", d.qpos[2]);
}

/// A body that spins freely about an axis that is not principal, against a much smaller step.
#[test]
fn runge_kutta_turns_bodies() {
    let xml = r#"<mujoco><option integrator="RK4" timestep="0.01" gravity="0 0 0"/><worldbody>
        <body><freejoint/><geom type="box" size="0.1 0.2 0.4"/></body></worldbody></mujoco>"#;
    let m = sim_mjcf::load_model(xml).unwrap();
    let spin = |m: &Model, steps: usize| {
        let mut d = m.make_data();
        d.qvel[3..6].copy_from_slice(&[0.3, 1.0, 0.2]);
        for _ in 0..steps {
            d.step(m).unwrap();
            let norm = d.qpos[3..7].iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((norm - 1.0).abs() < 1e-10);
        }
        d.qpos[3..7].to_vec()
    };
    let mut fine = m.clone();
    fine.opt.timestep = 0.001;
    assert_close("orientation", &spin(&m, 100), &spin(&fine, 1000), Tol { abs: 1e-6, rel: 0.0 });
}
