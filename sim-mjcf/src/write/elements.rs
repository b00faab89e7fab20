//! Records of elements and classes: the attributes that differ from those of the class.

use super::text::{Xml, diff};
use crate::keywords;
use crate::spec::{
    Actuator, Camera, DefaultClass, Equality, Geom, Interp, Joint, Light, Material, Mesh, Orientation, Pair, Site,
    Tendon,
};
use sim_types::{BiasType, DynType, GainType, Quat};

/// Writes the elements of a class.
pub(super) fn class(w: &mut Xml, class: &DefaultClass, base: &DefaultClass) {
    /// An element that is left out if it says nothing.
    macro_rules! element {
        ($name:literal, $write:ident, $field:ident) => {
            w.start($name);
            $write(w, &class.$field, &base.$field);
            w.end_unless_empty();
        };
    }
    element!("mesh", mesh, mesh);
    element!("material", material, material);
    element!("joint", joint, joint);
    element!("geom", geom, geom);
    element!("site", site, site);
    element!("camera", camera, camera);
    element!("light", light, light);
    element!("pair", pair, pair);
    element!("equality", equality, equality);
    element!("tendon", tendon, tendon);
    class_actuator(w, &class.actuator, &base.actuator);
}

pub(super) fn joint(w: &mut Xml, a: &Joint, b: &Joint) {
    w.key("type", a.r#type, b.r#type, &keywords::JOINT);
    diff!(w, a, b:
        "group" => group;
        "pos" => pos;
        "axis" => axis;
        "ref" => r#ref;
        "springdamper" => springdamper;
        "stiffness" => stiffness;
        "springref" => springref;
    );
    w.key("limited", a.limited, b.limited, &keywords::LIMITED);
    diff!(w, a, b:
        "range" => range;
        "margin" => margin;
        "solreflimit" => solref_limit;
        "solimplimit" => solimp_limit;
    );
    w.key("actuatorfrclimited", a.actfrclimited, b.actfrclimited, &keywords::LIMITED);
    diff!(w, a, b:
        "actuatorfrcrange" => actfrcrange;
        "actuatorgravcomp" => actgravcomp;
        "armature" => armature;
        "damping" => damping;
        "frictionloss" => frictionloss;
        "solreffriction" => solref_friction;
        "solimpfriction" => solimp_friction;
    );
    user(w, &a.user, &b.user);
}

pub(super) fn geom(w: &mut Xml, a: &Geom, b: &Geom) {
    w.key("type", a.r#type, b.r#type, &keywords::GEOM);
    diff!(w, a, b:
        "mesh" => mesh;
        "hfield" => hfield;
        "fitscale" => fitscale;
        "size" => size;
    );
    from_to(w, a.fromto, b.fromto);
    w.diff("pos", &a.pos, &b.pos);
    orientation(w, (a.quat, a.alt), (b.quat, b.alt));
    diff!(w, a, b:
        "contype" => contype;
        "conaffinity" => conaffinity;
        "condim" => condim;
        "group" => group;
        "priority" => priority;
        "friction" => friction;
        "solmix" => solmix;
        "solref" => solref;
        "solimp" => solimp;
        "margin" => margin;
        "gap" => gap;
    );
    // a NaN takes the mass of the class back
    let mass = |mass: Option<f64>| mass.unwrap_or(f64::NAN);
    w.diff("mass", &mass(a.mass), &mass(b.mass));
    w.diff("density", &a.density, &b.density);
    w.key("shellinertia", a.typeinertia, b.typeinertia, &keywords::SHELL);
    w.key("fluidshape", a.fluid_ellipsoid, b.fluid_ellipsoid, &keywords::FLUID_SHAPE);
    diff!(w, a, b:
        "fluidcoef" => fluid_coefs;
        "material" => material;
        "rgba" => rgba;
    );
    user(w, &a.user, &b.user);
}

pub(super) fn site(w: &mut Xml, a: &Site, b: &Site) {
    w.key("type", a.r#type, b.r#type, &keywords::GEOM);
    w.diff("size", &a.size, &b.size);
    from_to(w, a.fromto, b.fromto);
    w.diff("pos", &a.pos, &b.pos);
    orientation(w, (a.quat, a.alt), (b.quat, b.alt));
    diff!(w, a, b:
        "group" => group;
        "material" => material;
        "rgba" => rgba;
    );
    user(w, &a.user, &b.user);
}

pub(super) fn camera(w: &mut Xml, a: &Camera, b: &Camera) {
    w.key("mode", a.mode, b.mode, &keywords::CAMLIGHT);
    w.diff("pos", &a.pos, &b.pos);
    orientation(w, (a.quat, a.alt), (b.quat, b.alt));
    w.key("projection", a.projection, b.projection, &keywords::PROJECTION);
    w.diff("resolution", &a.resolution, &b.resolution);
    if a.output != b.output {
        let words: Vec<&str> =
            keywords::CAMERA_OUTPUT.iter().filter(|(_, bit)| a.output & bit != 0).map(|(word, _)| *word).collect();
        w.set("output", words.join(" ").as_str());
    }
    // a sensor decides the field of view
    if a.sensor_size == b.sensor_size {
        w.diff("fovy", &a.fovy, &b.fovy);
    }
    diff!(w, a, b:
        "ipd" => ipd;
        "sensorsize" => sensor_size;
        "focal" => focal_length;
        "focalpixel" => focal_pixel;
        "principal" => principal_length;
        "principalpixel" => principal_pixel;
    );
    // the numbers of a class do not carry over
    w.diff("user", &a.user, &Vec::new());
}

pub(super) fn light(w: &mut Xml, a: &Light, b: &Light) {
    w.key("mode", a.mode, b.mode, &keywords::CAMLIGHT);
    w.key("type", a.r#type, b.r#type, &keywords::LIGHT);
    diff!(w, a, b:
        "pos" => pos;
        "dir" => dir;
        "active" => active;
        "castshadow" => castshadow;
        "bulbradius" => bulbradius;
        "intensity" => intensity;
        "range" => range;
        "attenuation" => attenuation;
        "cutoff" => cutoff;
        "exponent" => exponent;
        "ambient" => ambient;
        "diffuse" => diffuse;
        "specular" => specular;
    );
}

/// Writes what a class can say about meshes.
pub(super) fn mesh(w: &mut Xml, a: &Mesh, b: &Mesh) {
    w.diff("scale", &a.scale, &b.scale);
    w.key("inertia", a.inertia, b.inertia, &keywords::MESH_INERTIA);
    w.diff("maxhullvert", &a.maxhullvert, &b.maxhullvert);
}

/// Writes a material; textures other than the first one become elements inside.
pub(super) fn material(w: &mut Xml, a: &Material, b: &Material) {
    let texture = |m: &Material, role: usize| m.textures.get(role).cloned().unwrap_or_default();
    let roles = keywords::TEXTURE_ROLE.into_iter().filter(|(_, role)| texture(a, *role) != texture(b, *role));
    let roles: Vec<(&str, usize)> = roles.collect();
    let single = matches!(roles.as_slice(), [("rgb", _)]);
    if single {
        w.set("texture", &texture(a, 1));
    }
    diff!(w, a, b:
        "texuniform" => texuniform;
        "texrepeat" => texrepeat;
        "emission" => emission;
        "specular" => specular;
        "shininess" => shininess;
        "reflectance" => reflectance;
        "metallic" => metallic;
        "roughness" => roughness;
        "rgba" => rgba;
    );
    for (word, role) in roles.into_iter().filter(|_| !single) {
        w.start("layer");
        w.set("role", word);
        w.set("texture", &texture(a, role));
        w.end();
    }
}

pub(super) fn pair(w: &mut Xml, a: &Pair, b: &Pair) {
    diff!(w, a, b:
        "condim" => condim;
        "friction" => friction;
        "solref" => solref;
        "solreffriction" => solreffriction;
        "solimp" => solimp;
        "margin" => margin;
        "gap" => gap;
    );
}

pub(super) fn equality(w: &mut Xml, a: &Equality, b: &Equality) {
    diff!(w, a, b:
        "active" => active;
        "solref" => solref;
        "solimp" => solimp;
    );
}

/// Writes what spatial tendons and classes can say.
pub(super) fn tendon(w: &mut Xml, a: &Tendon, b: &Tendon) {
    any_tendon(w, a, b);
    diff!(w, a, b:
        "width" => width;
        "material" => material;
        "rgba" => rgba;
    );
}

/// Writes what every tendon can say.
pub(super) fn any_tendon(w: &mut Xml, a: &Tendon, b: &Tendon) {
    w.diff("group", &a.group, &b.group);
    w.key("limited", a.limited, b.limited, &keywords::LIMITED);
    diff!(w, a, b:
        "range" => range;
        "margin" => margin;
        "solreflimit" => solref_limit;
        "solimplimit" => solimp_limit;
        "stiffness" => stiffness;
        "springlength" => springlength;
        "damping" => damping;
        "frictionloss" => frictionloss;
        "solreffriction" => solref_friction;
        "solimpfriction" => solimp_friction;
    );
    user(w, &a.user, &b.user);
}

/// Writes the gain, bias and dynamics of an actuator, and what all actuators share.
pub(super) fn general(w: &mut Xml, a: &Actuator, b: &Actuator) {
    any_actuator(w, a, b);
    w.key("actlimited", a.actlimited, b.actlimited, &keywords::LIMITED);
    diff!(w, a, b:
        "actrange" => actrange;
        "actdim" => actdim;
        "actearly" => actearly;
    );
    w.key("dyntype", a.dyntype, b.dyntype, &keywords::DYNAMICS);
    w.diff("dynprm", &a.dynprm, &b.dynprm);
    w.key("gaintype", a.gaintype, b.gaintype, &keywords::GAIN);
    w.diff("gainprm", &a.gainprm, &b.gainprm);
    w.key("biastype", a.biastype, b.biastype, &keywords::BIAS);
    w.diff("biasprm", &a.biasprm, &b.biasprm);
}

/// Writes a servo that takes over the range of what it moves, which only its shortcuts can say.
pub(super) fn servo(w: &mut Xml, a: &Actuator, b: &Actuator) {
    any_actuator(w, a, b);
    w.diff("kp", &a.gainprm[0], &b.gainprm[0]);
    if a.biasprm[2] > 0.0 {
        w.diff("dampratio", &a.biasprm[2], &b.biasprm[2]);
    } else {
        w.diff("kv", &-a.biasprm[2], &-b.biasprm[2]);
    }
    match a.dyntype {
        DynType::Integrator => w.diff("actrange", &a.actrange, &b.actrange),
        DynType::FilterExact => w.set("timeconst", &a.dynprm[0]),
        _ if b.dyntype != DynType::None => w.set("timeconst", &0.0),
        _ => {}
    }
    w.diff("inheritrange", &a.inheritrange, &b.inheritrange);
}

/// True if an actuator is what `position` or `intvelocity` makes.
pub(super) fn is_servo(a: &Actuator) -> bool {
    let moves = matches!(a.dyntype, DynType::None | DynType::FilterExact | DynType::Integrator);
    moves && a.gaintype == GainType::Fixed && a.biastype == BiasType::Affine && a.gainprm[0] == -a.biasprm[1]
}

/// Writes the actuators of a class: all kinds share one record.
fn class_actuator(w: &mut Xml, a: &Actuator, b: &Actuator) {
    let mut base = b.clone();
    if a.inheritrange.to_bits() != b.inheritrange.to_bits() {
        // what follows undoes the rest of what this does
        w.start("position");
        w.set("inheritrange", &a.inheritrange);
        w.end();
        base.biasprm[1] = -base.gainprm[0];
        (base.gaintype, base.biastype) = (GainType::Fixed, BiasType::Affine);
    }
    w.start("general");
    general(w, a, &base);
    w.end_unless_empty();
}

fn any_actuator(w: &mut Xml, a: &Actuator, b: &Actuator) {
    diff!(w, a, b:
        "group" => group;
        "nsample" => nsample;
    );
    interp(w, a.interp, b.interp);
    w.diff("delay", &a.delay, &b.delay);
    w.key("ctrllimited", a.ctrllimited, b.ctrllimited, &keywords::LIMITED);
    w.diff("ctrlrange", &a.ctrlrange, &b.ctrlrange);
    w.key("forcelimited", a.forcelimited, b.forcelimited, &keywords::LIMITED);
    diff!(w, a, b:
        "forcerange" => forcerange;
        "gear" => gear;
        "cranklength" => cranklength;
    );
    user(w, &a.user, &b.user);
}

pub(super) fn interp(w: &mut Xml, a: Interp, b: Interp) {
    w.key("interp", a, b, &keywords::INTERP);
}

/// Writes an orientation: a quaternion, and what beats it.
pub(super) fn orientation(w: &mut Xml, a: (Quat, Option<Orientation>), b: (Quat, Option<Orientation>)) {
    match a.1 {
        None if b.1.is_none() => w.diff("quat", &a.0, &b.0),
        // a plain quaternion would not beat that of the class
        None => {
            let m = a.0.normalized().to_mat();
            w.set("xyaxes", &[m[(0, 0)], m[(1, 0)], m[(2, 0)], m[(0, 1)], m[(1, 1)], m[(2, 1)]]);
        }
        alt if alt == b.1 => {}
        Some(Orientation::AxisAngle(x)) => w.set("axisangle", &x),
        Some(Orientation::XyAxes(x)) => w.set("xyaxes", &x),
        Some(Orientation::ZAxis(x)) => w.set("zaxis", &x),
        Some(Orientation::Euler(x)) => w.set("euler", &x),
    }
}

/// Writes two end points; NaNs take those of the class back.
fn from_to(w: &mut Xml, a: Option<[f64; 6]>, b: Option<[f64; 6]>) {
    let absent = [f64::NAN; 6];
    w.diff("fromto", &a.unwrap_or(absent), &b.unwrap_or(absent));
}

/// Writes user numbers; missing ones are zeros.
pub(super) fn user(w: &mut Xml, a: &[f64], b: &[f64]) {
    const ZERO: &[f64] = &[0.0];
    w.diff("user", if a.is_empty() && !b.is_empty() { ZERO } else { a }, b);
}
