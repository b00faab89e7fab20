//! `flexcomp`: a flex made from a pattern or a file, together with the bodies that move its vertices.
//!
//! It is expanded while the tree is read, so what it makes stands where it was written: [`read`] collects what it says,
//! [`shape`], [`surface`] and [`file`](mod@file) give points and elements, [`pin`] says which points stay with the
//! parent, [`build`] adds the flex, its bodies and its equality constraint to the spec.
//!
//! MuJoCo: `user_flexcomp.cc`. A `frame` around it has no effect.

mod build;
mod file;
mod gmsh;
mod pin;
mod shape;
mod surface;

#[cfg(test)]
mod tests;

use super::deformable::{appearance, contact, edge, elasticity};
use super::{Reader, asset, orientation};
use crate::compile::pose;
use crate::spec::{Equality, Flex, Spec};
use crate::xml::Element;
use sim_types::{EqType, MINVAL, Quat, Vec3};

/// Where points and elements come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Grid,
    Box,
    Cylinder,
    Ellipsoid,
    Square,
    Disc,
    Circle,
    Mesh,
    Gmsh,
    Direct,
}

const TYPE: crate::keywords::Map<Type, 10> = [
    ("grid", Type::Grid),
    ("box", Type::Box),
    ("cylinder", Type::Cylinder),
    ("ellipsoid", Type::Ellipsoid),
    ("square", Type::Square),
    ("disc", Type::Disc),
    ("circle", Type::Circle),
    ("mesh", Type::Mesh),
    ("gmsh", Type::Gmsh),
    ("direct", Type::Direct),
];

impl Type {
    /// Whether points are given rather than generated.
    fn is_direct(self) -> bool {
        matches!(self, Self::Mesh | Self::Gmsh | Self::Direct)
    }
}

/// How points move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dof {
    /// Three slides each.
    Full,
    /// One slide each, away from the origin.
    Radial,
    /// With the eight corners of their box.
    Trilinear,
    /// With 27 points of their box.
    Quadratic,
}

const DOF: crate::keywords::Map<Dof, 4> =
    [("full", Dof::Full), ("radial", Dof::Radial), ("trilinear", Dof::Trilinear), ("quadratic", Dof::Quadratic)];

impl Dof {
    /// Order of the interpolation between nodes; zero for none.
    fn order(self) -> usize {
        match self {
            Self::Full | Self::Radial => 0,
            Self::Trilinear => 1,
            Self::Quadratic => 2,
        }
    }

    fn nodes(self) -> usize {
        match self.order() {
            0 => 0,
            order => (order + 1).pow(3),
        }
    }
}

const EQUALITY: crate::keywords::Map<Option<EqType>, 3> =
    [("false", None), ("true", Some(EqType::Flex)), ("vert", Some(EqType::FlexVert))];

/// What a `flexcomp` says, and the points and elements found on the way.
struct Flexcomp {
    kind: Type,
    dof: Dof,
    count: [i32; 3],
    spacing: [f64; 3],
    scale: [f64; 3],
    origin: [f64; 3],
    mass: f64,
    inertiabox: f64,
    pos: Vec3,
    quat: Quat,
    rigid: bool,
    file: String,
    pins: pin::Pins,
    equality: Option<Equality>,
    /// Three numbers per point.
    point: Vec<f64>,
    /// `dim` + 1 points per element.
    element: Vec<i32>,
    texcoord: Vec<f32>,
    elemtexcoord: Vec<i32>,
    /// Everything that goes to the flex as it is.
    flex: Flex,
}

/// Reads a `flexcomp` in `body`, whose own class is `class`, and adds what it makes to the spec.
pub(super) fn flexcomp(reader: &mut Reader<'_>, element: Element<'_>, body: usize, class: usize) {
    if let Some(plugin) = element.children().find(|c| c.name() == "plugin") {
        return reader.unsupported(plugin);
    }
    let before = reader.problems.len();
    let mut comp = read(reader, element);
    if reader.problems.len() > before {
        return;
    }
    if let Err(message) = make(reader, &mut comp, body, class) {
        reader.fields(element).refuse(&message);
    }
}

/// Everything up to the additions to the spec, which come last: a refused element leaves no trace.
fn make(reader: &mut Reader<'_>, comp: &mut Flexcomp, body: usize, class: usize) -> Result<(), String> {
    check(comp, reader.spec.bodies.get(body).is_some_and(|b| !b.name.is_empty()))?;
    points(reader, comp)?;
    let limits = reader.context.limits;
    let vertices = reader.spec.flexes.iter().map(|f| f.vertbody.len().max(f.vert.len() / 3)).sum::<usize>();
    if vertices + comp.npnt() > limits.vertices {
        return Err(format!("with its {} points the model has more vertices than {}", comp.npnt(), limits.vertices));
    }
    check_points(comp)?;
    let all_pinned = pin::resolve(comp)?;
    build::build(reader, comp, body, class, all_pinned)
}

fn read(reader: &mut Reader<'_>, element: Element<'_>) -> Flexcomp {
    let mut comp = Flexcomp {
        kind: Type::Grid,
        dof: Dof::Full,
        count: [10; 3],
        spacing: [0.02; 3],
        scale: [1.0; 3],
        origin: [0.0; 3],
        mass: 1.0,
        inertiabox: 0.005,
        pos: Vec3::zeros(),
        quat: Quat::IDENTITY,
        rigid: false,
        file: asset::file(reader, element, "file", "").unwrap_or_default(),
        pins: pin::Pins::default(),
        equality: None,
        point: Vec::new(),
        element: Vec::new(),
        texcoord: Vec::new(),
        elemtexcoord: Vec::new(),
        flex: Flex { at: element.at(), ..Flex::default() },
    };
    let compiler = reader.spec.compiler.clone();
    let mut f = reader.fields(element);
    f.get("name", &mut comp.flex.name);
    f.key("type", &mut comp.kind, &TYPE);
    f.key("dof", &mut comp.dof, &DOF);
    f.get("count", &mut comp.count);
    f.get("spacing", &mut comp.spacing);
    f.get("scale", &mut comp.scale);
    f.get("mass", &mut comp.mass);
    f.get("inertiabox", &mut comp.inertiabox);
    appearance(&mut f, &mut comp.flex);
    if !f.get("origin", &mut comp.origin) && comp.kind == Type::Mesh && comp.flex.dim == 3 {
        f.refuse("a mesh with dim=\"3\" needs an origin, the point that all its tetrahedra share");
    }
    f.get("rigid", &mut comp.rigid);
    f.get("point", &mut comp.point);
    f.get("element", &mut comp.element);
    f.get("texcoord", &mut comp.texcoord);

    // pose
    f.get("pos", &mut comp.pos);
    f.get("quat", &mut comp.quat);
    let mut alt = None;
    orientation(&mut f, &mut alt);
    match pose::orientation(comp.quat, alt, &compiler) {
        Ok(quat) => comp.quat = quat,
        Err(message) => f.refuse(message),
    }
    children(reader, element, &mut comp);
    comp
}

/// Reads the elements inside.
fn children(reader: &mut Reader<'_>, element: Element<'_>, comp: &mut Flexcomp) {
    for child in element.children() {
        let mut f = reader.fields(child);
        match child.name() {
            "edge" => {
                let mut kind = None;
                f.key("equality", &mut kind, &EQUALITY);
                let mut held = Equality { at: element.at(), ..Equality::default() };
                f.overlay("solref", &mut held.solref);
                f.overlay("solimp", &mut held.solimp);
                edge(&mut f, &mut comp.flex);
                comp.equality = kind.map(|r#type| Equality { r#type, name1: comp.flex.name.clone(), ..held });
            }
            "elasticity" => elasticity(&mut f, &mut comp.flex),
            "contact" => contact(&mut f, &mut comp.flex),
            "pin" => comp.pins.read(&mut f),
            _ => {}
        }
    }
    if comp.flex.elastic2d.stretches() && comp.equality.is_some() {
        reader.fields(element).refuse("elastic2d against stretching and an edge equality cannot both be given");
    }
}

/// Rules about what is written.
fn check(comp: &Flexcomp, parent_named: bool) -> Result<(), String> {
    let dim = comp.flex.dim;
    let refuse = |message: &str| Err(message.to_owned());
    if !parent_named {
        return refuse("the body around it needs a name");
    }
    if !(1..=3).contains(&dim) {
        return Err(format!("dim must be 1, 2 or 3, not {dim}"));
    }
    let least = if comp.dof == Dof::Radial && dim == 3 { 2 } else { 1 };
    if comp.count.iter().any(|n| *n < least) {
        return Err(format!("every count must be at least {least}"));
    }
    let space = 2.0 * comp.flex.radius + comp.flex.margin;
    if !comp.kind.is_direct() && comp.spacing.iter().any(|s| *s < space) {
        return Err(format!("every spacing must be at least twice the radius plus the margin, {space}"));
    }
    if comp.scale.iter().any(|s| *s < MINVAL) {
        return refuse("scale must be positive");
    }
    if comp.mass < MINVAL || comp.inertiabox < MINVAL {
        return refuse("mass and inertiabox must be positive");
    }
    Ok(())
}

/// Finds points and elements.
fn points(reader: &Reader<'_>, comp: &mut Flexcomp) -> Result<(), String> {
    match comp.kind {
        Type::Grid | Type::Circle => shape::grid(comp, reader.context.limits)?,
        Type::Square | Type::Disc => shape::square(comp, reader.context.limits)?,
        Type::Box | Type::Cylinder | Type::Ellipsoid => surface::surface(comp, reader.context.limits)?,
        Type::Mesh => file::mesh(reader, comp)?,
        Type::Gmsh => file::gmsh(reader, comp)?,
        Type::Direct => {}
    }
    let solid_grid = comp.kind == Type::Grid && comp.flex.dim == 3;
    comp.flex.flatskin |= matches!(comp.kind, Type::Box | Type::Cylinder) || solid_grid;
    Ok(())
}

/// Rules about points and elements, then the pose.
fn check_points(comp: &mut Flexcomp) -> Result<(), String> {
    let dim = comp.flex.dim as usize;
    comp.pins.check(dim, comp.kind == Type::Grid || comp.dof.order() > 0)?;
    if comp.point.is_empty() || comp.element.is_empty() {
        return Err("it needs points and elements".to_owned());
    }
    if !comp.point.len().is_multiple_of(3) {
        return Err(format!("point needs three numbers each, and there are {}", comp.point.len()));
    }
    if !comp.element.len().is_multiple_of(dim + 1) {
        return Err(format!("an element has {} points, and there are {} in all", dim + 1, comp.element.len()));
    }
    let count = comp.npnt();
    if let Some((i, id)) =
        comp.element.iter().enumerate().find(|(_, id)| usize::try_from(**id).is_ok_and(|p| p < count).eq(&false))
    {
        return Err(format!("number {i} of element is point {id}, but there are {count} points"));
    }

    let direct = comp.kind.is_direct();
    for p in comp.point.chunks_exact_mut(3) {
        if direct {
            p.iter_mut().zip(comp.scale).for_each(|(x, s)| *x *= s);
        }
        // a quaternion is used as written: one that is not normalised also scales
        let moved = comp.quat.rotate(&Vec3::new(p[0], p[1], p[2])) + comp.pos;
        p.copy_from_slice(moved.as_slice());
    }
    Ok(())
}

impl Flexcomp {
    fn npnt(&self) -> usize {
        self.point.len() / 3
    }

    /// Whether texture coordinates are wanted and not given.
    fn needs_texcoord(&self) -> bool {
        self.texcoord.is_empty() && !self.flex.material.is_empty()
    }

    /// Counts as sizes; they are known to be positive.
    fn counts(&self) -> [usize; 3] {
        self.count.map(|n| usize::try_from(n).unwrap_or(0))
    }
}

/// The class that elements of a body take when they name none.
pub(super) fn body_class(spec: &Spec, class: usize) -> crate::spec::DefaultClass {
    spec.defaults.get(class).cloned().unwrap_or_else(crate::spec::DefaultClass::main)
}
