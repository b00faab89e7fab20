//! Numbers of equality constraints that the user leaves to the reference pose.

use sim_types::{EqType, ObjType, Quat, Vec3};

use crate::data::Data;
use crate::model::Model;

/// Fills in anchors and relative poses of connect and weld constraints between bodies.
pub(super) fn complete(m: &mut Model, d: &Data) {
    for eq in 0..m.neq {
        let (Some(first), second) = (m.eq_obj1id[eq].get(), m.eq_obj2id[eq].get().unwrap_or(0)) else { continue };
        let data = &mut m.eq_data[eq];
        match (m.eq_type[eq], m.eq_objtype[eq]) {
            (EqType::Connect, ObjType::Body) => {
                let anchor = d.xmat[first] * Vec3::new(data[0], data[1], data[2]) + d.xpos[first];
                let in_second = d.xmat[second].tr_mul(&(anchor - d.xpos[second]));
                data[3..6].copy_from_slice(in_second.as_slice());
            }
            (EqType::Connect, ObjType::Site) => *data = [0.0; 11],
            (EqType::Weld, ObjType::Body) => {
                let given = Quat::new(data[6], data[7], data[8], data[9]);
                if data[6..10].iter().any(|x| *x != 0.0) {
                    data[6..10].copy_from_slice(&given.normalized().to_array());
                    continue;
                }
                let anchor = d.xmat[second] * Vec3::new(data[0], data[1], data[2]) + d.xpos[second];
                let in_first = d.xmat[first].tr_mul(&(anchor - d.xpos[first]));
                data[3..6].copy_from_slice(in_first.as_slice());
                let relative = d.xquat[first].conj() * d.xquat[second];
                data[6..10].copy_from_slice(&relative.to_array());
            }
            _ => {}
        }
    }
}
