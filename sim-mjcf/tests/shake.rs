//! Shakes the loader with documents nobody would write. It may refuse them; it must not panic, hang or fill the memory.

use proptest::prelude::*;
use sim_mjcf::load_model;

/// Uses every element that is built.
const SEED: &str = include_str!("shake.xml");

/// Pieces that mean something to the parser.
const PIECES: [&str; 30] = [
    "<",
    ">",
    "/",
    "/>",
    "</",
    "\"",
    "'",
    "=",
    " ",
    "&",
    "&amp;",
    "&#65;",
    "&#0;",
    "<!--",
    "-->",
    "<?x?>",
    "<![CDATA[",
    "]]>",
    "\0",
    "<body>",
    "</body>",
    "<frame>",
    "</frame>",
    "<default class='d'>",
    "<geom/>",
    "nan",
    "1e400",
    "-1",
    "class='link'",
    "name='upper'",
];

/// Element and attribute names, right and wrong.
const ELEMENTS: [&str; 30] = [
    "mujoco",
    "compiler",
    "option",
    "flag",
    "size",
    "visual",
    "map",
    "statistic",
    "default",
    "custom",
    "numeric",
    "tuple",
    "element",
    "asset",
    "material",
    "texture",
    "worldbody",
    "body",
    "frame",
    "inertial",
    "joint",
    "freejoint",
    "geom",
    "site",
    "camera",
    "light",
    "keyframe",
    "key",
    "include",
    "wrong",
];
const ATTRIBUTES: [&str; 40] = [
    "name",
    "class",
    "childclass",
    "type",
    "size",
    "pos",
    "quat",
    "euler",
    "axisangle",
    "xyaxes",
    "zaxis",
    "fromto",
    "mass",
    "density",
    "diaginertia",
    "fullinertia",
    "axis",
    "range",
    "limited",
    "ref",
    "springdamper",
    "damping",
    "mode",
    "target",
    "group",
    "condim",
    "material",
    "mocap",
    "user",
    "data",
    "objtype",
    "objname",
    "qpos",
    "angle",
    "eulerseq",
    "fusestatic",
    "settotalmass",
    "fluidshape",
    "nkey",
    "wrong",
];
const VALUES: [&str; 30] = [
    "",
    "0",
    "1",
    "-1",
    "0.5",
    "1e300",
    "1e-300",
    "1e308",
    "inf",
    "nan",
    "1 2 3",
    "0 0 0",
    "1 0 0 0",
    "0 0 0 0 0 1",
    "1 1 1 0 0 0",
    "true",
    "false",
    "auto",
    "box",
    "capsule",
    "plane",
    "free",
    "ball",
    "slide",
    "targetbody",
    "body",
    "world",
    "a",
    "2147483647",
    "xyz",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    /// Any bytes.
    #[test]
    fn random_text(text in "\\PC{0,400}") {
        let _ = load_model(&text);
    }

    /// A sound document with a few pieces put in, cut out or swapped.
    #[test]
    fn mutations_of_a_sound_document(edits in prop::collection::vec((0u8..3, any::<prop::sample::Index>(), 0usize..40, prop::sample::select(&PIECES[..])), 1..6)) {
        let mut text: Vec<char> = SEED.chars().collect();
        for (kind, place, length, piece) in edits {
            let at = place.index(text.len() + 1);
            let end = (at + length).min(text.len());
            match kind {
                0 => drop(text.splice(at..at, piece.chars())),
                1 => drop(text.drain(at..end)),
                _ => drop(text.splice(at..end, piece.chars())),
            }
        }
        let text: String = text.into_iter().collect();
        let _ = load_model(&text);
    }

    /// A tree of elements and attributes that exist, in places where they may or may not stand.
    #[test]
    fn random_trees_of_known_words(tree in tree()) {
        let _ = load_model(&format!("<mujoco>{tree}</mujoco>"));
        let _ = load_model(&format!("<mujoco><worldbody>{tree}</worldbody></mujoco>"));
        let _ = load_model(&format!("<mujoco><worldbody><frame><body name='b'>{tree}</body></frame></worldbody></mujoco>"));
    }

    /// A sound document in which one value is replaced by another.
    #[test]
    fn strange_values_in_a_sound_document(place in any::<prop::sample::Index>(), value in prop::sample::select(&VALUES[..])) {
        let quotes: Vec<usize> = SEED.match_indices('"').map(|(i, _)| i).collect();
        let pair = place.index(quotes.len() / 2);
        let (open, close) = (quotes[2 * pair], quotes[2 * pair + 1]);
        let _ = load_model(&format!("{}{value}{}", &SEED[..=open], &SEED[close..]));
    }
}

fn tree() -> impl Strategy<Value = String> {
    let attributes =
        prop::collection::btree_map(prop::sample::select(&ATTRIBUTES[..]), prop::sample::select(&VALUES[..]), 0..4);
    let tag = (prop::sample::select(&ELEMENTS[..]), attributes).prop_map(|(name, attributes)| {
        let attributes: Vec<String> = attributes.iter().map(|(name, value)| format!(" {name}='{value}'")).collect();
        (name, attributes.concat())
    });
    let leaf = tag.clone().prop_map(|(name, attributes)| format!("<{name}{attributes}/>"));
    leaf.prop_recursive(4, 24, 5, move |inner| {
        (tag.clone(), prop::collection::vec(inner, 0..5))
            .prop_map(|((name, attributes), inside)| format!("<{name}{attributes}>{}</{name}>", inside.concat()))
    })
}

#[test]
fn the_seed_is_a_sound_document() {
    load_model(SEED).unwrap();
}
