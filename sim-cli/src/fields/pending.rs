//! Fields of MuJoCo's that this version does not compute for every model.

use sim_core::support::MissingStage::{self, Flex, Sensor};

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

/// Fields of contacts and constraint rows; deformables would add to them.
pub(super) static CONTACT_FIELDS: &[&str] = &[
    "ncon",
    "contact.geom",
    "contact.geom1",
    "contact.geom2",
    "contact.flex",
    "contact.elem",
    "contact.vert",
    "contact.dist",
    "contact.pos",
    "contact.frame",
    "contact.dim",
    "contact.friction",
    "contact.solref",
    "contact.solreffriction",
    "contact.solimp",
    "contact.mu",
    "contact.exclude",
    "contact.includemargin",
    "contact.efc_address",
    "ne",
    "nf",
    "nl",
    "nefc",
    "nisland",
    "nidof",
    "efc_type",
    "efc_id",
    "efc_J",
    "efc_J_rownnz",
    "efc_J_rowadr",
    "efc_J_colind",
    "efc_pos",
    "efc_margin",
    "efc_frictionloss",
    "efc_diagApprox",
    "efc_KBIP",
    "efc_D",
    "efc_R",
    "efc_vel",
    "efc_aref",
    "efc_b",
    "efc_state",
    "efc_force",
    "efc_island",
    "qfrc_constraint",
];

/// Fields whose stage may be missing.
pub(super) static PENDING: &[Pending] = &[
    // sensors, deformables
    pending("sensordata", &[Sensor], &[Size("nsensordata")]),
    pending("flexvert_xpos", &[Flex], &[Size("nflexvert"), Fixed(3)]),
    pending("flexedge_length", &[Flex], &[Size("nflexedge")]),
    pending("flexedge_velocity", &[Flex], &[Size("nflexedge")]),
    pending("flexelem_aabb", &[Flex], &[Size("nflexelem"), Fixed(6)]),
];

/// Data fields of MuJoCo's that are always left out: storage details.
pub(super) static NOT_STORED_DATA: &str = "
    contact.H nA nJ bvh_aabb_dyn bvh_active efc_AR efc_AR_colind efc_AR_rowadr efc_AR_rownnz efc_J_rowsuper flexedge_J flexvert_J
    flexvert_length flg_energypos flg_energyvel flg_rnepost flg_subtreevel iLD iLDiagInv iM iM_colind iM_rowadr
    iM_rownnz iacc iacc_smooth iefc_D iefc_J iefc_J_colind iefc_J_rowadr iefc_J_rownnz iefc_J_rowsuper iefc_R
    iefc_aref iefc_force iefc_frictionloss iefc_id iefc_state iefc_type ifrc_constraint ifrc_smooth maxuse_arena
    maxuse_con maxuse_efc maxuse_stack maxuse_threadstack moment_colind moment_rowadr moment_rownnz narena
    nbody_awake nbuffer nparent_awake nplugin ntree_awake nv_awake parena pbase plugin plugin_data plugin_state
    pstack qM signature solver_niter solver_nnz ten_J_colind ten_J_rowadr
    ten_J_rownnz threadpool";

/// Model fields of MuJoCo's that are always left out: names, and what is not built yet.
pub(super) static NOT_STORED_MODEL: &str = "
    name_actuatoradr name_bodyadr name_camadr name_eqadr name_excludeadr name_flexadr name_geomadr name_hfieldadr
    name_jntadr name_keyadr name_lightadr name_matadr name_meshadr name_numericadr name_pairadr name_pluginadr
    name_sensoradr name_siteadr name_skinadr name_tendonadr name_texadr name_textadr name_tupleadr names names_map
    narena nbuffer nnames nnames_map nplugin npluginattr npluginstate plugin plugin_attr plugin_attradr
    plugin_stateadr plugin_statenum signature";
