//! Everything of a model outside of its tree.

use super::tree::optional;
use super::{WriteError, limited, name, reference, user};
use crate::spec::{
    Actuator, DefaultClass, Equality, Exclude, Interp, Key, LengthRangeMode, Limited, Numeric, Pair, PathObject,
    Sensor, Spec, Tendon, Text, Tuple, TupleElement, Wrap,
};
use sim_core::Model;
use sim_types::{BiasType, DynType, EqType, GainType, ObjType, TrnType, WrapType};
use std::ops::Range;

pub(super) fn fill(spec: &mut Spec, m: &Model) -> Result<(), WriteError> {
    spec.pairs = (0..m.npair).map(|i| pair(m, i)).collect::<Result<_, _>>()?;
    spec.excludes = (0..m.nexclude).map(|i| exclude(m, i)).collect::<Result<_, _>>()?;
    spec.equalities = (0..m.neq).map(|i| equality(m, i)).collect::<Result<_, _>>()?;
    for i in 0..m.ntendon {
        let record = tendon(m, i)?;
        push_tendon(spec, record);
    }
    spec.actuators = (0..m.nu).map(|i| actuator(m, i)).collect::<Result<_, _>>()?;
    let searched = |a: &Actuator| {
        let muscle = a.gaintype == GainType::Muscle || a.biastype == BiasType::Muscle;
        muscle && a.lengthrange[0] >= a.lengthrange[1]
    };
    if spec.actuators.iter().any(searched) {
        spec.compiler.lengthrange.mode = LengthRangeMode::None;
    }
    spec.sensors = (0..m.nsensor).map(|i| sensor(m, i)).collect::<Result<_, _>>()?;
    spec.keys = (0..m.nkey).map(|i| key(m, i)).collect();
    custom(spec, m)
}

fn pair(m: &Model, i: usize) -> Result<Pair, WriteError> {
    let geom = |id: u32| reference(m, ObjType::Geom, id as usize, "a contact pair");
    Ok(Pair {
        name: name(m, ObjType::Pair, i),
        geom1: geom(m.pair_geom1[i])?,
        geom2: geom(m.pair_geom2[i])?,
        condim: m.pair_dim[i] as i32,
        friction: m.pair_friction[i],
        solref: m.pair_solref[i],
        solreffriction: m.pair_solreffriction[i],
        solimp: m.pair_solimp[i],
        margin: m.pair_margin[i],
        gap: m.pair_gap[i],
        ..Pair::default()
    })
}

fn exclude(m: &Model, i: usize) -> Result<Exclude, WriteError> {
    let signature = m.exclude_signature[i];
    let body = |id: u32| reference(m, ObjType::Body, id as usize, "an excluded pair");
    let (body1, body2) = (body(signature >> 16)?, body(signature & 0xffff)?);
    Ok(Exclude { name: name(m, ObjType::Exclude, i), body1, body2, ..Exclude::default() })
}

fn equality(m: &Model, i: usize) -> Result<Equality, WriteError> {
    let kind = match m.eq_type[i] {
        EqType::Connect | EqType::Weld => m.eq_objtype[i],
        EqType::Tendon => ObjType::Tendon,
        EqType::Flex | EqType::FlexVert => ObjType::Flex,
        _ => ObjType::Joint,
    };
    let what = "an equality constraint";
    let second = m.eq_obj2id[i].get().filter(|id| kind != ObjType::Body || *id != Spec::WORLD);
    Ok(Equality {
        name: name(m, ObjType::Equality, i),
        r#type: m.eq_type[i],
        objtype: m.eq_objtype[i],
        name1: reference(m, kind, m.eq_obj1id[i].get().unwrap_or(usize::MAX), what)?,
        name2: second.map_or_else(|| Ok(String::new()), |id| reference(m, kind, id, what))?,
        data: m.eq_data[i],
        active: m.eq_active0[i],
        solref: m.eq_solref[i],
        solimp: m.eq_solimp[i],
        ..Equality::default()
    })
}

fn tendon(m: &Model, i: usize) -> Result<Tendon, WriteError> {
    let path: Result<Vec<Wrap>, WriteError> = m.tendon_objects(i).map(|object| wrap(m, object)).collect();
    Ok(Tendon {
        name: name(m, ObjType::Tendon, i),
        path: path?,
        limited: limited(m.tendon_limited[i], m.tendon_range[i]),
        range: m.tendon_range[i],
        margin: m.tendon_margin[i],
        solref_limit: m.tendon_solref_lim[i],
        solimp_limit: m.tendon_solimp_lim[i],
        actfrclimited: if m.tendon_actfrclimited[i] { Limited::True } else { Limited::False },
        actfrcrange: m.tendon_actfrcrange[i],
        stiffness: m.tendon_stiffness[i],
        springlength: m.tendon_lengthspring[i],
        damping: m.tendon_damping[i],
        armature: m.tendon_armature[i],
        frictionloss: m.tendon_frictionloss[i],
        solref_friction: m.tendon_solref_fri[i],
        solimp_friction: m.tendon_solimp_fri[i],
        group: m.tendon_group[i],
        width: m.tendon_width[i],
        material: optional(m, ObjType::Material, m.tendon_matid[i], "a tendon")?,
        rgba: m.tendon_rgba[i],
        user: user(&m.tendon_user, i, m.nuser_tendon),
        ..Tendon::default()
    })
}

/// Adds a tendon. A fixed one can only take its looks from a class.
fn push_tendon(spec: &mut Spec, mut tendon: Tendon) {
    let is_fixed = matches!(tendon.path.first().map(|w| &w.object), Some(PathObject::Joint { .. }));
    let base = Tendon::default();
    let looks = Tendon { width: tendon.width, rgba: tendon.rgba, material: tendon.material.clone(), ..base.clone() };
    if is_fixed && looks != base {
        let found = spec.defaults.iter().position(|class| class.tendon == looks);
        tendon.class = found.unwrap_or_else(|| {
            let name = format!("tendon_{}", spec.defaults.len());
            let class = DefaultClass { name, parent: Some(Spec::MAIN), tendon: looks, ..DefaultClass::default() };
            spec.defaults.push(class);
            spec.defaults.len() - 1
        });
    }
    spec.tendons.push(tendon);
}

fn wrap(m: &Model, i: usize) -> Result<Wrap, WriteError> {
    let what = "a tendon";
    let (id, number) = (m.wrap_objid[i].get().unwrap_or(usize::MAX), m.wrap_prm[i]);
    let object = match m.wrap_type[i] {
        WrapType::Joint => PathObject::Joint { joint: reference(m, ObjType::Joint, id, what)?, coef: number },
        WrapType::Site => PathObject::Site { site: reference(m, ObjType::Site, id, what)? },
        WrapType::Sphere | WrapType::Cylinder => {
            let side =
                if number < 0.0 { Ok(String::new()) } else { reference(m, ObjType::Site, number as usize, what) };
            PathObject::Geom { geom: reference(m, ObjType::Geom, id, what)?, sidesite: side? }
        }
        WrapType::Pulley | WrapType::None => PathObject::Pulley { divisor: number },
    };
    Ok(Wrap { object, ..Wrap::default() })
}

fn actuator(m: &Model, i: usize) -> Result<Actuator, WriteError> {
    let what = "an actuator";
    let kind = match m.actuator_trntype[i] {
        TrnType::Joint | TrnType::JointInParent => ObjType::Joint,
        TrnType::Tendon => ObjType::Tendon,
        TrnType::Body => ObjType::Body,
        TrnType::Site | TrnType::SliderCrank | TrnType::Undefined => ObjType::Site,
    };
    let [first, second] = m.actuator_trnid[i];
    let second = optional(m, ObjType::Site, second, what)?;
    let is_crank = m.actuator_trntype[i] == TrnType::SliderCrank;
    let (slidersite, refsite) = if is_crank { (second, String::new()) } else { (String::new(), second) };
    let dyntype = m.actuator_dyntype[i];
    Ok(Actuator {
        name: name(m, ObjType::Actuator, i),
        trntype: m.actuator_trntype[i],
        target: optional(m, kind, first, what)?,
        slidersite,
        refsite,
        cranklength: m.actuator_cranklength[i],
        gear: m.actuator_gear[i],
        lengthrange: m.actuator_lengthrange[i],
        dyntype,
        dynprm: m.actuator_dynprm[i],
        actdim: if dyntype == DynType::User { m.actuator_actnum[i] as i32 } else { -1 },
        actearly: m.actuator_actearly[i],
        gaintype: m.actuator_gaintype[i],
        gainprm: m.actuator_gainprm[i],
        biastype: m.actuator_biastype[i],
        biasprm: m.actuator_biasprm[i],
        ctrllimited: limited(m.actuator_ctrllimited[i], m.actuator_ctrlrange[i]),
        ctrlrange: m.actuator_ctrlrange[i],
        forcelimited: limited(m.actuator_forcelimited[i], m.actuator_forcerange[i]),
        forcerange: m.actuator_forcerange[i],
        actlimited: limited(m.actuator_actlimited[i], m.actuator_actrange[i]),
        actrange: m.actuator_actrange[i],
        nsample: m.actuator_history[i][0] as i32,
        interp: interp(m.actuator_history[i][1]),
        delay: m.actuator_delay[i],
        group: m.actuator_group[i],
        user: user(&m.actuator_user, i, m.nuser_actuator),
        ..Actuator::default()
    })
}

fn sensor(m: &Model, i: usize) -> Result<Sensor, WriteError> {
    let (objtype, reftype) = (m.sensor_objtype[i], m.sensor_reftype[i]);
    Ok(Sensor {
        name: name(m, ObjType::Sensor, i),
        r#type: m.sensor_type[i],
        objtype,
        objname: optional(m, objtype, m.sensor_objid[i], "a sensor")?,
        reftype,
        refname: optional(m, reftype, m.sensor_refid[i], "a sensor")?,
        intprm: m.sensor_intprm[i],
        dim: m.sensor_dim[i] as i32,
        datatype: m.sensor_datatype[i],
        needstage: m.sensor_needstage[i],
        cutoff: m.sensor_cutoff[i],
        noise: m.sensor_noise[i],
        nsample: m.sensor_history[i][0] as i32,
        interp: interp(m.sensor_history[i][1]),
        delay: m.sensor_delay[i],
        interval: m.sensor_interval[i],
        user: user(&m.sensor_user, i, m.nuser_sensor),
        ..Sensor::default()
    })
}

fn interp(number: u32) -> Interp {
    match number {
        1 => Interp::Linear,
        2 => Interp::Cubic,
        _ => Interp::Zoh,
    }
}

/// A keyframe; what is all zeros anyway is left out.
fn key(m: &Model, i: usize) -> Key {
    let part = |all: &[f64], n: usize| all.get(i * n..(i + 1) * n).unwrap_or_default().to_vec();
    let unless_zero = |all: &[f64], n: usize| {
        let own = part(all, n);
        if own.iter().all(|x| x.to_bits() == 0) { Vec::new() } else { own }
    };
    let mocap = i * m.nmocap..(i + 1) * m.nmocap;
    Key {
        name: name(m, ObjType::Key, i),
        time: m.key_time[i],
        qpos: part(&m.key_qpos, m.nq),
        qvel: unless_zero(&m.key_qvel, m.nv),
        act: unless_zero(&m.key_act, m.na),
        mpos: m.key_mpos.get(mocap.clone()).unwrap_or_default().iter().flat_map(|p| [p.x, p.y, p.z]).collect(),
        mquat: m.key_mquat.get(mocap).unwrap_or_default().iter().flat_map(|q| q.to_array()).collect(),
        ctrl: unless_zero(&m.key_ctrl, m.nu),
        ..Key::default()
    }
}

fn custom(spec: &mut Spec, m: &Model) -> Result<(), WriteError> {
    for i in 0..m.nnumeric {
        let data = m.numeric_data.get(range(m.numeric_adr[i], m.numeric_size[i])).unwrap_or_default().to_vec();
        spec.numerics.push(Numeric { name: name(m, ObjType::Numeric, i), data, ..Numeric::default() });
    }
    for i in 0..m.ntext {
        // without the zero at its end
        let bytes = m.text_data.get(range(m.text_adr[i], m.text_size[i].saturating_sub(1))).unwrap_or_default();
        let data = String::from_utf8_lossy(bytes).into_owned();
        spec.texts.push(Text { name: name(m, ObjType::Text, i), data, ..Text::default() });
    }
    for i in 0..m.ntuple {
        let mut tuple = Tuple { name: name(m, ObjType::Tuple, i), ..Tuple::default() };
        for e in range(m.tuple_adr[i], m.tuple_size[i]).take_while(|e| *e < m.ntupledata) {
            let objtype = m.tuple_objtype[e];
            let objname = reference(m, objtype, m.tuple_objid[e].get().unwrap_or(usize::MAX), "a tuple")?;
            let prm = m.tuple_objprm[e];
            tuple.elements.push(TupleElement { objtype, objname, prm, ..TupleElement::default() });
        }
        spec.tuples.push(tuple);
    }
    Ok(())
}

fn range(adr: u32, num: u32) -> Range<usize> {
    adr as usize..adr as usize + num as usize
}
