//! The skin of a cable of boxes: two sides and a rim, bound to the bodies.

use super::Composite;
use crate::attr::Fields;
use crate::limits::Limits;
use crate::spec::{Bone, Skin};

/// What the `skin` element says.
#[derive(Debug)]
pub(super) struct Settings {
    texcoord: bool,
    material: String,
    rgba: [f32; 4],
    inflate: f32,
    subgrid: i32,
    group: i32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { texcoord: false, material: String::new(), rgba: [1.0; 4], inflate: 0.0, subgrid: 0, group: 0 }
    }
}

impl Settings {
    pub(super) fn read(&mut self, f: &mut Fields<'_, '_>) {
        f.get("texcoord", &mut self.texcoord);
        f.get("material", &mut self.material);
        f.get("rgba", &mut self.rgba);
        // read and not used: a cable is inflated by its thickness
        f.get("inflate", &mut self.inflate);
        f.get("subgrid", &mut self.subgrid);
        f.get("group", &mut self.group);
        if !(0..=5).contains(&self.group) {
            f.refuse("the group of a skin must be between 0 and 5");
        }
    }
}

/// Makes the skin. With a subgrid its cells are divided and vertices follow sixteen bones around them.
#[doc(alias = "mjCComposite::MakeSkin2")]
pub(super) fn skin(comp: &Composite, limits: Limits) -> Result<Skin, String> {
    let subgrid = usize::try_from(comp.skin.subgrid).unwrap_or(0);
    let rows = comp.count[0] as usize;
    if subgrid > 0 && rows < 3 {
        return Err("a skin with a subgrid needs a cable of at least three points".to_owned());
    }
    let columns = if subgrid > 0 { 3 } else { 2 };
    let fine = |n: usize| (n - 1).saturating_mul(subgrid).saturating_add(n);
    let (fine_rows, fine_columns) = (fine(rows), fine(columns));
    if fine_rows.saturating_mul(fine_columns) > limits.vertices / 2 {
        return Err(format!("the skin would have more than {} vertices", limits.vertices));
    }
    let mut made = Skin {
        name: format!("{}Skin", comp.prefix),
        material: comp.skin.material.clone(),
        rgba: comp.skin.rgba,
        inflate: (2.0 * comp.geom.size[2]) as f32,
        group: comp.skin.group,
        vert: vec![0.0; 6 * fine_rows * fine_columns],
        face: faces(fine_rows, fine_columns),
        bones: bones(comp, rows, columns),
        at: comp.geom.at.clone(),
        ..Skin::default()
    };
    if comp.skin.texcoord {
        let share = |i: usize, n: usize| i as f32 / (n - 1) as f32;
        for _ in 0..2 {
            for x in 0..fine_rows {
                made.texcoord.extend((0..fine_columns).flat_map(|y| [share(x, fine_rows), share(y, fine_columns)]));
            }
        }
    }
    if subgrid > 0 {
        bind_subgrid(&mut made.bones, rows, subgrid);
    } else {
        let side = (rows * columns) as i32;
        for (bone, id) in made.bones.iter_mut().zip(0..) {
            bone.vertid = vec![id, side + id];
            bone.vertweight = vec![1.0; 2];
        }
    }
    Ok(made)
}

/// Triangles of both sides, then of the rim.
fn faces(rows: usize, columns: usize) -> Vec<i32> {
    let side = rows * columns;
    let mut list: Vec<i32> = Vec::new();
    let mut add = |ids: [usize; 6]| list.extend(ids.map(|id| id as i32));
    let id = |x: usize, y: usize| x * columns + y;
    for i in 0..2 {
        for x in 0..rows - 1 {
            for y in 0..columns - 1 {
                let [a, b, c, d] = [id(x, y), id(x + 1, y), id(x + 1, y + 1), id(x, y + 1)].map(|v| i * side + v);
                // the other side looks the other way
                add(if i == 0 { [a, b, c, a, c, d] } else { [a, c, b, a, d, c] });
            }
        }
    }
    for x in 0..rows - 1 {
        let (a, b) = (id(x, 0), id(x + 1, 0));
        add([a, side + b, b, a, side + a, side + b]);
    }
    for x in 0..rows - 1 {
        let (a, b) = (id(x, columns - 1), id(x + 1, columns - 1));
        add([a, b, side + b, a, side + b, side + a]);
    }
    for y in 0..columns - 1 {
        let (a, b) = (y, y + 1);
        add([a, b, side + b, a, side + b, side + a]);
    }
    for y in 0..columns - 1 {
        let (a, b) = (id(rows - 1, y), id(rows - 1, y + 1));
        add([a, side + b, b, a, side + a, side + b]);
    }
    list
}

/// One bone per point and column; the last two points share the last body.
fn bones(comp: &Composite, rows: usize, columns: usize) -> Vec<Bone> {
    let mut list = Vec::with_capacity(rows * columns);
    let [length, width, _] = comp.geom.size;
    for x in 0..rows {
        let part = match x {
            0 => "first".to_owned(),
            x if x + 2 >= rows => "last".to_owned(),
            x => x.to_string(),
        };
        for y in 0..columns {
            let across = match (y, columns) {
                (0, _) => -width,
                (1, 3) => 0.0,
                _ => width,
            };
            let along = if x + 1 == rows { -2.0 * length } else { 0.0 };
            list.push(Bone {
                body: format!("{}B_{part}", comp.prefix),
                bindpos: [along as f32, across as f32, 0.0],
                ..Bone::default()
            });
        }
    }
    list
}

/// Binds the vertices of every cell to the bones around it.
#[doc(alias = "mjCComposite::MakeSkin2Subgrid")]
fn bind_subgrid(bones: &mut [Bone], rows: usize, subgrid: usize) {
    const COLUMNS: usize = 3;
    let step = 1 + subgrid;
    let fine_columns = COLUMNS + (COLUMNS - 1) * subgrid;
    let side = (rows + (rows - 1) * subgrid) * fine_columns;
    let border = |i: usize, n: usize| {
        if i == 0 {
            0
        } else if i == n - 2 {
            2
        } else {
            1
        }
    };
    let weights: Vec<Vec<[f64; 16]>> = (0..9).map(|d| cell_weights(d / 3, d % 3, subgrid)).collect();
    for x in 0..rows - 1 {
        for y in 0..COLUMNS - 1 {
            let weight = &weights[3 * border(x, rows) + border(y, COLUMNS)];
            // the last cell of a row owns its far vertices too
            for dx in 0..step + usize::from(x + 2 == rows) {
                for dy in 0..step + usize::from(y + 2 == COLUMNS) {
                    let id = (x * step + dx) * fine_columns + y * step + dy;
                    for (k, w) in weight[dx * (2 + subgrid) + dy].iter().enumerate().filter(|(_, w)| **w != 0.0) {
                        // bones that are not there have no weight
                        let bone = ((x + k / 4) * COLUMNS + y + k % 4).checked_sub(COLUMNS + 1);
                        let Some(bone) = bone.and_then(|b| bones.get_mut(b)) else { continue };
                        bone.vertid.extend([id as i32, (id + side) as i32]);
                        bone.vertweight.extend([*w as f32; 2]);
                    }
                }
            }
        }
    }
}

/// Weights of the sixteen points around a cell for each vertex in it: bicubic interpolation with slopes by differences,
/// one-sided where `dx` or `dy` is 0 (first cell) or 2 (last cell).
fn cell_weights(dx: usize, dy: usize, subgrid: usize) -> Vec<[f64; 16]> {
    let (hermite, slopes) = (hermite(), slopes(dx, dy));
    let step = 1.0 / (1 + subgrid) as f64;
    let mut list = Vec::with_capacity((2 + subgrid) * (2 + subgrid));
    for sx in 0..2 + subgrid {
        for sy in 0..2 + subgrid {
            let (x, y) = (sx as f64 * step, sy as f64 * step);
            let powers = |x: f64| [1.0, x, x * x, x * x * x];
            let mut monomials = [0.0; 16];
            for (i, px) in powers(x).into_iter().enumerate() {
                // multiplied from the left, as MuJoCo does
                let row = [px, px * y, px * y * y, px * y * y * y];
                monomials[4 * i..4 * i + 4].copy_from_slice(&row);
            }
            list.push(times(&times(&monomials, &hermite), &slopes));
        }
    }
    list
}

/// A row times a matrix, summed row by row.
fn times(row: &[f64; 16], matrix: &[[f64; 16]; 16]) -> [f64; 16] {
    let mut out = [0.0; 16];
    for (a, line) in row.iter().zip(matrix) {
        out.iter_mut().zip(line).for_each(|(o, b)| *o += a * b);
    }
    out
}

/// Corners of a cell, in the order of the unknowns.
const CORNERS: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

/// From values and slopes at the corners (f, f_x, f_y, f_xy) to the coefficients of xⁱyʲ.
fn hermite() -> [[f64; 16]; 16] {
    // coefficients of 1, s, s², s³ for the value and the slope at both ends
    const VALUE: [[f64; 4]; 2] = [[1.0, 0.0, -3.0, 2.0], [0.0, 0.0, 3.0, -2.0]];
    const SLOPE: [[f64; 4]; 2] = [[0.0, 1.0, -2.0, 1.0], [0.0, 0.0, -1.0, 1.0]];
    let mut m = [[0.0; 16]; 16];
    for (row, line) in m.iter_mut().enumerate() {
        for (column, entry) in line.iter_mut().enumerate() {
            let [cx, cy] = CORNERS[column % 4];
            let x = if (column / 4) % 2 == 1 { SLOPE[cx] } else { VALUE[cx] };
            let y = if column / 8 == 1 { SLOPE[cy] } else { VALUE[cy] };
            *entry = x[row / 4] * y[row % 4];
        }
    }
    m
}

/// From the sixteen points around a cell to values and slopes at its corners.
fn slopes(dx: usize, dy: usize) -> [[f64; 16]; 16] {
    // weights of the four points along one axis: value and slope at a corner
    let value = |corner: usize| {
        let mut w = [0.0; 4];
        w[corner + 1] = 1.0;
        w
    };
    let slope = |corner: usize, border: usize| match (corner, border) {
        (0, 0) | (1, 2) => [0.0, -1.0, 1.0, 0.0],
        (0, _) => [-0.5, 0.0, 0.5, 0.0],
        _ => [0.0, -0.5, 0.0, 0.5],
    };
    let mut m = [[0.0; 16]; 16];
    for (row, line) in m.iter_mut().enumerate() {
        let [cx, cy] = CORNERS[row % 4];
        let x = if (row / 4) % 2 == 1 { slope(cx, dx) } else { value(cx) };
        let y = if row / 8 == 1 { slope(cy, dy) } else { value(cy) };
        for (column, entry) in line.iter_mut().enumerate() {
            *entry = x[column / 4] * y[column % 4];
        }
    }
    m
}
