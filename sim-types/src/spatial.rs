//! 6-vectors and rigid-body inertia about a common point.
//!
//! A body's velocity, a dof's axis ([`Motion`]) and a wrench ([`Force`]) are pairs of 3-vectors, rotation first, all
//! expressed at one reference point with world axes. The types keep the two kinds apart: an [`Inertia`] times a
//! [`Motion`] is a [`Force`], and only a motion and a force have a dot product (power).

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::math::{Mat3, Vec3};

macro_rules! six_vector {
    ($(#[$doc:meta])* $name:ident, $rot:literal, $lin:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(C)]
        pub struct $name {
            #[doc = $rot]
            pub rot: Vec3,
            #[doc = $lin]
            pub lin: Vec3,
        }

        impl $name {
            /// All six numbers zero.
            pub const ZERO: Self = Self { rot: Vec3::new(0.0, 0.0, 0.0), lin: Vec3::new(0.0, 0.0, 0.0) };

            /// From rotation and translation.
            pub const fn new(rot: Vec3, lin: Vec3) -> Self {
                Self { rot, lin }
            }

            /// The six numbers, rotation first.
            pub fn to_array(self) -> [f64; 6] {
                [self.rot.x, self.rot.y, self.rot.z, self.lin.x, self.lin.y, self.lin.z]
            }
        }

        impl From<[f64; 6]> for $name {
            fn from(a: [f64; 6]) -> Self {
                Self::new(Vec3::new(a[0], a[1], a[2]), Vec3::new(a[3], a[4], a[5]))
            }
        }

        impl Add for $name {
            type Output = Self;
            #[inline]
            fn add(self, o: Self) -> Self {
                Self::new(self.rot + o.rot, self.lin + o.lin)
            }
        }

        impl AddAssign for $name {
            #[inline]
            fn add_assign(&mut self, o: Self) {
                self.rot += o.rot;
                self.lin += o.lin;
            }
        }

        impl Sub for $name {
            type Output = Self;
            #[inline]
            fn sub(self, o: Self) -> Self {
                Self::new(self.rot - o.rot, self.lin - o.lin)
            }
        }

        impl SubAssign for $name {
            #[inline]
            fn sub_assign(&mut self, o: Self) {
                self.rot -= o.rot;
                self.lin -= o.lin;
            }
        }

        impl Neg for $name {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self::new(-self.rot, -self.lin)
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            #[inline]
            fn mul(self, s: f64) -> Self {
                Self::new(self.rot * s, self.lin * s)
            }
        }
    };
}

six_vector!(
    /// A velocity, an acceleration, or the axis of a dof.
    Motion,
    "Angular part.",
    "Linear part at the reference point."
);
six_vector!(
    /// A wrench: torque about the reference point, and force.
    Force,
    "Torque about the reference point.",
    "Force."
);

impl Motion {
    /// Power of a wrench along this motion.
    #[inline]
    pub fn dot(&self, f: &Force) -> f64 {
        self.rot.dot(&f.rot) + self.lin.dot(&f.lin)
    }

    /// Rate of change of `s` when it is carried along with this velocity.
    #[doc(alias = "mju_crossMotion")]
    #[inline]
    #[must_use]
    pub fn cross(&self, s: &Self) -> Self {
        Self::new(self.rot.cross(&s.rot), self.rot.cross(&s.lin) + self.lin.cross(&s.rot))
    }

    /// Rate of change of the wrench `f` when it is carried along with this velocity.
    #[doc(alias = "mju_crossForce")]
    #[inline]
    pub fn cross_force(&self, f: &Force) -> Force {
        Force::new(self.rot.cross(&f.rot) + self.lin.cross(&f.lin), self.rot.cross(&f.lin))
    }

    /// The same motion seen at a point `offset` away from the present reference point.
    #[inline]
    #[must_use]
    pub fn moved(&self, offset: &Vec3) -> Self {
        Self::new(self.rot, self.lin - offset.cross(&self.rot))
    }
}

impl Force {
    /// The same wrench about a point `offset` away from the present reference point.
    #[inline]
    #[must_use]
    pub fn moved(&self, offset: &Vec3) -> Self {
        Self::new(self.rot - offset.cross(&self.lin), self.lin)
    }
}

/// Inertia of a rigid body about a reference point that need not be its centre of mass.
///
/// Ten numbers in MuJoCo's order: xx yy zz xy xz yz of the rotational part, mass times offset of the centre of mass,
/// mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Inertia {
    /// Rotational inertia about the reference point: xx, yy, zz, xy, xz, yz.
    pub rot: [f64; 6],
    /// Mass times the vector from the reference point to the centre of mass.
    pub moment: Vec3,
    /// Mass.
    pub mass: f64,
}

impl Inertia {
    /// No mass.
    pub const ZERO: Self = Self { rot: [0.0; 6], moment: Vec3::new(0.0, 0.0, 0.0), mass: 0.0 };

    /// Inertia of a body with rotational inertia `about_com` (world axes) whose centre of mass lies `offset` away from
    /// the reference point.
    #[doc(alias = "mju_inertCom")]
    pub fn new(about_com: &Mat3, mass: f64, offset: &Vec3) -> Self {
        let d = offset;
        let (xx, yy, zz) = (d.x * d.x, d.y * d.y, d.z * d.z);
        Self {
            rot: [
                about_com[(0, 0)] + mass * (yy + zz),
                about_com[(1, 1)] + mass * (xx + zz),
                about_com[(2, 2)] + mass * (xx + yy),
                about_com[(0, 1)] - mass * d.x * d.y,
                about_com[(0, 2)] - mass * d.x * d.z,
                about_com[(1, 2)] - mass * d.y * d.z,
            ],
            moment: d * mass,
            mass,
        }
    }

    /// The ten numbers in MuJoCo's order.
    pub fn to_array(self) -> [f64; 10] {
        let [xx, yy, zz, xy, xz, yz] = self.rot;
        [xx, yy, zz, xy, xz, yz, self.moment.x, self.moment.y, self.moment.z, self.mass]
    }
}

impl From<[f64; 10]> for Inertia {
    fn from(a: [f64; 10]) -> Self {
        Self { rot: [a[0], a[1], a[2], a[3], a[4], a[5]], moment: Vec3::new(a[6], a[7], a[8]), mass: a[9] }
    }
}

impl AddAssign for Inertia {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        for (a, b) in self.rot.iter_mut().zip(o.rot) {
            *a += b;
        }
        self.moment += o.moment;
        self.mass += o.mass;
    }
}

impl Mul<Motion> for Inertia {
    type Output = Force;

    /// Momentum of a body moving with `v`, or the force for an acceleration.
    #[doc(alias = "mju_mulInertVec")]
    #[inline]
    fn mul(self, v: Motion) -> Force {
        let [xx, yy, zz, xy, xz, yz] = self.rot;
        let w = v.rot;
        let turned =
            Vec3::new(xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z, xz * w.x + yz * w.y + zz * w.z);
        Force::new(turned + self.moment.cross(&v.lin), v.lin * self.mass - self.moment.cross(&w))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vec3() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-2.0..2.0f64).prop_map(Vec3::from)
    }
    fn motion() -> impl Strategy<Value = Motion> {
        (vec3(), vec3()).prop_map(|(r, l)| Motion::new(r, l))
    }
    fn force() -> impl Strategy<Value = Force> {
        (vec3(), vec3()).prop_map(|(r, l)| Force::new(r, l))
    }

    proptest! {
        /// Power does not depend on the reference point.
        #[test]
        fn power_is_invariant(v in motion(), f in force(), offset in vec3()) {
            let (a, b) = (v.dot(&f), v.moved(&offset).dot(&f.moved(&offset)));
            prop_assert!((a - b).abs() < 1e-12);
        }

        /// (v × s)·f = −s·(v ×* f): the two cross products are each other's transpose.
        #[test]
        fn crosses_are_dual(v in motion(), s in motion(), f in force()) {
            prop_assert!((v.cross(&s).dot(&f) + s.dot(&v.cross_force(&f))).abs() < 1e-11);
        }

        /// Kinetic energy of a point mass, seen from anywhere.
        #[test]
        fn energy_of_a_point_mass(v in motion(), offset in vec3(), mass in 0.1..10.0f64) {
            let inertia = Inertia::new(&Mat3::zeros(), mass, &offset);
            let speed = v.moved(&offset).lin.norm();
            let energy = 0.5 * v.dot(&(inertia * v));
            prop_assert!((energy - 0.5 * mass * speed * speed).abs() < 1e-10);
        }
    }
}
