//! The body tree of a model.

use super::{WriteError, limited, name, reference, user};
use crate::spec::{Body, Camera, Geom, Inertial, Joint, Light, Site, Spec};
use sim_core::Model;
use sim_types::{GeomType, JointType, ObjType, OptId, Quat, SleepPolicy, Vec3};

pub(super) fn fill(spec: &mut Spec, m: &Model) -> Result<(), WriteError> {
    spec.bodies = (0..m.nbody).map(|i| body(m, i)).collect();
    for tree in 0..m.ntree {
        let policy = m.tree_sleep_policy[tree];
        let given = matches!(policy, SleepPolicy::Never | SleepPolicy::Allowed | SleepPolicy::Init);
        let first = m.dof_bodyid.get(m.tree_dofadr[tree] as usize).and_then(|b| spec.bodies.get_mut(*b as usize));
        if let Some(body) = first.filter(|_| given) {
            body.sleep = policy;
        }
    }
    spec.joints = (0..m.njnt).map(|i| joint(m, i)).collect();
    spec.geoms = (0..m.ngeom).map(|i| geom(m, i)).collect::<Result<_, _>>()?;
    spec.sites = (0..m.nsite).map(|i| site(m, i)).collect::<Result<_, _>>()?;
    spec.cameras = (0..m.ncam).map(|i| camera(m, i)).collect::<Result<_, _>>()?;
    spec.lights = (0..m.nlight).map(|i| light(m, i)).collect::<Result<_, _>>()?;
    Ok(())
}

fn body(m: &Model, i: usize) -> Body {
    if i == Spec::WORLD {
        return Body { name: name(m, ObjType::Body, i), user: user(&m.body_user, i, m.nuser_body), ..Body::default() };
    }
    let inertial = Inertial {
        pos: m.body_ipos[i],
        quat: m.body_iquat[i],
        mass: m.body_mass[i],
        diaginertia: possible(m.body_inertia[i]),
        ..Inertial::default()
    };
    Body {
        name: name(m, ObjType::Body, i),
        parent: m.body_parentid[i] as usize,
        pos: m.body_pos[i],
        quat: m.body_quat[i],
        inertial: Some(inertial),
        mocap: m.body_mocapid[i].get().is_some(),
        gravcomp: m.body_gravcomp[i],
        user: user(&m.body_user, i, m.nuser_body),
        ..Body::default()
    }
}

/// Moments that the compiler accepts. Scaling and merging of bodies comes after its check, and rounding may leave the
/// largest moment a hair above the sum of the other two.
fn possible(mut moments: Vec3) -> Vec3 {
    let largest = moments.imax();
    let sum: f64 = moments.iter().enumerate().filter(|(i, _)| *i != largest).map(|(_, x)| x).sum();
    if sum < moments[largest] && moments[largest] < sum * (1.0 + 1e-12) {
        moments[largest] = sum;
    }
    moments
}

fn joint(m: &Model, i: usize) -> Joint {
    let (kind, qpos, dof) = (m.jnt_type[i], m.jnt_qposadr[i] as usize, m.jnt_dofadr[i] as usize);
    let is_scalar = matches!(kind, JointType::Slide | JointType::Hinge);
    Joint {
        name: name(m, ObjType::Joint, i),
        body: m.jnt_bodyid[i] as usize,
        r#type: kind,
        pos: m.jnt_pos[i],
        axis: m.jnt_axis[i],
        r#ref: if is_scalar { m.qpos0[qpos] } else { 0.0 },
        stiffness: m.jnt_stiffness[i],
        springref: if is_scalar { m.qpos_spring[qpos] } else { 0.0 },
        limited: limited(m.jnt_limited[i], m.jnt_range[i]),
        range: m.jnt_range[i],
        margin: m.jnt_margin[i],
        solref_limit: m.jnt_solref[i],
        solimp_limit: m.jnt_solimp[i],
        actfrclimited: limited(m.jnt_actfrclimited[i], m.jnt_actfrcrange[i]),
        actfrcrange: m.jnt_actfrcrange[i],
        armature: m.dof_armature[dof],
        damping: m.dof_damping[dof],
        frictionloss: m.dof_frictionloss[dof],
        solref_friction: m.dof_solref[dof],
        solimp_friction: m.dof_solimp[dof],
        group: m.jnt_group[i],
        actgravcomp: m.jnt_actgravcomp[i],
        user: user(&m.jnt_user, i, m.nuser_jnt),
        ..Joint::default()
    }
}

fn geom(m: &Model, i: usize) -> Result<Geom, WriteError> {
    let fluid = m.geom_fluid[i];
    let base = Geom::default();
    let is_ellipsoid = fluid[0] > 0.0;
    let coefs = [fluid[1], fluid[2], fluid[3], fluid[4], fluid[5]];
    let (mut pose, mut mesh, mut hfield) = ((m.geom_pos[i], m.geom_quat[i]), String::new(), String::new());
    if m.geom_type[i] == GeomType::Sdf && m.assets.sdf_of(i).is_some() {
        let named = m.names.name(ObjType::Geom, i).map_or_else(|| format!("{i}"), |name| format!("'{name}'"));
        return Err(WriteError::NotInMjcf { what: format!("the distance field on a grid of geom {named}") });
    }
    match (m.geom_type[i], m.geom_dataid[i].get()) {
        (GeomType::Mesh | GeomType::Sdf, Some(id)) => {
            mesh = reference(m, ObjType::Mesh, id, "a geom")?;
            pose = without_mesh_frame(m, id, Vec3::zeros(), pose);
        }
        (GeomType::Hfield, Some(id)) => hfield = reference(m, ObjType::Hfield, id, "a geom")?,
        // a primitive that was fitted to a mesh is written as it is, unless the spec says how it was fitted
        _ => {}
    }
    let has_size = mesh.is_empty() && hfield.is_empty();
    Ok(Geom {
        name: name(m, ObjType::Geom, i),
        body: m.geom_bodyid[i] as usize,
        r#type: m.geom_type[i],
        pos: pose.0,
        quat: pose.1,
        mesh,
        hfield,
        size: if has_size { m.geom_size[i].into() } else { base.size },
        contype: m.geom_contype[i],
        conaffinity: m.geom_conaffinity[i],
        condim: m.geom_condim[i] as i32,
        priority: m.geom_priority[i],
        friction: m.geom_friction[i].into(),
        solmix: m.geom_solmix[i],
        solref: m.geom_solref[i],
        solimp: m.geom_solimp[i],
        margin: m.geom_margin[i],
        gap: m.geom_gap[i],
        fluid_ellipsoid: is_ellipsoid,
        fluid_coefs: if is_ellipsoid { coefs } else { base.fluid_coefs },
        material: optional(m, ObjType::Material, m.geom_matid[i], "a geom")?,
        rgba: m.geom_rgba[i],
        group: m.geom_group[i],
        user: user(&m.geom_user, i, m.nuser_geom),
        ..base
    })
}

/// Pose of a mesh geom as written: the compiler adds the pose of the mesh's inertia frame, and the centre of the shape in
/// it.
pub(super) fn without_mesh_frame(m: &Model, mesh: usize, centre: Vec3, (pos, quat): (Vec3, Quat)) -> (Vec3, Quat) {
    let (Some(mesh_pos), Some(mesh_quat)) = (m.assets.mesh_pos.get(mesh), m.assets.mesh_quat.get(mesh)) else {
        return (pos, quat);
    };
    let quat = (quat * mesh_quat.conj()).normalized();
    (pos - quat.rotate(&(mesh_quat.rotate(&centre) + mesh_pos)), quat)
}

fn site(m: &Model, i: usize) -> Result<Site, WriteError> {
    Ok(Site {
        name: name(m, ObjType::Site, i),
        body: m.site_bodyid[i] as usize,
        r#type: m.site_type[i],
        pos: m.site_pos[i],
        quat: m.site_quat[i],
        size: m.site_size[i].into(),
        material: optional(m, ObjType::Material, m.site_matid[i], "a site")?,
        rgba: m.site_rgba[i],
        group: m.site_group[i],
        user: user(&m.site_user, i, m.nuser_site),
        ..Site::default()
    })
}

fn camera(m: &Model, i: usize) -> Result<Camera, WriteError> {
    let base = Camera::default();
    let sensor = m.cam_sensorsize[i];
    let has_sensor = sensor.iter().all(|x| *x > 0.0);
    let [fx, fy, cx, cy] = if has_sensor { m.cam_intrinsic[i] } else { [0.0; 4] };
    Ok(Camera {
        name: name(m, ObjType::Camera, i),
        body: m.cam_bodyid[i] as usize,
        mode: m.cam_mode[i],
        target: optional(m, ObjType::Body, m.cam_targetbodyid[i], "a camera")?,
        pos: m.cam_pos[i],
        quat: m.cam_quat[i],
        projection: m.cam_projection[i],
        resolution: m.cam_resolution[i],
        output: m.cam_output[i],
        fovy: if has_sensor { base.fovy } else { m.cam_fovy[i] },
        ipd: m.cam_ipd[i],
        sensor_size: sensor,
        focal_length: [fx, fy],
        principal_length: [cx, cy],
        user: user(&m.cam_user, i, m.nuser_cam),
        ..base
    })
}

fn light(m: &Model, i: usize) -> Result<Light, WriteError> {
    Ok(Light {
        name: name(m, ObjType::Light, i),
        body: m.light_bodyid[i] as usize,
        mode: m.light_mode[i],
        target: optional(m, ObjType::Body, m.light_targetbodyid[i], "a light")?,
        pos: m.light_pos[i],
        dir: m.light_dir[i],
        active: m.light_active[i],
        r#type: m.light_type[i],
        castshadow: m.light_castshadow[i],
        bulbradius: m.light_bulbradius[i],
        intensity: m.light_intensity[i],
        range: m.light_range[i],
        attenuation: m.light_attenuation[i],
        cutoff: m.light_cutoff[i],
        exponent: m.light_exponent[i],
        ambient: m.light_ambient[i],
        diffuse: m.light_diffuse[i],
        specular: m.light_specular[i],
        ..Light::default()
    })
}

/// Name of an object that may be absent.
pub(super) fn optional(m: &Model, kind: ObjType, id: OptId, user: &str) -> Result<String, WriteError> {
    id.get().map_or_else(|| Ok(String::new()), |id| reference(m, kind, id, user))
}
