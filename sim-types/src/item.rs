//! What an array of the model or of the state may hold: plain values that read and write as numbers.

use crate::ids::OptId;
use crate::math::{Mat3, Quat, Vec3};
use crate::spatial::{Force, Inertia, Motion};

/// A plain value made of a fixed number of numbers, in MuJoCo's flat order (matrices by rows).
pub trait Item: Clone + Default + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// How many numbers one value has along each axis; empty for a scalar.
    const SHAPE: &'static [usize];

    /// How many numbers one value has.
    fn width() -> usize {
        Self::SHAPE.iter().product()
    }

    /// Appends the numbers of this value.
    fn write(&self, out: &mut Vec<f64>);

    /// The value made of `numbers` (as many as [`Item::width`]); `None` when they cannot be one.
    fn read(numbers: &[f64]) -> Option<Self>;
}

macro_rules! scalar_item {
    ($($t:ty),*) => {$(
        impl Item for $t {
            const SHAPE: &'static [usize] = &[];
            fn write(&self, out: &mut Vec<f64>) {
                out.push(*self as f64);
            }
            fn read(numbers: &[f64]) -> Option<Self> {
                numbers.first().map(|x| *x as Self)
            }
        }
    )*};
}
scalar_item!(f64, f32, u8, i32, u32, u64);

impl Item for bool {
    const SHAPE: &'static [usize] = &[];
    fn write(&self, out: &mut Vec<f64>) {
        out.push(f64::from(u8::from(*self)));
    }
    fn read(numbers: &[f64]) -> Option<Self> {
        numbers.first().map(|x| *x != 0.0)
    }
}

impl Item for OptId {
    const SHAPE: &'static [usize] = &[];
    fn write(&self, out: &mut Vec<f64>) {
        out.push(f64::from(self.raw()));
    }
    fn read(numbers: &[f64]) -> Option<Self> {
        numbers.first().map(|x| Self::from_raw(*x as i32))
    }
}

impl<T: Item + Copy, const N: usize> Item for [T; N]
where
    [T; N]: Default,
{
    // nested shapes flatten: MuJoCo's arrays have at most one inner axis
    const SHAPE: &'static [usize] = &[N];
    fn write(&self, out: &mut Vec<f64>) {
        for x in self {
            x.write(out);
        }
    }
    fn read(numbers: &[f64]) -> Option<Self> {
        let mut value = Self::default();
        for (v, x) in value.iter_mut().zip(numbers.get(..N)?) {
            *v = T::read(&[*x])?;
        }
        Some(value)
    }
}

impl Item for Vec3 {
    const SHAPE: &'static [usize] = &[3];
    fn write(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(self.as_slice());
    }
    fn read(numbers: &[f64]) -> Option<Self> {
        Some(Self::from_column_slice(numbers.get(..3)?))
    }
}

impl Item for Mat3 {
    const SHAPE: &'static [usize] = &[9];
    fn write(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(self.transpose().as_slice());
    }
    fn read(numbers: &[f64]) -> Option<Self> {
        Some(Self::from_row_slice(numbers.get(..9)?))
    }
}

impl Item for Quat {
    const SHAPE: &'static [usize] = &[4];
    fn write(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(&self.to_array());
    }
    fn read(numbers: &[f64]) -> Option<Self> {
        Self::from_slice(numbers)
    }
}

macro_rules! array_item {
    ($($t:ty, $n:literal);*) => {$(
        impl Item for $t {
            const SHAPE: &'static [usize] = &[$n];
            fn write(&self, out: &mut Vec<f64>) {
                out.extend_from_slice(&self.to_array());
            }
            fn read(numbers: &[f64]) -> Option<Self> {
                <[f64; $n]>::try_from(numbers.get(..$n)?).ok().map(Self::from)
            }
        }
    )*};
}
array_item!(Motion, 6; Force, 6; Inertia, 10);

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back<T: Item>(value: &T) {
        let mut out = Vec::new();
        value.write(&mut out);
        assert_eq!(out.len(), T::width());
        assert_eq!(T::read(&out).as_ref(), Some(value));
    }

    #[test]
    fn every_item_survives_the_trip_through_numbers() {
        there_and_back(&1.5);
        there_and_back(&true);
        there_and_back(&7u32);
        there_and_back(&OptId::NONE);
        there_and_back(&OptId::some(3));
        there_and_back(&[1.0, 2.0]);
        there_and_back(&Vec3::new(1.0, 2.0, 3.0));
        there_and_back(&Mat3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0));
        there_and_back(&Quat::new(0.1, 0.2, 0.3, 0.4));
        there_and_back(&Motion::from([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
        there_and_back(&Inertia::from([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]));
        there_and_back(&crate::GeomType::Capsule);
    }

    #[test]
    fn matrices_are_written_by_rows() {
        let mut out = Vec::new();
        Mat3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0).write(&mut out);
        assert_eq!(out, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    }
}
