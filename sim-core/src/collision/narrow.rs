//! Two geoms that may touch: filters, contacts, parameters.

use sim_collision::aabb::{
    Frame, FramePair, ball_apart, boxes_apart, oriented_boxes_near, sphere_above_plane, spheres_apart,
};
use sim_collision::bvh::collide_trees;
use sim_collision::convex::ConvexOptions;
use sim_collision::pair::Method;
use sim_collision::{Posed, collide, convex};
use sim_types::{DisableFlags, EnableFlags, GeomType, Mat3, Vec3};

use super::broad::{axes, sweep_finds};
use super::params::Params;
use super::plan::{Pair, Plan, margin};
use super::shape::{tree, with_hull};
use super::work::Work;
use crate::data::Data;
use crate::model::Model;
use crate::pipeline::{Hooks, Parts};
use crate::warning::Warning;

/// The narrow phase of one step.
pub(super) struct Narrow<'a, P> {
    pub(super) m: &'a Model,
    pub(super) d: &'a mut Data,
    pub(super) work: &'a mut Work,
    pub(super) plan: &'a Plan,
    pub(super) parts: &'a P,
    by_user: bool,
    /// Contacts were left out, and there is no room for another one.
    full: bool,
    /// Contacts that the work limit allows.
    in_time: usize,
    options: ConvexOptions,
    /// MuJoCo's axes of the broad phase, once they were needed.
    axes: Option<Mat3>,
}

/// Settings of the searches, from the model.
pub(crate) fn convex_options(m: &Model) -> ConvexOptions {
    let count = |n: i32| usize::try_from(n).unwrap_or(0);
    ConvexOptions {
        tolerance: m.opt.ccd_tolerance,
        iterations: count(m.opt.ccd_iterations),
        multiccd: m.opt.enabled(EnableFlags::MULTICCD),
        native: m.opt.has(DisableFlags::NATIVECCD),
        sdf_iterations: count(m.opt.sdf_iterations),
        sdf_initpoints: count(m.opt.sdf_initpoints),
    }
}

impl<'a, P: Parts> Narrow<'a, P> {
    pub(super) fn new(m: &'a Model, d: &'a mut Data, work: &'a mut Work, plan: &'a Plan, parts: &'a P) -> Self {
        let by_user = parts.hooks().filters_contacts();
        work.place(d);
        let (options, in_time) = (convex_options(m), d.contacts_in_time());
        Self { m, d, work, plan, parts, by_user, full: false, in_time, options, axes: None }
    }

    /// Adds the contacts of two geoms.
    #[doc(alias = "mj_collideGeoms")]
    pub(super) fn pair(&mut self, pair: &Pair) {
        let geom = [pair.geom[0] as usize, pair.geom[1] as usize];
        if self.full || self.d.pair_sleeps(self.m, geom) {
            return;
        }
        let dynamic = pair.explicit.is_none();
        if dynamic && self.by_user && self.parts.hooks().contact_filter(self.m, self.d, geom[0], geom[1]) {
            return;
        }
        if self.spheres_apart(geom, pair.margin) {
            return;
        }
        let method = pair.method;
        match method {
            Method::None => return,
            Method::Formula(_) => {}
            // boxes are cheaper than a search
            Method::Convex if self.boxes_apart(geom, pair.margin + self.slack(method, geom)) => return,
            Method::Convex => {}
            // depths are not distances here: what MuJoCo's trees leave out must not be asked
            Method::Hfield | Method::Sdf if pair.by_tree && !self.tree_finds(geom, pair.margin) => return,
            Method::Hfield | Method::Sdf => {}
        }
        self.collide(method, geom, pair.margin);
        if self.work.contacts.is_empty() {
            return;
        }

        // geoms that only just touch are told apart by the rounding of MuJoCo's earlier phases
        if pair.by_tree && matches!(method, Method::Formula(_) | Method::Convex) {
            let deepest = self.work.contacts.as_slice().iter().fold(f64::INFINITY, |min, c| min.min(c.dist));
            if deepest > pair.margin - self.slack(method, geom) && !self.tree_finds(geom, pair.margin) {
                return;
            }
        }
        if pair.by_sweep && self.spheres_only_touch(geom, pair.margin) && !self.sweep_finds(geom) {
            return;
        }
        self.add(pair, geom);
    }

    /// Appends what the pair function found.
    fn add(&mut self, pair: &Pair, geom: [usize; 2]) {
        let count = self.work.contacts.len();
        if self.d.contact_limit.is_some_and(|limit| self.d.contact.len() + count > limit) {
            self.d.warning.raise(Warning::ContactFull, self.d.contact.len());
            // nothing else fits: the rest need not be looked at
            self.full = self.d.contact_limit.is_some_and(|limit| self.d.contact.len() >= limit);
            return;
        }
        let params = match pair.explicit.get() {
            Some(explicit) => Params::explicit(self.m, explicit),
            None => Params::mixed(self.m, geom),
        };
        for raw in self.work.contacts.as_slice() {
            self.d.contact.push(params.contact(raw, pair.geom, pair.margin));
        }
        if self.d.contact.len() > self.in_time {
            // the solver will refuse them: no need to find more
            self.d.warning.raise(Warning::ContactFull, self.d.contact.len());
            self.full = true;
        }
    }

    /// Fills `contacts` for two geoms.
    #[inline]
    fn collide(&mut self, method: Method, [g1, g2]: [usize; 2], margin: f64) {
        let Work { posed, convex: scratch, contacts, .. } = &mut *self.work;
        let (a, b) = (&posed[g1], &posed[g2]);
        // several contacts need polygons, fields may need triangles, planes see hulls only
        let flat = self.m.geom_type[g1] == GeomType::Plane;
        let whole = !flat && (self.options.multiccd || matches!(method, Method::Sdf));
        let mut run = |a: &Posed<'_>, b: &Posed<'_>| match method {
            Method::Formula(formula) => {
                contacts.clear();
                formula(a, b, margin, contacts);
            }
            Method::Convex => {
                contacts.clear();
                convex::collide(a, b, margin, &self.options, scratch, contacts);
            }
            _ => collide(a, b, margin, &self.options, scratch, contacts),
        };

        // primitives are there already
        let needs_asset = |g: usize| matches!(self.m.geom_type[g], GeomType::Mesh | GeomType::Hfield | GeomType::Sdf);
        let (m, hulls) = (self.m, &self.plan.hulls);
        match (needs_asset(g1), needs_asset(g2)) {
            (false, false) => run(a, b),
            (false, true) => with_hull(m, hulls, g2, whole, |shape| run(a, &Posed { shape, ..*b })),
            (true, false) => with_hull(m, hulls, g1, whole, |shape| run(&Posed { shape, ..*a }, b)),
            (true, true) => with_hull(m, hulls, g1, whole, |shape1| {
                let a = Posed { shape: shape1, ..*a };
                with_hull(m, hulls, g2, whole, |shape| run(&a, &Posed { shape, ..*b }));
            }),
        }
    }

    /// True when the bounding spheres are apart, or one is above the other geom, a plane.
    #[doc(alias = "mj_filterSphere")]
    #[inline]
    pub(super) fn spheres_apart(&self, [g1, g2]: [usize; 2], margin: f64) -> bool {
        let (a, b) = (&self.d.geom_xpos[g1], &self.d.geom_xpos[g2]);
        let (r1, r2) = (self.m.geom_rbound[g1], self.m.geom_rbound[g2]);
        if r1 > 0.0 && r2 > 0.0 {
            spheres_apart(a, b, r1 + r2 + margin)
        } else {
            r2 > 0.0 && self.m.geom_type[g1] == GeomType::Plane && {
                let mat = &self.d.geom_xmat[g1];
                sphere_above_plane(a, &Vec3::new(mat[(0, 2)], mat[(1, 2)], mat[(2, 2)]), b, margin + r2)
            }
        }
    }

    /// True when the boxes around two geoms are certainly farther apart than the margin.
    fn boxes_apart(&self, [g1, g2]: [usize; 2], margin: f64) -> bool {
        let (a, b) = (&self.work.posed[g1], &self.work.posed[g2]);
        let (box1, box2) = (&self.m.geom_aabb[g1], &self.m.geom_aabb[g2]);
        if self.m.geom_type[g1] == GeomType::Sphere {
            return ball_apart(&a.pos, self.m.geom_rbound[g1] + margin, box2, (&b.pos, &b.mat));
        }
        boxes_apart(box1, (&a.pos, &a.mat), box2, (&b.pos, &b.mat), margin)
    }

    fn boxes_near(&self, [g1, g2]: [usize; 2], margin: f64) -> bool {
        let frame = |g: usize| Frame { pos: self.work.posed[g].pos, mat: self.work.posed[g].mat };
        oriented_boxes_near(&self.m.geom_aabb[g1], &frame(g1), &self.m.geom_aabb[g2], &frame(g2), margin)
    }

    /// How uncertain a contact's depth is compared with MuJoCo's boxes.
    fn slack(&self, method: Method, geom: [usize; 2]) -> f64 {
        let rounding = 1e-9 * self.scale(geom);
        match method {
            // the box of a plane has sides of 1e10, which leaves six digits
            Method::Formula(_) if self.m.geom_type[geom[0]] == GeomType::Plane => 1e-5 + rounding,
            Method::Convex => 10.0 * self.options.tolerance.abs() + rounding,
            _ => rounding,
        }
    }

    /// Size of the numbers in a comparison of two geoms.
    #[inline]
    fn scale(&self, [g1, g2]: [usize; 2]) -> f64 {
        let (a, b) = (&self.work.posed[g1].pos, &self.work.posed[g2].pos);
        a.x.abs()
            + a.y.abs()
            + a.z.abs()
            + (b.x.abs() + b.y.abs() + b.z.abs())
            + (self.m.geom_rbound[g1] + self.m.geom_rbound[g2])
    }

    /// True when the bounding spheres overlap by less than single precision shows.
    fn spheres_only_touch(&self, [g1, g2]: [usize; 2], margin: f64) -> bool {
        let reach = self.m.geom_rbound[g1] + self.m.geom_rbound[g2] + margin - 1e-6 * self.scale([g1, g2]);
        reach <= 0.0 || spheres_apart(&self.work.posed[g1].pos, &self.work.posed[g2].pos, reach)
    }

    fn sweep_finds(&mut self, geom: [usize; 2]) -> bool {
        let (m, d) = (self.m, &*self.d);
        let axes = self.axes.get_or_insert_with(|| axes(m, d));
        let (b1, b2) = (m.geom_bodyid[geom[0]] as usize, m.geom_bodyid[geom[1]] as usize);
        sweep_finds(m, d, axes, b1.min(b2), b1.max(b2))
    }

    /// True when MuJoCo finds two geoms by the trees of their bodies.
    #[doc(alias = "mj_collideTree")]
    fn tree_finds(&mut self, geom: [usize; 2], margin: f64) -> bool {
        if !self.boxes_near(geom, margin) {
            return false;
        }
        let [b1, b2] = geom.map(|g| self.m.geom_bodyid[g] as usize);
        let (low, high) = (b1.min(b2), b1.max(b2));
        let wanted = if b1 <= b2 { (geom[0], geom[1]) } else { (geom[1], geom[0]) };
        let mut found = false;
        walk(self.m, self.d, [low, high], &mut self.work.stack, |g1, g2| found |= (g1, g2) == wanted);
        found
    }
}

/// Calls `found` with the geoms of two bodies, in their order, that MuJoCo's walk of their trees comes to. False when
/// there are far too many.
pub(super) fn walk(
    m: &Model,
    d: &Data,
    [b1, b2]: [usize; 2],
    stack: &mut Vec<[u32; 2]>,
    found: impl FnMut(usize, usize),
) -> bool {
    let view = |b: usize| m.body_bvhadr[b].get().map(|adr| tree(m, adr as u32, m.body_bvhnum[b]));
    let (Some(tree1), Some(tree2)) = (view(b1), view(b2)) else { return true };
    let frame = |b: usize| Frame { pos: d.xipos[b], mat: d.ximat[b] };
    let over = m.opt.enabled(EnableFlags::OVERRIDE);
    let margin = if over { m.opt.o_margin } else { m.body_margin[b1] + m.body_margin[b2] };
    collide_trees([&tree1, &tree2], &FramePair::new(&frame(b1), &frame(b2)), margin, stack, found)
}

/// The margin of two geoms that are not an explicit pair.
#[inline]
pub(super) fn dynamic_margin(m: &Model, geom: [u32; 2]) -> f64 {
    margin(m, [geom[0] as usize, geom[1] as usize])
}
