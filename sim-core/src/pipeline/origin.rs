//! Where the first bad number of a step came from.

use super::StageName;
use crate::data::Data;
use crate::error::BadNumber;

/// Arrays in the order in which a step meets them, each with the stage that writes it; `None` for what was there before.
const ORDER: [(&str, Option<StageName>); 15] = [
    ("qpos", None),
    ("qvel", None),
    ("act", None),
    ("mocap_pos", None),
    ("mocap_quat", None),
    ("qfrc_applied", None),
    ("xfrc_applied", None),
    ("xpos", Some(StageName::Kinematics)),
    ("M", Some(StageName::Inertia)),
    ("qfrc_passive", Some(StageName::Velocity)),
    ("qfrc_bias", Some(StageName::Velocity)),
    ("actuator_force", Some(StageName::Actuation)),
    ("qacc_smooth", Some(StageName::Acceleration)),
    ("efc_force", Some(StageName::Constraint)),
    ("qacc", Some(StageName::Constraint)),
];

impl BadNumber {
    /// The stage in which it arose; `None` when the step began with it: in the state, or in what the user applied.
    pub fn stage(&self) -> Option<StageName> {
        ORDER.iter().find(|(what, _)| *what == self.what).and_then(|(_, stage)| *stage)
    }
}

/// The first number that is not finite among what a step meets before its accelerations, and its value.
pub(super) fn origin(d: &Data) -> Option<(BadNumber, f64)> {
    let found = |&(what, _): &(&'static str, Option<StageName>)| {
        let (index, value) = match what {
            "qpos" => first(&d.qpos),
            "qvel" => first(&d.qvel),
            "act" => first(&d.act),
            "mocap_pos" => first(d.mocap_pos.iter().flatten()),
            "mocap_quat" => first(d.mocap_quat.iter().flat_map(|q| [&q.w, &q.x, &q.y, &q.z])),
            "qfrc_applied" => first(&d.qfrc_applied),
            "xfrc_applied" => first(d.xfrc_applied.iter().flatten()),
            "xpos" => first(d.xpos.iter().flatten()),
            "M" => first(&d.M),
            "qfrc_passive" => first(&d.qfrc_passive),
            "qfrc_bias" => first(&d.qfrc_bias),
            "actuator_force" => first(&d.actuator_force),
            "qacc_smooth" => first(&d.qacc_smooth),
            "efc_force" => first(&d.efc.force),
            _ => None,
        }?;
        Some((BadNumber { what, index }, value))
    };
    ORDER.iter().find_map(found)
}

fn first<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> Option<(usize, f64)> {
    numbers.into_iter().copied().enumerate().find(|(_, x)| !x.is_finite())
}
