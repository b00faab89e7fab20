//! From points and elements to a flex, bodies, joints and an equality constraint.

use super::pin::Pinned;
use super::{Dof, Flexcomp, body_class};
use crate::compile::pose::normalize;
use crate::parse::Reader;
use crate::spec::{Body, DefaultClass, Flex, Geom, Inertial, Joint};
use sim_types::{GeomType, JointType, Vec3};

/// Group of the geoms that stand for vertices.
const VERTEX_GROUP: i32 = 4;

/// Adds everything to the spec, or nothing.
#[doc(alias = "mjCFlexcomp::Make")]
pub(super) fn build(
    reader: &mut Reader<'_>,
    comp: &mut Flexcomp,
    parent: usize,
    class: usize,
    pinned: Pinned,
) -> Result<(), String> {
    let corners = corners(&comp.point);
    if comp.kind.is_direct() {
        drop_unused(comp);
    }
    let mut flex = Flex {
        elem: std::mem::take(&mut comp.element),
        texcoord: std::mem::take(&mut comp.texcoord),
        elemtexcoord: std::mem::take(&mut comp.elemtexcoord),
        ..comp.flex.clone()
    };
    let home = reader.spec.bodies.get(parent).map(|b| b.name.clone()).unwrap_or_default();
    if comp.rigid {
        flex.vertbody.push(home);
        flex.vert = std::mem::take(&mut comp.point);
        reader.spec.flexes.push(flex);
        return Ok(());
    }

    let interpolated = comp.dof.order() > 0;
    let moving = if interpolated { comp.dof.nodes() } else { comp.npnt() };
    let limit = reader.context.limits.bodies;
    if reader.spec.bodies.len() + moving > limit {
        return Err(format!("with its {moving} bodies the model has more than {limit}"));
    }
    let mut made = Made { reader, parent, class, defaults: DefaultClass::main() };
    made.defaults = body_class(&made.reader.spec, class);
    if interpolated {
        flex.vertbody = vec![home.clone(); comp.npnt()];
        nodes(&mut made, comp, &mut flex, &home, corners);
        if pinned == Pinned::None {
            flex.node.clear();
        }
        flex.vert = std::mem::take(&mut comp.point);
    } else {
        vertices(&mut made, comp, &mut flex, &home);
        if pinned != Pinned::None {
            flex.vert = std::mem::take(&mut comp.point);
        }
    }
    reader.spec.flexes.push(flex);
    reader.spec.equalities.extend(comp.equality.take());
    Ok(())
}

/// One body per point that is not pinned; a point that has a body is at its origin.
fn vertices(made: &mut Made<'_, '_>, comp: &mut Flexcomp, flex: &mut Flex, home: &str) {
    let mass = comp.mass / comp.npnt() as f64;
    for (i, point) in comp.point.chunks_exact_mut(3).enumerate() {
        if comp.pins.pinned[i] {
            flex.vertbody.push(home.to_owned());
            continue;
        }
        let name = format!("{}_{i}", flex.name);
        let pos = Vec3::new(point[0], point[1], point[2]);
        let geom = flex.vertcollide.then_some(VERTEX_GROUP);
        let axes = match comp.dof {
            Dof::Radial => {
                let mut axis = pos;
                normalize(axis.as_mut_slice());
                vec![axis]
            }
            _ => vec![Vec3::x(), Vec3::y(), Vec3::z()],
        };
        made.body(&name, pos, (mass, comp.inertiabox), geom.map(|group| (group, flex.radius)), &axes, flex);
        flex.vertbody.push(name);
        point.fill(0.0);
    }
}

/// One body per node of the box around the points, z fastest.
fn nodes(made: &mut Made<'_, '_>, comp: &Flexcomp, flex: &mut Flex, home: &str, [low, high]: [Vec3; 2]) {
    let order = comp.dof.order();
    let step = 1.0 / order as f64;
    let share = [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
    let geom = flex.vertcollide.then_some(made.defaults.geom.group);
    let mut id = 0;
    for i in 0..=order {
        for j in 0..=order {
            for k in 0..=order {
                let at = |n: usize, axis: usize| low[axis] + n as f64 * step * (high[axis] - low[axis]);
                let pos = Vec3::new(at(i, 0), at(j, 1), at(k, 2));
                if comp.pins.pinned[id] {
                    flex.nodebody.push(home.to_owned());
                    flex.node.extend_from_slice(pos.as_slice());
                } else {
                    let mass = if order == 1 { comp.mass / 8.0 } else { comp.mass * share[i] * share[j] * share[k] };
                    let name = format!("{}_{i}_{j}_{k}", flex.name);
                    let geom = geom.map(|group| (group, flex.radius));
                    made.body(&name, pos, (mass, comp.inertiabox), geom, &[Vec3::x(), Vec3::y(), Vec3::z()], flex);
                    flex.nodebody.push(name);
                    flex.node.extend([0.0; 3]);
                }
                id += 1;
            }
        }
    }
}

/// Where bodies are made, and what their elements start from.
struct Made<'r, 'p> {
    reader: &'r mut Reader<'p>,
    parent: usize,
    class: usize,
    defaults: DefaultClass,
}

impl Made<'_, '_> {
    /// A body with its mass and inertia box, a sphere of a group and radius, and slides along the axes.
    fn body(
        &mut self,
        name: &str,
        pos: Vec3,
        (mass, inertiabox): (f64, f64),
        geom: Option<(i32, f64)>,
        axes: &[Vec3],
        flex: &Flex,
    ) {
        let at = &flex.at;
        let spec = &mut self.reader.spec;
        let inertia = mass * (2.0 * inertiabox * inertiabox) / 3.0;
        let inertial = Inertial { mass, diaginertia: Vec3::repeat(inertia), at: at.clone(), ..Inertial::default() };
        let record = Body {
            name: name.to_owned(),
            parent: self.parent,
            pos,
            inertial: Some(inertial),
            at: at.clone(),
            ..Body::default()
        };
        spec.bodies.push(record);
        let body = spec.bodies.len() - 1;
        let class = self.class;
        if let Some((group, radius)) = geom {
            let start = self.defaults.geom.clone();
            let size = [radius, start.size[1], start.size[2]];
            let r#type = GeomType::Sphere;
            spec.geoms.push(Geom { body, class, r#type, size, group, at: at.clone(), ..start });
        }
        for &axis in axes {
            let start = self.defaults.joint.clone();
            let r#type = JointType::Slide;
            spec.joints.push(Joint { body, class, r#type, pos: Vec3::zeros(), axis, at: at.clone(), ..start });
        }
    }
}

/// Smallest and largest coordinates.
fn corners(point: &[f64]) -> [Vec3; 2] {
    let (mut low, mut high) = (Vec3::repeat(1e10), Vec3::repeat(-1e10));
    for p in point.chunks_exact(3) {
        let p = Vec3::new(p[0], p[1], p[2]);
        low = low.inf(&p);
        high = high.sup(&p);
    }
    [low, high]
}

/// Leaves out points that no element uses.
fn drop_unused(comp: &mut Flexcomp) {
    let points = comp.npnt();
    let mut used = vec![false; points];
    let index = |id: i32| usize::try_from(id).unwrap_or(0);
    for &id in &comp.element {
        used[index(id)] = true;
    }
    if used.iter().all(|u| *u) {
        return;
    }
    let mut number = Vec::with_capacity(points);
    let mut next = 0;
    for u in &used {
        number.push(next);
        next += i32::from(*u);
    }
    for id in &mut comp.element {
        *id = number[index(*id)];
    }
    let kept = |width: usize| {
        let used = &used;
        move |i: &usize| used.get(i / width).copied().unwrap_or(false)
    };
    comp.point = (0..3 * points).filter(kept(3)).map(|i| comp.point[i]).collect();

    // texture coordinates go with their points, even if elements number them on their own
    if !comp.texcoord.is_empty() {
        let old = std::mem::take(&mut comp.texcoord);
        comp.texcoord = (0..2 * points).filter(kept(2)).map(|i| old.get(i).copied().unwrap_or(0.0)).collect();
    }
    let old = std::mem::take(&mut comp.pins.pinned);
    let mut pinned: Vec<bool> = (0..points).filter(kept(1)).map(|i| old[i]).collect();

    // marks beyond the points kept stay where they were
    let total = pinned.len().max(comp.dof.nodes());
    let rest = pinned.len()..total;
    pinned.extend(rest.map(|i| old.get(i).copied().unwrap_or(false)));
    comp.pins.pinned = pinned;
}
