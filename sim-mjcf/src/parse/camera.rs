//! Cameras and lights.

use super::orientation;
use crate::attr::Fields;
use crate::error::Problems;
use crate::keywords;
use crate::number::words;
use crate::spec::{Camera, Light};
use crate::xml::Element;
use sim_types::LightType;

/// Reads the attributes of a camera, or of a class's cameras.
pub(crate) fn camera(element: Element<'_>, camera: &mut Camera, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("name", &mut camera.name);
    f.get("target", &mut camera.target);
    f.key("mode", &mut camera.mode, &keywords::CAMLIGHT);
    f.get("pos", &mut camera.pos);
    f.get("quat", &mut camera.quat);
    orientation(&mut f, &mut camera.alt);
    f.get("ipd", &mut camera.ipd);
    f.key("projection", &mut camera.projection, &keywords::PROJECTION);
    f.get("principalpixel", &mut camera.principal_pixel);
    f.get("principal", &mut camera.principal_length);
    f.get("focalpixel", &mut camera.focal_pixel);
    f.get("focal", &mut camera.focal_length);
    f.get("resolution", &mut camera.resolution);

    // output: some keywords, one bit each
    let bits = words(element.attribute("output").unwrap_or_default())
        .filter_map(|word| keywords::CAMERA_OUTPUT.iter().find(|(name, _)| *name == word))
        .fold(0, |bits, (_, bit)| bits | bit);
    if bits != 0 {
        camera.output = bits;
    }

    let sensorsize = f.get("sensorsize", &mut camera.sensor_size);
    let fovy = f.get("fovy", &mut camera.fovy);
    if fovy && sensorsize {
        f.refuse("only one of fovy and sensorsize may be given");
    }

    // user numbers of the class do not carry over
    camera.user.clear();
    f.get("user", &mut camera.user);
}

/// Reads the attributes of a light, or of a class's lights.
pub(crate) fn light(element: Element<'_>, light: &mut Light, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("name", &mut light.name);
    f.get("texture", &mut light.texture);
    f.get("target", &mut light.target);
    f.key("mode", &mut light.mode, &keywords::CAMLIGHT);
    let mut is_directional = false;
    let directional = f.get("directional", &mut is_directional);
    if directional {
        light.r#type = if is_directional { LightType::Directional } else { LightType::Spot };
    }
    if f.key("type", &mut light.r#type, &keywords::LIGHT) && directional {
        f.refuse("only one of type and directional may be given");
    }
    f.get("castshadow", &mut light.castshadow);
    f.get("active", &mut light.active);
    f.get("pos", &mut light.pos);
    f.get("dir", &mut light.dir);
    f.get("bulbradius", &mut light.bulbradius);
    f.get("intensity", &mut light.intensity);
    f.get("range", &mut light.range);
    f.get("attenuation", &mut light.attenuation);
    f.get("cutoff", &mut light.cutoff);
    f.get("exponent", &mut light.exponent);
    f.get("ambient", &mut light.ambient);
    f.get("diffuse", &mut light.diffuse);
    f.get("specular", &mut light.specular);
}
