//! A range of environments, and what happens to each of them.

use std::sync::Arc;

use sim_types::EnableFlags;

use super::crew::Split;
use super::layout::{Layout, Stored, cut};
use super::worker::{Group, Worker};
use super::{Fault, Record, StepStatus, layout};
use crate::data::Data;
use crate::error::StepError;
use crate::lanes::{Four, LANES};
use crate::model::Model;
use crate::pipeline::{Mujoco, Skip, step_skip};

/// Neighbouring environments: their memory, and room for what the caller wants of them.
pub(super) struct Shard<'a, T> {
    /// Number of the first one.
    pub(super) first: usize,
    pub(super) layout: &'a Layout,
    pub(super) substeps: usize,
    pub(super) models: &'a [Arc<Model>],
    pub(super) rows: &'a mut [f64],
    pub(super) eq_active: &'a mut [bool],
    pub(super) sensordata: &'a mut [f64],
    pub(super) records: &'a mut [Record],
    pub(super) status: &'a mut [StepStatus],
    /// The caller's rows; empty when none are wanted.
    pub(super) out: &'a mut [f64],
    /// The caller's records; empty when there are none.
    pub(super) extra: &'a mut [T],
}

/// One environment of a shard.
pub(super) struct Slot<'a, T> {
    pub(super) env: usize,
    pub(super) m: &'a Model,
    substeps: usize,
    pub(super) row: &'a mut [f64],
    pub(super) eq_active: &'a mut [bool],
    pub(super) sensordata: &'a mut [f64],
    record: &'a mut Record,
    pub(super) status: &'a mut StepStatus,
    pub(super) out: &'a mut [f64],
    pub(super) extra: Option<&'a mut T>,
}

impl<T: Send> Split for Shard<'_, T> {
    fn len(&self) -> usize {
        self.models.len()
    }

    fn split(self, n: usize) -> (Self, Self) {
        let width = self.out_width();
        let (m1, m2) = self.models.split_at(n);
        let (r1, r2) = self.rows.split_at_mut(n * self.layout.row);
        let (e1, e2) = self.eq_active.split_at_mut(n * self.layout.neq);
        let (s1, s2) = self.sensordata.split_at_mut(n * self.layout.nsensordata);
        let (c1, c2) = self.records.split_at_mut(n);
        let (t1, t2) = self.status.split_at_mut(n);
        let (o1, o2) = self.out.split_at_mut(n * width);
        let (x1, x2) = self.extra.split_at_mut(n.min(self.extra.len()));
        let (layout, substeps) = (self.layout, self.substeps);
        (
            Self {
                first: self.first,
                layout,
                substeps,
                models: m1,
                rows: r1,
                eq_active: e1,
                sensordata: s1,
                records: c1,
                status: t1,
                out: o1,
                extra: x1,
            },
            Self {
                first: self.first + n,
                layout,
                substeps,
                models: m2,
                rows: r2,
                eq_active: e2,
                sensordata: s2,
                records: c2,
                status: t2,
                out: o2,
                extra: x2,
            },
        )
    }
}

impl<'a, T> Shard<'a, T> {
    /// With rows of the caller to be written.
    pub(super) fn with_rows(mut self, out: &'a mut [f64]) -> Self {
        self.out = out;
        self
    }

    fn out_width(&self) -> usize {
        self.out.len() / self.models.len().max(1)
    }

    /// The environments one after the other.
    fn slots(self) -> Slots<'a, T> {
        Slots { width: self.out_width(), rest: self }
    }

    /// Calls `f` for each environment, in order.
    pub(super) fn for_each(self, f: impl FnMut(Slot<'_, T>)) {
        self.slots().for_each(f);
    }

    /// Steps every environment, in groups where that is possible, and calls `f` for each one afterwards.
    pub(super) fn step(self, worker: &mut Worker, f: impl Fn(&mut Slot<'_, T>)) {
        let mut slots = self.slots();
        loop {
            if let Some(group) = &mut worker.group
                && let Some((m, mut four)) = slots.next_group()
            {
                let known = worker.fits.as_ref().is_some_and(|fits| Arc::ptr_eq(fits, m));
                if !known {
                    worker.fits = None;
                }
                load_group(&four, &mut group.d, known);
                group.trust_plans(known);
                advance_group(&mut four, group);
                group.trust_plans(false);
                // one that failed may have left before its plan was looked at
                if !known && !four.iter().any(|slot| slot.status.is_failed()) {
                    worker.fits = Some(Arc::clone(m));
                }
                for (slot, d) in four.iter_mut().zip(&group.d) {
                    slot.store(d);
                    f(slot);
                }
                continue;
            }
            let Some(mut slot) = slots.next() else { return };
            slot.step(&mut worker.d);
            f(&mut slot);
        }
    }

    /// As [`step`](Self::step), with visitors before and after the step.
    pub(super) fn step_visited(
        self,
        worker: &mut Worker,
        before: impl Fn(&mut Slot<'_, T>, &mut Data),
        after: impl Fn(&mut Slot<'_, T>, &mut Data),
    ) {
        worker.fits = None;
        let mut slots = self.slots();
        loop {
            if let Some(group) = &mut worker.group
                && let Some((_, mut four)) = slots.next_group()
            {
                load_group(&four, &mut group.d, false);
                let mut fit = true;
                for (slot, d) in four.iter_mut().zip(&mut group.d) {
                    before(slot, d);
                    fit &= slot.check(d);
                }
                if fit {
                    advance_group(&mut four, group);
                } else {
                    for (slot, d) in four.iter_mut().zip(&mut group.d) {
                        slot.advance(d);
                    }
                }
                for (slot, d) in four.iter_mut().zip(&mut group.d) {
                    after(slot, d);
                    slot.revive();
                    slot.store_checked(d);
                }
                continue;
            }
            let Some(mut slot) = slots.next() else { return };
            slot.visit(&mut worker.d, |slot, d| {
                before(slot, d);
                slot.check(d);
                slot.advance(d);
                after(slot, d);
                slot.revive();
            });
        }
    }
}

/// The environments of a shard that are still to come.
struct Slots<'a, T> {
    rest: Shard<'a, T>,
    /// Numbers of the caller's rows.
    width: usize,
}

impl<'a, T> Iterator for Slots<'a, T> {
    type Item = Slot<'a, T>;

    fn next(&mut self) -> Option<Slot<'a, T>> {
        let shard = &mut self.rest;
        let (m, models) = shard.models.split_first()?;
        shard.models = models;
        let env = shard.first;
        shard.first += 1;
        Some(Slot {
            env,
            m,
            substeps: shard.substeps,
            row: cut(&mut shard.rows, shard.layout.row),
            eq_active: cut(&mut shard.eq_active, shard.layout.neq),
            sensordata: cut(&mut shard.sensordata, shard.layout.nsensordata),
            record: cut(&mut shard.records, 1).first_mut()?,
            status: cut(&mut shard.status, 1).first_mut()?,
            out: cut(&mut shard.out, self.width),
            extra: if shard.extra.is_empty() { None } else { cut(&mut shard.extra, 1).first_mut() },
        })
    }
}

impl<'a, T> Slots<'a, T> {
    /// The next environments with their model, if they can be stepped together: the same model, no memory of their own,
    /// none that has failed.
    fn next_group(&mut self) -> Option<(&'a Arc<Model>, [Slot<'a, T>; LANES])> {
        let (models, records) = (self.rest.models.get(..LANES)?, self.rest.records.get(..LANES)?);
        let plain = |r: &Record| r.own.is_none() && r.error.is_none() && r.refused.is_none();
        if !models.iter().all(|m| Arc::ptr_eq(m, &models[0])) || !records.iter().all(plain) {
            return None;
        }
        let m = &models[0];
        Some((m, [self.next()?, self.next()?, self.next()?, self.next()?]))
    }
}

/// Puts environments into data, which is known to fit or made anew if it does not.
fn load_group<T>(four: &[Slot<'_, T>; LANES], d: &mut [Data; LANES], known: bool) {
    for (slot, d) in four.iter().zip(d) {
        if known { slot.load_fitting(d) } else { slot.load(d) }
    }
}

/// Takes the steps of one call on data that holds the environments, none of which has failed.
fn advance_group<T>(four: &mut [Slot<'_, T>; LANES], group: &mut Group) {
    let (m, substeps) = (four[0].m, four[0].substeps);
    for slot in four.iter_mut() {
        *slot.status = StepStatus::Ok;
    }
    for step in 0..substeps {
        let mut together = Four::new(&mut group.d, &mut group.lanes);
        // errors stay with the environments
        let done = step_skip(m, &mut together, &mut Mujoco::default(), Skip::Nothing, true);
        debug_assert!(done.is_ok(), "a group has no error of its own");
        let mut failed = false;
        for ((slot, d), done) in four.iter_mut().zip(&*together.d).zip(together.done) {
            failed |= slot.note(d, done);
        }
        // the rest alone, if one has failed
        if failed {
            for (slot, d) in four.iter_mut().zip(&mut group.d) {
                slot.take_steps(d, substeps - step - 1);
            }
            return;
        }
    }
}

impl<T> Slot<'_, T> {
    /// Steps the environment; one that has failed stays as it is.
    pub(super) fn step(&mut self, d: &mut Data) {
        match &self.record.error {
            Some(e) => *self.status = StepStatus::Failed(Fault::from(&**e)),
            None => self.with_data(d, Self::advance),
        }
    }

    /// Loads the environment, runs `f`, and stores what is left. `f` must leave the lengths of arrays alone.
    fn with_data(&mut self, worker: &mut Data, f: impl FnOnce(&mut Self, &mut Data)) {
        let mut own = self.record.own.take();
        let d = own.as_deref_mut().unwrap_or(worker);
        self.load(d);
        f(self, d);
        self.store(d);
        self.record.own = own;
    }

    /// As `with_data`, for a visitor who may do anything to the data.
    pub(super) fn visit(&mut self, worker: &mut Data, f: impl FnOnce(&mut Self, &mut Data)) {
        let mut own = self.record.own.take();
        let d = own.as_deref_mut().unwrap_or(worker);
        self.load(d);
        f(self, d);
        self.store_checked(d);
        self.record.own = own;
    }

    /// Stores what a visitor left; data that was broken leaves the state from before.
    fn store_checked(&mut self, d: &Data) {
        if self.check(d) {
            self.store(d);
        }
    }

    fn load(&self, d: &mut Data) {
        fit(self.m, d);
        self.load_fitting(d);
    }

    /// As [`load`](Self::load), for data that is known to fit.
    fn load_fitting(&self, d: &mut Data) {
        layout::load(Stored { row: self.row, eq_active: self.eq_active }, d);
        d.sensordata.copy_from_slice(self.sensordata);
        d.warning = self.record.warning;
    }

    fn store(&mut self, d: &Data) {
        layout::store(d, self.row, self.eq_active);
        self.sensordata.copy_from_slice(&d.sensordata);
        self.record.warning = d.warning;
        (self.record.ncon, self.record.nefc) = (d.ncon(), d.efc.nefc);
    }

    /// True when the data fits the model; otherwise the environment has failed.
    pub(super) fn check(&mut self, d: &Data) -> bool {
        d.fits(self.m).map_err(|e| self.fail(e)).is_ok()
    }

    /// Takes the steps of one call on data that holds the environment, unless it has failed.
    pub(super) fn advance(&mut self, d: &mut Data) {
        if let Some(e) = &self.record.error {
            *self.status = StepStatus::Failed(Fault::from(&**e));
            return;
        }
        if let Some(e) = &self.record.refused {
            let e = (**e).clone();
            self.fail(e);
            return;
        }
        *self.status = StepStatus::Ok;
        self.take_steps(d, self.substeps);
    }

    /// Takes steps until one fails.
    fn take_steps(&mut self, d: &mut Data, n: usize) {
        for _ in 0..n {
            if self.status.is_failed() {
                return;
            }
            let done = step_skip(self.m, d, &mut Mujoco::default(), Skip::Nothing, true);
            self.note(d, done);
        }
    }

    /// Notes how a step went; true when it failed.
    fn note(&mut self, d: &Data, done: Result<(), StepError>) -> bool {
        if let Err(e) = done {
            self.fail(e);
            return true;
        }
        if let Some(bad) = d.restart
            && self.status.is_ok()
        {
            *self.status = StepStatus::Reset(bad);
        }
        false
    }

    /// Forgets a failure that a visitor has mended.
    pub(super) fn revive(&mut self) {
        if !self.status.is_failed() {
            self.record.error = None;
        }
    }

    fn fail(&mut self, e: StepError) {
        *self.status = StepStatus::Failed(Fault::from(&e));
        self.record.error = Some(Box::new(e));
    }
}

/// Puts an environment into data, which is made anew if it does not fit.
pub(super) fn load(m: &Model, stored: Stored<'_>, sensordata: &[f64], d: &mut Data) {
    fit(m, d);
    layout::load(stored, d);
    d.sensordata.copy_from_slice(sensordata);
}

/// Makes data anew that does not fit.
fn fit(m: &Model, d: &mut Data) {
    if d.fits(m).is_err() {
        *d = m.make_data();
    }
}

/// True when an environment with this model cannot use data that others use too: trees may sleep, or the plan for collision,
/// which is kept in the data, is another one.
pub(super) fn needs_own_data(shared: &Model, m: &Model) -> bool {
    m.opt.enabled(EnableFlags::SLEEP) || !(std::ptr::eq(shared, m) || same_shapes(shared, m))
}

fn same_shapes(a: &Model, b: &Model) -> bool {
    a.opt.disableflags == b.opt.disableflags
        && a.opt.enableflags == b.opt.enableflags
        && a.opt.o_margin == b.opt.o_margin
        && Arc::ptr_eq(&a.assets, &b.assets)
        && a.geom_type == b.geom_type
        && a.geom_contype == b.geom_contype
        && a.geom_conaffinity == b.geom_conaffinity
        && a.geom_bodyid == b.geom_bodyid
        && a.geom_size == b.geom_size
        && a.geom_rbound == b.geom_rbound
        && a.geom_margin == b.geom_margin
        && a.body_weldid == b.body_weldid
        && a.body_parentid == b.body_parentid
        && a.body_contype == b.body_contype
        && a.body_conaffinity == b.body_conaffinity
        && a.body_bvhadr == b.body_bvhadr
        && a.exclude_signature == b.exclude_signature
        && a.pair_geom1 == b.pair_geom1
        && a.pair_geom2 == b.pair_geom2
        && a.pair_margin == b.pair_margin
}
