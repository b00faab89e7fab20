//! Geoms and sites.

use super::orientation;
use crate::attr::Fields;
use crate::error::Problems;
use crate::keywords;
use crate::spec::{Geom, Site};
use crate::xml::Element;

/// Reads the attributes of a geom, or of a class's geoms.
pub(crate) fn geom(element: Element<'_>, geom: &mut Geom, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("name", &mut geom.name);
    f.key("type", &mut geom.r#type, &keywords::GEOM);
    f.overlay("size", &mut geom.size);
    f.get("contype", &mut geom.contype);
    f.get("conaffinity", &mut geom.conaffinity);
    f.get("condim", &mut geom.condim);
    f.get("group", &mut geom.group);
    f.get("priority", &mut geom.priority);
    f.overlay("friction", &mut geom.friction);
    f.get("solmix", &mut geom.solmix);
    f.overlay("solref", &mut geom.solref);
    f.overlay("solimp", &mut geom.solimp);
    f.get("margin", &mut geom.margin);
    f.get("gap", &mut geom.gap);
    f.get("hfield", &mut geom.hfield);
    f.get("mesh", &mut geom.mesh);
    f.get("fitscale", &mut geom.fitscale);
    f.get("material", &mut geom.material);
    f.get("rgba", &mut geom.rgba);
    f.key("fluidshape", &mut geom.fluid_ellipsoid, &keywords::FLUID_SHAPE);
    f.overlay("fluidcoef", &mut geom.fluid_coefs);
    f.get("user", &mut geom.user);
    f.maybe("mass", &mut geom.mass);
    f.get("density", &mut geom.density);
    f.maybe("fromto", &mut geom.fromto);
    f.get("pos", &mut geom.pos);
    f.get("quat", &mut geom.quat);
    orientation(&mut f, &mut geom.alt);
    f.key("shellinertia", &mut geom.typeinertia, &keywords::SHELL);

    // a NaN means "not given", as everywhere in MuJoCo's compiler
    geom.mass = geom.mass.filter(|mass| !mass.is_nan());
    geom.fromto = geom.fromto.filter(|ends| !ends[0].is_nan());
}

/// Reads the attributes of a site, or of a class's sites.
pub(crate) fn site(element: Element<'_>, site: &mut Site, problems: &mut Problems) {
    let mut f = Fields::new(element, problems);
    f.get("name", &mut site.name);
    f.key("type", &mut site.r#type, &keywords::GEOM);
    f.overlay("size", &mut site.size);
    f.get("group", &mut site.group);
    f.get("pos", &mut site.pos);
    f.get("quat", &mut site.quat);
    f.get("material", &mut site.material);
    f.get("rgba", &mut site.rgba);
    f.maybe("fromto", &mut site.fromto);
    orientation(&mut f, &mut site.alt);
    f.get("user", &mut site.user);
    site.fromto = site.fromto.filter(|ends| !ends[0].is_nan());
}
