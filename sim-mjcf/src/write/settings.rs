//! Settings: compiler, option, size, visual, statistic.

use super::text::{Xml, diff};
use crate::keywords;
use crate::spec::{Compiler, Size, StatisticOverride};
use sim_types::visual::{Visual, VisualRgba, VisualScale};
use sim_types::{DisableFlags, EnableFlags, Options};

pub(super) fn compiler(w: &mut Xml, c: &Compiler) {
    let b = &Compiler::default();
    w.start("compiler");
    w.key("angle", c.degree, b.degree, &keywords::ANGLE);
    w.diff("eulerseq", &c.eulerseq.iter().collect::<String>(), &b.eulerseq.iter().collect());
    diff!(w, c, b:
        "autolimits" => autolimits;
        "boundmass" => boundmass;
        "boundinertia" => boundinertia;
        "settotalmass" => settotalmass;
        "balanceinertia" => balanceinertia;
        "strippath" => strippath;
        "fitaabb" => fitaabb;
        "meshdir" => meshdir;
        "texturedir" => texturedir;
        "discardvisual" => discardvisual;
        "usethread" => usethread;
        "fusestatic" => fusestatic;
    );
    w.key("inertiafromgeom", c.inertiafromgeom, b.inertiafromgeom, &keywords::INERTIA_FROM_GEOM);
    diff!(w, c, b:
        "inertiagrouprange" => inertiagrouprange;
        "saveinertial" => saveinertial;
        "alignfree" => alignfree;
    );
    w.start("lengthrange");
    w.key("mode", c.lengthrange.mode, b.lengthrange.mode, &keywords::LENGTH_RANGE);
    diff!(w, c, b:
        "useexisting" => lengthrange.useexisting;
        "uselimit" => lengthrange.uselimit;
        "accel" => lengthrange.accel;
        "maxforce" => lengthrange.maxforce;
        "timeconst" => lengthrange.timeconst;
        "timestep" => lengthrange.timestep;
        "inttotal" => lengthrange.inttotal;
        "interval" => lengthrange.interval;
        "tolrange" => lengthrange.tolrange;
    );
    w.end_unless_empty();
    w.end_unless_empty();
}

pub(super) fn option(w: &mut Xml, o: &Options) {
    let b = &Options::default();
    w.start("option");
    diff!(w, o, b:
        "timestep" => timestep;
        "impratio" => impratio;
        "tolerance" => tolerance;
        "ls_tolerance" => ls_tolerance;
        "noslip_tolerance" => noslip_tolerance;
        "ccd_tolerance" => ccd_tolerance;
        "sleep_tolerance" => sleep_tolerance;
        "gravity" => gravity;
        "wind" => wind;
        "magnetic" => magnetic;
        "density" => density;
        "viscosity" => viscosity;
        "o_margin" => o_margin;
        "o_solref" => o_solref;
        "o_solimp" => o_solimp;
        "o_friction" => o_friction;
    );
    w.key("integrator", o.integrator, b.integrator, &keywords::INTEGRATOR);
    w.key("cone", o.cone, b.cone, &keywords::CONE);
    w.key("jacobian", o.jacobian, b.jacobian, &keywords::JACOBIAN);
    w.key("solver", o.solver, b.solver, &keywords::SOLVER);
    diff!(w, o, b:
        "iterations" => iterations;
        "ls_iterations" => ls_iterations;
        "noslip_iterations" => noslip_iterations;
        "ccd_iterations" => ccd_iterations;
        "sdf_iterations" => sdf_iterations;
        "sdf_initpoints" => sdf_initpoints;
    );
    let groups: Vec<u32> = (0..31).filter(|group| o.disableactuator >> group & 1 == 1).collect();
    w.diff("actuatorgroupdisable", &groups, &Vec::new());

    w.start("flag");
    for (name, bit) in DisableFlags::NAMES {
        w.key(name, !o.disableflags.contains(bit), !b.disableflags.contains(bit), &keywords::ENABLE);
    }
    for (name, bit) in EnableFlags::NAMES {
        w.key(name, o.enableflags.contains(bit), b.enableflags.contains(bit), &keywords::ENABLE);
    }
    w.end_unless_empty();
    w.end_unless_empty();
}

pub(super) fn size(w: &mut Xml, s: &Size) {
    let b = &Size::default();
    w.start("size");
    if let Some(bytes) = s.memory {
        w.set("memory", &bytes);
    }
    for (name, n) in [
        ("njmax", s.njmax.map(i64::from)),
        ("nconmax", s.nconmax.map(i64::from)),
        ("nstack", s.nstack),
        ("nuser_body", s.nuser_body.map(i64::from)),
        ("nuser_jnt", s.nuser_jnt.map(i64::from)),
        ("nuser_geom", s.nuser_geom.map(i64::from)),
        ("nuser_site", s.nuser_site.map(i64::from)),
        ("nuser_cam", s.nuser_cam.map(i64::from)),
        ("nuser_tendon", s.nuser_tendon.map(i64::from)),
        ("nuser_actuator", s.nuser_actuator.map(i64::from)),
        ("nuser_sensor", s.nuser_sensor.map(i64::from)),
    ] {
        if let Some(n) = n {
            w.set(name, &n);
        }
    }
    diff!(w, s, b:
        "nuserdata" => nuserdata;
        "nkey" => nkey;
    );
    w.end_unless_empty();
}

pub(super) fn statistic(w: &mut Xml, s: &StatisticOverride) {
    w.start("statistic");
    let numbers =
        [("meaninertia", s.meaninertia), ("meanmass", s.meanmass), ("meansize", s.meansize), ("extent", s.extent)];
    for (name, number) in numbers {
        if let Some(x) = number {
            w.set(name, &x);
        }
    }
    if let Some(center) = s.center {
        w.set("center", &center);
    }
    w.end_unless_empty();
}

pub(super) fn visual(w: &mut Xml, v: &Visual) {
    let b = &Visual::default();
    w.start("visual");
    global(w, v, b);
    w.start("quality");
    diff!(w, v, b:
        "shadowsize" => quality.shadowsize;
        "offsamples" => quality.offsamples;
        "numslices" => quality.numslices;
        "numstacks" => quality.numstacks;
        "numquads" => quality.numquads;
    );
    w.end_unless_empty();
    w.start("headlight");
    diff!(w, v, b:
        "ambient" => headlight.ambient;
        "diffuse" => headlight.diffuse;
        "specular" => headlight.specular;
        "active" => headlight.active;
    );
    w.end_unless_empty();
    map(w, v, b);
    w.start("scale");
    scale(w, &v.scale, &b.scale);
    w.end_unless_empty();
    w.start("rgba");
    rgba(w, &v.rgba, &b.rgba);
    w.end_unless_empty();
    w.end_unless_empty();
}

fn global(w: &mut Xml, v: &Visual, b: &Visual) {
    w.start("global");
    diff!(w, v, b:
        "cameraid" => global.cameraid;
        "orthographic" => global.orthographic;
        "fovy" => global.fovy;
        "ipd" => global.ipd;
        "azimuth" => global.azimuth;
        "elevation" => global.elevation;
        "linewidth" => global.linewidth;
        "glow" => global.glow;
        "offwidth" => global.offwidth;
        "offheight" => global.offheight;
        "realtime" => global.realtime;
        "ellipsoidinertia" => global.ellipsoidinertia;
        "bvactive" => global.bvactive;
    );
    w.end_unless_empty();
}

fn map(w: &mut Xml, v: &Visual, b: &Visual) {
    w.start("map");
    diff!(w, v, b:
        "stiffness" => map.stiffness;
        "stiffnessrot" => map.stiffnessrot;
        "force" => map.force;
        "torque" => map.torque;
        "alpha" => map.alpha;
        "fogstart" => map.fogstart;
        "fogend" => map.fogend;
        "znear" => map.znear;
        "zfar" => map.zfar;
        "haze" => map.haze;
        "shadowclip" => map.shadowclip;
        "shadowscale" => map.shadowscale;
        "actuatortendon" => map.actuatortendon;
    );
    w.end_unless_empty();
}

/// Writes fields as attributes of the same name.
macro_rules! same_names {
    ($w:ident, $a:ident, $b:ident: $($name:ident)+) => {
        $($w.diff(stringify!($name), &$a.$name, &$b.$name);)+
    };
}

fn scale(w: &mut Xml, s: &VisualScale, b: &VisualScale) {
    same_names!(w, s, b: forcewidth contactwidth contactheight connect com camera light selectpoint jointlength);
    same_names!(w, s, b: jointwidth actuatorlength actuatorwidth framelength framewidth constraint slidercrank frustum);
}

fn rgba(w: &mut Xml, r: &VisualRgba, b: &VisualRgba) {
    same_names!(w, r, b: fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light);
    same_names!(w, r, b: selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap);
    same_names!(w, r, b: rangefinder constraint slidercrank crankbroken frustum bv bvactive);
}
