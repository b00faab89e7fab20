//! Links: inertia and geometry.

use super::Robot;
use crate::attr::Fields;
use crate::source;
use crate::spec::{Geom, Inertial, Mesh, Spec};
use crate::xml::Element;
use sim_types::{GeomType, Quat, Vec3};

impl Robot<'_> {
    /// Reads link number `index`.
    pub(super) fn link(&mut self, index: usize, link: Element<'_>) {
        let body = self.bodies[index];
        if let Some(inertial) = self.child(link, "inertial") {
            let record = self.inertial(inertial);
            if body == Spec::WORLD {
                self.problems.warn(&inertial.at(), "the inertia of the world has no effect");
            } else {
                self.spec.bodies[body].inertial = record;
            }
        }

        // a collision shape has the colour of the last visual before it; a negative red means none
        let mut color = None;
        for element in link.raw_children() {
            let is_visual = element.name() == "visual";
            if !is_visual && element.name() != "collision" {
                continue;
            }
            if is_visual && let Some(material) = self.child(element, "material") {
                color = self.color(material).or(color);
            }
            if is_visual && self.spec.compiler.discardvisual {
                continue;
            }
            if let Some(mut geom) = self.geom(element, is_visual) {
                geom.body = body;
                geom.rgba = color.filter(|rgba| rgba[0] >= 0.0).unwrap_or(geom.rgba);
                geom.name = self.geom_name(element);
                self.spec.geoms.push(geom);
            }
        }
    }

    fn inertial(&mut self, element: Element<'_>) -> Option<Inertial> {
        let (pos, quat) = self.origin(element);
        let mut record = Inertial { pos, at: element.at(), ..Inertial::default() };
        let mass = self.required_child(element, "mass")?;
        self.required(mass, "value", &mut record.mass);
        let inertia = self.required_child(element, "inertia")?;
        let mut full = [0.0; 6];
        for (name, x) in ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].into_iter().zip(&mut full) {
            self.required(inertia, name, x);
        }
        if full == [0.0; 6] {
            record.quat = quat;
        } else {
            // the principal axes take the place of the orientation: MuJoCo loses it
            record.fullinertia = Some(full);
            if quat != Quat::IDENTITY {
                let message = "rpy of an inertial has no effect: MuJoCo takes the inertia in the frame of the link";
                self.problems.warn(&element.at(), message);
            }
        }
        Some(record)
    }

    /// The colour of a material: its own, or that of another one with its name.
    fn color(&mut self, material: Element<'_>) -> Option<[f32; 4]> {
        if let Some(color) = self.child(material, "color") {
            let mut rgba = [0.0; 4];
            return self.required(color, "rgba", &mut rgba).then_some(rgba);
        }
        let name = self.text(material, "name")?;
        self.colors.get(name).copied()
    }

    /// Reads a visual or collision shape.
    fn geom(&mut self, element: Element<'_>, is_visual: bool) -> Option<Geom> {
        let geometry = self.required_child(element, "geometry")?;
        let (pos, quat) = self.origin(element);
        let mut geom = Geom { pos, quat, at: element.at(), ..Geom::default() };
        if is_visual {
            (geom.contype, geom.conaffinity, geom.group, geom.density) = (0, 0, 1, 0.0);
        }
        if let Some(shape) = self.child(geometry, "box") {
            geom.r#type = GeomType::Box;
            self.required(shape, "size", &mut geom.size);
            geom.size = geom.size.map(|x| x / 2.0);
        } else if let Some(shape) = self.child(geometry, "cylinder") {
            geom.r#type = GeomType::Cylinder;
            self.round(shape, &mut geom);
        } else if let Some(shape) = self.child(geometry, "sphere") {
            geom.r#type = GeomType::Sphere;
            self.required(shape, "radius", &mut geom.size[0]);
        } else if let Some(shape) = self.child(geometry, "capsule") {
            geom.r#type = GeomType::Capsule;
            self.round(shape, &mut geom);
        } else if let Some(shape) = self.child(geometry, "mesh") {
            geom.r#type = GeomType::Mesh;
            self.mesh(shape, &mut geom);
        } else {
            let message = "give one of <box>, <cylinder>, <sphere>, <capsule>, <mesh> inside";
            self.problems.invalid(&geometry.at(), "geometry", "", message);
            return None;
        }
        Some(geom)
    }

    /// Radius and length of a cylinder or capsule.
    fn round(&mut self, shape: Element<'_>, geom: &mut Geom) {
        self.required(shape, "radius", &mut geom.size[0]);
        self.required(shape, "length", &mut geom.size[1]);
        geom.size[1] /= 2.0;
    }

    /// A mesh, made once per file name and scale.
    ///
    /// Further scales of a file get a number after the name. MuJoCo forgets the number when such a scale comes again,
    /// and takes the first mesh.
    fn mesh(&mut self, shape: Element<'_>, geom: &mut Geom) {
        let Some(filename) = self.text(shape, "filename") else { return };
        let mut scale = Vec3::repeat(1.0);
        Fields::new(shape, self.problems).get("scale", &mut scale);
        let strip = self.spec.compiler.strippath;
        let file = if strip { source::file_name(filename) } else { filename };
        source::stem(file).clone_into(&mut geom.mesh);
        let scales = self.meshes.entry(geom.mesh.clone()).or_default();
        match scales.iter().position(|known| *known == scale) {
            Some(0) => return,
            Some(_) => {
                let message = format!("mesh '{}' is used with the scale of its first use, as in MuJoCo", geom.mesh);
                return self.problems.warn(&shape.at(), message);
            }
            None if !scales.is_empty() => geom.mesh = format!("{}{}", geom.mesh, scales.len()),
            None => {}
        }
        scales.push(scale);
        let record = Mesh { name: geom.mesh.clone(), file: file.to_owned(), scale, at: shape.at(), ..Mesh::default() };
        self.spec.meshes.push(record);
    }

    /// The name of a geom; empty if another one has it.
    fn geom_name(&mut self, element: Element<'_>) -> String {
        let name = element.attribute("name").unwrap_or_default();
        if name.is_empty() || self.geom_names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let message = format!("another shape is called '{name}': this one gets no name");
        self.problems.warn(&element.attribute_at("name"), message);
        String::new()
    }
}
