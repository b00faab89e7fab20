//! A model made of nothing but MuJoCo's numbers: stages are tested without the compiler.

use std::error::Error;

use sim_core::Model;
use sim_types::{DisableFlags, EnableFlags, Item, Vec3};

use crate::Golden;

/// MuJoCo's own model, energy switched on as for the goldens.
pub fn mujoco_model(golden: &Golden) -> Result<Model, Box<dyn Error>> {
    let mut m = Model { modelname: golden.name.clone(), ..Model::default() };
    sizes(&mut m, golden)?;
    arrays(&mut m, golden)?;
    options(&mut m, golden)?;
    m.check()?;
    Ok(m)
}

/// Fields by their names in the golden.
macro_rules! fill {
    ($m:ident, $golden:ident, $read:ident: $($field:ident)*) => {
        $( $m.$field = $read($golden, stringify!($field))?; )*
    };
}

fn sizes(m: &mut Model, golden: &Golden) -> Result<(), Box<dyn Error>> {
    fill!(m, golden, size:
        nq nv nu na nbody nbvh nbvhstatic nbvhdynamic njnt ntree nM nB nC nD ngeom nsite ncam nlight nnumeric
        nnumericdata ntext ntextdata ntuple ntupledata nkey nmocap nuser_body nuser_jnt nuser_geom nuser_site
        nuser_cam ngravcomp nuserdata
    );
    Ok(())
}

fn arrays(m: &mut Model, golden: &Golden) -> Result<(), Box<dyn Error>> {
    fill!(m, golden, items:
        qpos0 qpos_spring body_parentid body_rootid body_weldid body_mocapid body_jntnum body_jntadr body_dofnum
        body_dofadr body_treeid body_geomnum body_geomadr body_simple body_sameframe body_pos body_quat
        body_ipos body_iquat body_mass body_subtreemass body_inertia body_invweight0 body_gravcomp body_margin
        body_user body_plugin body_contype body_conaffinity body_bvhadr body_bvhnum bvh_depth bvh_child
        bvh_nodeid bvh_aabb jnt_type jnt_qposadr jnt_dofadr jnt_bodyid jnt_group jnt_limited jnt_actfrclimited
        jnt_actgravcomp jnt_solref jnt_solimp jnt_pos jnt_axis jnt_stiffness jnt_range jnt_actfrcrange
        jnt_margin jnt_user dof_bodyid dof_jntid dof_parentid dof_treeid dof_Madr dof_simplenum dof_solref
        dof_solimp dof_frictionloss dof_armature dof_damping dof_invweight0 dof_M0 dof_length tree_bodyadr
        tree_bodynum tree_dofadr tree_dofnum tree_sleep_policy geom_type geom_contype geom_conaffinity
        geom_condim geom_bodyid geom_dataid geom_matid geom_group geom_priority geom_plugin geom_sameframe
        geom_solmix geom_solref geom_solimp geom_size geom_aabb geom_rbound geom_pos geom_quat geom_friction
        geom_margin geom_gap geom_fluid geom_user geom_rgba site_type site_bodyid site_matid site_group
        site_sameframe site_size site_pos site_quat site_user site_rgba cam_mode cam_bodyid cam_targetbodyid
        cam_pos cam_quat cam_poscom0 cam_pos0 cam_mat0 cam_projection cam_fovy cam_ipd cam_resolution cam_output
        cam_sensorsize cam_intrinsic cam_user light_mode light_bodyid light_targetbodyid light_type light_texid
        light_castshadow light_bulbradius light_intensity light_range light_active light_pos light_dir
        light_poscom0 light_pos0 light_dir0 light_attenuation light_cutoff light_exponent light_ambient
        light_diffuse light_specular numeric_adr numeric_size numeric_data text_adr text_size text_data
        tuple_adr tuple_size tuple_objtype tuple_objid tuple_objprm key_time key_qpos key_qvel key_mpos
        key_mquat M_rownnz M_rowadr D_rownnz D_rowadr D_diag M_colind mapM2M mapD2M D_colind mapM2D B_rownnz
        B_rowadr B_colind
    );
    Ok(())
}

/// The options that the stages read.
fn options(m: &mut Model, golden: &Golden) -> Result<(), Box<dyn Error>> {
    m.opt.timestep = number(golden, "opt.timestep")?;
    m.opt.gravity = items::<Vec3>(golden, "opt.gravity")?.swap_remove(0);
    m.opt.disableflags = DisableFlags::from_bits_retain(number(golden, "opt.disableflags")? as u32);
    m.opt.enableflags = EnableFlags::from_bits_retain(number(golden, "opt.enableflags")? as u32) | EnableFlags::ENERGY;
    Ok(())
}

fn size(golden: &Golden, field: &str) -> Result<usize, Box<dyn Error>> {
    Ok(number(golden, field)? as usize)
}

fn number(golden: &Golden, field: &str) -> Result<f64, Box<dyn Error>> {
    Ok(*golden.get("model", field).first().ok_or_else(|| format!("{}: missing", golden.label("model", field)))?)
}

fn items<T: Item>(golden: &Golden, field: &str) -> Result<Vec<T>, Box<dyn Error>> {
    let label = || golden.label("model", field);
    let array = golden.section("model").get(field).ok_or_else(|| format!("{}: missing", label()))?;
    let values: Option<Vec<T>> = array.data.chunks(T::width()).map(T::read).collect();
    values.ok_or_else(|| format!("{}: not of the field's type", label()).into())
}
