//! Lines as an SVG picture: panels below each other that share one horizontal axis, one colour per line.
//!
//! ```
//! use sim_plot::{Line, Panel, Plot};
//!
//! let (x, y) = ([0.0, 1.0, 2.0], [0.0, 1.0, 4.0]);
//! let panel = Panel { name: "square", about: "x times itself", lines: vec![Line::new("y", &x, &y)] };
//! let svg = Plot { title: "A parabola", subtitle: "three points", x_label: "x", panels: vec![panel] }.svg();
//! assert!(svg.starts_with("<svg"));
//! ```

#![forbid(unsafe_code)]

mod axis;
mod curve;
mod text;

pub use text::{number, trim_zeros};

use axis::{Axis, padded, range};
use text::{escape, push, shortened};

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
.line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}.band{stroke:none;fill-opacity:.16}";

/// A picture: panels below each other.
#[derive(Clone, Debug)]
pub struct Plot<'a> {
    /// Heading.
    pub title: &'a str,
    /// Small text beside the heading.
    pub subtitle: &'a str,
    /// What the horizontal axis shows, with its unit.
    pub x_label: &'a str,
    /// The panels, from the top.
    pub panels: Vec<Panel<'a>>,
}

/// Lines with a vertical axis of their own.
#[derive(Clone, Debug)]
pub struct Panel<'a> {
    /// Heading of the panel.
    pub name: &'a str,
    /// Small text beside it.
    pub about: &'a str,
    /// What it shows.
    pub lines: Vec<Line<'a>>,
}

/// One line; a number that is not finite interrupts it.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Name in the legend.
    pub label: &'a str,
    /// Horizontal places, ascending.
    pub x: &'a [f64],
    /// Values, one per place.
    pub y: &'a [f64],
    /// Lower and upper ends of a shaded band around the line.
    pub band: Option<[&'a [f64]; 2]>,
}

impl<'a> Line<'a> {
    /// A line without a band.
    pub fn new(label: &'a str, x: &'a [f64], y: &'a [f64]) -> Self {
        Self { label, x, y, band: None }
    }

    /// Smallest and largest number to be shown.
    fn range(&self) -> Option<(f64, f64)> {
        let [low, high] = self.band.unwrap_or_default();
        let all = [self.y, low, high].into_iter().filter_map(range);
        all.reduce(wider)
    }
}

impl Plot<'_> {
    /// The picture as the text of an SVG file.
    pub fn svg(&self) -> String {
        let height = TOP + self.panels.len() as f64 * (PANEL + GAP) - GAP + BOTTOM;
        let mut out = String::new();
        push(
            &mut out,
            format_args!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
                 height=\"{height}\"><style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
                 <text class=\"title\" x=\"{LEFT}\" y=\"30\">{}</text>\
                 <text class=\"sub\" text-anchor=\"end\" x=\"{}\" y=\"30\">{}</text>\n",
                escape(self.title),
                WIDTH - RIGHT,
                escape(self.subtitle),
            ),
        );
        let lines = self.panels.iter().flat_map(|panel| &panel.lines);
        let shown = lines.filter_map(|line| range(line.x)).reduce(wider).unwrap_or((0.0, 1.0));
        let x = Axis::new(shown, 8, LEFT, WIDTH - RIGHT);
        for (k, panel) in self.panels.iter().enumerate() {
            draw_panel(&mut out, TOP + k as f64 * (PANEL + GAP), panel, &x);
        }
        push(
            &mut out,
            format_args!(
                "<text class=\"tick\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n</svg>\n",
                f64::midpoint(LEFT, WIDTH - RIGHT),
                height - 12.0,
                escape(self.x_label),
            ),
        );
        out
    }
}

fn wider(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

fn draw_panel(out: &mut String, top: f64, panel: &Panel<'_>, x: &Axis) {
    let bottom = top + PANEL;
    let bounds = panel.lines.iter().filter_map(Line::range).reduce(wider).unwrap_or((0.0, 1.0));
    let y = Axis::new(padded(bounds), 5, bottom, top);
    draw_grid(out, x, &y, top, bottom);
    push(
        out,
        format_args!(
            "<text x=\"{LEFT}\" y=\"{:.1}\"><tspan class=\"field\">{}</tspan>\
             <tspan class=\"sub\" dx=\"8\">{}</tspan></text>\n",
            top - 8.0,
            escape(panel.name),
            escape(panel.about)
        ),
    );
    for (k, line) in panel.lines.iter().enumerate() {
        if let Some([low, high]) = line.band {
            let path = curve::band(line.x, low, high, x, &y);
            push(out, format_args!("<path class=\"band\" fill=\"{}\" d=\"{path}\"/>\n", look(k).0));
        }
    }
    for (k, line) in panel.lines.iter().enumerate() {
        let path = curve::path(line.x, line.y, x, &y);
        let (colour, dash) = look(k);
        push(
            out,
            format_args!(
                "<path class=\"line\" stroke=\"{colour}\"{dash} d=\"{path}\"><title>{}</title></path>\n",
                escape(line.label)
            ),
        );
    }
    draw_legend(out, top, panel);
}

fn draw_grid(out: &mut String, x: &Axis, y: &Axis, top: f64, bottom: f64) {
    let right = WIDTH - RIGHT;
    for (value, label) in x.ticks() {
        let x = x.place(value);
        push(
            out,
            format_args!(
                "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\"/>\
                 <text class=\"tick\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>\n",
                bottom + 16.0
            ),
        );
    }
    for (value, label) in y.ticks() {
        let y = y.place(value);
        let class = if value == 0.0 { "zero" } else { "grid" };
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

fn draw_legend(out: &mut String, top: f64, panel: &Panel<'_>) {
    let x = WIDTH - RIGHT + 16.0;
    let lines = &panel.lines;
    // one line more fits when it is not needed to say how many are left out
    let named = if lines.len() <= LEGEND + 1 { lines.len() } else { LEGEND };
    for (k, line) in lines.iter().take(named).enumerate() {
        let y = top + 9.0 + k as f64 * 17.5;
        let (colour, dash) = look(k);
        let rest = line.label.strip_prefix(panel.name).map(|rest| rest.trim_start_matches('.'));
        push(
            out,
            format_args!(
                "<line stroke=\"{colour}\" stroke-width=\"2.4\"{dash} x1=\"{x}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"name\" x=\"{}\" y=\"{:.1}\">{}</text>\n",
                x + 20.0,
                x + 28.0,
                y + 4.0,
                escape(&shortened(rest.filter(|rest| !rest.is_empty()).unwrap_or(line.label)))
            ),
        );
    }
    if named < lines.len() {
        let y = top + 13.0 + named as f64 * 17.5;
        let more = lines.len() - named;
        push(out, format_args!("<text class=\"sub\" x=\"{}\" y=\"{y:.1}\">and {more} more</text>\n", x + 28.0));
    }
}

fn look(k: usize) -> (&'static str, &'static str) {
    (COLOURS[k % COLOURS.len()], DASHES[(k / COLOURS.len()) % DASHES.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_makes_room_for_the_band() {
        let (x, y, low, high) = ([0.0, 1.0], [5.0, 5.0], [0.0, 5.0], [5.0, 10.0]);
        let line = Line { band: Some([&low, &high]), ..Line::new("mean", &x, &y) };
        assert_eq!(line.range(), Some((0.0, 10.0)));
        let panel = Panel { name: "return", about: "", lines: vec![line] };
        let svg = Plot { title: "a<b", subtitle: "", x_label: "x", panels: vec![panel] }.svg();
        assert!(svg.contains("class=\"band\" fill=\"#1f6fb4\"") && svg.contains(">a&lt;b</text>"), "{svg}");
    }

    #[test]
    fn more_lines_than_the_legend_holds_are_counted() {
        let lines = vec![Line::new("field.name", &[0.0, 1.0], &[0.0, 1.0]); 20];
        let panel = Panel { name: "field", about: "", lines };
        let svg = Plot { title: "", subtitle: "", x_label: "", panels: vec![panel] }.svg();
        assert_eq!(svg.matches(">name</text>").count(), 11);
        assert!(svg.contains("and 9 more"));
    }
}
