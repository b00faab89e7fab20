//! `sim info`: what a model is, and what it needs.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};
use sim_core::Model;
use sim_core::support::missing;
use sim_types::{DisableFlags, EnableFlags, ObjType, Vec3};

use crate::args::InfoArgs;
use crate::load::{Loaded, load};
use crate::text::{BOLD, DIM, GOOD, NAME, WARN, number, seconds};

/// Bodies shown unless all are asked for.
const SHORT: usize = 40;
/// Deeper bodies are not indented further.
const DEEPEST: usize = 24;

pub(crate) fn run(args: &InfoArgs) -> Result<()> {
    let loaded = load(&args.model)?;
    if args.json {
        writeln!(anstream::stdout(), "{:#}", as_json(&loaded))?;
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    let m = &loaded.model;
    let name = if m.modelname.is_empty() { args.model.display().to_string() } else { m.modelname.clone() };
    let mass: f64 = m.body_mass.iter().sum();
    writeln!(
        out,
        "{BOLD}{name}{BOLD:#}  {DIM}{} dofs, {} kg, loaded in {}{DIM:#}\n",
        m.nv,
        number(mass),
        seconds(loaded.time.as_secs_f64())
    )?;
    sizes(&mut out, m)?;
    options(&mut out, m)?;
    bodies(&mut out, m, args.all)?;
    keyframes(&mut out, m)?;
    readiness(&mut out, m)?;
    for warning in &loaded.report.warnings {
        writeln!(out, "{WARN}warning:{WARN:#} {}: {}", warning.at, warning.message)?;
    }
    Ok(())
}

const SIZES: [&str; 24] = [
    "nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "ncam", "nlight", "nmesh", "nhfield", "nflex", "npair",
    "nexclude", "neq", "ntendon", "nsensor", "nnumeric", "ntext", "ntuple", "nkey", "nmocap", "ntree",
];

/// Sizes that are not zero, in columns.
fn sizes(out: &mut impl Write, m: &Model) -> Result<()> {
    let always = ["nq", "nv", "nu", "nbody"];
    let shown = SIZES.iter().filter_map(|name| {
        let n = m.size(name)?;
        (n > 0 || always.contains(name)).then_some((*name, n))
    });
    for row in shown.collect::<Vec<_>>().chunks(6) {
        for (name, n) in row {
            write!(out, "  {DIM}{name:<8}{DIM:#}{n:<5}")?;
        }
        writeln!(out)?;
    }
    writeln!(out)?;
    Ok(())
}

fn options(out: &mut impl Write, m: &Model) -> Result<()> {
    let vector = |v: &Vec3| format!("{} {} {}", number(v.x), number(v.y), number(v.z));
    let opt = &m.opt;
    let mut rows = vec![
        ("timestep", format!("{} s", number(opt.timestep))),
        ("gravity", vector(&opt.gravity)),
        ("integrator", format!("{:?}", opt.integrator)),
        ("solver", format!("{:?}, {:?} cone, {} iterations", opt.solver, opt.cone, opt.iterations).to_lowercase()),
    ];
    if opt.density != 0.0 || opt.viscosity != 0.0 {
        let text = format!("density {}, viscosity {}", number(opt.density), number(opt.viscosity));
        rows.push(("medium", text));
    }
    if opt.wind != Vec3::zeros() {
        rows.push(("wind", vector(&opt.wind)));
    }
    let disabled = disabled(m);
    if !disabled.is_empty() {
        rows.push(("disabled", disabled.join(", ")));
    }
    let enabled = enabled(m);
    if !enabled.is_empty() {
        rows.push(("enabled", enabled.join(", ")));
    }
    for (name, value) in rows {
        writeln!(out, "  {DIM}{name:<12}{DIM:#}{value}")?;
    }
    writeln!(out)?;
    Ok(())
}

fn disabled(m: &Model) -> Vec<&'static str> {
    DisableFlags::NAMES.iter().filter(|(_, flag)| !m.opt.has(*flag)).map(|(name, _)| *name).collect()
}

fn enabled(m: &Model) -> Vec<&'static str> {
    EnableFlags::NAMES.iter().filter(|(_, flag)| m.opt.enabled(*flag)).map(|(name, _)| *name).collect()
}

/// The tree of bodies with masses and joints.
fn bodies(out: &mut impl Write, m: &Model, all: bool) -> Result<()> {
    let shown = if all || m.nbody <= SHORT + 5 { m.nbody } else { SHORT };
    let branches = branches(m);
    let names: Vec<String> = (0..shown).map(|body| body_name(m, body)).collect();
    let widths = names.iter().zip(&branches).map(|(name, branch)| name.chars().count() + branch.chars().count());
    let width = widths.max().unwrap_or(0).min(48);
    for (body, name) in names.iter().enumerate() {
        let branch = &branches[body];
        let pad = width.saturating_sub(branch.chars().count() + name.chars().count());
        let mass = if body == 0 { String::new() } else { format!("{} kg", number(m.body_mass[body])) };
        write!(out, "  {DIM}{branch}{DIM:#}{NAME}{name}{NAME:#}{:pad$}  {mass:>12}", "")?;
        let joints: Vec<String> = joints(m, body).map(|(name, kind)| format!("{name} ({kind})")).collect();
        writeln!(out, "   {}", joints.join(", "))?;
    }
    if shown < m.nbody {
        writeln!(out, "  {DIM}and {} more; --all shows them{DIM:#}", m.nbody - shown)?;
    }
    writeln!(out)?;
    Ok(())
}

/// The lines left of every body's name.
fn branches(m: &Model) -> Vec<String> {
    let parent = |body: usize| m.body_parentid[body] as usize;
    let mut last_child = vec![0; m.nbody];
    let mut depth = vec![0; m.nbody];
    for body in 1..m.nbody {
        last_child[parent(body)] = body;
        depth[body] = depth[parent(body)] + 1;
    }
    let is_last = |body: usize| last_child[parent(body)] == body;
    let mut branches = vec![String::new(); m.nbody];
    for body in 1..m.nbody {
        if depth[body] > DEEPEST {
            branches[body] = format!("{:indent$}⋯ ", "", indent = 3 * DEEPEST);
            continue;
        }
        let mut pieces = vec![if is_last(body) { "└─ " } else { "├─ " }];
        let mut above = parent(body);
        while above != 0 {
            pieces.push(if is_last(above) { "   " } else { "│  " });
            above = parent(above);
        }
        branches[body] = pieces.into_iter().rev().collect();
    }
    branches
}

fn body_name(m: &Model, body: usize) -> String {
    let fallback = || if body == 0 { "world".to_owned() } else { format!("body {body}") };
    m.names.name(ObjType::Body, body).map_or_else(fallback, str::to_owned)
}

fn joints(m: &Model, body: usize) -> impl Iterator<Item = (String, String)> {
    m.body_jnts(body).map(|jnt| {
        let name = m.names.name(ObjType::Joint, jnt).map_or_else(|| format!("joint {jnt}"), str::to_owned);
        (name, format!("{:?}", m.jnt_type[jnt]).to_lowercase())
    })
}

fn keyframes(out: &mut impl Write, m: &Model) -> Result<()> {
    if m.nkey == 0 {
        return Ok(());
    }
    let name = |key: usize| m.names.name(ObjType::Key, key).map_or_else(|| key.to_string(), str::to_owned);
    let mut names: Vec<String> = (0..m.nkey.min(12)).map(name).collect();
    if m.nkey > names.len() {
        names.push(format!("and {} more", m.nkey - names.len()));
    }
    writeln!(out, "  {DIM}keyframes   {DIM:#}{}\n", names.join(", "))?;
    Ok(())
}

fn readiness(out: &mut impl Write, m: &Model) -> Result<()> {
    let gaps = missing(m);
    if gaps.is_empty() {
        writeln!(out, "{GOOD}ready to run{GOOD:#}")?;
        return Ok(());
    }
    writeln!(out, "{WARN}cannot be simulated yet{WARN:#}, this version does not have:")?;
    for gap in gaps {
        writeln!(out, "  {}", gap.what)?;
    }
    Ok(())
}

fn as_json(loaded: &Loaded) -> Value {
    let m = &loaded.model;
    let sizes: serde_json::Map<String, Value> =
        SIZES.iter().filter_map(|name| Some(((*name).to_owned(), json!(m.size(name)?)))).collect();
    let body = |body: usize| {
        let joints: Vec<Value> = joints(m, body).map(|(name, kind)| json!({"name": name, "type": kind})).collect();
        let parent = if body == 0 { Value::Null } else { json!(m.body_parentid[body]) };
        json!({"name": body_name(m, body), "parent": parent, "mass": m.body_mass[body], "joints": joints})
    };
    let opt = &m.opt;
    let missing: Vec<Value> = missing(m)
        .into_iter()
        .map(|gap| json!({"stage": format!("{:?}", gap.stage).to_lowercase(), "what": gap.what}))
        .collect();
    json!({
        "name": m.modelname,
        "load_seconds": loaded.time.as_secs_f64(),
        "mass": m.body_mass.iter().sum::<f64>(),
        "sizes": sizes,
        "option": {
            "timestep": opt.timestep,
            "gravity": [opt.gravity.x, opt.gravity.y, opt.gravity.z],
            "integrator": format!("{:?}", opt.integrator),
            "solver": format!("{:?}", opt.solver),
            "cone": format!("{:?}", opt.cone),
            "iterations": opt.iterations,
            "density": opt.density,
            "viscosity": opt.viscosity,
            "disabled": disabled(m),
            "enabled": enabled(m),
        },
        "bodies": (0..m.nbody).map(body).collect::<Vec<_>>(),
        "keyframes": m.names.all(ObjType::Key),
        "missing": missing,
        "warnings": loaded.report.warnings.iter().map(|w| format!("{}: {}", w.at, w.message)).collect::<Vec<_>>(),
    })
}
