//! One joint: limits decided, axis and anchor in the body, angles in radians.

use super::pose::{EPS, Pose, normalize};
use super::tree::Joint;
use crate::spec::{Compiler, Limited};
use sim_types::{JointType, Vec3};
use std::f64::consts::PI;

/// Compiles a joint that stands in `frame`; the error says which rule it breaks.
#[doc(alias = "mjCJoint::Compile")]
pub(super) fn compile(joint: &mut Joint, frame: Option<&Pose>, compiler: &Compiler) -> Result<(), String> {
    let s = &mut joint.spec;
    let kind = s.r#type;
    let scalar = matches!(kind, JointType::Hinge | JointType::Slide);

    let [timeconst, dampratio] = s.springdamper;
    if (timeconst != 0.0 || dampratio != 0.0) && (timeconst <= 0.0 || dampratio <= 0.0) {
        return Err("both numbers of springdamper must be positive, or both zero".to_owned());
    }

    // limits: free joints never have them
    if kind != JointType::Free {
        joint.limited = is_limited(s.limited, s.range, compiler, "range", "limited")?;
    }
    if joint.limited {
        if kind == JointType::Ball {
            if s.range[0] != 0.0 {
                return Err("the first number of a ball joint's range must be 0".to_owned());
            }
        } else if s.range[0] >= s.range[1] {
            return Err("the first number of range must be smaller than the second".to_owned());
        }
        if compiler.degree && matches!(kind, JointType::Hinge | JointType::Ball) {
            // a zero stays what it is, sign included
            s.range.iter_mut().filter(|x| **x != 0.0).for_each(|x| *x *= PI / 180.0);
        }
    }
    if scalar {
        let (limited, range) = (s.actfrclimited, s.actfrcrange);
        joint.actfrclimited = is_limited(limited, range, compiler, "actuatorfrcrange", "actuatorfrclimited")?;
        if joint.actfrclimited && range[0] >= range[1] {
            return Err("the first number of actuatorfrcrange must be smaller than the second".to_owned());
        }
    }

    // axis and anchor
    if !scalar {
        s.axis = Vec3::z();
    } else if let Some(frame) = frame {
        s.axis = frame.quat.rotate(&s.axis);
    }
    if normalize(s.axis.as_mut_slice()) < EPS {
        return Err("the axis has no length".to_owned());
    }
    if kind == JointType::Free {
        s.pos = Vec3::zeros();
    } else if let Some(frame) = frame {
        s.pos = frame.apply(&s.pos);
    }

    // reference angles
    if kind == JointType::Hinge && compiler.degree {
        s.r#ref *= PI / 180.0;
        s.springref *= PI / 180.0;
    }
    Ok(())
}

/// Whether a range is enforced. A range without its flag is an error unless the compiler may guess.
pub(super) fn is_limited(
    limited: Limited,
    range: [f64; 2],
    compiler: &Compiler,
    range_name: &str,
    flag: &str,
) -> Result<bool, String> {
    match limited {
        Limited::True => Ok(true),
        Limited::False => Ok(false),
        Limited::Auto if !compiler.autolimits && range != [0.0; 2] => Err(format!(
            "has {range_name} but not {flag}: give {flag}, remove {range_name}, or set autolimits=\"true\" in <compiler>"
        )),
        Limited::Auto => Ok(range[0] < range[1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec;
    use sim_types::Quat;

    fn run(joint: spec::Joint, compiler: &Compiler) -> Result<Joint, String> {
        let mut joint = Joint { spec: joint, limited: false, actfrclimited: false };
        compile(&mut joint, None, compiler).map(|()| joint)
    }

    #[test]
    fn angles_are_converted_only_where_they_are_angles() {
        let base = spec::Joint { range: [-90.0, 90.0], r#ref: 180.0, ..Default::default() };
        let compiler = Compiler::default();
        let hinge = run(base.clone(), &compiler).unwrap();
        assert!(hinge.limited);
        assert_eq!(hinge.spec.range, [-90.0 * (PI / 180.0), 90.0 * (PI / 180.0)]);
        assert_eq!(hinge.spec.r#ref, 180.0 * (PI / 180.0));
        let slide = run(spec::Joint { r#type: JointType::Slide, ..base.clone() }, &compiler).unwrap();
        assert_eq!((slide.spec.range, slide.spec.r#ref), ([-90.0, 90.0], 180.0));
        // a range that is not enforced stays in degrees
        let off = run(spec::Joint { limited: Limited::False, ..base }, &compiler).unwrap();
        assert_eq!(off.spec.range, [-90.0, 90.0]);
    }

    #[test]
    fn limits_follow_flag_range_and_autolimits() {
        let auto = Compiler::default();
        let manual = Compiler { autolimits: false, ..Compiler::default() };
        let joint = |limited, range| spec::Joint { limited, range, ..Default::default() };
        assert!(!run(joint(Limited::Auto, [9.0, 5.0]), &auto).unwrap().limited);
        assert!(run(joint(Limited::True, [9.0, 5.0]), &auto).is_err());
        assert!(run(joint(Limited::Auto, [0.0, 5.0]), &manual).is_err());
        assert!(run(joint(Limited::True, [0.0, 5.0]), &manual).unwrap().limited);
        let free = spec::Joint { r#type: JointType::Free, ..joint(Limited::True, [0.0, 5.0]) };
        assert!(!run(free, &auto).unwrap().limited);
        let ball = spec::Joint { r#type: JointType::Ball, ..joint(Limited::True, [1.0, 5.0]) };
        assert!(run(ball, &auto).is_err());
    }

    #[test]
    fn a_frame_moves_anchor_and_axis() {
        let turn = Quat::from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2);
        let frame = Pose::new(Vec3::new(1.0, 0.0, 0.0), turn);
        let spec = spec::Joint { pos: Vec3::z(), axis: Vec3::new(0.0, 0.0, 2.0), ..Default::default() };
        let mut joint = Joint { spec, limited: false, actfrclimited: false };
        compile(&mut joint, Some(&frame), &Compiler::default()).unwrap();
        assert!((joint.spec.pos - Vec3::new(1.0, -1.0, 0.0)).norm() < 1e-15);
        assert!((joint.spec.axis + Vec3::y()).norm() < 1e-15);
    }

    #[test]
    fn tiny_axes_and_half_a_springdamper_are_refused() {
        let compiler = Compiler::default();
        assert!(run(spec::Joint { axis: Vec3::new(1e-8, 0.0, 0.0), ..Default::default() }, &compiler).is_err());
        assert!(run(spec::Joint { axis: Vec3::new(2e-7, 0.0, 0.0), ..Default::default() }, &compiler).is_ok());
        assert!(run(spec::Joint { springdamper: [1.0, 0.0], ..Default::default() }, &compiler).is_err());
    }
}
