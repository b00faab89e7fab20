//! The model as written: everything MJCF can say, as plain records that code may build, find and edit.
//!
//! A [`Spec`] is a flat arena. Every kind of element has one `Vec`; its order is document order and its index is how
//! other records refer to it. Tree elements name their body, and the frame they stand in if there is one. Nothing is
//! derived here: angles are in the unit that [`Compiler::degree`] says, orientations are kept as they were given, names
//! of other elements are unresolved. [`compile()`](crate::compile()) turns a spec into a model.
//!
//! ```
//! use sim_mjcf::spec::{Geom, Joint, Spec};
//!
//! let mut spec = Spec::default();
//! let arm = spec.add_body(Spec::WORLD, "arm");
//! spec.joints.push(Joint { body: arm, ..Joint::default() });
//! spec.geoms.push(Geom { body: arm, size: [0.1, 0.0, 0.0], ..Geom::default() });
//! assert_eq!(spec.find_body("arm"), Some(arm));
//! ```

/// Declares a record together with its defaults: one line per field, as in the reference manual.
macro_rules! record {
    ($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident: $type:ty = $value:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name { $($(#[$fdoc])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $value,)* }
            }
        }
    };
}

mod actuator;
pub(crate) mod adopt;
mod asset;
pub(crate) mod attach;
mod body;
mod camera;
mod contact;
mod custom;
mod default;
mod delete;
mod equality;
mod flex;
mod geom;
mod index;
mod joint;
pub(crate) mod kinds;
mod option;
mod part;
pub(crate) mod pending;
mod sensor;
mod skin;
mod tendon;

pub use actuator::{Actuator, Interp};
pub use asset::{Builtin, ColorSpace, Hfield, Mark, Material, Mesh, MeshBuiltin, MeshInertia, Texture, TextureType};
pub use attach::Attached;
pub use body::{Body, Frame, Inertial, Orientation};
pub use camera::{Camera, Light};
pub use contact::{Exclude, Pair};
pub use custom::{Key, Numeric, Text, Tuple, TupleElement};
pub use default::DefaultClass;
pub use equality::Equality;
pub use flex::{Elastic2d, Flex};
pub use geom::{Geom, GeomInertia, Site};
pub use joint::{AlignFree, Joint, Limited};
pub use option::{Compiler, InertiaFromGeom, LengthRange, LengthRangeMode, Origin, Size, StatisticOverride};
pub use part::{Part, Place};
pub use pending::Pending;
pub use sensor::Sensor;
pub use skin::{Bone, Skin};
pub use tendon::{PathObject, Tendon, Wrap};

use sim_types::{Options, Visual};

record! {
    /// A model as written, before compilation (`mjSpec`).
    #[doc(alias = "mjSpec")]
    Spec {
        /// Name of the model.
        model_name: String = "MuJoCo Model".to_owned(),
        /// Directory of the model file; asset files are looked for relative to it.
        #[doc(alias = "modelfiledir")]
        dir: String = String::new(),
        /// Settings of the compiler.
        compiler: Compiler = Compiler::default(),
        /// Settings and directories of the specs that elements were attached from; an element's `origin` counts from 1.
        origins: Vec<Origin> = Vec::new(),
        /// Physics options, copied to the model.
        option: Options = Options::default(),
        /// Sizes that are not derived.
        size: Size = Size::default(),
        /// Settings for viewers, copied to the model.
        visual: Visual = Visual::default(),
        /// Statistics given by the user; they replace the computed ones.
        statistic: StatisticOverride = StatisticOverride::default(),
        /// Default classes; index 0 is `main`.
        defaults: Vec<DefaultClass> = vec![DefaultClass::main()],
        /// Bodies; index 0 is the world.
        bodies: Vec<Body> = vec![Body { name: "world".to_owned(), ..Body::default() }],
        /// Frames: poses that are applied to what stands in them.
        frames: Vec<Frame> = Vec::new(),
        /// Joints.
        joints: Vec<Joint> = Vec::new(),
        /// Geoms.
        geoms: Vec<Geom> = Vec::new(),
        /// Sites.
        sites: Vec<Site> = Vec::new(),
        /// Cameras.
        cameras: Vec<Camera> = Vec::new(),
        /// Lights.
        lights: Vec<Light> = Vec::new(),
        /// Meshes.
        meshes: Vec<Mesh> = Vec::new(),
        /// Height fields.
        hfields: Vec<Hfield> = Vec::new(),
        /// Materials.
        materials: Vec<Material> = Vec::new(),
        /// Textures.
        textures: Vec<Texture> = Vec::new(),
        /// Skins.
        skins: Vec<Skin> = Vec::new(),
        /// Deformables.
        flexes: Vec<Flex> = Vec::new(),
        /// Pairs of geoms that collide.
        pairs: Vec<Pair> = Vec::new(),
        /// Pairs of bodies that do not collide.
        excludes: Vec<Exclude> = Vec::new(),
        /// Equality constraints.
        equalities: Vec<Equality> = Vec::new(),
        /// Tendons.
        tendons: Vec<Tendon> = Vec::new(),
        /// Actuators.
        actuators: Vec<Actuator> = Vec::new(),
        /// Sensors.
        sensors: Vec<Sensor> = Vec::new(),
        /// Named number arrays.
        numerics: Vec<Numeric> = Vec::new(),
        /// Named texts.
        texts: Vec<Text> = Vec::new(),
        /// Named lists of objects.
        tuples: Vec<Tuple> = Vec::new(),
        /// Keyframes.
        keys: Vec<Key> = Vec::new(),
        /// Keyframes of attached parts, which are put together at compilation.
        pending: Pending = Pending::default(),
    }
}

impl Spec {
    /// Index of the world body.
    pub const WORLD: usize = 0;

    /// Index of the `main` default class.
    pub const MAIN: usize = 0;

    /// The compiler settings that an element of that origin is read with: 0 is this spec, `i` is `origins[i - 1]`.
    ///
    /// An element keeps the settings of the spec it was attached from for its angles, Euler axes, automatic limits,
    /// directories, and (bodies) for how inertia is found. Everything else goes by [`Spec::compiler`].
    pub fn compiler_of(&self, origin: usize) -> &Compiler {
        self.origin(origin).map_or(&self.compiler, |o| &o.compiler)
    }

    /// The directory that files of an element of that origin are looked for in.
    pub fn dir_of(&self, origin: usize) -> &str {
        self.origin(origin).map_or(&self.dir, |o| &o.dir)
    }

    fn origin(&self, origin: usize) -> Option<&Origin> {
        origin.checked_sub(1).and_then(|i| self.origins.get(i))
    }

    /// Adds a body under `parent` and returns its index.
    pub fn add_body(&mut self, parent: usize, name: &str) -> usize {
        self.bodies.push(Body { parent, name: name.to_owned(), ..Body::default() });
        self.bodies.len() - 1
    }

    /// Adds a default class under `parent`, starting as a copy of it, and returns its index.
    ///
    /// An unknown parent counts as `main`.
    pub fn add_class(&mut self, parent: usize, name: &str) -> usize {
        let from = self.defaults.get(parent).cloned();
        let start = from.unwrap_or_else(|| self.defaults.first().cloned().unwrap_or_else(DefaultClass::main));
        self.defaults.push(DefaultClass { name: name.to_owned(), parent: Some(parent), ..start });
        self.defaults.len() - 1
    }

    /// Index of the default class called `name`; of several the last, as attaching without a prefix makes them.
    pub fn find_class(&self, name: &str) -> Option<usize> {
        self.defaults.iter().rposition(|class| class.name == name)
    }
}

/// One lookup per kind of element: the first one with that name; an empty name finds nothing.
macro_rules! finders {
    ($($(#[$doc:meta])* $function:ident: $list:ident;)*) => {
        impl Spec {
            $($(#[$doc])*
            pub fn $function(&self, name: &str) -> Option<usize> {
                self.$list.iter().position(|element| !name.is_empty() && element.name == name)
            })*
        }
    };
}

finders! {
    /// Index of the body called `name`.
    find_body: bodies;
    /// Index of the frame called `name`.
    find_frame: frames;
    /// Index of the joint called `name`.
    find_joint: joints;
    /// Index of the geom called `name`.
    find_geom: geoms;
    /// Index of the site called `name`.
    find_site: sites;
    /// Index of the camera called `name`.
    find_camera: cameras;
    /// Index of the light called `name`.
    find_light: lights;
    /// Index of the mesh called `name`.
    find_mesh: meshes;
    /// Index of the height field called `name`.
    find_hfield: hfields;
    /// Index of the material called `name`.
    find_material: materials;
    /// Index of the texture called `name`.
    find_texture: textures;
    /// Index of the skin called `name`.
    find_skin: skins;
    /// Index of the flex called `name`.
    find_flex: flexes;
    /// Index of the contact pair called `name`.
    find_pair: pairs;
    /// Index of the excluded body pair called `name`.
    find_exclude: excludes;
    /// Index of the equality constraint called `name`.
    find_equality: equalities;
    /// Index of the tendon called `name`.
    find_tendon: tendons;
    /// Index of the actuator called `name`.
    find_actuator: actuators;
    /// Index of the sensor called `name`.
    find_sensor: sensors;
    /// Index of the numeric called `name`.
    find_numeric: numerics;
    /// Index of the text called `name`.
    find_text: texts;
    /// Index of the tuple called `name`.
    find_tuple: tuples;
    /// Index of the keyframe called `name`.
    find_key: keys;
}
