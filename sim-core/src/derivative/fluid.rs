//! Derivatives of the forces of the medium by velocity.

use std::f64::consts::PI;

use sim_types::{MINVAL, Mat3, Motion, Vec3};

use super::Block6;
use crate::data::Data;
use crate::model::Model;
use crate::passive::fluid::{Ellipsoid, inertia_box, local_flow, semi_axes};

/// Adds to each body's entry of `out` the derivative of the force of the medium on it. With `symmetric`
/// the maps of ellipsoids are made so, for the integrator that needs it.
#[doc(alias("mjd_ellipsoidFluid", "mjd_inertiaBoxFluid"))]
pub(super) fn fluid_vel(m: &Model, d: &Data, symmetric: bool, out: &mut [Block6]) {
    for body in (1..m.nbody).filter(|body| m.body_mass[*body] >= MINVAL) {
        let com = d.subtree_com[m.body_rootid[body] as usize];
        if m.body_geoms(body).any(|geom| m.geom_fluid[geom][0] > 0.0) {
            for geom in m.body_geoms(body).filter(|geom| m.geom_fluid[*geom][0] != 0.0) {
                let (pos, mat) = (d.geom_xpos[geom], d.geom_xmat[geom]);
                let flow = local_flow(m, d, body, &pos, &mat);
                let axes = semi_axes(m.geom_type[geom], &m.geom_size[geom]);
                let coef = &m.geom_fluid[geom];
                let own = Ellipsoid { axes, coef, density: m.opt.density, viscosity: m.opt.viscosity }.slope(&flow);
                let own = if symmetric { own.symmetric() } else { own };
                out[body] += &own.to_reference(&mat, &(pos - com));
            }
        } else {
            let (pos, mat) = (d.xipos[body], d.ximat[body]);
            let flow = local_flow(m, d, body, &pos, &mat);
            let own = box_slope(&inertia_box(m, body), m.opt.density, m.opt.viscosity, &flow);
            out[body] += &own.to_reference(&mat, &(pos - com));
        }
    }
}

/// Derivative of the resistance of a box.
fn box_slope(edge: &Vec3, density: f64, viscosity: f64, flow: &Motion) -> Block6 {
    let (mut rot, mut lin) = (Vec3::zeros(), Vec3::zeros());
    if viscosity > 0.0 {
        let diameter = edge.sum() / 3.0;
        rot = Vec3::repeat(-PI * diameter * diameter * diameter * viscosity);
        lin = Vec3::repeat(-3.0 * PI * diameter * viscosity);
    }
    if density > 0.0 {
        for i in 0..3 {
            let (a, b) = (edge[(i + 1) % 3], edge[(i + 2) % 3]);
            rot[i] -= density * edge[i] * (a * a * a * a + b * b * b * b) * 2.0 * flow.rot[i].abs() / 64.0;
            lin[i] -= density * a * b * flow.lin[i].abs();
        }
    }
    Block6 { rr: Mat3::from_diagonal(&rot), ll: Mat3::from_diagonal(&lin), ..Block6::ZERO }
}

impl Ellipsoid<'_> {
    /// Derivative of [`Ellipsoid::force`].
    pub(crate) fn slope(&self, flow: &Motion) -> Block6 {
        let mut out = self.added_mass_slope(flow);
        let r = &self.axes;
        let magnus = self.coef[5] * self.density * (4.0 / 3.0 * PI * r.x * r.y * r.z);
        out.lr -= flow.lin.cross_matrix() * magnus;
        out.ll += flow.rot.cross_matrix() * magnus + self.kutta_slope(&flow.lin) + self.drag_slope(&flow.lin);
        out.rr += self.torque_slope(&flow.rot);
        out
    }

    /// Gyroscopic forces of the medium that moves along.
    fn added_mass_slope(&self, flow: &Motion) -> Block6 {
        let c = self.coef;
        let mass = Vec3::new(c[6], c[7], c[8]) * self.density;
        let inertia = Vec3::new(c[9], c[10], c[11]) * self.density;
        let (momentum, spin) = (mass.component_mul(&flow.lin), inertia.component_mul(&flow.rot));
        let (w, v) = (flow.rot.cross_matrix(), flow.lin.cross_matrix());
        let (mass, inertia) = (Mat3::from_diagonal(&mass), Mat3::from_diagonal(&inertia));
        Block6 {
            rr: spin.cross_matrix() - w * inertia,
            rl: momentum.cross_matrix() - v * mass,
            lr: momentum.cross_matrix(),
            ll: -(w * mass),
        }
    }

    /// Viscous and quadratic resistance to rotation, by angular velocity.
    fn torque_slope(&self, w: &Vec3) -> Mat3 {
        let coef = self.angular_coefficients();
        let diameter = 2.0 / 3.0 * self.axes.sum();
        let viscous = self.viscosity * PI * diameter * diameter * diameter;
        let density = self.density / w.component_mul(&coef).norm().max(MINVAL);
        let gradient = w.component_mul(&coef).component_mul(&coef) * -density;
        Mat3::from_diagonal_element(w.dot(&gradient) - viscous) + w * gradient.transpose()
    }

    /// Viscous resistance and drag by projected area, by linear velocity.
    fn drag_slope(&self, v: &Vec3) -> Mat3 {
        let r = &self.axes;
        let [_, blunt, slender, ..] = *self.coef;
        let (longest, shortest) = (r.max(), r.min());
        let area_max = PI * longest * (r.sum() - longest - shortest);
        let view = View::new(r, v);

        // the area changes with the direction of the flow
        let scale = self.density * v.norm() * (blunt - slender) * PI
            / (view.num * view.num * view.num * view.den).sqrt().max(MINVAL);
        let k = &view.weight;
        let q = k.component_mul(&v.component_mul(v));
        let gradient = Vec3::from_fn(|i, _| {
            let (j, l) = ((i + 1) % 3, (i + 2) % 3);
            scale * k[i] * v[i] * (q[j] * (k[i] - k[j]) + q[l] * (k[i] - k[l]))
        });

        let area = PI * (view.den / view.num.max(MINVAL)).sqrt();
        let quadratic = self.density * (area * blunt + slender * (area_max - area));
        let viscous = self.viscosity * 3.0 * PI * (2.0 / 3.0 * r.sum());
        let square = v * v.transpose() + Mat3::from_diagonal_element(v.norm_squared());
        square * (-quadratic / v.norm().max(MINVAL)) - v * gradient.transpose() - Mat3::from_diagonal_element(viscous)
    }

    /// Kutta lift, by linear velocity.
    fn kutta_slope(&self, v: &Vec3) -> Mat3 {
        let view = View::new(&self.axes, v);
        let (k, norm2) = (&view.weight, v.norm_squared());
        let scale = PI * self.coef[4] * self.density / (view.den * view.num * norm2).sqrt().max(MINVAL);
        let square = v.component_mul(v);
        let side = Vec3::from_fn(|i, _| {
            let (j, l) = ((i + 1) % 3, (i + 2) % 3);
            square[j] * (k[i] - k[j]) + square[l] * (k[i] - k[l])
        });
        let by_area = view.num / view.den.max(MINVAL);
        let by_angle = view.num / norm2.max(MINVAL);
        Mat3::from_fn(|i, j| {
            let inner = k[j] * k[j] * by_area - k[j] + by_angle;
            let mut x = (2.0 * view.num * (k[j] - k[i]) + inner * side[i]) * (v[i] * v[j]);
            if i == j {
                x -= side[i] * view.num;
            }
            x * scale
        })
    }
}

/// How the flow sees an ellipsoid: squared areas of its sections, and the two sums that make the projected area.
struct View {
    weight: Vec3,
    num: f64,
    den: f64,
}

impl View {
    fn new(r: &Vec3, v: &Vec3) -> Self {
        let sq = |x: f64| x * x;
        let weight = Vec3::new(sq(r.y * r.z), sq(r.z * r.x), sq(r.x * r.y));
        let weighted = weight.component_mul(v);
        Self { weight, num: weighted.dot(v), den: weighted.norm_squared() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Central differences of the force, for every term on its own and all together.
    #[test]
    fn slopes_are_those_of_the_force() {
        let all = [1.0, 0.5, 0.25, 1.5, 0.7, 0.9, 0.02, 0.03, 0.04, 0.001, 0.002, 0.003];
        let only = |keep: &[usize]| std::array::from_fn(|i| if keep.contains(&i) { all[i] } else { 0.0 });
        let flow = [0.3, -0.8, 1.1, 0.7, -0.4, 0.9];
        for coef in
            [all, only(&[1]), only(&[2]), only(&[3]), only(&[4]), only(&[5]), only(&[6, 7, 8]), only(&[9, 10, 11])]
        {
            let body = Ellipsoid { axes: Vec3::new(0.1, 0.2, 0.35), coef: &coef, density: 1.3, viscosity: 0.1 };
            let slope = body.slope(&Motion::from(flow));
            for k in 0..6 {
                let at = |h: f64| {
                    let mut x = flow;
                    x[k] += h;
                    body.force(&Motion::from(x))
                };
                let (plus, minus) = (at(1e-6), at(-1e-6));
                let want = (plus - minus) * 0.5e6;
                let mut unit = [0.0; 6];
                unit[k] = 1.0;
                let got = slope.apply(&Motion::from(unit));
                for (got, want) in got.to_array().iter().zip(want.to_array()) {
                    assert!((got - want).abs() < 1e-8, "coefficients {coef:?}, velocity {k}: {got} {want}");
                }
            }
        }
    }

    #[test]
    fn at_rest_only_viscosity_is_left() {
        let coef = [1.0; 12];
        let body = Ellipsoid { axes: Vec3::new(0.1, 0.2, 0.3), coef: &coef, density: 1.0, viscosity: 2.0 };
        let slope = body.slope(&Motion::ZERO);
        assert_eq!((slope.rl, slope.lr), (Mat3::zeros(), Mat3::zeros()));
        let diameter = 0.4;
        assert!((slope.ll[(0, 0)] + 2.0 * 3.0 * PI * diameter).abs() < 1e-12);
        assert!((slope.rr[(1, 1)] + 2.0 * PI * diameter * diameter * diameter).abs() < 1e-12);
    }
}
