//! What a model may ask for: counted before anything is allocated.

use crate::error::{Location, Problems};
use crate::spec::Spec;
use crate::{Limits, spec};
use sim_core::{Assets, Data, FieldInfo, Model};

/// Bytes of the name of an object, text and places in lists together; names in the file itself are not counted.
const NAME: u64 = 64;

/// Refuses a spec with too many bodies or elements.
pub(super) fn check_spec(spec: &Spec, limits: Limits, problems: &mut Problems) {
    let n = spec.bodies.len();
    if n > limits.bodies {
        let at = spec.bodies.get(limits.bodies).map_or_else(Default::default, |body| body.at.clone());
        let message = format!("the model has {n} bodies, and the limit is {}", limits.bodies);
        problems.invalid(&at, "body", "", message);
    }
    let lists = elements(spec);
    let n = lists.iter().map(|list| list.1).sum::<usize>();
    if let Some((kind, most, at)) = lists.into_iter().max_by_key(|list| list.1).filter(|_| n > limits.elements) {
        let message = format!("the model has {n} elements, {most} of this kind, and the limit is {}", limits.elements);
        problems.invalid(&at, kind, "", message);
    }
}

/// Kind, number and last place of all elements.
fn elements(spec: &Spec) -> [(&'static str, usize, Location); 24] {
    macro_rules! lists {
        ($($kind:literal $list:ident),* $(,)?) => {
            [$(($kind, spec.$list.len(), spec.$list.last().map_or_else(Default::default, |e| e.at.clone()))),*]
        };
    }
    lists![
        "default" defaults, "body" bodies, "frame" frames, "joint" joints, "geom" geoms, "site" sites, "camera" cameras,
        "light" lights, "mesh" meshes, "hfield" hfields, "material" materials, "texture" textures, "skin" skins, "flex" flexes, "pair" pairs,
        "exclude" excludes, "equality" equalities, "tendon" tendons, "actuator" actuators, "sensor" sensors,
        "numeric" numerics, "text" texts, "tuple" tuples, "key" keys,
    ]
}

/// Refuses a model whose arrays, with those of one state, would take more bytes than allowed. Sizes that are not known yet
/// are zero and count nothing, so this is asked again when more of them are known; false when the model is refused.
pub(super) fn check_memory(spec: &Spec, m: &Model, limits: Limits, problems: &mut Problems) -> bool {
    let size = |name: &str| m.size(name).unwrap_or(0) as u64;
    let fields = [Model::fields(), Assets::fields(), Data::fields()];
    let bytes = |f: &FieldInfo| size(f.rows).saturating_mul(f.columns.map_or(1, size)).saturating_mul(f.bytes as u64);
    let parts = fields.into_iter().flatten().map(|f| (bytes(f), f));
    let named = (size("nkey") + size("nbody") + size("ngeom") + size("nsite")).saturating_mul(NAME);
    let total = parts.clone().fold(named, |sum, (bytes, _)| sum.saturating_add(bytes));
    if total <= limits.memory as u64 {
        return true;
    }
    let Some((most, field)) = parts.max_by_key(|part| part.0) else { return true };
    let (element, at) = origin(spec, field);
    let count = |name: &str| format!("{name} = {}", size(name));
    let sizes = field.columns.map_or_else(|| count(field.rows), |c| format!("{}, {}", count(field.rows), count(c)));
    let message = format!(
        "the model and its state would take {}, and the limit is {}; {} alone takes {} ({sizes})",
        text(total),
        text(limits.memory as u64),
        field.name,
        text(most)
    );
    problems.invalid(&at, element, "", message);
    false
}

/// The element that an array owes its length to, as far as one can be named.
fn origin(spec: &Spec, field: &FieldInfo) -> (&'static str, Location) {
    let size = &spec.size;
    let given = |name: &str| match name {
        "nkey" => size.nkey as usize > spec.keys.len(),
        "nuserdata" => true,
        _ => name.starts_with("nuser_"),
    };
    if given(field.rows) || field.columns.is_some_and(given) {
        return ("size", size.at.clone());
    }
    let most_samples = |s: &&spec::Sensor| s.nsample;
    match field.rows {
        "nkey" => ("key", spec.keys.last().map_or_else(Default::default, |k| k.at.clone())),
        "nsensordata" => ("sensor", spec.sensors.first().map_or_else(Default::default, |s| s.at.clone())),
        "nhistory" => {
            let actuator = spec.actuators.iter().max_by_key(|a| a.nsample).map(|a| (a.nsample, "actuator", &a.at));
            let sensor = spec.sensors.iter().max_by_key(most_samples).map(|s| (s.nsample, "sensor", &s.at));
            let most = actuator.into_iter().chain(sensor).max_by_key(|longest| longest.0);
            most.map_or_else(|| ("mujoco", Location::default()), |(_, element, at)| (element, at.clone()))
        }
        _ => ("worldbody", Location::default()),
    }
}

/// A number of bytes, for people.
fn text(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        10_000_000..10_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", bytes / 1_000_000_000),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, LoadOptions, Memory, load_with};

    /// What a model with this in it is refused with, when it may take a million bytes.
    fn refusal(xml: &str) -> String {
        let limits = Limits { memory: 1_000_000, elements: 300, ..Limits::default() };
        let text = format!("<mujoco>\n{xml}</mujoco>");
        let options = LoadOptions { limits, ..LoadOptions::default() };
        load_with(&Memory::from([("m.xml", text)]), "m.xml", options).map(|_| ()).unwrap_err().to_string()
    }

    const ARM: &str = "<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>";

    #[test]
    fn what_a_size_asks_for_is_counted_before_it_is_made() {
        for (size, array) in [
            ("nkey='100000'", "key_"),
            ("nuserdata='200000'", "userdata"),
            ("nuser_body='70000'", "body_user"),
            ("nuser_geom='130000'", "geom_user"),
        ] {
            let error = refusal(&format!("<size {size}/>{ARM}"));
            assert!(error.starts_with("m.xml:2:1: ") && error.contains("the limit is 1000 kB"), "{error}");
            assert!(error.contains(array), "{error}");
        }
    }

    #[test]
    fn delay_buffers_are_counted_with_the_state() {
        let error = refusal(&format!("{ARM}<actuator><motor joint='j' delay='1' nsample='100000'/></actuator>"));
        assert!(error.contains("history alone takes 1600 kB"), "{error}");
        assert!(error.starts_with("m.xml:2:") && error.contains("actuator"), "{error}");
    }

    #[test]
    fn long_chains_are_counted_by_the_entries_of_their_inertia() {
        let n = 280;
        let chain = "<body><joint/><geom size='1'/>".repeat(n) + &"</body>".repeat(n);
        let limits = Limits { memory: 2_000_000, ..Limits::default() };
        let text = format!("<mujoco><worldbody>{chain}</worldbody></mujoco>");
        let options = LoadOptions { limits, ..LoadOptions::default() };
        let error = load_with(&Memory::from([("m.xml", text)]), "m.xml", options).map(|_| ()).unwrap_err().to_string();
        assert!(
            error.contains("nM = 39340") || error.contains("nC = 39340") || error.contains("nD = 78400"),
            "{error}"
        );
    }

    #[test]
    fn too_many_elements_are_named_by_kind() {
        let error = refusal(&format!("<worldbody>{}</worldbody>", "<site/>".repeat(400)));
        assert!(error.contains("site") && error.contains("400 of this kind, and the limit is 300"), "{error}");
    }
}
