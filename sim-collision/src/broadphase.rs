//! Which of many shapes may touch: sweep and prune. For few shapes see [`rows`](crate::rows).
//!
//! Memory is the caller's: nothing is allocated once it has grown.

use crate::wide;

/// Intervals compared at once.
const LANES: usize = 4;

/// Ends of an object's intervals along three axes, the lower ones first.
pub type Ends = [f64; 6];

/// Intervals of four objects on two axes: lower ends, then upper ends.
pub(crate) type Block = [[f64; LANES]; 4];

/// Memory of [`sweep`]. It keeps the order of the last call: objects that move little are sorted again in no time.
#[derive(Clone, Debug, Default)]
pub struct SweepScratch {
    /// Objects by lower end on the first axis.
    order: Vec<u32>,
    /// Their lower ends on the first axis, in that order.
    starts: Vec<f32>,
    /// Their intervals on the other axes, in that order.
    blocks: Vec<Block>,
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
    intervals: &[Ends],
    scratch: &mut SweepScratch,
    pairs: &mut Vec<(u32, u32)>,
    keep: impl Fn(u32, u32) -> bool,
) -> bool {
    sort(intervals, scratch);
    let SweepScratch { order, starts, blocks, found, from } = scratch;
    fill(intervals, order, blocks);
    found.clear();
    from.clear();
    from.resize(intervals.len() + 1, 0);
    for (place, &i) in order.iter().enumerate() {
        if found.len() > MOST_PAIRS {
            break;
        }
        let end = intervals[i as usize][3] as f32;
        wide::overlaps(blocks, starts, end, place, |at| {
            let j = order[at];
            if starts[at] < end || (starts[at] <= end && j < i) {
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

/// Lays out the intervals on the last two axes in an order; places after the last overlap nothing.
fn fill(intervals: &[Ends], order: &[u32], blocks: &mut Vec<Block>) {
    blocks.clear();
    for four in order.chunks(LANES) {
        let none = [f64::NAN; 6];
        let at = |lane: usize| four.get(lane).map_or(&none, |&i| &intervals[i as usize]);
        let [p, q, r, s] = [at(0), at(1), at(2), at(3)];
        blocks.push([1, 2, 4, 5].map(|k: usize| [p[k], q[k], r[k], s[k]]));
    }
}

/// Calls `found` with the places after `place` whose two intervals overlap those there; stops when all that follow start
/// after `end`, and may go on to the next multiple of four.
#[inline]
pub(crate) fn overlaps(blocks: &[Block], starts: &[f32], end: f32, place: usize, mut found: impl FnMut(usize)) {
    let Some([y, z, to_y, to_z]) = blocks.get(place / LANES).map(|block| block.map(|four| four[place % LANES])) else {
        return;
    };
    for (at, start) in starts.iter().enumerate().skip(place + 1) {
        // NaN starts after everything
        let begins = *start <= end;
        if at % LANES == 0 && !begins {
            return;
        }
        let [v, w, to_v, to_w] = &blocks[at / LANES];
        let lane = at % LANES;
        if y <= to_v[lane] && v[lane] <= to_y && z <= to_w[lane] && w[lane] <= to_z {
            found(at);
        }
    }
}

/// [`overlaps`] for CPUs with AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
pub(crate) fn overlaps_avx(blocks: &[Block], starts: &[f32], end: f32, place: usize, mut found: impl FnMut(usize)) {
    use std::arch::x86_64::{
        _CMP_LE_OQ, _mm256_and_pd, _mm256_cmp_pd, _mm256_movemask_pd, _mm256_set1_pd, _mm256_setr_pd,
    };
    let Some([y, z, to_y, to_z]) = blocks.get(place / LANES).map(|block| block.map(|four| four[place % LANES])) else {
        return;
    };
    let (ay, az) = (_mm256_set1_pd(y), _mm256_set1_pd(z));
    let (by, bz) = (_mm256_set1_pd(to_y), _mm256_set1_pd(to_z));
    let first = (place + 1) / LANES;
    let mut lanes = 0b1111 << ((place + 1) % LANES);
    let (Some(blocks), Some(starts)) = (blocks.get(first..), starts.get(LANES * first..)) else { return };
    for (n, ([y, z, v, w], four)) in blocks.iter().zip(starts.chunks(LANES)).enumerate() {
        // NaN starts after everything
        let begins = four[0] <= end;
        if lanes == 0b1111 && !begins {
            return;
        }
        let before = _mm256_cmp_pd::<_CMP_LE_OQ>(ay, _mm256_setr_pd(v[0], v[1], v[2], v[3]));
        let after = _mm256_cmp_pd::<_CMP_LE_OQ>(_mm256_setr_pd(y[0], y[1], y[2], y[3]), by);
        let below = _mm256_cmp_pd::<_CMP_LE_OQ>(az, _mm256_setr_pd(w[0], w[1], w[2], w[3]));
        let above = _mm256_cmp_pd::<_CMP_LE_OQ>(_mm256_setr_pd(z[0], z[1], z[2], z[3]), bz);
        let all = _mm256_and_pd(_mm256_and_pd(before, after), _mm256_and_pd(below, above));
        let mut bits = _mm256_movemask_pd(all) & lanes;
        lanes = 0b1111;
        while bits != 0 {
            found(LANES * (first + n) + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
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

/// Puts `scratch.order` in the order of the lower ends, by insertion from the last order while that is cheap, and fills
/// `starts`.
fn sort(intervals: &[Ends], scratch: &mut SweepScratch) {
    let SweepScratch { order, starts, .. } = scratch;
    let key = |i: u32| intervals[i as usize][0] as f32;
    if order.len() != intervals.len() {
        order.clear();
        order.extend(0..intervals.len() as u32);
    }
    starts.clear();
    starts.extend(order.iter().map(|&i| key(i)));
    let mut moves = 8 * order.len();
    for place in 1..order.len() {
        let mut at = place;
        while at > 0 && starts[at].total_cmp(&starts[at - 1]).then(order[at].cmp(&order[at - 1])).is_lt() {
            if moves == 0 {
                order.sort_unstable_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
                starts.clear();
                starts.extend(order.iter().map(|&i| key(i)));
                return;
            }
            order.swap(at, at - 1);
            starts.swap(at, at - 1);
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
        let ends = |c: &[f64; 3]| [c[0] - half, c[1] - half, c[2] - half, c[0] + half, c[1] + half, c[2] + half];
        let intervals: Vec<Ends> = centres.iter().map(ends).collect();
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
