//! A model made of nothing but MuJoCo's numbers: stages are tested without the compiler.

use std::error::Error;

use sim_core::{Assets, Model};
use sim_types::{DisableFlags, EnableFlags, Integrator, Item, Jacobian, Vec3};

use crate::Golden;

/// MuJoCo's own model, energy switched on as for the goldens.
pub fn mujoco_model(golden: &Golden) -> Result<Model, Box<dyn Error>> {
    let mut m = Model { modelname: golden.name.clone(), ..Model::default() };
    sizes(&mut m, golden)?;
    arrays(&mut m, golden)?;
    path_arrays(&mut m, golden)?;
    assets(&mut m, golden)?;
    flexes(&mut m, golden)?;
    options(&mut m, golden)?;

    // patterns that MuJoCo does not keep in the model
    let mut derived = m.clone();
    sim_core::set_const(&mut derived)?;
    (m.nJten, m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind) =
        (derived.nJten, derived.ten_J_rownnz, derived.ten_J_rowadr, derived.ten_J_colind);
    (m.nJmom, m.moment_rownnz, m.moment_rowadr, m.moment_colind) =
        (derived.nJmom, derived.moment_rownnz, derived.moment_rowadr, derived.moment_colind);
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

/// Tendons, actuators and sensors, of the models that have them.
fn path_arrays(m: &mut Model, golden: &Golden) -> Result<(), Box<dyn Error>> {
    fill!(m, golden, size_or_zero:
        ntendon nwrap nsensor nsensordata nhistory nuser_tendon nuser_actuator nuser_sensor
    );
    fill!(m, golden, items_or_none:
        tendon_adr tendon_num tendon_matid tendon_group tendon_treenum tendon_treeid tendon_limited
        tendon_actfrclimited tendon_width tendon_solref_lim tendon_solimp_lim tendon_solref_fri tendon_solimp_fri
        tendon_range tendon_actfrcrange tendon_margin tendon_stiffness tendon_damping tendon_armature
        tendon_frictionloss tendon_lengthspring tendon_length0 tendon_invweight0 tendon_user tendon_rgba wrap_type
        wrap_objid wrap_prm actuator_trntype actuator_dyntype actuator_gaintype actuator_biastype actuator_trnid
        actuator_actadr actuator_actnum actuator_group actuator_history actuator_historyadr actuator_delay
        actuator_ctrllimited actuator_forcelimited actuator_actlimited actuator_dynprm actuator_gainprm
        actuator_biasprm actuator_actearly actuator_ctrlrange actuator_forcerange actuator_actrange actuator_gear
        actuator_cranklength actuator_acc0 actuator_length0 actuator_lengthrange actuator_user actuator_plugin
        sensor_type sensor_datatype sensor_needstage sensor_objtype sensor_objid sensor_reftype sensor_refid
        sensor_intprm sensor_dim sensor_adr sensor_cutoff sensor_noise sensor_history sensor_historyadr sensor_delay
        sensor_interval sensor_user sensor_plugin key_act key_ctrl
    );
    m.ten_J_rownnz = vec![0; m.ntendon];
    m.ten_J_rowadr = vec![0; m.ntendon];
    m.moment_rownnz = vec![0; m.nu];
    m.moment_rowadr = vec![0; m.nu];
    Ok(())
}

/// Meshes, height fields, textures and materials, of the models that have them.
fn assets(m: &mut Model, golden: &Golden) -> Result<(), Box<dyn Error>> {
    fill!(m, golden, size_or_zero: nmat);
    fill!(m, golden, items_or_none:
        mat_texid mat_texuniform mat_texrepeat mat_emission mat_specular mat_shininess mat_reflectance mat_metallic
        mat_roughness mat_rgba
    );
    let mut a = Assets::default();
    fill!(a, golden, size_or_zero:
        nmesh nmeshvert nmeshnormal nmeshtexcoord nmeshface nmeshgraph nmeshpoly nmeshpolyvert nmeshpolymap nhfield
        nhfielddata ntex ntexdata
    );
    fill!(a, golden, items_or_none:
        mesh_vertadr mesh_vertnum mesh_faceadr mesh_facenum mesh_bvhadr mesh_bvhnum mesh_octadr mesh_octnum
        mesh_normaladr mesh_normalnum mesh_texcoordadr mesh_texcoordnum mesh_graphadr mesh_scale mesh_pos mesh_quat
        mesh_pathadr mesh_polynum mesh_polyadr mesh_vert mesh_polymapadr mesh_polymapnum mesh_normal mesh_texcoord
        mesh_face mesh_facenormal mesh_facetexcoord mesh_graph mesh_polynormal mesh_polyvertadr mesh_polyvertnum
        mesh_polyvert mesh_polymap hfield_size hfield_nrow hfield_ncol hfield_adr hfield_pathadr hfield_data tex_type
        tex_colorspace tex_height tex_width tex_nchannel tex_adr tex_pathadr tex_data paths
    );
    a.npaths = a.paths.len();
    m.assets = a.into();
    Ok(())
}

/// Deformables and the equality constraints that hold them, of the models that have them.
fn flexes(m: &mut Model, golden: &Golden) -> Result<(), Box<dyn Error>> {
    fill!(m, golden, size_or_zero:
        nflex nflexnode nflexvert nflexedge nflexelem nflexelemdata nflexelemedge nflexshelldata nflexevpair nJfe nJfv
        neq nemax
    );
    fill!(m, golden, items_or_none:
        flex_contype flex_conaffinity flex_condim flex_priority flex_solmix flex_solref flex_solimp flex_friction
        flex_margin flex_gap flex_internal flex_selfcollide flex_activelayers flex_passive flex_dim flex_matid
        flex_group flex_interp flex_nodeadr flex_nodenum flex_vertadr flex_vertnum flex_edgeadr flex_edgenum
        flex_elemadr flex_elemnum flex_elemdataadr flex_elemedgeadr flex_shellnum flex_shelldataadr flex_evpairadr
        flex_evpairnum flex_texcoordadr flex_radius flex_size flex_damping flex_edgestiffness flex_edgedamping
        flex_edgeequality flex_rigid flex_centered flex_flatskin flex_bvhadr flex_bvhnum flex_rgba flex_nodebodyid
        flex_node flex_node0 flex_vertbodyid flex_vertedgeadr flex_vertedgenum flex_vert flex_vert0 flex_vertmetric
        flexvert_J_rownnz flexvert_J_rowadr flex_vertedge flex_edge flex_edgeflap flexedge_length0
        flexedge_invweight0 flex_bending flexedge_rigid flexedge_J_rownnz flexedge_J_rowadr flex_elemlayer
        flex_stiffness flex_elem flex_elemtexcoord flex_elemedge flex_shell flex_evpair flexedge_J_colind
        flexvert_J_colind eq_type eq_obj1id eq_obj2id eq_objtype eq_active0 eq_solref eq_solimp eq_data
    );
    let a = std::sync::Arc::make_mut(&mut m.assets);
    fill!(a, golden, size_or_zero:
        nflextexcoord nskin nskinvert nskintexvert nskinface nskinbone nskinbonevert
    );
    fill!(a, golden, items_or_none:
        flex_texcoord skin_matid skin_group skin_rgba skin_inflate skin_vertadr skin_vertnum skin_texcoordadr
        skin_faceadr skin_facenum skin_boneadr skin_bonenum skin_pathadr skin_vert skin_texcoord skin_face
        skin_bonevertadr skin_bonevertnum skin_bonebindpos skin_bonebindquat skin_bonebodyid skin_bonevertid
        skin_bonevertweight
    );
    Ok(())
}

/// The options that the stages read.
fn options(m: &mut Model, golden: &Golden) -> Result<(), Box<dyn Error>> {
    m.opt.timestep = number(golden, "opt.timestep")?;
    m.opt.wind = items::<Vec3>(golden, "opt.wind")?.swap_remove(0);
    m.opt.magnetic = items::<Vec3>(golden, "opt.magnetic")?.swap_remove(0);
    m.opt.density = number(golden, "opt.density")?;
    m.opt.viscosity = number(golden, "opt.viscosity")?;
    m.opt.disableactuator = number(golden, "opt.disableactuator")? as u32;
    m.opt.jacobian = Jacobian::from_number(number(golden, "opt.jacobian")? as i32).unwrap_or_default();
    m.opt.integrator = Integrator::from_number(number(golden, "opt.integrator")? as i32).unwrap_or_default();
    m.opt.gravity = items::<Vec3>(golden, "opt.gravity")?.swap_remove(0);
    m.opt.disableflags = DisableFlags::from_bits_retain(number(golden, "opt.disableflags")? as u32);
    m.opt.enableflags = EnableFlags::from_bits_retain(number(golden, "opt.enableflags")? as u32) | EnableFlags::ENERGY;
    Ok(())
}

fn size_or_zero(golden: &Golden, field: &str) -> Result<usize, Box<dyn Error>> {
    if golden.section("model").contains_key(field) { size(golden, field) } else { Ok(0) }
}

fn items_or_none<T: Item>(golden: &Golden, field: &str) -> Result<Vec<T>, Box<dyn Error>> {
    if golden.section("model").contains_key(field) { items(golden, field) } else { Ok(Vec::new()) }
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
