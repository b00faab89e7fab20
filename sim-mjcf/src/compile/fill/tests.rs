//! Contacts, tendons, equalities, actuators and sensors: numbers printed by MuJoCo 3.5.0, and what it refuses.

use crate::source::Memory;
use crate::{LoadOptions, Loaded, load_with};
use sim_core::Model;
use sim_types::{DataType, ObjType, OptId, Stage, WrapType};

/// Everything that a relation can refer to.
const TREE: &str = r#"<default><tendon stiffness="3"/><default class="k"><position kp="7"/></default>
 <default class="c"><pair friction="2" condim="4"/><equality solref=".1"/></default></default>
<worldbody>
 <geom name="floor" type="plane" size="1 1 1"/><site name="s0" pos="0 0 2"/>
 <body name="a" pos="0 0 1"><joint name="ja" range="-90 45"/><geom name="ga" size=".1"/><site name="sa" pos=".1 0 0"/>
  <body name="b" pos="1 0 0"><joint name="jb" type="slide" axis="1 0 0" range="-1 3"/>
   <geom name="gb" type="cylinder" size=".1 .2"/><site name="sb" pos="0 .3 0"/><site name="side" pos="0 .5 0"/>
   <camera name="cam" resolution="3 2"/></body></body>
 <body name="f" pos="2 0 0"><joint name="fx" type="slide" axis="1 0 0"/><joint name="fy" type="slide" axis="0 1 0"/>
  <geom name="gf" size=".1"/><site name="sf"/></body>
 <body name="o" pos="4 0 0"><joint name="jo" type="ball"/><geom name="go" size=".1"/></body>
</worldbody>"#;

fn try_load(more: &str) -> Result<Loaded, String> {
    let text = format!("<mujoco>{TREE}{more}</mujoco>");
    load_with(&Memory::from([("m.xml", text.as_str())]), "m.xml", LoadOptions::default()).map_err(|e| e.to_string())
}

#[track_caller]
fn load(more: &str) -> Model {
    try_load(more).unwrap().model
}

/// Each of these, inside `section`, must be refused with a message that contains the word.
#[track_caller]
fn refused(section: &str, cases: &[(&str, &str)]) {
    for (inside, word) in cases {
        let error = try_load(&format!("<{section}>{inside}</{section}>")).map(|_| ()).expect_err(inside);
        assert!(error.contains(word), "{inside}: {error}");
    }
}

fn ids(list: &[OptId]) -> Vec<i32> {
    list.iter().map(|id| id.raw()).collect()
}

#[test]
fn pairs_and_excludes_are_sorted_by_their_bodies() {
    let m = load(
        r#"<contact><pair name="p1" class="c" geom1="gb" geom2="ga"/><pair name="p0" geom1="ga" geom2="floor" friction="3"/>
           <exclude name="e1" body1="b" body2="a"/><exclude name="e0" body1="world" body2="a"/></contact>
           <custom><tuple name="t"><element objtype="pair" objname="p1"/></tuple></custom>"#,
    );
    assert_eq!((m.npair, m.nexclude), (2, 2));
    assert_eq!((&m.pair_geom1[..], &m.pair_geom2[..]), (&[0, 1][..], &[1, 2][..]));
    assert_eq!(m.pair_signature, [1, 65538]);
    assert_eq!(m.pair_dim, [3, 4]);
    assert_eq!(m.pair_friction, [[3.0, 1.0, 0.005, 0.0001, 0.0001], [2.0, 1.0, 0.005, 0.0001, 0.0001]]);
    assert_eq!(m.exclude_signature, [1, 65538]);
    assert_eq!(m.names.id(ObjType::Pair, "p1"), Some(1));
    assert_eq!(m.names.id(ObjType::Exclude, "e1"), Some(1));
    assert_eq!(ids(&m.tuple_objid), [1]);
    refused(
        "contact",
        &[
            ("<pair geom1='ga' geom2='gx'/>", "no geom named 'gx'"),
            ("<pair geom1='ga' geom2='gb' condim='2'/>", "condim"),
            ("<exclude body1='a' body2='x'/>", "no body named 'x'"),
            ("<exclude name='e' body1='a' body2='b'/><exclude name='e' body1='a' body2='b'/>", "already defined"),
        ],
    );
}

#[test]
fn tendons_have_paths_and_limits() {
    let m = load(
        r#"<tendon>
        <spatial name="t0" range="0 2" springlength=".5" user="1 2"><site site="s0"/><geom geom="gb" sidesite="side"/>
         <site site="sb"/><pulley divisor="2"/><site site="sa"/><site site="sb"/></spatial>
        <fixed name="t1" actuatorfrcrange="-1 1"><joint joint="ja" coef="2"/><joint joint="jb" coef="-1"/></fixed>
        </tendon>"#,
    );
    assert_eq!((m.ntendon, m.nwrap, m.nuser_tendon), (2, 8, 2));
    assert_eq!((&m.tendon_adr[..], &m.tendon_num[..]), (&[0, 6][..], &[6, 2][..]));
    assert_eq!(m.tendon_limited, [true, false]);
    assert_eq!(m.tendon_actfrclimited, [false; 2], "a range alone does not limit the force");
    assert_eq!(m.tendon_lengthspring, [[0.5, 0.5], [0.0, 0.0]]);
    assert_eq!(m.tendon_stiffness, [3.0; 2]);
    assert_eq!(m.tendon_user, [1.0, 2.0, 0.0, 0.0]);
    let kinds = m.wrap_type.iter().map(|w| w.number()).collect::<Vec<_>>();
    assert_eq!(kinds, [3, 5, 3, 2, 3, 3, 1, 1]);
    assert_eq!(m.wrap_type[1], WrapType::Cylinder);
    assert_eq!(ids(&m.wrap_objid), [0, 2, 2, -1, 1, 2, 0, 1]);
    assert_eq!(m.wrap_prm, [0.0, 3.0, 0.0, 2.0, 0.0, 0.0, 2.0, -1.0]);
}

#[test]
fn a_tendon_with_inertia_makes_its_bodies_general() {
    let path = r#"<site site="s0"/><site site="sf"/></spatial></tendon>"#;
    let without = load(&format!("<tendon><spatial>{path}"));
    let with = load(&format!("<tendon><spatial armature='.5'>{path}"));
    assert_eq!(without.body_simple[3], 2);
    assert_eq!(with.body_simple[3], 0);
    assert_eq!(with.nC, without.nC + 1);
}

#[test]
fn paths_that_make_no_sense_are_refused() {
    let (a, b) = ("<site site='sa'/>", "<site site='sb'/>");
    let (geom, pulley) = ("<geom geom='gb'/>", "<pulley divisor='1'/>");
    let spatial = |inside: String| format!("<spatial>{inside}</spatial>");
    let cases = [
        (spatial(String::new()), "empty"),
        (spatial(a.to_owned()), "at least two"),
        (spatial(format!("{a}{a}")), "repeated"),
        (spatial(format!("{a}{b}{pulley}")), "cannot end"),
        (spatial(format!("{a}{b}{pulley}{pulley}{a}{b}")), "right after"),
        (spatial(format!("{a}{b}{pulley}{a}")), "neighbour"),
        (spatial(format!("{a}{geom}")), "between two sites"),
        (spatial(format!("{a}<geom geom='floor'/>{b}")), "sphere or a cylinder"),
        (spatial(format!("{a}<pulley divisor='-1'/>{a}{b}")), "negative"),
        (format!("<spatial armature='1'>{a}{geom}{b}</spatial>"), "armature"),
        (format!("<spatial width='0'>{a}{b}</spatial>"), "width"),
        (format!("<spatial range='2 1' limited='true'>{a}{b}</spatial>"), "range"),
        (format!("<spatial springlength='2 1'>{a}{b}</spatial>"), "springlength"),
        (format!("<spatial actuatorfrclimited='true' actuatorfrcrange='1 2'>{a}{b}</spatial>"), "contains 0"),
        (format!("<spatial material='x'>{a}{b}</spatial>"), "material"),
    ];
    for (inside, word) in &cases {
        refused("tendon", &[(inside, word)]);
    }
    // a pulley may come first, and a ball joint may stand in a fixed tendon
    load(&format!("<tendon><spatial>{pulley}{a}{b}</spatial></tendon>"));
    load("<tendon><fixed><joint joint='jo' coef='1'/></fixed></tendon>");
}

#[test]
fn equalities_get_their_objects_and_numbers() {
    let m = load(
        r#"<tendon><fixed name="t0"><joint joint="ja" coef="1"/></fixed></tendon>
        <equality><connect name="q0" class="c" body1="b" anchor="1 2 3"/><weld body1="a" body2="f" torquescale=".3"/>
        <joint joint1="ja" joint2="jb" polycoef="1 2"/><tendon tendon1="t0"/>
        <weld site1="sa" site2="sb" active="false"/></equality>"#,
    );
    assert_eq!((m.neq, m.nemax), (5, 19));
    assert_eq!(ids(&m.eq_obj1id), [2, 1, 0, 0, 1]);
    assert_eq!(ids(&m.eq_obj2id), [0, 3, 1, -1, 2]);
    assert_eq!(m.eq_objtype.iter().map(|t| t.number()).collect::<Vec<_>>(), [1, 1, 0, 0, 6]);
    assert_eq!(m.eq_active0, [true, true, true, true, false]);
    assert_eq!((m.eq_solref[0], m.eq_solref[1]), ([0.1, 1.0], [0.02, 1.0]));
    assert_eq!(m.eq_data[0], [1.0, 2.0, 3.0, 2.0, 2.0, 4.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(m.eq_data[1], [0.0, 0.0, 0.0, 2.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.3]);
    assert_eq!(m.eq_data[2][..3], [1.0, 2.0, 0.0]);
    assert_eq!(m.eq_data[4], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    refused(
        "equality",
        &[
            ("<connect body1='a'/>", "body1 and anchor"),
            ("<connect body1='a' anchor='0 0 0' site1='sa'/>", "either bodies or sites"),
            ("<weld site1='sa'/>", "site1 and site2"),
            ("<weld body1='a' body2='a'/>", "must differ"),
            ("<weld body1='world'/>", "must differ"),
            ("<joint joint1='jo'/>", "hinge and slide"),
            ("<tendon tendon1='x'/>", "no tendon named 'x'"),
            ("<flexvert flex='x'/>", "no flex named 'x'"),
        ],
    );
}

#[test]
fn actuator_shortcuts_write_what_mujoco_writes() {
    let m = load(
        r#"<tendon><spatial name="t0"><site site="s0"/><site site="sb"/></spatial></tendon><actuator>
        <motor joint="ja" gear="3 1" ctrlrange="-1 1"/>
        <position class="k" joint="ja" kv="2" inheritrange=".5" nsample="4" delay=".01" interp="linear"/>
        <intvelocity joint="jb" kp="2" kv="1" inheritrange="1"/><velocity tendon="t0" kv="4"/>
        <damper joint="jb" kv="2" ctrlrange="0 1"/><cylinder joint="jb" diameter="2" bias="1 2 3" timeconst=".3"/>
        <muscle tendon="t0" lengthrange="1 2" scale="100"/><adhesion body="b" ctrlrange="0 1" gain="5"/>
        <general site="sb" refsite="sa" dyntype="user" actdim="3" gainprm="2 3"/>
        <general cranksite="sa" slidersite="sb" cranklength=".4"/></actuator>
        <keyframe><key ctrl="1 2 3" act="5"/></keyframe>"#,
    );
    assert_eq!((m.nu, m.na, m.nhistory), (10, 6, 10));
    let trn = m.actuator_trnid.iter().map(|t| [t[0].raw(), t[1].raw()]).collect::<Vec<_>>();
    assert_eq!(trn, [[0, -1], [0, -1], [1, -1], [0, -1], [1, -1], [1, -1], [0, -1], [2, -1], [2, 1], [1, 2]]);
    let numbers = |f: fn(&Model, usize) -> i32| (0..m.nu).map(|i| f(&m, i)).collect::<Vec<_>>();
    assert_eq!(numbers(|m, i| m.actuator_trntype[i].number()), [0, 0, 0, 3, 0, 0, 3, 5, 4, 2]);
    assert_eq!(numbers(|m, i| m.actuator_dyntype[i].number()), [0, 0, 1, 0, 0, 2, 4, 0, 5, 0]);
    assert_eq!(numbers(|m, i| m.actuator_gaintype[i].number()), [0, 0, 0, 0, 1, 0, 2, 0, 0, 0]);
    assert_eq!(numbers(|m, i| m.actuator_biastype[i].number()), [0, 1, 1, 1, 0, 1, 2, 0, 0, 0]);
    assert_eq!(numbers(|m, i| m.actuator_actadr[i].raw()), [-1, -1, 0, -1, -1, 1, 2, -1, 3, -1]);
    assert_eq!(numbers(|m, i| i32::from(m.actuator_ctrllimited[i])), [1, 1, 0, 0, 1, 0, 0, 1, 0, 0]);
    assert_eq!(numbers(|m, i| i32::from(m.actuator_actlimited[i])), [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(m.actuator_ctrlrange[1], [-0.9817477042468103, 0.19634954084936207]);
    assert_eq!(m.actuator_actrange[2], [-1.0, 3.0]);
    assert_eq!(m.actuator_gear[0], [3.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!((m.actuator_gainprm[1][0], m.actuator_biasprm[1][1], m.actuator_biasprm[1][2]), (7.0, -7.0, -2.0));
    assert_eq!((m.actuator_gainprm[4][0], m.actuator_gainprm[4][2]), (0.0, -2.0));
    assert_eq!((m.actuator_gainprm[5][0], m.actuator_biasprm[5][0]), (std::f64::consts::PI, 1.0));
    assert_eq!(m.actuator_gainprm[6], [0.75, 1.05, -1.0, 100.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0]);
    assert_eq!(m.actuator_dynprm[6][..3], [0.01, 0.04, 0.0]);
    assert_eq!((m.actuator_history[1], m.actuator_historyadr[1].get()), ([4, 1], Some(0)));
    assert_eq!(m.key_ctrl, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(m.key_act, [5.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn rules_of_actuators() {
    refused(
        "actuator",
        &[
            ("<motor/>", "acts on nothing"),
            ("<motor joint='ja' site='sa'/>", "only one of"),
            ("<motor joint='jx'/>", "no joint named 'jx'"),
            ("<motor joint='ja' cranklength='1'/>", "cranksite"),
            ("<motor joint='ja' refsite='sa'/>", "refsite"),
            ("<motor cranksite='sa' slidersite='sb'/>", "cranklength must be positive"),
            ("<motor joint='ja' ctrlrange='1 0' ctrllimited='true'/>", "ctrlrange"),
            ("<motor joint='ja' delay='1'/>", "nsample"),
            ("<motor joint='ja' nsample='16777217'/>", "at most"),
            ("<position joint='ja' kv='1' dampratio='1'/>", "both"),
            ("<position joint='ja' inheritrange='1' ctrlrange='0 1'/>", "both"),
            ("<position joint='fx' inheritrange='1'/>", "no range"),
            ("<position site='sa' inheritrange='1'/>", "joint or a tendon"),
            ("<intvelocity joint='ja'/>", "actrange"),
            ("<damper joint='ja' kv='1'/>", "ctrlrange"),
            ("<adhesion body='a' ctrlrange='-1 1'/>", "negative"),
            ("<muscle joint='ja' lmin='2'/>", "lmin < 1"),
            ("<general joint='ja' actrange='0 1'/>", "dyntype is none"),
            ("<general joint='ja' actdim='1'/>", "without dynamics"),
            ("<general joint='ja' actdim='2' dyntype='filter'/>", "dyntype is user"),
            ("<general joint='ja' actdim='2147483647' dyntype='user'/>", "numbers"),
        ],
    );
    // what MuJoCo drops in silence is said
    let servo = try_load("<actuator><intvelocity joint='ja' kv='1' dampratio='1' actrange='0 1'/></actuator>").unwrap();
    assert!(servo.report.warnings[0].message.contains("kv and dampratio"));
    assert_eq!(servo.model.actuator_biastype[0].number(), 0);
    // the length range of a muscle is found by simulation: the numbers are MuJoCo's; a path without end is an error
    let muscle = load("<actuator><muscle joint='ja'/></actuator>");
    let [low, high] = muscle.actuator_lengthrange[0];
    assert!(
        (low + 1.576_241_174_728_033).abs() < 1e-9 && (high - 0.791_348_169_114_885_9).abs() < 1e-9,
        "{low} {high}"
    );
    let endless = try_load("<actuator><muscle joint='fx'/></actuator>").unwrap_err();
    assert!(endless.contains("did not become steady"), "{endless}");
    let by_limit = load("<compiler><lengthrange uselimit='true'/></compiler><actuator><muscle joint='jb'/></actuator>");
    assert_eq!(by_limit.actuator_lengthrange, [[-1.0, 3.0]]);
}

#[test]
fn sensors_are_counted_and_typed() {
    let m = load(
        r#"<sensor><framequat name="fq" objtype="xbody" objname="b" reftype="site" refname="sa"/>
        <rangefinder camera="cam" data="dist normal"/>
        <contact geom1="ga" subtree2="b" num="3" data="found force dist" reduce="mindist"/>
        <touch site="sa" nsample="3" interval=".1 -.05" cutoff="2"/><user dim="2" user="9"/>
        <e_kinetic/><jointlimitvel joint="ja"/><normal geom1="ga" body2="f" cutoff="1"/></sensor>"#,
    );
    assert_eq!((m.nsensor, m.nsensordata, m.nhistory, m.nuser_sensor), (8, 51, 8, 1));
    let numbers = |f: fn(&Model, usize) -> i32| (0..m.nsensor).map(|i| f(&m, i)).collect::<Vec<_>>();
    assert_eq!(numbers(|m, i| m.sensor_type[i].number()), [27, 7, 42, 0, 48, 44, 21, 40]);
    assert_eq!(numbers(|m, i| m.sensor_objtype[i].number()), [2, 7, 5, 6, 0, 0, 3, 5]);
    assert_eq!(ids(&m.sensor_objid), [2, 0, 1, 1, -1, -1, 0, 1]);
    assert_eq!(numbers(|m, i| m.sensor_reftype[i].number()), [6, 0, 2, 0, 0, 0, 0, 1]);
    assert_eq!(ids(&m.sensor_refid), [1, -1, 2, -1, -1, -1, -1, 3]);
    assert_eq!((m.sensor_intprm[1], m.sensor_intprm[2]), ([17, 0, 0], [11, 1, 3]));
    assert_eq!(m.sensor_dim, [4, 24, 15, 1, 2, 1, 1, 3]);
    assert_eq!(m.sensor_adr, [0, 4, 28, 43, 44, 46, 47, 48]);
    assert_eq!(numbers(|m, i| m.sensor_datatype[i].number()), [3, 0, 0, 1, 0, 0, 0, 2]);
    assert_eq!(numbers(|m, i| m.sensor_needstage[i].number()), [1, 1, 3, 3, 3, 1, 2, 1]);
    assert_eq!((m.sensor_datatype[3], m.sensor_needstage[4]), (DataType::Positive, Stage::Acc));
    assert_eq!((m.sensor_history[3], m.sensor_historyadr[3].get()), ([3, 0], Some(0)));
    assert_eq!(m.sensor_interval[3], [0.1, -0.05]);
    assert_eq!(m.names.id(ObjType::Sensor, "fq"), Some(0));
}

#[test]
fn rules_of_sensors() {
    refused(
        "sensor",
        &[
            ("<touch site='x'/>", "no site named 'x'"),
            ("<touch site='sa' cutoff='-1'/>", "cutoff"),
            ("<touch site='sa' noise='-1'/>", "noise"),
            ("<touch site='sa' delay='1'/>", "nsample"),
            ("<touch site='sa' interval='1 -1'/>", "phase"),
            ("<jointpos joint='jo'/>", "hinge or slide"),
            ("<ballquat joint='ja'/>", "ball joint"),
            ("<jointlimitpos joint='fx'/>", "with limits"),
            ("<framepos objtype='joint' objname='ja'/>", "body, xbody"),
            ("<framepos objtype='foo' objname='ja'/>", "one of body"),
            ("<framepos objtype='body' objname='a' refname='b'/>", "reftype"),
            ("<framequat objtype='body' objname='a' cutoff='1'/>", "quaternion"),
            ("<rangefinder site='sa' camera='cam'/>", "exactly one"),
            ("<rangefinder site='sa' data='normal dist'/>", "in this order"),
            ("<distance geom1='ga' geom2='ga'/>", "must differ"),
            ("<distance geom1='ga'/>", "exactly one of geom2"),
            ("<contact num='0'/>", "positive"),
            ("<contact num='2147483647'/>", "numbers"),
            ("<contact geom1='ga' body1='a'/>", "at most one"),
            ("<user dim='-1'/>", "negative"),
            ("<user dim='2' datatype='axis'/>", "dim must be 3"),
            ("<tactile geom='ga' mesh='x'/>", "no mesh named 'x'"),
        ],
    );
    let odd = try_load("<sensor><framepos objtype='body' objname='a' reftype='foo' refname='b'/></sensor>").unwrap();
    assert!(odd.report.warnings[0].message.contains("'foo'"));
    assert_eq!(ids(&odd.model.sensor_refid), [-1]);
}

#[test]
fn what_relations_name_stays() {
    let tree = r#"<worldbody><geom name="p" size="1" contype="0" conaffinity="0"/>
        <geom name="t" size="1" contype="0" conaffinity="0"/><geom name="s" size="1" contype="0" conaffinity="0"/>
        <geom name="n" size="1" contype="0" conaffinity="0"/><site name="l" pos="2 0 0"/><site name="r" pos="0 2 0"/>
        <body name="e"/><body name="q"/><body name="x"/><body name="y"/><body name="z"/></worldbody>
        <contact><pair geom1="p" geom2="p"/><exclude body1="e" body2="world"/></contact>
        <tendon><spatial><site site="l"/><geom geom="t"/><site site="r"/></spatial></tendon>
        <equality><weld body1="q"/></equality><actuator><adhesion body="x" ctrlrange="0 1"/></actuator>
        <sensor><framepos objtype="geom" objname="s"/><subtreecom body="y"/></sensor>"#;
    let load = |compiler: &str| crate::load_model(&format!("<mujoco><compiler {compiler}/>{tree}</mujoco>")).unwrap();
    let discarded = load("discardvisual='true'");
    assert_eq!(discarded.names.all(ObjType::Geom), ["p", "t", "s"]);
    let fused = load("fusestatic='true'");
    assert_eq!(fused.names.all(ObjType::Body), ["world", "e", "q", "x", "y"]);
}
