//! Writing MJCF: every model comes back bit for bit, as it was written and flattened.

use sim_core::Model;
use sim_mjcf::{Files, LoadOptions, Memory, Source, Spec};
use sim_tests::{model_path, zoo};

/// A model and its spec.
fn load(source: &dyn Source, path: &str) -> (Spec, Model) {
    let (spec, _) = sim_mjcf::load_spec(source, path, LoadOptions::default()).unwrap_or_else(|e| panic!("{path}: {e}"));
    let loaded = sim_mjcf::compile(&spec, source, LoadOptions::default()).unwrap_or_else(|e| panic!("{path}: {e}"));
    (spec, loaded.model)
}

/// The model of a text.
fn read(name: &str, text: &str) -> Model {
    let source = Memory::from([(name, text)]);
    match sim_mjcf::load_with(&source, name, LoadOptions::default()) {
        Ok(loaded) => loaded.model,
        Err(e) => panic!("{e}\n{text}"),
    }
}

/// A text that stands where a model stands, so that the files it names are found.
struct InPlaceOf<'a> {
    path: &'a str,
    text: &'a str,
}

impl Source for InPlaceOf<'_> {
    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        if path == self.path { Ok(self.text.into()) } else { Files.read(path) }
    }
}

/// The model of a text that is read in place of a file.
fn read_in_place(path: &str, text: &str) -> Model {
    match sim_mjcf::load_with(&InPlaceOf { path, text }, path, LoadOptions::default()) {
        Ok(loaded) => loaded.model,
        Err(e) => panic!("{path}: {e}\n{text}"),
    }
}

/// Whether it has interpolated deformables: `<flex>` cannot say where their nodes are in their bodies.
fn has_nodes(model: &Model) -> bool {
    model.nflexnode > 0
}

#[test]
fn every_spec_compiles_to_the_same_model_after_writing() {
    for name in zoo().unwrap() {
        let path = model_path(&name);
        let (spec, model) = load(&Files, path.to_str().unwrap());
        // attached parts have settings of their own, which only the flat text can hold
        if spec.origins.is_empty() && spec.pending.is_empty() && !has_nodes(&model) {
            assert_same(&name, &read_in_place(path.to_str().unwrap(), &spec.to_xml()), &model);
        }
    }
}

#[test]
fn every_model_comes_back_from_its_flat_text() {
    for name in zoo().unwrap() {
        let path = model_path(&name);
        let (spec, model) = load(&Files, path.to_str().unwrap());
        if has_nodes(&model) {
            continue;
        }
        let flat = spec.flattened(&model).unwrap().to_xml();
        assert_same(&name, &read_in_place(path.to_str().unwrap(), &flat), &model);
        // without the spec nothing is known about the files of assets
        let bare = model.assets.nmesh + model.nflex + model.assets.nskin + model.assets.ntex == 0;
        if bare {
            let flat = sim_mjcf::model_to_mjcf(&model).unwrap();
            assert_same(&name, &read(&name, &flat), &model);
        }
    }
}

/// Parts with other settings, copies, and a robot: the flat text has one set of settings and gives the same model.
#[test]
fn attached_and_replicated_parts_come_back() {
    let child = "<mujoco><compiler angle='radian' eulerseq='zyx' autolimits='false'/><worldbody>
        <body name='arm' euler='0.1 0.2 0.3'><joint name='j' ref='0.5' range='-1 1' limited='true'/><geom size='0.1'/></body>
        </worldbody><actuator><motor joint='j'/></actuator><keyframe><key name='k' qpos='0.7'/></keyframe></mujoco>";
    let parent = "<mujoco><asset><model name='child' file='child.xml'/></asset><worldbody>
        <frame pos='1 0 0' euler='30 0 0'><attach model='child' body='arm' prefix='a_'/></frame>
        <replicate count='3' offset='1 0 0' euler='0 0 10'><body name='b'><joint name='h' range='-90 90'/>
        <geom size='0.1' pos='0.2 0 0'/></body></replicate></worldbody>
        <sensor><jointpos joint='h'/></sensor></mujoco>";
    let source = Memory::from([("parent.xml", parent), ("child.xml", child)]);
    let (spec, model) = load(&source, "parent.xml");
    assert_same("parent", &read("parent", &spec.flattened(&model).unwrap().to_xml()), &model);
}

/// Assets come from the spec. The pose of a mesh geom loses its last digits, because the compiler adds the frame of the
/// mesh to it.
#[test]
fn assets_come_back_from_the_spec() {
    let xml = "<mujoco>
        <asset><texture name='t' type='2d' builtin='checker' width='8' height='8' rgb1='1 0 0'/>
          <material name='m' texture='t' texrepeat='2 3' rgba='1 0 0 1'/>
          <mesh name='wedge' scale='0.1 0.2 0.3' refpos='0.1 0 0' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>
          <hfield name='hills' size='1 2 0.3 0.1' nrow='2' ncol='3' elevation='1 2 3 4 5 7'/></asset>
        <worldbody><geom type='hfield' hfield='hills' material='m'/>
          <body name='x' pos='0 0 1'><freejoint/><geom type='mesh' mesh='wedge' pos='1 2 3' euler='10 20 30'/></body>
        </worldbody></mujoco>";
    let source = Memory::from([("m.xml", xml)]);
    let (spec, model) = load(&source, "m.xml");
    for text in [spec.to_xml(), spec.flattened(&model).unwrap().to_xml()] {
        let again = read("m.xml", &text);
        assert_eq!((&again.assets, &again.names, &again.opt), (&model.assets, &model.names, &model.opt));
        for field in Model::fields() {
            let (Some(got), Some(want)) = (again.array(field.name), model.array(field.name)) else { continue };
            assert_eq!(got.shape, want.shape, "{}", field.name);
            let close = got.data.iter().zip(&want.data).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs().max(1.0));
            assert!(close, "{}: {:?}, not {:?}", field.name, got.data, want.data);
        }
    }
    let error = sim_mjcf::model_to_mjcf(&model).unwrap_err().to_string();
    assert!(error.contains("meshes"), "{error}");
}

/// All arrays, settings and names are equal; the message says which one is not. The pose of a mesh geom, and what
/// follows from it, loses its last digits; that of a primitive fitted to a bounding box some more, because the model keeps
/// the vertices in single precision.
fn assert_same(name: &str, got: &Model, want: &Model) {
    let exact = want.assets.nmesh == 0;
    let tolerance = if name.contains("fitaabb") { 1e-7 } else { 1e-12 };
    let same_number =
        |a: f64, b: f64| a.to_bits() == b.to_bits() || !exact && (a - b).abs() <= tolerance * b.abs().max(1.0);
    for field in Model::fields() {
        let (got, want) = (got.array(field.name), want.array(field.name));
        let same = match (&got, &want) {
            (Some(got), Some(want)) => {
                got.shape == want.shape && got.data.iter().zip(&want.data).all(|(a, b)| same_number(*a, *b))
            }
            _ => got.is_none() && want.is_none(),
        };
        assert!(same, "{name}: {} is\n{got:?}, not\n{want:?}", field.name);
    }
    // elevations from a file are written as numbers, without its name
    if exact && want.assets.npaths <= 1 {
        assert_eq!(got, want, "{name}");
    }
}
