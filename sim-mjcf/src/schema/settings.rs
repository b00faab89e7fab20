//! Grammar: settings, default classes, custom data, assets.

use super::relations::{
    ADHESION, CYLINDER, DAMPER, EQUALITY_SOLVER, GENERAL, INTVELOCITY, MOTOR, MUSCLE_DEFAULT, PAIR, PLUGIN, POSITION,
    TENDON_DEFAULT, VELOCITY,
};
use super::tree::{CAMERA, GEOM, JOINT, LIGHT, SITE};
use super::*;
use crate::keywords::{self as words, names};

/// Name and default class.
pub(super) const NAMED: &[Attr] = attrs! { TEXT => name class; };

pub(super) static COMPILER: Rule = Rule::many(
    "compiler",
    &[attrs! {
        BOOL => autolimits balanceinertia strippath fitaabb discardvisual usethread fusestatic alignfree saveinertial;
        real(1) => boundmass boundinertia settotalmass;
        key(&["local", "global"]) => coordinate;
        key(&names(&words::ANGLE)) => angle;
        AUTO => inertiafromgeom;
        ints(2) => inertiagrouprange;
        TEXT => eulerseq meshdir texturedir assetdir;
    }],
    &[&Rule::once(
        "lengthrange",
        &[attrs! {
            key(&names(&words::LENGTH_RANGE)) => mode;
            BOOL => useexisting uselimit;
            real(1) => accel maxforce timeconst timestep inttotal interval tolrange;
        }],
        &[],
    )],
);

pub(super) static OPTION: Rule = Rule::many(
    "option",
    &[attrs! {
        real(1) => timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance;
        real(1) => density viscosity o_margin;
        real(3) => gravity wind magnetic;
        SOLREF => o_solref;
        SOLIMP => o_solimp;
        real_upto(5) => o_friction;
        key(&names(&words::INTEGRATOR)) => integrator;
        key(&names(&words::CONE)) => cone;
        key(&names(&words::JACOBIAN)) => jacobian;
        key(&names(&words::SOLVER)) => solver;
        INT => iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints;
        ints_upto(31) => actuatorgroupdisable;
    }],
    &[&Rule::once(
        "flag",
        &[attrs! {
            key(&names(&words::ENABLE)) => constraint equality frictionloss limit contact spring damper gravity;
            key(&names(&words::ENABLE)) => clampctrl warmstart filterparent actuation refsafe sensor midphase;
            key(&names(&words::ENABLE)) => eulerdamp autoreset nativeccd island;
            key(&names(&words::ENABLE)) => override energy fwdinv invdiscrete multiccd sleep;
        }],
        &[],
    )],
);

pub(super) static SIZE: Rule = Rule::many(
    "size",
    &[attrs! {
        TEXT => memory;
        INT => njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam;
        INT => nuser_tendon nuser_actuator nuser_sensor;
    }],
    &[],
);

pub(super) static STATISTIC: Rule = Rule::many(
    "statistic",
    &[attrs! {
        real(1) => meaninertia meanmass meansize extent;
        real(3) => center;
    }],
    &[],
);

pub(super) static VISUAL: Rule = Rule::many(
    "visual",
    &[],
    &[
        &Rule::once(
            "global",
            &[attrs! {
                INT => cameraid offwidth offheight;
                BOOL => orthographic ellipsoidinertia bvactive;
                float(1) => fovy ipd azimuth elevation linewidth glow realtime;
            }],
            &[],
        ),
        &Rule::once("quality", &[attrs! { INT => shadowsize offsamples numslices numstacks numquads; }], &[]),
        &Rule::once(
            "headlight",
            &[attrs! {
                float(3) => ambient diffuse specular;
                INT => active;
            }],
            &[],
        ),
        &Rule::once(
            "map",
            &[attrs! {
                float(1) => stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze;
                float(1) => shadowclip shadowscale actuatortendon;
            }],
            &[],
        ),
        &Rule::once(
            "scale",
            &[attrs! {
                float(1) => forcewidth contactwidth contactheight connect com camera light selectpoint jointlength;
                float(1) => jointwidth actuatorlength actuatorwidth framelength framewidth constraint slidercrank;
                float(1) => frustum;
            }],
            &[],
        ),
        &Rule::once(
            "rgba",
            &[attrs! {
                float(4) => fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light;
                float(4) => selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap;
                float(4) => rangefinder constraint slidercrank crankbroken frustum bv bvactive;
            }],
            &[],
        ),
    ],
);

/// Also stands inside itself.
pub(super) static DEFAULT: Rule = Rule::many(
    "default",
    &[attrs! { TEXT => class; }],
    &[
        &Rule::once("mesh", &[MESH_DEFAULT], &[]),
        &Rule::once("material", &[MATERIAL], &[&LAYER]),
        &Rule::once("joint", &[JOINT], &[]),
        &Rule::once("geom", &[GEOM], &[]),
        &Rule::once("site", &[SITE], &[]),
        &Rule::once("camera", &[CAMERA], &[]),
        &Rule::once("light", &[LIGHT], &[]),
        &Rule::once("pair", &[PAIR], &[]),
        &Rule::once("equality", &[EQUALITY_SOLVER], &[]),
        &Rule::once("tendon", &[TENDON_DEFAULT], &[]),
        &Rule::once("general", GENERAL, &[]),
        &Rule::once("motor", MOTOR, &[]),
        &Rule::once("position", POSITION, &[]),
        &Rule::once("velocity", VELOCITY, &[]),
        &Rule::once("intvelocity", INTVELOCITY, &[]),
        &Rule::once("damper", DAMPER, &[]),
        &Rule::once("cylinder", CYLINDER, &[]),
        &Rule::once("muscle", MUSCLE_DEFAULT, &[]),
        &Rule::once("adhesion", ADHESION, &[]),
        &DEFAULT,
    ],
);

pub(super) static CUSTOM: Rule = Rule::many(
    "custom",
    &[],
    &[
        &Rule::many(
            "numeric",
            &[attrs! {
                TEXT.required() => name;
                INT => size;
                REALS => data;
            }],
            &[],
        ),
        &Rule::many("text", &[attrs! { TEXT.required() => name data; }], &[]),
        &Rule::many(
            "tuple",
            &[attrs! { TEXT.required() => name; }],
            &[&Rule::many(
                "element",
                &[attrs! {
                    TEXT.required() => objtype objname;
                    real(1) => prm;
                }],
                &[],
            )],
        ),
    ],
);

pub(super) static ASSET: Rule = Rule::many(
    "asset",
    &[],
    &[
        &Rule::many("mesh", &[NAMED, MESH_DEFAULT, MESH], &[&PLUGIN]),
        &Rule::many("hfield", &[HFIELD], &[]),
        &SKIN,
        &Rule::many("texture", &[TEXTURE], &[]),
        &Rule::many("material", &[NAMED, MATERIAL], &[&LAYER]),
        &Rule::many(
            "model",
            &[attrs! {
                TEXT => name content_type;
                TEXT.required() => file;
            }],
            &[],
        ),
    ],
);

const MESH_DEFAULT: &[Attr] = attrs! {
    real(3) => scale;
    INT => maxhullvert;
    key(&names(&words::MESH_INERTIA)) => inertia;
};

const MESH: &[Attr] = attrs! {
    TEXT => content_type file material;
    FLOATS => vertex normal texcoord;
    INTS => face;
    real(3) => refpos;
    real(4) => refquat;
    BOOL => smoothnormal;
    key(&names(&words::MESH_BUILTIN)) => builtin;
    REALS => params;
};

const HFIELD: &[Attr] = attrs! {
    TEXT => name content_type file;
    INT => nrow ncol;
    real(4).required() => size;
    FLOATS => elevation;
};

const TEXTURE: &[Attr] = attrs! {
    TEXT => name content_type file gridlayout fileright fileleft fileup filedown filefront fileback;
    key(&names(&words::TEXTURE)) => type;
    key(&names(&words::COLORSPACE)) => colorspace;
    ints(2) => gridsize;
    key(&names(&words::BUILTIN)) => builtin;
    real(3) => rgb1 rgb2 markrgb;
    key(&names(&words::MARK)) => mark;
    real(1) => random;
    INT => width height nchannel;
    BOOL => hflip vflip;
};

const MATERIAL: &[Attr] = attrs! {
    TEXT => texture;
    float(1) => emission specular shininess reflectance metallic roughness;
    float(4) => rgba;
    float(2) => texrepeat;
    BOOL => texuniform;
};

static LAYER: Rule = Rule::many("layer", &[attrs! { TEXT.required() => texture role; }], &[]);

/// Also stands in `deformable`.
pub(super) static SKIN: Rule = Rule::many(
    "skin",
    &[attrs! {
        TEXT => name file material;
        float(4) => rgba;
        float(1) => inflate;
        FLOATS => vertex texcoord;
        INTS => face;
        INT => group;
    }],
    &[&Rule::many(
        "bone",
        &[attrs! {
            TEXT.required() => body;
            float(3).required() => bindpos;
            float(4).required() => bindquat;
            INTS.required() => vertid;
            FLOATS.required() => vertweight;
        }],
        &[],
    )],
);
