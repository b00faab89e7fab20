//! Actuators: what they act on, and the shortcuts that fill in gain, bias and dynamics.

use super::Reader;
use crate::attr::Fields;
use crate::error::Problems;
use crate::keywords;
use crate::spec::{Actuator, Limited, Spec};
use crate::xml::Element;
use sim_types::{BiasType, DynType, GainType, TrnType};
use std::f64::consts::PI;

pub(super) fn actuators(reader: &mut Reader<'_>, section: Element<'_>) {
    for element in section.children() {
        if element.name() == "plugin" {
            reader.unsupported(element);
            continue;
        }
        let class = reader.class(element, "class").unwrap_or(Spec::MAIN);
        let start = reader.spec.defaults.get(class).map(|d| d.actuator.clone()).unwrap_or_default();
        let mut record = Actuator { class, at: element.at(), ..start };
        actuator(element, &mut record, reader.problems);
        reader.spec.actuators.push(record);
    }
}

/// Reads the attributes of an actuator, or of a class's actuators. A class has one record for all kinds.
pub(crate) fn actuator(element: Element<'_>, a: &mut Actuator, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("name", &mut a.name);
    f.get("group", &mut a.group);
    f.get("nsample", &mut a.nsample);
    f.key("interp", &mut a.interp, &keywords::INTERP);
    f.get("delay", &mut a.delay);
    f.key("ctrllimited", &mut a.ctrllimited, &keywords::LIMITED);
    f.key("forcelimited", &mut a.forcelimited, &keywords::LIMITED);
    f.key("actlimited", &mut a.actlimited, &keywords::LIMITED);
    f.get("ctrlrange", &mut a.ctrlrange);
    f.get("forcerange", &mut a.forcerange);
    f.get("actrange", &mut a.actrange);
    f.get("lengthrange", &mut a.lengthrange);
    f.overlay("gear", &mut a.gear);
    f.get("user", &mut a.user);
    transmission(&mut f, a);
    let done = match element.name() {
        "general" => {
            general(&mut f, a);
            Ok(())
        }
        "motor" => {
            a.gainprm[0] = 1.0;
            set_types(a, DynType::None, GainType::Fixed, BiasType::None);
            Ok(())
        }
        "position" => position(&mut f, a),
        "intvelocity" => integrated_velocity(&mut f, a),
        "velocity" => {
            velocity(&mut f, a);
            Ok(())
        }
        "damper" => damper(&mut f, a),
        "cylinder" => {
            cylinder(&mut f, a);
            Ok(())
        }
        "muscle" => muscle(&mut f, a),
        _ => adhesion(&mut f, a),
    };
    if let Err(message) = done {
        f.refuse(message);
    }
}

/// Reads what the actuator acts on.
fn transmission(f: &mut Fields<'_, '_>, a: &mut Actuator) {
    const TARGETS: [(&str, TrnType); 6] = [
        ("joint", TrnType::Joint),
        ("jointinparent", TrnType::JointInParent),
        ("tendon", TrnType::Tendon),
        ("cranksite", TrnType::SliderCrank),
        ("site", TrnType::Site),
        ("body", TrnType::Body),
    ];
    let mut given = 0;
    for (name, kind) in TARGETS {
        if f.get(name, &mut a.target) {
            a.trntype = kind;
            given += 1;
        }
    }
    if given > 1 {
        f.refuse("it acts on one thing: give only one of joint, jointinparent, tendon, cranksite, site, body");
    }
    let rod = f.get("cranklength", &mut a.cranklength);
    let slider = f.get("slidersite", &mut a.slidersite);
    if (rod || slider) && !matches!(a.trntype, TrnType::SliderCrank | TrnType::Undefined) {
        f.refuse("cranklength and slidersite belong to an actuator with a cranksite");
    }
    let refsite = f.get("refsite", &mut a.refsite);
    if refsite && !matches!(a.trntype, TrnType::Site | TrnType::Undefined) {
        f.refuse("refsite belongs to an actuator with a site");
    }
}

fn general(f: &mut Fields<'_, '_>, a: &mut Actuator) {
    f.key("dyntype", &mut a.dyntype, &keywords::DYNAMICS);
    f.key("gaintype", &mut a.gaintype, &keywords::GAIN);
    f.key("biastype", &mut a.biastype, &keywords::BIAS);
    f.get("actearly", &mut a.actearly);
    f.overlay("dynprm", &mut a.dynprm);
    f.overlay("gainprm", &mut a.gainprm);
    f.overlay("biasprm", &mut a.biasprm);
    f.get("actdim", &mut a.actdim);
}

/// A shortcut that was done, or the rule it breaks.
type Done = Result<(), &'static str>;

/// A position servo. What a rule stops before its end stays half done.
#[doc(alias = "mjs_setToPosition")]
fn position(f: &mut Fields<'_, '_>, a: &mut Actuator) -> Done {
    let mut kp = a.gainprm[0];
    let [mut kv, mut dampratio, mut timeconst]: [Option<f64>; 3] = [None; 3];
    f.get("kp", &mut kp);
    f.maybe("kv", &mut kv);
    f.maybe("dampratio", &mut dampratio);
    f.maybe("timeconst", &mut timeconst);
    let mut inherit = a.inheritrange;
    f.get("inheritrange", &mut inherit);

    a.gainprm[0] = kp;
    a.biasprm[1] = -kp;
    // the third number is damping when negative, a damping ratio when positive
    match (kv, dampratio) {
        (Some(_), Some(_)) => return Err("kv and dampratio cannot both be given"),
        (Some(kv), None) if kv < 0.0 => return Err("kv cannot be negative"),
        (None, Some(ratio)) if ratio < 0.0 => return Err("dampratio cannot be negative"),
        (Some(kv), None) => a.biasprm[2] = -kv,
        (None, Some(ratio)) => a.biasprm[2] = ratio,
        (None, None) => {}
    }
    if let Some(time) = timeconst {
        if time < 0.0 {
            return Err("timeconst cannot be negative");
        }
        a.dynprm[0] = time;
        a.dyntype = if time == 0.0 { DynType::None } else { DynType::FilterExact };
    }
    a.inheritrange = inherit;
    if inherit > 0.0 && a.ctrlrange != [0.0; 2] {
        return Err("ctrlrange and inheritrange cannot both be given");
    }
    a.gaintype = GainType::Fixed;
    a.biastype = BiasType::Affine;
    Ok(())
}

/// A position servo whose set point is the integral of the control. A broken rule of the servo is only a warning.
#[doc(alias = "mjs_setToIntVelocity")]
fn integrated_velocity(f: &mut Fields<'_, '_>, a: &mut Actuator) -> Done {
    if let Err(message) = position(f, a) {
        let at = f.element.at();
        f.problems.warn(&at, format!("<intvelocity>: {message}; it stays without feedback"));
    }
    a.dyntype = DynType::Integrator;
    a.actlimited = Limited::True;
    if a.inheritrange > 0.0 && a.actrange != [0.0; 2] {
        return Err("actrange and inheritrange cannot both be given");
    }
    Ok(())
}

#[doc(alias = "mjs_setToVelocity")]
fn velocity(f: &mut Fields<'_, '_>, a: &mut Actuator) {
    let mut kv = a.gainprm[0];
    f.get("kv", &mut kv);
    a.biasprm = [0.0; 10];
    a.gainprm[0] = kv;
    a.biasprm[2] = -kv;
    set_types(a, DynType::None, GainType::Fixed, BiasType::Affine);
}

#[doc(alias = "mjs_setToDamper")]
fn damper(f: &mut Fields<'_, '_>, a: &mut Actuator) -> Done {
    let mut kv = 0.0;
    f.get("kv", &mut kv);
    a.gainprm = [0.0; 10];
    a.gainprm[2] = -kv;
    a.ctrllimited = Limited::True;
    set_types(a, DynType::None, GainType::Affine, BiasType::None);
    if kv < 0.0 {
        return Err("kv cannot be negative");
    }
    if a.ctrlrange.iter().any(|x| *x < 0.0) {
        return Err("the ctrlrange of a damper cannot be negative");
    }
    Ok(())
}

#[doc(alias = "mjs_setToCylinder")]
fn cylinder(f: &mut Fields<'_, '_>, a: &mut Actuator) {
    let (mut bias, mut diameter) = ([a.biasprm[0], 0.0, 0.0], -1.0);
    f.get("timeconst", &mut a.dynprm[0]);
    f.get("area", &mut a.gainprm[0]);
    // only the first number has a meaning
    f.get("bias", &mut bias);
    f.get("diameter", &mut diameter);
    a.biasprm[0] = bias[0];
    if diameter >= 0.0 {
        a.gainprm[0] = PI / 4.0 * diameter * diameter;
    }
    set_types(a, DynType::Filter, GainType::Fixed, BiasType::Affine);
}

#[doc(alias = "mjs_setToMuscle")]
fn muscle(f: &mut Fields<'_, '_>, a: &mut Actuator) -> Done {
    // numbers that are still those of any actuator become those of a muscle
    const GENERIC: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    const MUSCLE: [f64; 9] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
    const TIME: [f64; 2] = [0.01, 0.04];
    let start = |prm: &mut [f64], muscle: &[f64]| {
        for ((x, generic), muscle) in prm.iter_mut().zip(GENERIC).zip(muscle) {
            if *x == generic {
                *x = *muscle;
            }
        }
    };
    start(&mut a.dynprm, &TIME);
    start(&mut a.gainprm, &MUSCLE);

    let (mut timeconst, mut range, mut single) = ([-1.0; 2], [-1.0; 2], [-1.0; 7]);
    f.get("timeconst", &mut timeconst);
    f.get("tausmooth", &mut a.dynprm[2]);
    f.get("range", &mut range);
    for (name, x) in ["force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"].into_iter().zip(&mut single) {
        f.get(name, x);
    }
    if a.dynprm[2] < 0.0 {
        return Err("tausmooth cannot be negative");
    }
    // a negative number counts as not given
    let overlay = |prm: &mut [f64], given: &[f64]| {
        prm.iter_mut().zip(given).filter(|(_, given)| **given >= 0.0).for_each(|(x, given)| *x = *given);
    };
    overlay(&mut a.dynprm[..2], &timeconst);
    overlay(&mut a.gainprm[..2], &range);
    overlay(&mut a.gainprm[2..9], &single);
    a.biasprm[..9].copy_from_slice(&a.gainprm[..9]);
    set_types(a, DynType::Muscle, GainType::Muscle, BiasType::Muscle);
    Ok(())
}

#[doc(alias = "mjs_setToAdhesion")]
fn adhesion(f: &mut Fields<'_, '_>, a: &mut Actuator) -> Done {
    f.get("gain", &mut a.gainprm[0]);
    a.ctrllimited = Limited::True;
    a.gaintype = GainType::Fixed;
    a.biastype = BiasType::None;
    if a.gainprm[0] < 0.0 {
        return Err("gain cannot be negative");
    }
    if a.ctrlrange.iter().any(|x| *x < 0.0) {
        return Err("the ctrlrange of adhesion cannot be negative");
    }
    Ok(())
}

fn set_types(a: &mut Actuator, dynamics: DynType, gain: GainType, bias: BiasType) {
    (a.dyntype, a.gaintype, a.biastype) = (dynamics, gain, bias);
}
