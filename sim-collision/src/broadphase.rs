//! Which of many shapes may touch: sweep and prune. For few shapes see [`rows`](crate::rows).
//!
//! Memory is the caller's: nothing is allocated once it has grown.

use crate::wide;
use std::ops::Range;

/// Intervals compared at once.
const LANES: usize = 4;

/// Intervals along three axes; entry i of each slice belongs to object i.
#[derive(Clone, Copy, Debug)]
pub struct Intervals<'a> {
    /// Lower ends.
    pub min: [&'a [f64]; 3],
    /// Upper ends.
    pub max: [&'a [f64]; 3],
}

/// Memory of [`sweep`]. It keeps the order of the last call: objects that move little are sorted again in no time.
#[derive(Clone, Debug, Default)]
pub struct SweepScratch {
    /// Objects by lower end on the first axis.
    order: Vec<u32>,
    /// Their ends on the first axis, in that order.
    ends: Vec<[f32; 2]>,
    /// Their ends on the other axes, lower ones first, in that order.
    sides: [Vec<f64>; 4],
    /// Pairs as they are found, and how many begin with each object.
    found: Vec<(u32, u32)>,
    from: Vec<u32>,
}

/// Pairs after which [`sweep`] gives up: no scene has so many, and thousands of shapes in one place would fill the memory.
pub const MOST_PAIRS: usize = 1 << 23;

/// Finds all pairs (i, j), i < j, for which `keep` holds and whose intervals overlap on every axis, sorted. False when
/// there are more than [`MOST_PAIRS`]; some of them are missing then.
///
/// The first axis is compared in single precision, and of two intervals that end and start at the same number the one
/// that ends must have the higher index to overlap. This is what MuJoCo's sweep does; it shows when shapes touch exactly.
#[doc(alias = "mj_SAP")]
pub fn sweep(
    intervals: &Intervals<'_>,
    scratch: &mut SweepScratch,
    pairs: &mut Vec<(u32, u32)>,
    keep: impl Fn(u32, u32) -> bool,
) -> bool {
    let Intervals { min, max } = intervals;
    let count = min.iter().chain(max).map(|ends| ends.len()).min().unwrap_or(0);
    sort(&min[0][..count], scratch);
    let SweepScratch { order, ends, sides, found, from } = scratch;
    ends.clear();
    ends.extend(order.iter().map(|&i| [min[0][i as usize] as f32, max[0][i as usize] as f32]));
    // whole groups can be read from every place
    for (side, ends) in sides.iter_mut().zip([min[1], min[2], max[1], max[2]]) {
        side.clear();
        side.extend(order.iter().map(|&i| ends[i as usize]));
        side.resize(count + LANES, f64::NAN);
    }

    found.clear();
    from.clear();
    from.resize(count + 1, 0);
    for (place, &i) in order.iter().enumerate() {
        if found.len() > MOST_PAIRS {
            break;
        }
        let end = ends[place][1];
        let first = place + 1;
        let last = first + ends[first..].partition_point(|[start, _]| *start <= end);
        wide::overlaps(sides, place, first..last, |at| {
            let j = order[at];
            if ends[at][0] < end || j < i {
                let (low, high) = (i.min(j), i.max(j));
                if keep(low, high) {
                    found.push((low, high));
                    from[low as usize] += 1;
                }
            }
        });
    }
    let complete = found.len() <= MOST_PAIRS;
    in_order(found, from, pairs);
    complete
}

/// Calls `found` with the places in a range whose two intervals overlap those at `place`; `sides` are as long as the range
/// and four more.
#[inline]
pub(crate) fn overlaps(sides: &[Vec<f64>; 4], place: usize, range: Range<usize>, mut found: impl FnMut(usize)) {
    let [y, z, to_y, to_z] = sides;
    let (a, b) = ([y[place], z[place]], [to_y[place], to_z[place]]);
    for at in range {
        let overlap = a[0] <= to_y[at] && y[at] <= b[0] && a[1] <= to_z[at] && z[at] <= b[1];
        if overlap {
            found(at);
        }
    }
}

/// [`overlaps`] for CPUs with AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
pub(crate) fn overlaps_avx(sides: &[Vec<f64>; 4], place: usize, range: Range<usize>, mut found: impl FnMut(usize)) {
    use std::arch::x86_64::{
        _CMP_LE_OQ, _mm256_and_pd, _mm256_cmp_pd, _mm256_movemask_pd, _mm256_set1_pd, _mm256_setr_pd,
    };
    let [y, z, to_y, to_z] = sides;
    let (ay, az) = (_mm256_set1_pd(y[place]), _mm256_set1_pd(z[place]));
    let (by, bz) = (_mm256_set1_pd(to_y[place]), _mm256_set1_pd(to_z[place]));
    let mut at = range.start;
    while at < range.end {
        let (Some(&[y0, y1, y2, y3]), Some(&[z0, z1, z2, z3])) = (y[at..].first_chunk(), z[at..].first_chunk()) else {
            return;
        };
        let (Some(&[u0, u1, u2, u3]), Some(&[v0, v1, v2, v3])) = (to_y[at..].first_chunk(), to_z[at..].first_chunk())
        else {
            return;
        };
        let before = _mm256_cmp_pd::<_CMP_LE_OQ>(ay, _mm256_setr_pd(u0, u1, u2, u3));
        let after = _mm256_cmp_pd::<_CMP_LE_OQ>(_mm256_setr_pd(y0, y1, y2, y3), by);
        let below = _mm256_cmp_pd::<_CMP_LE_OQ>(az, _mm256_setr_pd(v0, v1, v2, v3));
        let above = _mm256_cmp_pd::<_CMP_LE_OQ>(_mm256_setr_pd(z0, z1, z2, z3), bz);
        let all = _mm256_and_pd(_mm256_and_pd(before, after), _mm256_and_pd(below, above));
        let mut bits = _mm256_movemask_pd(all) as u32;
        while bits != 0 {
            let next = at + bits.trailing_zeros() as usize;
            if next >= range.end {
                break;
            }
            found(next);
            bits &= bits - 1;
        }
        at += LANES;
    }
}

/// Sorts pairs by counting: `counts` says how many begin with each number.
fn in_order(found: &[(u32, u32)], counts: &mut [u32], pairs: &mut Vec<(u32, u32)>) {
    let mut sum = 0;
    for count in counts.iter_mut() {
        sum += std::mem::replace(count, sum);
    }
    pairs.clear();
    pairs.resize(found.len(), (0, 0));
    for &(i, j) in found {
        let place = &mut counts[i as usize];
        pairs[*place as usize] = (i, j);
        *place += 1;
    }
    for group in pairs.chunk_by_mut(|a, b| a.0 == b.0) {
        if group.len() > 1 {
            group.sort_unstable_by_key(|pair| pair.1);
        }
    }
}

/// Puts `scratch.order` in the order of the lower ends, by insertion from the last order while that is cheap.
fn sort(min: &[f64], scratch: &mut SweepScratch) {
    let order = &mut scratch.order;
    let key = |i: u32| min[i as usize] as f32;
    let before = |a: u32, b: u32| key(a).total_cmp(&key(b)).then(a.cmp(&b)).is_lt();
    if order.len() != min.len() {
        order.clear();
        order.extend(0..min.len() as u32);
    }
    let mut moves = 8 * order.len();
    for place in 1..order.len() {
        let mut at = place;
        while at > 0 && before(order[at], order[at - 1]) {
            if moves == 0 {
                order.sort_unstable_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
                return;
            }
            order.swap(at, at - 1);
            at -= 1;
            moves -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pairs of intervals [centre − half, centre + half] found by sweeping.
    fn swept(centres: &[[f64; 3]], half: f64, scratch: &mut SweepScratch) -> Vec<(u32, u32)> {
        let ends = |k: usize, sign: f64| centres.iter().map(|c| c[k] + sign * half).collect::<Vec<f64>>();
        let (min, max) = ([0, 1, 2].map(|k| ends(k, -1.0)), [0, 1, 2].map(|k| ends(k, 1.0)));
        let intervals = Intervals { min: [&min[0], &min[1], &min[2]], max: [&max[0], &max[1], &max[2]] };
        let mut pairs = Vec::new();
        sweep(&intervals, scratch, &mut pairs, |_, _| true);
        pairs
    }

    fn all_pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..count).flat_map(move |i| (i + 1..count).map(move |j| (i, j)))
    }

    #[test]
    fn intervals_that_touch_overlap_only_backwards() {
        let mut scratch = SweepScratch::default();
        assert_eq!(swept(&[[0.0; 3], [2.0, 0.0, 0.0]], 1.0, &mut scratch), []);
        assert_eq!(swept(&[[2.0, 0.0, 0.0], [0.0; 3]], 1.0, &mut scratch), [(0, 1)]);
        // the other axes have no such rule
        assert_eq!(swept(&[[0.0; 3], [0.0, 2.0, 2.0]], 1.0, &mut scratch), [(0, 1)]);
    }

    #[test]
    fn what_is_not_a_number_meets_nothing() {
        let mut scratch = SweepScratch::default();
        for nan in [f64::NAN, -f64::NAN] {
            let centres = [[0.0; 3], [nan, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, nan, 0.0]];
            assert_eq!(swept(&centres, 1.0, &mut scratch), [(0, 2)]);
        }
        assert_eq!(swept(&[], 1.0, &mut scratch), []);
    }

    proptest! {
        /// The sweep agrees with comparing all, whatever order the scratch remembers.
        #[test]
        fn sweeping_finds_what_comparing_all_finds(
            frames in prop::collection::vec(prop::collection::vec(prop::array::uniform3(-3.0..3.0f64), 0..40), 1..4),
        ) {
            let mut scratch = SweepScratch::default();
            for centres in &frames {
                let near = |i: usize, j: usize| (0..3).all(|k| (centres[i][k] - centres[j][k]).abs() <= 1.0);
                let want: Vec<(u32, u32)> = all_pairs(centres.len())
                    .filter(|&(i, j)| near(i, j)).map(|(i, j)| (i as u32, j as u32)).collect();
                prop_assert_eq!(swept(centres, 0.5, &mut scratch), want);
            }
        }
    }
}
