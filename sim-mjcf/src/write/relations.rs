//! Everything outside of the tree and the assets: custom data, contacts, constraints, tendons, actuators, sensors, keyframes.

use super::elements;
use super::text::{Xml, diff};
use crate::keywords;
use crate::parse::{object_word, sensor_word};
use crate::spec::{Actuator, Equality, PathObject, Sensor, Spec, Tendon};
use sim_types::{DynType, EqType, ObjType, SensorType, TrnType};

pub(super) fn custom(w: &mut Xml, spec: &Spec) {
    w.start("custom");
    for n in &spec.numerics {
        w.start("numeric");
        w.name("name", &n.name);
        if let Some(size) = n.size {
            w.set("size", &size);
        }
        w.diff("data", &n.data, &Vec::new());
        w.end();
    }
    for t in &spec.texts {
        w.start("text");
        w.name("name", &t.name);
        w.set("data", &t.data);
        w.end();
    }
    for t in &spec.tuples {
        w.start("tuple");
        w.name("name", &t.name);
        for e in &t.elements {
            w.start("element");
            w.set("objtype", object_word(e.objtype));
            w.set("objname", &e.objname);
            w.diff("prm", &e.prm, &0.0);
            w.end();
        }
        w.end();
    }
    w.end_unless_empty();
}

pub(super) fn contact(w: &mut Xml, spec: &Spec) {
    w.start("contact");
    for p in &spec.pairs {
        w.start("pair");
        w.name("name", &p.name);
        spec.put_class(w, p.class, Spec::MAIN);
        w.name("geom1", &p.geom1);
        w.name("geom2", &p.geom2);
        if let Some(class) = spec.class_or_main(p.class) {
            elements::pair(w, p, &class.pair);
        }
        w.end();
    }
    for e in &spec.excludes {
        w.start("exclude");
        w.name("name", &e.name);
        w.set("body1", &e.body1);
        w.set("body2", &e.body2);
        w.end();
    }
    w.end_unless_empty();
}

pub(super) fn equality(w: &mut Xml, spec: &Spec) {
    w.start("equality");
    for e in &spec.equalities {
        w.start(match e.r#type {
            EqType::Connect => "connect",
            EqType::Weld => "weld",
            EqType::Joint => "joint",
            EqType::Tendon => "tendon",
            EqType::FlexVert => "flexvert",
            _ => "flex",
        });
        w.name("name", &e.name);
        spec.put_class(w, e.class, Spec::MAIN);
        match e.r#type {
            EqType::Connect | EqType::Weld => between_frames(w, e),
            EqType::Joint => polynomial(w, e, ["joint1", "joint2"]),
            EqType::Tendon => polynomial(w, e, ["tendon1", "tendon2"]),
            _ => w.set("flex", &e.name1),
        }
        if let Some(class) = spec.class_or_main(e.class) {
            elements::equality(w, e, &class.equality);
        }
        w.end();
    }
    w.end_unless_empty();
}

fn between_frames(w: &mut Xml, e: &Equality) {
    let weld = e.r#type == EqType::Weld;
    if e.objtype == ObjType::Site {
        w.set("site1", &e.name1);
        w.set("site2", &e.name2);
    } else {
        w.set("body1", &e.name1);
        w.name("body2", &e.name2);
        if weld {
            w.diff("anchor", &e.data[..3], &[0.0; 3]);
            w.diff("relpose", &e.data[3..10], &[0.0; 7]);
        } else {
            w.set("anchor", &e.data[..3]);
        }
    }
    if weld {
        w.diff("torquescale", &e.data[10], &1.0);
    }
}

fn polynomial(w: &mut Xml, e: &Equality, [first, second]: [&str; 2]) {
    w.set(first, &e.name1);
    w.name(second, &e.name2);
    w.diff("polycoef", &e.data[..5], &Equality::default().data[..5]);
}

pub(super) fn tendon(w: &mut Xml, spec: &Spec) {
    w.start("tendon");
    for t in &spec.tendons {
        let fixed = matches!(t.path.first().map(|wrap| &wrap.object), Some(PathObject::Joint { .. }));
        w.start(if fixed { "fixed" } else { "spatial" });
        w.name("name", &t.name);
        spec.put_class(w, t.class, Spec::MAIN);
        if let Some(class) = spec.class_or_main(t.class) {
            if fixed {
                elements::any_tendon(w, t, &class.tendon);
            } else {
                elements::tendon(w, t, &class.tendon);
            }
        }
        // classes cannot say these
        let base = &Tendon::default();
        w.key("actuatorfrclimited", t.actfrclimited, base.actfrclimited, &keywords::LIMITED);
        diff!(w, t, base:
            "actuatorfrcrange" => actfrcrange;
            "armature" => armature;
        );
        for wrap in &t.path {
            path_object(w, &wrap.object);
        }
        w.end();
    }
    w.end_unless_empty();
}

fn path_object(w: &mut Xml, object: &PathObject) {
    match object {
        PathObject::Joint { joint, coef } => {
            w.start("joint");
            w.set("joint", joint);
            w.set("coef", coef);
        }
        PathObject::Site { site } => {
            w.start("site");
            w.set("site", site);
        }
        PathObject::Geom { geom, sidesite } => {
            w.start("geom");
            w.set("geom", geom);
            w.name("sidesite", sidesite);
        }
        PathObject::Pulley { divisor } => {
            w.start("pulley");
            w.set("divisor", divisor);
        }
    }
    w.end();
}

pub(super) fn actuator(w: &mut Xml, spec: &Spec) {
    w.start("actuator");
    for a in &spec.actuators {
        let Some(class) = spec.class_or_main(a.class) else { continue };
        let base = &class.actuator;
        // `general` does everything except taking over a range
        let inherits = elements::is_servo(a) && a.inheritrange.to_bits() != base.inheritrange.to_bits();
        w.start(match a.dyntype {
            DynType::Integrator if inherits => "intvelocity",
            _ if inherits => "position",
            _ => "general",
        });
        w.name("name", &a.name);
        spec.put_class(w, a.class, Spec::MAIN);
        target(w, a);
        w.diff("lengthrange", &a.lengthrange, &[0.0; 2]);
        if inherits {
            elements::servo(w, a, base);
        } else {
            elements::general(w, a, base);
        }
        w.end();
    }
    w.end_unless_empty();
}

fn target(w: &mut Xml, a: &Actuator) {
    match a.trntype {
        TrnType::Joint => w.set("joint", &a.target),
        TrnType::JointInParent => w.set("jointinparent", &a.target),
        TrnType::Tendon => w.set("tendon", &a.target),
        TrnType::SliderCrank => w.set("cranksite", &a.target),
        TrnType::Site => w.set("site", &a.target),
        TrnType::Body => w.set("body", &a.target),
        TrnType::Undefined => {}
    }
    w.name("slidersite", &a.slidersite);
    w.name("refsite", &a.refsite);
}

pub(super) fn sensor(w: &mut Xml, spec: &Spec) {
    w.start("sensor");
    let b = &Sensor::default();
    for s in &spec.sensors {
        let Some(word) = sensor_word(s.r#type) else { continue };
        w.start(word);
        w.name("name", &s.name);
        objects(w, s);
        diff!(w, s, b:
            "cutoff" => cutoff;
            "noise" => noise;
            "nsample" => nsample;
        );
        elements::interp(w, s.interp, b.interp);
        diff!(w, s, b:
            "delay" => delay;
            "interval" => interval;
            "user" => user;
        );
        w.end();
    }
    w.end_unless_empty();
}

/// Writes what a sensor looks at, and how.
fn objects(w: &mut Xml, s: &Sensor) {
    use SensorType as T;
    match s.r#type {
        T::CamProjection => {
            w.set("site", &s.objname);
            w.set("camera", &s.refname);
        }
        T::Rangefinder => {
            w.set(object_word(s.objtype), &s.objname);
            words(w, s.intprm[0], &keywords::RAY_DATA);
        }
        T::GeomDist | T::GeomNormal | T::GeomFromTo | T::Contact => {
            numbered(w, s.objtype, 1, &s.objname);
            numbered(w, s.reftype, 2, &s.refname);
            if s.r#type == T::Contact {
                words(w, s.intprm[0], &keywords::CONTACT_DATA);
                w.key("reduce", s.intprm[1], 0, &keywords::REDUCE);
                w.diff("num", &s.intprm[2], &1);
            }
        }
        T::Tactile => {
            w.set("mesh", &s.objname);
            w.set("geom", &s.refname);
        }
        T::InsideSite => {
            w.set("site", &s.refname);
            frame(w, s);
        }
        T::User => {
            if s.objtype != ObjType::Unknown {
                frame(w, s);
            }
            w.set("dim", &s.dim);
            w.key("needstage", s.needstage, Sensor::default().needstage, &keywords::STAGE);
            w.key("datatype", s.datatype, Sensor::default().datatype, &keywords::DATA_TYPE);
        }
        T::FramePos
        | T::FrameQuat
        | T::FrameXAxis
        | T::FrameYAxis
        | T::FrameZAxis
        | T::FrameLinVel
        | T::FrameAngVel
        | T::FrameLinAcc
        | T::FrameAngAcc => {
            frame(w, s);
            if s.reftype != ObjType::Unknown {
                w.set("reftype", object_word(s.reftype));
                w.set("refname", &s.refname);
            }
        }
        _ if s.objtype == ObjType::Unknown => {}
        _ => w.set(object_word(s.objtype), &s.objname),
    }
}

fn frame(w: &mut Xml, s: &Sensor) {
    w.set("objtype", object_word(s.objtype));
    w.set("objname", &s.objname);
}

/// Writes one of two objects in the attribute called like its kind and number.
fn numbered(w: &mut Xml, kind: ObjType, number: u32, name: &str) {
    match kind {
        ObjType::Unknown => {}
        ObjType::Site => w.set("site", name),
        ObjType::XBody => w.set(&format!("subtree{number}"), name),
        kind => w.set(&format!("{}{number}", object_word(kind)), name),
    }
}

/// Writes bits as words, unless it is the first one alone.
fn words(w: &mut Xml, bits: i32, table: &[&str]) {
    if bits != 1 {
        let words: Vec<&str> =
            table.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, word)| *word).collect();
        w.set("data", words.join(" ").as_str());
    }
}

pub(super) fn keyframe(w: &mut Xml, spec: &Spec) {
    w.start("keyframe");
    for k in &spec.keys {
        w.start("key");
        w.name("name", &k.name);
        w.diff("time", &k.time, &0.0);
        for (name, numbers) in [
            ("qpos", &k.qpos),
            ("qvel", &k.qvel),
            ("act", &k.act),
            ("mpos", &k.mpos),
            ("mquat", &k.mquat),
            ("ctrl", &k.ctrl),
        ] {
            w.diff(name, numbers, &Vec::new());
        }
        w.end();
    }
    w.end_unless_empty();
}
