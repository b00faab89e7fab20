//! Which of many shapes may touch. `cargo bench -p sim-collision --bench broadphase`

#![expect(missing_docs, reason = "criterion's macro makes a public function")]

use criterion::{Criterion, criterion_group, criterion_main};
use sim_collision::broadphase::{Ends, SweepScratch, sweep};
use sim_collision::rows::{Balls, RowPairs};
use sim_types::Vec3;
use std::time::Duration;

fn broadphase(c: &mut Criterion) {
    let mut group = c.benchmark_group("broadphase");
    group.sample_size(20).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(300));

    // a pile of 1,000 boxes that moves a little between calls
    let (min, max) = (pile(1000, -0.1), pile(1000, 0.1));
    let ends = |i: usize| [min[0][i], min[1][i], min[2][i], max[0][i], max[1][i], max[2][i]];
    let mut intervals: Vec<Ends> = (0..1000).map(ends).collect();
    let (mut scratch, mut pairs, mut step) = (SweepScratch::default(), Vec::new(), 0_u32);
    group.bench_function("sweep_1000", |bencher| {
        bencher.iter(|| {
            step += 1;
            let shift = if step % 2 == 0 { 1e-3 } else { -1e-3 };
            for ends in intervals.iter_mut().step_by(3) {
                ends[0] += shift;
                ends[3] += shift;
            }
            sweep(&intervals, &mut scratch, &mut pairs, |_, _| true);
            pairs.len()
        });
    });

    // a humanoid's number of geoms
    let count = 20;
    let centres = pile(count, 0.0);
    let all: Vec<_> = (0..count).flat_map(|i| (i + 1..count).map(move |j| [i, j])).collect();
    let numbered: Vec<_> = all.iter().enumerate().map(|(n, pair)| (*pair, n as u32)).collect();
    let rows = RowPairs::new(&numbered, &[]);
    let centres: Vec<Vec3> = (0..count).map(|i| Vec3::new(centres[0][i], centres[1][i], centres[2][i])).collect();
    let (mut balls, mut bits) = (Balls::default(), vec![0; all.len().div_ceil(64)]);
    balls.reset(&vec![0.1; count]);
    group.bench_function("rows_20", |bencher| {
        bencher.iter(|| {
            bits.fill(0);
            balls.place(centres.iter());
            rows.find(&balls, &[], &mut bits);
            bits[0]
        });
    });
    group.finish();
}

/// Coordinates of a loose grid of points, plus an offset.
fn pile(count: usize, offset: f64) -> [Vec<f64>; 3] {
    let place = |i: usize, k: usize| {
        let cell = i / 10_usize.pow(k as u32) % 10;
        0.21 * cell as f64 + 0.03 * (i as f64 * (k as f64 + 1.7)).sin() + offset
    };
    [0, 1, 2].map(|k| (0..count).map(|i| place(i, k)).collect())
}

criterion_group!(benches, broadphase);
criterion_main!(benches);
