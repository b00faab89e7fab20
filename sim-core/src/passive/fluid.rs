//! Forces of the medium: drag, lift and added mass.

use sim_types::{Force, GeomType, MINVAL, Motion, Vec3};

use crate::data::Data;
use crate::model::Model;
use crate::smooth::apply_force;

/// Adds the forces of the medium to `qfrc_fluid`; false when there is no medium.
///
/// A body with an ellipsoid geom uses the ellipsoid model for those geoms only; any other body is a box with the same
/// inertia.
///
/// Reads `cvel`, `xipos`, `ximat`, `geom_xpos`, `geom_xmat`, `cdof`; writes `qfrc_fluid`.
#[doc(alias = "mj_fluid")]
pub(super) fn fluid(m: &Model, d: &mut Data) -> bool {
    if m.opt.density == 0.0 && m.opt.viscosity == 0.0 {
        return false;
    }
    for body in 1..m.nbody {
        if m.body_mass[body] < MINVAL {
            continue;
        }
        if m.body_geoms(body).any(|geom| m.geom_fluid[geom][0] > 0.0) {
            for geom in m.body_geoms(body) {
                let coef = &m.geom_fluid[geom];
                if coef[0] > 0.0 {
                    let (pos, mat) = (d.geom_xpos[geom], d.geom_xmat[geom]);
                    let flow = local_flow(m, d, body, &pos, &mat);
                    let axes = semi_axes(m.geom_type[geom], &m.geom_size[geom]);
                    let force =
                        Ellipsoid { axes, coef, density: m.opt.density, viscosity: m.opt.viscosity }.force(&flow);
                    push(m, d, body, &pos, &mat, &(force * coef[0]));
                }
            }
        } else {
            let (pos, mat) = (d.xipos[body], d.ximat[body]);
            let flow = local_flow(m, d, body, &pos, &mat);
            let force = box_force(&inertia_box(m, body), m.opt.density, m.opt.viscosity, &flow);
            push(m, d, body, &pos, &mat, &force);
        }
    }
    true
}

/// Velocity relative to the medium, in the local frame of a point of a body.
pub(crate) fn local_flow(m: &Model, d: &Data, body: usize, pos: &Vec3, mat: &sim_types::Mat3) -> Motion {
    let offset = pos - d.subtree_com[m.body_rootid[body] as usize];
    let vel = d.cvel[body].moved(&offset);
    Motion::new(mat.tr_mul(&vel.rot), mat.tr_mul(&(vel.lin - m.opt.wind)))
}

fn push(m: &Model, d: &mut Data, body: usize, pos: &Vec3, mat: &sim_types::Mat3, local: &Force) {
    let offset = pos - d.subtree_com[m.body_rootid[body] as usize];
    apply_force(m, &d.cdof, body, &offset, &(mat * local.lin), &(mat * local.rot), &mut d.qfrc_fluid);
}

/// Edge lengths of the box with a body's mass and inertia.
pub(crate) fn inertia_box(m: &Model, body: usize) -> Vec3 {
    let (i, mass) = (&m.body_inertia[body], m.body_mass[body]);
    let edge = |own: f64, a: f64, b: f64| ((a + b - own).max(MINVAL) / mass * 6.0).sqrt();
    Vec3::new(edge(i.x, i.y, i.z), edge(i.y, i.x, i.z), edge(i.z, i.x, i.y))
}

/// Viscous and quadratic resistance of a box.
fn box_force(edge: &Vec3, density: f64, viscosity: f64, flow: &Motion) -> Force {
    let pi = std::f64::consts::PI;
    let mut force = Force::ZERO;
    if viscosity > 0.0 {
        let diameter = edge.sum() / 3.0;
        force.rot -= flow.rot * (pi * diameter * diameter * diameter * viscosity);
        force.lin -= flow.lin * (3.0 * pi * diameter * viscosity);
    }
    if density > 0.0 {
        for i in 0..3 {
            let (a, b) = (edge[(i + 1) % 3], edge[(i + 2) % 3]);
            force.lin[i] -= 0.5 * density * a * b * flow.lin[i].abs() * flow.lin[i];
            force.rot[i] -=
                density * edge[i] * (a * a * a * a + b * b * b * b) * flow.rot[i].abs() * flow.rot[i] / 64.0;
        }
    }
    force
}

/// Half axes of the ellipsoid that stands for a geom.
pub(crate) fn semi_axes(kind: GeomType, size: &Vec3) -> Vec3 {
    match kind {
        GeomType::Sphere => Vec3::repeat(size.x),
        GeomType::Capsule => Vec3::new(size.x, size.x, size.x + size.y),
        GeomType::Cylinder => Vec3::new(size.x, size.x, size.y),
        _ => *size,
    }
}

/// An ellipsoid in a medium. Coefficients: interaction, blunt and slender drag, angular drag, Kutta and Magnus lift,
/// added mass (3), added inertia (3).
pub(crate) struct Ellipsoid<'a> {
    pub(crate) axes: Vec3,
    pub(crate) coef: &'a [f64; 12],
    pub(crate) density: f64,
    pub(crate) viscosity: f64,
}

impl Ellipsoid<'_> {
    pub(crate) fn force(&self, flow: &Motion) -> Force {
        let mut force = self.added_mass(flow);
        let drag = self.drag(flow);
        force.lin += self.lift(flow) + drag.lin;
        force.rot += drag.rot;
        force
    }

    /// Gyroscopic forces of the medium that moves along.
    fn added_mass(&self, flow: &Motion) -> Force {
        let c = self.coef;
        let momentum = Vec3::new(c[6], c[7], c[8]).component_mul(&flow.lin) * self.density;
        let spin = Vec3::new(c[9], c[10], c[11]).component_mul(&flow.rot) * self.density;
        Force::new(momentum.cross(&flow.lin) + spin.cross(&flow.rot), momentum.cross(&flow.rot))
    }

    /// Magnus and Kutta lift.
    fn lift(&self, flow: &Motion) -> Vec3 {
        let (v, r) = (&flow.lin, &self.axes);
        let volume = 4.0 / 3.0 * std::f64::consts::PI * r.x * r.y * r.z;
        let magnus = flow.rot.cross(v) * (self.coef[5] * self.density * volume);

        let (area, weighted, num) = self.projected_area(v);
        let den = weighted.norm_squared();
        let cos_attack = num / (v.norm() * den).max(MINVAL);
        let circulation = weighted.cross(v) * (self.coef[4] * self.density * cos_attack * area);
        magnus + circulation.cross(v)
    }

    /// Viscous resistance, drag by projected area, angular drag.
    fn drag(&self, flow: &Motion) -> Force {
        let pi = std::f64::consts::PI;
        let (v, w, r) = (&flow.lin, &flow.rot, &self.axes);
        let [_, blunt, slender, ..] = *self.coef;
        let diameter = 2.0 / 3.0 * r.sum();
        let (longest, shortest) = (r.max(), r.min());
        let middle = r.sum() - longest - shortest;

        let area_max = pi * longest * middle;
        let (area, _, _) = self.projected_area(v);
        let linear = 3.0 * pi * diameter * self.viscosity
            + self.density * v.norm() * (blunt * area + slender * (area_max - area));

        let moment = w.component_mul(&self.angular_coefficients());
        let turning = pi * diameter * diameter * diameter * self.viscosity + self.density * moment.norm();
        Force::new(w * -turning, v * -linear)
    }

    /// Weights of angular velocity in angular drag.
    pub(crate) fn angular_coefficients(&self) -> Vec3 {
        let pi = std::f64::consts::PI;
        let [_, _, slender, angular, ..] = *self.coef;
        let r = &self.axes;
        let (longest, shortest) = (r.max(), r.min());
        let middle = r.sum() - longest - shortest;
        let pow4 = |x: f64| x * x * x * x;
        let largest = 8.0 / 15.0 * pi * middle * pow4(longest);
        Vec3::from_fn(|i, _| {
            let own = 8.0 / 15.0 * pi * r[i] * pow4(r[(i + 1) % 3].max(r[(i + 2) % 3]));
            angular * own + slender * (largest - own)
        })
    }

    /// Area seen by the flow, the weighted velocity that is normal to it, and their common numerator.
    fn projected_area(&self, v: &Vec3) -> (f64, Vec3, f64) {
        let sq = |x: f64| x * x;
        let r = &self.axes;
        let weighted = Vec3::new(sq(r.y * r.z) * v.x, sq(r.z * r.x) * v.y, sq(r.x * r.y) * v.z);
        let num = weighted.dot(v);
        let den = weighted.norm_squared();
        (std::f64::consts::PI * (den / num.max(MINVAL)).sqrt(), weighted, num)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stokes' law for a sphere: 6πμrv.
    #[test]
    fn slow_sphere_in_a_viscous_medium() {
        let coef = [1.0, 0.5, 0.25, 1.5, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let ball = Ellipsoid { axes: Vec3::repeat(0.1), coef: &coef, density: 0.0, viscosity: 2.0 };
        let f = ball.force(&Motion::new(Vec3::zeros(), Vec3::new(3.0, 0.0, 0.0)));
        assert!((f.lin.x + 6.0 * std::f64::consts::PI * 2.0 * 0.1 * 3.0).abs() < 1e-12);
        assert_eq!((f.lin.y, f.rot), (0.0, Vec3::zeros()));
    }

    /// Half ρ A C v² with C = 2·blunt for a ball.
    #[test]
    fn blunt_drag_of_a_sphere() {
        let coef = [1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let ball = Ellipsoid { axes: Vec3::repeat(0.2), coef: &coef, density: 1.2, viscosity: 0.0 };
        let f = ball.force(&Motion::new(Vec3::zeros(), Vec3::new(0.0, 2.0, 0.0)));
        let area = std::f64::consts::PI * 0.04;
        assert!((f.lin.y + 1.2 * 0.5 * area * 4.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_moves_nothing_pushes() {
        let coef = [1.0; 12];
        let e = Ellipsoid { axes: Vec3::new(0.1, 0.2, 0.3), coef: &coef, density: 1.0, viscosity: 1.0 };
        let f = e.force(&Motion::ZERO);
        assert_eq!((f.lin, f.rot), (Vec3::zeros(), Vec3::zeros()));
    }
}
