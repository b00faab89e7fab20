//! Keywords of attributes and what they stand for.

use crate::spec::{
    AlignFree, Builtin, ColorSpace, Elastic2d, GeomInertia, InertiaFromGeom, Interp, LengthRangeMode, Limited, Mark,
    MeshBuiltin, MeshInertia, TextureType,
};
use sim_types::{
    BiasType, CamLightMode, Cone, DataType, DynType, FlexSelf, GainType, GeomType, Integrator, Jacobian, JointType,
    LightType, Projection, SleepPolicy, Solver, Stage,
};

/// The keywords of an attribute with their values.
pub(crate) type Map<T, const N: usize> = [(&'static str, T); N];

/// The keywords alone.
pub(crate) const fn names<T, const N: usize>(map: &Map<T, N>) -> [&'static str; N] {
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = map[i].0;
        i += 1;
    }
    names
}

pub(crate) const BOOL: Map<bool, 2> = [("false", false), ("true", true)];
pub(crate) const ENABLE: Map<bool, 2> = [("disable", false), ("enable", true)];
pub(crate) const ANGLE: Map<bool, 2> = [("radian", false), ("degree", true)];
pub(crate) const FLUID_SHAPE: Map<bool, 2> = [("none", false), ("ellipsoid", true)];
pub(crate) const LIMITED: Map<Limited, 3> =
    [("false", Limited::False), ("true", Limited::True), ("auto", Limited::Auto)];
pub(crate) const ALIGN: Map<AlignFree, 3> =
    [("false", AlignFree::False), ("true", AlignFree::True), ("auto", AlignFree::Auto)];
pub(crate) const INERTIA_FROM_GEOM: Map<InertiaFromGeom, 3> =
    [("false", InertiaFromGeom::False), ("true", InertiaFromGeom::True), ("auto", InertiaFromGeom::Auto)];
pub(crate) const SHELL: Map<GeomInertia, 2> = [("false", GeomInertia::Volume), ("true", GeomInertia::Shell)];
pub(crate) const LENGTH_RANGE: Map<LengthRangeMode, 4> = [
    ("none", LengthRangeMode::None),
    ("muscle", LengthRangeMode::Muscle),
    ("muscleuser", LengthRangeMode::MuscleUser),
    ("all", LengthRangeMode::All),
];
pub(crate) const SLEEP: Map<SleepPolicy, 4> = [
    ("auto", SleepPolicy::Auto),
    ("never", SleepPolicy::Never),
    ("allowed", SleepPolicy::Allowed),
    ("init", SleepPolicy::Init),
];
pub(crate) const JOINT: Map<JointType, 4> =
    [("free", JointType::Free), ("ball", JointType::Ball), ("slide", JointType::Slide), ("hinge", JointType::Hinge)];
pub(crate) const GEOM: Map<GeomType, 9> = [
    ("plane", GeomType::Plane),
    ("hfield", GeomType::Hfield),
    ("sphere", GeomType::Sphere),
    ("capsule", GeomType::Capsule),
    ("ellipsoid", GeomType::Ellipsoid),
    ("cylinder", GeomType::Cylinder),
    ("box", GeomType::Box),
    ("mesh", GeomType::Mesh),
    ("sdf", GeomType::Sdf),
];
pub(crate) const PROJECTION: Map<Projection, 2> =
    [("perspective", Projection::Perspective), ("orthographic", Projection::Orthographic)];
pub(crate) const CAMLIGHT: Map<CamLightMode, 5> = [
    ("fixed", CamLightMode::Fixed),
    ("track", CamLightMode::Track),
    ("trackcom", CamLightMode::TrackCom),
    ("targetbody", CamLightMode::TargetBody),
    ("targetbodycom", CamLightMode::TargetBodyCom),
];
pub(crate) const LIGHT: Map<LightType, 4> = [
    ("spot", LightType::Spot),
    ("directional", LightType::Directional),
    ("point", LightType::Point),
    ("image", LightType::Image),
];
pub(crate) const INTEGRATOR: Map<Integrator, 5> = [
    ("Euler", Integrator::Euler),
    ("RK4", Integrator::Rk4),
    ("implicit", Integrator::Implicit),
    ("implicitfast", Integrator::ImplicitFast),
    ("implicitspringdamper", Integrator::ImplicitSpringDamper),
];
pub(crate) const CONE: Map<Cone, 2> = [("pyramidal", Cone::Pyramidal), ("elliptic", Cone::Elliptic)];
pub(crate) const JACOBIAN: Map<Jacobian, 3> =
    [("dense", Jacobian::Dense), ("sparse", Jacobian::Sparse), ("auto", Jacobian::Auto)];
pub(crate) const SOLVER: Map<Solver, 3> = [("PGS", Solver::Pgs), ("CG", Solver::Cg), ("Newton", Solver::Newton)];
pub(crate) const TEXTURE: Map<TextureType, 3> =
    [("2d", TextureType::Texture2d), ("cube", TextureType::Cube), ("skybox", TextureType::Skybox)];
pub(crate) const COLORSPACE: Map<ColorSpace, 3> =
    [("auto", ColorSpace::Auto), ("linear", ColorSpace::Linear), ("sRGB", ColorSpace::Srgb)];
pub(crate) const BUILTIN: Map<Builtin, 4> =
    [("none", Builtin::None), ("gradient", Builtin::Gradient), ("checker", Builtin::Checker), ("flat", Builtin::Flat)];
pub(crate) const MARK: Map<Mark, 4> =
    [("none", Mark::None), ("edge", Mark::Edge), ("cross", Mark::Cross), ("random", Mark::Random)];
pub(crate) const MESH_INERTIA: Map<MeshInertia, 4> = [
    ("convex", MeshInertia::Convex),
    ("legacy", MeshInertia::Legacy),
    ("exact", MeshInertia::Exact),
    ("shell", MeshInertia::Shell),
];
pub(crate) const MESH_BUILTIN: Map<MeshBuiltin, 7> = [
    ("sphere", MeshBuiltin::Sphere),
    ("hemisphere", MeshBuiltin::Hemisphere),
    ("cone", MeshBuiltin::Cone),
    ("supertorus", MeshBuiltin::Supertorus),
    ("supersphere", MeshBuiltin::Supersphere),
    ("wedge", MeshBuiltin::Wedge),
    ("plate", MeshBuiltin::Plate),
];
pub(crate) const INTERP: Map<Interp, 3> = [("zoh", Interp::Zoh), ("linear", Interp::Linear), ("cubic", Interp::Cubic)];
pub(crate) const DYNAMICS: Map<DynType, 6> = [
    ("none", DynType::None),
    ("integrator", DynType::Integrator),
    ("filter", DynType::Filter),
    ("filterexact", DynType::FilterExact),
    ("muscle", DynType::Muscle),
    ("user", DynType::User),
];
pub(crate) const GAIN: Map<GainType, 4> =
    [("fixed", GainType::Fixed), ("affine", GainType::Affine), ("muscle", GainType::Muscle), ("user", GainType::User)];
pub(crate) const BIAS: Map<BiasType, 4> =
    [("none", BiasType::None), ("affine", BiasType::Affine), ("muscle", BiasType::Muscle), ("user", BiasType::User)];
pub(crate) const SELF_COLLIDE: Map<FlexSelf, 5> = [
    ("none", FlexSelf::None),
    ("narrow", FlexSelf::Narrow),
    ("bvh", FlexSelf::Bvh),
    ("sap", FlexSelf::Sap),
    ("auto", FlexSelf::Auto),
];
pub(crate) const ELASTIC_2D: Map<Elastic2d, 4> =
    [("none", Elastic2d::None), ("bend", Elastic2d::Bend), ("stretch", Elastic2d::Stretch), ("both", Elastic2d::Both)];
pub(crate) const STAGE: Map<Stage, 4> =
    [("none", Stage::None), ("pos", Stage::Pos), ("vel", Stage::Vel), ("acc", Stage::Acc)];
pub(crate) const DATA_TYPE: Map<DataType, 4> = [
    ("real", DataType::Real),
    ("positive", DataType::Positive),
    ("axis", DataType::Axis),
    ("quaternion", DataType::Quaternion),
];
/// How a contact sensor chooses, with MuJoCo's numbers.
pub(crate) const REDUCE: Map<i32, 4> = [("none", 0), ("mindist", 1), ("maxforce", 2), ("netforce", 3)];
/// What a ray can deliver, in the order of its bits.
pub(crate) const RAY_DATA: [&str; 6] = ["dist", "dir", "origin", "point", "normal", "depth"];
/// What a contact can deliver, in the order of its bits.
pub(crate) const CONTACT_DATA: [&str; 7] = ["found", "force", "torque", "dist", "pos", "normal", "tangent"];
/// Images a camera can deliver, with their bits.
pub(crate) const CAMERA_OUTPUT: Map<i32, 5> =
    [("rgb", 1), ("depth", 2), ("distance", 4), ("normal", 8), ("segmentation", 16)];
/// Roles of a texture in a material, with their index in the list of textures.
pub(crate) const TEXTURE_ROLE: Map<usize, 9> = [
    ("rgb", 1),
    ("occlusion", 2),
    ("roughness", 3),
    ("metallic", 4),
    ("normal", 5),
    ("opacity", 6),
    ("emissive", 7),
    ("rgba", 8),
    ("orm", 9),
];
