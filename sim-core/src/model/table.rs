//! The arrays of the model.

use std::sync::Arc;

use sim_types::*;

use super::Assets;
use crate::arrays::arrays;
use crate::names::Names;

arrays! {
    /// Static description of a simulated system (`mjModel`): plain data that never changes during a step.
    ///
    /// Share it as `Arc<Model>`. To change masses, gains or frictions edit a copy, and call
    /// [`set_const`](crate::set_const::set_const) where derived constants depend on it.
    pub struct Model sized by m: Model {
        /// Length of `qpos`.
        pub nq: usize,
        /// Number of degrees of freedom, length of `qvel`.
        pub nv: usize,
        /// Number of actuators, length of `ctrl`.
        pub nu: usize,
        /// Number of activation states, length of `act`.
        pub na: usize,
        /// Number of bodies; body 0 is the world.
        pub nbody: usize,
        /// Number of bounding volumes.
        pub nbvh: usize,
        /// Number of bounding volumes fixed in a body.
        pub nbvhstatic: usize,
        /// Number of bounding volumes that deform.
        pub nbvhdynamic: usize,
        /// Number of joints.
        pub njnt: usize,
        /// Number of kinematic trees under the world.
        pub ntree: usize,
        /// Entries of the inertia matrix over whole ancestor chains.
        pub nM: usize,
        /// Entries of the body–dof pattern.
        pub nB: usize,
        /// Entries of the inertia matrix, rows of simple dofs reduced to the diagonal.
        pub nC: usize,
        /// Entries of the dof–dof pattern, ancestors and descendants.
        pub nD: usize,
        /// Number of geoms.
        pub ngeom: usize,
        /// Number of sites.
        pub nsite: usize,
        /// Number of cameras.
        pub ncam: usize,
        /// Number of lights.
        pub nlight: usize,
        /// Number of deformables.
        pub nflex: usize,
        /// Number of nodes that vertices of deformables are interpolated from.
        pub nflexnode: usize,
        /// Number of vertices of deformables.
        pub nflexvert: usize,
        /// Number of edges of deformables.
        pub nflexedge: usize,
        /// Number of elements of deformables.
        pub nflexelem: usize,
        /// Number of vertices of all elements.
        pub nflexelemdata: usize,
        /// Number of edges of all elements.
        pub nflexelemedge: usize,
        /// Number of vertices of all shell fragments.
        pub nflexshelldata: usize,
        /// Number of elements paired with a vertex.
        pub nflexevpair: usize,
        /// Entries of the edge Jacobian.
        pub nJfe: usize,
        /// Entries of half the vertex Jacobian.
        pub nJfv: usize,
        /// Number of materials.
        pub nmat: usize,
        /// Number of explicit contact pairs.
        pub npair: usize,
        /// Number of excluded body pairs.
        pub nexclude: usize,
        /// Number of equality constraints.
        pub neq: usize,
        /// Number of tendons.
        pub ntendon: usize,
        /// Number of objects on tendon paths.
        pub nwrap: usize,
        /// Number of sensors.
        pub nsensor: usize,
        /// Number of custom numeric fields.
        pub nnumeric: usize,
        /// Numbers in all custom numeric fields.
        pub nnumericdata: usize,
        /// Number of custom text fields.
        pub ntext: usize,
        /// Bytes in all custom text fields.
        pub ntextdata: usize,
        /// Number of custom tuples.
        pub ntuple: usize,
        /// Objects in all custom tuples.
        pub ntupledata: usize,
        /// Number of keyframes.
        pub nkey: usize,
        /// Number of mocap bodies.
        pub nmocap: usize,
        /// User numbers per body.
        pub nuser_body: usize,
        /// User numbers per joint.
        pub nuser_jnt: usize,
        /// User numbers per geom.
        pub nuser_geom: usize,
        /// User numbers per site.
        pub nuser_site: usize,
        /// User numbers per camera.
        pub nuser_cam: usize,
        /// User numbers per tendon.
        pub nuser_tendon: usize,
        /// User numbers per actuator.
        pub nuser_actuator: usize,
        /// User numbers per sensor.
        pub nuser_sensor: usize,
        /// Entries of the tendon Jacobian.
        pub nJten: usize,
        /// Entries of the actuator moments.
        pub nJmom: usize,
        /// Number of bodies with positive gravity compensation.
        pub ngravcomp: usize,
        /// Largest number of equality rows.
        pub nemax: usize,
        /// Legacy row limit of the file, −1 when not given.
        pub njmax: i64,
        /// Legacy contact limit of the file, −1 when not given.
        pub nconmax: i64,
        /// Length of `userdata`.
        pub nuserdata: usize,
        /// Length of `sensordata`.
        pub nsensordata: usize,
        /// Length of the delay buffers.
        pub nhistory: usize,
        /// Name of the model.
        pub modelname: String,
        /// Physics options.
        pub opt: Options,
        /// Settings for display; physics does not read them.
        pub vis: Visual,
        /// Scales at the reference pose.
        pub stat: Statistic,
        /// Names of all objects.
        pub names: Names,
        /// Meshes and height fields, shared between copies of the model.
        pub assets: Arc<Assets>,
    }
    nq {
        qpos0: [f64], "Configuration at the reference pose.";
        qpos_spring: [f64], "Configuration at which joint springs rest.";
    }
    nbody {
        body_parentid: [u32], "Parent body; the world's is itself.";
        body_rootid: [u32], "Ancestor that is a child of the world.";
        body_weldid: [u32], "Topmost body this one is rigidly attached to.";
        body_mocapid: [OptId], "Index of mocap data.";
        body_jntnum: [u32], "Number of joints.";
        body_jntadr: [OptId], "First joint.";
        body_dofnum: [u32], "Number of degrees of freedom.";
        body_dofadr: [OptId], "First degree of freedom.";
        body_treeid: [OptId], "Kinematic tree; none for static bodies.";
        body_geomnum: [u32], "Number of geoms.";
        body_geomadr: [OptId], "First geom.";
        body_simple: [u8], "0: general, 1: its block of M is diagonal, 2: also only slides.";
        body_sameframe: [SameFrame], "Whether the inertial frame is the body frame.";
        body_pos: [Vec3], "Position in the parent body.";
        body_quat: [Quat], "Orientation in the parent body.";
        body_ipos: [Vec3], "Centre of mass in the body.";
        body_iquat: [Quat], "Orientation of the principal axes in the body.";
        body_mass: [f64], "Mass.";
        body_subtreemass: [f64], "Mass of the body and everything below it.";
        body_inertia: [Vec3], "Principal moments of inertia.";
        body_invweight0: [[f64; 2]], "Mean inverse inertia at the reference pose: translation, rotation.";
        body_gravcomp: [f64], "Share of its weight that is lifted.";
        body_margin: [f64], "Largest margin of its geoms.";
        body_user: [f64; nuser_body], "User numbers.";
        body_plugin: [OptId], "Plugin instance.";
        body_contype: [i32], "Contact types of its geoms, or'ed.";
        body_conaffinity: [i32], "Contact affinities of its geoms, or'ed.";
        body_bvhadr: [OptId], "First bounding volume.";
        body_bvhnum: [u32], "Number of bounding volumes.";
    }
    nbvh {
        bvh_depth: [u32], "Depth in the tree.";
        bvh_child: [[OptId; 2]], "Children, counted from the owner's first volume.";
        bvh_nodeid: [OptId], "Geom of a leaf.";
    }
    nbvhstatic {
        bvh_aabb: [[f64; 6]], "Box in the owner's inertial frame: centre, half sizes.";
    }
    njnt {
        jnt_type: [JointType], "Kind of joint.";
        jnt_qposadr: [u32], "First number in `qpos`.";
        jnt_dofadr: [u32], "First degree of freedom.";
        jnt_bodyid: [u32], "Body that the joint moves.";
        jnt_group: [i32], "Group for display.";
        jnt_limited: [bool], "Has a range.";
        jnt_actfrclimited: [bool], "Limits the actuator force on it.";
        jnt_actgravcomp: [bool], "Gravity compensation counts as actuator force.";
        jnt_solref: [SolRef], "Reference parameters of the limit.";
        jnt_solimp: [SolImp], "Impedance parameters of the limit.";
        jnt_pos: [Vec3], "Anchor in the body.";
        jnt_axis: [Vec3], "Axis in the body.";
        jnt_stiffness: [f64], "Spring stiffness.";
        jnt_range: [[f64; 2]], "Range; ball joints use the second number.";
        jnt_actfrcrange: [[f64; 2]], "Range of the actuator force.";
        jnt_margin: [f64], "Distance at which the limit becomes active.";
        jnt_user: [f64; nuser_jnt], "User numbers.";
    }
    nv {
        dof_bodyid: [u32], "Body that the dof moves.";
        dof_jntid: [u32], "Joint of the dof.";
        dof_parentid: [OptId], "Previous dof on the way to the world.";
        dof_treeid: [u32], "Kinematic tree.";
        dof_Madr: [u32], "Address of the diagonal in the full-chain inertia matrix.";
        dof_simplenum: [u32], "Length of the run of simple dofs that starts here; 0 when not simple.";
        dof_solref: [SolRef], "Reference parameters of friction loss.";
        dof_solimp: [SolImp], "Impedance parameters of friction loss.";
        dof_frictionloss: [f64], "Dry friction.";
        dof_armature: [f64], "Inertia added to the diagonal of M.";
        dof_damping: [f64], "Linear damping.";
        dof_invweight0: [f64], "Diagonal of the inverse inertia at the reference pose.";
        dof_M0: [f64], "Diagonal of the inertia at the reference pose.";
        dof_length: [f64], "1 for translations, the body's size for rotations.";
    }
    ntree {
        tree_bodyadr: [u32], "First body.";
        tree_bodynum: [u32], "Number of bodies.";
        tree_dofadr: [u32], "First degree of freedom.";
        tree_dofnum: [u32], "Number of degrees of freedom.";
        tree_sleep_policy: [SleepPolicy], "When the tree may sleep.";
    }
    ngeom {
        geom_type: [GeomType], "Shape.";
        geom_contype: [i32], "Contact types, one bit each.";
        geom_conaffinity: [i32], "Contact types it reacts to.";
        geom_condim: [u32], "Rows of its contacts: 1, 3, 4 or 6.";
        geom_bodyid: [u32], "Body it belongs to.";
        geom_dataid: [OptId], "Mesh or height field.";
        geom_matid: [OptId], "Material.";
        geom_group: [i32], "Group for display.";
        geom_priority: [i32], "Whose contact parameters win.";
        geom_plugin: [OptId], "Plugin instance.";
        geom_sameframe: [SameFrame], "Frame shared with the body.";
        geom_solmix: [f64], "Weight when contact parameters are mixed.";
        geom_solref: [SolRef], "Reference parameters of its contacts.";
        geom_solimp: [SolImp], "Impedance parameters of its contacts.";
        geom_size: [Vec3], "Sizes, by shape.";
        geom_aabb: [[f64; 6]], "Bounding box in its own frame: centre, half sizes.";
        geom_rbound: [f64], "Radius of the bounding sphere; 0 for planes.";
        geom_pos: [Vec3], "Position in the body.";
        geom_quat: [Quat], "Orientation in the body.";
        geom_friction: [Vec3], "Friction: sliding, torsional, rolling.";
        geom_margin: [f64], "Distance at which contacts are created.";
        geom_gap: [f64], "Distance by which contacts are kept out of the solver.";
        geom_fluid: [[f64; 12]], "Fluid interaction of an ellipsoid.";
        geom_user: [f64; nuser_geom], "User numbers.";
        geom_rgba: [[f32; 4]], "Colour.";
    }
    nsite {
        site_type: [GeomType], "Shape.";
        site_bodyid: [u32], "Body it belongs to.";
        site_matid: [OptId], "Material.";
        site_group: [i32], "Group for display.";
        site_sameframe: [SameFrame], "Frame shared with the body.";
        site_size: [Vec3], "Sizes, by shape.";
        site_pos: [Vec3], "Position in the body.";
        site_quat: [Quat], "Orientation in the body.";
        site_user: [f64; nuser_site], "User numbers.";
        site_rgba: [[f32; 4]], "Colour.";
    }
    ncam {
        cam_mode: [CamLightMode], "How it moves.";
        cam_bodyid: [u32], "Body it belongs to.";
        cam_targetbodyid: [OptId], "Body it looks at.";
        cam_pos: [Vec3], "Position in the body.";
        cam_quat: [Quat], "Orientation in the body.";
        cam_poscom0: [Vec3], "Position relative to the subtree's centre of mass at the reference pose.";
        cam_pos0: [Vec3], "Position relative to the body at the reference pose, world axes.";
        cam_mat0: [Mat3], "Orientation in the world at the reference pose.";
        cam_projection: [Projection], "Projection.";
        cam_fovy: [f64], "Vertical field of view in degrees, or height when orthographic.";
        cam_ipd: [f64], "Distance between the eyes.";
        cam_resolution: [[i32; 2]], "Pixels: width, height.";
        cam_output: [i32], "Output channels, one bit each.";
        cam_sensorsize: [[f32; 2]], "Size of the image sensor.";
        cam_intrinsic: [[f32; 4]], "Focal lengths and principal point.";
        cam_user: [f64; nuser_cam], "User numbers.";
    }
    nlight {
        light_mode: [CamLightMode], "How it moves.";
        light_bodyid: [u32], "Body it belongs to.";
        light_targetbodyid: [OptId], "Body it points at.";
        light_type: [LightType], "Kind of light.";
        light_texid: [OptId], "Texture of an image light.";
        light_castshadow: [bool], "Casts shadows.";
        light_bulbradius: [f32], "Radius, for soft shadows.";
        light_intensity: [f32], "Intensity in candela.";
        light_range: [f32], "Reach.";
        light_active: [bool], "Is on.";
        light_pos: [Vec3], "Position in the body.";
        light_dir: [Vec3], "Direction in the body.";
        light_poscom0: [Vec3], "Position relative to the subtree's centre of mass at the reference pose.";
        light_pos0: [Vec3], "Position relative to the body at the reference pose, world axes.";
        light_dir0: [Vec3], "Direction in the world at the reference pose.";
        light_attenuation: [[f32; 3]], "Constant, linear, quadratic attenuation.";
        light_cutoff: [f32], "Half angle of the cone in degrees.";
        light_exponent: [f32], "Softness of the cone's edge.";
        light_ambient: [[f32; 3]], "Ambient colour.";
        light_diffuse: [[f32; 3]], "Diffuse colour.";
        light_specular: [[f32; 3]], "Specular colour.";
    }
    nmat {
        mat_texid: [[OptId; 10]], "Texture per role.";
        mat_texuniform: [bool], "Texture coordinates are in space units.";
        mat_texrepeat: [[f32; 2]], "Repetition of a 2-D texture.";
        mat_emission: [f32], "Emission.";
        mat_specular: [f32], "Specularity.";
        mat_shininess: [f32], "Shininess.";
        mat_reflectance: [f32], "Reflectance.";
        mat_metallic: [f32], "Metallic share; negative for not given.";
        mat_roughness: [f32], "Roughness; negative for not given.";
        mat_rgba: [[f32; 4]], "Colour.";
    }
    nflex {
        flex_contype: [i32], "Contact types, one bit each.";
        flex_conaffinity: [i32], "Contact types it reacts to.";
        flex_condim: [u32], "Rows of its contacts: 1, 3, 4 or 6.";
        flex_priority: [i32], "Whose contact parameters win.";
        flex_solmix: [f64], "Weight when contact parameters are mixed.";
        flex_solref: [SolRef], "Reference parameters of its contacts.";
        flex_solimp: [SolImp], "Impedance parameters of its contacts.";
        flex_friction: [Vec3], "Friction: sliding, torsional, rolling.";
        flex_margin: [f64], "Distance at which contacts are created.";
        flex_gap: [f64], "Distance by which contacts are kept out of the solver.";
        flex_internal: [bool], "Elements collide with the vertices of their neighbours.";
        flex_selfcollide: [FlexSelf], "How it is tested against itself.";
        flex_activelayers: [i32], "Layers of elements that collide, tetrahedra only.";
        flex_passive: [bool], "Contacts act as passive forces.";
        flex_dim: [u32], "1: lines, 2: triangles, 3: tetrahedra.";
        flex_matid: [OptId], "Material.";
        flex_group: [i32], "Group for display.";
        flex_interp: [u32], "0: vertices move with bodies, 1 or 2: order of interpolation between nodes.";
        flex_nodeadr: [u32], "First node.";
        flex_nodenum: [u32], "Number of nodes.";
        flex_vertadr: [u32], "First vertex.";
        flex_vertnum: [u32], "Number of vertices.";
        flex_edgeadr: [u32], "First edge.";
        flex_edgenum: [u32], "Number of edges.";
        flex_elemadr: [u32], "First element.";
        flex_elemnum: [u32], "Number of elements.";
        flex_elemdataadr: [u32], "First vertex of the elements.";
        flex_elemedgeadr: [u32], "First edge of the elements.";
        flex_shellnum: [u32], "Number of shell fragments.";
        flex_shelldataadr: [OptId], "First vertex of the shell.";
        flex_evpairadr: [OptId], "First pair of element and vertex.";
        flex_evpairnum: [u32], "Number of pairs of element and vertex.";
        flex_texcoordadr: [OptId], "First texture coordinate, among the assets.";
        flex_radius: [f64], "Radius around every element.";
        flex_size: [Vec3], "Half sizes of the box around it at the reference pose.";
        flex_damping: [f64], "Damping of the elastic force.";
        flex_edgestiffness: [f64], "Stiffness of the edges.";
        flex_edgedamping: [f64], "Damping of the edges.";
        flex_edgeequality: [u32], "Held by an equality constraint: 0 not, 1 its edges, 2 its vertices.";
        flex_rigid: [bool], "All vertices belong to one body.";
        flex_centered: [bool], "All vertices, or nodes, are at the origin of their body.";
        flex_flatskin: [bool], "Shown with flat shading.";
        flex_bvhadr: [OptId], "First bounding volume.";
        flex_bvhnum: [u32], "Number of bounding volumes.";
        flex_rgba: [[f32; 4]], "Colour.";
    }
    nflexnode {
        flex_nodebodyid: [u32], "Body of the node.";
        flex_node: [Vec3], "Position in the body.";
        flex_node0: [Vec3], "Position in the world at the reference pose.";
    }
    nflexvert {
        flex_vertbodyid: [OptId], "Body of the vertex; none when it is interpolated.";
        flex_vertedgeadr: [u32], "First entry in the list of edges at the vertex.";
        flex_vertedgenum: [u32], "Number of edges at the vertex.";
        flex_vert: [Vec3], "Position in the body.";
        flex_vert0: [Vec3], "Position at the reference pose, 0 to 1 across the bounding box.";
        flex_vertmetric: [[f64; 4]], "Inverse of the shape matrix at the reference pose.";
        flexvert_J_rownnz: [[u32; 2]], "Entries of both rows of the vertex Jacobian.";
        flexvert_J_rowadr: [[u32; 2]], "Address of both rows of the vertex Jacobian.";
    }
    nflexedge {
        flex_vertedge: [[u32; 2]], "Edges at the vertices, one after the other.";
        flex_edge: [[u32; 2]], "Vertices of the edge, counted within the flex.";
        flex_edgeflap: [[OptId; 2]], "Vertices opposite to the edge, for bending.";
        flexedge_length0: [f64], "Length at the reference pose.";
        flexedge_invweight0: [f64], "Inverse inertia at the reference pose.";
        flex_bending: [[f64; 17]], "Bending stiffness.";
        flexedge_rigid: [bool], "Both ends move with the same body.";
        flexedge_J_rownnz: [u32], "Entries of the row of the edge Jacobian.";
        flexedge_J_rowadr: [u32], "Address of the row of the edge Jacobian.";
    }
    nflexelem {
        flex_elemlayer: [u32], "Distance from the surface, counted in elements.";
        flex_stiffness: [[f64; 21]], "Elastic stiffness.";
    }
    nflexelemdata {
        flex_elem: [u32], "Vertices of the elements, counted within the flex.";
        flex_elemtexcoord: [i32], "Texture coordinates of the vertices of the elements.";
    }
    nflexelemedge {
        flex_elemedge: [u32], "Edges of the elements, counted within the flex.";
    }
    nflexshelldata {
        flex_shell: [u32], "Vertices of the shell fragments.";
    }
    nflexevpair {
        flex_evpair: [[u32; 2]], "Element and vertex that may collide.";
    }
    nJfe {
        flexedge_J_colind: [u32], "Column of each entry of the edge Jacobian.";
    }
    nJfv {
        flexvert_J_colind: [[u32; 2]], "Column of each entry of the vertex Jacobian, one after the other.";
    }
    npair {
        pair_dim: [u32], "Rows of the contact.";
        pair_geom1: [u32], "First geom.";
        pair_geom2: [u32], "Second geom.";
        pair_signature: [u32], "Body ids, 16 bits each.";
        pair_solref: [SolRef], "Reference parameters, normal direction.";
        pair_solreffriction: [SolRef], "Reference parameters, friction directions.";
        pair_solimp: [SolImp], "Impedance parameters.";
        pair_margin: [f64], "Distance at which contacts are created.";
        pair_gap: [f64], "Distance by which contacts are kept out of the solver.";
        pair_friction: [[f64; 5]], "Friction: two tangential, torsional, two rolling.";
    }
    nexclude {
        exclude_signature: [u32], "Body ids, 16 bits each.";
    }
    neq {
        eq_type: [EqType], "Kind of constraint.";
        eq_obj1id: [OptId], "First object.";
        eq_obj2id: [OptId], "Second object.";
        eq_objtype: [ObjType], "Kind of the objects.";
        eq_active0: [bool], "Active after a reset.";
        eq_solref: [SolRef], "Reference parameters.";
        eq_solimp: [SolImp], "Impedance parameters.";
        eq_data: [[f64; 11]], "Numbers of the constraint, by kind.";
    }
    ntendon {
        ten_J_rownnz: [u32], "Entries of each row of the tendon Jacobian.";
        ten_J_rowadr: [u32], "Address of each row of the tendon Jacobian.";
        tendon_adr: [u32], "First object of the path.";
        tendon_num: [u32], "Number of objects of the path.";
        tendon_matid: [OptId], "Material.";
        tendon_group: [i32], "Group for display.";
        tendon_treenum: [u32], "Number of moving trees on the path.";
        tendon_treeid: [[OptId; 2]], "First two moving trees on the path.";
        tendon_limited: [bool], "Has a length range.";
        tendon_actfrclimited: [bool], "Limits the actuator force on it.";
        tendon_width: [f64], "Width for display.";
        tendon_solref_lim: [SolRef], "Reference parameters of the limit.";
        tendon_solimp_lim: [SolImp], "Impedance parameters of the limit.";
        tendon_solref_fri: [SolRef], "Reference parameters of friction loss.";
        tendon_solimp_fri: [SolImp], "Impedance parameters of friction loss.";
        tendon_range: [[f64; 2]], "Length range.";
        tendon_actfrcrange: [[f64; 2]], "Range of the actuator force.";
        tendon_margin: [f64], "Distance at which the limit becomes active.";
        tendon_stiffness: [f64], "Spring stiffness.";
        tendon_damping: [f64], "Linear damping.";
        tendon_armature: [f64], "Inertia along the tendon.";
        tendon_frictionloss: [f64], "Dry friction.";
        tendon_lengthspring: [[f64; 2]], "Lengths between which the spring is slack.";
        tendon_length0: [f64], "Length at the reference pose.";
        tendon_invweight0: [f64], "Inverse inertia at the reference pose.";
        tendon_user: [f64; nuser_tendon], "User numbers.";
        tendon_rgba: [[f32; 4]], "Colour.";
    }
    nJten {
        ten_J_colind: [u32], "Column of each entry of the tendon Jacobian.";
    }
    nwrap {
        wrap_type: [WrapType], "Kind of path object.";
        wrap_objid: [OptId], "The object.";
        wrap_prm: [f64], "Divisor, joint coefficient or side site.";
    }
    nJmom {
        moment_colind: [u32], "Column of each entry of the actuator moments.";
    }
    nu {
        moment_rownnz: [u32], "Entries of each row of the actuator moments.";
        moment_rowadr: [u32], "Address of each row of the actuator moments.";
        actuator_trntype: [TrnType], "What it acts on.";
        actuator_dyntype: [DynType], "Activation dynamics.";
        actuator_gaintype: [GainType], "Gain.";
        actuator_biastype: [BiasType], "Bias.";
        actuator_trnid: [[OptId; 2]], "Objects it acts on.";
        actuator_actadr: [OptId], "First activation.";
        actuator_actnum: [u32], "Number of activations.";
        actuator_group: [i32], "Group for display and disabling.";
        actuator_history: [[u32; 2]], "Delay buffer: samples, interpolation.";
        actuator_historyadr: [OptId], "Address of the delay buffer.";
        actuator_delay: [f64], "Delay of the control in seconds.";
        actuator_ctrllimited: [bool], "Clamps its control.";
        actuator_forcelimited: [bool], "Clamps its force.";
        actuator_actlimited: [bool], "Clamps its activation.";
        actuator_dynprm: [[f64; 10]], "Parameters of the dynamics.";
        actuator_gainprm: [[f64; 10]], "Parameters of the gain.";
        actuator_biasprm: [[f64; 10]], "Parameters of the bias.";
        actuator_actearly: [bool], "Uses the next activation.";
        actuator_ctrlrange: [[f64; 2]], "Range of the control.";
        actuator_forcerange: [[f64; 2]], "Range of the force.";
        actuator_actrange: [[f64; 2]], "Range of the activation.";
        actuator_gear: [[f64; 6]], "Scale of length and force.";
        actuator_cranklength: [f64], "Length of the rod of a slider-crank.";
        actuator_acc0: [f64], "Acceleration by a unit force at the reference pose.";
        actuator_length0: [f64], "Length at the reference pose.";
        actuator_lengthrange: [[f64; 2]], "Reachable lengths.";
        actuator_user: [f64; nuser_actuator], "User numbers.";
        actuator_plugin: [OptId], "Plugin instance.";
    }
    nsensor {
        sensor_type: [SensorType], "What it measures.";
        sensor_datatype: [DataType], "What its numbers are.";
        sensor_needstage: [Stage], "Stage after which it can be computed.";
        sensor_objtype: [ObjType], "Kind of the object.";
        sensor_objid: [OptId], "The object.";
        sensor_reftype: [ObjType], "Kind of the reference frame.";
        sensor_refid: [OptId], "The reference frame.";
        sensor_intprm: [[i32; 3]], "Integer parameters.";
        sensor_dim: [u32], "Number of outputs.";
        sensor_adr: [u32], "First output.";
        sensor_cutoff: [f64], "Limit on the output; 0: none.";
        sensor_noise: [f64], "Standard deviation of the noise; see `SensorNoise`.";
        sensor_history: [[u32; 2]], "Delay buffer: samples, interpolation.";
        sensor_historyadr: [OptId], "Address of the delay buffer.";
        sensor_delay: [f64], "Delay in seconds.";
        sensor_interval: [[f64; 2]], "Period and phase in seconds.";
        sensor_user: [f64; nuser_sensor], "User numbers.";
        sensor_plugin: [OptId], "Plugin instance.";
    }
    nnumeric {
        numeric_adr: [u32], "First number.";
        numeric_size: [u32], "Count of numbers.";
    }
    nnumericdata {
        numeric_data: [f64], "Numbers of all fields.";
    }
    ntext {
        text_adr: [u32], "First byte.";
        text_size: [u32], "Number of bytes, with the closing zero.";
    }
    ntextdata {
        text_data: [u8], "Bytes of all texts.";
    }
    ntuple {
        tuple_adr: [u32], "First object.";
        tuple_size: [u32], "Number of objects.";
    }
    ntupledata {
        tuple_objtype: [ObjType], "Kind of object.";
        tuple_objid: [OptId], "The object.";
        tuple_objprm: [f64], "Parameter of the object.";
    }
    nkey {
        key_time: [f64], "Time.";
        key_qpos: [f64; nq], "Position.";
        key_qvel: [f64; nv], "Velocity.";
        key_act: [f64; na], "Activation.";
        key_mpos: [Vec3; nmocap], "Positions of mocap bodies.";
        key_mquat: [Quat; nmocap], "Orientations of mocap bodies.";
        key_ctrl: [f64; nu], "Control.";
    }
    nv {
        M_rownnz: [u32], "Entries of each row of M.";
        M_rowadr: [u32], "Address of each row of M.";
        D_rownnz: [u32], "Entries of each row of the dof–dof pattern.";
        D_rowadr: [u32], "Address of each row of the dof–dof pattern.";
        D_diag: [u32], "Index of the diagonal within the row.";
    }
    nC {
        M_colind: [u32], "Column of each entry of M.";
        mapM2M: [u32], "For each entry of M, its place in the full-chain matrix.";
        mapD2M: [u32], "For each entry of M, its place in the dof–dof pattern.";
    }
    nD {
        D_colind: [u32], "Column of each entry of the dof–dof pattern.";
        mapM2D: [OptId], "For each entry of the dof–dof pattern, its place in M.";
    }
    nbody {
        B_rownnz: [u32], "Entries of each row of the body–dof pattern.";
        B_rowadr: [u32], "Address of each row of the body–dof pattern.";
    }
    nB {
        B_colind: [u32], "Column of each entry of the body–dof pattern.";
    }
}
