//! Which numbers to record: `qpos`, `qpos[7]`, `xpos.torso.z`, `energy`.
//!
//! Every number of a field has an address: its row, the object that the row belongs to, and its component within that
//! object. A selector keeps the numbers whose address it matches. The labels given here are selectors too.

use std::ops::Range;

use anyhow::{Result, anyhow, bail};
use sim_core::{Data, Model};
use sim_types::{JointType, ObjType};

use crate::fields::{Source, computed_names, data_source};
use crate::suggest::did_you_mean;

/// One number to record at every step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    /// Field it belongs to; one panel of a plot.
    pub field: &'static str,
    /// Selector of this number.
    pub label: String,
    /// Place in the flat array of the field.
    index: usize,
}

/// More columns than this are a mistake.
const MAX_SERIES: usize = 10_000;

/// The numbers that a comma-separated list selects, in its order.
pub(crate) fn select(m: &Model, list: &str) -> Result<Vec<Series>> {
    let mut all = Vec::new();
    for item in split_list(list) {
        all.extend(select_one(m, item)?);
        if all.len() > MAX_SERIES {
            bail!("'{list}' selects more than {MAX_SERIES} numbers");
        }
    }
    if all.is_empty() {
        bail!("'{list}' selects nothing: the model has no such numbers");
    }
    Ok(all)
}

/// Reads the present values of all series.
pub(crate) fn values(m: &Model, d: &Data, series: &[Series], out: &mut Vec<f64>) {
    out.clear();
    let mut at = 0;
    while let Some(first) = series.get(at) {
        // neighbours mostly belong to one field: fetch it once
        let count = series[at..].iter().take_while(|s| s.field == first.field).count();
        let mut numbers = d.array(m, first.field).map(|a| a.data).unwrap_or_default();
        if first.field == "energy" {
            numbers.push(numbers.iter().sum());
        }
        out.extend(series[at..at + count].iter().map(|s| numbers.get(s.index).copied().unwrap_or(f64::NAN)));
        at += count;
    }
}

/// The numbers of one selector such as `xpos[torso].z`.
fn select_one(m: &Model, item: &str) -> Result<Vec<Series>> {
    let name_end = item.find(['[', '.']).unwrap_or(item.len());
    let (name, rest) = item.split_at(name_end);
    let field = computed_names().find(|known| *known == name).ok_or_else(|| unknown_field(name))?;
    if data_source(m, field)? != Source::Computed {
        bail!("field '{field}' is not available: this version does not compute it for this model");
    }
    let table = Table::new(m, field);
    let wanted = parse_selector(rest).ok_or_else(|| anyhow!("cannot read '{item}': write {EXAMPLES}"))?;
    table.select(item, &wanted)
}

const EXAMPLES: &str = "qpos, qpos[7], qpos[0:3], qpos.knee, xpos.torso.z or xpos[torso,z]";

fn unknown_field(name: &str) -> anyhow::Error {
    let all: Vec<&str> = computed_names().collect();
    let hint = did_you_mean(name, all.iter().copied());
    let stop = if hint.is_empty() { "." } else { "" };
    anyhow!("no field '{name}'{hint}{stop} Available: {}", all.join(", "))
}

/// Commas between brackets do not separate.
fn split_list(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = list.split(|c| {
        depth += match c {
            '[' => 1,
            ']' => -1,
            _ => 0,
        };
        c == ',' && depth <= 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// What stands behind the name of a field.
#[derive(Debug, PartialEq)]
enum Wanted<'a> {
    All,
    /// An object or index, and a component.
    One(&'a str, Option<&'a str>),
    /// After a dot: an object whose name may have dots, or an object and a component.
    Dotted(&'a str),
    /// A range; the end may be beyond the last row only as `usize::MAX`, for "all the rest".
    Rows(usize, usize),
}

fn parse_selector(rest: &str) -> Option<Wanted<'_>> {
    if rest.is_empty() {
        return Some(Wanted::All);
    }
    if let Some(dotted) = rest.strip_prefix('.') {
        return (!dotted.is_empty()).then_some(Wanted::Dotted(dotted));
    }
    let (inside, after) = rest.strip_prefix('[')?.rsplit_once(']')?;
    let after = match after.strip_prefix('.') {
        Some(component) => Some(component),
        None if after.is_empty() => None,
        None => return None,
    };
    let inside = inside.trim();
    if let Some((from, to)) = inside.split_once(':')
        && let (Some(from), Some(to)) = (bound(from, 0), bound(to, usize::MAX))
    {
        return after.is_none().then_some(Wanted::Rows(from, to));
    }
    let (object, component) = match inside.rsplit_once(',') {
        Some((object, component)) if after.is_none() => (object.trim(), Some(component.trim())),
        _ => (inside, after),
    };
    let unquoted = object.trim_matches(['\'', '"']);
    (!unquoted.is_empty()).then_some(Wanted::One(unquoted, component.map(|c| c.trim_matches(['\'', '"']))))
}

/// A bound of a range; `default` when it is left out.
fn bound(text: &str, default: usize) -> Option<usize> {
    let text = text.trim();
    if text.is_empty() { Some(default) } else { text.parse().ok() }
}

/// The addresses of all numbers of a field.
struct Table {
    field: &'static str,
    /// What its rows belong to, for messages.
    kind: &'static str,
    rows: usize,
    cells: Vec<Cell>,
}

/// The address of one number.
struct Cell {
    row: usize,
    object: Option<String>,
    /// Index within the object, and its name.
    component: usize,
    letter: Option<&'static str>,
    label: String,
    /// Place in the flat array.
    index: usize,
}

impl Table {
    fn new(m: &Model, field: &'static str) -> Self {
        match field {
            "time" => return Self::named(field, &[""]),
            "energy" => return Self::named(field, &["potential", "kinetic", "total"]),
            _ => {}
        }
        let size = rows_size(field);
        let shape = m.make_data().array(m, field).map(|array| array.shape).unwrap_or_default();
        let rows = shape.first().copied().unwrap_or(0);
        let width = shape.iter().skip(1).product::<usize>();
        let mut cells = Vec::with_capacity(rows * width);
        for (object, range, letters) in objects(m, size, rows) {
            // an object without a name has no components across its rows
            let start = if object.is_some() { range.start } else { rows };
            let several = width > 1 || (object.is_some() && range.len() > 1);
            let letters = if width > 1 { element_letters(width) } else { letters };
            for (row, column) in range.flat_map(|row| (0..width).map(move |column| (row, column))) {
                let component = row.saturating_sub(start) * width + column;
                let letter = letters.get(component).copied().filter(|_| several);
                let mut label = match &object {
                    Some(name) => format!("{field}.{name}"),
                    None => format!("{field}[{row}]"),
                };
                if several {
                    label.push('.');
                    label.push_str(&letter.map_or_else(|| component.to_string(), str::to_owned));
                }
                let index = row * width + column;
                cells.push(Cell { row, object: object.clone(), component, letter, label, index });
            }
        }
        Self { field, kind: kind_of(size).0, rows, cells }
    }

    /// A field whose numbers have names of their own.
    fn named(field: &'static str, names: &[&'static str]) -> Self {
        let cell = |(row, name): (usize, &&'static str)| Cell {
            row,
            object: Some((*name).to_owned()),
            component: 0,
            letter: None,
            label: if name.is_empty() { field.to_owned() } else { format!("{field}.{name}") },
            index: row,
        };
        Self { field, kind: "part", rows: names.len(), cells: names.iter().enumerate().map(cell).collect() }
    }

    fn select(&self, item: &str, wanted: &Wanted) -> Result<Vec<Series>> {
        match *wanted {
            Wanted::All => Ok(self.keep(|_| true)),
            Wanted::Rows(from, to) => {
                let range = from..if to == usize::MAX { self.rows } else { to };
                if range.start >= range.end || range.end > self.rows {
                    bail!("'{item}' is out of range: {} has {} rows", self.field, self.rows);
                }
                Ok(self.keep(|cell| range.contains(&cell.row)))
            }
            Wanted::One(object, component) => self.one(item, object, component),
            Wanted::Dotted(text) => match text.rsplit_once('.') {
                Some((object, component)) if !self.has_object(text) => self.one(item, object, Some(component)),
                _ => self.one(item, text, None),
            },
        }
    }

    fn one(&self, item: &str, object: &str, component: Option<&str>) -> Result<Vec<Series>> {
        let found = if self.has_object(object) {
            self.keep_cells(|cell| cell.object.as_deref() == Some(object))
        } else if let Ok(row) = object.parse::<usize>() {
            if row >= self.rows {
                bail!("'{item}' is out of range: {} has {} rows", self.field, self.rows);
            }
            self.keep_cells(|cell| cell.row == row)
        } else {
            let names = self.cells.iter().filter_map(|cell| cell.object.as_deref());
            bail!("{} has no {} '{object}'{}", self.field, self.kind, did_you_mean(object, names));
        };
        let Some(component) = component else { return Ok(self.series(&found)) };
        let index = component.parse::<usize>().ok();
        let first = found.first().map_or(0, |&i| self.cells[i].component);
        let chosen: Vec<usize> = found
            .iter()
            .copied()
            .filter(|&i| {
                let cell = &self.cells[i];
                cell.letter == Some(component) || index == Some(cell.component - first)
            })
            .collect();
        if chosen.is_empty() {
            let letters: Vec<String> = found.iter().map(|&i| self.cells[i].component_name(first)).collect();
            bail!("'{item}': no component '{component}', there are {}", letters.join(", "));
        }
        Ok(self.series(&chosen))
    }

    fn has_object(&self, name: &str) -> bool {
        self.cells.iter().any(|cell| cell.object.as_deref() == Some(name))
    }

    fn keep(&self, test: impl Fn(&Cell) -> bool) -> Vec<Series> {
        self.series(&self.keep_cells(test))
    }

    fn keep_cells(&self, test: impl Fn(&Cell) -> bool) -> Vec<usize> {
        (0..self.cells.len()).filter(|&i| test(&self.cells[i])).collect()
    }

    fn series(&self, cells: &[usize]) -> Vec<Series> {
        let cells = cells.iter().map(|&i| &self.cells[i]);
        cells.map(|cell| Series { field: self.field, label: cell.label.clone(), index: cell.index }).collect()
    }
}

impl Cell {
    fn component_name(&self, first: usize) -> String {
        self.letter.map_or_else(|| (self.component - first).to_string(), str::to_owned)
    }
}

/// The size that counts the rows of a data field; sparse ones are given as full matrices.
fn rows_size(field: &str) -> &'static str {
    match field {
        "M" => "nv",
        "ten_J" => "ntendon",
        "actuator_moment" => "nu",
        _ => Data::fields().iter().find(|f| f.name == field).map_or("", |f| f.rows),
    }
}

/// What the rows counted by a size belong to.
fn kind_of(size: &str) -> (&'static str, Option<ObjType>) {
    match size {
        "nbody" | "nmocap" => ("body", Some(ObjType::Body)),
        "njnt" | "nq" | "nv" => ("joint", Some(ObjType::Joint)),
        "ngeom" => ("geom", Some(ObjType::Geom)),
        "nsite" => ("site", Some(ObjType::Site)),
        "ncam" => ("camera", Some(ObjType::Camera)),
        "nlight" => ("light", Some(ObjType::Light)),
        "ntendon" => ("tendon", Some(ObjType::Tendon)),
        "nu" | "na" => ("actuator", Some(ObjType::Actuator)),
        "neq" => ("equality", Some(ObjType::Equality)),
        "nsensordata" => ("sensor", Some(ObjType::Sensor)),
        _ => ("row", None),
    }
}

type Object = (Option<String>, Range<usize>, &'static [&'static str]);

/// The objects that share the rows of a field, in order: name, rows, names of its components.
fn objects(m: &Model, size: &str, rows: usize) -> Vec<Object> {
    let kind = kind_of(size).1;
    // never beyond the array, whatever a binary model says
    let span = |start: usize, len: u32| start.min(rows)..(start + len as usize).min(rows);
    let name = |id: usize| kind.and_then(|kind| m.names.name(kind, id)).map(str::to_owned);
    match size {
        "nq" | "nv" => (0..m.njnt)
            .map(|jnt| {
                let joint = m.jnt_type[jnt];
                let (start, len, letters): (u32, u32, &[&str]) = match (size, joint) {
                    ("nq", JointType::Free) => (m.jnt_qposadr[jnt], 7, &["x", "y", "z", "qw", "qx", "qy", "qz"]),
                    ("nq", JointType::Ball) => (m.jnt_qposadr[jnt], 4, &["qw", "qx", "qy", "qz"]),
                    ("nq", _) => (m.jnt_qposadr[jnt], 1, &[]),
                    (_, JointType::Free) => (m.jnt_dofadr[jnt], 6, &["x", "y", "z", "rx", "ry", "rz"]),
                    (_, JointType::Ball) => (m.jnt_dofadr[jnt], 3, &["rx", "ry", "rz"]),
                    _ => (m.jnt_dofadr[jnt], 1, &[]),
                };
                (name(jnt), span(start as usize, len), letters)
            })
            .collect(),
        "na" => {
            let mut list: Vec<Object> = Vec::new();
            for id in 0..m.nu {
                if let Some(start) = m.actuator_actadr[id].get() {
                    list.push((name(id), span(start, m.actuator_actnum[id]), &[]));
                }
            }
            list
        }
        "nsensordata" => (0..m.nsensor)
            .map(|id| {
                let letters = element_letters(m.sensor_dim[id] as usize);
                (name(id), span(m.sensor_adr[id] as usize, m.sensor_dim[id]), letters)
            })
            .collect(),
        "nmocap" => {
            let body = |id: usize| (0..m.nbody).find(|&b| m.body_mocapid[b].get() == Some(id));
            (0..rows).map(|id| (body(id).and_then(name), id..id + 1, &[] as &[&str])).collect()
        }
        _ => (0..rows).map(|id| (name(id), id..id + 1, &[] as &[&str])).collect(),
    }
}

/// Names of the components of a vector or quaternion.
fn element_letters(width: usize) -> &'static [&'static str] {
    match width {
        3 => &["x", "y", "z"],
        4 => &["w", "x", "y", "z"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use sim_types::OptId;

    use super::*;

    /// A free body `torso` with a hinge `knee` to a nameless one.
    fn walker() -> Model {
        let mut m = Model {
            nq: 8,
            nv: 7,
            nbody: 3,
            njnt: 2,
            jnt_type: vec![JointType::Free, JointType::Hinge],
            jnt_qposadr: vec![0, 7],
            jnt_dofadr: vec![0, 6],
            qpos0: vec![0.0; 8],
            body_mocapid: vec![OptId::NONE; 3],
            ..Model::default()
        };
        m.names.set(ObjType::Body, vec!["world".into(), "torso".into(), String::new()]).unwrap();
        m.names.set(ObjType::Joint, vec!["root".into(), "knee.left".into()]).unwrap();
        m
    }

    fn labels(list: &str) -> Vec<String> {
        select(&walker(), list).unwrap().into_iter().map(|s| s.label).collect()
    }

    fn refusal(list: &str) -> String {
        select(&walker(), list).unwrap_err().to_string()
    }

    #[test]
    fn a_whole_field() {
        assert_eq!(labels("energy"), ["energy.potential", "energy.kinetic", "energy.total"]);
        let qpos = labels("qpos");
        assert_eq!((qpos.len(), &*qpos[2], &*qpos[3], &*qpos[7]), (8, "qpos.root.z", "qpos.root.qw", "qpos.knee.left"));
        assert_eq!(labels("xpos")[5..7], ["xpos.torso.z", "xpos[2].x"]);
    }

    #[test]
    fn objects_rows_and_components() {
        assert_eq!(labels("xpos.torso.z"), ["xpos.torso.z"]);
        assert_eq!(labels("xpos[torso, z],xpos['torso'].y"), ["xpos.torso.z", "xpos.torso.y"]);
        assert_eq!(labels("qpos.knee.left"), ["qpos.knee.left"]);
        assert_eq!(labels("qpos[7]"), ["qpos.knee.left"]);
        assert_eq!(labels("qvel[5:]"), ["qvel.root.rz", "qvel.knee.left"]);
        assert_eq!(labels("xquat[2].w"), ["xquat[2].w"]);
        assert_eq!(labels("xpos.2.1"), ["xpos[2].y"]);
    }

    #[test]
    fn labels_select_themselves() {
        let m = walker();
        for field in ["qpos", "qvel", "xpos", "xquat", "xmat", "cdof", "energy", "time"] {
            for series in select(&m, field).unwrap() {
                assert_eq!(select(&m, &series.label).unwrap(), [series]);
            }
        }
    }

    #[test]
    fn mistakes_name_what_is_near() {
        assert!(refusal("qpso").starts_with("no field 'qpso'; did you mean 'qpos'? Available: time, energy"));
        assert_eq!(refusal("xpos.torsso"), "xpos has no body 'torsso'; did you mean 'torso'?");
        assert_eq!(refusal("qpos[8]"), "'qpos[8]' is out of range: qpos has 8 rows");
        assert_eq!(refusal("xpos.torso.w"), "'xpos.torso.w': no component 'w', there are x, y, z");
        for bad in ["qpos[", "qpos]", "qpos.", "qpos[]", "qpos[1:0]", "qpos[1:99]", "qpos[0]x", ",", "act", "xpos[-1]"]
        {
            assert!(select(&walker(), bad).is_err(), "{bad}");
        }
    }
}
