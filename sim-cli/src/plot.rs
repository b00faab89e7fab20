//! The picture of a run: one panel per field, one line per chosen number.

use sim_core::Data;
use sim_plot::{Line, Panel, Plot};

use crate::record::History;
use crate::select::Series;

/// The picture of a run as the text of an SVG file.
pub(crate) fn svg(title: &str, subtitle: &str, series: &[Series], history: &History) -> String {
    let mut panels: Vec<Panel<'_>> = Vec::new();
    for (series, values) in series.iter().zip(&history.series) {
        let line = Line::new(&series.label, &history.time, values);
        // fields in the order of their first line
        match panels.iter_mut().find(|panel| panel.name == series.field) {
            Some(panel) => panel.lines.push(line),
            None => panels.push(Panel { name: series.field, about: about(series.field), lines: vec![line] }),
        }
    }
    Plot { title, subtitle, x_label: "time [s]", panels }.svg()
}

/// What a field is, in words.
fn about(field: &str) -> &'static str {
    if field == "energy" {
        return "Potential and kinetic energy";
    }
    let doc = Data::fields().iter().find(|f| f.name == field).map_or("", |f| f.doc);
    doc.trim_end_matches('.')
}
