//! Grammar: the body tree and what stands in it.

use super::relations::{PLUGIN, SELF_CONTACT};
use super::settings::NAMED;
use super::*;
use crate::keywords::{self as words, names};

/// Position and orientation.
const POSE: &[Attr] = attrs! {
    real(3) => pos;
    QUAT => quat;
    real(4) => axisangle;
    real(6) => xyaxes;
    real(3) => zaxis euler;
};

/// May hold the same as a body, but has no attributes.
pub(super) static WORLDBODY: Rule = Rule::many("worldbody", &[], &IN_BODY);

pub(super) static BODY: Rule = Rule::many(
    "body",
    &[
        POSE,
        attrs! {
            TEXT => name childclass;
            BOOL => mocap;
            real(1) => gravcomp;
            key(&names(&words::SLEEP)) => sleep;
            REALS => user;
        },
    ],
    &IN_BODY,
);

pub(super) static FRAME: Rule = Rule::many("frame", &[POSE, attrs! { TEXT => name childclass; }], &IN_BODY);

pub(super) static REPLICATE: Rule = Rule::many(
    "replicate",
    &[attrs! {
        ints(1).required() => count;
        real(3) => offset euler;
        TEXT => sep childclass;
    }],
    &IN_BODY,
);

static IN_BODY: [&Rule; 14] = [
    &Rule::once(
        "inertial",
        &[attrs! {
            real(3).required() => pos;
            real(1).required() => mass;
            QUAT => quat;
            real(4) => axisangle;
            real(6) => xyaxes fullinertia;
            real(3) => zaxis euler diaginertia;
        }],
        &[],
    ),
    &Rule::many("joint", &[NAMED, JOINT], &[]),
    &Rule::many(
        "freejoint",
        &[attrs! {
            TEXT => name;
            INT => group;
            AUTO => align;
        }],
        &[],
    ),
    &BODY_GEOM,
    &Rule::many(
        "attach",
        &[attrs! {
            TEXT.required() => model prefix;
            TEXT => body;
        }],
        &[],
    ),
    &Rule::many("site", &[NAMED, SITE], &[]),
    &Rule::many("camera", &[NAMED, CAMERA, attrs! { TEXT => target; }], &[]),
    &Rule::many("light", &[NAMED, LIGHT, attrs! { TEXT => target texture; }], &[]),
    &PLUGIN,
    &COMPOSITE,
    &FLEXCOMP,
    &BODY,
    &FRAME,
    &REPLICATE,
];

static BODY_GEOM: Rule = Rule::many("geom", &[NAMED, GEOM], &[&PLUGIN]);

pub(super) const JOINT: &[Attr] = attrs! {
    key(&names(&words::JOINT)) => type;
    INT => group;
    real(3) => pos axis;
    real(2) => springdamper range actuatorfrcrange;
    AUTO => limited actuatorfrclimited;
    SOLREF => solreflimit solreffriction;
    SOLIMP => solimplimit solimpfriction;
    real(1) => stiffness margin ref springref armature damping frictionloss;
    BOOL => actuatorgravcomp;
    REALS => user;
};

pub(super) const GEOM: &[Attr] = attrs! {
    key(&names(&words::GEOM)) => type;
    real(3) => pos zaxis euler;
    QUAT => quat;
    real(4) => axisangle;
    real(6) => xyaxes fromto;
    INT => contype conaffinity condim group priority;
    real_upto(3) => size friction;
    TEXT => material hfield mesh;
    real(1) => mass density solmix margin gap fitscale;
    BOOL => shellinertia;
    SOLREF => solref;
    SOLIMP => solimp;
    float(4) => rgba;
    key(&names(&words::FLUID_SHAPE)) => fluidshape;
    real_upto(5) => fluidcoef;
    REALS => user;
};

pub(super) const SITE: &[Attr] = attrs! {
    key(&names(&words::GEOM)) => type;
    INT => group;
    real(3) => pos zaxis euler;
    QUAT => quat;
    real(4) => axisangle;
    real(6) => xyaxes fromto;
    TEXT => material;
    real_upto(3) => size;
    float(4) => rgba;
    REALS => user;
};

pub(super) const CAMERA: &[Attr] = attrs! {
    key(&names(&words::PROJECTION)) => projection;
    real(1) => fovy ipd;
    ints(2) => resolution;
    keys(&names(&words::CAMERA_OUTPUT)) => output;
    real(3) => pos zaxis euler;
    QUAT => quat;
    real(4) => axisangle;
    real(6) => xyaxes;
    key(&names(&words::CAMLIGHT)) => mode;
    float(2) => focal focalpixel principal principalpixel sensorsize;
    REALS => user;
};

pub(super) const LIGHT: &[Attr] = attrs! {
    real(3) => pos dir;
    float(1) => bulbradius intensity range cutoff exponent;
    BOOL => directional castshadow active;
    key(&names(&words::LIGHT)) => type;
    float(3) => attenuation ambient diffuse specular;
    key(&names(&words::CAMLIGHT)) => mode;
};

static COMPOSITE: Rule = Rule::many(
    "composite",
    &[attrs! {
        TEXT => prefix initial curve;
        key(&["particle", "grid", "rope", "loop", "cable", "cloth"]).required() => type;
        ints_upto(3) => count;
        real(3) => offset;
        real(4) => quat;
        FLOATS => vertex;
        real_upto(3) => size;
    }],
    &[
        &Rule::many(
            "joint",
            &[attrs! {
                key(&["main"]).required() => kind;
                key(&names(&words::JOINT)) => type;
                INT => group;
                real(3) => axis;
                real(2) => range;
                // MuJoCo does not read it here
                TEXT => limited;
                SOLREF => solreffix solreflimit solreffriction;
                SOLIMP => solimpfix solimplimit solimpfriction;
                real(1) => stiffness damping armature margin frictionloss;
            }],
            &[],
        ),
        &Rule::once(
            "skin",
            &[attrs! {
                BOOL => texcoord;
                TEXT => material;
                INT => group subgrid;
                float(4) => rgba;
                float(1) => inflate;
            }],
            &[],
        ),
        &Rule::once(
            "geom",
            &[attrs! {
                key(&names(&words::GEOM)) => type;
                INT => contype conaffinity condim group priority;
                real_upto(3) => size friction;
                TEXT => material;
                float(4) => rgba;
                real(1) => mass density solmix margin gap;
                SOLREF => solref;
                SOLIMP => solimp;
            }],
            &[],
        ),
        &Rule::once(
            "site",
            &[attrs! {
                INT => group;
                real_upto(3) => size;
                TEXT => material;
                float(4) => rgba;
            }],
            &[],
        ),
        &PLUGIN,
    ],
);

static FLEXCOMP: Rule = Rule::many(
    "flexcomp",
    &[attrs! {
        TEXT.required() => name;
        key(&["grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "mesh", "gmsh", "direct"]) => type;
        key(&["full", "radial", "trilinear", "quadratic"]) => dof;
        INT => group dim;
        ints(3) => count;
        real(3) => spacing scale origin pos zaxis euler;
        real(4) => quat axisangle;
        real(6) => xyaxes;
        real(1) => radius mass inertiabox;
        BOOL => rigid flatskin;
        TEXT => file material;
        REALS => point;
        INTS => element;
        FLOATS => texcoord;
        float(4) => rgba;
    }],
    &[
        &Rule::once(
            "edge",
            &[attrs! {
                key(&["false", "true", "vert"]) => equality;
                SOLREF => solref;
                SOLIMP => solimp;
                real(1) => stiffness damping;
            }],
            &[],
        ),
        &ELASTICITY,
        &Rule::once("contact", &[SELF_CONTACT], &[]),
        &Rule::many("pin", &[attrs! { INTS => id range grid gridrange; }], &[]),
        &PLUGIN,
    ],
);

/// Also stands in `flex`.
pub(super) static ELASTICITY: Rule = Rule::once(
    "elasticity",
    &[attrs! {
        real(1) => young poisson damping thickness;
        key(&["none", "bend", "stretch", "both"]) => elastic2d;
    }],
    &[],
);
