//! Lines over time as an SVG picture: one panel per field, one colour per line.

use std::fmt::Write;

use sim_core::Data;

use crate::record::History;
use crate::select::Series;
use crate::text::{number, trim_zeros};

const WIDTH: f64 = 1000.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 210.0;
const TOP: f64 = 58.0;
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
        let points = points(&history.time, &history.series[i], time, &value);
        let (colour, dash) = look(k);
        push(
            out,
            format_args!(
                "<path class=\"line\" stroke=\"{colour}\"{dash} d=\"{points}\"><title>{}</title></path>\n",
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

/// The path of a line. Where there are more points than pixels, each pixel keeps its lowest and highest.
fn points(time: &[f64], values: &[f64], x: &Axis, y: &Axis) -> String {
    let mut path = String::new();
    let mut pen_down = false;
    let mut draw = |t: f64, v: f64| {
        if v.is_finite() {
            let command = if pen_down { 'L' } else { 'M' };
            let _ = write!(path, "{command}{:.1} {:.1}", x.place(t), y.place(v));
        }
        pen_down = v.is_finite();
    };
    let bucket = (time.len() as f64 / (2.0 * (WIDTH - LEFT - RIGHT))).ceil().max(1.0) as usize;
    for (times, values) in time.chunks(bucket).zip(values.chunks(bucket)) {
        if bucket <= 2 || values.iter().any(|v| !v.is_finite()) {
            times.iter().zip(values).for_each(|(t, v)| draw(*t, *v));
        } else {
            let by_value = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
            let low = (0..values.len()).min_by(by_value).unwrap_or(0);
            let high = (0..values.len()).max_by(by_value).unwrap_or(0);
            draw(times[low.min(high)], values[low.min(high)]);
            draw(times[low.max(high)], values[low.max(high)]);
        }
    }
    path
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
        if size >= 1e6 || size < 1e-3 {
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
