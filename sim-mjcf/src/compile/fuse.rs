//! Changes to the whole tree that the compiler may make: merging fixed bodies, dropping what is only for show.

use super::asset::Assets;
use super::body::contact_bits;
use super::inertia;
use super::pose::Pose;
use super::tree::Body;
use crate::error::Problems;
use crate::spec::{PathObject, Spec};
use sim_types::{MINVAL, ObjType, TrnType};
use std::collections::HashSet;

/// Merges every body without joints into its parent, unless it is a mocap body or something refers to it by name.
///
/// Children take its place; geoms, sites, cameras and lights go to the end of the parent's lists.
///
/// MuJoCo looks references up in a table of ids that goes stale while bodies disappear. As long as a body that comes
/// later is referred to by an id beyond the end of the shrunken list, bodies with a name stay, whatever their name.
#[doc(alias = "mjCModel::FuseStatic")]
pub(super) fn fuse_static<'a>(spec: &Spec, bodies: Vec<Body<'a>>, problems: &mut Problems) -> Vec<Body<'a>> {
    let referenced = referenced_bodies(spec);
    let last_referenced = bodies.iter().rposition(|b| referenced.contains(b.spec.name.as_str())).unwrap_or(0);
    let count = bodies.len();
    let mut kept: Vec<Body<'a>> = Vec::with_capacity(count);

    // for every old body: the kept one it became part of, and its pose there if it was merged
    let mut home: Vec<(usize, Option<Pose>)> = Vec::with_capacity(bodies.len());
    for (id, mut body) in bodies.into_iter().enumerate() {
        let (parent, offset) = home.get(body.parent).copied().unwrap_or((Spec::WORLD, None));
        if let Some(offset) = offset {
            body.pose = offset.compose(&body.pose);
        }
        body.parent = parent;
        let removed = id - kept.len();
        let stale = last_referenced > id && last_referenced >= count - removed;
        let named = !body.spec.name.is_empty();
        let stays = id == Spec::WORLD
            || !body.joints.is_empty()
            || body.spec.mocap
            || (named && (stale || referenced.contains(body.spec.name.as_str())));
        if stays {
            home.push((kept.len(), None));
            kept.push(body);
            continue;
        }
        home.push((parent, Some(body.pose)));
        if let Some(target) = kept.get_mut(parent) {
            if parent != Spec::WORLD && body.mass >= MINVAL && !inertia::accumulate(target, &body) {
                let message = "the inertia of this body and of its parent together is too small to find its axes";
                problems.invalid(&body.spec.at, "body", &body.spec.name, message);
            }
            merge(target, body);
        }
    }
    kept
}

/// Drops geoms that neither collide nor are used by anything. Bodies keep the inertia these gave them.
pub(super) fn discard_visual(spec: &Spec, bodies: &mut [Body<'_>], assets: &mut Assets<'_>) {
    let used = referenced_geoms(spec);
    for body in bodies.iter_mut() {
        for geom in &mut body.geoms {
            geom.used = !geom.spec.name.is_empty() && used.contains(geom.spec.name.as_str());
            geom.spec.material.clear();
        }
        body.geoms.retain(|g| !g.is_visual());
        body.sites.iter_mut().for_each(|s| s.material.clear());
    }

    // meshes that no geom is left for
    let geoms = || bodies.iter().flat_map(|b| &b.geoms).filter(|g| !g.spec.mesh.is_empty());
    let used: HashSet<usize> = geoms().filter_map(|g| g.data).collect();
    let ids = assets.keep_meshes(|id| used.contains(&id));
    for geom in bodies.iter_mut().flat_map(|b| &mut b.geoms).filter(|g| !g.spec.mesh.is_empty()) {
        geom.data = geom.data.and_then(|id| ids.get(id).copied().flatten());
    }
}

/// Moves everything fixed to `body` over to `target`.
fn merge(target: &mut Body<'_>, body: Body<'_>) {
    let pose = body.pose;
    for mut geom in body.geoms {
        let moved = pose.compose(&geom.pose());
        geom.set_pose(&moved);
        target.geoms.push(geom);
    }
    for mut site in body.sites {
        let moved = pose.compose(&Pose::new(site.pos, site.quat));
        (site.pos, site.quat) = (moved.pos, moved.quat);
        target.sites.push(site);
    }
    for mut camera in body.cameras {
        let moved = pose.compose(&Pose::new(camera.spec.pos, camera.spec.quat));
        (camera.spec.pos, camera.spec.quat) = (moved.pos, moved.quat);
        target.cameras.push(camera);
    }
    for mut light in body.lights {
        light.pos = pose.apply(&light.pos);
        light.dir = pose.quat.rotate(&light.dir);
        target.lights.push(light);
    }
    contact_bits(target);
}

/// Names of bodies that other elements need. Tuples and sensors protect a body only as `body`, not as `xbody`.
fn referenced_bodies(spec: &Spec) -> HashSet<&str> {
    let cameras = spec.cameras.iter().map(|c| c.target.as_str());
    let lights = spec.lights.iter().map(|l| l.target.as_str());
    let excludes = spec.excludes.iter().flat_map(|e| [e.body1.as_str(), e.body2.as_str()]);
    let of_bodies = spec.equalities.iter().filter(|e| e.objtype == ObjType::Body);
    let equalities = of_bodies.flat_map(|e| [e.name1.as_str(), e.name2.as_str()]);
    let adhesion = spec.actuators.iter().filter(|a| a.trntype == TrnType::Body).map(|a| a.target.as_str());
    let sensors = sensor_names(spec, ObjType::Body);
    let skins = spec.skins.iter().flat_map(|s| &s.bones).map(|b| b.body.as_str());
    let tree = cameras.chain(lights).chain(tuple_names(spec, ObjType::Body));
    let all = tree.chain(excludes).chain(equalities).chain(adhesion).chain(sensors).chain(skins);
    all.filter(|name| !name.is_empty()).collect()
}

/// Names of geoms that other elements need.
fn referenced_geoms(spec: &Spec) -> HashSet<&str> {
    let pairs = spec.pairs.iter().flat_map(|p| [p.geom1.as_str(), p.geom2.as_str()]);
    let wraps = spec.tendons.iter().flat_map(|t| &t.path).filter_map(|wrap| match &wrap.object {
        PathObject::Geom { geom, .. } => Some(geom.as_str()),
        _ => None,
    });
    let sensors = sensor_names(spec, ObjType::Geom);
    pairs.chain(wraps).chain(sensors).chain(tuple_names(spec, ObjType::Geom)).collect()
}

/// Names of objects of one kind that sensors look at or measure in.
fn sensor_names(spec: &Spec, kind: ObjType) -> impl Iterator<Item = &str> {
    let objects = spec.sensors.iter().filter(move |s| s.objtype == kind).map(|s| s.objname.as_str());
    let references = spec.sensors.iter().filter(move |s| s.reftype == kind).map(|s| s.refname.as_str());
    objects.chain(references)
}

/// Names of objects of one kind in tuples.
fn tuple_names(spec: &Spec, kind: ObjType) -> impl Iterator<Item = &str> {
    let elements = spec.tuples.iter().flat_map(|t| &t.elements);
    elements.filter(move |e| e.objtype == kind).map(|e| e.objname.as_str())
}
