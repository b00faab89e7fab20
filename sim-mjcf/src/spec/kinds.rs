//! Every kind of record: what it is called, where it stands, and the names it refers to.
//!
//! This is the one place that lists them. A new kind of record needs a line in [`records!`], one in [`placed!`] if it
//! is fixed to a body, and its names in [`Refers`]; attaching, deleting and the lookup of names then know it.

use super::{
    Actuator, Body, Camera, Equality, Exclude, Flex, Frame, Geom, Hfield, Joint, Key, Light, Material, Mesh, Numeric,
    Pair, PathObject, Sensor, Site, Skin, Spec, Tendon, Text, Texture, Tuple,
};
use crate::error::Location;
use crate::source;
use sim_types::{EqType, ObjType, TrnType};

/// What all records have.
pub(crate) trait Record: Clone {
    /// Kind of object in the model.
    const KIND: ObjType;
    /// What people call it.
    const WORD: &'static str;

    fn name(&self) -> &str;
    fn name_mut(&mut self) -> &mut String;
    fn at(&self) -> &Location;

    /// Gives the record the name it would get from its file, before a prefix is put in front of it.
    fn settle_name(&mut self) {}

    /// Whether the name itself gets a prefix and a suffix.
    fn is_renamed() -> bool {
        true
    }
}

macro_rules! records {
    ($($type:ident $kind:ident $word:literal $($how:ident)*;)*) => {
        $(impl Record for $type {
            const KIND: ObjType = ObjType::$kind;
            const WORD: &'static str = $word;

            fn name(&self) -> &str {
                &self.name
            }

            fn name_mut(&mut self) -> &mut String {
                &mut self.name
            }

            fn at(&self) -> &Location {
                &self.at
            }

            $(naming!($how);)*
        })*
    };
}

/// What is special about the names of a kind.
macro_rules! naming {
    // without a name it is called after its file
    (file) => {
        fn settle_name(&mut self) {
            if self.name.is_empty() {
                source::stem(&self.file).clone_into(&mut self.name);
            }
        }
    };
    // its name gets neither prefix nor suffix
    (kept) => {
        fn is_renamed() -> bool {
            false
        }
    };
}

records! {
    Body Body "body";
    Frame Unknown "frame";
    Joint Joint "joint";
    Geom Geom "geom";
    Site Site "site";
    Camera Camera "camera";
    Light Light "light";
    Mesh Mesh "mesh" file;
    Skin Skin "skin" file kept;
    Hfield Hfield "height field" file;
    Texture Texture "texture" file;
    Material Material "material";
    Flex Flex "flex" kept;
    Pair Pair "contact pair";
    Exclude Exclude "excluded body pair";
    Equality Equality "equality constraint";
    Tendon Tendon "tendon";
    Actuator Actuator "actuator";
    Sensor Sensor "sensor";
    Numeric Numeric "numeric";
    Text Text "text";
    Tuple Tuple "tuple";
    Key Key "keyframe";
}

/// A record that is fixed to a body.
pub(crate) trait Placed: Record {
    fn body(&self) -> usize;
    fn body_mut(&mut self) -> &mut usize;
    fn frame(&self) -> Option<usize>;
    fn frame_mut(&mut self) -> &mut Option<usize>;
}

macro_rules! placed {
    ($($type:ident)*) => {
        $(impl Placed for $type {
            fn body(&self) -> usize {
                self.body
            }

            fn body_mut(&mut self) -> &mut usize {
                &mut self.body
            }

            fn frame(&self) -> Option<usize> {
                self.frame
            }

            fn frame_mut(&mut self) -> &mut Option<usize> {
                &mut self.frame
            }
        })*
    };
}

placed! { Frame Joint Geom Site Camera Light }

/// When a name that a record refers to gets the prefix and suffix of an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rename {
    /// Always.
    Always,
    /// When the record comes from another spec, whose assets come with it.
    Foreign,
    /// Never: MuJoCo looks for it in the model as it is written.
    Never,
}

/// One name that a record refers to.
pub(crate) struct Reference<'a> {
    pub(crate) kind: ObjType,
    pub(crate) name: &'a mut String,
    pub(crate) rename: Rename,
}

/// A record that refers to others.
pub(crate) trait Refers {
    /// Calls `f` for every name that the record refers to; empty names are left out.
    fn for_each_reference(&mut self, f: &mut dyn FnMut(Reference<'_>));

    /// Calls `f` for every default class and compiler settings it was read with.
    fn for_each_index(&mut self, class: &mut dyn FnMut(&mut usize), origin: &mut dyn FnMut(&mut usize));
}

/// Declares the references of a record as `field: Kind Rename`, and which of `class` and `origin` it has.
macro_rules! refers {
    ($($type:ident [$($index:ident)*] { $($field:ident: $kind:ident $rename:ident),* })*) => {
        $(impl Refers for $type {
            #[allow(unused_variables, reason = "not every record refers to something")]
            fn for_each_reference(&mut self, f: &mut dyn FnMut(Reference<'_>)) {
                $(if !self.$field.is_empty() {
                    f(Reference { kind: ObjType::$kind, name: &mut self.$field, rename: Rename::$rename });
                })*
            }

            #[allow(unused_variables, reason = "not every record has a class and an origin")]
            fn for_each_index(&mut self, class: &mut dyn FnMut(&mut usize), origin: &mut dyn FnMut(&mut usize)) {
                $(index!(self, $index, class, origin);)*
            }
        })*
    };
}

macro_rules! index {
    ($self:ident, class, $class:ident, $origin:ident) => {
        $class(&mut $self.class)
    };
    ($self:ident, childclass, $class:ident, $origin:ident) => {
        if let Some(childclass) = &mut $self.childclass {
            $class(childclass);
        }
    };
    ($self:ident, origin, $class:ident, $origin:ident) => {
        $origin(&mut $self.origin)
    };
}

refers! {
    Body [childclass origin] {}
    Frame [childclass origin] {}
    Joint [class origin] {}
    Geom [class origin] { material: Material Foreign, hfield: Hfield Foreign, mesh: Mesh Foreign }
    Site [class origin] { material: Material Foreign }
    Camera [class origin] { target: Body Always }
    Light [class] { target: Body Always, texture: Texture Always }
    Mesh [class origin] { material: Material Never }
    Hfield [origin] {}
    Texture [origin] {}
    Pair [class] { geom1: Geom Always, geom2: Geom Always }
    Exclude [] { body1: Body Always, body2: Body Always }
    Numeric [] {}
    Text [] {}
}

impl Refers for Skin {
    fn for_each_reference(&mut self, f: &mut dyn FnMut(Reference<'_>)) {
        for bone in &mut self.bones {
            f(Reference { kind: ObjType::Body, name: &mut bone.body, rename: Rename::Always });
        }
        if !self.material.is_empty() {
            f(Reference { kind: ObjType::Material, name: &mut self.material, rename: Rename::Never });
        }
    }

    fn for_each_index(&mut self, _class: &mut dyn FnMut(&mut usize), origin: &mut dyn FnMut(&mut usize)) {
        origin(&mut self.origin);
    }
}

impl Refers for Flex {
    fn for_each_reference(&mut self, f: &mut dyn FnMut(Reference<'_>)) {
        for name in self.vertbody.iter_mut().chain(&mut self.nodebody) {
            f(Reference { kind: ObjType::Body, name, rename: Rename::Always });
        }
        if !self.material.is_empty() {
            f(Reference { kind: ObjType::Material, name: &mut self.material, rename: Rename::Foreign });
        }
    }

    fn for_each_index(&mut self, _class: &mut dyn FnMut(&mut usize), _origin: &mut dyn FnMut(&mut usize)) {}
}

impl Refers for Material {
    fn for_each_reference(&mut self, f: &mut dyn FnMut(Reference<'_>)) {
        for name in self.textures.iter_mut().filter(|name| !name.is_empty()) {
            f(Reference { kind: ObjType::Texture, name, rename: Rename::Always });
        }
    }

    fn for_each_index(&mut self, class: &mut dyn FnMut(&mut usize), _origin: &mut dyn FnMut(&mut usize)) {
        class(&mut self.class);
    }
}

impl Refers for Tendon {
    fn for_each_reference(&mut self, f: &mut dyn FnMut(Reference<'_>)) {
        let rename = Rename::Always;
        for wrap in &mut self.path {
            match &mut wrap.object {
                PathObject::Joint { joint: name, .. } => f(Reference { kind: ObjType::Joint, name, rename }),
                PathObject::Site { site: name } => f(Reference { kind: ObjType::Site, name, rename }),
                PathObject::Geom { geom: name, sidesite } => {
                    f(Reference { kind: ObjType::Geom, name, rename });
                    if !sidesite.is_empty() {
                        f(Reference { kind: ObjType::Site, name: sidesite, rename });
                    }
                }
                PathObject::Pulley { .. } => {}
            }
        }
        if !self.material.is_empty() {
            f(Reference { kind: ObjType::Material, name: &mut self.material, rename: Rename::Never });
        }
    }

    fn for_each_index(&mut self, class: &mut dyn FnMut(&mut usize), origin: &mut dyn FnMut(&mut usize)) {
        class(&mut self.class);
        origin(&mut self.origin);
    }
}

impl Equality {
    /// Kind of the objects it ties together.
    pub(crate) fn kind(&self) -> ObjType {
        match self.r#type {
            EqType::Connect | EqType::Weld => self.objtype,
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            _ => ObjType::Flex,
        }
    }
}

impl Refers for Equality {
    fn for_each_reference(&mut self, f: &mut dyn FnMut(Reference<'_>)) {
        let kind = self.kind();
        for name in [&mut self.name1, &mut self.name2] {
            if !name.is_empty() {
                f(Reference { kind, name, rename: Rename::Always });
            }
        }
    }

    fn for_each_index(&mut self, class: &mut dyn FnMut(&mut usize), _origin: &mut dyn FnMut(&mut usize)) {
        class(&mut self.class);
    }
}

impl Actuator {
    /// Kind of object it acts on.
    pub(crate) fn kind(&self) -> ObjType {
        match self.trntype {
            TrnType::Joint | TrnType::JointInParent => ObjType::Joint,
            TrnType::SliderCrank | TrnType::Site => ObjType::Site,
            TrnType::Tendon => ObjType::Tendon,
            TrnType::Body => ObjType::Body,
            TrnType::Undefined => ObjType::Unknown,
        }
    }
}

impl Refers for Actuator {
    fn for_each_reference(&mut self, f: &mut dyn FnMut(Reference<'_>)) {
        let kind = self.kind();
        let names =
            [(kind, &mut self.target), (ObjType::Site, &mut self.refsite), (ObjType::Site, &mut self.slidersite)];
        for (kind, name) in names {
            if !name.is_empty() {
                f(Reference { kind, name, rename: Rename::Always });
            }
        }
    }

    fn for_each_index(&mut self, class: &mut dyn FnMut(&mut usize), origin: &mut dyn FnMut(&mut usize)) {
        class(&mut self.class);
        origin(&mut self.origin);
    }
}

impl Refers for Sensor {
    fn for_each_reference(&mut self, f: &mut dyn FnMut(Reference<'_>)) {
        for (kind, name) in [(self.objtype, &mut self.objname), (self.reftype, &mut self.refname)] {
            if kind != ObjType::Unknown {
                f(Reference { kind, name, rename: Rename::Always });
            }
        }
    }

    fn for_each_index(&mut self, _class: &mut dyn FnMut(&mut usize), _origin: &mut dyn FnMut(&mut usize)) {}
}

impl Refers for Tuple {
    fn for_each_reference(&mut self, f: &mut dyn FnMut(Reference<'_>)) {
        for element in &mut self.elements {
            f(Reference { kind: element.objtype, name: &mut element.objname, rename: Rename::Always });
        }
    }

    fn for_each_index(&mut self, _class: &mut dyn FnMut(&mut usize), _origin: &mut dyn FnMut(&mut usize)) {}
}

/// Calls a macro with every list of records that have names and stand for objects of the model.
macro_rules! with_named_lists {
    ($call:ident) => {
        $call! {
            bodies joints geoms sites cameras lights meshes skins hfields textures materials flexes pairs
            excludes equalities tendons actuators sensors numerics texts tuples keys
        }
    };
}

/// Calls a macro with every list of records that are fixed to bodies, frames left out.
macro_rules! with_fixed_lists {
    ($call:ident) => {
        $call! { joints geoms sites cameras lights }
    };
}

/// Calls a macro with every list of records that an attached spec brings along as a whole, in MuJoCo's order.
macro_rules! with_asset_lists {
    ($call:ident) => {
        $call! { meshes skins hfields textures materials numerics texts }
    };
}

/// Calls a macro with every list of records that come along if what they refer to does, in MuJoCo's order.
macro_rules! with_referring_lists {
    ($call:ident) => {
        $call! { flexes pairs excludes tendons equalities actuators sensors tuples }
    };
}

/// Calls a macro with every list from which a deleted body takes records along.
macro_rules! with_dependent_lists {
    ($call:ident) => {
        $call! { pairs excludes tendons equalities actuators sensors }
    };
}

pub(crate) use {with_asset_lists, with_dependent_lists, with_fixed_lists, with_named_lists, with_referring_lists};

impl Spec {
    /// Number of records of all kinds.
    pub(crate) fn len(&self) -> usize {
        macro_rules! sum {
            ($($list:ident)*) => { 0 $(+ self.$list.len())* };
        }
        self.defaults.len() + self.frames.len() + with_named_lists!(sum)
    }
}
