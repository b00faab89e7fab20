//! Mutants are repeatable, valid enough to get far, and do no harm.

use std::collections::BTreeMap;

use super::*;

fn seeds() -> Seeds {
    let xml = "<mujoco><include file='part.xml'/><worldbody><body name='a'><freejoint/><geom size='.1'/></body>\
               </worldbody></mujoco>";
    let files = [
        ("m.xml", xml.as_bytes().to_vec()),
        ("part.xml", b"<mujoco><option timestep='.01'/></mujoco>".to_vec()),
        ("unused.bin", vec![0; 9]),
    ];
    Seeds::new(&files.into_iter().map(|(path, bytes)| (path.to_owned(), bytes)).collect::<BTreeMap<_, _>>())
}

#[test]
fn a_seed_holds_what_it_reads() {
    let seeds = seeds();
    let model = seeds.cases.iter().find(|c| c.main == "m.xml").unwrap();
    assert_eq!(model.files.keys().collect::<Vec<_>>(), ["m.xml", "part.xml"]);
    assert_eq!(seeds.names, ["a"]);
    assert!(run(model).is_ok_and(|outcome| outcome != Outcome::Refused));
}

#[test]
fn a_case_survives_its_file() {
    let mut case = seeds().cases[0].clone();
    case.files.insert("odd name.bin".into(), vec![b'\n', 0, 255, b'\n']);
    assert_eq!(Case::from_bytes(&case.to_bytes()), Some(case.clone()));
    let bytes = case.to_bytes();
    assert_eq!(Case::from_bytes(&bytes[..bytes.len() - 2]), None);
}

#[test]
fn mutants_repeat_and_differ() {
    let seeds = seeds();
    let all: Vec<Case> = (0..50).map(|n| mutant(&seeds, 7, n)).collect();
    assert_eq!(all, (0..50).map(|n| mutant(&seeds, 7, n)).collect::<Vec<_>>());
    assert_ne!(all, (0..50).map(|n| mutant(&seeds, 8, n)).collect::<Vec<_>>());
    let changed = all.iter().filter(|c| seeds.cases.iter().all(|s| s.files != c.files)).count();
    assert!(changed > 40, "{changed} of 50 differ from their seed");
}

#[test]
fn the_tree_keeps_what_counts() {
    let text = "<a x='1' y=\"&lt;\"><b/><!-- gone --><c><d z=''/></c></a>";
    let root = Element::parse(text.as_bytes()).unwrap();
    assert_eq!(root.count(), 4);
    assert_eq!(Element::parse(root.write().as_bytes()), Some(root));
    assert_eq!(Element::parse(b"<a><b></a>"), None);
}

/// A model of bodies that are all in one place.
fn pile(option: &str, body: &str, count: usize) -> Case {
    let xml = format!("<mujoco><option {option}/><worldbody>{}</worldbody></mujoco>", body.repeat(count));
    Case { main: "m.xml".into(), states: 1, files: [("m.xml".to_owned(), xml.into_bytes())].into() }
}

/// Thousands of dofs that all touch each other: the first has too many contacts, the second too much work in one iteration.
#[test]
fn hundreds_of_bodies_in_one_place_are_not_a_hang() {
    let two = "<body><freejoint/><geom size='.1'/><geom type='box' size='.1 .1 .1' pos='.1 0 0'/></body>";
    let ball = "<body><freejoint/><geom size='.1'/></body>";
    for case in [pile("iterations='500'", two, 300), pile("cone='elliptic'", ball, 700)] {
        let start = std::time::Instant::now();
        assert_eq!(run(&case), Ok(Outcome::StepError));
        assert!(start.elapsed().as_secs() < 100, "{:?}", start.elapsed());
    }
}

/// Solvers that are asked for two billion iterations, to the last digit.
#[test]
fn billions_of_iterations_are_not_a_hang() {
    let many = "iterations='2147483647' ls_iterations='2147483647' noslip_iterations='2147483647'";
    let exact = "tolerance='0' ls_tolerance='0' noslip_tolerance='0'";
    let body =
        "<geom type='plane' size='1 1 1'/><body pos='.1 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body>";
    for solver in ["Newton", "CG", "PGS"] {
        let case = pile(&format!("solver='{solver}' {many} {exact}"), body, 1);
        let start = std::time::Instant::now();
        assert!(run(&case).is_ok_and(|outcome| outcome != Outcome::Refused));
        assert!(start.elapsed().as_secs() < 100, "{solver}: {:?}", start.elapsed());
    }
}

/// Loading takes a second or two for so many vertices, not minutes.
#[test]
fn a_builtin_mesh_of_two_million_vertices_is_not_a_hang() {
    let xml = "<mujoco><asset><mesh name='m' builtin='plate' params='2 1000000'/></asset></mujoco>";
    let case = Case { main: "m.xml".into(), states: 1, files: [("m.xml".to_owned(), xml.into())].into() };
    let start = std::time::Instant::now();
    assert_eq!(run(&case), Ok(Outcome::Stepped));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// Each nested replicate used to look at every name of the model twice.
#[test]
fn hundreds_of_nested_replicates_are_not_a_hang() {
    let nested = format!("{}<geom size='1'/>{}", "<replicate count='2'>".repeat(8), "</replicate>".repeat(8));
    let start = std::time::Instant::now();
    assert!(run(&pile("", &nested, 300)).is_ok_and(|outcome| outcome != Outcome::Refused));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// Constants of the model take time for every dof, not for every pair of them.
#[test]
fn thirty_thousand_free_bodies_load_in_time() {
    let xml = "<mujoco><worldbody><replicate count='30000' offset='1 0 0'><body><freejoint/><geom size='.1'/></body>\
               </replicate></worldbody></mujoco>";
    let start = std::time::Instant::now();
    sim_mjcf::load_model(xml).unwrap();
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

/// A few hundred mutants of our own models, as a guard; `cargo xtask fuzz-mjcf` runs many more in processes of their own.
#[test]
fn mutants_of_our_models_do_no_harm() {
    let seeds = Seeds::own().unwrap();
    let mut loaded = 0;
    for number in 0..600 {
        let case = mutant(&seeds, 1, number);
        match run(&case) {
            Ok(Outcome::Refused) => {}
            Ok(_) => loaded += 1,
            Err(message) => panic!("case {number} of seed 1: {message}"),
        }
    }
    assert!(loaded > 100, "only {loaded} of 600 load");
}
