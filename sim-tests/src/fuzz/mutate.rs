//! Making mutants.

use super::case::Case;
use super::seeds::{Seeds, is_model};
use super::snippets::SNIPPETS;
use super::tree::Element;
use super::{bytes, values};
use crate::Rng;

/// The case with this number. The first are the seeds themselves; after them come mutants of random seeds.
pub fn mutant(seeds: &Seeds, seed: u64, number: u64) -> Case {
    let mut rng = Rng::new(seed ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03));
    let states = rng.bits();
    if let Some(case) = usize::try_from(number).ok().and_then(|n| seeds.cases.get(n)) {
        return Case { states, ..case.clone() };
    }
    let from = if rng.one_in(10) { &seeds.cases[..] } else { &seeds.cases[..seeds.good] };
    let mut case = rng.pick(from).cloned().unwrap_or_default();
    case.states = states;

    // other files than XML now and then
    let assets: Vec<String> = case.files.keys().filter(|path| !is_model(path)).cloned().collect();
    let only_assets = !assets.is_empty() && rng.one_in(2);
    if let Some(bytes) = rng.pick(&assets).filter(|_| only_assets).and_then(|path| case.files.get_mut(path)) {
        for _ in 0..=rng.below(3) {
            bytes::mutate(&mut rng, bytes);
        }
        if !rng.one_in(4) {
            return case;
        }
    }

    // the model, or a file it includes
    let texts: Vec<String> = case.files.keys().filter(|path| is_model(path)).cloned().collect();
    let path = if rng.one_in(5) { rng.pick(&texts).cloned() } else { None }.unwrap_or_else(|| case.main.clone());
    if let Some(text) = case.files.get_mut(&path) {
        change_text(&mut rng, seeds, text);
    }
    case
}

/// Changes the tree; sometimes the text too, or only the text when it is no XML.
fn change_text(rng: &mut Rng, seeds: &Seeds, text: &mut Vec<u8>) {
    let parsed = Element::parse(text);
    let broken = parsed.is_none();
    if let Some(mut root) = parsed {
        // mostly few changes, so that much of the model still makes sense
        let changes = 1 + rng.below(2) + if rng.one_in(4) { rng.below(8) } else { 0 };
        for _ in 0..changes {
            change(rng, seeds, &mut root);
        }
        *text = root.write().into_bytes();
    }
    if broken || rng.one_in(12) {
        bytes::mutate(rng, text);
    }
}

/// One change of a tree.
fn change(rng: &mut Rng, seeds: &Seeds, root: &mut Element) {
    match rng.below(20) {
        0..=7 => change_attribute(rng, seeds, root),
        8 | 9 => add_attribute(rng, seeds, root),
        10 => delete(rng, root),
        11 => duplicate(rng, root),
        12 => move_element(rng, root),
        13 => wrap(rng, root),
        14 => {
            let (Some(element), Some(name)) = (any(rng, root), rng.pick(&seeds.elements)) else { return };
            element.name.clone_from(name);
        }
        _ => insert(rng, root),
    }
}

/// Any element.
fn any<'e>(rng: &mut Rng, root: &'e mut Element) -> Option<&'e mut Element> {
    let n = rng.below(root.count());
    root.nth_mut(n)
}

/// An element that has one inside, and which.
fn parent<'e>(rng: &mut Rng, root: &'e mut Element) -> Option<(&'e mut Element, usize)> {
    let first = rng.below(root.count());
    let n = (first..root.count()).chain(0..first).find(|&n| root.nth_mut(n).is_some_and(|e| !e.children.is_empty()))?;
    let element = root.nth_mut(n)?;
    let child = rng.below(element.children.len());
    Some((element, child))
}

fn change_attribute(rng: &mut Rng, seeds: &Seeds, root: &mut Element) {
    // elements without attributes are passed over a few times
    let count = root.count();
    let Some(n) = (0..8).map(|_| rng.below(count)).find(|&n| root.nth_mut(n).is_some_and(|e| !e.attributes.is_empty()))
    else {
        return;
    };
    let Some(element) = root.nth_mut(n) else { return };
    let at = rng.below(element.attributes.len());
    if rng.one_in(12) {
        element.attributes.remove(at);
        return;
    }
    let (name, value) = &mut element.attributes[at];
    *value = match rng.below(8) {
        0 => rng.pick(&seeds.names).cloned().unwrap_or_default(),
        1 | 2 => {
            let known = seeds.attributes.iter().find(|(n, _)| n == name);
            known.and_then(|(_, values)| rng.pick(values)).cloned().unwrap_or_default()
        }
        3 => values::value(rng),
        _ => values::edited(rng, value),
    };
}

fn add_attribute(rng: &mut Rng, seeds: &Seeds, root: &mut Element) {
    let Some((name, known)) = rng.pick(&seeds.attributes) else { return };
    let value = match rng.below(3) {
        0 => values::value(rng),
        _ => rng.pick(known).cloned().unwrap_or_default(),
    };
    // an element that has a namesake elsewhere is a good place for it, any other will be refused by the grammar
    if let Some(element) = any(rng, root) {
        element.set(name, value);
    }
}

fn delete(rng: &mut Rng, root: &mut Element) {
    if let Some((element, child)) = parent(rng, root) {
        element.children.remove(child);
    }
}

fn duplicate(rng: &mut Rng, root: &mut Element) {
    let Some((element, child)) = parent(rng, root) else { return };
    let mut copy = element.children[child].clone();
    let times = if rng.one_in(8) { rng.below(300) } else { 1 };
    // names are taken: without them the copies stay valid
    if !rng.one_in(3) {
        remove_names(&mut copy);
    }
    if copy.count() * times < 5000 {
        element.children.extend(std::iter::repeat_n(copy, times));
    }
}

fn remove_names(element: &mut Element) {
    element.attributes.retain(|(name, _)| name != "name");
    element.children.iter_mut().for_each(remove_names);
}

fn move_element(rng: &mut Rng, root: &mut Element) {
    let Some((element, child)) = parent(rng, root) else { return };
    let moved = element.children.remove(child);
    if let Some(element) = any(rng, root) {
        element.children.push(moved);
    }
}

/// Puts an element into others, sometimes into very many.
fn wrap(rng: &mut Rng, root: &mut Element) {
    let Some((element, child)) = parent(rng, root) else { return };
    let name = *rng.pick(&["frame", "body", "replicate", "default", "worldbody"]).unwrap_or(&"body");
    let depth = if rng.one_in(3) { rng.below(800) } else { 1 };
    for k in 0..depth {
        let inner = std::mem::take(&mut element.children[child]);
        let mut outer = Element { name: name.to_owned(), children: vec![inner], ..Element::default() };
        match name {
            "replicate" => outer.set("count", if depth == 1 { values::number(rng) } else { "2".to_owned() }),
            "body" if rng.one_in(2) => outer.children.insert(0, joint_and_geom()),
            "default" => outer.set("class", format!("fz{k}")),
            _ => {}
        }
        element.children[child] = outer;
    }
}

/// A mass, so that a body with it may move.
fn joint_and_geom() -> Element {
    Element::parse(b"<geom size='.1'/>").unwrap_or_default()
}

/// Adds one of the greedy elements, its numbers filled in.
fn insert(rng: &mut Rng, root: &mut Element) {
    let Some(&(place, text)) = rng.pick(&SNIPPETS) else { return };
    let mut filled = String::new();
    for piece in text.split('#') {
        if !filled.is_empty() {
            // mostly small counts, so that the rest is reached
            let small = 1 + rng.below(9);
            filled.push_str(&if rng.one_in(3) { values::number(rng) } else { small.to_string() });
        }
        filled.push_str(piece);
    }
    let (Some(new), Some(parent)) = (Element::parse(filled.as_bytes()), root.find_mut(place)) else { return };
    // objects of the world come first, so that what is inserted later may refer to them
    parent.children.push(new);
}
