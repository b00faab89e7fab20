//! Memory of the collision stage, kept between steps.

use std::sync::Arc;

use sim_collision::broadphase::{Ends, SweepScratch};
use sim_collision::convex::ConvexScratch;
use sim_collision::rows::Balls;
use sim_collision::{ContactBuf, Posed};
use sim_types::{Mat3, Vec3};

use super::plan::{Broad, Plan};
use super::shape::{Hulls, posed};
use crate::data::Data;
use crate::model::Model;
use crate::ray::RaySource;

/// Memory that the collision stage and the queries work in, and the plan for the model. It is not part of a state's value:
/// two are always equal.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub(super) plan: Option<Arc<Plan>>,
    /// True while only the model is used that the plan was last found to fit, and that cannot have changed since.
    pub(crate) trusted: bool,
    /// Shapes of geoms where they are; those that need an asset have no size.
    pub(super) posed: Vec<Posed<'static>>,
    /// Balls around the geoms of the plan's rows, and the normals of the planes among them.
    pub(super) balls: Balls,
    pub(super) normals: Vec<Vec3>,
    /// A bit per candidate pair.
    pub(super) candidates: Vec<u64>,
    /// The bodies' intervals.
    pub(super) ends: Vec<Ends>,
    pub(super) sweep: SweepScratch,
    pub(super) swept: Vec<(u32, u32)>,
    /// Pairs of bodies, and pairs of geoms of two of them.
    pub(super) bodies: Vec<[u32; 2]>,
    pub(super) geoms: Vec<[u32; 2]>,
    pub(super) stack: Vec<[u32; 2]>,
    pub(super) contacts: ContactBuf,
    pub(super) convex: ConvexScratch,
    /// Where a camera's rays start.
    pub(crate) rays: RaySource,
}

impl PartialEq for Work {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Work {
    /// The plan for this model, made anew when the model changed; to be put back after use. It is moved, since threads
    /// that share a plan would wait for each other to count a copy.
    pub(super) fn take_plan(&mut self, m: &Model, by_user: bool) -> Arc<Plan> {
        match self.plan.take() {
            Some(plan) if self.trusted || plan.fits(m, by_user) => plan,
            _ => {
                let plan = Arc::new(Plan::new(m, by_user));
                let shape = |g: usize| posed(m.geom_type[g], &m.geom_size[g], &Vec3::zeros(), &Mat3::identity());
                self.posed.clear();
                self.posed.extend((0..m.ngeom).map(shape));
                self.balls.reset(match &plan.broad {
                    Broad::Rows(rows) => &rows.radius,
                    Broad::Sweep(list) => &list.fixed.radius,
                });
                plan
            }
        }
    }

    /// Puts all geoms where they are now. Done ahead of the pairs, so that none waits for what was just written.
    pub(super) fn place(&mut self, d: &Data) {
        for ((posed, pos), mat) in self.posed.iter_mut().zip(&d.geom_xpos).zip(&d.geom_xmat) {
            posed.pos = *pos;
            posed.mat = *mat;
        }
    }

    /// What a query of two geoms works in.
    pub(crate) fn for_queries(&mut self) -> (Option<&Hulls>, &mut ConvexScratch, &mut ContactBuf) {
        (self.plan.as_ref().map(|plan| &plan.hulls), &mut self.convex, &mut self.contacts)
    }

    /// Bytes on the heap, the plan left out: copies of a state share it.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.posed.capacity() * size_of::<Posed<'static>>()
            + self.ends.capacity() * size_of::<Ends>()
            + self.balls.bytes()
            + self.normals.capacity() * size_of::<Vec3>()
            + (self.candidates.capacity() + self.swept.capacity()) * 8
            + (self.bodies.capacity() + self.geoms.capacity() + self.stack.capacity()) * 8
    }
}
