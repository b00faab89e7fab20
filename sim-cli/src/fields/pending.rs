//! Fields of MuJoCo's that this version does not compute for every model.

use sim_core::support::MissingStage::{self, Collision, Constraint, Flex, Sensor};

/// A field whose stage does not exist yet.
pub(super) struct Pending {
    pub name: &'static str,
    /// It has values when the model needs one of these.
    pub stages: &'static [MissingStage],
    /// Its shape when the stage has nothing to do.
    pub shape: &'static [Dim],
}

/// One dimension of an array.
pub(super) enum Dim {
    Fixed(usize),
    Size(&'static str),
}

use Dim::{Fixed, Size};

const fn pending(name: &'static str, stages: &'static [MissingStage], shape: &'static [Dim]) -> Pending {
    Pending { name, stages, shape }
}

const CONTACTS: &[MissingStage] = &[Collision, Flex];
const ROWS: &[MissingStage] = &[Collision, Constraint, Flex];

/// Scalars have no dimension; rows and contacts number zero when their stage has nothing to do.
pub(super) static PENDING: &[Pending] = &[
    // sensors, deformables
    pending("sensordata", &[Sensor], &[Size("nsensordata")]),
    pending("flexvert_xpos", &[Flex], &[Size("nflexvert"), Fixed(3)]),
    pending("flexedge_length", &[Flex], &[Size("nflexedge")]),
    pending("flexedge_velocity", &[Flex], &[Size("nflexedge")]),
    pending("flexelem_aabb", &[Flex], &[Size("nflexelem"), Fixed(6)]),
    // contacts
    pending("ncon", CONTACTS, &[]),
    pending("contact.geom", CONTACTS, &[Fixed(0), Fixed(2)]),
    pending("contact.geom1", CONTACTS, &[Fixed(0)]),
    pending("contact.geom2", CONTACTS, &[Fixed(0)]),
    pending("contact.flex", CONTACTS, &[Fixed(0), Fixed(2)]),
    pending("contact.elem", CONTACTS, &[Fixed(0), Fixed(2)]),
    pending("contact.vert", CONTACTS, &[Fixed(0), Fixed(2)]),
    pending("contact.dist", CONTACTS, &[Fixed(0)]),
    pending("contact.pos", CONTACTS, &[Fixed(0), Fixed(3)]),
    pending("contact.frame", CONTACTS, &[Fixed(0), Fixed(9)]),
    pending("contact.dim", CONTACTS, &[Fixed(0)]),
    pending("contact.friction", CONTACTS, &[Fixed(0), Fixed(5)]),
    pending("contact.solref", CONTACTS, &[Fixed(0), Fixed(2)]),
    pending("contact.solreffriction", CONTACTS, &[Fixed(0), Fixed(2)]),
    pending("contact.solimp", CONTACTS, &[Fixed(0), Fixed(5)]),
    pending("contact.mu", CONTACTS, &[Fixed(0)]),
    pending("contact.H", CONTACTS, &[Fixed(0), Fixed(36)]),
    pending("contact.exclude", CONTACTS, &[Fixed(0)]),
    pending("contact.includemargin", CONTACTS, &[Fixed(0)]),
    pending("contact.efc_address", CONTACTS, &[Fixed(0)]),
    // constraint rows
    pending("ne", ROWS, &[]),
    pending("nf", ROWS, &[]),
    pending("nl", ROWS, &[]),
    pending("nefc", ROWS, &[]),
    pending("nJ", ROWS, &[]),
    pending("nA", ROWS, &[]),
    pending("nisland", ROWS, &[]),
    pending("nidof", ROWS, &[]),
    pending("efc_type", ROWS, &[Fixed(0)]),
    pending("efc_id", ROWS, &[Fixed(0)]),
    pending("efc_J", ROWS, &[Fixed(0), Size("nv")]),
    pending("efc_pos", ROWS, &[Fixed(0)]),
    pending("efc_margin", ROWS, &[Fixed(0)]),
    pending("efc_frictionloss", ROWS, &[Fixed(0)]),
    pending("efc_diagApprox", ROWS, &[Fixed(0)]),
    pending("efc_KBIP", ROWS, &[Fixed(0), Fixed(4)]),
    pending("efc_D", ROWS, &[Fixed(0)]),
    pending("efc_R", ROWS, &[Fixed(0)]),
    pending("efc_vel", ROWS, &[Fixed(0)]),
    pending("efc_aref", ROWS, &[Fixed(0)]),
    pending("efc_b", ROWS, &[Fixed(0)]),
    pending("efc_state", ROWS, &[Fixed(0)]),
    pending("efc_force", ROWS, &[Fixed(0)]),
    pending("efc_island", ROWS, &[Fixed(0)]),
    pending("qfrc_constraint", ROWS, &[Size("nv")]),
];

/// Data fields of MuJoCo's that are always left out: storage details, islands, sleep, inverse dynamics.
pub(super) static NOT_STORED_DATA: &str = "
    body_awake body_awake_ind bvh_aabb_dyn bvh_active dof_awake_ind dof_island efc_AR efc_AR_colind efc_AR_rowadr
    efc_AR_rownnz efc_J_colind efc_J_rowadr efc_J_rownnz efc_J_rowsuper flexedge_J flexvert_J flexvert_length
    flg_energypos flg_energyvel flg_rnepost flg_subtreevel iLD iLDiagInv iM iM_colind iM_rowadr iM_rownnz iacc
    iacc_smooth iefc_D iefc_J iefc_J_colind iefc_J_rowadr iefc_J_rownnz iefc_J_rowsuper iefc_R iefc_aref iefc_force
    iefc_frictionloss iefc_id iefc_state iefc_type ifrc_constraint ifrc_smooth island_dofadr island_idofadr
    island_iefcadr island_itreeadr island_ne island_nefc island_nf island_ntree island_nv map_dof2idof map_efc2iefc
    map_idof2dof map_iefc2efc map_itree2tree maxuse_arena maxuse_con maxuse_efc maxuse_stack maxuse_threadstack
    moment_colind moment_rowadr moment_rownnz narena nbody_awake nbuffer nparent_awake nplugin ntree_awake nv_awake
    parena parent_awake_ind pbase plugin plugin_data plugin_state pstack qDeriv qLU qM qfrc_inverse signature
    solver_fwdinv solver_niter solver_nnz ten_J_colind ten_J_rowadr ten_J_rownnz tendon_efcadr threadpool tree_asleep
    tree_awake tree_island";

/// Model fields of MuJoCo's that are always left out: appearance, and parts of assets that are not built yet.
pub(super) static NOT_STORED_MODEL: &str = "
    flex_activelayers flex_bvhadr flex_bvhnum flex_centered flex_conaffinity flex_condim flex_contype flex_edge
    flex_edgeadr flex_edgedamping flex_edgeequality flex_edgeflap flex_edgenum flex_elem flex_elemadr flex_elemdataadr
    flex_elemedge flex_elemedgeadr flex_elemlayer flex_elemnum flex_elemtexcoord flex_evpair flex_evpairadr
    flex_evpairnum flex_flatskin flex_friction flex_gap flex_group flex_internal flex_interp flex_margin flex_matid
    flex_node flex_node0 flex_nodeadr flex_nodebodyid flex_nodenum flex_passive flex_priority flex_radius flex_rgba
    flex_rigid flex_selfcollide flex_shell flex_shelldataadr flex_shellnum flex_size flex_solimp flex_solmix
    flex_solref flex_texcoord flex_texcoordadr flex_vert flex_vert0 flex_vertadr flex_vertbodyid flex_vertedge
    flex_vertedgeadr flex_vertedgenum flex_vertmetric flex_vertnum flexedge_J_colind flexedge_J_rowadr
    flexedge_J_rownnz flexedge_rigid flexvert_J_colind flexvert_J_rowadr flexvert_J_rownnz hfield_pathadr mat_emission
    mat_metallic mat_reflectance mat_roughness mat_shininess mat_specular mat_texid mat_texrepeat mat_texuniform
    mesh_octadr mesh_octnum mesh_pathadr nJfe nJfv name_actuatoradr name_bodyadr name_camadr name_eqadr
    name_excludeadr name_flexadr name_geomadr name_hfieldadr name_jntadr name_keyadr name_lightadr name_matadr
    name_meshadr name_numericadr name_pairadr name_pluginadr name_sensoradr name_siteadr name_skinadr name_tendonadr
    name_texadr name_textadr name_tupleadr names names_map narena nbuffer nflexelemdata nflexelemedge nflexevpair
    nflexnode nflexshelldata nflextexcoord nnames nnames_map noct npaths nplugin npluginattr npluginstate nskin
    nskinbone nskinbonevert nskinface nskintexvert nskinvert ntex ntexdata oct_aabb oct_child oct_coeff oct_depth
    paths plugin plugin_attr plugin_attradr plugin_stateadr plugin_statenum signature skin_boneadr skin_bonebindpos
    skin_bonebindquat skin_bonebodyid skin_bonenum skin_bonevertadr skin_bonevertid skin_bonevertnum
    skin_bonevertweight skin_face skin_faceadr skin_facenum skin_group skin_inflate skin_matid skin_pathadr skin_rgba
    skin_texcoord skin_texcoordadr skin_vert skin_vertadr skin_vertnum tex_adr tex_colorspace tex_data tex_height
    tex_nchannel tex_pathadr tex_type tex_width";
