//! The chain of bodies of a cable.

use super::{Composite, Curve, Place};
use crate::compile::pose::{mul, normalize, normalized};
use crate::spec::{Body, Exclude, Geom, Joint, Site, Spec, Text};
use sim_types::math::{atan2, cos, sin};
use sim_types::{GeomType, JointType, Mat3, Quat, Vec3};
use std::f64::consts::PI;

/// Adds the bodies and everything fixed to them.
#[doc(alias = "mjCComposite::MakeCable")]
pub(super) fn cable(spec: &mut Spec, comp: &mut Composite, place: Place) {
    if comp.vertex.is_empty() {
        comp.vertex = points(comp);
    }
    let prefix = &comp.prefix;
    let at = comp.geom.at.clone();
    spec.texts.push(Text { name: format!("composite_{prefix}"), data: format!("rope_{prefix}"), at });
    let mut frame = Moving { normal: Vec3::y(), quat: Quat::IDENTITY, length: 0.0 };
    let mut parent = place.body;
    for i in 0..comp.count[0] as usize - 1 {
        parent = body(spec, comp, i, parent, place.frame, &mut frame);
    }
}

/// Points along the curve, in single precision as MuJoCo keeps them.
fn points(comp: &Composite) -> Vec<f32> {
    let [length, radius, turns] = comp.size;
    let last = f64::from(comp.count[0] - 1);
    let mut list = Vec::new();
    for i in 0..comp.count[0] {
        let i = f64::from(i);
        let v = comp.curve.map(|curve| match curve {
            Curve::Line => i * length / last,
            Curve::Cos => radius * cos(PI * i * turns / last),
            Curve::Sin => radius * sin(PI * i * turns / last),
            Curve::Zero => 0.0,
        });
        list.extend(comp.quat.rotate(&Vec3::from(v)).iter().map(|x| *x as f32));
    }
    list
}

/// The frame that moves along the cable.
struct Moving {
    normal: Vec3,
    quat: Quat,
    /// Length of the edge before.
    length: f64,
}

impl Moving {
    /// Goes on to the next edge: x along it, turned no more than needed. Returns the change of orientation.
    #[doc(alias = "mjuu_updateFrame")]
    fn advance(&mut self, edge: &Vec3, before: Option<Vec3>, after: Option<Vec3>) -> Quat {
        let tangent = unit(edge);
        let binormal;
        if let Some(before) = before {
            let mut axis = before.cross(&tangent);
            let angle = atan2(normalize(axis.as_mut_slice()), before.dot(&tangent));
            let turn = if angle == 0.0 {
                Quat::IDENTITY
            } else {
                let s = sin(angle * 0.5);
                Quat::new(cos(angle * 0.5), axis.x * s, axis.y * s, axis.z * s)
            };
            self.normal = unit(&turn.rotate(&self.normal));
            binormal = unit(&tangent.cross(&self.normal));
        } else {
            // a straight start has no normal; the rest of the frame is then the smallest rotation
            binormal = unit(&tangent.cross(&after.unwrap_or(tangent)));
            self.normal = unit(&binormal.cross(&tangent));
        }
        let quat = normalized(Quat::from_mat(&Mat3::from_columns(&[tangent, self.normal, binormal])));
        let change = if before.is_some() { mul(self.quat.conj(), quat) } else { quat };
        self.quat = quat;
        change
    }
}

/// Adds body `i` under `parent` and returns it.
#[doc(alias = "mjCComposite::AddCableBody")]
fn body(
    spec: &mut Spec,
    comp: &Composite,
    i: usize,
    parent: usize,
    in_frame: Option<usize>,
    frame: &mut Moving,
) -> usize {
    let last = comp.count[0] as usize - 2;
    let is_first = i == 0;
    let is_last = i == last;
    let edge = difference(comp, i);
    let before = (!is_first).then(|| unit(&difference(comp, i - 1)));
    let after = (!is_last).then(|| unit(&difference(comp, i + 1)));
    let length_before = frame.length;
    let quat = frame.advance(&edge, before, after);
    let length = edge.dot(&edge).sqrt();
    frame.length = length_of(&edge);

    let prefix = &comp.prefix;
    let part = |i: usize| match i {
        0 => "first".to_owned(),
        i if i == last => "last".to_owned(),
        i => i.to_string(),
    };
    let at = comp.geom.at.clone();
    let start = Vec3::from_iterator(comp.vertex.iter().skip(3 * i).map(|x| f64::from(*x)));
    let pos = if is_first { comp.offset + start } else { Vec3::new(length_before, 0.0, 0.0) };
    spec.bodies.push(Body {
        name: format!("{prefix}B_{}", part(i)),
        parent,
        frame: in_frame.filter(|_| is_first),
        pos,
        quat,
        at: at.clone(),
        ..Body::default()
    });
    let body = spec.bodies.len() - 1;

    let mut geom = Geom { body, name: format!("{prefix}G{i}"), ..comp.geom.clone() };
    if geom.r#type == GeomType::Box {
        geom.pos = Vec3::new(length / 2.0, 0.0, 0.0);
        geom.size[0] = length / 2.0;
    } else {
        geom.fromto = Some([0.0, 0.0, 0.0, length, 0.0, 0.0]);
    }
    spec.geoms.push(geom);

    if !is_first || comp.initial != "none" {
        let mut joint = Joint { body, name: format!("{prefix}J_{}", part(i)), ..comp.joint.clone() };
        joint.r#type = JointType::Ball;
        if is_first && comp.initial == "free" {
            joint.r#type = JointType::Free;
            (joint.damping, joint.armature, joint.frictionloss) = (0.0, 0.0, 0.0);
        }
        spec.joints.push(joint);
    }
    if !is_last {
        let [body1, body2] = [i, i + 1].map(|i| format!("{prefix}B_{}", part(i)));
        spec.excludes.push(Exclude { body1, body2, at, ..Exclude::default() });
    }
    if is_first || is_last {
        let pos = Vec3::new(if is_last { length } else { 0.0 }, 0.0, 0.0);
        spec.sites.push(Site {
            body,
            name: format!("{prefix}S_{}", part(i)),
            pos,
            quat: Quat::IDENTITY,
            ..comp.site.clone()
        });
    }
    body
}

/// From point `i` to the next, subtracted in single precision.
fn difference(comp: &Composite, i: usize) -> Vec3 {
    let at = |k: usize| comp.vertex.get(k).copied().unwrap_or(0.0);
    Vec3::from_iterator((3 * i..3 * i + 3).map(|k| f64::from(at(k + 3) - at(k))))
}

/// Length by the rules of the compiler, which takes very short edges for nothing.
fn length_of(edge: &Vec3) -> f64 {
    let mut edge = *edge;
    normalize(edge.as_mut_slice())
}

fn unit(v: &Vec3) -> Vec3 {
    let mut v = *v;
    normalize(v.as_mut_slice());
    v
}
