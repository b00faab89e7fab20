#!/usr/bin/env python3
"""Compares `sim eval` with MuJoCo 3.5.0, stage by stage, at states that MuJoCo reaches.

    ls models/*.xml | python conform.py --sim target/release/sim

Reads paths of MJCF files from stdin, one per line; writes one JSON object per file to stdout as soon as it is judged.
`cargo xtask conform` runs this and makes the tables.

Every comparison starts from MuJoCo's own state, so errors do not add up. Some states are ill-posed: MuJoCo's answer
jumps when the state moves in its last digits. So each state is evaluated with a few neighbours in the 14th digit; their
spread widens the tolerance, and where even the sizes differ between neighbours nothing is compared.
"""
import argparse, json, os, signal, subprocess, sys, tempfile, time
import numpy as np
import mujoco

TIMEOUT = 300      # seconds for one call of `sim`
LOADING = 60       # seconds for MuJoCo to load a file
DENSE_LIMIT = 400  # dofs up to which matrices are asked for: their size is quadratic
NEIGHBOURS = 4

SIZES = """nq nv nu na nbody njnt ngeom nsite ncam nlight nmesh nhfield nflex nflexvert nflexelem nflexedge ntendon nwrap
 neq npair nexclude nsensor nsensordata nkey nmocap""".split()

# per object: the suffixes of its fields in mjModel
MODEL = {
    "body": """pos quat ipos mass subtreemass invweight0 gravcomp parentid rootid weldid treeid mocapid jntnum jntadr dofnum
        dofadr geomnum geomadr contype conaffinity""",
    "jnt": """type qposadr dofadr bodyid group limited actgravcomp pos axis range stiffness margin solref solimp
        actfrcrange""",
    "dof": "bodyid jntid parentid treeid armature damping frictionloss solref solimp invweight0 M0",
    "geom": """type contype conaffinity condim bodyid dataid group priority pos quat size aabb rbound solmix solref solimp
        friction margin gap fluid""",
    "site": "type bodyid pos quat size",
    "cam": "bodyid mode pos quat fovy",
    "light": "bodyid pos dir",
    "pair": "dim geom1 geom2 solref solimp margin gap friction",
    "exclude": "signature",
    "eq": "type objtype obj1id obj2id data active0 solref solimp",
    "tendon": """adr num limited range margin stiffness damping frictionloss armature lengthspring length0 invweight0
        solref_lim solimp_lim""",
    "wrap": "type objid prm",
    "actuator": """trntype trnid dyntype gaintype biastype actadr actnum actearly ctrllimited forcelimited actlimited dynprm
        gainprm biasprm ctrlrange forcerange actrange gear acc0 length0 lengthrange""",
    "sensor": "type objtype objid reftype refid adr dim cutoff needstage datatype",
    "hfield": "size nrow ncol data",
    "mesh": "vertnum facenum",
    "flex": "dim stiffness bending damping edgestiffness",
    "flexedge": "length0 invweight0",
    "numeric": "data",
    "key": "time qpos qvel act ctrl mpos mquat",
}
MODEL_FIELDS = ["qpos0", "qpos_spring", "body_inertia_tensor"] + [f"{o}_{f}" for o, fs in MODEL.items() for f in fs.split()]
MODEL_TOLERANCE = 1e-7

# per stage: its tolerance and its fields in mjData
STAGES = {
    "kinematics": (1e-9, """xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos
        cam_xmat light_xpos light_xdir subtree_com flexvert_xpos"""),
    "inertia": (1e-9, "M cinert cdof"),
    "tendon": (1e-8, "ten_length ten_J ten_velocity"),
    "transmission": (1e-8, "actuator_length actuator_moment actuator_velocity"),
    "velocity": (1e-8, "cvel cdof_dot qfrc_bias"),
    "passive": (1e-8, "qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive"),
    "actuation": (1e-8, "act_dot actuator_force qfrc_actuator"),
    "contact": (1e-6, """ncon contact.geom contact.dist contact.pos contact.frame contact.dim contact.friction contact.solref
        contact.solreffriction contact.solimp contact.mu contact.exclude contact.includemargin"""),
    "constraint": (1e-6, """ne nf nl nefc efc_type efc_id efc_pos efc_margin efc_D efc_R efc_KBIP efc_vel efc_aref
        efc_frictionloss efc_J"""),
    "solution": (1e-6, "qacc_smooth qfrc_constraint qacc efc_force"),
    "sensor": (1e-6, "sensordata"),
    "energy": (1e-8, "energy"),
}
OPTIONAL = ("tendon", "transmission", "actuation", "contact", "constraint")
STEP = {"time": 1e-12, "qpos": 1e-7, "qvel": 1e-6, "act": 1e-8}
# what cannot be compared on a model that needs a stage which `sim info` says is missing
BLOCKED = {
    "collision": "contact constraint solution sensor step",
    "constraint": "constraint solution sensor step",
    "tendon": "tendon transmission passive actuation constraint solution sensor energy step",
    "actuation": "transmission actuation solution sensor step",
    "sensor": "sensor",
    "fluid": "passive solution sensor step",
    "flex": "kinematics passive contact constraint solution sensor energy step",
    "integrator": "step",
}

STATE = "time qpos qvel act ctrl qacc_warmstart mocap_pos mocap_quat eq_active qfrc_applied xfrc_applied".split()
DENSE = ("M", "ten_J", "actuator_moment", "efc_J")
QUATERNIONS = ("body_quat", "geom_quat", "site_quat", "cam_quat", "key_mquat", "xquat")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sim", required=True, help="the `sim` program")
    parser.add_argument("--covered", action="store_true", help="leave out files with elements that are not supported yet")
    parser.add_argument("--states", type=int, default=6, help="states along the trajectory")
    parser.add_argument("--steps", type=int, default=150, help="length of the trajectory")
    args = parser.parse_args()
    sim = Sim(os.path.abspath(args.sim))
    files = [line.rstrip("\n") for line in sys.stdin]

    # MuJoCo prints warnings to stdout: the verdicts keep it for themselves
    verdicts = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)  # MuJoCo leaves a log file where it runs
        for path in files:
            print(json.dumps({"file": path, **judge(sim, path, args)}), file=verdicts, flush=True)


def judge(sim, path, args):
    """What is said about one file."""
    # asked first, because it is quick and MuJoCo may take minutes over assets
    missing, unsupported = sim.missing(path)
    if unsupported and args.covered:
        return {"kind": "not covered", "why": unsupported}
    if dies(path):
        return judge_refusal(sim, path, "crashes or does not end")
    try:
        model = mujoco.MjModel.from_xml_path(path)
    except Exception as error:
        return judge_refusal(sim, path, first_line(error))
    if model.nplugin:
        return {"kind": "left out", "why": "uses plugins"}
    model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    checks = Checks()
    try:
        judge_numbers(sim, path, model, states(model, args), checks)
    except SimError as error:
        checks.add("load", "load", np.inf, 0.0)
        return {"kind": "failed", "why": str(error), **checks.summary()}
    for gap in missing:
        checks.drop(BLOCKED.get(gap["stage"], "").split())
    why = "; ".join(gap["what"] for gap in missing)
    return {"kind": "judged", "why": f"in part, without {why}" if why else "", "partial": bool(why), **checks.summary()}


def dies(path):
    """Whether MuJoCo crashes over the file or takes too long; found out in a process of its own."""
    child = os.fork()
    if child == 0:
        try:
            mujoco.MjModel.from_xml_path(path)
        except Exception:
            pass
        os._exit(0)
    end = time.monotonic() + LOADING
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.WIFSIGNALED(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def judge_refusal(sim, path, why):
    """MuJoCo refuses the file: `sim` must too, with a message and without a crash."""
    checks = Checks()
    try:
        sim.eval(path, {"stage": "forward", "states": [], "model_fields": ["nq"], "data_fields": []})
        ok, said = False, "accepted"
    except SimError as error:
        ok, said = error.code == 1 and bool(error.message), str(error)
    checks.add("refused", "refused", 0.0 if ok else np.inf, 0.0)
    return {"kind": "judged", "why": f"MuJoCo: {why} | sim: {said}", **checks.summary()}


def judge_numbers(sim, path, model, all_states, checks):
    """Compares the model's fields, one forward pass and one step from every state."""
    stages = {stage: [f for f in fields.split() if model.nv <= DENSE_LIMIT or f not in DENSE]
              for stage, (_, fields) in STAGES.items()}
    wanted = sum(stages.values(), [])
    common = {"energy": True, "states": all_states}
    forward = sim.eval(path, {**common, "stage": "forward", "model_fields": SIZES + MODEL_FIELDS, "data_fields": wanted})
    step = sim.eval(path, {**common, "stage": "step", "model_fields": [], "data_fields": list(STEP)})
    checks.add("load", "load", 0.0, 0.0)

    # the model: every object has its own scale
    for field in SIZES + MODEL_FIELDS:
        want, got = model_field(model, field), array(forward["model"].get(field))
        if want is not None and (want.size or got is not None and got.size):
            checks.add("model", field, row_error(field, want, got), MODEL_TOLERANCE)

    rng = np.random.default_rng(11)
    for state, after_forward, after_step in zip(all_states, forward["states"], step["states"]):
        near = [state] + [neighbour(state, rng) for _ in range(NEIGHBOURS)]
        wants = [read(model, run(model, s, mujoco.mj_forward), wanted) for s in near]
        for stage, fields in stages.items():
            for field in fields:
                compare(checks, stage, field, STAGES[stage][0], wants, answer(after_forward, field))
        wants = [read(model, run(model, s, mujoco.mj_step), STEP) for s in near]
        for field, tolerance in STEP.items():
            compare(checks, "step", field, tolerance, wants, answer(after_step, field))


def compare(checks, stage, field, tolerance, wants, got):
    """One field at one state, against MuJoCo's answer there and in the neighbourhood."""
    values = [w[field] for w in wants]
    if values[0].size == 0 and (got is None or got.size == 0):
        return
    # a model without contacts says nothing about contacts
    if stage in OPTIONAL and got is not None and not np.any(got) and not any(np.any(v) for v in values):
        return
    spread = max(field_error(field, values[0], v) for v in values[1:])
    if np.isinf(spread):
        checks.ill_posed.append(stage)
        return
    checks.add(stage, field, min(field_error(field, v, got) for v in values), max(tolerance, 10 * spread))


class Checks:
    """The worst result of every field, by stage."""

    def __init__(self):
        self.worst, self.ill_posed = {}, []

    def add(self, stage, field, error, tolerance):
        error = float(np.nan_to_num(error, nan=np.inf))
        excess = error / tolerance if tolerance else error
        if (stage, field) not in self.worst or excess > self.worst[stage, field][0]:
            self.worst[stage, field] = (excess, error, tolerance)

    def drop(self, stages):
        self.worst = {key: value for key, value in self.worst.items() if key[0] not in stages}
        self.ill_posed = [stage for stage in self.ill_posed if stage not in stages]

    def summary(self):
        stages, failures = {}, []
        for (stage, field), (excess, error, tolerance) in self.worst.items():
            passed, total = stages.get(stage, (0, 0))
            stages[stage] = (passed + (excess <= 1), total + 1)
            if excess > 1:
                failures.append((excess, {"field": f"{stage}.{field}", "error": min(error, 1e300), "tolerance": tolerance}))
        failures.sort(key=lambda f: -f[0])
        return {"stages": stages, "failures": [f for _, f in failures], "ill_posed": len(self.ill_posed)}


class SimError(Exception):
    """`sim` did not answer."""

    def __init__(self, code, message):
        super().__init__(f"exit code {code}: {message or 'no message'}")
        self.code, self.message = code, message


class Sim:
    """The program under test."""

    def __init__(self, program):
        self.program = program

    def call(self, *arguments):
        """Exit code, output and the first line of the error."""
        try:
            done = subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            raise SimError("none", f"no answer in {TIMEOUT} s") from None
        return done.returncode, done.stdout, first_line(done.stderr)

    def missing(self, path):
        """Stages that the model needs and the program lacks, and what keeps it from loading if that is not supported."""
        try:
            code, output, message = self.call("info", path, "--json")
        except SimError:
            return [], ""  # the comparison will say it
        if code == 0:
            return json.loads(output)["missing"], ""
        return [], message[message.find("not supported yet"):] if "not supported yet" in message else ""

    def eval(self, path, request):
        with tempfile.TemporaryDirectory() as folder:
            question, reply = os.path.join(folder, "in.json"), os.path.join(folder, "out.json")
            with open(question, "w") as file:
                json.dump(request, file)
            code, _, message = self.call("eval", path, "--input", question, "--output", reply)
            if code:
                raise SimError(code, message)
            try:
                with open(reply) as file:
                    return json.load(file)
            except (OSError, ValueError) as error:
                raise SimError(0, f"unreadable answer: {error}") from None


def states(model, args):
    """States along a trajectory, some of them pushed, and two thrown into other poses."""
    rng = np.random.default_rng(2026)
    data = mujoco.MjData(model)
    restart(model, data)
    limited = model.actuator_ctrllimited.astype(bool)
    low = np.where(limited, model.actuator_ctrlrange[:, 0], -1.0)
    high = np.where(limited, model.actuator_ctrlrange[:, 1], 1.0)
    rest, noise = data.ctrl.copy(), np.zeros(model.nu)
    count = args.states if model.nv <= DENSE_LIMIT else min(args.states, 3)
    wanted = {int(i) for i in np.linspace(0, args.steps, count)}
    found, start = [], time.monotonic()
    for i in range(args.steps + 1):
        noise += 0.15 * rng.standard_normal(model.nu) - 0.02 * noise
        data.ctrl[:] = np.clip(rest + 0.1 * (high - low) * noise, low, high)
        if i in wanted:
            found.append(grab(data))
        mujoco.mj_step(model, data)
        if data.warning.number.any() or not np.isfinite(data.qpos).all() or time.monotonic() - start > 20:
            break

    # every other state is pushed, each body and dof by about a hundredth of the weight
    weight = max(1e-3, 9.81 * float(model.body_mass.sum()))
    for state in found[1::2]:
        state["qfrc_applied"] = (0.01 * weight * rng.standard_normal(model.nv)).tolist()
        push = 0.01 * weight * rng.standard_normal((model.nbody, 6))
        push[0] = 0
        state["xfrc_applied"] = push.ravel().tolist()

    # other poses, with other speeds and controls
    far, fast = (0.02, 0.05) if model.nflex else (0.3, 0.5)
    for _ in range(2 if model.nv else 0):
        restart(model, data)
        mujoco.mj_integratePos(model, data.qpos, far * rng.standard_normal(model.nv), 1.0)
        data.qvel[:] = fast * rng.standard_normal(model.nv)
        data.ctrl[:] = np.clip(rest + 0.3 * (high - low) * rng.standard_normal(model.nu), low, high)
        data.mocap_pos[:] += 0.05 * rng.standard_normal(data.mocap_pos.shape)
        state = grab(data)
        mujoco.mj_forward(model, data)
        if np.isfinite(data.qacc).all() and np.abs(data.qacc).max() < 1e9:
            found.append(state)
    return found


def restart(model, data):
    mujoco.mj_resetDataKeyframe(model, data, 0) if model.nkey else mujoco.mj_resetData(model, data)


def grab(data):
    return {f: data.time if f == "time" else np.array(getattr(data, f), float).ravel().tolist() for f in STATE}


def neighbour(state, rng):
    """The state, moved in the 14th digit."""
    moved = dict(state)
    for field in ("qpos", "qvel"):
        x = np.array(state[field])
        moved[field] = (x + 1e-14 * np.abs(x) * rng.standard_normal(x.size) + 1e-15 * rng.standard_normal(x.size)).tolist()
    return moved


def run(model, state, function):
    """Fresh data with the state written over it, after `function`."""
    data = mujoco.MjData(model)
    for field in STATE:
        if field == "time":
            data.time = state["time"]
        elif getattr(data, field).size:
            target = getattr(data, field)
            target[:] = np.reshape(state[field], target.shape)
    function(model, data)
    return data


def read(model, data, fields):
    return {field: np.asarray(data_field(model, data, field), float) for field in fields}


def model_field(model, field):
    """A field of the model as an array; None for one that these bindings do not have."""
    if field == "body_inertia_tensor":  # in the body's frame, because principal axes are not unique
        tensors, matrix = np.zeros((model.nbody, 9)), np.zeros(9)
        for body in range(model.nbody):
            mujoco.mju_quat2Mat(matrix, model.body_iquat[body])
            axes = matrix.reshape(3, 3)
            tensors[body] = (axes * model.body_inertia[body] @ axes.T).ravel()
        return tensors
    value = getattr(model, field, None)
    return None if value is None else np.array(value, float)


def data_field(model, data, field):
    """A field of the data; matrices dense."""
    nv = model.nv
    if field.startswith("contact."):
        return np.array(getattr(data.contact, field[8:])).copy()
    if field == "M":
        full = np.zeros((nv, nv))
        if nv:
            mujoco.mj_fullM(model, full, data.qM)
        return full
    if field == "ten_J" and not mujoco.mj_isSparse(model):
        return np.array(data.ten_J, float).reshape(model.ntendon, nv)   # dense models leave the pattern empty
    if field == "ten_J":
        return dense(data.ten_J, data.ten_J_rownnz, data.ten_J_rowadr, data.ten_J_colind, (model.ntendon, nv))
    if field == "actuator_moment":
        return dense(data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind, (model.nu, nv))
    if field == "efc_J" and mujoco.mj_isSparse(model):
        return dense(data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind, (data.nefc, nv))
    if field == "efc_J":
        return np.ravel(data.efc_J)[: data.nefc * nv].reshape(data.nefc, nv).copy()
    return np.array(getattr(data, field))


def dense(values, counts, addresses, columns, shape):
    out, values, columns = np.zeros(shape), np.ravel(values), np.ravel(columns)
    for row in range(shape[0]):
        part = slice(addresses[row], addresses[row] + counts[row])
        out[row, columns[part]] = values[part]
    return out


def answer(state, field):
    return None if state.get("error") else array(state["data"].get(field))


def array(value):
    """An array of the answer; None when it is absent, NaN for what is not finite."""
    if value is None:
        return None
    return np.array([np.nan if x is None else x for x in value["data"]], float).reshape(value["shape"])


def field_error(field, want, got):
    """Largest difference, relative to the largest value where that is above one."""
    if got is None or want.size != got.size:
        return np.inf
    if want.size == 0:
        return 0.0
    want, got = match_infinities(*align_signs(field, want, got))
    error = np.max(np.abs(want - got)) / max(1.0, np.max(np.abs(want)))
    return float(error) if np.isfinite(error) else np.inf


def row_error(field, want, got):
    """Largest difference, relative to the largest value of its own object."""
    if got is None or want.size != got.size:
        return np.inf
    want, got = match_infinities(*align_signs(field, want, got))
    rows = want.shape[0] if want.ndim else 1
    want, got = want.reshape(rows, -1), got.reshape(rows, -1)
    scale = np.maximum(np.abs(want).max(1), 1e-9 * max(1e-3, np.abs(want).max()))
    error = np.max(np.abs(want - got).max(1) / scale)
    return float(error) if np.isfinite(error) else np.inf


def match_infinities(want, got):
    """The answer has no infinity, only "not finite": where MuJoCo has none either, both count as zero."""
    both = ~np.isfinite(want) & ~np.isfinite(got)
    return np.where(both, 0.0, want), np.where(both, 0.0, got)


def align_signs(field, want, got):
    """A quaternion and its negative are the same rotation."""
    if field not in QUATERNIONS:
        return want, got.reshape(want.shape)
    want, got = want.reshape(-1, 4), got.reshape(-1, 4)
    flip = np.where((want * got).sum(1) < 0, -1.0, 1.0)
    return want, got * flip[:, None]


def first_line(text):
    lines = str(text).strip().splitlines()
    return lines[0][:200] if lines else ""


if __name__ == "__main__":
    main()
