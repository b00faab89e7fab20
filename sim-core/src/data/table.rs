//! The arrays of the state and of everything computed from it.

use sim_types::*;

use crate::arrays::arrays;
use crate::constraint::{Efc, SolverStats};
use crate::data::{LazyFlags, Scratch};
use crate::error::BadNumber;
use crate::island::{Awake, Islands};
use crate::model::Model;
use crate::warning::Warnings;

arrays! {
    /// Everything that changes (`mjData`): state, controls, and the results of every stage.
    ///
    /// Made by [`Model::make_data`] and sized for that model. A plain value: clone it, send it to another thread.
    pub struct Data sized by m: Model {
        /// Simulated time.
        pub time: f64,
        /// Potential and kinetic energy, when the energy flag is on.
        pub energy: [f64; 2],
        /// Warnings counted since the last reset.
        pub warning: Warnings,
        /// Contacts, in MuJoCo's order; [`Data::ncon`] is their number.
        pub contact: Vec<Contact>,
        /// Most contacts to keep, `None`, as it is at first, for no limit. Geoms whose contacts do not fit are left out,
        /// with the warning `ContactFull`.
        pub contact_limit: Option<usize>,
        /// Most multiplications for contacts and constraints in one evaluation, `None` for no limit;
        /// [`WORK_LIMIT`](crate::WORK_LIMIT) at first. A solve that reaches it stops, with the warning `CnstrFull`; one
        /// that cannot even begin, or more contacts than can be found and solved with it, are
        /// [`StepError::TooLarge`](crate::StepError::TooLarge).
        pub work_limit: Option<u64>,
        /// Which lazily computed parts are up to date.
        pub lazy: LazyFlags,
        /// Constraint rows; they follow from the state and are not serialised.
        #[cfg_attr(feature = "serde", serde(skip))]
        pub efc: Efc,
        /// Islands of the rows; not serialised either.
        #[cfg_attr(feature = "serde", serde(skip))]
        pub island: Islands,
        /// What the solver reports.
        #[cfg_attr(feature = "serde", serde(skip))]
        pub solver: SolverStats,
        /// How far inverse dynamics is from forward dynamics, when that is compared: norms of the differences of
        /// constraint forces and of applied forces.
        pub solver_fwdinv: [f64; 2],
        /// Why the last step began again from the reference pose, if it did: its first bad number.
        #[cfg_attr(feature = "serde", serde(skip))]
        pub restart: Option<BadNumber>,
        /// How much is awake.
        pub awake: Awake,
        /// Memory that stages work in.
        pub scratch: Scratch,
    }
    // ---- main inputs and outputs: state
    nq {
        qpos: [f64], "Position.";
    }
    nv {
        qvel: [f64], "Velocity.";
        qacc_warmstart: [f64], "Acceleration the solver starts from.";
    }
    na {
        act: [f64], "Actuator activation.";
    }
    nhistory {
        history: [f64], "Delay buffers.";
    }
    // ---- control
    nu {
        ctrl: [f64], "Control.";
    }
    nv {
        qfrc_applied: [f64], "Applied generalized force.";
    }
    nbody {
        xfrc_applied: [[f64; 6]], "Applied force and torque at the centre of mass, world axes (force first).";
    }
    neq {
        eq_active: [bool], "Is the equality constraint active.";
    }
    // ---- sleep
    ntree {
        tree_asleep: [i32], "Awake when negative, then counting up to -1; asleep: next tree that fell asleep with it.";
        tree_awake: [bool], "Is the tree awake.";
    }
    nbody {
        body_awake: [i32], "1: awake, 0: asleep, -1: static.";
        body_awake_ind: [u32], "Awake and static bodies.";
        parent_awake_ind: [u32], "Bodies with an awake or static parent.";
    }
    nv {
        dof_awake_ind: [u32], "Awake dofs.";
    }
    // ---- mocap
    nmocap {
        mocap_pos: [Vec3], "Position of mocap bodies.";
        mocap_quat: [Quat], "Orientation of mocap bodies.";
    }
    // ---- dynamics
    nv {
        qacc: [f64], "Acceleration.";
    }
    na {
        act_dot: [f64], "Rate of change of the activation.";
    }
    // ---- user data and sensors
    nuserdata {
        userdata: [f64], "Free for the user.";
    }
    nsensordata {
        sensordata: [f64], "Outputs of the sensors.";
    }
    // ---- POSITION dependent, computed by kinematics
    nbody {
        xpos: [Vec3], "Position of the body frame.";
        xquat: [Quat], "Orientation of the body frame.";
        xmat: [Mat3], "Orientation of the body frame.";
        xipos: [Vec3], "Position of the centre of mass.";
        ximat: [Mat3], "Orientation of the principal axes.";
    }
    njnt {
        xanchor: [Vec3], "Position of the joint anchor.";
        xaxis: [Vec3], "Direction of the joint axis.";
    }
    ngeom {
        geom_xpos: [Vec3], "Position of the geom.";
        geom_xmat: [Mat3], "Orientation of the geom.";
    }
    nsite {
        site_xpos: [Vec3], "Position of the site.";
        site_xmat: [Mat3], "Orientation of the site.";
    }
    // ---- computed by cam_light
    ncam {
        cam_xpos: [Vec3], "Position of the camera.";
        cam_xmat: [Mat3], "Orientation of the camera.";
    }
    nlight {
        light_xpos: [Vec3], "Position of the light.";
        light_xdir: [Vec3], "Direction of the light.";
    }
    // ---- computed by com_pos
    nbody {
        subtree_com: [Vec3], "Centre of mass of the subtree.";
        cinert: [Inertia], "Inertia about the root's centre of mass.";
    }
    nv {
        cdof: [Motion], "Axis of the dof about the root's centre of mass (rot:lin).";
    }
    // ---- computed by flex
    nflexvert {
        flexvert_xpos: [Vec3], "Position of the vertex.";
    }
    // ---- computed by tendon
    ntendon {
        ten_length: [f64], "Length.";
        ten_wrapadr: [u32], "First point of the path.";
        ten_wrapnum: [u32], "Number of points of the path.";
    }
    nJten {
        ten_J: [f64], "Jacobian of the length, compressed rows with the model's pattern.";
    }
    nwrap {
        wrap_obj: [[i32; 2]], "Object of each path point: geom, -1 for a site, -2 for a pulley.";
        wrap_xpos: [[f64; 6]], "Path points.";
    }
    // ---- computed by transmission
    nu {
        actuator_length: [f64], "Length.";
    }
    nJmom {
        actuator_moment: [f64], "Moment arms, compressed rows with the model's pattern.";
    }
    // ---- computed by crb
    nbody {
        crb: [Inertia], "Composite inertia of the subtree.";
    }
    nC {
        M: [f64], "Inertia matrix, lower triangle in compressed rows.";
        qLD: [f64], "Factor of M: L below the diagonal, D on it.";
    }
    nv {
        qLDiagInv: [f64], "Inverse of D.";
    }
    // ---- POSITION, VELOCITY dependent, computed by path_vel
    ntendon {
        ten_velocity: [f64], "Velocity.";
    }
    nu {
        actuator_velocity: [f64], "Velocity.";
    }
    // ---- computed by com_vel
    nbody {
        cvel: [Motion], "Velocity about the root's centre of mass (rot:lin).";
    }
    nv {
        cdof_dot: [Motion], "Rate of change of the axis (rot:lin).";
        qfrc_bias: [f64], "Coriolis, centrifugal and gravity force.";
    }
    // ---- computed by passive
    nv {
        qfrc_spring: [f64], "Force of springs.";
        qfrc_damper: [f64], "Force of dampers.";
        qfrc_gravcomp: [f64], "Force of gravity compensation.";
        qfrc_fluid: [f64], "Force of the medium.";
        qfrc_passive: [f64], "All passive forces.";
    }
    // ---- computed by subtree_vel when asked for
    nbody {
        subtree_linvel: [Vec3], "Velocity of the subtree's centre of mass.";
        subtree_angmom: [Vec3], "Angular momentum about the subtree's centre of mass.";
    }
    // ---- computed by the integrator
    nC {
        qH: [f64], "Factor of M with implicit damping.";
    }
    nv {
        qHDiagInv: [f64], "Inverse of its diagonal.";
    }
    nD {
        qDeriv: [f64], "Derivative of smooth forces by velocity.";
        qLU: [f64], "Factor of M − h·qDeriv.";
    }
    // ---- POSITION, VELOCITY, CONTROL dependent, computed by actuation
    nu {
        actuator_force: [f64], "Force of the actuator.";
    }
    nv {
        qfrc_actuator: [f64], "Force of all actuators.";
    }
    // ---- computed by acceleration
    nv {
        qfrc_smooth: [f64], "Sum of all forces but those of constraints.";
        qacc_smooth: [f64], "Acceleration without constraints.";
    }
    // ---- computed by the constraint stage
    ntendon {
        tendon_efcadr: [OptId], "First row of the tendon.";
    }
    nv {
        qfrc_constraint: [f64], "Force of all constraints.";
    }
    // ---- computed by inverse
    nv {
        qfrc_inverse: [f64], "Force that the acceleration needs, besides passive and constraint forces.";
    }
    // ---- computed by rne and rne_post
    nbody {
        cacc: [Motion], "Acceleration about the root's centre of mass (rot:lin).";
        cfrc_int: [Force], "Force of the parent on the body (rot:lin).";
        cfrc_ext: [Force], "Force of the outside on the body (rot:lin).";
    }
}
