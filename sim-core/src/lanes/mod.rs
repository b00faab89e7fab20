//! Four environments of one model at once, in the lanes of wide registers.
//!
//! The stages of smooth dynamics do the same operations for every state of a model; which contacts there are does not
//! matter to them. For a group of four environments they run once, on vectors with a number of each, ahead of everything
//! else. Their results are then given to the `Data` of each environment, which goes through the list of stages without
//! them. The kernels are those of a single environment, and so are the bits.

mod simd;

use bytemuck::{must_cast_slice, must_cast_slice_mut};

use crate::data::Data;
use crate::error::StepError;
use crate::integrate::damped_matrix;
use crate::model::Model;
use crate::pipeline::{Envs, Parts, Pass, Skip, list};
use crate::smooth::has_tendon_armature;
use crate::smooth::kernel::{self, Store};
use simd::{F4, Kernel, gather, run, scatter};

/// Environments of a group.
pub(crate) const LANES: usize = 4;

/// What the stages of smooth dynamics have computed for a group, side by side; exists only where that is faster.
#[derive(Clone, Debug)]
pub(crate) struct Lanes {
    arrays: Store<F4>,
    /// A factor, and the inverse of its diagonal.
    factor: Vec<F4>,
    diaginv: Vec<F4>,
    /// Forces, and the accelerations that they cause.
    x: Vec<F4>,
    y: Vec<F4>,
}

impl Lanes {
    /// Memory for a model; `None` on a CPU without registers for four numbers.
    pub(crate) fn new(m: &Model) -> Option<Self> {
        simd::available().then(|| {
            let zero = F4::zero();
            Self {
                arrays: Store::new(m, zero),
                factor: vec![zero; m.nC],
                diaginv: vec![zero; m.nv],
                x: vec![zero; m.nv],
                y: vec![zero; m.nv],
            }
        })
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let own = [&self.factor, &self.diaginv, &self.x, &self.y];
        self.arrays.bytes() + own.iter().map(|x| x.capacity()).sum::<usize>() * size_of::<F4>()
    }
}

/// A group that goes through the stages together.
pub(crate) struct Four<'a> {
    pub(crate) d: &'a mut [Data; LANES],
    pub(crate) lanes: &'a mut Lanes,
    /// How each fared so far; one that has failed is left alone.
    pub(crate) done: [Result<(), StepError>; LANES],
    /// False when one of them has been computed on its own since the lanes were filled.
    fresh: bool,
}

impl<'a> Four<'a> {
    /// Environments that fit the model that `lanes` was made for, none of them with sleepers.
    pub(crate) fn new(d: &'a mut [Data; LANES], lanes: &'a mut Lanes) -> Self {
        Self { d, lanes, done: [Ok(()), Ok(()), Ok(()), Ok(())], fresh: false }
    }
}

/// Names the slice of every environment.
macro_rules! slices {
    ($d:expr, $($field:ident).+) => {{
        let [a, b, c, d] = &*$d;
        [must_cast_slice(&a.$($field).+), must_cast_slice(&b.$($field).+),
            must_cast_slice(&c.$($field).+), must_cast_slice(&d.$($field).+)]
    }};
    (mut $d:expr, $($field:ident).+) => {{
        let [a, b, c, d] = &mut *$d;
        [must_cast_slice_mut(&mut a.$($field).+), must_cast_slice_mut(&mut b.$($field).+),
            must_cast_slice_mut(&mut c.$($field).+), must_cast_slice_mut(&mut d.$($field).+)]
    }};
}

macro_rules! gather {
    ($lanes:expr, $d:expr; $($name:ident)*) => { $( gather(slices!($d, $name), &mut $lanes.$name); )* };
}

macro_rules! scatter {
    ($lanes:expr, $d:expr; $($name:ident)*) => { $( scatter(&$lanes.$name, slices!(mut $d, $name)); )* };
}

/// Everything of smooth dynamics that needs no other stage: of positions, then of velocities.
struct Ahead<'a>(&'a Model, &'a mut Lanes, &'a mut [Data; LANES]);

impl Kernel for Ahead<'_> {
    #[inline(always)]
    fn run(self) {
        let Self(m, lanes, d) = self;
        let a = &mut lanes.arrays;
        gather!(a, d; qpos mocap_pos mocap_quat qvel);
        kernel::poses(m, &mut a.view());
        kernel::about_com(m, &mut a.view());
        kernel::inertia(m, &mut a.view());
        kernel::velocities(m, &mut a.view());
        kernel::recursion(m, &mut a.view(), None, &mut lanes.x);
        scatter!(a, d; xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat);
        scatter!(a, d; subtree_com cinert cdof crb M cvel cdof_dot);
        scatter(&lanes.x, slices!(mut d, qfrc_bias));
        if !has_tendon_armature(m) {
            lanes.factor.copy_from_slice(&a.M);
            m.m_pattern().factor_lanes(&mut lanes.factor, &mut lanes.diaginv);
            scatter(&lanes.factor, slices!(mut d, qLD));
            scatter(&lanes.diaginv, slices!(mut d, qLDiagInv));
        }
    }
}

/// The acceleration with implicit damping; see [`crate::integrate::damped_acceleration`].
struct Damped<'a>(&'a Model, &'a mut Lanes, &'a mut [Data; LANES]);

impl Kernel for Damped<'_> {
    #[inline(always)]
    fn run(self) {
        let Self(m, lanes, d) = self;
        if has_tendon_armature(m) {
            gather!(lanes.arrays, d; M);
        }
        gather(slices!(d, qfrc_smooth), &mut lanes.x);
        gather(slices!(d, qfrc_constraint), &mut lanes.y);
        for dof in 0..m.nv {
            lanes.x[dof] = lanes.x[dof] + lanes.y[dof];
        }
        damped_matrix(m, &lanes.arrays.M, &mut lanes.factor);
        m.m_pattern().factor_lanes(&mut lanes.factor, &mut lanes.diaginv);
        m.m_pattern().solve_lanes(&lanes.factor, &lanes.diaginv, &mut lanes.x);
        scatter(&lanes.factor, slices!(mut d, qH));
        scatter(&lanes.diaginv, slices!(mut d, qHDiagInv));
        scatter(&lanes.x, slices!(mut d, scratch.qacc));
    }
}

impl Envs for Four<'_> {
    #[inline]
    fn each(&mut self, mut f: impl FnMut(&mut Data)) {
        for (d, done) in self.d.iter_mut().zip(&self.done) {
            if done.is_ok() {
                f(d);
            }
        }
    }

    #[inline]
    fn attempt(&mut self, mut f: impl FnMut(&mut Data) -> Result<(), StepError>) -> Result<(), StepError> {
        for (d, done) in self.d.iter_mut().zip(&mut self.done) {
            if done.is_ok() {
                *done = f(d);
            }
        }
        Ok(())
    }

    fn mend(
        &mut self,
        _: Result<(), StepError>,
        mut f: impl FnMut(&mut Data, Result<(), StepError>) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        for (d, done) in self.d.iter_mut().zip(&mut self.done) {
            let before = std::mem::replace(done, Ok(()));
            self.fresh &= before.is_ok();
            *done = f(d, before);
            self.fresh &= d.restart.is_none();
        }
        Ok(())
    }

    fn stages<P: Parts>(&mut self, m: &Model, parts: &mut P, skip: Skip, sensors: bool) -> Result<(), StepError> {
        let ahead = skip == Skip::Nothing;
        if ahead {
            run(Ahead(m, self.lanes, self.d));
            self.fresh = true;
        }
        for i in 0..LANES {
            share_scratch(self.d, i);
            if self.done[i].is_ok() {
                self.done[i] = list(m, &mut self.d[i], parts, Pass { skip, sensors, ahead });
            }
        }
        Ok(())
    }

    fn damped_acceleration(&mut self, m: &Model, reuse: bool) {
        if reuse || !self.fresh {
            return self.each(|d| d.damped_acceleration(m, reuse));
        }
        for d in self.d.iter_mut() {
            d.scratch.qacc.resize(m.nv, 0.0);
        }
        run(Damped(m, self.lanes, self.d));
    }
}

/// Gives environment `i` the large memory of the one before it, which is in the cache.
fn share_scratch(d: &mut [Data; LANES], i: usize) {
    let before = (i + LANES - 1) % LANES;
    if let Ok([d, before]) = d.get_disjoint_mut([i, before]) {
        std::mem::swap(&mut d.scratch.solve, &mut before.scratch.solve);
        std::mem::swap(&mut d.scratch.collision, &mut before.scratch.collision);
    }
}
