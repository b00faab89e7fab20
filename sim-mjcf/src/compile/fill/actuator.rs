//! Actuators: targets found, limits decided, addresses of activations and delay buffers.

use super::super::joint::is_limited;
use super::super::names;
use super::{MAX_NUMBERS, each, user};
use crate::error::Problems;
use crate::spec::{Actuator, Compiler, Spec};
use sim_core::Model;
use sim_types::{BiasType, DynType, GainType, JointType, ObjType, OptId, TrnType};

/// Most samples of a delay buffer.
pub(super) const MAX_SAMPLES: i32 = 1 << 24;

/// Arrays of actuators. Tendons must be there already.
#[doc(alias = "mjCActuator::Compile")]
pub(super) fn actuators(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    let list = &spec.actuators;
    m.nu = list.len();
    for a in list {
        let target = transmission(a, m, problems);
        m.actuator_trnid.push(target.map(OptId::from));
        let checked = check(a, target[0], m, spec.compiler_of(a.origin)).unwrap_or_else(|message| {
            problems.invalid(&a.at, "actuator", &a.name, message);
            Checked::default()
        });
        m.actuator_actadr.push(super::address(m.na, checked.actdim));
        m.actuator_actnum.push(checked.actdim as u32);
        m.na += checked.actdim;
        m.actuator_ctrlrange.push(checked.ctrlrange);
        m.actuator_actrange.push(checked.actrange);
        let [ctrl, force, act] = checked.limited;
        m.actuator_ctrllimited.push(ctrl);
        m.actuator_forcelimited.push(force);
        m.actuator_actlimited.push(act);
        let samples = usize::try_from(a.nsample).unwrap_or(0);
        m.actuator_history.push([samples as u32, a.interp as u32]);
        m.actuator_historyadr.push(super::address(m.nhistory, samples));
        m.nhistory += if samples == 0 { 0 } else { 2 + 2 * samples };
    }
    copy(list, m);

    // nothing that a number in the file asks for may exhaust the memory
    if (m.na as u64).saturating_mul(m.nkey as u64 + 1) > MAX_NUMBERS || m.nhistory as u64 > MAX_NUMBERS {
        let message = format!("activations or delay buffers together need more than {MAX_NUMBERS} numbers");
        problems.invalid(&list.first().map(|a| a.at.clone()).unwrap_or_default(), "actuator", "", message);
    }
}

/// What is taken over as it is, and room for what follows from the reference pose.
fn copy(list: &[Actuator], m: &mut Model) {
    m.actuator_trntype = each(list, |a| a.trntype);
    m.actuator_dyntype = each(list, |a| a.dyntype);
    m.actuator_gaintype = each(list, |a| a.gaintype);
    m.actuator_biastype = each(list, |a| a.biastype);
    m.actuator_group = each(list, |a| a.group);
    m.actuator_delay = each(list, |a| a.delay);
    m.actuator_dynprm = each(list, |a| a.dynprm);
    m.actuator_gainprm = each(list, |a| a.gainprm);
    m.actuator_biasprm = each(list, |a| a.biasprm);
    m.actuator_actearly = each(list, |a| a.actearly);
    m.actuator_forcerange = each(list, |a| a.forcerange);
    m.actuator_gear = each(list, |a| a.gear);
    m.actuator_cranklength = each(list, |a| a.cranklength);
    m.actuator_lengthrange = each(list, |a| a.lengthrange);
    m.actuator_user = user(list.iter().map(|a| &a.user), m.nuser_actuator);
    m.actuator_plugin = vec![OptId::NONE; m.nu];
    m.actuator_acc0 = vec![0.0; m.nu];
    m.actuator_length0 = vec![0.0; m.nu];
    m.moment_rownnz = vec![0; m.nu];
    m.moment_rowadr = vec![0; m.nu];
}

/// The objects an actuator acts on; what is missing is noted.
fn transmission(a: &Actuator, m: &Model, problems: &mut Problems) -> [Option<usize>; 2] {
    let site = (ObjType::Site, "site");
    let kind = match a.trntype {
        TrnType::Joint | TrnType::JointInParent => (ObjType::Joint, "joint"),
        TrnType::Tendon => (ObjType::Tendon, "tendon"),
        TrnType::Site | TrnType::SliderCrank => site,
        TrnType::Body => (ObjType::Body, "body"),
        TrnType::Undefined => {
            let message = "it acts on nothing: give one of joint, jointinparent, tendon, cranksite, site, body";
            problems.invalid(&a.at, "actuator", &a.name, message);
            return [None; 2];
        }
    };
    let first = names::resolve(&m.names, kind, &a.target, &a.at, problems);
    let second = match a.trntype {
        TrnType::SliderCrank if a.slidersite.is_empty() => {
            problems.invalid(&a.at, "actuator", &a.name, "a slider-crank needs a slidersite");
            None
        }
        TrnType::SliderCrank => {
            if a.cranklength <= 0.0 {
                problems.invalid(&a.at, "actuator", &a.name, "cranklength must be positive");
            }
            names::resolve(&m.names, site, &a.slidersite, &a.at, problems)
        }
        TrnType::Site if !a.refsite.is_empty() => names::resolve(&m.names, site, &a.refsite, &a.at, problems),
        _ => None,
    };
    [first, second]
}

/// What the rules of an actuator decide.
#[derive(Default)]
struct Checked {
    ctrlrange: [f64; 2],
    actrange: [f64; 2],
    /// Of control, force, activation.
    limited: [bool; 3],
    actdim: usize,
}

fn check(a: &Actuator, target: Option<usize>, m: &Model, compiler: &Compiler) -> Result<Checked, String> {
    let mut checked = Checked { ctrlrange: a.ctrlrange, actrange: a.actrange, ..Checked::default() };
    if let Some(target) = target {
        inherit_range(a, target, m, &mut checked)?;
    }

    let ranges = [
        ("ctrl", a.ctrllimited, checked.ctrlrange),
        ("force", a.forcelimited, a.forcerange),
        ("act", a.actlimited, checked.actrange),
    ];
    for ((what, flag, range), limited) in ranges.into_iter().zip(&mut checked.limited) {
        *limited = is_limited(flag, range, compiler, &format!("{what}range"), &format!("{what}limited"))?;
        if *limited && range[0] >= range[1] {
            return Err(format!("the first number of {what}range must be smaller than the second"));
        }
    }
    if checked.limited[2] && a.dyntype == DynType::None {
        return Err("actrange needs an activation, and dyntype is none".to_owned());
    }

    let stateful = a.dyntype != DynType::None;
    checked.actdim = match a.actdim {
        ..0 => usize::from(stateful),
        0 if stateful => return Err("actdim cannot be 0 when there are dynamics".to_owned()),
        1 if !stateful => return Err("actdim cannot be 1 without dynamics".to_owned()),
        2.. if a.dyntype != DynType::User => {
            return Err("actdim can be larger than 1 only when dyntype is user".to_owned());
        }
        n => n as usize,
    };
    if a.gaintype == GainType::Muscle {
        check_muscle(&a.gainprm)?;
    }
    if a.biastype == BiasType::Muscle {
        check_muscle(&a.biasprm)?;
    }
    check_delay(a.delay, a.nsample)?;
    Ok(checked)
}

/// A position servo may take over the range of what it moves.
fn inherit_range(a: &Actuator, target: usize, m: &Model, checked: &mut Checked) -> Result<(), String> {
    let servo = a.gaintype == GainType::Fixed && a.biastype == BiasType::Affine && a.gainprm[0] == -a.biasprm[1];
    if !servo || a.inheritrange.is_nan() || a.inheritrange <= 0.0 {
        return Ok(());
    }
    let range = match a.dyntype {
        DynType::None | DynType::FilterExact => &mut checked.ctrlrange,
        DynType::Integrator => &mut checked.actrange,
        _ => return Err("inheritrange is for position and intvelocity actuators".to_owned()),
    };
    let [low, high] = match a.trntype {
        TrnType::Joint if matches!(m.jnt_type[target], JointType::Hinge | JointType::Slide) => m.jnt_range[target],
        TrnType::Joint => return Err("inheritrange needs a hinge or slide joint".to_owned()),
        TrnType::Tendon => m.tendon_range[target],
        _ => return Err("inheritrange needs a joint or a tendon".to_owned()),
    };
    if low == high {
        return Err(format!("inheritrange is given, but '{}' has no range", a.target));
    }
    let (mean, radius) = (0.5 * (high + low), 0.5 * (high - low) * a.inheritrange);
    *range = [mean - radius, mean + radius];
    Ok(())
}

fn check_muscle(prm: &[f64; 10]) -> Result<(), String> {
    let [range0, range1, _, scale, lmin, lmax, vmax, fpmax, fvmax, _] = *prm;
    if range0 >= range1 {
        return Err("the first number of a muscle's range must be smaller than the second".to_owned());
    }
    if lmin >= 1.0 || lmax <= 1.0 {
        return Err("a muscle needs lmin < 1 < lmax".to_owned());
    }
    if scale <= 0.0 || vmax <= 0.0 || fpmax <= 0.0 || fvmax <= 0.0 {
        return Err("scale, vmax, fpmax and fvmax of a muscle must be positive".to_owned());
    }
    Ok(())
}

/// A delay needs samples, and not too many.
pub(super) fn check_delay(delay: f64, nsample: i32) -> Result<(), String> {
    if delay > 0.0 && nsample <= 0 {
        return Err("a delay needs a buffer: give nsample".to_owned());
    }
    if nsample > MAX_SAMPLES {
        return Err(format!("nsample may be at most {MAX_SAMPLES}"));
    }
    Ok(())
}
