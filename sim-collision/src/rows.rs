//! Which of few shapes may touch: balls around them, four at a time.
//!
//! What pairs there are is known beforehand, so only groups of four with a pair in them are looked at. The test lets
//! pairs pass that are apart, never the reverse: what follows does not depend on it.

use sim_types::Vec3;

use crate::wide;

/// Shapes tested at once.
const LANES: usize = 4;
/// Relative error that is allowed for: rounding in sums of radii and margins must not lose a pair.
const SLACK: f64 = 1e-12;

/// Four numbers.
type Four = [f64; LANES];

/// Balls around shapes, in groups of four. A radius includes the shape's margin; it is infinite where nothing is known.
#[derive(Clone, Debug, Default)]
pub struct Balls {
    /// x, y, z and radius of each group.
    groups: Vec<[Four; 4]>,
}

impl Balls {
    /// Makes balls of these radii at the origin; the old ones are forgotten.
    pub fn reset(&mut self, radius: &[f64]) {
        self.groups.clear();
        for four in radius.chunks(LANES) {
            let mut group = [[0.0; LANES]; 4];
            group[3][..four.len()].copy_from_slice(four);
            self.groups.push(group);
        }
    }

    /// Moves all balls, in order.
    #[inline]
    pub fn place<'a>(&mut self, mut centres: impl Iterator<Item = &'a Vec3>) {
        for group in &mut self.groups {
            for lane in 0..LANES {
                let Some(centre) = centres.next() else { return };
                (group[0][lane], group[1][lane], group[2][lane]) = (centre.x, centre.y, centre.z);
            }
        }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.groups.capacity() * size_of::<[Four; 4]>()
    }
}

/// One shape against groups of four.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The shape.
    ball: u32,
    /// For a plane, its number among the planes.
    plane: Option<u32>,
    /// End of its groups in `blocks`; the next row's begin there.
    end: u32,
}

/// Four shapes that a row is tested against.
#[derive(Clone, Copy, Debug)]
struct Block {
    group: u32,
    /// A bit per shape that makes a pair with the row's.
    mask: u32,
    /// Numbers of the pairs.
    pair: [u32; LANES],
}

/// All pairs of a few shapes.
#[derive(Clone, Debug, Default)]
pub struct RowPairs {
    rows: Vec<Row>,
    blocks: Vec<Block>,
}

impl RowPairs {
    /// Lays out pairs of shapes, each with its number. Planes get numbers of their own, in the order of `is_plane`.
    pub fn new(pairs: &[([usize; 2], u32)], is_plane: &[bool]) -> Self {
        let plane = |i: usize| is_plane.get(i).copied().unwrap_or(false);
        let number = |i: usize| is_plane.iter().take(i).filter(|p| **p).count() as u32;
        let mut ordered: Vec<(usize, usize, u32)> = pairs
            .iter()
            .map(|&([i, j], pair)| {
                let (i, j) = (i.min(j), i.max(j));
                if plane(j) && !plane(i) { (j, i, pair) } else { (i, j, pair) }
            })
            .collect();
        ordered.sort_unstable();
        let mut all = Self::default();
        for &(i, j, pair) in &ordered {
            let new_row = all.rows.last().is_none_or(|row| row.ball as usize != i);
            if new_row {
                let plane = plane(i).then(|| number(i));
                all.rows.push(Row { ball: i as u32, plane, end: all.blocks.len() as u32 });
            }
            let (group, lane) = ((j / LANES) as u32, j % LANES);
            if new_row || all.blocks.last().is_none_or(|block| block.group != group) {
                all.blocks.push(Block { group, mask: 0, pair: [0; LANES] });
            }
            if let Some(block) = all.blocks.last_mut() {
                block.mask |= 1 << lane;
                block.pair[lane] = pair;
            }
            if let Some(row) = all.rows.last_mut() {
                row.end = all.blocks.len() as u32;
            }
        }
        all
    }

    /// Sets the bits of the pairs whose balls overlap, or whose ball reaches below the plane. `normals` are those of the
    /// planes, whose radius is their margin.
    pub fn find(&self, balls: &Balls, normals: &[Vec3], bits: &mut [u64]) {
        wide::find(self, balls, normals, bits);
    }
}

/// The search, with the two tests of a module.
macro_rules! search {
    ($(#[$attribute:meta])*) => {
        $(#[$attribute])*
        pub(crate) fn find(pairs: &RowPairs, balls: &Balls, normals: &[Vec3], bits: &mut [u64]) {
            let mut from = 0;
            for row in &pairs.rows {
                let blocks = &pairs.blocks[from..row.end as usize];
                from = row.end as usize;
                let (group, lane) = (&balls.groups[row.ball as usize / LANES], row.ball as usize % LANES);
                let ball = [group[0][lane], group[1][lane], group[2][lane], group[3][lane]];
                let normal = row.plane.map(|plane| normals[plane as usize]);
                for block in blocks {
                    let group = &balls.groups[block.group as usize];
                    let near = match &normal {
                        None => overlap(&ball, group),
                        Some(normal) => below(&ball, normal, group),
                    };
                    let mut found = near & block.mask;
                    while found != 0 {
                        let pair = block.pair[found.trailing_zeros() as usize % LANES] as usize;
                        bits[pair / 64] |= 1 << (pair % 64);
                        found &= found - 1;
                    }
                }
            }
        }
    };
}

/// For every CPU.
pub(crate) mod plain {
    use super::{Balls, Four, LANES, RowPairs, SLACK};
    use sim_types::Vec3;

    search!();

    /// A bit for each of four balls that overlaps one.
    #[inline]
    pub(super) fn overlap(ball: &Four, [x, y, z, r]: &[Four; 4]) -> u32 {
        let mut bits = 0;
        for k in 0..LANES {
            let (dx, dy, dz, reach) = (x[k] - ball[0], y[k] - ball[1], z[k] - ball[2], r[k] + ball[3]);
            let apart = (dx * dx + dy * dy + dz * dz) * (1.0 - SLACK);
            bits |= u32::from(apart <= reach * reach) << k;
        }
        bits
    }

    /// A bit for each of four balls that reaches below a plane.
    #[inline]
    pub(super) fn below(plane: &Four, normal: &Vec3, [x, y, z, r]: &[Four; 4]) -> u32 {
        let mut bits = 0;
        for k in 0..LANES {
            let (dx, dy, dz, reach) = (x[k] - plane[0], y[k] - plane[1], z[k] - plane[2], r[k] + plane[3]);
            let height = dx * normal.x + dy * normal.y + dz * normal.z;
            let error = (dx.abs() + dy.abs() + dz.abs() + reach.abs()) * SLACK;
            bits |= u32::from(height <= reach + error) << k;
        }
        bits
    }
}

/// For CPUs with AVX: the same operations in the same order, four at a time.
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx {
    use super::{Balls, Four, LANES, RowPairs, SLACK};
    use sim_types::Vec3;
    use std::arch::x86_64::{
        __m256d, _CMP_LE_OQ, _mm256_add_pd, _mm256_andnot_pd, _mm256_cmp_pd, _mm256_movemask_pd, _mm256_mul_pd,
        _mm256_set1_pd, _mm256_setr_pd, _mm256_sub_pd,
    };

    search!(#[target_feature(enable = "avx")]);

    #[inline]
    #[target_feature(enable = "avx")]
    fn load(four: &Four) -> __m256d {
        _mm256_setr_pd(four[0], four[1], four[2], four[3])
    }

    #[inline]
    #[target_feature(enable = "avx")]
    fn mask(small: __m256d, large: __m256d) -> u32 {
        _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(small, large)) as u32
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(super) fn overlap(ball: &Four, [x, y, z, r]: &[Four; 4]) -> u32 {
        let dx = _mm256_sub_pd(load(x), _mm256_set1_pd(ball[0]));
        let dy = _mm256_sub_pd(load(y), _mm256_set1_pd(ball[1]));
        let dz = _mm256_sub_pd(load(z), _mm256_set1_pd(ball[2]));
        let reach = _mm256_add_pd(load(r), _mm256_set1_pd(ball[3]));
        let sum = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(dx, dx), _mm256_mul_pd(dy, dy)), _mm256_mul_pd(dz, dz));
        mask(_mm256_mul_pd(sum, _mm256_set1_pd(1.0 - SLACK)), _mm256_mul_pd(reach, reach))
    }

    #[inline]
    #[target_feature(enable = "avx")]
    pub(super) fn below(plane: &Four, normal: &Vec3, [x, y, z, r]: &[Four; 4]) -> u32 {
        let dx = _mm256_sub_pd(load(x), _mm256_set1_pd(plane[0]));
        let dy = _mm256_sub_pd(load(y), _mm256_set1_pd(plane[1]));
        let dz = _mm256_sub_pd(load(z), _mm256_set1_pd(plane[2]));
        let reach = _mm256_add_pd(load(r), _mm256_set1_pd(plane[3]));
        let (nx, ny, nz) = (_mm256_set1_pd(normal.x), _mm256_set1_pd(normal.y), _mm256_set1_pd(normal.z));
        let height = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(dx, nx), _mm256_mul_pd(dy, ny)), _mm256_mul_pd(dz, nz));
        let sign = _mm256_set1_pd(-0.0);
        let (ax, ay) = (_mm256_andnot_pd(sign, dx), _mm256_andnot_pd(sign, dy));
        let (az, ar) = (_mm256_andnot_pd(sign, dz), _mm256_andnot_pd(sign, reach));
        let error = _mm256_mul_pd(_mm256_add_pd(_mm256_add_pd(_mm256_add_pd(ax, ay), az), ar), _mm256_set1_pd(SLACK));
        mask(height, _mm256_add_pd(reach, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers of the pairs found, each pair's number being its place in the list.
    fn found(centres: &[Vec3], radius: &[f64], planes: &[bool], pairs: &[[usize; 2]], by_avx: bool) -> Vec<usize> {
        let numbered: Vec<_> = pairs.iter().enumerate().map(|(n, pair)| (*pair, n as u32)).collect();
        let rows = RowPairs::new(&numbered, planes);
        let mut balls = Balls::default();
        balls.reset(radius);
        balls.place(centres.iter());
        let normals = vec![Vec3::z(); planes.len()];
        let mut bits = vec![0; pairs.len().div_ceil(64)];
        if by_avx {
            rows.find(&balls, &normals, &mut bits);
        } else {
            plain::find(&rows, &balls, &normals, &mut bits);
        }
        (0..pairs.len()).filter(|n| bits[n / 64] >> (n % 64) & 1 == 1).collect()
    }

    #[test]
    fn planes_find_what_reaches_below_them_and_no_more() {
        let centres = [Vec3::zeros(), Vec3::new(9.0, 9.0, 1.5), Vec3::new(-9.0, 3.0, 0.5), Vec3::new(0.0, 0.0, -70.0)];
        let pairs = [[0, 1], [0, 2], [3, 0], [1, 2]];
        let planes = [true, false, false, false];
        for by_avx in [true, false] {
            assert_eq!(found(&centres, &[0.0, 1.0, 1.0, 1.0], &planes, &pairs, by_avx), [1, 2]);
            // the plane's radius is its margin
            assert_eq!(found(&centres, &[0.5, 1.0, 1.0, 1.0], &planes, &pairs, by_avx), [0, 1, 2]);
        }
    }

    #[test]
    fn a_ball_without_a_known_size_meets_all() {
        let centres = [Vec3::zeros(), Vec3::new(100.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 9.0)];
        let pairs = [[0, 1], [1, 2], [2, 0]];
        assert_eq!(found(&centres, &[f64::INFINITY, 1.0, 1.0], &[false; 3], &pairs, true), [0, 2]);
        assert_eq!(found(&[], &[], &[], &[], true), [0; 0]);
    }

    proptest! {
        /// Rows agree with comparing all, and both kinds of code agree, on counts around the sizes of groups and words.
        #[test]
        fn rows_find_what_comparing_all_finds(
            centres in prop::collection::vec(prop::array::uniform3(-3.0..3.0f64).prop_map(Vec3::from), 2..60),
            planes in prop::collection::vec(prop::bool::weighted(0.1), 60), skip in 1_usize..5,
        ) {
            let count = centres.len();
            let plane = |i: usize| planes[i];
            let all: Vec<[usize; 2]> = (0..count)
                .flat_map(|i| (i + 1..count).map(move |j| [i, j]))
                .filter(|&[i, j]| !(plane(i) && plane(j)))
                .step_by(skip)
                .collect();
            let radius = vec![0.4; count];
            let near = |[i, j]: [usize; 2]| match (plane(i), plane(j)) {
                (true, _) => centres[j].z - centres[i].z <= 0.8,
                (_, true) => centres[i].z - centres[j].z <= 0.8,
                _ => (centres[i] - centres[j]).norm_squared() <= 0.64,
            };
            let want: Vec<usize> = (0..all.len()).filter(|&n| near(all[n])).collect();
            prop_assert_eq!(found(&centres, &radius, &planes, &all, true), want.clone());
            prop_assert_eq!(found(&centres, &radius, &planes, &all, false), want);
        }
    }
}
