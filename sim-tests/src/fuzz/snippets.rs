//! Elements that ask for much in few words, put where they are allowed. `#` becomes a number.

/// Parent and text of each.
pub(super) const SNIPPETS: [(&str, &str); 58] = [
    ("mujoco", "<size nkey='#' nuserdata='#' nuser_body='#' nuser_geom='#'/>"),
    ("mujoco", "<size memory='#' njmax='#' nconmax='#' nstack='#'/>"),
    (
        "mujoco",
        "<size nuser_jnt='#' nuser_site='#' nuser_cam='#' nuser_tendon='#' nuser_actuator='#' nuser_sensor='#'/>",
    ),
    (
        "mujoco",
        "<option timestep='#' iterations='#' tolerance='#' ls_iterations='#' noslip_iterations='#' ccd_iterations='#'/>",
    ),
    ("mujoco", "<option integrator='RK4' cone='elliptic' jacobian='sparse' solver='PGS' noslip_iterations='#'/>"),
    ("mujoco", "<option integrator='implicit'><flag energy='enable' sleep='enable' multiccd='enable'/></option>"),
    ("mujoco", "<option sdf_iterations='#' sdf_initpoints='#' impratio='#' density='#' viscosity='#' wind='# # #'/>"),
    ("mujoco", "<compiler settotalmass='#' boundmass='#' boundinertia='#' inertiafromgeom='true'/>"),
    ("mujoco", "<compiler fusestatic='true' discardvisual='true' balanceinertia='true' alignfree='true'/>"),
    ("mujoco", "<compiler eulerseq='zyx' angle='radian' inertiagrouprange='# #' fitaabb='true'/>"),
    ("mujoco", "<statistic extent='#' meansize='#' meanmass='#' center='# # #'/>"),
    ("mujoco", "<keyframe><key time='#' qpos='# # #' qvel='#' ctrl='#' mpos='#'/></keyframe>"),
    ("mujoco", "<custom><numeric name='fz' size='#' data='1'/><text name='fz' data='#'/></custom>"),
    ("mujoco", "<asset><texture name='fz' builtin='checker' width='#' height='#'/></asset>"),
    (
        "mujoco",
        "<asset><texture name='fz' type='cube' builtin='gradient' width='#' height='#' nchannel='#' random='#' mark='random'/></asset>",
    ),
    (
        "mujoco",
        "<asset><texture name='fz' type='skybox' builtin='flat' width='#' gridsize='# #' gridlayout='.U..LFRB.D..'/></asset>",
    ),
    ("mujoco", "<asset><hfield name='fz' nrow='#' ncol='#' size='# # # #'/></asset>"),
    ("mujoco", "<asset><hfield name='fz' nrow='2' ncol='2' size='1 1 1 1' elevation='# # # #'/></asset>"),
    ("mujoco", "<asset><mesh name='fz' builtin='sphere' params='#'/></asset>"),
    ("mujoco", "<asset><mesh name='fz' builtin='supersphere' params='# # #'/></asset>"),
    ("mujoco", "<asset><mesh name='fz' builtin='supertorus' params='# # # #'/></asset>"),
    ("mujoco", "<asset><mesh name='fz' builtin='cone' params='# #'/></asset>"),
    ("mujoco", "<asset><mesh name='fz' builtin='wedge' params='# # # # #'/></asset>"),
    ("mujoco", "<asset><mesh name='fz' builtin='plate' params='# #'/></asset>"),
    (
        "mujoco",
        "<asset><mesh name='fz' vertex='0 0 0 1 0 0 0 1 0 0 0 1 # # #' maxhullvert='#' inertia='exact'/></asset>",
    ),
    (
        "mujoco",
        "<asset><mesh name='fz' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 # 0 2 3' scale='# # #' inertia='shell'/></asset>",
    ),
    ("mujoco", "<asset><material name='fz' texture='fz' texrepeat='# #'/></asset>"),
    ("mujoco", "<deformable><skin name='fz' vertex='0 0 0 1 0 0 0 1 #' face='0 1 #' inflate='#'/></deformable>"),
    (
        "mujoco",
        "<deformable><flex name='fz' dim='2' body='world' vertex='0 0 0 1 0 0 0 1 #' element='0 1 #' radius='#'/></deformable>",
    ),
    ("mujoco", "<contact><exclude body1='world' body2='world'/></contact>"),
    ("mujoco", "<visual><global offwidth='#' offheight='#'/><quality shadowsize='#' numslices='#'/></visual>"),
    (
        "worldbody",
        "<replicate count='#' offset='# # #' euler='# # #'><body><freejoint/><geom size='.1'/></body></replicate>",
    ),
    (
        "worldbody",
        "<replicate count='#'><replicate count='#'><replicate count='#'><site/></replicate></replicate></replicate>",
    ),
    ("worldbody", "<flexcomp name='fz' type='grid' count='# # #' spacing='.1 .1 .1' dim='3' radius='.01' mass='#'/>"),
    (
        "worldbody",
        "<flexcomp name='fz' type='box' count='# # #' spacing='.1 .1 .1' dim='3' dof='trilinear'><elasticity young='#' poisson='#'/></flexcomp>",
    ),
    (
        "worldbody",
        "<flexcomp name='fz' type='ellipsoid' count='4 4 4' spacing='# .1 .1' dim='3'><edge equality='true'/></flexcomp>",
    ),
    (
        "worldbody",
        "<flexcomp name='fz' type='direct' dim='2' point='0 0 0 1 0 0 0 1 #' element='0 1 #'><pin id='#'/></flexcomp>",
    ),
    ("worldbody", "<flexcomp name='fz' type='circle' count='# 1 1' spacing='.1 .1 .1' dim='1'/>"),
    (
        "worldbody",
        "<composite prefix='fz' type='cable' count='# 1 1' curve='s 0 0' size='#'><joint kind='main' damping='#'/><geom type='capsule' size='.01'/></composite>",
    ),
    ("worldbody", "<geom type='mesh' mesh='fz' mass='#'/>"),
    ("worldbody", "<geom type='box' mesh='fz'/>"),
    ("worldbody", "<geom type='hfield' hfield='fz'/>"),
    ("worldbody", "<body name='fz' pos='# # #'><freejoint/><geom type='mesh' mesh='fz'/></body>"),
    (
        "worldbody",
        "<body name='fz'><joint name='fz' type='ball' stiffness='#' damping='#' armature='#'/><geom name='fz' size='#' density='#'/></body>",
    ),
    (
        "worldbody",
        "<body name='fz' gravcomp='#'><joint name='fz' range='# #' ref='#' springref='#'/><inertial pos='# 0 0' mass='#' diaginertia='# # #'/></body>",
    ),
    (
        "worldbody",
        "<body name='fz' mocap='true' pos='# # #' quat='# # # #'><site name='fz' size='#'/><camera name='fz' fovy='#' resolution='# #'/></body>",
    ),
    (
        "worldbody",
        "<body name='fz'><joint type='slide' axis='# # #'/><geom type='ellipsoid' size='# # #' fluidshape='ellipsoid' fluidcoef='# # # # #'/></body>",
    ),
    ("worldbody", "<attach model='fz' body='fz' prefix='fz'/>"),
    ("mujoco", "<asset><model name='fz' file='fz.xml'/></asset>"),
    (
        "mujoco",
        "<actuator><general joint='fz' dyntype='integrator' gainprm='# # #' biasprm='# # #' delay='#' nsample='#' interp='cubic'/></actuator>",
    ),
    ("mujoco", "<actuator><position joint='fz' kp='#' dampratio='#' timeconst='#'/></actuator>"),
    (
        "mujoco",
        "<actuator><muscle joint='fz' lengthrange='# #' range='# #' force='#' timeconst='# #' tausmooth='#'/></actuator>",
    ),
    (
        "mujoco",
        "<actuator><damper joint='fz' kv='#' ctrlrange='0 #'/><cylinder joint='fz' timeconst='#' area='#' bias='# # #'/></actuator>",
    ),
    (
        "mujoco",
        "<sensor><jointpos joint='fz' delay='#' nsample='#' interval='# #' cutoff='#' noise='#'/><user dim='#'/></sensor>",
    ),
    (
        "mujoco",
        "<sensor><rangefinder site='fz'/><contact geom1='fz' num='#' reduce='netforce' data='force torque'/></sensor>",
    ),
    (
        "mujoco",
        "<tendon><spatial name='fz' stiffness='#' armature='#' springlength='# #'><site site='fz'/><geom geom='fz'/><site site='fz'/><pulley divisor='#'/><site site='fz'/></spatial></tendon>",
    ),
    ("mujoco", "<tendon><fixed name='fz' range='# #' frictionloss='#'><joint joint='fz' coef='#'/></fixed></tendon>"),
    (
        "mujoco",
        "<equality><weld body1='fz' relpose='# # # # # # #' torquescale='#'/><joint joint1='fz' polycoef='# # # # #' solref='# #' solimp='# # # # #'/></equality>",
    ),
];
