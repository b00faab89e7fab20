//! Textures that the compiler draws: gradients, checkerboards, plain colours, and marks over them.
//!
//! Patterns have three bytes per pixel, whatever the texture says.

use crate::spec::{Builtin, Mark, Texture, TextureType};
use sim_types::math::{acos, asin};
use std::f64::consts::FRAC_PI_2;

/// Sides of a cube in the order they are stored.
const SIDES: usize = 6;

/// Draws a builtin texture; `height` counts all sides of a cube.
#[doc(alias = "mjCTexture::Builtin2D")]
#[doc(alias = "mjCTexture::BuiltinCube")]
pub(super) fn draw(texture: &Texture, width: usize, height: usize) -> Vec<u8> {
    let flat = texture.r#type == TextureType::Texture2d;
    let side_height = if flat { height } else { width };
    let mut pixels = vec![[0; 3]; width * height];
    let (one, two, mark) = (bytes(&texture.rgb1), bytes(&texture.rgb2), bytes(&texture.markrgb));
    for (side, area) in pixels.chunks_exact_mut((width * side_height).max(1)).enumerate() {
        match texture.builtin {
            Builtin::None => {}
            Builtin::Gradient => gradient(area, width, texture, if flat { None } else { Some(side) }),
            Builtin::Checker if side < 4 => checker(area, width, one, two),
            Builtin::Checker => checker(area, width, two, one),
            // the floor has the second colour
            Builtin::Flat => area.fill(if side == 3 { two } else { one }),
        }
        match texture.mark {
            Mark::None | Mark::Random => {}
            Mark::Edge => lines(area, width, mark, [0, width - 1], [0, side_height - 1]),
            Mark::Cross => lines(area, width, mark, [width / 2; 2], [side_height / 2; 2]),
        }
    }
    if texture.mark == Mark::Random && texture.random > 0.0 {
        let mut random = Mt19937::new(42);
        for pixel in &mut pixels {
            if random.uniform() < texture.random {
                *pixel = mark;
            }
        }
    }
    debug_assert!(flat || height == SIDES * width);
    pixels.into_flattened()
}

/// A colour as bytes.
pub(super) fn bytes(rgb: &[f64; 3]) -> [u8; 3] {
    rgb.map(|x| (255.0 * x) as u8)
}

/// From the first to the second colour: outwards on a plane, downwards on the sides of a cube.
fn gradient(area: &mut [[u8; 3]], width: usize, texture: &Texture, side: Option<usize>) {
    let height = area.len() / width;
    for (i, pixel) in area.iter_mut().enumerate() {
        let x = 2.0 * (i % width) as f64 / (width as f64 - 1.0) - 1.0;
        let y = 1.0 - 2.0 * (i / width) as f64 / (height as f64 - 1.0);
        let length = (1.0 + x * x + y * y).sqrt();
        let up = 1.0 - acos(1.0 / length) / FRAC_PI_2;
        *pixel = match side {
            None => blend(&texture.rgb2, &texture.rgb1, 2.0 * (x * x + y * y).sqrt() - 1.0),
            Some(2) => blend(&texture.rgb1, &texture.rgb2, up),
            Some(3) => blend(&texture.rgb1, &texture.rgb2, -up),
            Some(_) => blend(&texture.rgb1, &texture.rgb2, asin(y / length) / FRAC_PI_2),
        };
    }
}

/// Between two colours along a sigmoid: the second at −1, the first at 1; black for NaN, the pattern of a single pixel.
fn blend(one: &[f64; 3], two: &[f64; 3], at: f64) -> [u8; 3] {
    let correction = 1.0 / 2f64.sqrt();
    let alpha = 0.5 * (1.0 + at / (1.0 + at * at).sqrt() / correction);
    let alpha = alpha.clamp(0.0, 1.0);
    [0, 1, 2].map(|k| (255.0 * (alpha * one[k] + (1.0 - alpha) * two[k])) as u8)
}

/// Two by two fields.
fn checker(area: &mut [[u8; 3]], width: usize, one: [u8; 3], two: [u8; 3]) {
    let height = area.len() / width;
    for (i, pixel) in area.iter_mut().enumerate() {
        let (right, lower) = (i % width >= width / 2, i / width >= height / 2);
        *pixel = if right == lower { one } else { two };
    }
}

/// Two columns and two rows.
fn lines(area: &mut [[u8; 3]], width: usize, colour: [u8; 3], columns: [usize; 2], rows: [usize; 2]) {
    for (i, pixel) in area.iter_mut().enumerate() {
        if columns.contains(&(i % width)) || rows.contains(&(i / width)) {
            *pixel = colour;
        }
    }
}

/// The 64-bit Mersenne twister, with which MuJoCo places random dots.
struct Mt19937 {
    state: [u64; 312],
    next: usize,
}

impl Mt19937 {
    fn new(seed: u64) -> Self {
        let mut state = [seed; 312];
        for i in 1..312 {
            let last = state[i - 1];
            state[i] = 6_364_136_223_846_793_005u64.wrapping_mul(last ^ (last >> 62)).wrapping_add(i as u64);
        }
        Self { state, next: 312 }
    }

    /// A number in 0…1.
    fn uniform(&mut self) -> f64 {
        let value = self.draw() as f64 / 18_446_744_073_709_551_616.0;
        value.min(1.0 - f64::EPSILON / 2.0)
    }

    fn draw(&mut self) -> u64 {
        if self.next == 312 {
            self.twist();
        }
        let mut x = self.state[self.next];
        self.next += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71D6_7FFF_EDA6_0000;
        x ^= (x << 37) & 0xFFF7_EEE0_0000_0000;
        x ^ (x >> 43)
    }

    fn twist(&mut self) {
        for i in 0..312 {
            let x = (self.state[i] & !0x7FFF_FFFF) | (self.state[(i + 1) % 312] & 0x7FFF_FFFF);
            let odd = if x & 1 == 1 { 0xB502_6F5A_A966_19E9 } else { 0 };
            self.state[i] = self.state[(i + 156) % 312] ^ (x >> 1) ^ odd;
        }
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 10000th number of the standard's generator with its default seed is fixed by the C++ standard.
    #[test]
    fn the_generator_is_the_standard_one() {
        let mut random = Mt19937::new(5489);
        let last = (0..10_000).map(|_| random.draw()).last();
        assert_eq!(last, Some(9_981_545_732_273_789_042));
    }

    #[test]
    fn a_checkerboard_has_two_by_two_fields() {
        let texture = Texture {
            r#type: TextureType::Texture2d,
            builtin: Builtin::Checker,
            rgb1: [1.0; 3],
            rgb2: [0.0; 3],
            ..Texture::default()
        };
        let data: Vec<u8> = draw(&texture, 2, 2).into_iter().step_by(3).collect();
        assert_eq!(data, [255, 0, 0, 255]);
        let data = draw(&Texture { mark: Mark::Edge, ..texture }, 2, 2);
        assert!(data.iter().all(|x| *x == 0));
    }

    #[test]
    fn only_the_floor_of_a_flat_cube_has_the_second_colour() {
        let texture = Texture { builtin: Builtin::Flat, rgb1: [1.0; 3], rgb2: [0.0; 3], ..Texture::default() };
        let data: Vec<u8> = draw(&texture, 1, 6).into_iter().step_by(3).collect();
        assert_eq!(data, [255, 255, 255, 0, 255, 255]);
    }
}
