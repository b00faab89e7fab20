//! Coefficients of the ellipsoid fluid model: drag as given, and the fluid's added mass and inertia.

use super::pose::EPS;
use crate::spec::Geom;
use sim_types::GeomType;
use sim_types::math::pow;
use std::f64::consts::PI;

/// Numbers per geom in `geom_fluid`: flag, five coefficients, added mass, added inertia.
#[doc(alias = "mjNFLUID")]
pub(super) const NFLUID: usize = 12;

/// The row of `geom_fluid` for a geom; zeros when the ellipsoid model does not act on it.
#[doc(alias = "mjCGeom::SetFluidCoefs")]
pub(super) fn coefficients(geom: &Geom) -> [f64; NFLUID] {
    if !geom.fluid_ellipsoid {
        return [0.0; NFLUID];
    }

    // semi-axes of the equivalent ellipsoid
    let [a, b, c] = geom.size;
    let [x, y, z] = match geom.r#type {
        GeomType::Sphere => [a, a, a],
        GeomType::Capsule => [a, a, b + a],
        GeomType::Cylinder => [a, a, b],
        _ => [a, b, c],
    };
    let volume = 4.0 / 3.0 * PI * x * y * z;
    let (kx, ky, kz) = (kappa(x, y, z), kappa(y, z, x), kappa(z, x, y));
    let mass = |k: f64| volume * k / EPS.max(2.0 - k);
    let inertia = |y: f64, z: f64, ky: f64, kz: f64| {
        let (y2, z2) = (y * y, z * z);
        let difference = y2 - z2;
        let below = (2.0 * difference + (y2 + z2) * (ky - kz)).abs();
        volume * (difference * difference * (kz - ky).abs() / EPS.max(below)) / 5.0
    };
    let [blunt, slender, angular, kutta, magnus] = geom.fluid_coefs;
    [
        1.0,
        blunt,
        slender,
        angular,
        kutta,
        magnus,
        mass(kx),
        mass(ky),
        mass(kz),
        inertia(y, z, ky, kz),
        inertia(z, x, kz, kx),
        inertia(x, y, kx, ky),
    ]
}

/// Added-mass factor along the first semi-axis: a Gauss–Kronrod sum of 15 points for ∫ xyz / √((x²+l)³(y²+l)(z²+l)) dl.
#[doc(alias = "mjCGeom::GetAddedMassKappa")]
fn kappa(x: f64, y: f64, z: f64) -> f64 {
    let (ix, iy, iz) = (1.0 / (x * x), 1.0 / (y * y), 1.0 / (z * z));

    // l is measured in a length of the ellipsoid, for accuracy
    let scale = pow(x * x * x * y * z, 0.4);
    let sum: f64 = KRONROD
        .iter()
        .map(|&[l, slope, weight]| {
            let l = scale * l;
            let root = ((1.0 + l * ix) * (1.0 + l * iy) * (1.0 + l * iz)).sqrt();
            scale * slope / ((1.0 + l * ix) * root) * weight
        })
        .sum();
    sum * ix
}

/// Points l = t³/(1−t)², their slopes dl/dt, and weights; t are the Kronrod points in 0…1.
const KRONROD: [[f64; 3]; 15] = [
    [7.865151709349917e-08, 5.538677720489877e-05, 0.01146766],
    [1.7347976913907274e-05, 0.002080868285293228, 0.03154605],
    [0.0003548008144506193, 0.016514126520723166, 0.05239501],
    [0.002846636252924549, 0.07261900344370877, 0.07032663],
    [0.014094260903596077, 0.23985243401862602, 0.08450236],
    [0.053063261727396636, 0.6868318249020725, 0.09517529],
    [0.17041978741317773, 1.8551129519182894, 0.10221647],
    [0.5, 5.0, 0.10474107],
    [1.4036301548686991, 14.060031152313941, 0.10221647],
    [3.9353484827022642, 43.28941239611009, 0.09517529],
    [11.644841677041734, 156.58546376397112, 0.08450236],
    [39.53187807410903, 747.9826085305024, 0.07032663],
    [177.5711362220801, 5827.4042950027115, 0.05239501],
    [1429.4772912937397, 116754.0197944512, 0.03154605],
    [54087.416549217705, 25482945.327264845, 0.01146766],
];

#[cfg(test)]
mod tests {
    use super::*;

    fn geom(shape: GeomType, size: [f64; 3]) -> Geom {
        Geom { r#type: shape, size, fluid_ellipsoid: true, ..Geom::default() }
    }

    /// Potential flow: a sphere drags along half the fluid it displaces, and turning drags nothing.
    #[test]
    fn the_added_mass_of_a_sphere_is_half_the_displaced_mass() {
        let r: f64 = 0.4;
        let row = coefficients(&geom(GeomType::Sphere, [r, 0.0, 0.0]));
        let half_displaced = 2.0 / 3.0 * PI * r * r * r;
        for k in 6..9 {
            assert!((row[k] / half_displaced - 1.0).abs() < 1e-6, "{row:?}");
        }
        assert_eq!(&row[9..], &[0.0; 3]);
        assert_eq!(&row[..6], &[1.0, 0.5, 0.25, 1.5, 1.0, 1.0]);
    }

    /// A long needle across the flow: the added mass of a cylinder, the displaced mass; along the flow: none.
    #[test]
    fn a_needle_drags_its_own_volume_sideways() {
        let row = coefficients(&geom(GeomType::Ellipsoid, [0.01, 0.01, 1.0]));
        let volume = 4.0 / 3.0 * PI * 1e-4;
        assert!((row[6] / volume - 1.0).abs() < 0.01 && (row[7] / volume - 1.0).abs() < 0.01, "{row:?}");
        assert!(row[8] < 0.01 * volume);
    }

    #[test]
    fn other_models_have_zeros() {
        assert_eq!(coefficients(&Geom { fluid_ellipsoid: false, ..geom(GeomType::Sphere, [1.0; 3]) }), [0.0; NFLUID]);
    }
}
