//! One geom or site: pose in the body, sizes, mass.

use super::asset::GeomAsset;
use super::mesh::{self, Mesh};
use super::pose::{EPS, Pose, normalize, normalized, orientation, z_to};
use super::shape;
use super::tree::Geom;
use crate::spec::{Compiler, GeomInertia, Orientation, Site};
use sim_types::{GeomType, Quat, Vec3};

/// Compiles a geom that stands in `frame`; `fixed` says whether its body is attached to the world, `infer` whether its
/// mass counts. The error says which rule it breaks.
#[doc(alias = "mjCGeom::Compile")]
pub(super) fn compile_geom(
    geom: &mut Geom,
    asset: &GeomAsset<'_>,
    frame: Option<&Pose>,
    compiler: &Compiler,
    fixed: bool,
    infer: bool,
) -> Result<(), String> {
    let s = &mut geom.spec;
    if !matches!(s.condim, 1 | 3 | 4 | 6) {
        return Err(format!("condim must be 1, 3, 4 or 6, not {}", s.condim));
    }
    let is_mesh = matches!(s.r#type, GeomType::Mesh | GeomType::Sdf);
    if is_mesh && asset.mesh.is_none() {
        return Err(format!("a geom of type {} must name its mesh", shape::name(s.r#type)));
    }
    if (s.r#type == GeomType::Hfield) != asset.hfield.is_some() {
        return Err("a geom of type hfield must name its hfield, and no other geom may".to_owned());
    }
    if s.r#type == GeomType::Plane && !fixed {
        return Err("a plane is only allowed in a body that cannot move".to_owned());
    }

    s.quat = normalized(s.quat);
    let placed =
        place(s.r#type, &Placement { pos: s.pos, quat: s.quat, alt: s.alt, fromto: s.fromto }, s.size, compiler)?;
    (s.pos, s.quat, s.size) = placed;
    if let Some((id, mesh)) = asset.mesh {
        geom.data = Some(id);
        put_mesh(geom, mesh, compiler)?;
    }
    let s = &mut geom.spec;
    shape::check_size(s.r#type, &s.size)?;
    (geom.aabb, geom.rbound) = (shape::aabb(s.r#type, &s.size), shape::rbound(s.r#type, &s.size));
    if let Some((id, field)) = asset.hfield {
        geom.data = Some(id);
        s.size = field.geom_size();
        (geom.aabb, geom.rbound) = (field.aabb(), field.rbound());
    }
    let own = asset.mesh.map(|(_, mesh)| mesh).filter(|_| is_mesh);
    if let Some(mesh) = own {
        let size = mesh.size();
        s.size = size.into();
        (geom.aabb, geom.rbound) = (mesh.aabb(), size.norm());
    }
    if s.material.is_empty() {
        asset.material.clone_into(&mut s.material);
    }
    if s.size.iter().any(|x| x.is_nan()) {
        return Err("size must be a number".to_owned());
    }
    if infer {
        set_mass(geom, own)?;
    }
    if let Some(frame) = frame {
        let pose = frame.compose(&geom.pose());
        geom.set_pose(&pose);
    }
    Ok(())
}

/// Adds the frame of a mesh to that of the geom; a geom of another shape is fitted to the mesh.
fn put_mesh(geom: &mut Geom, mesh: &Mesh, compiler: &Compiler) -> Result<(), String> {
    let s = &mut geom.spec;
    if s.fromto.is_some_and(|ends| !ends[0].is_nan()) {
        return Err("fromto cannot be used with a mesh".to_owned());
    }
    let mut centre = Vec3::zeros();
    if !matches!(s.r#type, GeomType::Mesh | GeomType::Sdf) {
        let fitted = mesh::fit(mesh, s.r#type, s.size, compiler.fitaabb, s.fitscale);
        let fitted = fitted.map_err(|error| error.to_string())?;
        (s.size, centre) = (fitted.size, fitted.centre);
    } else if s.typeinertia == GeomInertia::Shell {
        return Err("the inertia of a mesh geom is chosen in the mesh, not by shellinertia".to_owned());
    }
    let frame = Pose::new(mesh.quat.rotate(&centre) + mesh.pos, mesh.quat);
    let pose = geom.pose().compose(&frame);
    geom.set_pose(&pose);
    Ok(())
}

/// Compiles a site that stands in `frame`; the error says which rule it breaks.
#[doc(alias = "mjCSite::Compile")]
pub(super) fn compile_site(s: &mut Site, frame: Option<&Pose>, compiler: &Compiler) -> Result<(), String> {
    if matches!(s.r#type, GeomType::Mesh | GeomType::Hfield | GeomType::Plane) {
        return Err(format!("a site cannot be of type {}", shape::name(s.r#type)));
    }
    let placed =
        place(s.r#type, &Placement { pos: s.pos, quat: s.quat, alt: s.alt, fromto: s.fromto }, s.size, compiler)?;
    let mut pose = Pose::new(placed.0, placed.1);
    if let Some(frame) = frame {
        pose = frame.compose(&pose);
    }
    (s.pos, s.quat, s.size) = (pose.pos, normalized(pose.quat), placed.2);
    shape::check_size(s.r#type, &s.size)
}

/// Where a geom or site is, as written.
struct Placement {
    pos: Vec3,
    quat: Quat,
    alt: Option<Orientation>,
    fromto: Option<[f64; 6]>,
}

/// Position, orientation and size, from the two ends if they are given.
fn place(
    kind: GeomType,
    at: &Placement,
    size: [f64; 3],
    compiler: &Compiler,
) -> Result<(Vec3, Quat, [f64; 3]), String> {
    let Some([x1, y1, z1, x2, y2, z2]) = at.fromto.filter(|f| !f[0].is_nan()) else {
        return Ok((at.pos, orientation(at.quat, at.alt, compiler)?, size));
    };
    let long = matches!(kind, GeomType::Capsule | GeomType::Cylinder);
    if !long && !matches!(kind, GeomType::Box | GeomType::Ellipsoid) {
        return Err(format!(
            "fromto is for capsules, cylinders, boxes and ellipsoids, not for a {}",
            shape::name(kind)
        ));
    }
    if at.pos.iter().any(|x| *x != 0.0) {
        return Err("pos and fromto cannot both be given".to_owned());
    }

    // the z axis points from the second end to the first
    let (from, to) = (Vec3::new(x1, y1, z1), Vec3::new(x2, y2, z2));
    let mut axis = from - to;
    let half = normalize(axis.as_mut_slice()) / 2.0;
    if half < EPS {
        return Err("the two points of fromto are too close".to_owned());
    }
    let size = if long { [size[0], half, size[2]] } else { [size[0], size[0], half] };
    Ok(((from + to) / 2.0, z_to(&axis), size))
}

/// Mass and inertia from the given mass, else from the density; those of a mesh geom come from its mesh.
fn set_mass(geom: &mut Geom, mesh: Option<&Mesh>) -> Result<(), String> {
    let s = &mut geom.spec;
    let volume = mesh.map_or_else(|| shape::volume(s.r#type, s.typeinertia, &s.size), |mesh| mesh.volume);
    match s.mass.filter(|m| !m.is_nan()) {
        Some(0.0) => s.density = 0.0,
        Some(mass) if volume > EPS => {
            geom.mass = mass;
            s.density = mass / volume;
        }
        Some(_) => {}
        None if s.density != 0.0 => geom.mass = s.density * volume,
        None => {}
    }
    geom.inertia = match mesh {
        Some(mesh) => mesh.inertia(geom.mass),
        None => shape::inertia(s.r#type, s.typeinertia, &s.size, geom.mass),
    };
    if geom.mass < 0.0 || geom.inertia.iter().any(|x| *x < 0.0) || s.density < 0.0 {
        return Err("mass and density cannot be negative".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec;

    fn run(spec: spec::Geom) -> Result<Geom, String> {
        let mut geom = Geom::new(spec);
        compile_geom(&mut geom, &GeomAsset::default(), None, &Compiler::default(), true, true).map(|()| geom)
    }

    #[test]
    fn fromto_points_back_to_its_first_end() {
        let base =
            spec::Geom { size: [0.1, 0.0, 0.0], fromto: Some([1.0, 0.0, 0.0, 4.0, 0.0, 0.0]), ..Default::default() };
        let capsule = run(spec::Geom { r#type: GeomType::Capsule, ..base.clone() }).unwrap();
        assert_eq!(capsule.spec.size, [0.1, 1.5, 0.0]);
        assert_eq!(capsule.spec.pos, Vec3::new(2.5, 0.0, 0.0));
        assert!((capsule.spec.quat.rotate(&Vec3::z()) + Vec3::x()).norm() < 1e-15);
        let cuboid = run(spec::Geom { r#type: GeomType::Box, ..base.clone() }).unwrap();
        assert_eq!(cuboid.spec.size, [0.1, 0.1, 1.5]);
        assert!(run(base.clone()).is_err(), "a sphere has no ends");
        assert!(run(spec::Geom { r#type: GeomType::Box, pos: Vec3::x(), ..base }).is_err());
    }

    #[test]
    fn a_given_mass_beats_the_density() {
        let ball = |mass, density| run(spec::Geom { size: [0.5, 0.0, 0.0], mass, density, ..Default::default() });
        let volume = std::f64::consts::PI / 6.0;
        assert!((ball(None, 2.0).unwrap().mass - 2.0 * volume).abs() < 1e-15);
        let given = ball(Some(3.0), 2.0).unwrap();
        assert_eq!(given.mass, 3.0);
        assert!((given.inertia.x - 0.3).abs() < 1e-15);
        assert_eq!(ball(Some(0.0), 2.0).unwrap().mass, 0.0);
        assert!(ball(Some(-1.0), 2.0).is_err());
        assert!(ball(None, -1.0).is_err());
    }

    #[test]
    fn rules_are_errors_that_say_them() {
        let ok = spec::Geom { size: [1.0, 1.0, 1.0], ..Default::default() };
        assert!(run(spec::Geom { condim: 2, ..ok.clone() }).is_err());
        assert!(run(spec::Geom { size: [f64::NAN, 0.0, 0.0], ..ok.clone() }).is_err());
        let mut plane = Geom::new(spec::Geom { r#type: GeomType::Plane, ..ok });
        let mut compile =
            |fixed| compile_geom(&mut plane, &GeomAsset::default(), None, &Compiler::default(), fixed, false).is_ok();
        assert!(!compile(false) && compile(true));
        let mut site = Site { r#type: GeomType::Plane, ..Site::default() };
        assert!(compile_site(&mut site, None, &Compiler::default()).is_err());
    }
}
