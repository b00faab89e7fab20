//! Sleeping trees: who is awake.

use sim_types::{EnableFlags, EqType, ObjType, SensorType, TrnType};

use crate::data::Data;
use crate::model::Model;

/// Quiet steps before a tree may sleep (`mjMINAWAKE`).
const MINAWAKE: i32 = 10;
/// Value of `tree_asleep` for a tree that has just moved.
pub(crate) const FULLY_AWAKE: i32 = -(1 + MINAWAKE);

/// How much is awake. Bodies that cannot move stand in the lists of awake ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Awake {
    /// True when at least one tree sleeps.
    pub some_sleep: bool,
    /// Number of awake trees.
    pub ntree: usize,
    /// Number of awake and static bodies.
    pub nbody: usize,
    /// Number of bodies with an awake or static parent.
    pub nparent: usize,
    /// Number of awake dofs.
    pub nv: usize,
}

/// Whether something moves, in MuJoCo's numbers (`mjtSleepState`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SleepState {
    Static = -1,
    Asleep = 0,
    Awake = 1,
}

/// Fills the lists of what is awake from `tree_asleep`.
///
/// Static bodies count as awake when `static_awake` is set: then everything is computed once.
#[doc(alias = "mj_updateSleep")]
pub(crate) fn update(m: &Model, d: &mut Data, static_awake: bool) {
    let mut awake = Awake::default();
    if m.body_treeid.len() != m.nbody || m.body_mocapid.len() != m.nbody || m.body_rootid.len() != m.nbody {
        // arrays that do not fit are refused before a step
        return;
    }
    for tree in 0..m.ntree {
        d.tree_awake[tree] = d.tree_asleep[tree] < 0;
        awake.ntree += usize::from(d.tree_awake[tree]);
    }
    awake.some_sleep = awake.ntree < m.ntree;
    for body in 0..m.nbody {
        let state = match m.body_treeid[body].get() {
            Some(tree) if d.tree_awake[tree] => SleepState::Awake,
            Some(_) => SleepState::Asleep,
            None if static_awake || m.body_mocapid[m.body_rootid[body] as usize].is_some() => SleepState::Awake,
            None => SleepState::Static,
        };
        d.body_awake[body] = state as i32;
        if state != SleepState::Asleep {
            d.body_awake_ind[awake.nbody] = body as u32;
            awake.nbody += 1;
        }
        if body > 0 && d.body_awake[m.body_parentid[body] as usize] != SleepState::Asleep as i32 {
            d.parent_awake_ind[awake.nparent] = body as u32;
            awake.nparent += 1;
        }
    }
    for dof in 0..m.nv {
        if d.tree_awake[m.dof_treeid[dof] as usize] {
            d.dof_awake_ind[awake.nv] = dof as u32;
            awake.nv += 1;
        }
    }
    d.awake = awake;
}

impl Data {
    /// True when the tree sleeps.
    #[inline]
    pub(crate) fn tree_sleeps(&self, tree: usize) -> bool {
        self.awake.some_sleep && !self.tree_awake[tree]
    }

    /// True when nothing awake is among two geoms that may touch: sleepers, and what cannot move.
    #[inline]
    pub(crate) fn pair_sleeps(&self, m: &Model, geom: [usize; 2]) -> bool {
        let awake = |g: usize| self.body_awake[m.geom_bodyid[g] as usize] == SleepState::Awake as i32;
        self.awake.some_sleep && !awake(geom[0]) && !awake(geom[1])
    }

    /// True when all trees of a tendon sleep.
    pub(crate) fn tendon_sleeps(&self, m: &Model, tendon: usize) -> bool {
        self.awake.some_sleep && self.tendon_state(m, tendon) == SleepState::Asleep
    }

    /// True when an actuator rests because what it moves sleeps. A slider-crank between two sites that cannot move rests
    /// as soon as sleep is switched on, as in MuJoCo.
    pub(crate) fn actuator_sleeps(&self, m: &Model, actuator: usize) -> bool {
        m.opt.enabled(EnableFlags::SLEEP) && self.actuator_state(m, actuator) == SleepState::Asleep
    }

    /// True when nothing that the equality holds is awake.
    pub(crate) fn equality_sleeps(&self, m: &Model, eq: usize) -> bool {
        if !self.awake.some_sleep {
            return false;
        }
        let kind = match m.eq_type[eq] {
            EqType::Connect | EqType::Weld => m.eq_objtype[eq],
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            EqType::Flex | EqType::FlexVert | EqType::Distance => return false,
        };
        let awake = |id: sim_types::OptId| id.get().is_some_and(|id| self.state_of(m, kind, id) == SleepState::Awake);
        !awake(m.eq_obj1id[eq]) && !awake(m.eq_obj2id[eq])
    }

    /// Sleep state of anything that has a body, and of tendons; the rest counts as awake.
    #[doc(alias = "mj_sleepState")]
    pub(crate) fn state_of(&self, m: &Model, kind: ObjType, id: usize) -> SleepState {
        let body = match kind {
            ObjType::Body | ObjType::XBody => id,
            ObjType::Joint => m.jnt_bodyid[id] as usize,
            ObjType::Dof => m.dof_bodyid[id] as usize,
            ObjType::Geom => m.geom_bodyid[id] as usize,
            ObjType::Site => m.site_bodyid[id] as usize,
            ObjType::Camera => m.cam_bodyid[id] as usize,
            ObjType::Light => m.light_bodyid[id] as usize,
            ObjType::Tendon => return self.tendon_state(m, id),
            ObjType::Actuator => return self.actuator_state(m, id),
            _ => return SleepState::Awake,
        };
        match self.body_awake[body] {
            1 => SleepState::Awake,
            0 => SleepState::Asleep,
            _ => SleepState::Static,
        }
    }

    fn actuator_state(&self, m: &Model, actuator: usize) -> SleepState {
        let of = |kind: ObjType, k: usize| {
            m.actuator_trnid[actuator][k].get().map_or(SleepState::Static, |id| self.state_of(m, kind, id))
        };
        match m.actuator_trntype[actuator] {
            TrnType::Joint | TrnType::JointInParent => of(ObjType::Joint, 0),
            TrnType::Tendon => of(ObjType::Tendon, 0),
            TrnType::Site => of(ObjType::Site, 0),
            TrnType::Body => of(ObjType::Body, 0),
            TrnType::SliderCrank => match (of(ObjType::Site, 0), of(ObjType::Site, 1)) {
                (SleepState::Awake, _) | (_, SleepState::Awake) => SleepState::Awake,
                _ => SleepState::Asleep,
            },
            TrnType::Undefined => SleepState::Awake,
        }
    }

    fn tendon_state(&self, m: &Model, tendon: usize) -> SleepState {
        let awake = |k: usize| m.tendon_treeid[tendon][k].get().is_some_and(|tree| self.tree_awake[tree]);
        match m.tendon_treenum[tendon] {
            0 => SleepState::Static,
            1 if !awake(0) => SleepState::Asleep,
            2 if !awake(0) && !awake(1) => SleepState::Asleep,
            _ => SleepState::Awake,
        }
    }
}

/// True when a sensor shows its old value: what it measures sleeps.
pub(crate) fn sensor_sleeps(m: &Model, d: &Data, sensor: usize) -> bool {
    if !d.awake.some_sleep {
        return false;
    }
    let (kind, reference) = (m.sensor_objtype[sensor], m.sensor_reftype[sensor]);
    match m.sensor_type[sensor] {
        SensorType::User | SensorType::Plugin | SensorType::Rangefinder => return false,
        SensorType::Contact if kind == ObjType::Site || reference == ObjType::Site => return false,
        _ => {}
    }
    let state = |kind: ObjType, id: sim_types::OptId| match (kind, id.get()) {
        (ObjType::Unknown, _) | (_, None) => None,
        (kind, Some(id)) => Some(d.state_of(m, kind, id)),
    };
    match (state(kind, m.sensor_objid[sensor]), state(reference, m.sensor_refid[sensor])) {
        (None, None) => false,
        (Some(one), None) | (None, Some(one)) => one == SleepState::Asleep,
        (Some(a), Some(b)) => a != SleepState::Awake && b != SleepState::Awake,
    }
}
