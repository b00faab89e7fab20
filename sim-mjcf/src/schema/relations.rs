//! Grammar: what refers to elements of the tree: extensions, contacts, constraints, tendons, actuators, sensors, keys.

use super::settings::{NAMED, SKIN};
use super::tree::ELASTICITY;
use super::*;

static CONFIG: Rule = Rule::many("config", &[attrs! { TEXT.required() => key value; }], &[]);

pub(super) static PLUGIN: Rule = Rule::many("plugin", &[attrs! { TEXT => plugin instance; }], &[&CONFIG]);

pub(super) static EXTENSION: Rule = Rule::many(
    "extension",
    &[],
    &[&Rule::many(
        "plugin",
        &[attrs! { TEXT.required() => plugin; }],
        &[&Rule::many("instance", &[attrs! { TEXT.required() => name; }], &[&CONFIG])],
    )],
);

pub(super) static DEFORMABLE: Rule = Rule::many(
    "deformable",
    &[],
    &[
        &Rule::many(
            "flex",
            &[attrs! {
                TEXT => name material node;
                TEXT.required() => body;
                INT => group dim;
                real(1) => radius;
                float(4) => rgba;
                BOOL => flatskin;
                REALS => vertex;
                INTS.required() => element;
                FLOATS => texcoord;
                INTS => elemtexcoord;
            }],
            &[
                &Rule::once("contact", &[SELF_CONTACT], &[]),
                &Rule::once("edge", &[attrs! { real(1) => stiffness damping; }], &[]),
                &ELASTICITY,
            ],
        ),
        &SKIN,
    ],
);

/// Contacts of a flex.
pub(super) const SELF_CONTACT: &[Attr] = attrs! {
    INT => contype conaffinity condim priority activelayers;
    real_upto(3) => friction;
    real(1) => solmix margin gap;
    SOLREF => solref;
    SOLIMP => solimp;
    BOOL => internal vertcollide passive;
    key(&["none", "narrow", "bvh", "sap", "auto"]) => selfcollide;
};

pub(super) static CONTACT: Rule = Rule::many(
    "contact",
    &[],
    &[
        &Rule::many("pair", &[NAMED, PAIR, attrs! { TEXT => geom1 geom2; }], &[]),
        &Rule::many(
            "exclude",
            &[attrs! {
                TEXT => name;
                TEXT.required() => body1 body2;
            }],
            &[],
        ),
    ],
);

pub(super) const PAIR: &[Attr] = attrs! {
    INT => condim;
    real_upto(5) => friction;
    SOLREF => solref solreffriction;
    SOLIMP => solimp;
    real(1) => gap margin;
};

pub(super) static EQUALITY: Rule = Rule::many(
    "equality",
    &[],
    &[
        &Rule::many("connect", &[NAMED, EQUALITY_BODIES, EQUALITY_SOLVER], &[]),
        &Rule::many(
            "weld",
            &[
                NAMED,
                EQUALITY_BODIES,
                attrs! {
                    real(7) => relpose;
                    real(1) => torquescale;
                },
                EQUALITY_SOLVER,
            ],
            &[],
        ),
        &Rule::many(
            "joint",
            &[
                NAMED,
                attrs! {
                    TEXT.required() => joint1;
                    TEXT => joint2;
                    real_upto(5) => polycoef;
                },
                EQUALITY_SOLVER,
            ],
            &[],
        ),
        &Rule::many(
            "tendon",
            &[
                NAMED,
                attrs! {
                    TEXT.required() => tendon1;
                    TEXT => tendon2;
                    real_upto(5) => polycoef;
                },
                EQUALITY_SOLVER,
            ],
            &[],
        ),
        &Rule::many("flex", &[NAMED, attrs! { TEXT.required() => flex; }, EQUALITY_SOLVER], &[]),
        &Rule::many("flexvert", &[NAMED, attrs! { TEXT.required() => flex; }, EQUALITY_SOLVER], &[]),
    ],
);

const EQUALITY_BODIES: &[Attr] = attrs! {
    TEXT => body1 body2 site1 site2;
    real(3) => anchor;
};

pub(super) const EQUALITY_SOLVER: &[Attr] = attrs! {
    BOOL => active;
    SOLREF => solref;
    SOLIMP => solimp;
};

pub(super) static TENDON: Rule = Rule::many(
    "tendon",
    &[],
    &[
        &Rule::many(
            "spatial",
            &[NAMED, TENDON_DEFAULT, TENDON_FORCE],
            &[
                &Rule::many("site", &[attrs! { TEXT.required() => site; }], &[]),
                &Rule::many(
                    "geom",
                    &[attrs! {
                        TEXT.required() => geom;
                        TEXT => sidesite;
                    }],
                    &[],
                ),
                &Rule::many("pulley", &[attrs! { real(1).required() => divisor; }], &[]),
            ],
        ),
        &Rule::many(
            "fixed",
            &[NAMED, TENDON_COMMON, TENDON_FORCE],
            &[&Rule::many(
                "joint",
                &[attrs! {
                    TEXT.required() => joint;
                    real(1).required() => coef;
                }],
                &[],
            )],
        ),
    ],
);

const TENDON_COMMON: &[Attr] = attrs! {
    INT => group;
    AUTO => limited;
    real(2) => range;
    SOLREF => solreflimit solreffriction;
    SOLIMP => solimplimit solimpfriction;
    real(1) => frictionloss margin stiffness damping;
    real_upto(2) => springlength;
    REALS => user;
};

const TENDON_FORCE: &[Attr] = attrs! {
    AUTO => actuatorfrclimited;
    real(2) => actuatorfrcrange;
    real(1) => armature;
};

pub(super) const TENDON_DEFAULT: &[Attr] = attrs! {
    INT => group;
    AUTO => limited;
    real(2) => range;
    SOLREF => solreflimit solreffriction;
    SOLIMP => solimplimit solimpfriction;
    real(1) => frictionloss margin stiffness damping width;
    real_upto(2) => springlength;
    TEXT => material;
    float(4) => rgba;
    REALS => user;
};

pub(super) static ACTUATOR: Rule = Rule::many(
    "actuator",
    &[],
    &[
        &Rule::many(
            "general",
            &[NAMED, TARGET, SITE_TARGET, BODY_TARGET, ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_GENERAL],
            &[],
        ),
        &Rule::many("motor", &[NAMED, TARGET, SITE_TARGET, ACT_COMMON, ACT_CTRL, ACT_GEAR], &[]),
        &Rule::many("position", &[NAMED, TARGET, SITE_TARGET, ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_POSITION], &[]),
        &Rule::many("velocity", &[NAMED, TARGET, SITE_TARGET, ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_KV], &[]),
        &Rule::many("intvelocity", &[NAMED, TARGET, SITE_TARGET, ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_INTVELOCITY], &[]),
        &Rule::many("damper", &[NAMED, TARGET, SITE_TARGET, ACT_COMMON, ACT_GEAR, ACT_KV], &[]),
        &Rule::many("cylinder", &[NAMED, TARGET, SITE_TARGET, ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_CYLINDER], &[]),
        &Rule::many(
            "muscle",
            &[NAMED, TARGET, ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_MUSCLE, attrs! { real(1) => tausmooth; }],
            &[],
        ),
        &Rule::many("adhesion", &[NAMED, BODY_TARGET, ACT_COMMON, ACT_GAIN], &[]),
        &Rule::many("plugin", &[NAMED, TARGET, ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_PLUGIN], &[&CONFIG]),
    ],
);

pub(super) const GENERAL: &[&[Attr]] = &[ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_GENERAL];
pub(super) const MOTOR: &[&[Attr]] = &[ACT_COMMON, ACT_CTRL, ACT_GEAR];
pub(super) const POSITION: &[&[Attr]] = &[ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_POSITION];
pub(super) const VELOCITY: &[&[Attr]] = &[ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_KV];
pub(super) const INTVELOCITY: &[&[Attr]] = &[ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_INTVELOCITY];
pub(super) const DAMPER: &[&[Attr]] = &[ACT_COMMON, ACT_GEAR, ACT_KV];
pub(super) const CYLINDER: &[&[Attr]] = &[ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_CYLINDER];
pub(super) const MUSCLE_DEFAULT: &[&[Attr]] = &[ACT_COMMON, ACT_CTRL, ACT_GEAR, ACT_MUSCLE];
pub(super) const ADHESION: &[&[Attr]] = &[ACT_COMMON, ACT_GAIN];

const TARGET: &[Attr] = attrs! {
    TEXT => joint jointinparent tendon slidersite cranksite;
    real(2) => lengthrange;
};
const SITE_TARGET: &[Attr] = attrs! { TEXT => site refsite; };
const BODY_TARGET: &[Attr] = attrs! { TEXT => body; };

const ACT_COMMON: &[Attr] = attrs! {
    INT => group nsample;
    key(&["zoh", "linear", "cubic"]) => interp;
    real(1) => delay;
    AUTO => forcelimited;
    real(2) => ctrlrange forcerange;
    REALS => user;
};
const ACT_CTRL: &[Attr] = attrs! { AUTO => ctrllimited; };
const ACT_GEAR: &[Attr] = attrs! {
    real_upto(6) => gear;
    real(1) => cranklength;
};
const ACT_GENERAL: &[Attr] = attrs! {
    AUTO => actlimited;
    real(2) => actrange;
    INT => actdim;
    key(DYNAMICS) => dyntype;
    key(&["fixed", "affine", "muscle", "user"]) => gaintype;
    key(&["none", "affine", "muscle", "user"]) => biastype;
    real_upto(10) => dynprm gainprm biasprm;
    BOOL => actearly;
};
const ACT_PLUGIN: &[Attr] = attrs! {
    TEXT => plugin instance site;
    AUTO => actlimited;
    real(2) => actrange;
    INT => actdim;
    key(DYNAMICS) => dyntype;
    real_upto(10) => dynprm;
    BOOL => actearly;
};
const DYNAMICS: &[&str] = &["none", "integrator", "filter", "filterexact", "muscle", "user"];
const ACT_KV: &[Attr] = attrs! { real(1) => kv; };
const ACT_GAIN: &[Attr] = attrs! { real(1) => gain; };
const ACT_POSITION: &[Attr] = attrs! { real(1) => kp kv dampratio timeconst inheritrange; };
const ACT_INTVELOCITY: &[Attr] = attrs! {
    real(1) => kp kv dampratio inheritrange;
    real(2) => actrange;
};
const ACT_CYLINDER: &[Attr] = attrs! {
    real(1) => timeconst area diameter;
    real(3) => bias;
};
const ACT_MUSCLE: &[Attr] = attrs! {
    real(2) => timeconst range;
    real(1) => force scale lmin lmax vmax fpmax fvmax;
};

/// A sensor: its name, what it looks at, and what most sensors have.
macro_rules! sensor {
    ($name:literal) => { &Rule::many($name, &[SENSOR_COMMON], &[]) };
    ($name:literal, $($group:expr),+) => { &Rule::many($name, &[SENSOR_COMMON, $($group),+], &[]) };
}

pub(super) static SENSOR: Rule = Rule::many(
    "sensor",
    &[],
    &[
        sensor!("touch", ON_SITE),
        sensor!("accelerometer", ON_SITE),
        sensor!("velocimeter", ON_SITE),
        sensor!("gyro", ON_SITE),
        sensor!("force", ON_SITE),
        sensor!("torque", ON_SITE),
        sensor!("magnetometer", ON_SITE),
        sensor!("camprojection", ON_SITE, attrs! { TEXT.required() => camera; }),
        sensor!(
            "rangefinder",
            attrs! {
                TEXT => site camera;
                keys(&["dist", "dir", "origin", "point", "normal", "depth"]) => data;
            }
        ),
        sensor!("jointpos", ON_JOINT),
        sensor!("jointvel", ON_JOINT),
        sensor!("tendonpos", ON_TENDON),
        sensor!("tendonvel", ON_TENDON),
        sensor!("actuatorpos", ON_ACTUATOR),
        sensor!("actuatorvel", ON_ACTUATOR),
        sensor!("actuatorfrc", ON_ACTUATOR),
        sensor!("jointactuatorfrc", ON_JOINT),
        sensor!("tendonactuatorfrc", ON_TENDON),
        sensor!("ballquat", ON_JOINT),
        sensor!("ballangvel", ON_JOINT),
        sensor!("jointlimitpos", ON_JOINT),
        sensor!("jointlimitvel", ON_JOINT),
        sensor!("jointlimitfrc", ON_JOINT),
        sensor!("tendonlimitpos", ON_TENDON),
        sensor!("tendonlimitvel", ON_TENDON),
        sensor!("tendonlimitfrc", ON_TENDON),
        sensor!("framepos", OBJECT, REFERENCE),
        sensor!("framequat", OBJECT, REFERENCE),
        sensor!("framexaxis", OBJECT, REFERENCE),
        sensor!("frameyaxis", OBJECT, REFERENCE),
        sensor!("framezaxis", OBJECT, REFERENCE),
        sensor!("framelinvel", OBJECT, REFERENCE),
        sensor!("frameangvel", OBJECT, REFERENCE),
        sensor!("framelinacc", OBJECT),
        sensor!("frameangacc", OBJECT),
        sensor!("subtreecom", ON_BODY),
        sensor!("subtreelinvel", ON_BODY),
        sensor!("subtreeangmom", ON_BODY),
        sensor!("insidesite", ON_SITE, OBJECT),
        sensor!("distance", TWO_GEOMS),
        sensor!("normal", TWO_GEOMS),
        sensor!("fromto", TWO_GEOMS),
        sensor!(
            "contact",
            TWO_GEOMS,
            attrs! {
                TEXT => subtree1 subtree2 site;
                INT => num;
                keys(&["found", "force", "torque", "dist", "pos", "normal", "tangent"]) => data;
                key(&["none", "mindist", "maxforce", "netforce"]) => reduce;
            }
        ),
        sensor!("e_potential"),
        sensor!("e_kinetic"),
        sensor!("clock"),
        &Rule::many(
            "tactile",
            &[
                SENSOR_TIMING,
                attrs! {
                    TEXT => name;
                    TEXT.required() => geom mesh;
                    REALS => user;
                },
            ],
            &[],
        ),
        &Rule::many(
            "user",
            &[attrs! {
                TEXT => name objtype objname;
                key(&["real", "positive", "axis", "quaternion"]) => datatype;
                key(&["none", "pos", "vel", "acc"]) => needstage;
                INT.required() => dim;
                real(1) => cutoff noise;
                REALS => user;
            }],
            &[],
        ),
        &Rule::many(
            "plugin",
            &[
                REFERENCE,
                attrs! {
                    TEXT => name plugin instance objtype objname;
                    real(1) => cutoff;
                    REALS => user;
                },
            ],
            &[&CONFIG],
        ),
    ],
);

const SENSOR_TIMING: &[Attr] = attrs! {
    INT => nsample;
    key(&["zoh", "linear", "cubic"]) => interp;
    real(1) => delay;
    real_upto(2) => interval;
};
const SENSOR_COMMON: &[Attr] = attrs! {
    TEXT => name;
    INT => nsample;
    key(&["zoh", "linear", "cubic"]) => interp;
    real(1) => delay cutoff noise;
    real_upto(2) => interval;
    REALS => user;
};
const ON_SITE: &[Attr] = attrs! { TEXT.required() => site; };
const ON_JOINT: &[Attr] = attrs! { TEXT.required() => joint; };
const ON_TENDON: &[Attr] = attrs! { TEXT.required() => tendon; };
const ON_ACTUATOR: &[Attr] = attrs! { TEXT.required() => actuator; };
const ON_BODY: &[Attr] = attrs! { TEXT.required() => body; };
const OBJECT: &[Attr] = attrs! { TEXT.required() => objtype objname; };
const REFERENCE: &[Attr] = attrs! { TEXT => reftype refname; };
const TWO_GEOMS: &[Attr] = attrs! { TEXT => geom1 geom2 body1 body2; };

pub(super) static KEYFRAME: Rule = Rule::many(
    "keyframe",
    &[],
    &[&Rule::many(
        "key",
        &[attrs! {
            TEXT => name;
            real(1) => time;
            REALS => qpos qvel act mpos mquat ctrl;
        }],
        &[],
    )],
);
