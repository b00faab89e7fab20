//! Falling asleep and waking up.
//!
//! A tree that has been quiet for ten steps may sleep, together with every tree that constraints connect it to. Trees that
//! fell asleep together form a cycle: `tree_asleep` holds the next one. What wakes one of them wakes all.

use sim_types::{EnableFlags, EqType, ObjType, OptId, Quat, SleepPolicy, Vec3};

use super::sleep::{FULLY_AWAKE, SleepState, update};
use crate::data::Data;
use crate::error::ModelError;
use crate::model::Model;

/// Poses of sleeping bodies before kinematics; afterwards they tell whether somebody moved them.
pub(crate) fn remember_poses(m: &Model, d: &mut Data) {
    let mut poses = std::mem::take(&mut d.scratch.poses);
    poses.clear();
    if d.awake.some_sleep && m.opt.enabled(EnableFlags::SLEEP) {
        poses.extend((0..m.nbody).filter(|&b| can_be_moved(m, d, b)).map(|b| (b as u32, d.xpos[b], d.xquat[b])));
    }
    d.scratch.poses = poses;
}

fn can_be_moved(m: &Model, d: &Data, body: usize) -> bool {
    d.body_awake[body] == SleepState::Asleep as i32 && m.body_jntnum[body] > 0
}

/// Wakes trees that the user moved or pushes; all trees when sleeping was switched off.
#[doc(alias = "mj_wake")]
pub(crate) fn by_user(m: &Model, d: &mut Data) {
    if !d.awake.some_sleep {
        return;
    }
    if !m.opt.enabled(EnableFlags::SLEEP) {
        d.tree_asleep.fill(FULLY_AWAKE);
        update(m, d, false);
        return;
    }
    // a pose that kinematics found changed
    let poses: &[(u32, Vec3, Quat)] = &d.scratch.poses;
    for (body, pos, quat) in poses {
        let body = *body as usize;
        if (d.xpos[body] != *pos || d.xquat[body] != *quat)
            && let Some(tree) = m.body_treeid[body].get()
        {
            d.tree_awake[tree] = true;
        }
    }
    let mut woke = 0;
    for tree in 0..m.ntree {
        if d.tree_asleep[tree] >= 0 && (d.tree_awake[tree] || !can_sleep(m, d, tree, 0.0)) {
            woke += wake_cycle(&mut d.tree_asleep, tree, FULLY_AWAKE);
        }
    }
    if woke > 0 {
        update(m, d, false);
    }
}

/// Wakes a tree that an awake one pulls by a tendon at its limit.
#[doc(alias = "mj_wakeTendon")]
pub(crate) fn by_tendon(m: &Model, d: &mut Data) {
    if !d.awake.some_sleep {
        return;
    }
    let mut woke = 0;
    for tendon in 0..m.ntendon {
        let [Some(a), Some(b)] = m.tendon_treeid[tendon].map(OptId::get) else { continue };
        if m.tendon_treenum[tendon] == 2 && at_limit(m, d, tendon) {
            woke += wake_other(d, a, b);
        }
    }
    if woke > 0 {
        update(m, d, false);
    }
}

fn at_limit(m: &Model, d: &Data, tendon: usize) -> bool {
    let ([low, high], margin) = (m.tendon_range[tendon], m.tendon_margin[tendon]);
    let length = d.ten_length[tendon];
    m.tendon_limited[tendon] && (length - low < margin || high - length < margin)
}

/// Wakes trees that awake ones touch; true when collision must run again.
#[doc(alias = "mj_wakeCollision")]
pub(crate) fn by_contact(m: &Model, d: &mut Data) -> bool {
    if !d.awake.some_sleep {
        return false;
    }
    let mut woke = 0;
    for contact in 0..d.contact.len() {
        let tree = |geom: OptId| m.body_treeid[m.geom_bodyid[geom.get()?] as usize].get();
        let [a, b] = d.contact[contact].geom;
        if let (Some(a), Some(b)) = (tree(a), tree(b)) {
            woke += wake_other(d, a, b);
        }
    }
    if woke > 0 {
        update(m, d, false);
    }
    woke > 0
}

/// Wakes the one of two trees that sleeps while the other is awake, as quiet as that.
fn wake_other(d: &mut Data, a: usize, b: usize) -> usize {
    let (asleep, value) = match (d.tree_awake[a], d.tree_awake[b]) {
        (true, false) => (b, d.tree_asleep[a]),
        (false, true) => (a, d.tree_asleep[b]),
        _ => return 0,
    };
    wake_cycle(&mut d.tree_asleep, asleep, value)
}

/// Wakes trees that equalities connect to awake ones, and sleepers of different cycles that became connected.
#[doc(alias = "mj_wakeEquality")]
pub(crate) fn by_equality(m: &Model, d: &mut Data) {
    if !d.awake.some_sleep {
        return;
    }
    let mut woke = 0;
    for eq in 0..m.neq {
        if !d.eq_active[eq] {
            continue;
        }
        let [Some(a), Some(b)] = trees_of(m, eq).map(OptId::get) else { continue };
        if a == b {
            continue;
        }
        match (d.tree_awake[a], d.tree_awake[b]) {
            (true, true) => {}
            (false, false) if cycle(&d.tree_asleep, a) == cycle(&d.tree_asleep, b) => {}
            (false, false) => {
                woke += wake_cycle(&mut d.tree_asleep, a, FULLY_AWAKE);
                woke += wake_cycle(&mut d.tree_asleep, b, FULLY_AWAKE);
            }
            (awake, _) => woke += wake_cycle(&mut d.tree_asleep, if awake { b } else { a }, FULLY_AWAKE),
        }
    }
    if woke > 0 {
        update(m, d, false);
    }
}

/// The two trees of an equality between bodies, sites or joints.
fn trees_of(m: &Model, eq: usize) -> [OptId; 2] {
    let ids = [m.eq_obj1id[eq], m.eq_obj2id[eq]];
    let body = |id: usize| match (m.eq_type[eq], m.eq_objtype[eq]) {
        (EqType::Connect | EqType::Weld, ObjType::Site) => Some(m.site_bodyid[id] as usize),
        (EqType::Connect | EqType::Weld, _) => Some(id),
        (EqType::Joint, _) => Some(m.jnt_bodyid[id] as usize),
        _ => None,
    };
    ids.map(|id| id.get().and_then(body).map_or(OptId::NONE, |body| m.body_treeid[body]))
}

/// Puts quiet trees to sleep; returns how many fell asleep. Their velocities and accelerations become zero.
#[doc(alias = "mj_sleep")]
pub(crate) fn fall_asleep(m: &Model, d: &mut Data) -> usize {
    let nisland = d.island.nisland;
    if !m.opt.enabled(EnableFlags::SLEEP) || (d.efc.nefc > 0 && nisland == 0) {
        return 0;
    }
    for tree in 0..m.ntree {
        let counter = d.tree_asleep[tree];
        if counter < 0 {
            let quiet = can_sleep(m, d, tree, m.opt.sleep_tolerance);
            d.tree_asleep[tree] = if quiet { counter + i32::from(counter < -1) } else { FULLY_AWAKE };
        }
    }

    // an island sleeps when all its trees are ready, a free tree on its own
    let islands = std::mem::take(&mut d.island);
    let mut slept = 0;
    for island in 0..nisland {
        let (start, end) = (islands.island_itreeadr[island] as usize, islands.island_itreeadr[island + 1] as usize);
        let trees = &islands.map_itree2tree[start..end];
        if trees.iter().all(|tree| d.tree_asleep[*tree as usize] == -1) {
            put_to_sleep(m, d, trees);
            slept += trees.len();
        }
    }
    for tree in 0..m.ntree {
        let free = nisland == 0 || islands.tree_island[tree].is_none();
        if free && d.tree_asleep[tree] == -1 {
            put_to_sleep(m, d, &[tree as u32]);
            slept += 1;
        }
    }
    d.island = islands;
    slept
}

/// Makes trees a cycle of sleepers.
fn put_to_sleep(m: &Model, d: &mut Data, trees: &[u32]) {
    for (i, &tree) in trees.iter().enumerate() {
        let tree = tree as usize;
        d.tree_asleep[tree] = trees[(i + 1) % trees.len()] as i32;
        let dofs = dofs_of(m, tree);
        d.qvel[dofs.clone()].fill(0.0);
        d.qacc[dofs].fill(0.0);
    }
}

/// Whether nothing keeps a tree awake: its policy, forces that the user applies, its velocity. With no tolerance the
/// velocity must be zero, bit by bit; so must the forces always.
fn can_sleep(m: &Model, d: &Data, tree: usize, tolerance: f64) -> bool {
    if matches!(m.tree_sleep_policy[tree], SleepPolicy::Never | SleepPolicy::AutoNever) {
        return false;
    }
    let zero = |x: &f64| x.to_bits() == 0;
    let bodies = m.tree_bodyadr[tree] as usize..(m.tree_bodyadr[tree] + m.tree_bodynum[tree]) as usize;
    let dofs = dofs_of(m, tree);
    if !d.xfrc_applied[bodies].as_flattened().iter().all(zero) || !d.qfrc_applied[dofs.clone()].iter().all(zero) {
        return false;
    }
    let vel = &d.qvel[dofs.clone()];
    if tolerance == 0.0 {
        vel.iter().all(zero)
    } else {
        vel.iter().zip(&m.dof_length[dofs]).all(|(v, length)| length * v.abs() < tolerance)
    }
}

fn dofs_of(m: &Model, tree: usize) -> std::ops::Range<usize> {
    m.tree_dofadr[tree] as usize..(m.tree_dofadr[tree] + m.tree_dofnum[tree]) as usize
}

/// Wakes a tree and all that sleep with it; returns how many. An awake tree only becomes less quiet.
#[doc(alias = "mj_wakeTree")]
fn wake_cycle(tree_asleep: &mut [i32], tree: usize, value: i32) -> usize {
    if tree_asleep[tree] < 0 {
        tree_asleep[tree] = tree_asleep[tree].min(value);
        return 0;
    }
    let (mut at, mut woke) = (tree, 0);
    // a broken cycle ends at a tree that is awake
    while woke < tree_asleep.len() && tree_asleep[at] >= 0 {
        let next = tree_asleep[at] as usize;
        tree_asleep[at] = value;
        woke += 1;
        if next >= tree_asleep.len() {
            break;
        }
        at = next;
    }
    woke
}

/// The smallest tree of a cycle: its name.
#[doc(alias = "mj_sleepCycle")]
fn cycle(tree_asleep: &[i32], tree: usize) -> usize {
    let (mut at, mut smallest) = (tree, tree);
    for _ in 0..tree_asleep.len() {
        match usize::try_from(tree_asleep[at]) {
            Ok(next) if next < tree_asleep.len() && next != tree => at = next,
            _ => break,
        }
        smallest = smallest.min(at);
    }
    smallest
}

/// Brings trees that start asleep into that state, after a forward pass at the initial pose. An error names the first
/// that cannot sleep.
pub(crate) fn start_asleep(m: &Model, d: &mut Data) -> Result<(), ModelError> {
    let init = |tree: &usize| m.tree_sleep_policy[*tree] == SleepPolicy::Init;
    for tree in 0..m.ntree {
        d.tree_asleep[tree] = if init(&tree) { -1 } else { FULLY_AWAKE };
    }
    fall_asleep(m, d);
    let awake = (0..m.ntree).filter(init).find(|&tree| d.tree_asleep[tree] < 0);
    d.qacc_smooth.fill(0.0);
    d.qfrc_smooth.fill(0.0);
    d.efc.clear();
    d.island.clear();
    match awake {
        None => Ok(()),
        Some(tree) => {
            let body = m.tree_bodyadr[tree] as usize;
            let name = m.names.name(ObjType::Body, body).map_or_else(|| format!("{body}"), |n| format!("'{n}'"));
            let what =
                format!("body {name} has sleep=\"init\" but cannot sleep: something that is awake touches or moves it");
            Err(ModelError::Inconsistent { what })
        }
    }
}
