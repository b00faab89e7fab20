//! Joints: pose of the child, axes, limits, damping and friction.

use super::Robot;
use crate::attr::Fields;
use crate::compile::z_to;
use crate::spec::{Joint, Limited, Spec};
use crate::xml::Element;
use sim_types::{JointType, Quat, Vec3};

/// Types of joints; `spherical` is not standard.
const TYPES: [&str; 7] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];

impl Robot<'_> {
    /// Reads a joint whose links are known.
    pub(super) fn joint(&mut self, element: Element<'_>) -> Option<()> {
        let kind = self.text(element, "type")?;
        if !TYPES.contains(&kind) {
            let expected = format!("one of {}", TYPES.join(", "));
            Fields::new(element, self.problems).wrong("type", expected);
            return None;
        }
        let name = self.text(element, "name")?;
        let child = self.end(element, "child")?;
        let body = self.bodies[child];
        let pose = self.origin(element);
        if body != Spec::WORLD {
            (self.spec.bodies[body].pos, self.spec.bodies[body].quat) = pose;
        } else if pose != (Vec3::zeros(), Quat::IDENTITY) {
            self.problems.warn(&element.at(), "the world cannot be moved: this origin has no effect");
        }
        let mut axis = Vec3::x();
        if let Some(axis_element) = self.child(element, "axis") {
            self.required(axis_element, "xyz", &mut axis);
        }

        let at = element.at();
        let joint = |suffix: &str, r#type: JointType, axis: Vec3| Joint {
            name: format!("{name}{suffix}"),
            body,
            r#type,
            axis,
            at: at.clone(),
            ..Joint::default()
        };
        let mut joints = match kind {
            "revolute" | "continuous" => vec![joint("", JointType::Hinge, axis)],
            "prismatic" => vec![joint("", JointType::Slide, axis)],
            "floating" => vec![joint("", JointType::Free, Vec3::z())],
            "spherical" => vec![joint("", JointType::Ball, axis)],
            "planar" => {
                // two slides across the axis, a hinge about it
                let frame = z_to(&axis).to_mat();
                vec![
                    joint("_TX", JointType::Slide, frame.column(0).into()),
                    joint("_TY", JointType::Slide, frame.column(1).into()),
                    joint("_RZ", JointType::Hinge, axis),
                ]
            }
            _ => return Some(()),
        };
        self.dynamics(element, &mut joints);
        if let Some(first) = joints.first_mut() {
            self.limit(element, first);
        }
        self.spec.joints.append(&mut joints);
        Some(())
    }

    /// Damping and friction, which all parts of a planar joint share.
    fn dynamics(&mut self, element: Element<'_>, joints: &mut [Joint]) {
        let Some(dynamics) = self.child(element, "dynamics") else { return };
        let (mut damping, mut friction) = (0.0, 0.0);
        let mut f = Fields::new(dynamics, self.problems);
        f.get("damping", &mut damping);
        f.get("friction", &mut friction);
        for joint in joints {
            (joint.damping, joint.frictionloss) = (damping, friction);
        }
    }

    /// Range and largest force. Half a range, or one that ends before it starts, does not limit anything.
    fn limit(&mut self, element: Element<'_>, joint: &mut Joint) {
        let Some(limit) = self.child(element, "limit") else { return };
        let mut f = Fields::new(limit, self.problems);
        let lower = f.get("lower", &mut joint.range[0]);
        let upper = f.get("upper", &mut joint.range[1]);
        if lower != upper || joint.range[0] > joint.range[1] {
            joint.limited = Limited::False;
            let at = limit.at();
            f.problems.warn(&at, "a range needs a lower and an upper end in this order: it is not enforced");
        }
        let mut effort = 0.0;
        f.get("effort", &mut effort);
        if effort != 0.0 {
            joint.actfrcrange = [-f64::abs(effort), f64::abs(effort)];
        }
    }
}
