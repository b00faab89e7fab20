//! Four environments of one model at once, in the lanes of wide registers.
//!
//! The stages of smooth dynamics do the same operations for every state of a model; which contacts there are does not
//! matter to them. For a group of four environments they run once, on vectors with a number of each. Their results are
//! kept side by side in [`Lanes`] for the stages that follow, and given to the `Data` of each environment for
//! everything else. The kernels are those of a single environment, and so are the bits.

mod simd;

use sim_types::cast::{must_cast_slice, must_cast_slice_mut};

use crate::data::Data;
use crate::error::StepError;
use crate::integrate::damped_matrix;
use crate::model::Model;
use crate::pipeline::Envs;
use crate::smooth::kernel::{self, Store};
use simd::{F4, Kernel, gather, run, scatter};

/// Environments of a group.
pub(crate) const LANES: usize = 4;

/// What the stages of smooth dynamics have computed for a group, side by side; exists only where that is faster.
#[derive(Clone, Debug)]
#[expect(non_snake_case, reason = "arrays keep MuJoCo's names")]
pub(crate) struct Lanes {
    arrays: Store<F4>,
    qLD: Vec<F4>,
    qLDiagInv: Vec<F4>,
    qH: Vec<F4>,
    qHDiagInv: Vec<F4>,
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
                qLD: vec![zero; m.nC],
                qLDiagInv: vec![zero; m.nv],
                qH: vec![zero; m.nC],
                qHDiagInv: vec![zero; m.nv],
                x: vec![zero; m.nv],
                y: vec![zero; m.nv],
            }
        })
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let own = [&self.qLD, &self.qLDiagInv, &self.qH, &self.qHDiagInv, &self.x, &self.y];
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

/// Declares the stages: each one a kernel, and a method of the group that runs it.
macro_rules! stages {
    ($( $(#[$doc:meta])* $name:ident as $kernel:ident: |$m:ident, $lanes:ident, $d:ident| $body:block )*) => {
        $(
            struct $kernel<'a>(&'a Model, &'a mut Lanes, &'a mut [Data; LANES]);

            impl Kernel for $kernel<'_> {
                #[inline(always)]
                fn run(self) {
                    let Self($m, $lanes, $d) = self;
                    $body
                }
            }
        )*

        impl Four<'_> {
            $( $(#[$doc])* fn $name(&mut self, m: &Model) { run($kernel(m, self.lanes, self.d)); } )*
        }
    };
}

stages! {
    poses as Poses: |m, lanes, d| {
        let a = &mut lanes.arrays;
        gather!(a, d; qpos mocap_pos mocap_quat);
        kernel::poses(m, &mut a.view());
        scatter!(a, d; xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat);
    }
    about_com as AboutCom: |m, lanes, d| {
        kernel::about_com(m, &mut lanes.arrays.view());
        scatter!(lanes.arrays, d; subtree_com cinert cdof);
    }
    inertia as Inertia: |m, lanes, d| {
        kernel::inertia(m, &mut lanes.arrays.view());
        scatter!(lanes.arrays, d; crb M);
    }
    factor as Factor: |m, lanes, d| {
        // tendons may have added to it
        if m.ntendon > 0 {
            gather!(lanes.arrays, d; M);
        }
        lanes.qLD.copy_from_slice(&lanes.arrays.M);
        m.m_pattern().factor_lanes(&mut lanes.qLD, &mut lanes.qLDiagInv);
        scatter!(lanes, d; qLD qLDiagInv);
    }
    velocities as Velocities: |m, lanes, d| {
        gather!(lanes.arrays, d; qvel);
        kernel::velocities(m, &mut lanes.arrays.view());
        scatter!(lanes.arrays, d; cvel cdof_dot);
    }
    bias as Bias: |m, lanes, d| {
        kernel::recursion(m, &mut lanes.arrays.view(), None, &mut lanes.x);
        scatter(&lanes.x, slices!(mut d, qfrc_bias));
    }
    smooth_acceleration as SmoothAcceleration: |m, lanes, d| {
        gather(slices!(d, qfrc_smooth), &mut lanes.x);
        m.m_pattern().solve_lanes(&lanes.qLD, &lanes.qLDiagInv, &mut lanes.x);
        scatter(&lanes.x, slices!(mut d, qacc_smooth));
    }
    damped as Damped: |m, lanes, d| {
        gather(slices!(d, qfrc_smooth), &mut lanes.x);
        gather(slices!(d, qfrc_constraint), &mut lanes.y);
        damped_matrix(m, &lanes.arrays.M, &mut lanes.qH);
        m.m_pattern().factor_lanes(&mut lanes.qH, &mut lanes.qHDiagInv);
        for (x, y) in lanes.x.iter_mut().zip(&lanes.y) {
            *x = *x + *y;
        }
        m.m_pattern().solve_lanes(&lanes.qH, &lanes.qHDiagInv, &mut lanes.x);
        scatter!(lanes, d; qH qHDiagInv);
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

    fn kinematics(&mut self, m: &Model) {
        self.poses(m);
        self.fresh = true;
    }

    fn com_pos(&mut self, m: &Model) {
        self.about_com(m);
    }

    fn crb(&mut self, m: &Model) {
        self.inertia(m);
    }

    fn factor_m(&mut self, m: &Model) {
        self.factor(m);
    }

    fn com_vel(&mut self, m: &Model) {
        self.velocities(m);
    }

    fn rne(&mut self, m: &Model) {
        self.bias(m);
    }

    fn acceleration(&mut self, m: &Model) {
        self.smooth_acceleration(m);
    }

    fn damped_acceleration(&mut self, m: &Model, reuse: bool) {
        if reuse || !self.fresh {
            return self.each(|d| d.damped_acceleration(m, reuse));
        }
        for d in self.d.iter_mut() {
            d.scratch.qacc.resize(m.nv, 0.0);
        }
        self.damped(m);
    }
}
