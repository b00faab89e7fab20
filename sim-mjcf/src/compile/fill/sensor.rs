//! Sensors: objects found, outputs counted, addresses of outputs and delay buffers.

use super::super::names;
use super::actuator::check_delay;
use super::{MAX_NUMBERS, each, user};
use crate::error::Problems;
use crate::spec::{Sensor, Spec};
use sim_core::Model;
use sim_types::{DataType, GeomType, JointType, ObjType, OptId, SensorType, Stage};

/// Arrays of sensors. Everything they look at must be there already.
#[doc(alias = "mjCSensor::Compile")]
pub(super) fn sensors(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    let list = &spec.sensors;
    m.nsensor = list.len();
    for s in list {
        let [obj, reference] = objects(s, m, problems);
        m.sensor_objid.push(OptId::from(obj));
        m.sensor_refid.push(OptId::from(reference));
        let resolved =
            (obj.is_some() || s.objtype == ObjType::Unknown) && (reference.is_some() || s.reftype == ObjType::Unknown);
        let dim = if resolved { check(s, obj, reference, m) } else { Ok(0) };
        let dim = dim.unwrap_or_else(|message| {
            problems.invalid(&s.at, "sensor", &s.name, message);
            0
        });

        // nothing that a number in the file asks for may exhaust the memory
        let samples = u64::try_from(s.nsample).unwrap_or(0);
        let buffer = if samples == 0 { 0 } else { (2 + samples).saturating_add(samples.saturating_mul(dim)) };
        if m.nsensordata as u64 + dim > MAX_NUMBERS || (m.nhistory as u64).saturating_add(buffer) > MAX_NUMBERS {
            let message = format!("the outputs of all sensors or their buffers need more than {MAX_NUMBERS} numbers");
            return problems.invalid(&s.at, "sensor", &s.name, message);
        }
        m.sensor_dim.push(dim as u32);
        m.sensor_adr.push(m.nsensordata as u32);
        m.nsensordata += dim as usize;
        m.sensor_history.push([samples as u32, s.interp as u32]);
        m.sensor_historyadr.push(super::address(m.nhistory, samples as usize));
        m.nhistory += buffer as usize;
    }
    m.sensor_type = each(list, |s| s.r#type);
    m.sensor_datatype = each(list, datatype);
    m.sensor_needstage = each(list, stage);
    m.sensor_objtype = each(list, |s| s.objtype);
    m.sensor_reftype = each(list, |s| s.reftype);
    m.sensor_intprm = each(list, |s| s.intprm);
    m.sensor_cutoff = each(list, |s| s.cutoff);
    m.sensor_noise = each(list, |s| s.noise);
    m.sensor_delay = each(list, |s| s.delay);
    m.sensor_interval = each(list, |s| s.interval);
    m.sensor_user = user(list.iter().map(|s| &s.user), m.nuser_sensor);
    m.sensor_plugin = vec![OptId::NONE; m.nsensor];
}

/// The object and the reference of a sensor; what is missing is noted.
fn objects(s: &Sensor, m: &Model, problems: &mut Problems) -> [Option<usize>; 2] {
    let mut find = |kind: ObjType, name: &str| {
        let found = (kind != ObjType::Unknown)
            .then(|| names::resolve(&m.names, (kind, super::super::custom::kind_name(kind)), name, &s.at, problems));
        found.flatten()
    };
    [find(s.objtype, &s.objname), find(s.reftype, &s.refname)]
}

/// The rules of a sensor; returns how many numbers it has.
fn check(s: &Sensor, obj: Option<usize>, reference: Option<usize>, m: &Model) -> Result<u64, String> {
    check_numbers(s)?;
    check_object(s, obj, m)?;
    let framed =
        |kind| matches!(kind, ObjType::Body | ObjType::XBody | ObjType::Geom | ObjType::Site | ObjType::Camera);
    if s.reftype != ObjType::Unknown && !framed(s.reftype) {
        return Err("the reference must be a body, xbody, geom, site or camera".to_owned());
    }
    match s.r#type {
        SensorType::CamProjection => {
            let resolution = reference.filter(|_| s.reftype == ObjType::Camera).map(|id| m.cam_resolution[id]);
            if !resolution.is_some_and(|r| r[0] != 0 && r[1] != 0) {
                return Err("it needs a camera with a resolution".to_owned());
            }
        }
        SensorType::InsideSite if s.reftype != ObjType::Site => return Err("it needs a site".to_owned()),
        SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo => {
            if !matches!(s.reftype, ObjType::Body | ObjType::Geom) {
                return Err("it measures between bodies and geoms".to_owned());
            }
            if s.objtype == s.reftype && obj == reference {
                return Err("the two objects must differ".to_owned());
            }
            let hfield = |kind, id: Option<usize>| {
                kind == ObjType::Geom && id.is_some_and(|id| m.geom_type[id] == GeomType::Hfield)
            };
            if hfield(s.objtype, obj) || hfield(s.reftype, reference) {
                return Err("distances to height fields cannot be measured".to_owned());
            }
        }
        SensorType::Contact if matches!(s.reftype, ObjType::Site | ObjType::Camera) => {
            return Err("the second object must be a body, a subtree or a geom".to_owned());
        }
        _ => {}
    }
    let data = datatype(s);
    let direction = data == DataType::Axis && s.r#type != SensorType::GeomNormal;
    if s.cutoff > 0.0 && (direction || data == DataType::Quaternion) {
        return Err("cutoff cannot be used with an axis or a quaternion".to_owned());
    }
    dim(s, obj, m)
}

/// The rules of a sensor's own numbers.
fn check_numbers(s: &Sensor) -> Result<(), String> {
    let [period, phase] = s.interval;
    let problem = if s.noise < 0.0 {
        "noise cannot be negative"
    } else if s.cutoff < 0.0 {
        "cutoff cannot be negative"
    } else if period < 0.0 {
        "the period of interval cannot be negative"
    } else if phase > 0.0 {
        "the phase of interval cannot be positive"
    } else if period > 0.0 && phase <= -period {
        "the phase of interval must be larger than the negative period"
    } else {
        return check_delay(s.delay, s.nsample);
    };
    Err(problem.to_owned())
}

/// Whether the object is of a kind that the sensor can look at.
fn check_object(s: &Sensor, obj: Option<usize>, m: &Model) -> Result<(), String> {
    use SensorType as T;
    let joint = obj.filter(|_| s.objtype == ObjType::Joint);
    let tendon = obj.filter(|_| s.objtype == ObjType::Tendon);
    let (fits, wanted) = match s.r#type {
        T::Touch
        | T::Accelerometer
        | T::Velocimeter
        | T::Gyro
        | T::Force
        | T::Torque
        | T::Magnetometer
        | T::CamProjection => (s.objtype == ObjType::Site, "a site"),
        T::Rangefinder => (matches!(s.objtype, ObjType::Site | ObjType::Camera), "a site or a camera"),
        T::JointPos | T::JointVel | T::JointActFrc => {
            let scalar = |id| matches!(m.jnt_type[id], JointType::Slide | JointType::Hinge);
            (joint.is_some_and(scalar), "a hinge or slide joint")
        }
        T::BallQuat | T::BallAngVel => (joint.is_some_and(|id| m.jnt_type[id] == JointType::Ball), "a ball joint"),
        T::JointLimitPos | T::JointLimitVel | T::JointLimitFrc => {
            (joint.is_some_and(|id| m.jnt_limited[id]), "a joint with limits")
        }
        T::TendonPos | T::TendonVel | T::TendonActFrc => (tendon.is_some(), "a tendon"),
        T::TendonLimitPos | T::TendonLimitVel | T::TendonLimitFrc => {
            (tendon.is_some_and(|id| m.tendon_limited[id]), "a tendon with limits")
        }
        T::ActuatorPos | T::ActuatorVel | T::ActuatorFrc => (s.objtype == ObjType::Actuator, "an actuator"),
        T::FramePos
        | T::FrameQuat
        | T::FrameXAxis
        | T::FrameYAxis
        | T::FrameZAxis
        | T::FrameLinVel
        | T::FrameAngVel
        | T::FrameLinAcc
        | T::FrameAngAcc
        | T::InsideSite => (
            matches!(s.objtype, ObjType::Body | ObjType::XBody | ObjType::Geom | ObjType::Site | ObjType::Camera),
            "a body, xbody, geom, site or camera",
        ),
        T::SubtreeCom | T::SubtreeLinVel | T::SubtreeAngMom => (s.objtype == ObjType::Body, "a body"),
        T::GeomDist | T::GeomNormal | T::GeomFromTo => {
            (matches!(s.objtype, ObjType::Body | ObjType::Geom), "a body or a geom")
        }
        T::Contact => {
            let kinds = [ObjType::Unknown, ObjType::Site, ObjType::Body, ObjType::XBody, ObjType::Geom];
            (kinds.contains(&s.objtype), "a site, a body, a subtree or a geom")
        }
        T::Tactile => (s.objtype == ObjType::Mesh && s.reftype == ObjType::Geom, "a mesh, and refer to a geom"),
        T::EPotential | T::EKinetic | T::Clock | T::User => (true, ""),
        T::Plugin => return Err("sensors of this type are not supported yet".to_owned()),
    };
    if fits { Ok(()) } else { Err(format!("it must look at {wanted}")) }
}

/// How many numbers the sensor has.
#[doc(alias = "mjs_sensorDim")]
fn dim(s: &Sensor, obj: Option<usize>, m: &Model) -> Result<u64, String> {
    use SensorType as T;
    // numbers per word of `data`
    const RAY: [u64; 6] = [1, 3, 3, 3, 3, 1];
    const CONTACT: [u64; 7] = [1, 3, 3, 1, 3, 3, 3];
    let size = |bits: i32, sizes: &[u64]| {
        if bits <= 0 || bits >> sizes.len() != 0 {
            return Err(format!("its data must be a combination of {} bits, not {bits}", sizes.len()));
        }
        Ok(sizes.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, n)| n).sum::<u64>())
    };
    let [data, reduce, num] = s.intprm;
    Ok(match s.r#type {
        T::Rangefinder => {
            let camera = obj.filter(|_| s.objtype == ObjType::Camera);
            let rays =
                camera.map_or(1, |id| m.cam_resolution[id].iter().map(|n| u64::try_from(*n).unwrap_or(0)).product());
            size(data, &RAY)?.saturating_mul(rays)
        }
        T::Contact => {
            if !(0..=3).contains(&reduce) {
                return Err(format!("the way to choose contacts must be between 0 and 3, not {reduce}"));
            }
            let num = u64::try_from(num).ok().filter(|n| *n > 0);
            num.ok_or_else(|| "num must be positive".to_owned())? * size(data, &CONTACT)?
        }
        T::User => {
            let n = u64::try_from(s.dim).map_err(|_| "dim cannot be negative".to_owned())?;
            match s.datatype {
                DataType::Axis if n != 3 => return Err("an axis has 3 numbers: dim must be 3".to_owned()),
                DataType::Quaternion if n != 4 => return Err("a quaternion has 4 numbers: dim must be 4".to_owned()),
                _ => n,
            }
        }
        T::Tactile => obj.map_or(0, |id| 3 * u64::from(m.assets.mesh_vertnum[id])),
        T::CamProjection => 2,
        T::GeomFromTo => 6,
        T::BallQuat | T::FrameQuat => 4,
        T::Accelerometer
        | T::Velocimeter
        | T::Gyro
        | T::Force
        | T::Torque
        | T::Magnetometer
        | T::BallAngVel
        | T::FramePos
        | T::FrameXAxis
        | T::FrameYAxis
        | T::FrameZAxis
        | T::FrameLinVel
        | T::FrameAngVel
        | T::FrameLinAcc
        | T::FrameAngAcc
        | T::SubtreeCom
        | T::SubtreeLinVel
        | T::SubtreeAngMom
        | T::GeomNormal => 3,
        _ => 1,
    })
}

/// What the numbers of a sensor are.
fn datatype(s: &Sensor) -> DataType {
    use SensorType as T;
    match s.r#type {
        T::User => s.datatype,
        T::Touch | T::InsideSite => DataType::Positive,
        T::BallQuat | T::FrameQuat => DataType::Quaternion,
        T::FrameXAxis | T::FrameYAxis | T::FrameZAxis | T::GeomNormal => DataType::Axis,
        _ => DataType::Real,
    }
}

/// The stage after which a sensor can be computed.
fn stage(s: &Sensor) -> Stage {
    use SensorType as T;
    match s.r#type {
        T::User => s.needstage,
        T::Touch
        | T::Accelerometer
        | T::Force
        | T::Torque
        | T::ActuatorFrc
        | T::JointActFrc
        | T::TendonActFrc
        | T::JointLimitFrc
        | T::TendonLimitFrc
        | T::FrameLinAcc
        | T::FrameAngAcc
        | T::Contact
        | T::Tactile => Stage::Acc,
        T::Velocimeter
        | T::Gyro
        | T::JointVel
        | T::TendonVel
        | T::ActuatorVel
        | T::BallAngVel
        | T::JointLimitVel
        | T::TendonLimitVel
        | T::FrameLinVel
        | T::FrameAngVel
        | T::SubtreeLinVel
        | T::SubtreeAngMom => Stage::Vel,
        _ => Stage::Pos,
    }
}
