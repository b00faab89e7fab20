//! Whether a record can live in a model: which names it then refers to, or why it cannot.
//!
//! MuJoCo keeps what can be resolved and drops the rest without a word. The rules differ by kind, and some of them are
//! surprising; they are MuJoCo's.

use super::index::Index;
use super::kinds::{Record, Reference, Refers, Rename};
use super::{
    Actuator, Equality, Exclude, Flex, Hfield, Material, Mesh, Numeric, Pair, PathObject, Sensor, Skin, Spec, Tendon,
    Text, Texture, Tuple, Wrap,
};
use sim_types::{EqType, GeomType, JointType, ObjType, TrnType};

/// What is put around the names of attached elements.
#[derive(Clone, Copy, Default)]
pub(crate) struct Namespace<'a> {
    pub(crate) prefix: &'a str,
    pub(crate) suffix: &'a str,
    /// Whether the elements come from another spec.
    pub(crate) foreign: bool,
}

impl Namespace<'_> {
    pub(crate) fn around(&self, name: &str) -> String {
        format!("{}{name}{}", self.prefix, self.suffix)
    }

    /// Renames a record itself; one without a name stays without.
    pub(crate) fn rename<T: Record>(&self, record: &mut T) {
        if self.foreign {
            record.settle_name();
        }
        if T::is_renamed() && !record.name().is_empty() {
            *record.name_mut() = self.around(record.name());
        }
    }

    /// Renames what a record refers to.
    pub(crate) fn rename_references<T: Refers>(&self, record: &mut T) {
        record.for_each_reference(&mut |reference: Reference<'_>| {
            let rename = match reference.rename {
                Rename::Always => true,
                Rename::Foreign => self.foreign,
                Rename::Never => false,
            };
            if rename {
                *reference.name = self.around(reference.name);
            }
        });
    }
}

/// The model that a record is to live in.
#[derive(Clone, Copy)]
pub(crate) struct Home<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) index: &'a Index,
}

impl Home<'_> {
    fn has(&self, kind: ObjType, name: &str) -> bool {
        self.index.has(kind, name)
    }

    fn need(&self, kind: ObjType, word: &str, name: &str) -> Result<(), String> {
        if self.has(kind, name) { Ok(()) } else { Err(format!("there is no {word} '{name}'")) }
    }

    /// Type of a joint as far as its class says: MuJoCo looks at the element's own only later.
    fn joint_type(&self, name: &str) -> Option<JointType> {
        let joint = self.spec.joints.get(self.index.get(ObjType::Joint, name)?)?;
        Some(self.spec.defaults.get(joint.class)?.joint.r#type)
    }

    /// Type of a geom as far as its class says.
    fn geom_type(&self, name: &str) -> Option<GeomType> {
        let geom = self.spec.geoms.get(self.index.get(ObjType::Geom, name)?)?;
        Some(self.spec.defaults.get(geom.class)?.geom.r#type)
    }

    /// Resolves two names; one of them may be outside of what is attached.
    fn both(
        &self,
        namespace: &Namespace<'_>,
        (kind, word): (ObjType, &str),
        a: &mut String,
        b: &mut String,
    ) -> Result<(), String> {
        let (mut first, mut second) = (namespace.around(a), namespace.around(b));
        if !self.has(kind, &first) && self.has(kind, &second) {
            first.clone_from(a);
        }
        if self.has(kind, &first) && !self.has(kind, &second) {
            second.clone_from(b);
        }
        self.need(kind, word, &first)?;
        self.need(kind, word, &second)?;
        (*a, *b) = (first, second);
        Ok(())
    }
}

/// A record that comes along if what it refers to does.
pub(crate) trait Adopt: Record + Refers {
    /// Renames what it refers to, and says why it cannot live there if it cannot.
    fn adopt(&mut self, namespace: &Namespace<'_>, home: Home<'_>) -> Result<(), String>;
}

macro_rules! always {
    ($($type:ident)*) => {
        $(impl Adopt for $type {
            fn adopt(&mut self, namespace: &Namespace<'_>, _home: Home<'_>) -> Result<(), String> {
                namespace.rename_references(self);
                Ok(())
            }
        })*
    };
}

always! { Mesh Hfield Texture Material Numeric Text }

impl Adopt for Skin {
    fn adopt(&mut self, namespace: &Namespace<'_>, home: Home<'_>) -> Result<(), String> {
        namespace.rename_references(self);
        self.bones.iter().try_for_each(|bone| home.need(ObjType::Body, "body", &bone.body))
    }
}

impl Adopt for Flex {
    fn adopt(&mut self, namespace: &Namespace<'_>, home: Home<'_>) -> Result<(), String> {
        namespace.rename_references(self);
        let bodies = self.vertbody.iter().chain(&self.nodebody);
        bodies.into_iter().try_for_each(|body| home.need(ObjType::Body, "body", body))?;

        // vertices that bend must be free to move
        if self.dim == 2 && self.elastic2d.bends() {
            let mut joints = vec![0; home.spec.bodies.len()];
            for joint in &home.spec.joints {
                joints.get_mut(joint.body).into_iter().for_each(|n| *n += 1);
            }
            let pinned = |body: &String| home.index.get(ObjType::Body, body).and_then(|b| joints.get(b)) != Some(&3);
            if let Some(body) = self.vertbody.iter().find(|body| pinned(body)) {
                return Err(format!("body '{body}' is pinned, which bending does not allow"));
            }
        }
        Ok(())
    }
}

impl Adopt for Pair {
    fn adopt(&mut self, namespace: &Namespace<'_>, home: Home<'_>) -> Result<(), String> {
        home.both(namespace, (ObjType::Geom, "geom"), &mut self.geom1, &mut self.geom2)
    }
}

impl Adopt for Exclude {
    fn adopt(&mut self, namespace: &Namespace<'_>, home: Home<'_>) -> Result<(), String> {
        home.both(namespace, (ObjType::Body, "body"), &mut self.body1, &mut self.body2)
    }
}

impl Adopt for Tendon {
    /// A part of the path that cannot be found with the new names stays what it was; at least one part must be found.
    fn adopt(&mut self, namespace: &Namespace<'_>, home: Home<'_>) -> Result<(), String> {
        let (mut inside, mut pulleys) = (0, 0);
        for Wrap { object, .. } in &mut self.path {
            if let PathObject::Pulley { divisor } = object {
                pulleys += 1;
                if *divisor < 0.0 {
                    return Err("the divisor of a pulley is negative".to_owned());
                }
                continue;
            }
            let renamed = around(object, namespace);
            if resolve(&renamed, home).is_ok() {
                *object = renamed;
                inside += 1;
            } else {
                resolve(object, home)?;
            }
        }
        // with pulleys only, none of which can fail, MuJoCo drops it as well
        if inside == 0 || self.path.len() == pulleys {
            return Err("nothing on its path is attached".to_owned());
        }
        Ok(())
    }
}

/// A step of a path with its names changed. MuJoCo does so even for a side site that is not given, and then misses it.
fn around(object: &PathObject, namespace: &Namespace<'_>) -> PathObject {
    match object {
        PathObject::Joint { joint, coef } => PathObject::Joint { joint: namespace.around(joint), coef: *coef },
        PathObject::Site { site } => PathObject::Site { site: namespace.around(site) },
        PathObject::Geom { geom, sidesite } => {
            PathObject::Geom { geom: namespace.around(geom), sidesite: namespace.around(sidesite) }
        }
        PathObject::Pulley { divisor } => PathObject::Pulley { divisor: *divisor },
    }
}

fn resolve(object: &PathObject, home: Home<'_>) -> Result<(), String> {
    match object {
        PathObject::Joint { joint, .. } => home.need(ObjType::Joint, "joint", joint),
        PathObject::Site { site } => home.need(ObjType::Site, "site", site),
        PathObject::Geom { geom, sidesite } => {
            home.need(ObjType::Geom, "geom", geom)?;
            if !matches!(home.geom_type(geom), None | Some(GeomType::Sphere | GeomType::Cylinder)) {
                return Err(format!("geom '{geom}' is neither a sphere nor a cylinder"));
            }
            if sidesite.is_empty() { Ok(()) } else { home.need(ObjType::Site, "site", sidesite) }
        }
        PathObject::Pulley { .. } => Ok(()),
    }
}

impl Adopt for Equality {
    fn adopt(&mut self, namespace: &Namespace<'_>, home: Home<'_>) -> Result<(), String> {
        namespace.rename_references(self);
        let kind = self.kind();
        home.need(kind, "element", &self.name1)?;
        let second = if self.name2.is_empty() && kind == ObjType::Body { "world" } else { &self.name2 };
        if !self.name2.is_empty() {
            home.need(kind, "element", &self.name2)?;
        }
        if !second.is_empty() && home.index.get(kind, &self.name1) == home.index.get(kind, second) {
            return Err(format!("both sides are '{}'", self.name1));
        }
        if self.r#type == EqType::Joint {
            let scalar = |name: &str| matches!(home.joint_type(name), None | Some(JointType::Hinge | JointType::Slide));
            if !scalar(&self.name1) || !scalar(&self.name2) {
                return Err("only hinge and slide joints can be tied together".to_owned());
            }
        }
        Ok(())
    }
}

impl Adopt for Actuator {
    fn adopt(&mut self, namespace: &Namespace<'_>, home: Home<'_>) -> Result<(), String> {
        namespace.rename_references(self);
        if self.trntype == TrnType::SliderCrank {
            home.need(ObjType::Site, "site", &self.slidersite)?;
            if self.cranklength <= 0.0 {
                return Err("cranklength must be positive".to_owned());
            }
        }
        if self.trntype == TrnType::Site && !self.refsite.is_empty() {
            home.need(ObjType::Site, "site", &self.refsite)?;
        }
        home.need(self.kind(), "target", &self.target)
    }
}

impl Adopt for Sensor {
    fn adopt(&mut self, namespace: &Namespace<'_>, home: Home<'_>) -> Result<(), String> {
        let (objtype, reftype) = (self.objtype, self.reftype);
        let (has_object, has_reference) = (objtype != ObjType::Unknown, reftype != ObjType::Unknown);
        let (mut object, mut reference) = (namespace.around(&self.objname), namespace.around(&self.refname));
        if has_object && has_reference {
            // one of the two may be outside of what is attached
            if !home.has(objtype, &object) && home.has(reftype, &reference) {
                object.clone_from(&self.objname);
            }
            if home.has(objtype, &object) && !home.has(reftype, &reference) {
                reference.clone_from(&self.refname);
            }
        }
        if has_object {
            home.need(objtype, "object", &object)?;
            self.objname = object;
        }
        if has_reference {
            home.need(reftype, "reference object", &reference)?;
            self.refname = reference;
        }
        Ok(())
    }
}

impl Adopt for Tuple {
    fn adopt(&mut self, namespace: &Namespace<'_>, home: Home<'_>) -> Result<(), String> {
        namespace.rename_references(self);
        if self.elements.is_empty() {
            return Err("it is empty".to_owned());
        }
        self.elements.iter().try_for_each(|e| home.need(e.objtype, "object", &e.objname))
    }
}
