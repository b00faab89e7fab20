//! Tests of the grammar check.

use super::*;
use crate::error::Problems;
use crate::xml::Document;

/// Errors and warnings of a document.
fn checked(text: &str) -> (Vec<String>, Vec<String>) {
    let mut doc = Document::default();
    let root = doc.parse("m.xml", text.as_bytes()).unwrap().unwrap();
    let mut problems = Problems::new();
    check(&doc, root, &mut problems);
    let errors = problems.check().err().map(|e| e.problems.iter().map(ToString::to_string).collect());
    let warnings = problems.take_report().warnings.iter().map(ToString::to_string).collect();
    (errors.unwrap_or_default(), warnings)
}

fn errors(inside: &str) -> Vec<String> {
    checked(&format!("<mujoco>{inside}</mujoco>")).0
}

#[test]
fn unknown_names_get_a_suggestion() {
    assert_eq!(
        errors("<worldbody><geom siez='1'/></worldbody>"),
        ["m.xml:1:26: <geom> has no attribute 'siez'; did you mean 'size'?"]
    );
    assert_eq!(
        errors("<worldbdoy/>"),
        ["m.xml:1:9: <worldbdoy> is not allowed in <mujoco>; did you mean 'worldbody'?"]
    );
    assert_eq!(errors("<worldbody><mesh/></worldbody>"), ["m.xml:1:20: <mesh> is not allowed in <worldbody>"]);
    assert_eq!(checked("<MuJoCo/>").0, ["m.xml:1:1: <MuJoCo> cannot be the root of a model; did you mean 'mujoco'?"]);
    assert_eq!(checked("<robot/>").0, ["m.xml:1:1: not supported yet: <robot>"]);
}

#[test]
fn several_errors_come_at_once_in_order() {
    let found =
        errors("<option timestep='a' gravity='1 2'/><worldbody><body><geom type='ball' bad=''/></body></worldbody>");
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[0].contains("timestep") && found[1].contains("gravity"));
    assert!(found[2].contains("type=\"ball\"") && found[3].contains("'bad'"));
}

#[test]
fn unique_elements_may_appear_once() {
    assert_eq!(
        errors("<option><flag/><flag/><flag/></option>"),
        ["m.xml:1:24: <flag> may appear once in <option>, found 3"]
    );
    assert!(errors("<option/><option/><default><default class='a'/><default class='b'/></default>").is_empty());
    assert_eq!(errors("<default><geom/><geom/></default>").len(), 1);
}

#[test]
fn required_attributes_are_missed() {
    assert_eq!(
        errors("<worldbody><body><inertial mass='' pos='0 0 0'/></body></worldbody>"),
        ["m.xml:1:26: <inertial> needs the attribute 'mass'"]
    );
}

#[test]
fn frames_are_lenient_but_not_blind() {
    let (errors, warnings) = checked(
        "<mujoco><worldbody><frame foo='1' class='x'><geom bar='1' size='1'><baz/></geom>\
         <body class='y'><inertial pos='0 0 0' mass='1'/><inertial pos='0 0 0' mass='2'/></body></frame></worldbody></mujoco>",
    );
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert_eq!(warnings[0], "m.xml:1:27: warning: <frame> has no attribute 'foo' (it is ignored)");
    assert_eq!(warnings[1], "m.xml:1:51: warning: <geom> has no attribute 'bar' (it is ignored inside <frame>)");
    // values and misplaced elements still count
    let (errors, _) = checked("<mujoco><worldbody><frame><geom size='x'/><mesh/></frame></worldbody></mujoco>");
    assert_eq!(errors.len(), 2, "{errors:?}");
}

#[test]
fn what_a_replicate_does_not_know_is_not_said_to_be_in_a_frame() {
    let (errors, warnings) = checked(
        "<mujoco><worldbody><replicate count='2' ofset='1 0 0'><geom size='1' bar='1'/></replicate></worldbody></mujoco>",
    );
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(
        warnings,
        [
            "m.xml:1:41: warning: <replicate> has no attribute 'ofset'; did you mean 'offset'? (it is ignored)",
            "m.xml:1:70: warning: <geom> has no attribute 'bar' (it is ignored inside <replicate>)"
        ]
    );
}

#[test]
fn bodies_outside_the_world_are_ignored_with_a_warning() {
    let (errors, warnings) = checked("<mujoco><body pos='x'><frame any='thing'/></body></mujoco>");
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(warnings, ["m.xml:1:9: warning: <body> is ignored here; it belongs in <worldbody>"]);
    assert_eq!(checked("<mujoco><body foo='1'/></mujoco>").0.len(), 1);
}

#[test]
fn the_world_has_no_attributes() {
    assert_eq!(errors("<worldbody name='w'/>"), ["m.xml:1:20: <worldbody> has no attribute 'name'"]);
}

#[test]
fn no_attribute_or_child_is_listed_twice() {
    let mut todo = vec![&MUJOCO];
    let mut seen: Vec<*const Rule> = Vec::new();
    while let Some(rule) = todo.pop() {
        if seen.contains(&std::ptr::from_ref(rule)) {
            continue;
        }
        seen.push(rule);
        let mut names: Vec<&str> = rule.all_attributes().map(|a| a.name).collect();
        let total = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), total, "<{}> lists an attribute twice", rule.name);
        let mut children: Vec<&str> = rule.children.iter().map(|c| c.name).collect();
        children.sort_unstable();
        children.dedup();
        assert_eq!(children.len(), rule.children.len(), "<{}> lists a child twice", rule.name);
        todo.extend(rule.children);
    }
    assert!(seen.len() > 150);
}
