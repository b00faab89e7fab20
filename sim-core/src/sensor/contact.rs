//! Sensors of contacts: touch zones, and the contacts between two objects.

use sim_collision::contains;
use sim_collision::ray::{Ray, ray};
use sim_types::math::normalize3;
use sim_types::{Contact, MINVAL, ObjType, OptId, Vec3};

use crate::collision::shape::posed;
use crate::data::Data;
use crate::model::Model;

/// Numbers of each field of a contact sensor: found, force, torque, dist, pos, normal, tangent.
const FIELD_SIZES: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];

/// Sum of the normal forces of contacts whose normal meets the zone of the site.
pub(super) fn touch(m: &Model, d: &Data, site: usize) -> f64 {
    let body = m.site_bodyid[site] as usize;
    let zone = posed(m.site_type[site], &m.site_size[site], &d.site_xpos[site], &d.site_xmat[site]);
    let mut sum = 0.0;
    for (id, con) in d.contact.iter().enumerate() {
        let bodies = con.geom.map(|g| g.get().map(|g| m.geom_bodyid[g] as usize));
        if con.efc_address.is_none() || !bodies.contains(&Some(body)) {
            continue;
        }
        let force = d.contact_force(id)[0];
        if force <= 0.0 {
            continue;
        }
        // the ray goes from the contact into the sensor's body
        let mut dir: Vec3 = con.frame.row(0).transpose() * force;
        normalize3(&mut dir);
        if bodies[1] == Some(body) {
            dir = -dir;
        }
        if ray(&zone, &Ray { origin: con.pos, dir }).is_some() {
            sum += force;
        }
    }
    sum
}

/// The contacts that match the sensor's objects, reduced to its slots.
pub(super) fn matching(m: &Model, d: &Data, sensor: usize, out: &mut [f64]) {
    out.fill(0.0);
    let [fields, reduce, _] = m.sensor_intprm[sensor];
    let layout = Layout::new(fields);
    if layout.size == 0 {
        return;
    }
    let found = (0..d.contact.len()).filter(|&id| side(m, d, sensor, id).is_some()).count();
    // a net force without contacts is zero in the world's axes, which are still written
    if reduce == NET_FORCE {
        return net_force(m, d, sensor, found, &layout, out);
    }
    let slots = found.min(out.len() / layout.size);
    let mut last = None;
    for slot in out.chunks_exact_mut(layout.size).take(slots) {
        // the next contact by distance, force or order
        let after = |key: &(f64, usize)| last.is_none_or(|last| less(&last, key));
        let keys = (0..d.contact.len()).filter(|&id| side(m, d, sensor, id).is_some());
        let keys = keys.map(|id| (criterion(d, id, reduce), id)).filter(after);
        let Some(next) = keys.reduce(|a, b| if less(&b, &a) { b } else { a }) else { return };
        last = Some(next);
        let flip = side(m, d, sensor, next.1) == Some(Side::Reversed);
        layout.write(d, next.1, flip, found, slot);
    }
}

/// How the contacts of a sensor are reduced, in MuJoCo's numbers.
const MIN_DIST: i32 = 1;
const MAX_FORCE: i32 = 2;
const NET_FORCE: i32 = 3;

fn criterion(d: &Data, contact: usize, reduce: i32) -> f64 {
    match reduce {
        MIN_DIST => d.contact[contact].dist,
        MAX_FORCE => {
            let f = d.contact_force(contact);
            -(f[0] * f[0] + f[1] * f[1] + f[2] * f[2])
        }
        _ => 0.0,
    }
}

fn less(a: &(f64, usize), b: &(f64, usize)) -> bool {
    a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
}

/// Which way the normal of a matching contact points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Regular,
    Reversed,
}

/// Whether a contact matches the two objects of a sensor.
fn side(m: &Model, d: &Data, sensor: usize, contact: usize) -> Option<Side> {
    let (kind1, id1) = (m.sensor_objtype[sensor], m.sensor_objid[sensor]);
    let (kind2, id2) = (m.sensor_reftype[sensor], m.sensor_refid[sensor]);
    let con = &d.contact[contact];
    if kind1 == ObjType::Site {
        let site = id1.get()?;
        let zone = posed(m.site_type[site], &m.site_size[site], &d.site_xpos[site], &d.site_xmat[site]);
        if !contains(&zone, &con.pos) {
            return None;
        }
    }
    let is = |k: usize, kind: ObjType, id: OptId| is_object(m, con.geom[k], kind, id);
    let (first, second) = ([is(0, kind1, id1), is(1, kind1, id1)], [is(0, kind2, id2), is(1, kind2, id2)]);
    if first == [false; 2] || second == [false; 2] {
        return None;
    }
    let regular = match (kind1 == ObjType::Unknown, kind2 == ObjType::Unknown) {
        (true, true) => true,
        (false, true) => first[0],
        (true, false) => second[1],
        (false, false) if first[0] && second[1] => true,
        (false, false) if first[1] && second[0] => false,
        (false, false) => return None,
    };
    Some(if regular { Side::Regular } else { Side::Reversed })
}

/// Whether a geom of a contact is the object, or part of it.
fn is_object(m: &Model, geom: OptId, kind: ObjType, id: OptId) -> bool {
    let body = geom.get().map(|g| m.geom_bodyid[g] as usize);
    match kind {
        ObjType::Unknown | ObjType::Site => true,
        ObjType::Geom => geom == id,
        ObjType::Body => body == id.get() && body.is_some(),
        ObjType::XBody => {
            let (Some(mut body), Some(id)) = (body, id.get()) else { return false };
            while body > id {
                body = m.body_parentid[body] as usize;
            }
            body == id
        }
        _ => false,
    }
}

/// Where the fields of a slot begin; absent ones have no place.
struct Layout {
    at: [Option<usize>; 7],
    size: usize,
}

impl Layout {
    fn new(fields: i32) -> Self {
        let (mut at, mut size) = ([None; 7], 0);
        for (k, n) in FIELD_SIZES.into_iter().enumerate() {
            if fields & (1 << k) != 0 {
                at[k] = Some(size);
                size += n;
            }
        }
        Self { at, size }
    }

    fn put(&self, field: usize, values: &[f64], slot: &mut [f64]) {
        if let Some(at) = self.at[field] {
            slot[at..at + values.len()].copy_from_slice(values);
        }
    }

    /// A contact turned half round its second tangent when it is flipped.
    fn write(&self, d: &Data, contact: usize, flip: bool, found: usize, slot: &mut [f64]) {
        let con: &Contact = &d.contact[contact];
        let mut f = d.contact_force(contact);
        let sign = if flip { -1.0 } else { 1.0 };
        f[2] *= sign;
        f[5] *= sign;
        let axis = |k: usize| -> Vec3 { con.frame.row(k).transpose() * sign };
        self.put(0, &[found as f64], slot);
        self.put(1, &f[..3], slot);
        self.put(2, &f[3..], slot);
        self.put(3, &[con.dist], slot);
        self.put(4, con.pos.as_slice(), slot);
        self.put(5, axis(0).as_slice(), slot);
        self.put(6, axis(1).as_slice(), slot);
    }
}

/// All contacts as one wrench, in world axes, about the centre of their forces.
fn net_force(m: &Model, d: &Data, sensor: usize, found: usize, layout: &Layout, out: &mut [f64]) {
    let each = || {
        (0..d.contact.len()).filter_map(|id| {
            let sign = if side(m, d, sensor, id)? == Side::Reversed { -1.0 } else { 1.0 };
            let f = d.contact_force(id).map(|x| sign * x);
            Some((&d.contact[id], Vec3::new(f[0], f[1], f[2]), Vec3::new(f[3], f[4], f[5])))
        })
    };
    let (mut point, mut total) = (Vec3::zeros(), 0.0);
    for (con, force, _) in each() {
        point += con.pos * force.norm();
        total += force.norm();
    }
    point *= 1.0 / if total > MINVAL { total } else { MINVAL };
    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    for (con, f, t) in each() {
        let f = con.frame.tr_mul(&f);
        force += f;
        torque += con.frame.tr_mul(&t) + (con.pos - point).cross(&f);
    }
    layout.put(0, &[found as f64], out);
    layout.put(1, force.as_slice(), out);
    layout.put(2, torque.as_slice(), out);
    layout.put(4, point.as_slice(), out);
    layout.put(5, &[1.0, 0.0, 0.0], out);
    layout.put(6, &[0.0, 1.0, 0.0], out);
}
