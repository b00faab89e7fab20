//! Analytic derivatives of a step against central differences of the real step.

use std::time::{Duration, Instant};

use sim_core::derivative::{AnalyticWork, Transition, transition_analytic, transition_fd};
use sim_core::integrate::{differentiate_pos, integrate_pos};
use sim_core::{Data, Model, Mujoco, StepError};
use sim_tests::tol::compare;
use sim_tests::{Golden, Rng, Tol, engine};
use sim_types::{Cone, DisableFlags, Integrator, Solver};

const INTEGRATORS: [Integrator; 4] =
    [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast, Integrator::ImplicitSpringDamper];

/// Half of the digits of a step, of which stiff contacts take some.
const TOL: Tol = Tol { abs: 1e-5, rel: 1e-5 };

/// Slopes to both sides differ by the curvature too.
const KINK: Tol = Tol { abs: 1e-3, rel: 1e-3 };

const EPS: f64 = 1e-6;

/// A with C below it, B with D below it: one row per number of the next state and of the sensors.
struct Matrices {
    by_state: Vec<f64>,
    by_control: Vec<f64>,
}

fn analytic(m: &Model, d: &mut Data, sensors: bool) -> Matrices {
    let (nx, nu, ns) = (2 * m.nv + m.na, m.nu, m.nsensordata);
    let (mut by_state, mut by_control) = (vec![0.0; (nx + ns) * nx], vec![0.0; (nx + ns) * nu]);
    let ((a, c), (b, e)) = (by_state.split_at_mut(nx * nx), by_control.split_at_mut(nx * nu));
    let mut out = Transition { a: Some(a), b: Some(b), c: sensors.then_some(c), d: sensors.then_some(e) };
    transition_analytic(m, d, &mut Mujoco::default(), &mut AnalyticWork::default(), &mut out).unwrap();
    Matrices { by_state, by_control }
}

/// Central difference of the real step by one input, next state then sensors; none where the step has no derivative: the
/// active set changes, a contact jumps, or the slopes to both sides differ.
fn difference(m: &Model, d: &Data, nudge: &dyn Fn(&mut Data, f64)) -> Option<Vec<f64>> {
    let mut at = d.clone();
    at.step(m).unwrap();
    let step = |by: f64| {
        let mut d = d.clone();
        nudge(&mut d, by);
        d.step(m).unwrap();
        (d.efc.state == at.efc.state && d.ncon() == at.ncon()).then_some(d)
    };
    let slope = |plus: &Data, minus: &Data, by: f64| {
        let mut out = vec![0.0; m.nv];
        differentiate_pos(m, &mut out, by, &minus.qpos, &plus.qpos);
        for (plus, minus) in [(&plus.qvel, &minus.qvel), (&plus.act, &minus.act), (&plus.sensordata, &minus.sensordata)]
        {
            out.extend(plus.iter().zip(minus).map(|(a, b)| (a - b) / by));
        }
        out
    };
    let (plus, minus) = (step(EPS)?, step(-EPS)?);
    let out = slope(&plus, &minus, 2.0 * EPS);
    let same = |a: &[f64], b: &[f64], tol: Tol| compare("", a, b, tol.scaled(b)).is_ok();
    let half = slope(&step(EPS / 2.0)?, &step(-EPS / 2.0)?, EPS);
    let smooth = same(&half, &out, TOL) && same(&slope(&plus, &at, EPS), &slope(&at, &minus, EPS), KINK);
    smooth.then_some(out)
}

/// Columns that were compared, columns that have no derivative, and what differs.
#[derive(Default)]
struct Report {
    compared: usize,
    skipped: usize,
    wrong: Vec<String>,
}

impl Report {
    fn column(&mut self, label: &str, (got, width, at): (&[f64], usize, usize), want: Option<Vec<f64>>, rows: usize) {
        let Some(want) = want else {
            self.skipped += 1;
            return;
        };
        self.compared += 1;
        let got: Vec<f64> = got.iter().skip(at).step_by(width).take(rows).copied().collect();
        let want = &want[..rows];
        self.wrong.extend(compare(label, &got, want, TOL.scaled(want)).err());
    }

    /// All columns at a state, with sensors and without: some are found in different ways.
    fn state(&mut self, label: &str, m: &Model, d: &mut Data) {
        let (nx, nv) = (2 * m.nv + m.na, m.nv);
        let before = d.clone();
        let all = analytic(m, d, true);
        let state = analytic(m, d, false);
        assert_eq!((&d.qpos, &d.qvel, &d.act, &d.ctrl), (&before.qpos, &before.qvel, &before.act, &before.ctrl));
        let mut direction = vec![0.0; nv];
        for i in 0..nx {
            let label = format!("{label}, state {i}");
            let want = if i < nv {
                direction.fill(0.0);
                direction[i] = 1.0;
                difference(m, &before, &|d, by| integrate_pos(m, &mut d.qpos, &direction, by))
            } else if i < 2 * nv {
                difference(m, &before, &|d, by| d.qvel[i - nv] += by)
            } else {
                difference(m, &before, &|d, by| d.act[i - 2 * nv] += by)
            };
            self.column(&format!("{label} alone"), (&state.by_state, nx, i), want.clone(), nx);
            self.column(&label, (&all.by_state, nx, i), want, nx + m.nsensordata);
        }
        // at the end of its range a control moves to one side only
        let inside = |i: &usize| {
            let ([low, high], u) = (m.actuator_ctrlrange[*i], before.ctrl[*i]);
            !m.actuator_ctrllimited[*i] || (u - low > EPS && high - u > EPS)
        };
        for i in (0..m.nu).filter(inside) {
            let want = difference(m, &before, &|d, by| d.ctrl[i] += by);
            self.column(&format!("{label}, control {i}"), (&all.by_control, m.nu, i), want, nx + m.nsensordata);
        }
    }

    fn model(&mut self, name: &str, sensors: bool) {
        let golden = Golden::load(name).unwrap();
        let mut model = engine::load(name).unwrap();
        if !sensors {
            model.opt.disableflags |= DisableFlags::SENSOR;
        }
        for integrator in INTEGRATORS {
            for cone in [Cone::Pyramidal, Cone::Elliptic] {
                let mut m = model.clone();
                (m.opt.integrator, m.opt.cone) = (integrator, cone);
                (m.opt.tolerance, m.opt.iterations, m.opt.ls_tolerance) = (1e-15, 300, 1e-6);
                for state in &golden.states {
                    let mut d = engine::data_at(&m, &golden, state).unwrap();
                    self.state(&format!("{name} {state} {integrator:?} {cone:?}"), &m, &mut d);
                }
            }
        }
    }

    /// Nothing is wrong, and at most one column in so many was not compared.
    fn check(&self, one_in: usize) {
        assert!(self.wrong.is_empty(), "{} columns differ:\n{}", self.wrong.len(), self.wrong.join("\n"));
        assert!(self.compared > one_in * self.skipped, "{} compared, {} skipped", self.compared, self.skipped);
    }
}

/// Hinges, slides, balls, free bodies, tendons, muscles, filters, a medium; sensors of all stages.
#[test]
fn smooth_steps_have_the_derivatives_of_differences() {
    let mut report = Report::default();
    for name in ["integrate/chain", "integrate/actuators", "integrate/fluid", "ball_chain", "tendons", "muscles"] {
        report.model(name, true);
    }
    report.check(50);
}

/// Equalities, limits, dry friction, contacts of all dimensions, and the sensors of their forces.
#[test]
fn constrained_steps_have_the_derivatives_of_differences() {
    let mut report = Report::default();
    for name in [
        "integrate/contacts",
        "constraint/equality",
        "constraint/friction_limit",
        "constraint/passed_by",
        "constraint/tree",
        "contact/params",
        "contact/sensors",
    ] {
        report.model(name, true);
    }
    // the solver leaves too few digits in the force of its stiffest contact for differences of sensors
    report.model("constraint/contact", false);
    report.check(25);
}

/// Shapes that just touch, at poses with symmetries: contacts jump from feature to feature, and many slopes differ from side
/// to side. Elsewhere the derivative is that of differences.
#[test]
fn touching_shapes_have_the_derivatives_of_differences() {
    let mut report = Report::default();
    for name in ["contact/touching", "contact/shapes"] {
        report.model(name, true);
    }
    report.check(7);
}

/// The derivative is that of the problem, not of the solver.
#[test]
fn conjugate_gradients_lead_to_the_same_derivatives() {
    let (golden, mut m) = (Golden::load("integrate/contacts").unwrap(), engine::load("integrate/contacts").unwrap());
    (m.opt.tolerance, m.opt.iterations) = (1e-15, 20_000);
    let at = |solver| {
        let mut m = m.clone();
        m.opt.solver = solver;
        let mut d = engine::data_at(&m, &golden, "near").unwrap();
        let out = analytic(&m, &mut d, false);
        assert!(d.efc.nefc > 0);
        out.by_state
    };
    let newton = at(Solver::Newton);
    let wrong = compare("A", &at(Solver::Cg), &newton, TOL.scaled(&newton)).err();
    assert_eq!(wrong, None);
}

/// A control at the end of its range moves inwards; one beyond it does not count.
#[test]
fn controls_stay_in_their_range() {
    let xml = r#"<mujoco><worldbody><body><joint name="j" type="slide"/><geom size="0.1" mass="2"/></body></worldbody>
        <actuator><motor joint="j" ctrlrange="-1 1" gear="3"/></actuator></mujoco>"#;
    let m = sim_mjcf::load_model(xml).unwrap();
    let mut d = m.make_data();
    for (ctrl, slope) in [(0.2, 1.5), (1.0, 1.5), (-1.0, 1.5), (1.5, 0.0)] {
        d.ctrl[0] = ctrl;
        let h = m.opt.timestep;
        let got = analytic(&m, &mut d, false).by_control;
        assert!((got[0] - h * h * slope).abs() < 1e-12 && (got[1] - h * slope).abs() < 1e-10, "{ctrl}: {got:?}");
    }
}

/// Any state gives finite numbers or an error, at the edge of contact too.
#[test]
fn derivatives_are_never_nan() {
    let mut finite = 0;
    for name in ["integrate/contacts", "constraint/contact", "contact/shapes", "humanoid", "muscles"] {
        let m = engine::load(name).unwrap();
        for (number, size) in [0.0, 1e-3, 1.0, 1e3, 1e8, 1e300, f64::NAN].into_iter().enumerate() {
            let rng = &mut Rng::new(number as u64);
            let mut d = m.make_data();
            for numbers in [&mut d.qpos, &mut d.qvel, &mut d.act, &mut d.ctrl] {
                for x in numbers.iter_mut() {
                    *x += size * rng.signed();
                }
            }
            let before = d.clone();
            let (nx, mut work) = (2 * m.nv + m.na, AnalyticWork::default());
            let (mut a, mut c) = (vec![0.0; nx * nx], vec![0.0; m.nsensordata * nx]);
            let mut out = Transition { a: Some(&mut a), c: Some(&mut c), ..Transition::default() };
            let done = transition_analytic(&m, &mut d, &mut Mujoco::default(), &mut work, &mut out);
            finite += usize::from(done.is_ok());
            assert!(a.iter().chain(&c).all(|x| x.is_finite()), "{name} {size}: {done:?}");
            let bits = |d: &Data| {
                [&d.qpos, &d.qvel, &d.act, &d.ctrl].map(|x| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
            };
            assert_eq!(bits(&d), bits(&before), "{name} {size}");
        }
    }
    assert!(finite >= 15, "{finite}");
}

#[test]
fn analytic_derivatives_refuse_what_they_cannot_do() {
    let run = |m: &Model, d: &mut Data, out: &mut Transition<'_>| {
        transition_analytic(m, d, &mut Mujoco::default(), &mut AnalyticWork::default(), out)
    };
    let mut m = engine::load("integrate/chain").unwrap();
    let mut d = m.make_data();
    let mut short = [0.0; 3];
    let refused = run(&m, &mut d, &mut Transition { b: Some(&mut short), ..Transition::default() });
    assert_eq!(refused, Err(StepError::WrongSize { array: "B", got: 3, want: 2 * m.nv * m.nu }));
    d.qvel[1] = f64::NAN;
    let refused = run(&m, &mut d, &mut Transition::default());
    assert!(matches!(refused, Err(StepError::BadState { what: "qvel", index: 1, .. })));
    d.qvel[1] = 0.0;
    m.opt.integrator = Integrator::Rk4;
    assert!(matches!(run(&m, &mut d, &mut Transition::default()), Err(StepError::Unsupported { .. })));
    m.opt.integrator = Integrator::Euler;
    m.opt.noslip_iterations = 3;
    assert!(matches!(run(&m, &mut d, &mut Transition::default()), Err(StepError::Unsupported { .. })));
}

/// The best of several turns each, in alternation, with a generous margin. Only central differences are as accurate.
#[test]
fn analytic_derivatives_are_faster_than_differences() {
    for name in ["humanoid", "quadruped"] {
        let m = engine::load(name).unwrap();
        let mut d = m.make_data();
        for _ in 0..200 {
            d.step(&m).unwrap();
        }
        let nx = 2 * m.nv + m.na;
        let (mut a, mut b) = (vec![0.0; nx * nx], vec![0.0; nx * m.nu]);
        let mut work = AnalyticWork::default();
        let mut best = [Duration::MAX; 3];
        for turn in 0..21 {
            let out = &mut Transition { a: Some(&mut a), b: Some(&mut b), ..Transition::default() };
            let start = Instant::now();
            match turn % 3 {
                0 => transition_analytic(&m, &mut d, &mut Mujoco::default(), &mut work, out).unwrap(),
                side => transition_fd(&m, &mut d, &mut Mujoco::default(), 1e-6, side == 2, out).unwrap(),
            }
            best[turn % 3] = best[turn % 3].min(start.elapsed());
        }
        assert!(best[0].mul_f64(1.3) < best[2], "{name}: {best:?}");
    }
}
