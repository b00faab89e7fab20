//! Arrays of deformables.

use super::super::flex::{self, Flex};
use super::super::pose::Pose;
use super::super::tree::Body;
use super::{address, each};
use crate::error::Problems;
use crate::spec::{self, Spec};
use sim_core::Model;
use sim_types::{EqType, MINVAL, OptId, Vec3};
use std::sync::Arc;

/// Compiles all flexes and fills their arrays. Their bounding volumes come after those of bodies and meshes.
#[doc(alias = "mjCModel::CopyObjects")]
pub(super) fn flexes(spec: &Spec, bodies: &[Body<'_>], m: &mut Model, problems: &mut Problems) {
    let poses = world_poses(bodies);
    let mut made = Vec::with_capacity(spec.flexes.len());
    for record in &spec.flexes {
        if problems.is_full() {
            return;
        }
        made.extend(flex::compile(record, &poses, m, problems));
    }
    if made.len() < spec.flexes.len() {
        return;
    }
    for (record, flex) in spec.flexes.iter().zip(&made) {
        if held(spec, &record.name) == 2 && !is_horizontal(flex) {
            let message = "vertices can be held by an equality only in a horizontal plane";
            problems.invalid(&record.at, "flex", &record.name, message);
        }
    }
    m.nflex = made.len();
    settings(&spec.flexes, m);
    for (record, flex) in spec.flexes.iter().zip(&made) {
        add(spec, record, flex, m);
    }
    m.nflexnode = m.flex_node.len();
    m.nflexvert = m.flex_vert.len();
    m.nflexedge = m.flex_edge.len();
    m.nflexelem = m.flex_elemlayer.len();
    m.nflexelemdata = m.flex_elem.len();
    m.nflexelemedge = m.flex_elemedge.len();
    m.nflexshelldata = m.flex_shell.len();
    m.nflexevpair = m.flex_evpair.len();
    m.nbvh = m.bvh_depth.len();
    m.nbvhdynamic = m.nbvh - m.nbvhstatic;

    // what the reference pose gives
    m.flexedge_length0 = vec![0.0; m.nflexedge];
    m.flexedge_invweight0 = vec![0.0; m.nflexedge];
    m.flexedge_J_rownnz = vec![0; m.nflexedge];
    m.flexedge_J_rowadr = vec![0; m.nflexedge];
    m.flex_vertedge = vec![[0; 2]; m.nflexedge];
    m.flex_vertedgeadr = vec![0; m.nflexvert];
    m.flex_vertedgenum = vec![0; m.nflexvert];
    m.flex_vertmetric = vec![[0.0; 4]; m.nflexvert];
    m.flexvert_J_rownnz = vec![[0; 2]; m.nflexvert];
    m.flexvert_J_rowadr = vec![[0; 2]; m.nflexvert];
}

/// What is copied as it is written.
fn settings(list: &[spec::Flex], m: &mut Model) {
    m.flex_contype = each(list, |f| f.contype);
    m.flex_conaffinity = each(list, |f| f.conaffinity);
    m.flex_condim = each(list, |f| f.condim as u32);
    m.flex_priority = each(list, |f| f.priority);
    m.flex_solmix = each(list, |f| f.solmix);
    m.flex_solref = each(list, |f| f.solref);
    m.flex_solimp = each(list, |f| f.solimp);
    m.flex_friction = each(list, |f| Vec3::from(f.friction));
    m.flex_margin = each(list, |f| f.margin);
    m.flex_gap = each(list, |f| f.gap);
    m.flex_internal = each(list, |f| f.internal);
    m.flex_selfcollide = each(list, |f| f.selfcollide);
    m.flex_activelayers = each(list, |f| f.activelayers);
    m.flex_passive = each(list, |f| f.passive);
    m.flex_group = each(list, |f| f.group);
    m.flex_radius = each(list, |f| f.radius);
    m.flex_damping = each(list, |f| f.damping);
    m.flex_edgestiffness = each(list, |f| f.edgestiffness);
    m.flex_edgedamping = each(list, |f| f.edgedamping);
    m.flex_flatskin = each(list, |f| f.flatskin);
    m.flex_rgba = each(list, |f| f.rgba);
}

/// Appends what was compiled.
fn add(spec: &Spec, record: &spec::Flex, flex: &Flex, m: &mut Model) {
    let t = &flex.topology;
    m.flex_dim.push(flex.dim as u32);
    m.flex_matid.push(flex.matid);
    m.flex_interp.push(flex.order);
    m.flex_size.push(flex.size);
    m.flex_rigid.push(flex.rigid);
    m.flex_centered.push(flex.centered);
    m.flex_edgeequality.push(held(spec, &record.name));

    m.flex_nodeadr.push(m.flex_node.len() as u32);
    m.flex_nodenum.push(flex.node.len() as u32);
    m.flex_nodebodyid.extend_from_slice(&flex.nodebody);
    m.flex_node.extend_from_slice(&flex.node);
    m.flex_node0.extend_from_slice(&flex.node0);

    m.flex_vertadr.push(m.flex_vert.len() as u32);
    m.flex_vertnum.push(flex.vert.len() as u32);
    m.flex_vertbodyid.extend_from_slice(&flex.vertbody);
    m.flex_vert.extend_from_slice(&flex.vert);
    m.flex_vert0.extend_from_slice(&flex.vert0);

    m.flex_edgeadr.push(m.flex_edge.len() as u32);
    m.flex_edgenum.push(t.edge.len() as u32);
    m.flex_edge.extend_from_slice(&t.edge);
    m.flex_bending.extend_from_slice(&flex.bending);
    let weld = |v: u32| flex.vertbody[v as usize].get().map(|b| m.body_weldid[b]);
    let interpolated = flex.order > 0;
    m.flexedge_rigid.extend(t.edge.iter().map(|[a, b]| flex.rigid || (!interpolated && weld(*a) == weld(*b))));
    if flex.dim == 2 && record.elastic2d.bends() {
        m.flex_edgeflap.extend(t.flap.iter().map(|flap| flap.opposite));
    } else {
        m.flex_edgeflap.extend(t.edge.iter().map(|_| [OptId::NONE; 2]));
    }

    m.flex_elemadr.push(m.flex_elemlayer.len() as u32);
    m.flex_elemnum.push(t.elemlayer.len() as u32);
    m.flex_elemdataadr.push(m.flex_elem.len() as u32);
    m.flex_elemedgeadr.push(m.flex_elemedge.len() as u32);
    m.flex_elem.extend_from_slice(&t.elem);
    m.flex_elemtexcoord.extend_from_slice(&flex.elemtexcoord);
    m.flex_elemedge.extend_from_slice(&t.elemedge);
    m.flex_elemlayer.extend_from_slice(&t.elemlayer);
    m.flex_stiffness.extend_from_slice(&flex.stiffness);

    let shellnum = t.shell.len() / flex.dim;
    m.flex_shellnum.push(shellnum as u32);
    m.flex_shelldataadr.push(address(m.flex_shell.len(), shellnum));
    m.flex_shell.extend_from_slice(&t.shell);
    m.flex_evpairnum.push(t.evpair.len() as u32);
    m.flex_evpairadr.push(address(m.flex_evpair.len(), t.evpair.len()));
    m.flex_evpair.extend_from_slice(&t.evpair);

    let assets = Arc::make_mut(&mut m.assets);
    m.flex_texcoordadr.push(address(assets.flex_texcoord.len(), record.texcoord.len()));
    assets.flex_texcoord.extend_from_slice(record.texcoord.as_chunks().0);
    assets.nflextexcoord = assets.flex_texcoord.len();

    m.flex_bvhadr.push(address(m.bvh_depth.len(), flex.bvh.len()));
    m.flex_bvhnum.push(flex.bvh.len() as u32);
    m.bvh_child.extend(flex.bvh.iter().map(|n| n.child));
    m.bvh_nodeid.extend(flex.bvh.iter().map(|n| n.id));
    m.bvh_depth.extend(flex.bvh.iter().map(|n| n.depth));
}

/// How an equality constraint holds the flex called `name`: 0 not at all, 1 by its edges, 2 by its vertices.
fn held(spec: &Spec, name: &str) -> u32 {
    let kinds = spec.equalities.iter().filter(|e| e.name1 == name).map(|e| e.r#type);
    kinds
        .into_iter()
        .find_map(|kind| [(EqType::Flex, 1), (EqType::FlexVert, 2)].iter().find(|k| k.0 == kind))
        .map_or(0, |k| k.1)
}

/// True unless the edges of a sheet that moves go up or down.
fn is_horizontal(flex: &Flex) -> bool {
    let height = |v: u32| 2.0 * flex.size.z * flex.vert0[v as usize].z;
    let moves = flex.dim == 2 && !flex.rigid && flex.order == 0;
    !moves || flex.topology.edge.iter().all(|[a, b]| (height(*b) - height(*a)).abs() <= MINVAL)
}

/// Poses of all bodies in the world, joints at their reference.
fn world_poses(bodies: &[Body<'_>]) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::with_capacity(bodies.len());
    for (id, body) in bodies.iter().enumerate() {
        let parent = if id == 0 { None } else { poses.get(body.parent).copied() };
        poses.push(parent.map_or_else(Pose::default, |p| Pose {
            pos: p.pos + p.quat.rotate(&body.pose.pos),
            quat: super::super::pose::mul(p.quat, body.pose.quat),
        }));
    }
    poses
}
