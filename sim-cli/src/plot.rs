//! Lines over time as an SVG picture: one panel per field, one colour per line.

use std::fmt::Write;

use sim_core::Data;

use crate::record::History;
use crate::select::Series;
use crate::text::{number, trim_zeros};

const WIDTH: f64 = 1000.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 210.0;
const TOP: f64 = 72.0;
const PANEL: f64 = 210.0;
const GAP: f64 = 50.0;
const BOTTOM: f64 = 52.0;
/// Lines named beside a panel; the others are drawn, not named.
const LEGEND: usize = 11;

/// Distinct also for people who see few colours, and on a printout.
const COLOURS: [&str; 8] = ["#1f6fb4", "#e07b00", "#2a9d4a", "#c8332e", "#7d54b8", "#8c5a3c", "#d657a3", "#3ba7b9"];
/// The second and third round of colours are dashed.
const DASHES: [&str; 3] = ["", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 2\""];

const STYLE: &str = "\
text{font-family:Inter,'Helvetica Neue',Helvetica,Arial,sans-serif;fill:#2b2f36}\
.title{font-size:19px;font-weight:600}.sub{font-size:12px;fill:#737a86}\
.field{font-size:14px;font-weight:600}.tick{font-size:11px;fill:#5a616c}.name{font-size:11.5px}\
.grid{stroke:#e3e6ea;stroke-width:1}.zero{stroke:#b4bac3;stroke-width:1}.frame{fill:none;stroke:#c3c8d0}\
.line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}";

/// The picture of a run.
pub(crate) fn svg(title: &str, subtitle: &str, series: &[Series], history: &History) -> String {
    let panels = panels(series);
    let height = TOP + panels.len() as f64 * (PANEL + GAP) - GAP + BOTTOM;
    let mut out = String::new();
    push(
        &mut out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
             height=\"{height}\"><style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"30\">{}</text>\
             <text class=\"sub\" text-anchor=\"end\" x=\"{}\" y=\"30\">{}</text>\n",
            escape(title),
            WIDTH - RIGHT,
            escape(subtitle),
        ),
    );
    let time = Axis::new(range(&history.time).unwrap_or((0.0, 1.0)), 8, LEFT, WIDTH - RIGHT);
    for (k, (field, members)) in panels.iter().enumerate() {
        let top = TOP + k as f64 * (PANEL + GAP);
        panel(&mut out, top, field, members, &time, series, history);
    }
    push(
        &mut out,
        format_args!(
            "<text class=\"tick\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">time [s]</text>\n</svg>\n",
            f64::midpoint(LEFT, WIDTH - RIGHT),
            height - 12.0
        ),
    );
    out
}

/// Fields in the order of their first line, with the indices of their lines.
fn panels(series: &[Series]) -> Vec<(&'static str, Vec<usize>)> {
    let mut panels: Vec<(&'static str, Vec<usize>)> = Vec::new();
    for (i, s) in series.iter().enumerate() {
        match panels.iter_mut().find(|(field, _)| *field == s.field) {
            Some((_, members)) => members.push(i),
            None => panels.push((s.field, vec![i])),
        }
    }
    panels
}

fn panel(
    out: &mut String,
    top: f64,
    field: &str,
    members: &[usize],
    time: &Axis,
    series: &[Series],
    history: &History,
) {
    let bottom = top + PANEL;
    let ranges = members.iter().filter_map(|&i| range(&history.series[i]));
    let bounds = ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0.0, 1.0));
    let value = Axis::new(padded(bounds), 5, bottom, top);
    grid(out, time, &value, top, bottom);
    push(
        out,
        format_args!(
            "<text x=\"{LEFT}\" y=\"{:.1}\"><tspan class=\"field\">{field}</tspan>\
             <tspan class=\"sub\" dx=\"8\">{}</tspan></text>\n",
            top - 8.0,
            escape(&about(field))
        ),
    );
    for (k, &i) in members.iter().enumerate() {
        let path = path(&history.time, &history.series[i], time, &value);
        let (colour, dash) = look(k);
        push(
            out,
            format_args!(
                "<path class=\"line\" stroke=\"{colour}\"{dash} d=\"{path}\"><title>{}</title></path>\n",
                escape(&series[i].label)
            ),
        );
    }
    legend(out, top, field, members, series);
}

fn grid(out: &mut String, time: &Axis, value: &Axis, top: f64, bottom: f64) {
    let right = WIDTH - RIGHT;
    for (t, label) in time.ticks() {
        let x = time.place(t);
        push(
            out,
            format_args!(
                "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\"/>\
                 <text class=\"tick\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>\n",
                bottom + 16.0
            ),
        );
    }
    for (v, label) in value.ticks() {
        let y = value.place(v);
        let class = if v == 0.0 { "zero" } else { "grid" };
        push(
            out,
            format_args!(
                "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{label}</text>\n",
                LEFT - 8.0,
                y + 4.0
            ),
        );
    }
    push(
        out,
        format_args!(
            "<rect class=\"frame\" x=\"{LEFT}\" y=\"{top:.1}\" width=\"{}\" height=\"{PANEL}\"/>\n",
            right - LEFT
        ),
    );
}

fn legend(out: &mut String, top: f64, field: &str, members: &[usize], series: &[Series]) {
    let x = WIDTH - RIGHT + 16.0;
    // one line more fits when it is not needed to say how many are left out
    let named = if members.len() <= LEGEND + 1 { members.len() } else { LEGEND };
    for (k, &i) in members.iter().take(named).enumerate() {
        let y = top + 9.0 + k as f64 * 17.5;
        let (colour, dash) = look(k);
        let label = &series[i].label;
        let short = label.strip_prefix(field).map(|rest| rest.trim_start_matches('.')).filter(|rest| !rest.is_empty());
        push(
            out,
            format_args!(
                "<line stroke=\"{colour}\" stroke-width=\"2.4\"{dash} x1=\"{x}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"name\" x=\"{}\" y=\"{:.1}\">{}</text>\n",
                x + 20.0,
                x + 28.0,
                y + 4.0,
                escape(&shortened(short.unwrap_or(label)))
            ),
        );
    }
    if named < members.len() {
        let y = top + 13.0 + named as f64 * 17.5;
        let more = members.len() - named;
        push(out, format_args!("<text class=\"sub\" x=\"{}\" y=\"{y:.1}\">and {more} more</text>\n", x + 28.0));
    }
}

fn look(k: usize) -> (&'static str, &'static str) {
    (COLOURS[k % COLOURS.len()], DASHES[(k / COLOURS.len()) % DASHES.len()])
}

/// What a field is, in words.
fn about(field: &str) -> String {
    if field == "energy" {
        return "Potential and kinetic energy".to_owned();
    }
    let doc = Data::fields().iter().find(|f| f.name == field).map_or("", |f| f.doc);
    doc.trim_end_matches('.').to_owned()
}

/// The path of a line; a number that is not finite interrupts it.
fn path(time: &[f64], values: &[f64], x: &Axis, y: &Axis) -> String {
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

/// A linear axis: values `lo..hi` onto pixels `from..to`.
struct Axis {
    lo: f64,
    hi: f64,
    from: f64,
    to: f64,
    step: f64,
}

impl Axis {
    fn new((lo, hi): (f64, f64), wanted_ticks: usize, from: f64, to: f64) -> Self {
        let hi = if hi > lo { hi } else { lo + 1.0 };
        // 1, 2 or 5 times a power of ten
        let raw = (hi - lo) / wanted_ticks as f64;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|s| *s >= raw).unwrap_or(raw);
        Self { lo, hi, from, to, step }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value - self.lo) / (self.hi - self.lo) * (self.to - self.from)
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        let (first, last) = ((self.lo / self.step).ceil(), (self.hi / self.step + 1e-9).floor());
        // a range so narrow that its ends are the same number has no ticks between them
        let count = (last - first).clamp(-1.0, 50.0);
        let mut ticks = Vec::new();
        let mut k = 0.0;
        while k <= count {
            let value = (first + k) * self.step + 0.0;
            ticks.push((value, self.label(value)));
            k += 1.0;
        }
        ticks
    }

    fn label(&self, value: f64) -> String {
        let size = self.lo.abs().max(self.hi.abs());
        if !(1e-3..1e6).contains(&size) {
            return number(value);
        }
        let decimals = (-self.step.log10().floor()).clamp(0.0, 12.0) as usize;
        trim_zeros(&format!("{value:.decimals$}"))
    }
}

/// Smallest and largest finite number.
fn range(values: &[f64]) -> Option<(f64, f64)> {
    let finite = values.iter().copied().filter(|v| v.is_finite());
    finite.map(|v| (v, v)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Some air above and below; a constant gets a range of its own size.
fn padded((lo, hi): (f64, f64)) -> (f64, f64) {
    let size = lo.abs().max(hi.abs());
    let spread = hi - lo;
    // differences in the last digits of a constant are noise
    let pad = if spread > 1e-9 * size { 0.06 * spread } else { (0.1 * size).max(1e-12) };
    let pad = if size == 0.0 { 1.0 } else { pad };
    (lo - pad, hi + pad)
}

fn shortened(name: &str) -> String {
    const LENGTH: usize = 26;
    if name.chars().count() <= LENGTH {
        return name.to_owned();
    }
    let tail: Vec<char> = name.chars().rev().take(LENGTH - 1).collect();
    std::iter::once('…').chain(tail.into_iter().rev()).collect()
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            // XML has no way to write these
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Writing to a string cannot fail.
fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis() -> Axis {
        Axis::new((0.0, 1.0), 5, 0.0, 100.0)
    }

    #[test]
    fn ticks_are_round_numbers() {
        let labels = |lo, hi| Axis::new((lo, hi), 5, 0.0, 1.0).ticks().into_iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 1.0), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(labels(-3.0, 7.1), ["0", "5"]);
        assert_eq!(labels(1.0, 1.0 + 1e-16).len(), 6, "a point gets a range");
        assert_eq!(labels(0.0, 2e-9), ["0", "5e-10", "1e-9", "1.5e-9", "2e-9"]);
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
    fn thinning_keeps_the_peaks() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), 0.0)).collect();
        points[54_321].1 = 7.0;
        let kept = thinned(&points);
        assert!(kept.len() < 2_000);
        assert!(kept.contains(&points[54_321]));
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(escape("a<b>&\"\u{1}"), "a&lt;b&gt;&amp;&quot;\u{fffd}");
    }
}
