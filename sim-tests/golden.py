#!/usr/bin/env python3
"""Makes the golden files: what MuJoCo 3.5.0 computes for the models in `models/`.

    pip install mujoco==3.5.0 numpy
    python golden.py                # rewrite golden/, print the largest change of every file that changed
    python golden.py --check        # write nothing; exit code 1 when a file would change
    python golden.py humanoid mocap # only these models

Models in `models/constraint/` have goldens of their own, in `golden/constraint/`: rows, islands and solutions.

One text file per model; one array per line: name, shape, row-major values with the digits that give the same double
again (`0*5` is five zeros). Sections: [model], [names], and per state NAME [state NAME] (what is written over a fresh
reset), [forward NAME] (after mj_forward) and [step NAME] (after mj_step); [drift] for the models in DRIFT.
Models in `models/contact/` are about contacts and sensors that look at geoms: per state [state NAME] and, for each set of
flags in VARIANTS, [contact NAME VARIANT]; left out where it is the same as with no flags.
Models in `models/integrate/` are about integration: per state and integrator [step STATE INTEGRATOR] (one step), [later …]
(twenty), [inverse …], [discrete …] (inverse with the flag invdiscrete), [transition …] (derivatives of a step), [inverse derivatives …], [compare …]
(forward against inverse) and [update …] (constraint forces at given residuals).
Models in `models/query/` are about rays and distances: per state [rays NAME], [bundles NAME] (many rays from one point) and
[distances NAME VARIANT].
"""
import argparse, glob, json, os, re, sys, zlib
import numpy as np
import mujoco
import golden_inverse
import golden_queries as queries

HERE = os.path.dirname(os.path.abspath(__file__))
VERSION = "3.5.0"
DRIFT = ("chain5", "spinning_body")   # conserved quantities every 100 of 1000 steps from keyframe 0

SIZES = """nq nv nu na nbody nbvh nbvhstatic nbvhdynamic njnt ntree nM nB nC nD ngeom nsite ncam nlight nnumeric nnumericdata
 ntext ntextdata ntuple ntupledata nkey nmocap nuser_body nuser_jnt nuser_geom nuser_site nuser_cam ngravcomp njmax nconmax
 nuserdata""".split()
FAMILIES = "qpos body jnt dof tree geom site cam light bvh numeric text tuple key M D B mapM2M mapM2D mapD2M".split()
# written only for models that have them, so that the others stay as they are
PATH_SIZES = """ntendon nwrap nsensor nsensordata nhistory nuser_tendon nuser_actuator nuser_sensor nmesh nmeshvert
 nmeshnormal nmeshtexcoord nmeshface nmeshgraph nmeshpoly nmeshpolyvert nmeshpolymap nhfield nhfielddata ntex ntexdata
 nmat nflex nflexnode nflexvert nflexedge nflexelem nflexelemdata nflexelemedge nflexshelldata nflexevpair nflextexcoord
 nJfe nJfv nskin nskinvert nskintexvert nskinface nskinbone nskinbonevert""".split()
PATH_FAMILIES = "tendon wrap actuator sensor mesh hfield tex mat paths flex flexedge flexvert skin".split()
PATH_NAMES = {"mesh": "nmesh", "hfield": "nhfield", "texture": "ntex", "material": "nmat", "flex": "nflex", "skin": "nskin"}
# written only for models with deformables, which have no states yet
FLEX_SIZES = "neq nemax".split()
FLEX_FAMILIES = "eq".split()
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
CONTACT = "geom dist pos frame dim friction solref solreffriction solimp exclude includemargin".split()
CONTACT_VARIANTS = {   # disable flags, enable flags
    "plain": (0, 0),
    "loops": (int(mujoco.mjtDisableBit.mjDSBL_MIDPHASE), 0),
    "family": (int(mujoco.mjtDisableBit.mjDSBL_FILTERPARENT), 0),
    "multiccd": (0, int(mujoco.mjtEnableBit.mjENBL_MULTICCD)),
    "portal": (int(mujoco.mjtDisableBit.mjDSBL_NATIVECCD), 0),
}

# constraints: rows at a state, and what each setting of the solver makes of them
ROW_STATE = "time qpos qvel ctrl qacc_warmstart eq_active".split()
ROWS = """ne nf nl nefc efc_type efc_id efc_J efc_pos efc_margin efc_frictionloss efc_diagApprox efc_KBIP efc_D efc_R efc_vel
 efc_aref efc_b nisland tree_island dof_island efc_island tree_asleep""".split()
SOLUTION = "qacc qfrc_constraint efc_force sensordata cfrc_ext".split()
ISLAND, WARMSTART, REFSAFE = 1 << 18, 1 << 9, 1 << 12
# conjugate gradients amplify rounding with every iteration: few are compared
# later iterates of CG depend on rounding: MuJoCo dense and sparse differ there
VARIANTS = {f"{s}-{c}": dict(solver=i, cone=j, iterations=6 if s == "cg" else 100) for i, s in enumerate(("pgs", "cg", "newton"))
            for j, c in enumerate(("pyramidal", "elliptic"))}
VARIANTS.update({"dense": dict(jacobian=0), "sparse": dict(jacobian=1), "whole": dict(disableflags=ISLAND),
                 "cold": dict(disableflags=WARMSTART), "unsafe": dict(disableflags=REFSAFE),
                 "noslip-pyramidal": dict(noslip_iterations=5), "noslip-elliptic": dict(noslip_iterations=5, cone=1)})

# integrators, inverse dynamics and derivatives
INTEGRATORS = ("euler", "rk4", "implicit", "implicitfast")
INTEGRATE_STATE = "qpos qvel act ctrl qacc".split()
INTEGRATED = "qpos qvel act qacc_warmstart sensordata".split()
INVDISCRETE = int(mujoco.mjtEnableBit.mjENBL_INVDISCRETE)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--check", action="store_true", help="write nothing, fail when something would change")
    args.add_argument("models", nargs="*", help="names of models, all when absent")
    args = args.parse_args()
    if mujoco.__version__ != VERSION:
        sys.exit(f"golden files are made by MuJoCo {VERSION}, this is {mujoco.__version__}")

    names = [os.path.splitext(os.path.basename(p))[0] for p in sorted(model_files("*"))]
    for folder in FOLDERS:
        names += [folder + "/" + os.path.basename(p)[:-4] for p in sorted(glob.glob(os.path.join(HERE, "models", folder, "*.xml")))]
    unknown = [n for n in args.models if n not in names]
    if unknown:
        sys.exit(f"no such model: {', '.join(unknown)}")
    make = lambda n: FOLDERS.get(os.path.dirname(n), golden)(n)
    files = {f"{n}.txt": make(n) for n in names if not args.models or n in args.models}
    if not args.models:
        files["meta.json"] = json.dumps(meta(), indent=2) + "\n"

    changed = [f for f, text in files.items() if report(f, text)]
    if not args.models:
        for path in glob.glob(os.path.join(HERE, "golden", "**", "*.*"), recursive=True):
            name = os.path.relpath(path, os.path.join(HERE, "golden")).replace(os.sep, "/")
            if name not in files:
                print(f"{name}: no such model any more")
                changed.append(name)
                if not args.check:
                    os.remove(path)
    if not args.check:
        for folder in FOLDERS:
            os.makedirs(os.path.join(HERE, "golden", folder), exist_ok=True)
        for name, text in files.items():
            with open(os.path.join(HERE, "golden", name), "w", newline="\n") as f:
                f.write(text)
    total = sum(len(t.encode()) for t in files.values())
    print(f"{len(files)} files, {total / 1e6:.2f} MB, {len(changed)} changed")
    if args.check and changed:
        sys.exit(1)


def model_files(name):
    return [p for kind in ("xml", "urdf") for p in glob.glob(os.path.join(HERE, "models", f"{name}.{kind}"))]


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
    path = model_files(name)[0]
    m = mujoco.MjModel.from_xml_path(path)
    visual = "<visual>" in open(path, encoding="utf-8").read()   # settings for display, only of the models that have some
    out = [f"# {os.path.basename(path)} by MuJoCo {VERSION}", "[model]"] + model_lines(m, visual) + ["[names]"] + name_lines(m)
    m.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    if m.nflex:
        return "\n".join(out) + "\n"
    for state, values in states(m, np.random.default_rng(zlib.crc32(name.encode()))).items():
        out += [f"[state {state}]"] + [line(f, v) for f, v in values.items()]
        out += [f"[forward {state}]"] + forward_lines(m, values)
        out += [f"[step {state}]"] + step_lines(m, values)
    if name in DRIFT:
        out += ["[drift]"] + drift_lines(m)
    return "\n".join(out) + "\n"


def contact_golden(name):
    """Contacts and sensors at a few states, with several sets of flags."""
    m = mujoco.MjModel.from_xml_path(os.path.join(HERE, "models", name + ".xml"))
    out = [f"# {name}.xml by MuJoCo {VERSION}"]
    for state, qpos in contact_states(m, np.random.default_rng(zlib.crc32(name.encode()))).items():
        out += [f"[state {state}]", line("qpos", qpos)]
        plain = contact_lines(m, qpos, CONTACT_VARIANTS["plain"])
        for variant, flags in CONTACT_VARIANTS.items():
            rows = contact_lines(m, qpos, flags)
            if variant == "plain" or rows != plain:
                out += [f"[contact {state} {variant}]"] + rows
    return "\n".join(out) + "\n"


def contact_states(m, rng):
    """The start, five random poses, and the start after fifty steps. Random poses are well posed: the same contacts a
    little aside. The start is as the file says, exactly touching or not."""
    d = mujoco.MjData(m)
    out = {"start": d.qpos.copy()}
    while len(out) < 6:
        mujoco.mj_resetData(m, d)
        mujoco.mj_integratePos(m, d.qpos, 0.15 * rng.standard_normal(m.nv), 1.0)
        same = contact_ids(m, d.qpos)
        if all(alike(same, contact_ids(m, d.qpos + 1e-9 * rng.standard_normal(m.nq))) for _ in range(4)):
            out[f"random{len(out)}"] = d.qpos.copy()
    mujoco.mj_resetData(m, d)
    for _ in range(50):
        mujoco.mj_step(m, d)
    assert not d.warning.number.any(), "the trajectory must not diverge"
    out["after"] = d.qpos.copy()
    return out


def contact_ids(m, qpos):
    d = mujoco.MjData(m)
    d.qpos[:] = qpos
    mujoco.mj_fwdPosition(m, d)
    field = lambda c: m.geom_type[c.geom[1]] == mujoco.mjtGeom.mjGEOM_SDF
    return [(*c.geom, c.exclude, c.dist if field(c) else 0) for c in d.contact]


def alike(a, b):
    """The same contacts, those with distance fields as deep: a descent may end somewhere else."""
    return len(a) == len(b) and all(x[:3] == y[:3] and abs(x[3] - y[3]) < 1e-7 for x, y in zip(a, b))


def contact_lines(m, qpos, flags):
    plain = m.opt.disableflags, m.opt.enableflags
    m.opt.disableflags, m.opt.enableflags = plain[0] | flags[0], plain[1] | flags[1]
    d = mujoco.MjData(m)
    d.qpos[:] = qpos
    mujoco.mj_forward(m, d)
    m.opt.disableflags, m.opt.enableflags = plain
    rows = [line("contact." + f, np.array(getattr(d.contact, f)).reshape(d.ncon, -1) if d.ncon else np.zeros(0)) for f in CONTACT]
    return rows + [line("sensordata", d.sensordata)] * bool(m.nsensor)


def constraint_golden(name):
    """Rows, islands and solutions at states along a trajectory, under every setting of the solver."""
    m = mujoco.MjModel.from_xml_path(os.path.join(HERE, "models", name + ".xml"))
    d, rng = mujoco.MjData(m), np.random.default_rng(zlib.crc32(name.encode()))
    out = [f"# {name}.xml by MuJoCo {VERSION}"]
    for state, steps in (("start", 0), ("early", 20), ("late", 80)):
        d.ctrl[:] = rng.uniform(0, 1, m.nu)
        for _ in range(steps):
            mujoco.mj_step(m, d)
        values = {f: np.array(getattr(d, f), dtype=float) for f in ROW_STATE}
        out += [f"[state {state}]"] + [line(f, v) for f, v in values.items()]
        out += [f"[rows {state}]"] + [line(f, v) for f, v in row_arrays(m, fresh(m, values)).items()]
        sleeps = m.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP   # trees fall asleep by island
        for variant, settings in VARIANTS.items() if not sleeps else ():
            old = {k: getattr(m.opt, k) for k in settings}
            for k, v in settings.items():
                setattr(m.opt, k, v | (old[k] if k == "disableflags" else 0))
            probe = fresh(m, values)
            mujoco.mj_forward(m, probe)
            mujoco.mj_rnePostConstraint(m, probe)
            out += [f"[solve {state} {variant}]"]
            out += [line(f, getattr(probe, f)) for f in SOLUTION if getattr(probe, f).size]
            out += [line("solver_niter", probe.solver_niter[:max(1, min(20, probe.nisland))])]
            for k, v in old.items():
                setattr(m.opt, k, v)
    assert not d.warning.number.any(), "the trajectory must not diverge"
    if sleeps:
        out += ["[sleep]"] + sleep_lines(m)
    return "\n".join(out) + "\n"


def sleep_lines(m):
    """Who sleeps at each step: left alone, then after a push on the first body, then after a sleeper is moved."""
    d, asleep = mujoco.MjData(m), []
    for i in range(90):
        d.xfrc_applied[1, 0] = 1e-9 if i == 40 else 0
        if i == 70:
            d.qpos[14] += 0.1
        mujoco.mj_step(m, d)
        asleep.append(d.tree_asleep.copy())
    return [line("tree_asleep", np.array(asleep)), line("qpos", d.qpos), line("qvel", d.qvel)]


def row_arrays(m, d):
    mujoco.mj_forward(m, d)
    dense = np.zeros((d.nefc, m.nv))
    if d.nefc and mujoco.mj_isSparse(m):
        mujoco.mju_sparse2dense(dense, d.efc_J.ravel(), d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind.ravel())
    elif d.nefc:
        dense[:] = d.efc_J.ravel()[:dense.size].reshape(dense.shape)   # dropped rows leave a tail
    skip = () if d.nisland else ("tree_island", "dof_island", "efc_island")
    return {f: dense if f == "efc_J" else np.asarray(getattr(d, f)) for f in ROWS if f not in skip}


# models in these folders have goldens of their own kind

def integrate_golden(name):
    """Steps of every integrator, inverse dynamics, and derivatives of a step, at a few states."""
    m = mujoco.MjModel.from_xml_path(os.path.join(HERE, "models", name + ".xml"))
    m.opt.tolerance, m.opt.iterations = 1e-14, 200   # what differs is the integrator, not where the solver stops
    out = [f"# {name}.xml by MuJoCo {VERSION}"]
    for state, values in integrate_states(m, np.random.default_rng(zlib.crc32(name.encode()))).items():
        out += [f"[state {state}]"] + [line(f, v) for f, v in values.items()]
        at = lambda: fresh(m, values)
        for i, integrator in enumerate(INTEGRATORS):
            m.opt.integrator = i
            for title, steps in ("step", 1), ("later", 20):
                d = fresh(m, values)
                for _ in range(steps):
                    mujoco.mj_step(m, d)
                assert not d.warning.number.any(), "the trajectory must not diverge"
                derivative = ["qDeriv"] * (title == "step" and i >= 2)
                fields = [f for f in INTEGRATED if getattr(d, f).size] + derivative
                out += [f"[{title} {state} {integrator}]", line("time", d.time)] + [line(f, getattr(d, f)) for f in fields]
            for title, flag in ("inverse", 0), ("discrete", INVDISCRETE):
                if flag and integrator == "rk4" or not flag and integrator != "euler":
                    continue
                d = fresh(m, values)
                m.opt.enableflags |= flag
                mujoco.mj_inverse(m, d)
                m.opt.enableflags &= ~flag
                fields = [f for f in ("qfrc_inverse", "qfrc_constraint", "sensordata") if getattr(d, f).size]
                out += [f"[{title} {state} {integrator}]"] + [line(f, getattr(d, f)) for f in fields]
            if state == "far" and integrator != "rk4" and not m.nhistory:   # MuJoCo refuses delays there
                out += [f"[transition {state} {integrator}]"] + transition_lines(m, values)
            if state == "far" and integrator != "rk4":
                out += [f"[inverse derivatives {state} {integrator}]"] + golden_inverse.derivatives(m, at, line)
        m.opt.integrator = 0
        out += golden_inverse.comparison(m, at, line, state) + golden_inverse.updates(m, at, line, state)
    return "\n".join(out) + "\n"


def integrate_states(m, rng):
    """Two random states with random accelerations, and the second of them ten steps later. Controls lie inside and at
    the ends of their ranges."""
    d = mujoco.MjData(m)
    out = {}
    for state in "near", "far":
        restart(m, d)
        throw(m, d, rng, 0.01 if state == "near" else 0.1, 0.5)
        d.qacc[:] = rng.standard_normal(m.nv)
        out[state] = {f: getattr(d, f).copy() for f in INTEGRATE_STATE}
    for _ in range(10):
        mujoco.mj_step(m, d)
    out["after"] = {f: getattr(d, f).copy() for f in INTEGRATE_STATE}
    return {s: {f: v for f, v in values.items() if v.size} for s, values in out.items()}


def transition_lines(m, values):
    nx, out = 2 * m.nv + m.na, []
    for centered in False, True:
        d = fresh(m, values)
        a, b = np.zeros((nx, nx)), np.zeros((nx, m.nu))
        c, e = np.zeros((m.nsensordata, nx)), np.zeros((m.nsensordata, m.nu))
        mujoco.mjd_transitionFD(m, d, 1e-6, centered, a, b, c, e)
        if centered:   # 3.5.0 subtracts in the wrong order, but not where a range allows one side only
            low, high = m.actuator_ctrlrange.T
            inside = (d.ctrl - 1e-6 >= low) & (d.ctrl + 1e-6 <= high)
            e[:, inside | (m.actuator_ctrllimited == 0)] *= -1
        names = ("A", "B", "C", "D")
        out += [line(f + ("_centered" if centered else ""), x) for f, x in zip(names, (a, b, c, e)) if x.size]
    return out


def flags_golden(name):
    """Ten steps without any flag and with each: accelerations, and what a user sees at the end."""
    m = mujoco.MjModel.from_xml_path(os.path.join(HERE, "models", name + ".xml"))
    flags = {"plain": (0, 0)} | {mujoco.mjtDisableBit(1 << i).name[7:].lower(): (1 << i, 0) for i in range(19)}
    flags |= {mujoco.mjtEnableBit(1 << i).name[7:].lower(): (0, 1 << i) for i in range(6)}
    if name.endswith("convex"):
        flags = {f: flags[f] for f in ("plain", "multiccd", "midphase")}   # there is no second convex search
    out = [f"# {name}.xml by MuJoCo {VERSION}"]
    for flag, bits in flags.items():
        m.opt.disableflags, m.opt.enableflags = bits
        d, qacc = mujoco.MjData(m), []
        d.ctrl[:] = 1.0
        for _ in range(10):
            mujoco.mj_step(m, d)
            qacc.append(d.qacc.copy())
        assert not d.warning.number.any(), "the trajectory must not diverge"
        out += [f"[flag {flag}]", line("qacc", np.array(qacc)), line("energy", d.energy)]
        out += [line("sensordata", d.sensordata)] * bool(m.nsensor)
    return "\n".join(out) + "\n"


def query_golden(name):
    """What rays hit, and how far geoms are apart with and without GJK."""
    m = mujoco.MjModel.from_xml_path(os.path.join(HERE, "models", name + ".xml"))
    rng, plain = np.random.default_rng(zlib.crc32(name.encode())), m.opt.disableflags
    out = [f"# {name}.xml by MuJoCo {VERSION}"]
    for state, qpos in queries.query_states(m, rng).items():
        sections = {"rays": queries.ray_arrays(m, qpos, rng), "bundles": queries.bundle_arrays(m, qpos, rng)}
        out += [f"[state {state}]", line("qpos", qpos)]
        for variant in ("plain", "portal"):
            m.opt.disableflags = plain | CONTACT_VARIANTS[variant][0]
            sections[f"distances {variant}"] = queries.distance_arrays(m, qpos)
        m.opt.disableflags = plain
        for title, arrays in sections.items():
            what, *variant = title.split()
            out += [f"[{' '.join([what, state] + variant)}]"] + [line(f, v) for f, v in arrays.items()]
    return "\n".join(out) + "\n"


FOLDERS = {"contact": contact_golden, "constraint": constraint_golden, "integrate": integrate_golden, "flags": flags_golden,
           "query": query_golden}


def model_lines(m, visual):
    sizes = SIZES + [f for f in PATH_SIZES if getattr(m, f)] + (FLEX_SIZES if m.nflex else [])
    out = [line(f, getattr(m, f)) for f in sizes]
    for f in sorted(dir(m)):
        family = f.split("_")[0]
        value = getattr(m, f)
        if family in PATH_FAMILIES or f in SKIP:
            if not (isinstance(value, np.ndarray) and value.size) and not (f == "paths" and m.npaths > 1):
                continue
        elif family not in FAMILIES and f != "qpos0" and not (m.nflex and family in FLEX_FAMILIES):
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
    for kind in NAMES + [k for k, size in PATH_NAMES.items() if getattr(m, size)]:
        obj = getattr(mujoco.mjtObj, "mjOBJ_" + kind.upper())
        count = getattr(m, {"joint": "njnt", "camera": "ncam", **PATH_NAMES}.get(kind, "n" + kind))
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
