//! The `sim` command as a process: what it answers, what it refuses, and that it never panics.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../sim-tests/models").join(name)
}

/// A file in a folder of this test process.
fn temp(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir.join(name)
}

fn sim(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sim")).args(args).output().unwrap()
}

fn succeeds(args: &[&str]) -> String {
    let out = sim(args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// Exit code 1 and an error message on stderr that is not a panic.
fn refuses(args: &[&str]) -> String {
    let out = sim(args);
    let text = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(1), "{args:?}: {text}");
    assert!(text.starts_with("error: "), "{args:?}: {text}");
    assert!(!text.contains("panicked"), "{args:?}: {text}");
    text
}

fn eval_raw(model: &Path, request: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sim"))
        .args(["eval", model.to_str().unwrap(), "--input", "-", "--output", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(request.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn eval(name: &str, request: &Value) -> Value {
    let out = eval_raw(&model(name), &request.to_string());
    assert!(out.status.success(), "{request}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

fn eval_error(name: &str, request: &str) -> String {
    let out = eval_raw(&model(name), request);
    let text = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(1), "{request}: {text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn path(name: &str) -> String {
    model(name).to_str().unwrap().to_owned()
}

// ---- eval

#[test]
fn eval_gives_shapes_and_numbers() {
    let request = json!({"model_fields": ["nq", "body_mass", "name_bodyadr"], "data_fields": ["xpos", "xmat", "M", "time"],
        "states": [{"time": 0.5}, {}]});
    let answer = eval("pendulum.xml", &request);
    let nbody = answer["model"]["body_mass"]["shape"][0].as_u64().unwrap();
    assert_eq!(answer["model"]["nq"], json!({"shape": [], "data": [1]}));
    assert_eq!(answer["model"].get("name_bodyadr"), None, "a field that is not stored is left out");
    let state = &answer["states"][0];
    assert_eq!(state["error"], Value::Null);
    assert_eq!(state["data"]["xpos"]["shape"], json!([nbody, 3]));
    assert_eq!(state["data"]["xmat"]["shape"], json!([nbody, 9]));
    assert_eq!(state["data"]["M"]["shape"], json!([1, 1]));
    assert_eq!(state["data"]["time"]["data"], json!([0.5]));
    assert_eq!(answer["states"][1]["data"]["time"]["data"], json!([0]), "every state starts from a reset");
}

#[test]
fn eval_reads_and_writes_every_bit() {
    let qpos: f64 = 0.1 + 0.2;
    let request = json!({"data_fields": ["qpos", "qvel"], "states": [{"qpos": [qpos], "qvel": [-1.0 / 3.0]}]});
    let answer = eval("pendulum.xml", &request);
    let read = |name: &str| answer["states"][0]["data"][name]["data"][0].as_f64().unwrap().to_bits();
    assert_eq!(read("qpos"), qpos.to_bits());
    assert_eq!(read("qvel"), (-1.0_f64 / 3.0).to_bits());
}

#[test]
fn eval_answers_for_stages_with_nothing_to_do() {
    let fields = ["ncon", "nefc", "ne", "nf", "nl", "contact.pos", "contact.frame", "efc_J", "efc_KBIP", "ten_J"];
    let answer = eval("chain5.xml", &json!({"model_fields": ["nv"], "data_fields": fields, "states": [{}]}));
    let (nv, data) = (&answer["model"]["nv"]["data"][0], &answer["states"][0]["data"]);
    assert_eq!(data["ncon"], json!({"shape": [], "data": [0]}));
    assert_eq!(data["nefc"]["data"], json!([0]));
    assert_eq!(data["contact.pos"], json!({"shape": [0, 3], "data": []}));
    assert_eq!(data["contact.frame"]["shape"], json!([0, 9]));
    assert_eq!(data["efc_J"]["shape"], json!([0, nv]));
    assert_eq!(data["ten_J"]["shape"], json!([0, nv]));
    assert_eq!(data.as_object().unwrap().len(), fields.len());
}

#[test]
fn eval_steps_and_takes_options() {
    let step = |option: Value, nstep: u64| {
        let request = json!({"stage": "step", "nstep": nstep, "option": option, "data_fields": ["time", "qpos"],
            "states": [{"qpos": [1.0]}]});
        eval("pendulum.xml", &request)["states"][0]["data"].clone()
    };
    let time = |data: Value| data["time"]["data"][0].as_f64().unwrap();
    assert_eq!(time(step(json!({"timestep": 0.25}), 3)), 0.75);
    assert_ne!(step(json!({}), 1)["qpos"], step(json!({"disableflags": 1 << 7}), 1)["qpos"], "gravity off");
}

#[test]
fn eval_switches_energy_on() {
    let energy = |on: bool| {
        let request = json!({"energy": on, "data_fields": ["energy"], "states": [{"qvel": [1.0]}]});
        eval("pendulum.xml", &request)["states"][0]["data"]["energy"]["data"][1].as_f64().unwrap()
    };
    assert_eq!(energy(false), 0.0);
    assert!(energy(true) > 0.0);
}

#[test]
fn eval_leaves_out_what_a_missing_stage_would_compute() {
    let request = json!({"data_fields": ["flexvert_xpos", "xpos"], "states": [{}]});
    let answer = eval("flex_lines.xml", &request);
    let data = answer["states"][0]["data"].as_object().unwrap();
    assert_eq!(data.keys().collect::<Vec<_>>(), ["xpos"]);
}

#[test]
fn a_failing_state_does_not_touch_the_others() {
    let request = json!({"stage": "step", "option": {"disableflags": (1 << 16) | (1 << 4)}, "data_fields": ["qpos"],
        "states": [{}, {"qvel": [null]}, {}]});
    let states = eval("pendulum.xml", &request)["states"].clone();
    assert!(states[1]["error"].as_str().unwrap().contains("qvel[0]"), "{states}");
    assert_eq!(states[1]["data"], json!({}));
    assert_eq!(states[0], states[2]);
    assert_eq!(states[0]["error"], Value::Null);
}

#[test]
fn numbers_that_are_not_finite_are_null() {
    let request = json!({"data_fields": ["qpos", "xpos"], "states": [{"qpos": [null]}]});
    let data = eval("pendulum.xml", &request)["states"][0]["data"].clone();
    assert_eq!(data["qpos"]["data"], json!([null]));
}

#[test]
fn eval_refuses_in_one_line() {
    let cases = [
        (r#"{"data_fields": ["xposs"], "states": []}"#, "did you mean 'xpos'?"),
        (r#"{"model_fields": ["bodymass"], "states": []}"#, "did you mean 'body_mass'?"),
        (r#"{"states": [{}, {"qpos": [1, 2]}]}"#, "states[1]: qpos has 2 numbers, the model needs 1"),
        (r#"{"states": [{"quos": []}]}"#, "unknown field `quos`"),
        (r#"{"stage": "fly", "states": []}"#, "unknown variant `fly`"),
        (r#"{"option": {"solver": 7}, "states": []}"#, "option solver: MuJoCo has no value 7"),
        (r#"{"option": {"timestep": 0}, "states": []}"#, "option timestep"),
        (r#"{"option": {"enableflags": 4096}, "states": []}"#, "option enableflags"),
        (r#"{"states": ["#, "request"),
        ("", "request"),
    ];
    for (request, message) in cases {
        let text = eval_error("pendulum.xml", request);
        assert!(text.starts_with("error: ") && text.contains(message), "{request}: {text}");
    }
}

#[test]
fn eval_runs_inverse_dynamics() {
    let fields = ["qfrc_inverse", "qfrc_bias", "qfrc_passive", "M"];
    let request = json!({"stage": "inverse", "data_fields": fields, "states": [{"qpos": [0.3], "qacc": [2]}]});
    let data = eval("pendulum.xml", &request)["states"][0]["data"].clone();
    let number = |field: &str| data[field]["data"][0].as_f64().unwrap();
    assert!(number("M") > 0.0 && number("qfrc_bias") != 0.0);
    let want = number("qfrc_bias") + 2.0 * number("M") - number("qfrc_passive");
    assert!((number("qfrc_inverse") - want).abs() < 1e-12, "{data}");
}

// ---- run

#[test]
fn run_records_and_plots() {
    let (csv, svg) = (temp("run.csv"), temp("run.svg"));
    let fields = "energy,qpos.bounce,xpos[2].z";
    let (csv_name, svg_name) = (csv.to_str().unwrap(), svg.to_str().unwrap());
    let humanoid = path("humanoid.xml");
    let args = ["run", &humanoid, "--steps", "50", "--record", csv_name, "--plot", svg_name, "--fields", fields];
    let text = succeeds(&args);
    assert!(text.contains("50 steps") && text.contains("real time") && text.contains("kinetic"), "{text}");

    let csv = std::fs::read_to_string(csv).unwrap();
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert_eq!(header[..4], ["time", "energy.potential", "energy.kinetic", "energy.total"]);
    assert_eq!(csv.lines().count(), 52, "a header, the start and every step");
    let rows: Vec<Vec<f64>> = csv.lines().skip(1).map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert!(rows.iter().all(|row| row.len() == header.len() && row[3] == row[1] + row[2]));
    assert_ne!(rows[0][4], rows[50][4], "it moves");

    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<path ").count(), header.len() - 1);
    assert_eq!(svg.matches("class=\"field\"").count(), 3, "one panel per field");
}

#[test]
fn recording_does_not_change_the_run() {
    let summary = |extra: &[&str]| {
        let cartpole = path("cartpole.xml");
        let mut args = vec!["run", &cartpole, "--steps", "100"];
        args.extend(extra);
        let text = succeeds(&args);
        text.lines().filter(|l| l.starts_with("total") || l.starts_with("kinetic")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(summary(&[]), summary(&["--record", temp("same.csv").to_str().unwrap(), "--every", "7"]));
}

#[test]
fn run_starts_from_a_keyframe() {
    let humanoid = path("humanoid.xml");
    let start = |key: &str| {
        let csv = temp(&format!("key-{key}.csv"));
        let csv = csv.to_str().unwrap();
        succeeds(&["run", &humanoid, "--steps", "0", "--keyframe", key, "--record", csv, "--fields", "qvel"]);
        std::fs::read_to_string(csv).unwrap().lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(start("push"), start("1"));
    assert_ne!(start("push"), start("drop"));
    assert!(refuses(&["run", &humanoid, "--keyframe", "posh"]).contains("did you mean 'push'?"));
    assert!(refuses(&["run", &humanoid, "--keyframe", "9"]).contains("the model has 2"));
}

#[test]
fn run_refuses_by_name() {
    let chain = path("chain5.xml");
    assert!(refuses(&["run", &chain, "--fields", "qpso"]).contains("did you mean 'qpos'? Available: time, energy"));
    assert!(refuses(&["run", &chain, "--seconds", "-1"]).contains("--seconds"));
    assert!(refuses(&["run", &chain, "--seconds", "nan"]).contains("--seconds"));
    assert!(refuses(&["run", &chain, "--record", "/nowhere/at/all.csv"]).contains("/nowhere/at/all.csv"));
    let soft = refuses(&["run", &path("flex_lines.xml")]);
    assert!(soft.contains("not supported yet"), "{soft}");
}

// ---- bench

#[test]
fn bench_reports_json() {
    let chain = path("chain5.xml");
    let json: Value =
        serde_json::from_str(&succeeds(&["bench", &chain, "--steps", "300", "--stages", "--json"])).unwrap();
    let names = ["seconds", "steps_per_second", "mean_ncon", "mean_nefc", "bytes_per_env", "load_seconds", "time"];
    for name in names {
        assert!(json[name].is_number(), "{name}: {json}");
    }
    assert_eq!((json["steps"].as_u64(), json["envs"].as_u64(), json["nv"].as_u64()), (Some(300), Some(1), Some(5)));
    let stages: f64 = json["stages"].as_object().unwrap().values().map(|t| t.as_f64().unwrap()).sum();
    assert!(stages > 0.0 && stages <= json["seconds"].as_f64().unwrap());

    let timestep = eval("chain5.xml", &json!({"stage": "step", "data_fields": ["time"], "states": [{}]}));
    let timestep = timestep["states"][0]["data"]["time"]["data"][0].as_f64().unwrap();
    assert!((json["time"].as_f64().unwrap() - 400.0 * timestep).abs() < 1e-9, "warm-up and timed steps: {json}");
}

#[test]
fn bench_steps_a_batch() {
    let chain = path("chain5.xml");
    let args = ["bench", &chain, "--steps", "20", "--envs", "5", "--threads", "2", "--json"];
    let json: Value = serde_json::from_str(&succeeds(&args)).unwrap();
    assert_eq!((json["envs"].as_u64(), json["threads"].as_u64()), (Some(5), Some(2)));
    let rate = 100.0 / json["seconds"].as_f64().unwrap();
    assert!((json["steps_per_second"].as_f64().unwrap() / rate - 1.0).abs() < 1e-6);
    assert!(refuses(&["bench", &chain, "--envs", "5", "--stages"]).contains("--stages"));
    refuses(&["bench", &chain, "--envs", "0"]);
    refuses(&["bench", &chain, "--seconds", "inf"]);
    let table = succeeds(&["bench", &chain, "--seconds", "0.01", "--stages", "--ctrl", "-1"]);
    assert!(table.contains("steps per second") && table.contains("kinematics"), "{table}");
}

// ---- info, convert, files

#[test]
fn info_shows_the_tree() {
    let text = succeeds(&["info", &path("humanoid.xml")]);
    assert!(
        text.contains("└─ pelvis") && text.contains("knee_left (hinge)") && text.contains("ready to run"),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'), "no colours in a pipe");
    let json: Value = serde_json::from_str(&succeeds(&["info", &path("humanoid.xml"), "--json"])).unwrap();
    assert_eq!(json["sizes"]["nbody"].as_u64().unwrap() as usize, json["bodies"].as_array().unwrap().len());
    assert_eq!(json["missing"], json!([]));
}

#[test]
fn a_converted_model_is_the_same_model() {
    let file = temp("humanoid.simb");
    let file = file.to_str().unwrap();
    succeeds(&["convert", &path("humanoid.xml"), "-o", file]);
    let request = json!({"model_fields": ["body_inertia_tensor"], "data_fields": ["qacc"], "states": [{}]}).to_string();
    let (xml, binary) = (eval_raw(&model("humanoid.xml"), &request), eval_raw(Path::new(file), &request));
    assert!(xml.status.success());
    assert_eq!(xml.stdout, binary.stdout);
    assert!(refuses(&["convert", &path("humanoid.xml"), "-o", "out.mjb"]).contains(".simb"));
    for source in [path("humanoid.xml"), file.to_owned()] {
        let flat = temp("flat.xml");
        succeeds(&["convert", &source, "-o", flat.to_str().unwrap()]);
        assert_eq!(eval_raw(&flat, &request).stdout, binary.stdout, "{source}");
    }
}

#[test]
fn damaged_binary_files_are_refused_or_run() {
    let file = temp("whole.simb");
    succeeds(&["convert", &path("cartpole.xml"), "-o", file.to_str().unwrap()]);
    let bytes = std::fs::read(&file).unwrap();
    let damaged = temp("damaged.simb");
    let name = damaged.to_str().unwrap();
    let check = |bytes: &[u8]| {
        std::fs::write(&damaged, bytes).unwrap();
        for args in [vec!["info", name], vec!["run", name, "--steps", "3"]] {
            let out = sim(&args);
            let text = String::from_utf8_lossy(&out.stderr);
            assert!(matches!(out.status.code(), Some(0 | 1)) && !text.contains("panicked"), "{args:?}: {text}");
        }
    };
    for end in [0, 4, 8, 11, 12, 40, bytes.len() / 2, bytes.len() - 1] {
        check(&bytes[..end]);
    }
    for k in 0..40 {
        let mut changed = bytes.clone();
        let at = 12 + (k * 7919) % (bytes.len() - 12);
        changed[at] ^= 0xff >> (k % 8);
        check(&changed);
    }
}

#[test]
fn bad_models_are_refused() {
    for name in ["bad/truncated.xml", "bad/unknown_element.xml", "bad/empty_file.xml", "bad/include_cycle.xml"] {
        for command in ["info", "run", "bench"] {
            assert!(refuses(&[command, &path(name)]).contains(".xml"), "{name}");
        }
    }
    assert!(refuses(&["info", "no/such/file.xml"]).contains("no/such/file.xml"));
    refuses(&["info", env!("CARGO_MANIFEST_DIR")]);
    let binary = temp("noise.xml");
    std::fs::write(&binary, [0xff, 0xfe, 0x00, 0x80, 0x3c]).unwrap();
    refuses(&["info", binary.to_str().unwrap()]);
}

#[test]
fn usage_mistakes_and_help() {
    assert!(refuses(&["fly"]).contains("fly"));
    refuses(&["run"]);
    refuses(&["run", "x.xml", "--steps", "1", "--seconds", "1"]);
    for command in ["info", "run", "eval", "bench", "convert"] {
        assert!(succeeds(&[command, "--help"]).contains("Example"), "{command}");
    }
    assert!(succeeds(&["--version"]).starts_with("sim "));
}

/// Whoever reads our output may stop at any time.
#[test]
fn a_closed_pipe_is_not_a_crash() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let out = Command::new(env!("CARGO_BIN_EXE_sim"))
        .args(["info", &path("humanoid.xml"), "--json"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success());
}
