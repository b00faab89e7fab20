//! Sensors.

use super::Reader;
use super::custom::object_type;
use crate::attr::Fields;
use crate::keywords;
use crate::number::words;
use crate::spec::Sensor;
use crate::xml::Element;
use sim_types::{ObjType, SensorType};

/// What a sensor names besides itself.
#[derive(Clone, Copy)]
enum Looks {
    /// One object, in the attribute called like its kind.
    At(&'static str, ObjType),
    /// An object with a frame and perhaps another one to measure in.
    AtFrame,
    /// Two geoms or bodies.
    AtPair,
    /// Nothing.
    Nowhere,
    /// By rules of its own.
    By(fn(&mut Fields<'_, '_>, &mut Sensor)),
}

const SITE: Looks = Looks::At("site", ObjType::Site);
const JOINT: Looks = Looks::At("joint", ObjType::Joint);
const TENDON: Looks = Looks::At("tendon", ObjType::Tendon);
const ACTUATOR: Looks = Looks::At("actuator", ObjType::Actuator);
const BODY: Looks = Looks::At("body", ObjType::Body);

/// Every element, what it measures and what it looks at.
const KINDS: [(&str, SensorType, Looks); 48] = [
    ("touch", SensorType::Touch, SITE),
    ("accelerometer", SensorType::Accelerometer, SITE),
    ("velocimeter", SensorType::Velocimeter, SITE),
    ("gyro", SensorType::Gyro, SITE),
    ("force", SensorType::Force, SITE),
    ("torque", SensorType::Torque, SITE),
    ("magnetometer", SensorType::Magnetometer, SITE),
    ("camprojection", SensorType::CamProjection, Looks::By(camera_projection)),
    ("rangefinder", SensorType::Rangefinder, Looks::By(rangefinder)),
    ("jointpos", SensorType::JointPos, JOINT),
    ("jointvel", SensorType::JointVel, JOINT),
    ("tendonpos", SensorType::TendonPos, TENDON),
    ("tendonvel", SensorType::TendonVel, TENDON),
    ("actuatorpos", SensorType::ActuatorPos, ACTUATOR),
    ("actuatorvel", SensorType::ActuatorVel, ACTUATOR),
    ("actuatorfrc", SensorType::ActuatorFrc, ACTUATOR),
    ("jointactuatorfrc", SensorType::JointActFrc, JOINT),
    ("tendonactuatorfrc", SensorType::TendonActFrc, TENDON),
    ("ballquat", SensorType::BallQuat, JOINT),
    ("ballangvel", SensorType::BallAngVel, JOINT),
    ("jointlimitpos", SensorType::JointLimitPos, JOINT),
    ("jointlimitvel", SensorType::JointLimitVel, JOINT),
    ("jointlimitfrc", SensorType::JointLimitFrc, JOINT),
    ("tendonlimitpos", SensorType::TendonLimitPos, TENDON),
    ("tendonlimitvel", SensorType::TendonLimitVel, TENDON),
    ("tendonlimitfrc", SensorType::TendonLimitFrc, TENDON),
    ("framepos", SensorType::FramePos, Looks::AtFrame),
    ("framequat", SensorType::FrameQuat, Looks::AtFrame),
    ("framexaxis", SensorType::FrameXAxis, Looks::AtFrame),
    ("frameyaxis", SensorType::FrameYAxis, Looks::AtFrame),
    ("framezaxis", SensorType::FrameZAxis, Looks::AtFrame),
    ("framelinvel", SensorType::FrameLinVel, Looks::AtFrame),
    ("frameangvel", SensorType::FrameAngVel, Looks::AtFrame),
    ("framelinacc", SensorType::FrameLinAcc, Looks::AtFrame),
    ("frameangacc", SensorType::FrameAngAcc, Looks::AtFrame),
    ("subtreecom", SensorType::SubtreeCom, BODY),
    ("subtreelinvel", SensorType::SubtreeLinVel, BODY),
    ("subtreeangmom", SensorType::SubtreeAngMom, BODY),
    ("insidesite", SensorType::InsideSite, Looks::By(inside_site)),
    ("distance", SensorType::GeomDist, Looks::AtPair),
    ("normal", SensorType::GeomNormal, Looks::AtPair),
    ("fromto", SensorType::GeomFromTo, Looks::AtPair),
    ("contact", SensorType::Contact, Looks::By(contact)),
    ("e_potential", SensorType::EPotential, Looks::Nowhere),
    ("e_kinetic", SensorType::EKinetic, Looks::Nowhere),
    ("clock", SensorType::Clock, Looks::Nowhere),
    ("tactile", SensorType::Tactile, Looks::By(tactile)),
    ("user", SensorType::User, Looks::By(user)),
];

/// The element of a kind of sensor; none for those that cannot be written.
pub(crate) fn sensor_word(kind: SensorType) -> Option<&'static str> {
    KINDS.iter().find(|k| k.1 == kind).map(|k| k.0)
}

pub(super) fn sensors(reader: &mut Reader<'_>, section: Element<'_>) {
    for element in section.children() {
        let Some((_, kind, looks)) = KINDS.into_iter().find(|k| k.0 == element.name()) else {
            reader.unsupported(element);
            continue;
        };
        let mut s = Sensor { r#type: kind, at: element.at(), ..Sensor::default() };
        let mut f = reader.fields(element);
        f.get("name", &mut s.name);
        f.get("cutoff", &mut s.cutoff);
        f.get("noise", &mut s.noise);
        f.get("nsample", &mut s.nsample);
        f.key("interp", &mut s.interp, &keywords::INTERP);
        f.get("delay", &mut s.delay);
        f.overlay("interval", &mut s.interval);
        f.get("user", &mut s.user);
        match looks {
            Looks::At(attribute, objtype) => {
                s.objtype = objtype;
                f.get(attribute, &mut s.objname);
            }
            Looks::AtFrame => frame(&mut f, &mut s),
            Looks::AtPair => pair(&mut f, &mut s),
            Looks::Nowhere => {}
            Looks::By(read) => read(&mut f, &mut s),
        }
        reader.spec.sensors.push(s);
    }
}

/// Reads `objtype` and `objname`, `reftype` and `refname`.
fn frame(f: &mut Fields<'_, '_>, s: &mut Sensor) {
    object(f, s);
    let reference = f.get("refname", &mut s.refname);
    match f.element.attribute("reftype") {
        None if reference => f.refuse("refname needs reftype: the kind of the reference object"),
        None => {}
        Some(_) if !reference => f.refuse("reftype needs refname: the name of the reference object"),
        Some(word) => {
            s.reftype = object_type(word).unwrap_or_default();
            if s.reftype == ObjType::Unknown {
                let at = f.element.attribute_at("reftype");
                f.problems.warn(&at, format!("'{word}' is no kind of object: the reference is not used"));
            }
        }
    }
}

/// Reads `objtype` and `objname`.
fn object(f: &mut Fields<'_, '_>, s: &mut Sensor) {
    f.get("objname", &mut s.objname);
    match f.element.attribute("objtype").and_then(object_type) {
        Some(kind) => s.objtype = kind,
        None => {
            f.wrong("objtype", "one of body, xbody, geom, site, camera");
        }
    }
}

fn pair(f: &mut Fields<'_, '_>, s: &mut Sensor) {
    let first = [("body1", ObjType::Body), ("geom1", ObjType::Geom)];
    let second = [("body2", ObjType::Body), ("geom2", ObjType::Geom)];
    if one_of(f, &first, (&mut s.objtype, &mut s.objname)) != 1 {
        f.refuse("give exactly one of geom1, body1");
    }
    if one_of(f, &second, (&mut s.reftype, &mut s.refname)) != 1 {
        f.refuse("give exactly one of geom2, body2");
    }
}

fn camera_projection(f: &mut Fields<'_, '_>, s: &mut Sensor) {
    (s.objtype, s.reftype) = (ObjType::Site, ObjType::Camera);
    f.get("site", &mut s.objname);
    f.get("camera", &mut s.refname);
}

fn inside_site(f: &mut Fields<'_, '_>, s: &mut Sensor) {
    s.reftype = ObjType::Site;
    f.get("site", &mut s.refname);
    object(f, s);
}

fn rangefinder(f: &mut Fields<'_, '_>, s: &mut Sensor) {
    let from = [("site", ObjType::Site), ("camera", ObjType::Camera)];
    if one_of(f, &from, (&mut s.objtype, &mut s.objname)) != 1 {
        f.refuse("give exactly one of site, camera");
    }
    s.intprm[0] = bits(f, &keywords::RAY_DATA);
}

fn contact(f: &mut Fields<'_, '_>, s: &mut Sensor) {
    let first =
        [("site", ObjType::Site), ("body1", ObjType::Body), ("subtree1", ObjType::XBody), ("geom1", ObjType::Geom)];
    let second = [("body2", ObjType::Body), ("subtree2", ObjType::XBody), ("geom2", ObjType::Geom)];
    if one_of(f, &first, (&mut s.objtype, &mut s.objname)) > 1 {
        f.refuse("give at most one of geom1, body1, subtree1, site");
    }
    if one_of(f, &second, (&mut s.reftype, &mut s.refname)) > 1 {
        f.refuse("give at most one of geom2, body2, subtree2");
    }
    s.intprm = [bits(f, &keywords::CONTACT_DATA), 0, 1];
    f.key("reduce", &mut s.intprm[1], &keywords::REDUCE);
    f.get("num", &mut s.intprm[2]);
    if s.intprm[2] <= 0 {
        f.wrong("num", "a positive number");
    }
}

fn tactile(f: &mut Fields<'_, '_>, s: &mut Sensor) {
    (s.objtype, s.reftype) = (ObjType::Mesh, ObjType::Geom);
    f.get("mesh", &mut s.objname);
    f.get("geom", &mut s.refname);
}

fn user(f: &mut Fields<'_, '_>, s: &mut Sensor) {
    let named = f.get("objname", &mut s.objname);
    match f.element.attribute("objtype") {
        Some(word) if named => s.objtype = object_type(word).unwrap_or_default(),
        Some(_) => f.refuse("objtype needs objname: the name of the object"),
        None if named => f.refuse("objname needs objtype: the kind of the object"),
        None => {}
    }
    f.get("dim", &mut s.dim);
    f.key("needstage", &mut s.needstage, &keywords::STAGE);
    f.key("datatype", &mut s.datatype, &keywords::DATA_TYPE);
}

/// Reads the attributes that name one object of different kinds; returns how many are given.
fn one_of(f: &mut Fields<'_, '_>, names: &[(&str, ObjType)], (objtype, objname): (&mut ObjType, &mut String)) -> usize {
    let mut given = 0;
    for (name, kind) in names {
        if f.get(name, objname) {
            *objtype = *kind;
            given += 1;
        }
    }
    given
}

/// The words of `data` as bits; the first one alone if there are none. They must be in the order of the table.
fn bits(f: &mut Fields<'_, '_>, table: &[&str]) -> i32 {
    let mut found = 0;
    for word in words(f.element.attribute("data").unwrap_or_default()) {
        let Some(bit) = table.iter().position(|w| *w == word) else { continue };
        if found >> bit != 0 {
            f.wrong("data", format!("these words in this order: {}", table.join(", ")));
            break;
        }
        found |= 1 << bit;
    }
    found.max(1)
}
