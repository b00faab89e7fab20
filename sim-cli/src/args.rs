//! Commands and their arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Inspect, run, evaluate and benchmark MJCF models.
#[derive(Debug, Parser)]
#[command(name = "sim", version, about, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do with a model.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show sizes, bodies, options, and what is missing to simulate the model
    #[command(after_help = "Examples:\n  sim info humanoid.xml\n  sim info humanoid.xml --json")]
    Info(InfoArgs),
    /// Simulate, and record or plot any field over time
    #[command(after_help = RUN_HELP)]
    Run(RunArgs),
    /// Evaluate the pipeline at given states and print fields by their MuJoCo names
    #[command(after_help = EVAL_HELP)]
    Eval(EvalArgs),
    /// Measure steps per second
    #[command(after_help = "Examples:\n  sim bench humanoid.xml --seconds 2 --stages\n  \
        sim bench humanoid.xml --steps 1000 --envs 1024 --threads 8 --json")]
    Bench(BenchArgs),
    /// Write a compiled model as flat MJCF, or as a binary file that loads without XML
    #[command(after_help = CONVERT_HELP)]
    Convert(ConvertArgs),
    /// Load the files named on standard input and say how long each takes
    #[command(hide = true)]
    TimeLoad,
}

const CONVERT_HELP: &str = "\
OUT.xml is what the compiler made of the model: no includes, frames or default classes, angles in radians, every body
with its inertia. It reads back to the same model, here and in MuJoCo. Files of assets are not copied.
OUT.simb loads without XML, and every command accepts it in place of the XML. It is a cache, not a source: another
version of this program may refuse it.

Examples:
  sim convert humanoid.xml -o flat.xml
  sim convert robot.urdf -o robot.xml
  sim convert humanoid.xml -o humanoid.simb";

const RUN_HELP: &str = "\
Fields are named as in MuJoCo. An object or an index after the name selects one row, a letter or number after that
one component; `name[row,component]` means the same, and `name[2:5]` is a range of rows.
  qpos              every position            qpos.knee       position of joint `knee`
  xpos.torso        where the body is         xpos.torso.z    how high
  qpos[7]           by index                  qvel[0:3]       the first three
  energy            potential, kinetic, total

Examples:
  sim run pendulum.xml
  sim run humanoid.xml --seconds 10 --keyframe stand --plot out.svg --fields energy,xpos.torso
  sim run arm.xml --steps 5000 --record arm.csv --fields qpos,qvel,qfrc_bias.elbow";

const EVAL_HELP: &str = "\
The request, all parts but `states` optional:
  { \"stage\": \"forward\" | \"step\" | \"inverse\", \"nstep\": 1, \"energy\": true, \"option\": { \"integrator\": 0 },
    \"model_fields\": [\"nq\", \"body_mass\"], \"data_fields\": [\"xpos\", \"M\"],
    \"states\": [ { \"qpos\": [0, 0, 1], \"ctrl\": [] } ] }

Example:
  echo '{\"data_fields\": [\"qacc\"], \"states\": [{}]}' | sim eval pendulum.xml --input - --output -";

/// Arguments of `sim info`.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// MJCF file, or binary model file
    pub model: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Show every body, also of a large model
    #[arg(long)]
    pub all: bool,
}

/// Arguments of `sim run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// MJCF file, or binary model file
    pub model: PathBuf,
    /// Number of steps
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    pub steps: Option<u64>,
    /// Simulated seconds [default: 5]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// Start from this keyframe: name or number
    #[arg(long, value_name = "KEY")]
    pub keyframe: Option<String>,
    /// Write the fields over time as CSV
    #[arg(long, value_name = "FILE.csv")]
    pub record: Option<PathBuf>,
    /// Draw the fields over time
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// What to record and plot, by MuJoCo's names; see below
    #[arg(long, value_name = "LIST", default_value = "energy,qpos")]
    pub fields: String,
    /// Record every N-th step
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
}

/// Arguments of `sim eval`.
#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// MJCF file, or binary model file
    pub model: PathBuf,
    /// Request; `-` is standard input
    #[arg(long, value_name = "IN.json")]
    pub input: PathBuf,
    /// Answer; `-` is standard output
    #[arg(long, value_name = "OUT.json")]
    pub output: PathBuf,
}

/// Arguments of `sim bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// MJCF file, or binary model file
    pub model: PathBuf,
    /// Number of timed steps of each environment
    #[arg(long, value_name = "K", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// Time steps for this long [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// Environments stepped together
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub envs: u32,
    /// Threads of a batch
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: u32,
    /// Value of every control, clamped to its range
    #[arg(long, value_name = "C", default_value_t = 0.0, allow_negative_numbers = true)]
    pub ctrl: f64,
    /// Also time each stage; one environment only
    #[arg(long)]
    pub stages: bool,
    /// Time only the search for contacts, at the pose in this file: a JSON object with `qpos`
    #[arg(long, value_name = "STATE.json", conflicts_with_all = ["steps", "seconds", "envs", "threads", "ctrl", "stages"])]
    pub collision: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `sim convert`.
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// MJCF, URDF or binary model file
    pub model: PathBuf,
    /// File to write: MJCF if it ends in .xml, else a binary model file
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}
