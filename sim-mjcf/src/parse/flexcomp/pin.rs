//! Which points of a `flexcomp` stay with the parent body.

use super::{Dof, Flexcomp, Type};
use crate::attr::Fields;

/// The pins as written.
#[derive(Debug, Default)]
pub(super) struct Pins {
    id: Vec<i32>,
    range: Vec<i32>,
    grid: Vec<i32>,
    gridrange: Vec<i32>,
    /// Per point, or per node if there are more of them: whether it is pinned.
    pub(super) pinned: Vec<bool>,
}

impl Pins {
    /// Reads one `pin` element and adds it to the others.
    pub(super) fn read(&mut self, f: &mut Fields<'_, '_>) {
        for (name, list) in [
            ("id", &mut self.id),
            ("range", &mut self.range),
            ("grid", &mut self.grid),
            ("gridrange", &mut self.gridrange),
        ] {
            let mut given = Vec::new();
            f.get(name, &mut given);
            list.append(&mut given);
        }
    }

    /// Rules about what is written; `on_grid` says whether points or nodes have grid coordinates.
    pub(super) fn check(&self, dim: usize, on_grid: bool) -> Result<(), String> {
        let any_grid = !self.grid.is_empty() || !self.gridrange.is_empty();
        if !self.range.len().is_multiple_of(2) {
            return Err("a pin range is two numbers, first and last".to_owned());
        }
        if !self.grid.len().is_multiple_of(dim) {
            return Err(format!("a pin on the grid has {dim} coordinates"));
        }
        if !self.gridrange.len().is_multiple_of(2 * dim) {
            return Err(format!("a pin range on the grid has {} coordinates, first and last corner", 2 * dim));
        }
        if any_grid && !on_grid {
            return Err("pin grid and gridrange are only for type=\"grid\" and interpolated dofs".to_owned());
        }
        if any_grid && dim == 1 {
            return Err("pin grid and gridrange need dim=\"2\" or more".to_owned());
        }
        Ok(())
    }
}

/// How many points are pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pinned {
    None,
    Some,
    All,
}

/// Marks what is pinned.
///
/// With interpolated dofs the marks are for nodes, but numbers are checked against points, as in MuJoCo.
pub(super) fn resolve(comp: &mut Flexcomp) -> Result<Pinned, String> {
    let points = comp.npnt();
    let mut pinned = vec![comp.rigid; points.max(comp.dof.nodes())];
    if comp.rigid {
        comp.pins.pinned = pinned;
        return Ok(Pinned::All);
    }
    let point = |id: i32| {
        let found = usize::try_from(id).ok().filter(|p| *p < points);
        found.ok_or_else(|| format!("pin {id} is not one of the {points} points"))
    };
    for &id in &comp.pins.id {
        pinned[point(id)?] = true;
    }
    for pair in comp.pins.range.chunks_exact(2) {
        let (first, last) = (point(pair[0])?, point(pair[1])?);
        pinned[first.min(last + 1)..=last].fill(true);
    }
    pin_grid(comp, &mut pinned)?;
    if comp.dof == Dof::Radial {
        pinned[0] = true;
    }
    let count = pinned[..points].iter().filter(|p| **p).count();
    comp.pins.pinned = pinned;
    comp.rigid = count == points;
    Ok(match count {
        0 => Pinned::None,
        n if n == points => Pinned::All,
        _ => Pinned::Some,
    })
}

fn pin_grid(comp: &Flexcomp, pinned: &mut [bool]) -> Result<(), String> {
    let dim = comp.flex.dim as usize;
    let count = comp.count;

    // a pin of a node has two or three places along each axis
    let places = if comp.kind == Type::Grid { count } else { [comp.dof.order() as i32 + 1; 3] };
    let inside = |at: &[i32], places: [i32; 3]| at.iter().zip(places).all(|(x, n)| (0..n).contains(x));
    let mut set = |at: [i32; 3]| {
        let [x, y, z] = at.map(|x| usize::try_from(x).unwrap_or(usize::MAX));
        let [_, ny, nz] = comp.counts();
        let id = if dim == 2 { x * ny + y } else { (x * ny + y) * nz + z };
        let place = pinned.get_mut(id).ok_or_else(|| format!("pin {at:?} on the grid is not one of the points"))?;
        *place = true;
        Ok::<(), String>(())
    };
    for at in comp.pins.grid.chunks_exact(dim) {
        if !inside(at, places) {
            return Err(format!("pin {at:?} is not on the grid"));
        }
        set([at[0], at[1], at.get(2).copied().unwrap_or(0)])?;
    }
    for corners in comp.pins.gridrange.chunks_exact(2 * dim) {
        let (low, high) = corners.split_at(dim);
        if !inside(low, count) || !inside(high, count) {
            return Err(format!("the pins from {low:?} to {high:?} are not on the grid"));
        }
        let range = |k: usize| low.get(k).copied().unwrap_or(0)..=high.get(k).copied().unwrap_or(0);
        for x in range(0) {
            for y in range(1) {
                for z in range(2) {
                    set([x, y, z])?;
                }
            }
        }
    }
    Ok(())
}
