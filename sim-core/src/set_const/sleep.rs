//! Which trees may sleep, and which trees a tendon connects.

use sim_types::{OptId, SleepPolicy, TrnType, WrapType};

use crate::error::ModelError;
use crate::model::Model;

/// Finds the trees of each tendon and decides the sleep policy of trees that leave it open.
pub(super) fn policies(m: &mut Model) -> Result<(), ModelError> {
    let tendon_trees: Vec<Vec<usize>> = (0..m.ntendon).map(|tendon| trees_of(m, tendon)).collect();
    for (tendon, trees) in tendon_trees.iter().enumerate() {
        m.tendon_treenum[tendon] = trees.len() as u32;
        m.tendon_treeid[tendon] = [trees.first(), trees.get(1)].map(|t| OptId::from(t.copied()));
    }

    // what is actuated stays awake
    for actuator in 0..m.nu {
        let Some(id) = m.actuator_trnid[actuator][0].get() else { continue };
        let body = match m.actuator_trntype[actuator] {
            TrnType::Joint | TrnType::JointInParent => m.jnt_bodyid[id] as usize,
            TrnType::Site | TrnType::SliderCrank => m.site_bodyid[id] as usize,
            TrnType::Body => id,
            TrnType::Tendon => {
                tendon_trees[id].iter().for_each(|&tree| keep_awake(m, tree));
                continue;
            }
            TrnType::Undefined => continue,
        };
        if let Some(tree) = m.body_treeid[body].get() {
            keep_awake(m, tree);
        }
    }

    // what tendons pull together stays awake, or must be allowed to
    for (tendon, trees) in tendon_trees.iter().enumerate() {
        let pulls = m.tendon_stiffness[tendon] != 0.0 || m.tendon_damping[tendon] != 0.0;
        if trees.len() < 2 || (trees.len() == 2 && !pulls) {
            continue;
        }
        for &tree in trees {
            if matches!(m.tree_sleep_policy[tree], SleepPolicy::Allowed | SleepPolicy::Init) {
                let why = if trees.len() > 2 { "spans more than two trees" } else { "has stiffness or damping" };
                let what = format!("tree {tree} must not be allowed to sleep: tendon {tendon} {why}");
                return Err(ModelError::Inconsistent { what });
            }
            keep_awake(m, tree);
        }
    }
    // what is part of a deformable stays awake
    let of_verts = m.flex_vertbodyid.iter().filter_map(|id| id.get());
    let bodies: Vec<usize> = of_verts.chain(m.flex_nodebodyid.iter().map(|id| *id as usize)).collect();
    for body in bodies {
        if let Some(tree) = m.body_treeid[body].get() {
            keep_awake(m, tree);
        }
    }
    for policy in &mut m.tree_sleep_policy {
        if *policy == SleepPolicy::Auto {
            *policy = SleepPolicy::AutoAllowed;
        }
    }
    Ok(())
}

fn keep_awake(m: &mut Model, tree: usize) {
    if m.tree_sleep_policy[tree] == SleepPolicy::Auto {
        m.tree_sleep_policy[tree] = SleepPolicy::AutoNever;
    }
}

/// The moving trees on the path of a tendon, in the order in which it meets them.
fn trees_of(m: &Model, tendon: usize) -> Vec<usize> {
    let mut trees = Vec::new();
    for object in m.tendon_objects(tendon) {
        let Some(id) = m.wrap_objid[object].get() else { continue };
        let body = match m.wrap_type[object] {
            WrapType::Joint => m.jnt_bodyid[id],
            WrapType::Site => m.site_bodyid[id],
            WrapType::Sphere | WrapType::Cylinder => m.geom_bodyid[id],
            WrapType::None | WrapType::Pulley => continue,
        };
        if let Some(tree) = m.body_treeid[body as usize].get()
            && !trees.contains(&tree)
        {
            trees.push(tree);
        }
    }
    trees
}
