//! Compiler settings, sizes, and statistics given by the user.

use crate::error::Location;

/// Which bodies take their inertia from their geoms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "mjtInertiaFromGeom")]
pub enum InertiaFromGeom {
    /// None; every moving body needs an explicit inertia.
    False,
    /// All that have geoms to take it from, even if they have an explicit one.
    True,
    /// Those without an explicit inertia.
    #[default]
    Auto,
}

record! {
    /// Settings of the compiler (`mjsCompiler`).
    #[doc(alias = "mjsCompiler")]
    Compiler {
        /// Whether a range alone makes something limited.
        autolimits: bool = true,
        /// Smallest mass of a body.
        boundmass: f64 = 0.0,
        /// Smallest moment of inertia of a body.
        boundinertia: f64 = 0.0,
        /// Total mass to scale the model to; not above zero means "as it is".
        settotalmass: f64 = -1.0,
        /// Whether an impossible inertia is made spherical instead of being an error.
        balanceinertia: bool = false,
        /// Whether primitives are fitted to a mesh's box (else to its inertia).
        fitaabb: bool = false,
        /// Whether angles are in degrees (else radians).
        degree: bool = true,
        /// Axes of Euler angles: `xyz` turn with the body, `XYZ` stay fixed.
        eulerseq: [char; 3] = ['x', 'y', 'z'],
        /// Whether geoms that can only be seen are dropped.
        discardvisual: bool = false,
        /// Whether several threads may be used.
        usethread: bool = true,
        /// Whether bodies without joints are merged into their parents.
        fusestatic: bool = false,
        /// Which bodies take their inertia from their geoms.
        inertiafromgeom: InertiaFromGeom = InertiaFromGeom::Auto,
        /// First and last geom group that counts for inertia.
        inertiagrouprange: [i32; 2] = [0, 5],
        /// Whether inertias are written when the model is saved.
        saveinertial: bool = false,
        /// Whether frames of free bodies are moved to their inertial frames.
        alignfree: bool = false,
        /// How actuator length ranges are found.
        lengthrange: LengthRange = LengthRange::default(),
        /// Directory of meshes and height fields.
        meshdir: String = String::new(),
        /// Directory of textures.
        texturedir: String = String::new(),
        /// Whether directories are stripped from file names.
        strippath: bool = false,
    }
}

record! {
    /// What an attached element keeps of the spec it was written in.
    Origin {
        /// Settings of the compiler.
        compiler: Compiler = Compiler::default(),
        /// Directory of the model file.
        dir: String = String::new(),
    }
}

/// Which actuators get a length range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "mjtLRMode")]
pub enum LengthRangeMode {
    /// None.
    None,
    /// Muscles.
    #[default]
    Muscle,
    /// Muscles and user-defined ones.
    MuscleUser,
    /// All.
    All,
}

record! {
    /// How actuator length ranges are found (`mjLROpt`).
    #[doc(alias = "mjLROpt")]
    LengthRange {
        /// Which actuators.
        mode: LengthRangeMode = LengthRangeMode::Muscle,
        /// Whether a range that is given is kept.
        useexisting: bool = true,
        /// Whether limits of joints and tendons are taken as range.
        uselimit: bool = false,
        /// Acceleration aimed at when the force is chosen.
        accel: f64 = 20.0,
        /// Largest force; zero for no limit.
        maxforce: f64 = 0.0,
        /// Time constant of velocity decay.
        timeconst: f64 = 1.0,
        /// Timestep; zero for the model's.
        timestep: f64 = 0.01,
        /// Simulated time.
        inttotal: f64 = 10.0,
        /// Time at the end in which the length must be steady.
        interval: f64 = 2.0,
        /// Allowed change in that time, relative to the range.
        tolrange: f64 = 0.05,
    }
}

record! {
    /// Sizes that are not derived from the elements (`size`). Absent means automatic.
    Size {
        /// Bytes MuJoCo would reserve for its arena; kept for saving.
        memory: Option<u64> = None,
        /// Rows MuJoCo would reserve; kept for saving.
        njmax: Option<i32> = None,
        /// Contacts MuJoCo would reserve; kept for saving.
        nconmax: Option<i32> = None,
        /// Stack numbers MuJoCo would reserve; kept for saving.
        nstack: Option<i64> = None,
        /// User numbers in the data.
        nuserdata: i32 = 0,
        /// Least number of keyframes; missing ones are the initial state.
        nkey: i32 = 0,
        /// User numbers per body.
        nuser_body: Option<i32> = None,
        /// User numbers per joint.
        nuser_jnt: Option<i32> = None,
        /// User numbers per geom.
        nuser_geom: Option<i32> = None,
        /// User numbers per site.
        nuser_site: Option<i32> = None,
        /// User numbers per camera.
        nuser_cam: Option<i32> = None,
        /// User numbers per tendon.
        nuser_tendon: Option<i32> = None,
        /// User numbers per actuator.
        nuser_actuator: Option<i32> = None,
        /// User numbers per sensor.
        nuser_sensor: Option<i32> = None,
        /// Where the last `size` element was written.
        at: Location = Location::default(),
    }
}

record! {
    /// Statistics given by the user; they replace the computed ones (`statistic`).
    StatisticOverride {
        /// Mean diagonal inertia.
        meaninertia: Option<f64> = None,
        /// Mean body mass.
        meanmass: Option<f64> = None,
        /// Mean body size.
        meansize: Option<f64> = None,
        /// Extent.
        extent: Option<f64> = None,
        /// Centre.
        center: Option<[f64; 3]> = None,
    }
}
