//! Which of many shapes may touch: sweep and prune for many, rows of bits for few.
//!
//! Both only leave out pairs that cannot touch, so the contacts that follow do not depend on which is used. Memory is the
//! caller's: nothing is allocated once it has grown.

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
    sides: Vec<[f64; 4]>,
}

/// Finds all pairs (i, j), i < j, whose intervals overlap on every axis, sorted.
///
/// The first axis is compared in single precision, and of two intervals that end and start at the same number the one
/// that ends must have the higher index to overlap. This is what MuJoCo's sweep does; it shows when shapes touch exactly.
#[doc(alias = "mj_SAP")]
pub fn sweep(intervals: &Intervals<'_>, scratch: &mut SweepScratch, pairs: &mut Vec<(u32, u32)>) {
    pairs.clear();
    let Intervals { min, max } = intervals;
    let count = min.iter().chain(max).map(|ends| ends.len()).min().unwrap_or(0);
    sort(&min[0][..count], scratch);
    let SweepScratch { order, ends, sides } = scratch;
    ends.clear();
    ends.extend(order.iter().map(|&i| [min[0][i as usize] as f32, max[0][i as usize] as f32]));
    sides.clear();
    sides.extend(order.iter().map(|&i| i as usize).map(|i| [min[1][i], min[2][i], max[1][i], max[2][i]]));

    for (place, (&i, a)) in order.iter().zip(&*sides).enumerate() {
        let end = ends[place][1];
        let later = order[place + 1..].iter().zip(&ends[place + 1..]).zip(&sides[place + 1..]);
        for ((&j, &[start, _]), b) in later {
            if start > end || start.is_nan() || end.is_nan() {
                break;
            }
            let overlap = a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
            if overlap && (start < end || j < i) {
                pairs.push((i.min(j), i.max(j)));
            }
        }
    }
    pairs.sort_unstable();
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

/// Balls around shapes, one array per coordinate. A radius includes the shape's margin; it is infinite for planes.
#[derive(Clone, Copy, Debug)]
pub struct Spheres<'a> {
    /// Centres, x.
    pub x: &'a [f64],
    /// Centres, y.
    pub y: &'a [f64],
    /// Centres, z.
    pub z: &'a [f64],
    /// Radii.
    pub radius: &'a [f64],
}

/// Bits in a word of a row.
const WORD: usize = u64::BITS as usize;
/// Spheres tested at once.
const LANES: usize = 4;
/// Factor on squared distances: rounding in the sum of radii and margins must not lose a pair.
const SLACK: f64 = 1.0 - 1e-12;

/// Number of words in a row of bits over `count` shapes.
pub const fn row_words(count: usize) -> usize {
    count.div_ceil(WORD)
}

/// Calls `found(i, j)` for the pairs whose balls overlap and whose bit is set, row by row and in order within a row.
///
/// Bit j of row i of `allowed` says whether shapes i and j are a pair at all. Rows have [`row_words`] words; only j > i
/// are looked at.
pub fn sphere_pairs(spheres: &Spheres<'_>, allowed: &[u64], mut found: impl FnMut(usize, usize)) {
    let count = spheres.len();
    let words = row_words(count);
    if words == 0 {
        return;
    }
    for (i, row) in allowed.chunks_exact(words).enumerate().take(count) {
        for (word, &allow) in row.iter().enumerate().skip(i / WORD) {
            // bits up to i itself belong to earlier rows
            let past = if word == i / WORD { u64::MAX << (i % WORD) << 1 } else { u64::MAX };
            let mut bits = allow & past;
            if bits != 0 {
                bits &= spheres.overlaps(i, word);
            }
            while bits != 0 {
                found(i, word * WORD + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

impl Spheres<'_> {
    fn len(&self) -> usize {
        self.x.len().min(self.y.len()).min(self.z.len()).min(self.radius.len())
    }

    /// A bit per ball of one word of the row, from ball i on: does it overlap ball i?
    #[inline]
    fn overlaps(&self, i: usize, word: usize) -> u64 {
        let end = ((word + 1) * WORD).min(self.len());
        // whole groups, from that of ball i on
        let start = (word * WORD).max(i / LANES * LANES);
        let range = start..end;
        let (x, y, z) = (&self.x[range.clone()], &self.y[range.clone()], &self.z[range.clone()]);
        let radius = &self.radius[range];
        let ball = [self.x[i], self.y[i], self.z[i], self.radius[i]];

        let (xs, x_rest) = x.as_chunks::<LANES>();
        let (ys, y_rest) = y.as_chunks::<LANES>();
        let (zs, z_rest) = z.as_chunks::<LANES>();
        let (rs, r_rest) = radius.as_chunks::<LANES>();
        let mut bits = 0;
        for (chunk, (((x, y), z), r)) in xs.iter().zip(ys).zip(zs).zip(rs).enumerate() {
            bits |= near_four(ball, [x, y, z, r]) << (LANES * chunk);
        }
        for (k, (((x, y), z), r)) in x_rest.iter().zip(y_rest).zip(z_rest).zip(r_rest).enumerate() {
            bits |= u64::from(near(ball, [*x, *y, *z, *r])) << (LANES * xs.len() + k);
        }
        bits << (start - word * WORD)
    }
}

/// True when two balls, centre and radius, overlap.
#[inline(always)]
fn near(a: [f64; 4], b: [f64; 4]) -> bool {
    let (dx, dy, dz, reach) = (b[0] - a[0], b[1] - a[1], b[2] - a[2], b[3] + a[3]);
    (dx * dx + dy * dy + dz * dz) * SLACK <= reach * reach
}

/// A bit for each of four balls that overlaps ball `a`. Sums first, comparisons after: the sums are computed together.
#[inline(always)]
fn near_four(a: [f64; 4], [x, y, z, r]: [&[f64; LANES]; 4]) -> u64 {
    let (mut apart, mut reach) = ([0.0; LANES], [0.0; LANES]);
    for k in 0..LANES {
        let (dx, dy, dz, sum) = (x[k] - a[0], y[k] - a[1], z[k] - a[2], r[k] + a[3]);
        apart[k] = (dx * dx + dy * dy + dz * dz) * SLACK;
        reach[k] = sum * sum;
    }
    let mut bits = 0;
    for k in 0..LANES {
        bits |= u64::from(apart[k] <= reach[k]) << k;
    }
    bits
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
        sweep(&intervals, scratch, &mut pairs);
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

    #[test]
    fn planes_pass_the_row_filter_and_missing_bits_do_not() {
        let zero = [0.0, 100.0, 0.5];
        let spheres = Spheres { x: &zero, y: &[0.0; 3], z: &[0.0; 3], radius: &[f64::INFINITY, 1.0, 1.0] };
        let mut pairs = Vec::new();
        sphere_pairs(&spheres, &[0b110, 0b100, 0b000], |i, j| pairs.push((i, j)));
        assert_eq!(pairs, [(0, 1), (0, 2)]);
        pairs.clear();
        sphere_pairs(&spheres, &[0b101, 0b111, 0b111], |i, j| pairs.push((i, j)));
        assert_eq!(pairs, [(0, 2)]);
        sphere_pairs(&Spheres { x: &[], y: &[], z: &[], radius: &[] }, &[], |_, _| unreachable!());
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

        /// The row filter agrees with comparing all, on counts around the sizes of words and chunks.
        #[test]
        fn rows_find_what_comparing_all_finds(
            centres in prop::collection::vec(prop::array::uniform3(-3.0..3.0f64), 0..140), seed in any::<u64>(),
        ) {
            let axis = |k: usize| centres.iter().map(|c| c[k]).collect::<Vec<f64>>();
            let (x, y, z, radius) = (axis(0), axis(1), axis(2), vec![0.4; centres.len()]);
            let words = row_words(centres.len());
            let mut state = seed | 1;
            let allowed: Vec<u64> = (0..words * centres.len())
                .map(|_| { state ^= state << 13; state ^= state >> 7; state ^= state << 17; state }).collect();
            let may = |i: usize, j: usize| allowed[i * words + j / 64] >> (j % 64) & 1 == 1;
            let dist2 = |i: usize, j: usize| (0..3).map(|k| (centres[i][k] - centres[j][k]).powi(2)).sum::<f64>();
            let mut got = Vec::new();
            sphere_pairs(&Spheres { x: &x, y: &y, z: &z, radius: &radius }, &allowed, |i, j| got.push((i, j)));
            let want: Vec<_> = all_pairs(centres.len()).filter(|&(i, j)| may(i, j) && dist2(i, j) <= 0.64).collect();
            prop_assert_eq!(got, want);
        }
    }
}
