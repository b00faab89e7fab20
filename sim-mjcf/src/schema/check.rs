//! Compares a document with the grammar: names, counts, and the values of attributes.
//!
//! MuJoCo does not look at what stands inside a `<frame>` or `<replicate>`: unknown attributes there have no effect. The
//! same model comes out here, with a warning. Elements that MuJoCo accepts and then ignores give a warning too.

use super::tree::{BODY, FRAME, REPLICATE, WORLDBODY};
use super::{MUJOCO, Rule, nearest, settings};
use crate::attr;
use crate::error::{MjcfErrorKind, Problems};
use crate::xml::{Document, Element, NodeId};

/// How closely an element is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Everything must be right.
    Strict,
    /// Unknown attributes, and unknown elements that nobody reads, are only warned about.
    Lenient,
    /// Names must be right; values are never read.
    Ignored,
}

/// Notes everything in the document under `root` that the grammar does not allow.
pub(crate) fn check(doc: &Document, root: NodeId, problems: &mut Problems) {
    let root = doc.element(root);
    if root.name() != MUJOCO.name {
        return problems.push(&root.at(), wrong_root(root));
    }
    let mut todo: Vec<(NodeId, &'static Rule, Mode)> = vec![(root.id, &MUJOCO, Mode::Strict)];
    while let Some((id, rule, mode)) = todo.pop() {
        if problems.is_full() {
            return;
        }
        let element = doc.element(id);
        attributes(element, rule, mode, problems);
        let first = todo.len();
        children(element, rule, mode, problems, &mut todo);
        todo[first..].reverse();
    }
}

/// Warns about what has no effect in the `<mujoco>` block of a URDF file: MuJoCo takes what it knows and says nothing.
pub(crate) fn warn_unread(block: Element<'_>, problems: &mut Problems) {
    for attribute in block.attributes() {
        let message = format!("<mujoco {}> has no effect in a URDF file", attribute.name);
        problems.warn(&block.attribute_at(&attribute.name), message);
    }
    unread_children(block, &[&settings::COMPILER, &settings::OPTION, &settings::SIZE], problems);
}

/// Warns about children that have no rule, and about unknown attributes of those that have.
fn unread_children(parent: Element<'_>, rules: &[&'static Rule], problems: &mut Problems) {
    for child in parent.raw_children() {
        let element = child.name();
        let Some(rule) = rules.iter().find(|rule| rule.name == element) else {
            let message = format!("<{element}> in <{}> has no effect in a URDF file", parent.name());
            problems.warn(&child.at(), message);
            continue;
        };
        for attribute in child.attributes().iter().filter(|a| rule.attribute(&a.name).is_none()) {
            let (element, suggestion) =
                (element.into(), nearest(&attribute.name, rule.all_attributes().map(|a| a.name)));
            let kind = MjcfErrorKind::UnknownAttribute { element, attribute: attribute.name.to_string(), suggestion };
            problems.warn(&child.attribute_at(&attribute.name), format!("{kind} (it has no effect)"));
        }
        unread_children(child, rule.children, problems);
    }
}

fn wrong_root(root: Element<'_>) -> MjcfErrorKind {
    match root.name() {
        name if name.eq_ignore_ascii_case("robot") => MjcfErrorKind::Unsupported { element: "robot".into() },
        name => MjcfErrorKind::UnknownElement {
            element: name.into(),
            parent: String::new(),
            suggestion: Some(MUJOCO.name.into()),
        },
    }
}

/// Checks the attributes of one element.
fn attributes(element: Element<'_>, rule: &'static Rule, mode: Mode, problems: &mut Problems) {
    for attribute in element.attributes() {
        let at = || element.attribute_at(&attribute.name);
        let Some(known) = rule.attribute(&attribute.name) else {
            // inside a frame any element may name its class
            if mode == Mode::Lenient && &*attribute.name == "class" && is_in_body(rule) {
                continue;
            }
            let suggestion = nearest(&attribute.name, rule.all_attributes().map(|a| a.name));
            let kind = MjcfErrorKind::UnknownAttribute {
                element: element.name().into(),
                attribute: attribute.name.to_string(),
                suggestion,
            };
            if mode == Mode::Lenient {
                problems.warn(&at(), format!("{kind} ({})", ignored_in(element)));
            } else {
                problems.push(&at(), kind);
            }
            continue;
        };
        if mode == Mode::Ignored {
            continue;
        }
        match attr::check(&attribute.value, known.kind.value) {
            Ok(attr::Checked { nan: false }) => {}
            Ok(attr::Checked { nan: true }) => {
                problems.warn(&at(), format!("<{} {}> holds a NaN", element.name(), attribute.name));
            }
            Err(expected) => problems.push(&at(), attr::invalid(element, &attribute.name, expected)),
        }
    }
    for needed in rule.all_attributes().filter(|a| a.kind.required && mode != Mode::Ignored) {
        if !element.attribute(needed.name).is_some_and(|value| attr::is_given(value, needed.kind.value)) {
            let kind =
                MjcfErrorKind::MissingAttribute { element: element.name().into(), attribute: needed.name.into() };
            problems.push(&element.at(), kind);
        }
    }
}

/// Checks names and counts of the elements inside `element`, and puts them on the list.
fn children(
    element: Element<'_>,
    rule: &'static Rule,
    mode: Mode,
    problems: &mut Problems,
    todo: &mut Vec<(NodeId, &'static Rule, Mode)>,
) {
    let mut counts = vec![0usize; rule.children.len()];
    for child in element.children() {
        let Some(index) = rule.children.iter().position(|c| c.name == child.name()) else {
            unknown_child(child, element, rule, mode, problems);
            continue;
        };
        let child_rule = rule.children[index];
        counts[index] += 1;
        if child_rule.unique && counts[index] == 2 && mode != Mode::Lenient {
            let count = element.children().filter(|c| c.name() == child.name()).count();
            let kind = MjcfErrorKind::RepeatedElement { element: child.name().into(), parent: rule.name.into(), count };
            problems.push(&child.at(), kind);
        }

        let is_frame = child_rule.is(&FRAME) || child_rule.is(&REPLICATE);
        if rule.is(&MUJOCO) && (is_frame || child_rule.is(&BODY)) {
            problems.warn(&child.at(), format!("<{}> is ignored here; it belongs in <worldbody>", child.name()));
            todo.push((child.id, &BODY, Mode::Ignored));
        } else if is_frame && mode == Mode::Ignored {
            // nobody looks inside
        } else if is_frame {
            todo.push((child.id, child_rule, Mode::Lenient));
        } else if is_lost(child, element, rule) {
            let message =
                format!("<{}> is ignored when it comes from an <include> inside <{}>", child.name(), rule.name);
            problems.warn(&child.at(), message);
            todo.push((child.id, child_rule, Mode::Ignored));
        } else {
            todo.push((child.id, child_rule, mode));
        }
    }
}

fn unknown_child(child: Element<'_>, parent: Element<'_>, rule: &'static Rule, mode: Mode, problems: &mut Problems) {
    let kind = MjcfErrorKind::UnknownElement {
        element: child.name().into(),
        parent: parent.name().into(),
        suggestion: nearest(child.name(), rule.children.iter().map(|c| c.name)),
    };
    if mode == Mode::Lenient && !holds_bodies(rule) {
        problems.warn(&child.at(), format!("{kind} ({})", ignored_in(parent)));
    } else {
        problems.push(&child.at(), kind);
    }
}

/// Why nobody sees what is wrong with an element: it is a frame or a replicate, or stands in one.
fn ignored_in(element: Element<'_>) -> String {
    let mut at = element;
    loop {
        if matches!(at.name(), "frame" | "replicate") {
            break;
        }
        match at.parent() {
            Some(parent) => at = at.doc.element(parent),
            None => break,
        }
    }
    if at.id == element.id { "it is ignored".to_owned() } else { format!("it is ignored inside <{}>", at.name()) }
}

/// MuJoCo reads `<flag>` and `<lengthrange>` only where they stand literally in their parent.
fn is_lost(child: Element<'_>, parent: Element<'_>, rule: &'static Rule) -> bool {
    let literal = rule.is(&settings::OPTION) || rule.is(&settings::COMPILER);
    literal && child.parent() != Some(parent.id)
}

fn holds_bodies(rule: &'static Rule) -> bool {
    rule.children.iter().any(|c| c.is(&BODY))
}

fn is_in_body(rule: &'static Rule) -> bool {
    WORLDBODY.children.iter().any(|c| c.is(rule))
}
