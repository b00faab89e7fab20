//! Points of a line as the path of an SVG element, without those that no eye could see.

use crate::axis::Axis;
use crate::text::push;
use crate::{LEFT, RIGHT, WIDTH};

/// The path of a line; a number that is not finite interrupts it.
pub(crate) fn path(time: &[f64], values: &[f64], x: &Axis, y: &Axis) -> String {
    let mut out = String::new();
    let mut run: Vec<(f64, f64)> = Vec::new();
    for (t, v) in time.iter().zip(values).chain(std::iter::once((&0.0, &f64::NAN))) {
        if v.is_finite() {
            run.push((x.place(*t), y.place(*v)));
            continue;
        }
        for (k, (px, py)) in simplified(&thinned(&run)).into_iter().enumerate() {
            push(&mut out, format_args!("{}{px:.1} {py:.1}", if k == 0 { 'M' } else { 'L' }));
        }
        run.clear();
    }
    out
}

/// The outline of the band between two lines; it ends where either is not finite.
pub(crate) fn band(x: &[f64], low: &[f64], high: &[f64], across: &Axis, up: &Axis) -> String {
    let mut out = String::new();
    let finite = |k: &usize| low[*k].is_finite() && high[*k].is_finite();
    let there: Vec<usize> = (0..x.len().min(low.len()).min(high.len())).collect();
    for run in there.chunk_by(|a, b| finite(a) == finite(b)).filter(|run| run.iter().all(finite)) {
        let place = |y: &[f64]| run.iter().map(|&k| (across.place(x[k]), up.place(y[k]))).collect::<Vec<_>>();
        let (forth, mut back) = (simplified(&place(high)), simplified(&place(low)));
        back.reverse();
        for (k, (px, py)) in forth.into_iter().chain(back).enumerate() {
            push(&mut out, format_args!("{}{px:.1} {py:.1}", if k == 0 { 'M' } else { 'L' }));
        }
        out.push('Z');
    }
    out
}

/// Where there are more points than pixels, each pixel keeps its lowest and its highest.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let bucket = (2.0 * points.len() as f64 / (WIDTH - LEFT - RIGHT)).ceil() as usize;
    if bucket <= 2 {
        return points.to_vec();
    }
    let mut out = Vec::new();
    for chunk in points.chunks(bucket) {
        let by_value = |a: &usize, b: &usize| chunk[*a].1.total_cmp(&chunk[*b].1);
        let low = (0..chunk.len()).min_by(by_value).unwrap_or(0);
        let high = (0..chunk.len()).max_by(by_value).unwrap_or(0);
        out.push(chunk[low.min(high)]);
        out.push(chunk[low.max(high)]);
    }
    out
}

/// Leaves out points that lie on the line between others, to a sixth of a pixel (Ramer, Douglas and Peucker).
fn simplified(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut keep = vec![false; points.len()];
    let mut open = vec![(0, points.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        for end in [first, last] {
            if let Some(keep) = keep.get_mut(end) {
                *keep = true;
            }
        }
        let Some(inner) = points.get(first + 1..last) else { continue };
        let ((ax, ay), (bx, by)) = (points[first], points[last]);
        let length = (bx - ax).hypot(by - ay).max(1e-9);
        let away = |p: &(f64, f64)| ((bx - ax) * (p.1 - ay) - (by - ay) * (p.0 - ax)).abs() / length;
        let farthest = inner.iter().map(away).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((k, distance)) = farthest
            && distance > 1.0 / 6.0
        {
            open.extend([(first, first + 1 + k), (first + 1 + k, last)]);
        }
    }
    points.iter().zip(keep).filter(|(_, keep)| *keep).map(|(p, _)| *p).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis() -> Axis {
        Axis::new((0.0, 1.0), 5, 0.0, 100.0)
    }

    #[test]
    fn a_straight_line_is_two_points_and_a_bad_number_a_gap() {
        let time: Vec<f64> = (0..=100).map(|i| f64::from(i) / 100.0).collect();
        assert_eq!(path(&time, &time, &axis(), &axis()), "M0.0 0.0L100.0 100.0");
        let mut broken = time.clone();
        broken[50] = f64::NAN;
        assert_eq!(path(&time, &broken, &axis(), &axis()), "M0.0 0.0L49.0 49.0M51.0 51.0L100.0 100.0");
        assert_eq!(path(&[], &[], &axis(), &axis()), "");
        assert_eq!(path(&[0.5], &[0.5], &axis(), &axis()), "M50.0 50.0");
    }

    #[test]
    fn a_band_goes_forth_above_and_back_below() {
        let (x, low, high) = ([0.0, 0.5, 1.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]);
        assert_eq!(band(&x, &low, &high, &axis(), &axis()), "M0.0 100.0L100.0 100.0L100.0 0.0L0.0 0.0Z");
        let gap = [0.0, f64::NAN, 0.0];
        assert_eq!(band(&x, &gap, &high, &axis(), &axis()), "M0.0 100.0L0.0 0.0ZM100.0 100.0L100.0 0.0Z");
    }

    #[test]
    fn thinning_keeps_the_peaks() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), 0.0)).collect();
        points[54_321].1 = 7.0;
        let kept = thinned(&points);
        assert!(kept.len() < 2_000);
        assert!(kept.contains(&points[54_321]));
    }
}
