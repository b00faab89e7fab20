//! Deformables: from vertices and elements to everything the model keeps about them.
//!
//! [`compile`] checks a flex and finds its bodies, its [`topology`] and its [`elastic`] constants.
//!
//! MuJoCo: `user_mesh.cc`, `mjCFlex`.

mod elastic;
mod interp;
mod topology;

use super::names;
use super::pose::Pose;
use crate::error::Problems;
use crate::spec;
use sim_collision::bvh::{self, Element, Node};
use sim_core::Model;
use sim_types::{FlexSelf, MINVAL, ObjType, OptId, Vec3};
use topology::Topology;

/// A compiled flex; numbers of vertices, edges and elements count within it.
pub(super) struct Flex {
    pub(super) dim: usize,
    pub(super) rigid: bool,
    pub(super) centered: bool,
    /// Order of the interpolation between nodes; zero for none.
    pub(super) order: u32,
    pub(super) matid: OptId,
    pub(super) vertbody: Vec<OptId>,
    pub(super) nodebody: Vec<u32>,
    pub(super) vert: Vec<Vec3>,
    pub(super) node: Vec<Vec3>,
    pub(super) vert0: Vec<Vec3>,
    pub(super) node0: Vec<Vec3>,
    pub(super) elemtexcoord: Vec<i32>,
    pub(super) topology: Topology,
    pub(super) stiffness: Vec<[f64; 21]>,
    pub(super) bending: Vec<[f64; 17]>,
    pub(super) bvh: Vec<Node>,
    pub(super) size: Vec3,
}

/// Compiles a flex. `poses` are those of all bodies in the world at the reference pose; names must be known already.
///
/// `None` when something is wrong, which is then noted.
#[doc(alias = "mjCFlex::Compile")]
pub(super) fn compile(spec: &spec::Flex, poses: &[Pose], m: &Model, problems: &mut Problems) -> Option<Flex> {
    let before = problems.len();
    let matid = match spec.material.as_str() {
        "" => OptId::NONE,
        name => OptId::from(names::resolve(&m.names, (ObjType::Material, "material"), name, &spec.at, problems)),
    };
    let mut bodies = |list: &[String]| -> Option<Vec<usize>> {
        // one problem is enough: all vertices may have the same wrong body
        list.iter().map(|name| names::resolve(&m.names, (ObjType::Body, "body"), name, &spec.at, problems)).collect()
    };
    let (vertbody, nodebody) = (bodies(&spec.vertbody)?, bodies(&spec.nodebody)?);
    if problems.len() > before {
        return None;
    }
    match build(spec, poses, m, &vertbody, &nodebody) {
        Ok(flex) => Some(Flex { matid, ..flex }),
        Err(message) => {
            problems.invalid(&spec.at, "flex", &spec.name, message);
            None
        }
    }
}

fn build(spec: &spec::Flex, poses: &[Pose], m: &Model, vertbody: &[usize], nodebody: &[usize]) -> Result<Flex, String> {
    let nvert = check(spec)?;
    let dim = spec.dim as usize;
    let interpolated = !nodebody.is_empty();
    if spec.dim == 2 && spec.elastic2d.bends() && vertbody.iter().any(|b| m.body_jntnum[*b] != 3) {
        return Err("bending needs three joints for every vertex body: pins are not supported".to_owned());
    }

    // vertices of one body are rigid, vertices at the origin of their bodies are centered
    let one_body = vertbody.iter().all(|b| Some(b) == vertbody.first());
    let rigid = !interpolated && one_body;
    let at_origin =
        if interpolated { spec.node.iter().all(|x| *x == 0.0) } else { spec.vert.iter().all(|x| *x == 0.0) };
    let centered = spec.vert.is_empty() || at_origin;

    // where everything is at the reference pose
    let vert = triples(&spec.vert);
    let node = triples(&spec.node);
    let body_of = |i: usize| if vertbody.len() == 1 { vertbody[0] } else { vertbody[i] };
    let vertxpos: Vec<Vec3> =
        (0..nvert).map(|i| place(&poses[body_of(i)], vert.get(i).filter(|_| !centered || interpolated))).collect();
    let node0: Vec<Vec3> =
        nodebody.iter().enumerate().map(|(i, b)| place(&poses[*b], node.get(i).filter(|_| !centered))).collect();

    let elems = spec.elem.iter().map(|id| *id as u32).collect();
    let topology = topology::find(dim, elems, &vertxpos);
    let nelem = topology.elem.len() / (dim + 1);
    let order = if interpolated { if nodebody.len() == 8 { 1 } else { 2 } } else { 0 };
    let (mut stiffness, mut bending) = (vec![[0.0; 21]; nelem], vec![[0.0; 17]; topology.edge.len()]);
    if spec.young > 0.0 {
        if !(0.0..0.5).contains(&spec.poisson) {
            return Err(format!("Poisson's ratio must be at least 0 and less than 0.5, not {}", spec.poisson));
        }
        if interpolated {
            interp::stiffness(&mut stiffness, &node0, spec, order)?;
        } else {
            elastic::stretch(&mut stiffness, &topology.elem, &vertxpos, spec);
        }
        if dim == 2 && spec.elastic2d.bends() {
            if spec.thickness < 0.0 {
                return Err("bending needs a thickness".to_owned());
            }
            elastic::bend(&mut bending, &topology.flap, &vertxpos, spec);
        }
    }

    let bvh = volumes(spec, &topology, &vertxpos);
    let Some(root) = bvh.first() else {
        return Err("activelayers must be positive".to_owned());
    };
    let (centre, size) =
        (Vec3::from_row_slice(&root.aabb[..3]), Vec3::from_row_slice(&root.aabb[3..]).add_scalar(-spec.radius));
    let vert0 = vertxpos.iter().map(|x| normalised(x, &centre, &size)).collect();
    Ok(Flex {
        dim,
        rigid,
        centered,
        order,
        matid: OptId::NONE,
        vertbody: (0..nvert).map(|i| if interpolated { OptId::NONE } else { OptId::some(body_of(i)) }).collect(),
        nodebody: nodebody.iter().map(|b| *b as u32).collect(),
        vert: if centered && !interpolated { vec![Vec3::zeros(); nvert] } else { vert },
        node: if centered { vec![Vec3::zeros(); nodebody.len()] } else { node },
        vert0,
        node0,
        elemtexcoord: texture(spec, &topology.elem),
        topology,
        stiffness,
        bending,
        bvh,
        size,
    })
}

/// Rules about sizes and ids; returns the number of vertices.
fn check(spec: &spec::Flex) -> Result<usize, String> {
    let refuse = |message: &str| Err(message.to_owned());
    if !(1..=3).contains(&spec.dim) {
        return Err(format!("dim must be 1, 2 or 3, not {}", spec.dim));
    }
    let corners = spec.dim as usize + 1;
    if spec.elem.is_empty() || !spec.elem.len().is_multiple_of(corners) {
        return Err(format!("element needs {corners} vertices each, and there are {}", spec.elem.len()));
    }
    if spec.vertbody.is_empty() {
        return refuse("it has no bodies");
    }
    if !spec.vert.len().is_multiple_of(3) || !spec.node.len().is_multiple_of(3) {
        return refuse("a vertex has three coordinates");
    }
    if spec.edgestiffness > 0.0 && spec.dim > 1 {
        return refuse("edge stiffness is only for dim=\"1\": use elasticity");
    }
    if !matches!(spec.condim, 1 | 3 | 4 | 6) {
        return Err(format!("condim must be 1, 3, 4 or 6, not {}", spec.condim));
    }
    let nvert = if spec.vert.is_empty() { spec.vertbody.len() } else { spec.vert.len() / 3 };
    let one_for_all = spec.vertbody.len() == 1 && !spec.vert.is_empty();
    if spec.vertbody.len() != nvert && !one_for_all {
        return Err(format!(
            "there are {nvert} vertices and {} bodies: give one body each, or one",
            spec.vertbody.len()
        ));
    }
    if nvert < corners {
        return Err(format!("an element has {corners} vertices, and there are {nvert}"));
    }
    check_nodes(spec, nvert)?;

    for elem in spec.elem.chunks_exact(corners) {
        if let Some(id) = elem.iter().find(|id| usize::try_from(**id).map_or(true, |id| id >= nvert)) {
            return Err(format!("element has vertex {id}, but there are {nvert}"));
        }
        if (1..corners).any(|k| elem[..k].contains(&elem[k])) {
            return Err(format!("the element {elem:?} has a vertex twice"));
        }
    }
    let per_vertex = spec.texcoord.len() == 2 * nvert;
    if !spec.texcoord.is_empty() && spec.elemtexcoord.is_empty() && !per_vertex {
        return Err(format!(
            "texcoord needs two numbers for each of the {nvert} vertices, found {}",
            spec.texcoord.len()
        ));
    }
    if !spec.texcoord.len().is_multiple_of(2) {
        return refuse("a texture coordinate is two numbers");
    }
    Ok(nvert)
}

/// Rules for vertices that are interpolated.
fn check_nodes(spec: &spec::Flex, nvert: usize) -> Result<(), String> {
    let refuse = |message: &str| Err(message.to_owned());
    if spec.nodebody.is_empty() {
        return Ok(());
    }
    if !matches!(spec.nodebody.len(), 8 | 27) {
        return Err(format!("there must be 8 or 27 nodes, not {}", spec.nodebody.len()));
    }
    if spec.selfcollide != FlexSelf::None {
        return refuse("interpolated vertices cannot collide with each other: set selfcollide=\"none\"");
    }
    if spec.internal {
        return refuse("interpolated vertices cannot have internal collisions");
    }
    if spec.vert.is_empty() || spec.vertbody.len() != nvert {
        return refuse("interpolated vertices need coordinates, and one body each to say what these refer to");
    }
    if !spec.node.is_empty() && spec.node.len() != 3 * spec.nodebody.len() {
        return Err(format!("there are {} nodes and {} coordinates", spec.nodebody.len(), spec.node.len()));
    }
    Ok(())
}

/// Texture coordinates of the vertices of the elements, one per vertex of an element.
///
/// MuJoCo copies three numbers per element whatever the dimension, as they were before tetrahedra are turned, and
/// leaves the rest at zero.
fn texture(spec: &spec::Flex, elem: &[u32]) -> Vec<i32> {
    let mut list: Vec<i32> = if spec.texcoord.is_empty() {
        elem.iter().map(|id| *id as i32).collect()
    } else if spec.elemtexcoord.is_empty() {
        let copied = 3 * (elem.len() / (spec.dim as usize + 1));
        spec.elem.iter().copied().take(copied).collect()
    } else {
        spec.elemtexcoord.clone()
    };
    list.resize(elem.len(), 0);
    list
}

/// Boxes around the elements that can collide.
#[doc(alias = "mjCFlex::CreateBVH")]
fn volumes(spec: &spec::Flex, topology: &Topology, vertxpos: &[Vec3]) -> Vec<Node> {
    let dim = spec.dim as usize;
    let mut boxes = Vec::with_capacity(topology.elemlayer.len());
    for (e, elem) in topology.elem.chunks_exact(dim + 1).enumerate() {
        if dim == 3 && i64::from(topology.elemlayer[e]) >= i64::from(spec.activelayers) {
            continue;
        }
        let first = vertxpos[elem[0] as usize];
        let (mut low, mut high) = (first, first);
        for v in &elem[1..] {
            low = low.inf(&vertxpos[*v as usize]);
            high = high.sup(&vertxpos[*v as usize]);
        }
        let centre = (high + low) * 0.5;
        let half = ((high - low) * 0.5).add_scalar(spec.radius);
        boxes.push(Element { order: boxes.len(), id: e, centre, min: centre - half, max: centre + half });
    }
    bvh::build(&mut boxes)
}

/// A point in a body, or its origin, in the world.
fn place(body: &Pose, point: Option<&Vec3>) -> Vec3 {
    point.map_or(body.pos, |p| body.pos + body.quat.rotate(p))
}

/// Coordinates from 0 to 1 across a box; the middle where the box is flat.
fn normalised(x: &Vec3, centre: &Vec3, size: &Vec3) -> Vec3 {
    x.zip_zip_map(centre, size, |x, centre, size| if size > MINVAL { (x - centre) / (2.0 * size) + 0.5 } else { 0.5 })
}

fn triples(list: &[f64]) -> Vec<Vec3> {
    list.chunks_exact(3).map(Vec3::from_row_slice).collect()
}
