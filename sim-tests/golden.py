#!/usr/bin/env python3
"""Makes the golden files: what MuJoCo 3.5.0 computes for the models in `models/`.

    pip install mujoco==3.5.0 numpy
    python golden.py                # rewrite golden/, print the largest change of every file that changed
    python golden.py --check        # write nothing; exit code 1 when a file would change
    python golden.py humanoid mocap # only these models

One text file per model; one array per line: name, shape, row-major values with the digits that give the same double
again (`0*5` is five zeros). Sections: [model], [names], and per state NAME [state NAME] (what is written over a fresh
reset), [forward NAME] (after mj_forward) and [step NAME] (after mj_step); [drift] for the models in DRIFT.
"""
import argparse, glob, json, os, re, sys, zlib
import numpy as np
import mujoco

HERE = os.path.dirname(os.path.abspath(__file__))
VERSION = "3.5.0"
DRIFT = ("chain5", "spinning_body")   # conserved quantities every 100 of 1000 steps from keyframe 0

SIZES = """nq nv nu na nbody nbvh nbvhstatic nbvhdynamic njnt ntree nM nB nC nD ngeom nsite ncam nlight nnumeric nnumericdata
 ntext ntextdata ntuple ntupledata nkey nmocap nuser_body nuser_jnt nuser_geom nuser_site nuser_cam ngravcomp njmax nconmax
 nuserdata""".split()
FAMILIES = "qpos body jnt dof tree geom site cam light bvh numeric text tuple key M D B mapM2M mapM2D mapD2M".split()
# written only for models that have them, so that the others stay as they are
PATH_SIZES = "ntendon nwrap nsensor nsensordata nhistory nuser_tendon nuser_actuator nuser_sensor".split()
PATH_FAMILIES = "tendon wrap actuator sensor".split()
PATH_STATE = "act ctrl".split()
PATH_FORWARD = """ten_length ten_velocity actuator_length actuator_velocity actuator_force qfrc_actuator act_dot qfrc_fluid
 sensordata""".split()
SKIP = "key_act key_ctrl".split()   # written when there is something in them
NAMES = "body joint geom site camera light numeric text tuple key".split()
STATE = "time qpos qvel mocap_pos mocap_quat qfrc_applied xfrc_applied".split()
FORWARD = """qpos xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat
 light_xpos light_xdir subtree_com cdof cinert crb M qLD qLDiagInv cvel cdof_dot qfrc_bias qfrc_spring qfrc_damper
 qfrc_gravcomp qfrc_passive qfrc_smooth qacc_smooth qacc energy subtree_linvel subtree_angmom""".split()
STEP = "time qpos qvel".split()


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--check", action="store_true", help="write nothing, fail when something would change")
    args.add_argument("models", nargs="*", help="names of models, all when absent")
    args = args.parse_args()
    if mujoco.__version__ != VERSION:
        sys.exit(f"golden files are made by MuJoCo {VERSION}, this is {mujoco.__version__}")

    names = [os.path.basename(p)[:-4] for p in sorted(glob.glob(os.path.join(HERE, "models", "*.xml")))]
    unknown = [n for n in args.models if n not in names]
    if unknown:
        sys.exit(f"no such model: {', '.join(unknown)}")
    files = {f"{n}.txt": golden(n) for n in names if not args.models or n in args.models}
    if not args.models:
        files["meta.json"] = json.dumps(meta(), indent=2) + "\n"

    changed = [f for f, text in files.items() if report(f, text)]
    if not args.models:
        for path in glob.glob(os.path.join(HERE, "golden", "*")):
            if os.path.basename(path) not in files:
                print(f"{os.path.basename(path)}: no such model any more")
                changed.append(os.path.basename(path))
                if not args.check:
                    os.remove(path)
    if not args.check:
        os.makedirs(os.path.join(HERE, "golden"), exist_ok=True)
        for name, text in files.items():
            with open(os.path.join(HERE, "golden", name), "w", newline="\n") as f:
                f.write(text)
    total = sum(len(t.encode()) for t in files.values())
    print(f"{len(files)} files, {total / 1e6:.2f} MB, {len(changed)} changed")
    if args.check and changed:
        sys.exit(1)


def meta():
    return {
        "mujoco": VERSION,
        "format": "name [shape] values; row-major; quaternions w x y z; 6-vectors rotation first; M dense",
        "random": "numpy default_rng, seeded by the CRC-32 of the model's name",
        "states": {
            "start": "keyframe 0 if there is one, else the reset state",
            "thrown": "start, qpos moved along a random velocity (0.5) for one second, random qvel (1.0), quaternions of "
                      "qpos scaled by 1.5, random applied forces that would accelerate each body and dof alone by about 1",
            "moved": "start, another random pose and velocity, mocap bodies moved and turned, time 0.7",
            "after": "thrown after 100 steps, applied forces kept",
        },
        "energy": "the energy flag is switched on for the goldens of every model",
        "drift": "total energy (potential, kinetic), linear velocity and angular momentum of the whole, every 100 steps",
    }


def golden(name):
    """The text of one golden file."""
    path = os.path.join(HERE, "models", name + ".xml")
    m = mujoco.MjModel.from_xml_path(path)
    visual = "<visual>" in open(path, encoding="utf-8").read()   # settings for display, only of the models that have some
    out = [f"# {name}.xml by MuJoCo {VERSION}", "[model]"] + model_lines(m, visual) + ["[names]"] + name_lines(m)
    m.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    for state, values in states(m, np.random.default_rng(zlib.crc32(name.encode()))).items():
        out += [f"[state {state}]"] + [line(f, v) for f, v in values.items()]
        out += [f"[forward {state}]"] + forward_lines(m, values)
        out += [f"[step {state}]"] + step_lines(m, values)
    if name in DRIFT:
        out += ["[drift]"] + drift_lines(m)
    return "\n".join(out) + "\n"


def model_lines(m, visual):
    out = [line(f, getattr(m, f)) for f in SIZES + [f for f in PATH_SIZES if getattr(m, f)]]
    for f in sorted(dir(m)):
        family = f.split("_")[0]
        value = getattr(m, f)
        if family in PATH_FAMILIES or f in SKIP:
            if not (isinstance(value, np.ndarray) and value.size):
                continue
        elif family not in FAMILIES and f != "qpos0":
            continue
        if isinstance(value, np.ndarray):
            out.append(line(f, value))
        elif isinstance(value, bytes):   # texts, each ended by a zero
            out.append(line(f, np.frombuffer(value, np.uint8)))
    for group, record in (("opt", m.opt), ("stat", m.stat)):
        out += record_lines(group, record)
    for part in "global_ quality headlight map scale rgba".split() if visual else []:
        out += record_lines("vis." + part.rstrip("_"), getattr(m.vis, part))
    return out


def record_lines(group, record):
    fields = [(f, getattr(record, f)) for f in dir(record) if not f.startswith("_")]
    # the bindings show two colours as empty arrays
    return [line(f"{group}.{f}", v) for f, v in fields if not callable(v) and np.asarray(v).size]


def name_lines(m):
    lines = []
    for kind in NAMES:
        obj = getattr(mujoco.mjtObj, "mjOBJ_" + kind.upper())
        count = getattr(m, {"joint": "njnt", "camera": "ncam"}.get(kind, "n" + kind))
        names = [mujoco.mj_id2name(m, obj, i) or "" for i in range(count)]
        assert not any(c in s for s in names for c in "\t\n")
        lines.append("\t".join([kind] + names))
    return lines


def states(m, rng):
    """The states of `meta`, by name."""
    d = mujoco.MjData(m)
    restart(m, d)
    out = {"start": grab(d)}

    throw(m, d, rng, 0.5, 1.0)
    d.qfrc_applied[:] = m.dof_M0 * rng.standard_normal(m.nv)
    d.xfrc_applied[:, :3] = m.body_mass[:, None] * rng.standard_normal((m.nbody, 3))
    d.xfrc_applied[:, 3:] = m.body_inertia.mean(1)[:, None] * rng.standard_normal((m.nbody, 3))
    thrown = grab(d)
    for j in range(m.njnt):   # quaternions need not be normalised
        if m.jnt_type[j] < 2:
            a = m.jnt_qposadr[j] + (3 if m.jnt_type[j] == 0 else 0)
            thrown["qpos"][a:a + 4] *= 1.5
    out["thrown"] = thrown
    write(d, thrown)
    for _ in range(100):
        mujoco.mj_step(m, d)
    after = grab(d)
    assert not d.warning.number.any(), "the trajectory must not diverge"

    restart(m, d)
    throw(m, d, rng, 1.0, 0.5)
    d.time = 0.7
    d.mocap_pos[:] += 0.3 * rng.standard_normal((m.nmocap, 3))
    d.mocap_quat[:] += 0.3 * rng.standard_normal((m.nmocap, 4))
    out.update(moved=grab(d), after=after)
    assert all(np.isfinite(v).all() for s in out.values() for v in s.values())
    return out


def restart(m, d):
    mujoco.mj_resetDataKeyframe(m, d, 0) if m.nkey else mujoco.mj_resetData(m, d)


def throw(m, d, rng, far, fast):
    mujoco.mj_integratePos(m, d.qpos, far * rng.standard_normal(m.nv), 1.0)
    d.qvel[:] = fast * rng.standard_normal(m.nv)
    d.ctrl[:] = 0.5 * rng.standard_normal(m.nu)
    d.act[:] = 0.3 * rng.standard_normal(m.na)


def grab(d):
    path = [f for f in PATH_STATE if getattr(d, f).size]
    return {f: np.array(getattr(d, f), dtype=float) for f in STATE + path}


def write(d, values):
    for f, v in values.items():
        if f == "time":
            d.time = float(v)
        else:
            getattr(d, f)[:] = v


def fresh(m, values):
    d = mujoco.MjData(m)
    write(d, values)
    return d


def forward_lines(m, values):
    d = fresh(m, values)
    mujoco.mj_forward(m, d)
    assert d.nefc == 0 and d.ncon == 0, "models here have no active constraints yet"
    mujoco.mj_subtreeVel(m, d)
    dense = np.zeros((m.nv, m.nv))
    if m.nv:
        mujoco.mj_fullM(m, dense, d.qM)
    path = [f for f in PATH_FORWARD if getattr(d, f).any()]
    return [line(f, dense if f == "M" else getattr(d, f)) for f in FORWARD + path]


def step_lines(m, values):
    d = fresh(m, values)
    mujoco.mj_step(m, d)
    return [line(f, getattr(d, f)) for f in STEP + ["act"] * bool(m.na)]


def drift_lines(m):
    d = mujoco.MjData(m)
    restart(m, d)
    rows = {"energy": [], "subtree_linvel": [], "subtree_angmom": []}
    for i in range(1001):
        if i % 100 == 0:
            probe = mujoco.MjData(m)
            write(probe, grab(d))
            mujoco.mj_forward(m, probe)
            mujoco.mj_subtreeVel(m, probe)
            rows["energy"].append(probe.energy.copy())
            rows["subtree_linvel"].append(probe.subtree_linvel[0].copy())
            rows["subtree_angmom"].append(probe.subtree_angmom[0].copy())
        mujoco.mj_step(m, d)
    return [line(f, np.array(v)) for f, v in rows.items()]


def line(name, value):
    a = np.asarray(value)
    numbers = [text(x) for x in a.ravel().tolist()]
    runs, i = [], 0
    while i < len(numbers):
        j = i
        while j < len(numbers) and numbers[j] == numbers[i]:
            j += 1
        runs += [f"{numbers[i]}*{j - i}"] if j - i > 2 else numbers[i:j]
        i = j
    return " ".join([name, "[" + ",".join(map(str, a.shape)) + "]"] + runs)


def text(x):
    if isinstance(x, float):
        return str(int(x)) if x.is_integer() and abs(x) < 1e15 and not (x == 0 and np.signbit(x)) else repr(x)
    return str(int(x))


def report(name, new):
    """Prints what changed in one file; whether anything did."""
    path = os.path.join(HERE, "golden", name)
    old = open(path).read() if os.path.exists(path) else ""
    if old == new:
        return False
    if not old or name == "meta.json":
        print(f"{name}: {'new' if not old else 'changed'}")
        return True
    was, now = arrays_of(old), arrays_of(new)
    worst, where = 0.0, f"{len(was.keys() ^ now.keys())} arrays that came or went"
    for key in was.keys() & now.keys():
        x, y = was[key], now[key]
        if x.size != y.size:
            worst, where = float("inf"), " ".join(key)
        elif x.size:
            with np.errstate(invalid="ignore"):
                e = np.nanmax(np.abs(x - y), initial=0.0)
            if e > worst:
                worst, where = e, " ".join(key)
    print(f"{name}: largest change {worst:.3g} in {where}")
    return True


def arrays_of(text):
    """Arrays of a golden file by section and name."""
    out, section = {}, ""
    for row in text.split("\n"):
        if row.startswith("["):
            section = row
        elif re.match(r"^\S+ \[", row):
            values = []
            for token in row.split(" ")[2:]:
                value, _, count = token.partition("*")
                values += [float(value)] * int(count or 1)
            out[section, row.split(" ")[0]] = np.array(values)
    return out


if __name__ == "__main__":
    main()
