//! Each stage alone on MuJoCo's own inputs, so that errors cannot add up; then the whole forward pass.

use sim_core::{Data, Model, Mujoco, energy, passive, set_const, smooth};
use sim_tests::tol::{compare, signs_like};
use sim_tests::{Golden, Tol, assert_close, engine, mujoco_model};

/// A stage, what it reads besides the state, and what it writes.
struct Stage {
    run: fn(&Model, &mut Data),
    reads: &'static [&'static str],
    writes: &'static [&'static str],
}

const STAGES: [Stage; 12] = [
    Stage {
        run: smooth::kinematics,
        reads: &[],
        writes: &[
            "xpos",
            "xquat",
            "xmat",
            "xipos",
            "ximat",
            "xanchor",
            "xaxis",
            "geom_xpos",
            "geom_xmat",
            "site_xpos",
            "site_xmat",
        ],
    },
    Stage {
        run: smooth::com_pos,
        reads: &["xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis"],
        writes: &["subtree_com", "cinert", "cdof"],
    },
    Stage {
        run: smooth::cam_light,
        reads: &["xpos", "xquat", "xmat", "xipos", "subtree_com"],
        writes: &["cam_xpos", "cam_xmat", "light_xpos", "light_xdir"],
    },
    Stage { run: smooth::crb, reads: &["cinert", "cdof"], writes: &["crb", "M"] },
    Stage { run: smooth::factor_m, reads: &["M"], writes: &["qLD", "qLDiagInv"] },
    Stage { run: smooth::com_vel, reads: &["cdof"], writes: &["cvel", "cdof_dot"] },
    Stage {
        run: passive_forces,
        reads: &["qpos", "xipos", "subtree_com", "cdof"],
        writes: &["qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_passive"],
    },
    Stage { run: smooth::rne, reads: &["cinert", "cvel", "cdof", "cdof_dot"], writes: &["qfrc_bias"] },
    Stage {
        run: smooth::acceleration,
        reads: &["qfrc_passive", "qfrc_bias", "xipos", "subtree_com", "cdof", "qLD", "qLDiagInv"],
        writes: &["qfrc_smooth", "qacc_smooth"],
    },
    Stage { run: both_energies, reads: &["qpos", "xipos", "M"], writes: &["energy"] },
    Stage {
        run: smooth::subtree_vel,
        reads: &["xipos", "ximat", "subtree_com", "cvel"],
        writes: &["subtree_linvel", "subtree_angmom"],
    },
    Stage { run: factor_and_solve, reads: &["M", "qfrc_smooth"], writes: &["qacc"] },
];

fn passive_forces(m: &Model, d: &mut Data) {
    passive::passive(m, d, &Mujoco::default());
}

fn both_energies(m: &Model, d: &mut Data) {
    energy::energy_pos(m, d);
    energy::energy_vel(m, d);
}

/// Without constraints the acceleration is `M⁻¹·qfrc_smooth`.
fn factor_and_solve(m: &Model, d: &mut Data) {
    smooth::factor_m(m, d);
    let mut x = d.qfrc_smooth.clone();
    smooth::solve_m(m, d, &mut x);
    d.qacc = x;
}

#[test]
fn each_stage_on_mujocos_inputs() {
    let mut wrong = Vec::new();
    let mut models = 0;
    for golden in Golden::moving().unwrap() {
        let m = mujoco_model(&golden).unwrap();
        // goldens hold no inputs for the forces of tendons, actuators and a medium: those models run as a whole below
        if m.ntendon > 0 || m.nu > 0 || m.opt.density > 0.0 {
            continue;
        }
        models += 1;
        for (state, stage) in golden.states.iter().flat_map(|s| STAGES.iter().map(move |stage| (s, stage))) {
            let section = format!("forward {state}");
            let mut d = engine::data_at(&m, &golden, state).unwrap();
            engine::write(&m, &mut d, golden.section(&section), stage.reads.iter().copied()).unwrap();
            (stage.run)(&m, &mut d);
            wrong.extend(differences(&m, &d, &golden, &section, stage.writes, Tol::STAGE));
        }
    }
    assert!(models >= 60, "only {models} models");
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// The whole forward pass, on MuJoCo's model and on ours: every field of the golden.
#[test]
fn forward_at_every_state() {
    let mut wrong = Vec::new();
    for golden in Golden::moving().unwrap() {
        for m in engine::both(&golden).unwrap() {
            for state in &golden.states {
                let section = format!("forward {state}");
                let mut d = engine::data_at(&m, &golden, state).unwrap();
                d.forward(&m).unwrap();
                smooth::subtree_vel(&m, &mut d);
                let fields: Vec<&str> = golden.section(&section).keys().map(String::as_str).collect();
                assert!(fields.len() >= 30);
                wrong.extend(differences(&m, &d, &golden, &section, &fields, Tol::FORWARD));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// Constants that the model derives from its masses and poses, recomputed from nothing.
#[test]
fn constants_of_the_reference_pose() {
    let derived = [
        "body_subtreemass",
        "body_invweight0",
        "dof_invweight0",
        "dof_M0",
        "dof_length",
        "cam_pos0",
        "cam_poscom0",
        "cam_mat0",
        "light_pos0",
        "light_poscom0",
        "light_dir0",
        "tree_bodyadr",
        "tree_bodynum",
        "tree_dofadr",
        "tree_dofnum",
    ];
    for golden in Golden::moving().unwrap() {
        let mut m = mujoco_model(&golden).unwrap();
        for field in derived {
            m.column_mut(field).unwrap().clear();
        }
        set_const(&mut m).unwrap();
        for field in derived {
            let want = golden.get("model", field);
            let got = m.array(field).unwrap().data;
            assert_close(&golden.label("model", field), &got, want, Tol::MODEL.scaled(want));
        }
        let stat = [("meaninertia", m.stat.meaninertia), ("meanmass", m.stat.meanmass), ("meansize", m.stat.meansize)];
        let given = golden.name == "options"; // its file overrides the statistics
        for (field, got) in stat.into_iter().filter(|_| !given) {
            assert_close(
                &golden.label("stat", field),
                &[got],
                golden.get("model", &format!("stat.{field}")),
                Tol::MODEL,
            );
        }
    }
}

fn differences(m: &Model, d: &Data, golden: &Golden, section: &str, fields: &[&str], tol: Tol) -> Vec<String> {
    let error = |field: &&str| {
        let want = golden.get(section, field);
        let got = engine::read(m, d, field);
        let got = if field.ends_with("quat") { signs_like(&got, want) } else { got };
        compare(&golden.label(section, field), &got, want, tol.scaled(want)).err()
    };
    fields.iter().filter_map(error).collect()
}
