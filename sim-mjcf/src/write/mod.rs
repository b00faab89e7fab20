//! Specs and models as MJCF.
//!
//! [`Spec::to_xml`] writes a spec as it stands: default classes as differences to the class they are nested in, elements
//! as differences to their class, frames as frames. [`Spec::flattened`] and [`model_to_mjcf`] write what the compiler
//! made of it: angles in radians, no frames, no classes, every body with its inertia. Numbers are the shortest ones that
//! read back bit for bit.

mod assets;
mod elements;
mod flat;
mod relations;
mod settings;
mod text;
mod tree;

pub use flat::{WriteError, model_to_mjcf};

use crate::source;
use crate::spec::{DefaultClass, Spec};
use text::Xml;

impl Spec {
    /// The spec as MJCF.
    ///
    /// Bodies whose chain of parents does not reach the world, and what stands in them, are left out. Shortcuts of
    /// actuators are written as `general`, because the spec does not keep them. Files keep their names: a text that is
    /// put into another directory needs [`Spec::map_files`]. A text has one set of compiler settings and its keyframes
    /// are whole, so a spec with attached parts should be [`flattened`](Spec::flattened) first.
    ///
    /// ```
    /// let mut spec = sim_mjcf::Spec::default();
    /// let arm = spec.add_body(sim_mjcf::Spec::WORLD, "arm");
    /// spec.joints.push(sim_mjcf::spec::Joint { body: arm, damping: 0.1, ..Default::default() });
    /// spec.geoms.push(sim_mjcf::spec::Geom { body: arm, size: [0.1, 0.0, 0.0], ..Default::default() });
    /// let xml = spec.to_xml();
    /// assert!(xml.contains("<joint damping=\"0.1\"/>"));
    /// assert_eq!(sim_mjcf::load_model(&xml)?.nv, 1);
    /// # Ok::<(), sim_mjcf::MjcfError>(())
    /// ```
    #[doc(alias = "mj_saveXMLString")]
    pub fn to_xml(&self) -> String {
        let mut w = Xml::default();
        w.start("mujoco");
        w.diff("model", &self.model_name, &Self::default().model_name);
        settings::compiler(&mut w, &self.compiler);
        settings::option(&mut w, &self.option);
        settings::size(&mut w, &self.size);
        settings::visual(&mut w, &self.visual);
        settings::statistic(&mut w, &self.statistic);
        defaults(&mut w, self);
        relations::custom(&mut w, self);
        assets::assets(&mut w, self);
        tree::worldbody(&mut w, self);
        relations::contact(&mut w, self);
        assets::deformable(&mut w, self);
        relations::equality(&mut w, self);
        relations::tendon(&mut w, self);
        relations::actuator(&mut w, self);
        relations::sensor(&mut w, self);
        relations::keyframe(&mut w, self);
        w.end();
        w.finish()
    }

    /// Replaces the path of every asset file: `map` is given the path that it is read from, and what it returns is
    /// written without any directory of the compiler settings in front.
    pub fn map_files(&mut self, mut map: impl FnMut(&str) -> String) {
        // directories for meshes and for textures, by origin
        let dirs = |origin: usize| {
            let (dir, compiler) = (self.dir_of(origin), self.compiler_of(origin));
            [source::join(dir, &compiler.meshdir), source::join(dir, &compiler.texturedir)]
        };
        let dirs: Vec<[String; 2]> = (0..=self.origins.len()).map(dirs).collect();
        let strip = self.compiler.strippath;
        let mut change = |origin: usize, kind: usize, file: &mut String| {
            let dir = dirs.get(origin).unwrap_or(&dirs[0]);
            if !file.is_empty() {
                let name = if strip { source::file_name(file) } else { file.as_str() };
                *file = map(&source::join(&dir[kind], name));
            }
        };
        self.meshes.iter_mut().for_each(|m| change(m.origin, 0, &mut m.file));
        self.hfields.iter_mut().for_each(|h| change(h.origin, 0, &mut h.file));
        self.skins.iter_mut().for_each(|s| change(s.origin, 0, &mut s.file));
        for texture in &mut self.textures {
            change(texture.origin, 1, &mut texture.file);
            texture.cubefiles.iter_mut().for_each(|file| change(texture.origin, 1, file));
        }
        for origin in &mut self.origins {
            origin.dir.clear();
            origin.compiler.meshdir.clear();
            origin.compiler.texturedir.clear();
        }
        self.dir.clear();
        self.compiler.meshdir.clear();
        self.compiler.texturedir.clear();
        self.compiler.strippath = false;
    }

    /// The record of a class; the main class if there is none with this index.
    fn class_or_main(&self, class: usize) -> Option<&DefaultClass> {
        self.defaults.get(class).or_else(|| self.defaults.first())
    }

    /// Writes the attribute `class` of an element whose class would otherwise be `inherited`.
    fn put_class(&self, w: &mut Xml, class: usize, inherited: usize) {
        if class != inherited
            && let Some(record) = self.defaults.get(class)
        {
            w.set("class", &record.name);
        }
    }
}

/// Writes the default classes, each as difference to the one it is nested in.
fn defaults(w: &mut Xml, spec: &Spec) {
    let mut children = vec![Vec::new(); spec.defaults.len()];
    for (i, class) in spec.defaults.iter().enumerate().skip(1) {
        // a class that is not nested in an earlier one counts as nested in the main one
        let parent = class.parent.filter(|parent| *parent < i).unwrap_or(Spec::MAIN);
        children[parent].push(i);
    }
    let built_in = DefaultClass::main();
    // what to start, and with an absent one, to end
    let mut todo = Vec::new();
    todo.extend(spec.defaults.first().map(|_| (Some(Spec::MAIN), None)));
    while let Some((class, parent)) = todo.pop() {
        let Some((index, class)) = class.and_then(|i| Some((i, spec.defaults.get(i)?))) else {
            w.end_unless_empty();
            continue;
        };
        w.start("default");
        if parent.is_some() {
            w.set("class", &class.name);
        }
        let base = parent.and_then(|p: usize| spec.defaults.get(p)).unwrap_or(&built_in);
        elements::class(w, class, base);
        todo.push((None, None));
        todo.extend(children[index].iter().rev().map(|&child| (Some(child), Some(index))));
    }
}

#[cfg(test)]
mod tests;
