//! Settings for viewers.

use super::Reader;
use crate::attr::Fields;
use crate::xml::Element;
use sim_types::visual::{Visual, VisualRgba, VisualScale};

pub(super) fn visual(reader: &mut Reader<'_>, section: Element<'_>) {
    for element in section.children() {
        let mut f = Fields::new(element, reader.problems);
        let v = &mut reader.spec.visual;
        match element.name() {
            "global" => global(&mut f, v),
            "quality" => {
                f.get("shadowsize", &mut v.quality.shadowsize);
                f.get("offsamples", &mut v.quality.offsamples);
                f.get("numslices", &mut v.quality.numslices);
                f.get("numstacks", &mut v.quality.numstacks);
                f.get("numquads", &mut v.quality.numquads);
            }
            "headlight" => {
                f.get("ambient", &mut v.headlight.ambient);
                f.get("diffuse", &mut v.headlight.diffuse);
                f.get("specular", &mut v.headlight.specular);
                f.get("active", &mut v.headlight.active);
            }
            "map" => map(&mut f, v),
            "scale" => scale(&mut f, &mut v.scale),
            "rgba" => rgba(&mut f, &mut v.rgba),
            _ => {}
        }
    }
}

fn global(f: &mut Fields<'_, '_>, v: &mut Visual) {
    let g = &mut v.global;
    f.get("cameraid", &mut g.cameraid);
    f.get("orthographic", &mut g.orthographic);
    f.get("fovy", &mut g.fovy);
    f.get("ipd", &mut g.ipd);
    f.get("azimuth", &mut g.azimuth);
    f.get("elevation", &mut g.elevation);
    f.get("linewidth", &mut g.linewidth);
    f.get("glow", &mut g.glow);
    f.get("offwidth", &mut g.offwidth);
    f.get("offheight", &mut g.offheight);
    if f.get("realtime", &mut g.realtime) && g.realtime <= 0.0 {
        f.wrong("realtime", "a positive number");
    }
    f.get("ellipsoidinertia", &mut g.ellipsoidinertia);
    f.get("bvactive", &mut g.bvactive);
}

fn map(f: &mut Fields<'_, '_>, v: &mut Visual) {
    let m = &mut v.map;
    f.get("stiffness", &mut m.stiffness);
    f.get("stiffnessrot", &mut m.stiffnessrot);
    f.get("force", &mut m.force);
    f.get("torque", &mut m.torque);
    f.get("alpha", &mut m.alpha);
    f.get("fogstart", &mut m.fogstart);
    f.get("fogend", &mut m.fogend);
    f.get("znear", &mut m.znear);
    if m.znear <= 0.0 {
        f.wrong("znear", "a positive number");
    }
    f.get("zfar", &mut m.zfar);
    f.get("haze", &mut m.haze);
    f.get("shadowclip", &mut m.shadowclip);
    f.get("shadowscale", &mut m.shadowscale);
    f.get("actuatortendon", &mut m.actuatortendon);
}

/// Reads attributes into the fields of the same name.
macro_rules! same_names {
    ($f:ident, $record:ident: $($name:ident)+) => {
        $($f.get(stringify!($name), &mut $record.$name);)+
    };
}

fn scale(f: &mut Fields<'_, '_>, s: &mut VisualScale) {
    same_names!(f, s: forcewidth contactwidth contactheight connect com camera light selectpoint jointlength);
    same_names!(f, s: jointwidth actuatorlength actuatorwidth framelength framewidth constraint slidercrank frustum);
}

fn rgba(f: &mut Fields<'_, '_>, r: &mut VisualRgba) {
    same_names!(f, r: fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light);
    same_names!(f, r: selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap);
    same_names!(f, r: rangefinder constraint slidercrank crankbroken frustum bv bvactive);
}
