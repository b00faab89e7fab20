//! Compiler settings, physics options, sizes and statistics.

use super::Reader;
use crate::attr::Fields;
use crate::keywords;
use crate::number::words;
use crate::spec::Size;
use crate::xml::Element;
use sim_types::{DisableFlags, EnableFlags};

pub(super) fn compiler(reader: &mut Reader<'_>, section: Element<'_>) {
    let c = &mut reader.spec.compiler;
    let mut f = Fields::new(section, reader.problems);
    f.get("autolimits", &mut c.autolimits);
    f.get("boundmass", &mut c.boundmass);
    f.get("boundinertia", &mut c.boundinertia);
    f.get("settotalmass", &mut c.settotalmass);
    f.get("balanceinertia", &mut c.balanceinertia);
    f.get("strippath", &mut c.strippath);
    f.get("fitaabb", &mut c.fitaabb);
    if section.attribute("coordinate") == Some("global") {
        f.wrong("coordinate", "local; global coordinates are no longer supported");
    }
    f.key("angle", &mut c.degree, &keywords::ANGLE);
    if let Some(text) = section.attribute("eulerseq") {
        match text.chars().collect::<Vec<_>>().as_slice() {
            &[a, b, d] => c.eulerseq = [a, b, d],
            _ => {
                f.wrong("eulerseq", "three letters, each one of x, y, z, X, Y, Z");
            }
        }
    }
    if f.get("assetdir", &mut c.meshdir) {
        c.texturedir.clone_from(&c.meshdir);
    }
    f.get("meshdir", &mut c.meshdir);
    f.get("texturedir", &mut c.texturedir);
    f.get("discardvisual", &mut c.discardvisual);
    f.get("usethread", &mut c.usethread);
    f.get("fusestatic", &mut c.fusestatic);
    f.key("inertiafromgeom", &mut c.inertiafromgeom, &keywords::INERTIA_FROM_GEOM);
    f.get("inertiagrouprange", &mut c.inertiagrouprange);
    f.get("alignfree", &mut c.alignfree);
    f.get("saveinertial", &mut c.saveinertial);

    if let Some(element) = section.raw_children().find(|e| e.name() == "lengthrange") {
        let lr = &mut c.lengthrange;
        let mut f = Fields::new(element, reader.problems);
        f.key("mode", &mut lr.mode, &keywords::LENGTH_RANGE);
        f.get("useexisting", &mut lr.useexisting);
        f.get("uselimit", &mut lr.uselimit);
        f.get("accel", &mut lr.accel);
        f.get("maxforce", &mut lr.maxforce);
        f.get("timeconst", &mut lr.timeconst);
        f.get("timestep", &mut lr.timestep);
        f.get("inttotal", &mut lr.inttotal);
        f.get("interval", &mut lr.interval);
        f.get("tolrange", &mut lr.tolrange);
    }
}

pub(super) fn option(reader: &mut Reader<'_>, section: Element<'_>) {
    let o = &mut reader.spec.option;
    let mut f = Fields::new(section, reader.problems);
    f.get("timestep", &mut o.timestep);
    f.get("impratio", &mut o.impratio);
    f.get("tolerance", &mut o.tolerance);
    f.get("ls_tolerance", &mut o.ls_tolerance);
    f.get("noslip_tolerance", &mut o.noslip_tolerance);
    f.get("ccd_tolerance", &mut o.ccd_tolerance);
    f.get("sleep_tolerance", &mut o.sleep_tolerance);
    f.get("gravity", &mut o.gravity);
    f.get("wind", &mut o.wind);
    f.get("magnetic", &mut o.magnetic);
    f.get("density", &mut o.density);
    f.get("viscosity", &mut o.viscosity);
    f.get("o_margin", &mut o.o_margin);
    f.overlay("o_solref", &mut o.o_solref);
    f.overlay("o_solimp", &mut o.o_solimp);
    f.overlay("o_friction", &mut o.o_friction);
    f.key("integrator", &mut o.integrator, &keywords::INTEGRATOR);
    f.key("cone", &mut o.cone, &keywords::CONE);
    f.key("jacobian", &mut o.jacobian, &keywords::JACOBIAN);
    f.key("solver", &mut o.solver, &keywords::SOLVER);
    f.get("iterations", &mut o.iterations);
    f.get("ls_iterations", &mut o.ls_iterations);
    f.get("noslip_iterations", &mut o.noslip_iterations);
    f.get("ccd_iterations", &mut o.ccd_iterations);
    f.get("sdf_iterations", &mut o.sdf_iterations);
    f.get("sdf_initpoints", &mut o.sdf_initpoints);

    // groups of actuators that are switched off; they add up over sections
    let mut groups = [-1; 31];
    f.overlay("actuatorgroupdisable", &mut groups);
    let given = words(section.attribute("actuatorgroupdisable").unwrap_or_default()).count().min(groups.len());
    for &group in &groups[..given] {
        match u32::try_from(group) {
            Ok(bit @ 0..=30) => o.disableactuator |= 1 << bit,
            _ => {
                f.wrong("actuatorgroupdisable", "groups between 0 and 30");
            }
        }
    }

    if let Some(element) = section.raw_children().find(|e| e.name() == "flag") {
        let mut f = Fields::new(element, reader.problems);
        let mut on = false;
        for (name, bit) in DisableFlags::NAMES {
            if f.key(name, &mut on, &keywords::ENABLE) {
                o.disableflags.set(bit, !on);
            }
        }
        for (name, bit) in EnableFlags::NAMES {
            if f.key(name, &mut on, &keywords::ENABLE) {
                o.enableflags.set(bit, on);
            }
        }
    }
}

pub(super) fn size(reader: &mut Reader<'_>, section: Element<'_>) {
    let s = &mut reader.spec.size;
    s.at = section.at();
    let mut f = Fields::new(section, reader.problems);
    if let Some(text) = section.attribute("memory") {
        match memory(text) {
            Some(Memory::Bytes(bytes)) => s.memory = Some(bytes),
            Some(Memory::Automatic) => {}
            None => {
                f.wrong("memory", "a whole number of bytes, which may end in K, M, G, T, P or E, or -1");
            }
        }
    }
    if f.get("nuserdata", &mut s.nuserdata) && s.nuserdata < 0 {
        f.wrong("nuserdata", "a number that is not negative");
    }
    f.get("nkey", &mut s.nkey);
    automatic(&mut f, "nconmax", &mut s.nconmax);
    // numbers below -1 go through, as in MuJoCo, which looks at the value before it is read
    let mut value = -1;
    if f.get("nstack", &mut value) {
        s.nstack = Some(i64::from(value)).filter(|v| *v != -1);
    }
    if f.get("njmax", &mut value) {
        s.njmax = Some(value).filter(|v| *v != -1);
    }
    for (name, given) in [("nstack", s.nstack.is_some()), ("njmax", s.njmax.is_some())] {
        if given && s.memory.is_some() && section.attribute(name).is_some() {
            f.wrong(name, "no value: memory is given already");
        }
    }
    let Size { nuser_body, nuser_jnt, nuser_geom, nuser_site, nuser_cam, .. } = s;
    automatic(&mut f, "nuser_body", nuser_body);
    automatic(&mut f, "nuser_jnt", nuser_jnt);
    automatic(&mut f, "nuser_geom", nuser_geom);
    automatic(&mut f, "nuser_site", nuser_site);
    automatic(&mut f, "nuser_cam", nuser_cam);
    automatic(&mut f, "nuser_tendon", &mut s.nuser_tendon);
    automatic(&mut f, "nuser_actuator", &mut s.nuser_actuator);
    automatic(&mut f, "nuser_sensor", &mut s.nuser_sensor);
}

pub(super) fn statistic(reader: &mut Reader<'_>, section: Element<'_>) {
    let s = &mut reader.spec.statistic;
    let mut f = Fields::new(section, reader.problems);
    for (name, field) in [
        ("meaninertia", &mut s.meaninertia),
        ("meanmass", &mut s.meanmass),
        ("meansize", &mut s.meansize),
        ("extent", &mut s.extent),
    ] {
        if f.maybe(name, field) {
            *field = field.filter(|x| !x.is_nan());
        }
    }
    if s.extent.is_some_and(|extent| extent <= 0.0) {
        f.wrong("extent", "a positive number");
    }
    if f.maybe("center", &mut s.center) {
        s.center = s.center.filter(|c| !c[0].is_nan());
    }
}

/// Reads a size where -1 means "automatic".
fn automatic(f: &mut Fields<'_, '_>, name: &str, field: &mut Option<i32>) {
    let mut value = -1;
    if f.get(name, &mut value) {
        *field = Some(value).filter(|v| *v >= 0);
        if value < -1 {
            f.wrong(name, "a number of at least -1");
        }
    }
}

enum Memory {
    Bytes(u64),
    Automatic,
}

/// A number of bytes with an optional suffix; `None` if it is not one.
fn memory(text: &str) -> Option<Memory> {
    let mut given = words(text);
    let word = given.next()?;
    if given.next().is_some() {
        return None;
    }
    if word == "-1" {
        return Some(Memory::Automatic);
    }
    let digits = word.strip_prefix('+').unwrap_or(word);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number: u64 = digits[..end].parse().ok()?;
    let shift = match digits[end..].to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        "P" => 50,
        "E" => 60,
        _ => return None,
    };
    number.checked_mul(1 << shift).map(Memory::Bytes)
}
