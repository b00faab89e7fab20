//! `sim eval`: the pipeline at given states, fields by MuJoCo's names, JSON in and out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Deserialize, Serialize, Serializer};
use sim_core::inverse::inverse_partial;
use sim_core::pipeline::{forward_partial, step_partial};
use sim_core::{Array, Data, Model, Mujoco, StepError};
use sim_types::{Cone, DisableFlags, EnableFlags, Integrator, Jacobian, Options, Solver};

use crate::args::EvalArgs;
use crate::fields::{Source, data_array, data_source, model_array};
use crate::load::load;

pub(crate) fn run(args: &EvalArgs) -> Result<()> {
    let text = read(&args.input)?;
    let request: Request = serde_json::from_str(&text).context("the request does not fit")?;
    let model = load(&args.model)?.model;
    let answer = evaluate(model, &request)?;
    write(&args.output, &answer)
}

/// What to evaluate.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    #[serde(default)]
    stage: Stage,
    #[serde(default = "one")]
    nstep: u64,
    #[serde(default)]
    energy: bool,
    #[serde(default)]
    option: Overrides,
    #[serde(default)]
    model_fields: Vec<String>,
    #[serde(default)]
    data_fields: Vec<String>,
    #[serde(default)]
    states: Vec<State>,
}

fn one() -> u64 {
    1
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stage {
    #[default]
    Forward,
    Step,
    Inverse,
}

/// Options written over the model's.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Overrides {
    integrator: Option<i32>,
    solver: Option<i32>,
    cone: Option<i32>,
    jacobian: Option<i32>,
    iterations: Option<i32>,
    tolerance: Option<f64>,
    disableflags: Option<u32>,
    enableflags: Option<u32>,
    timestep: Option<f64>,
}

/// Parts of a state, each written over a fresh one; `null` stands for a number that is not finite.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct State {
    time: Option<f64>,
    qpos: Numbers,
    qvel: Numbers,
    act: Numbers,
    ctrl: Numbers,
    qacc_warmstart: Numbers,
    mocap_pos: Numbers,
    mocap_quat: Numbers,
    eq_active: Numbers,
    qfrc_applied: Numbers,
    xfrc_applied: Numbers,
    qacc: Numbers,
}

type Numbers = Option<Vec<Option<f64>>>;

#[derive(Serialize)]
struct Answer {
    model: BTreeMap<String, Field>,
    states: Vec<StateAnswer>,
}

#[derive(Serialize)]
struct StateAnswer {
    error: Option<String>,
    data: BTreeMap<String, Field>,
}

/// An array as JSON: whole numbers without a point, numbers that are not finite as `null`.
struct Field(Array);

fn evaluate(mut m: Model, request: &Request) -> Result<Answer> {
    override_options(&mut m.opt, &request.option)?;
    if request.energy {
        m.opt.enableflags.insert(EnableFlags::ENERGY);
    }
    let mut model = BTreeMap::new();
    for name in &request.model_fields {
        if let Some(array) = model_array(&m, name)? {
            model.insert(name.clone(), Field(array));
        }
    }
    let mut sources = Vec::new();
    for name in &request.data_fields {
        sources.push((name.as_str(), data_source(&m, name)?));
    }
    let mut d = m.make_data();
    let mut states = Vec::new();
    for (k, state) in request.states.iter().enumerate() {
        d.reset(&m);
        state.write_over(&mut d).with_context(|| format!("states[{k}]"))?;
        states.push(match advance(&m, &mut d, request) {
            Ok(()) => StateAnswer { error: None, data: read_fields(&m, &d, &sources) },
            Err(e) => StateAnswer { error: Some(e.to_string()), data: BTreeMap::new() },
        });
    }
    Ok(Answer { model, states })
}

fn advance(m: &Model, d: &mut Data, request: &Request) -> Result<(), StepError> {
    let mut parts = Mujoco::default();
    match request.stage {
        Stage::Step => (0..request.nstep).try_for_each(|_| step_partial(m, d, &mut parts)),
        Stage::Forward => forward_partial(m, d, &mut parts),
        Stage::Inverse => inverse_partial(m, d, &mut parts),
    }
}

fn read_fields(m: &Model, d: &Data, sources: &[(&str, Source)]) -> BTreeMap<String, Field> {
    let value = |name: &str, source: &Source| Some((name.to_owned(), Field(data_array(m, d, name, source)?)));
    sources.iter().filter_map(|(name, source)| value(name, source)).collect()
}

impl State {
    fn write_over(&self, d: &mut Data) -> Result<()> {
        if let Some(time) = self.time {
            d.time = time;
        }
        for (name, numbers) in [
            ("qpos", &self.qpos),
            ("qvel", &self.qvel),
            ("act", &self.act),
            ("ctrl", &self.ctrl),
            ("qacc_warmstart", &self.qacc_warmstart),
            ("mocap_pos", &self.mocap_pos),
            ("mocap_quat", &self.mocap_quat),
            ("eq_active", &self.eq_active),
            ("qfrc_applied", &self.qfrc_applied),
            ("xfrc_applied", &self.xfrc_applied),
            ("qacc", &self.qacc),
        ] {
            let Some(numbers) = numbers else { continue };
            let numbers: Vec<f64> = numbers.iter().map(|x| x.unwrap_or(f64::NAN)).collect();
            let column = d.column_mut(name).ok_or_else(|| anyhow!("data has no field '{name}'"))?;
            let want = column.len() * column.element_shape().iter().product::<usize>();
            if numbers.len() != want {
                bail!("{name} has {} numbers, the model needs {want}", numbers.len());
            }
            if !column.read(&numbers) {
                bail!("{name} holds a number that does not fit");
            }
        }
        Ok(())
    }
}

fn override_options(opt: &mut Options, over: &Overrides) -> Result<()> {
    fn numbered<T>(name: &str, number: Option<i32>, from: fn(i32) -> Option<T>, out: &mut T) -> Result<()> {
        if let Some(number) = number {
            *out = from(number).ok_or_else(|| anyhow!("option {name}: MuJoCo has no value {number}"))?;
        }
        Ok(())
    }
    numbered("integrator", over.integrator, Integrator::from_number, &mut opt.integrator)?;
    numbered("solver", over.solver, Solver::from_number, &mut opt.solver)?;
    numbered("cone", over.cone, Cone::from_number, &mut opt.cone)?;
    numbered("jacobian", over.jacobian, Jacobian::from_number, &mut opt.jacobian)?;
    if let Some(iterations) = over.iterations {
        if iterations < 0 {
            bail!("option iterations: must not be negative, is {iterations}");
        }
        opt.iterations = iterations;
    }
    if let Some(tolerance) = over.tolerance {
        if tolerance < 0.0 {
            bail!("option tolerance: must not be negative, is {tolerance}");
        }
        opt.tolerance = tolerance;
    }
    if let Some(bits) = over.disableflags {
        opt.disableflags = DisableFlags::from_bits(bits)
            .ok_or_else(|| anyhow!("option disableflags: {bits} has bits that MuJoCo does not have"))?;
    }
    if let Some(bits) = over.enableflags {
        opt.enableflags = EnableFlags::from_bits(bits)
            .ok_or_else(|| anyhow!("option enableflags: {bits} has bits that MuJoCo does not have"))?;
    }
    if let Some(timestep) = over.timestep {
        if timestep <= 0.0 {
            bail!("option timestep: must be positive, is {timestep}");
        }
        opt.timestep = timestep;
    }
    Ok(())
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut field = serializer.serialize_struct("Field", 2)?;
        field.serialize_field("shape", &self.0.shape)?;
        field.serialize_field("data", &Values(&self.0.data))?;
        field.end()
    }
}

struct Values<'a>(&'a [f64]);

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for &x in self.0 {
            // below 2⁵³ every whole number is exact; −0 keeps its sign as a float
            let whole = x.fract() == 0.0 && x.abs() < 9_007_199_254_740_992.0 && (x != 0.0 || x.is_sign_positive());
            if whole {
                seq.serialize_element(&(x as i64))?;
            } else {
                seq.serialize_element(&x)?;
            }
        }
        seq.end()
    }
}

fn read(path: &Path) -> Result<String> {
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
    } else {
        text = std::fs::read_to_string(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    }
    Ok(text)
}

fn write(path: &Path, answer: &Answer) -> Result<()> {
    let to_stdout = path == Path::new("-");
    let out: Box<dyn Write> = if to_stdout {
        Box::new(io::stdout().lock())
    } else {
        Box::new(File::create(path).with_context(|| format!("cannot write '{}'", path.display()))?)
    };
    let mut out = BufWriter::new(out);
    let written = serde_json::to_writer(&mut out, answer)
        .map_err(io::Error::from)
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush());
    written.with_context(|| format!("cannot write '{}'", path.display()))
}
