#!/usr/bin/env python3
"""Compares the contacts of every pair of shapes with MuJoCo 3.5.0 at random poses.

    python pairs.py --sim target/release/sim [--poses 1000] [--only capsule-box]

Writes one JSON object per pair to stdout as soon as it is judged; `cargo xtask conform-pairs` runs this and makes the
table. A third of the poses is apart but within the margin, a third just touches, a third is deep. A pose where MuJoCo,
moved in the 14th digit, differs from itself is drawn again and counted; not so with distance fields, where nearly every
pose of a mesh is of that kind: descents on them repeat MuJoCo's operations to the last bit, and every pose counts.
"""
import argparse, json, os, subprocess, sys, tempfile
import numpy as np
import mujoco

TYPES = "plane hfield sphere capsule ellipsoid cylinder box mesh sdf".split()
FORMULA = {("plane", t) for t in TYPES if t != "sdf"} | {("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"),
           ("sphere", "box"), ("capsule", "capsule"), ("capsule", "box"), ("box", "box")}
MODELS = 4          # sizes per pair and kind of pose
MARGIN = 0.05
NEIGHBOURS = 8
TRIES = 20          # most poses drawn again per pose wanted


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--sim", required=True)
    args.add_argument("--poses", type=int, default=1000)
    args.add_argument("--only", default="")
    args = args.parse_args()
    for i, first in enumerate(TYPES):
        for second in TYPES[i:]:
            # MuJoCo has no function for terrains and fields, and says so at every call
            if {first, second} <= {"plane", "hfield"} or (first, second) == ("hfield", "sdf"):
                continue
            if not args.only or args.only == f"{first}-{second}":
                print(json.dumps(judge(args.sim, first, second, args.poses)), flush=True)


def judge(sim, first, second, poses):
    """The verdict on one pair."""
    rng = np.random.default_rng([TYPES.index(first), TYPES.index(second)])
    formula = (first, second) in FORMULA
    tolerance = 1e-9 if formula else 1e-6
    out = dict(pair=f"{first}-{second}", formula=formula, poses=0, redrawn=0, contacts=0, same_count=0, same_depth=0,
               depth=0.0, pos=0.0, normal=0.0, why="")
    jobs = [(kind, n) for kind in ("apart", "touching", "deep") for n in range(MODELS)]
    for j, (kind, _) in enumerate(jobs):
        count = poses * (j + 1) // len(jobs) - poses * j // len(jobs)
        xml = scene(first, second, rng, MARGIN if kind == "apart" else 0.0)
        m = mujoco.MjModel.from_xml_string(xml)
        states, redrawn = draw(m, kind, count, rng, tolerance, 0 if "sdf" in (first, second) else NEIGHBOURS)
        out["redrawn"] += redrawn
        answer, why = ask(sim, xml, states)
        if answer is None:
            out["why"] = why
            return out
        for state, got in zip(states, answer):
            compare(out, contacts(m, state), got, tolerance)
    return out


def scene(first, second, rng, margin):
    """A model of two geoms: the first is moved as a mocap body, the second is free."""
    def size(kind):
        a, b, c = rng.uniform(0.1, 0.5, 3).round(3)
        return {"plane": "2 2 .1", "sphere": f"{a}", "capsule": f"{a} {b}", "ellipsoid": f"{a} {b} {c}",
                "cylinder": f"{a} {b}", "box": f"{a} {b} {c}"}.get(kind)
    def geom(kind, name):
        if kind in ("mesh", "hfield", "sdf"):
            source = "mesh" if kind == "sdf" else kind
            return f'<geom name="{name}" type="{kind}" {source}="{source}{name}" margin="{margin / 2}"/>'
        return f'<geom name="{name}" type="{kind}" size="{size(kind)}" margin="{margin / 2}"/>'
    def asset(kind, name):
        if kind == "sdf":
            return star(f"mesh{name}", rng)
        if kind == "mesh":
            points = rng.standard_normal((rng.integers(5, 40), 3))
            points = (0.3 * points / np.linalg.norm(points, axis=1, keepdims=True) * rng.uniform(.5, 1.5, 3)).round(4)
            return f'<mesh name="mesh{name}" vertex="{" ".join(map(str, points.ravel()))}"/>'
        if kind == "hfield":
            heights = " ".join(map(str, rng.uniform(0, 1, 49).round(3)))
            return f'<hfield name="hfield{name}" nrow="7" ncol="7" size="1 1 .3 .2" elevation="{heights}"/>'
        return ""
    assets = [asset(first, "a"), asset(second, "b")]
    # MuJoCo takes a mesh for the field with the number of its geom, which is zero, or else asks it by rays
    if (first, second) == ("mesh", "sdf") and rng.random() < 0.5:
        assets.reverse()
    a, b = geom(first, "a"), geom(second, "b")
    return f"""<mujoco><asset>{''.join(assets)}</asset><worldbody><body mocap="true">{a}</body>
        <body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{b}</body></worldbody></mujoco>"""


def star(name, rng, rings=5, spokes=8):
    """A closed mesh that is not convex: a globe whose vertices have random heights. Fields see it as it is."""
    angles = [(np.pi * (r + 1) / (rings + 1), 2 * np.pi * s / spokes) for r in range(rings) for s in range(spokes)]
    points = np.array([[np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)] for t, p in angles] + [[0, 0, 1], [0, 0, -1]])
    points = (points * rng.uniform(.2, .4, (len(points), 1))).round(4)
    north, south = len(points) - 2, len(points) - 1
    at = lambda r, s: r * spokes + s % spokes
    faces = []
    for s in range(spokes):
        faces += [(north, at(0, s), at(0, s + 1)), (south, at(rings - 1, s + 1), at(rings - 1, s))]
        for r in range(rings - 1):
            faces += [(at(r, s), at(r + 1, s), at(r + 1, s + 1)), (at(r, s), at(r + 1, s + 1), at(r, s + 1))]
    numbers = lambda rows: " ".join(str(x) for row in rows for x in row)
    return f'<mesh name="{name}" vertex="{numbers(points)}" face="{numbers(faces)}"/>'


def draw(m, kind, count, rng, tolerance, neighbours):
    """States of one kind, and how many were drawn again because MuJoCo differs from itself at one of its neighbours."""
    states, redrawn, missed = [], 0, 0
    while len(states) < count and missed <= TRIES * count:
        state = pose(m, kind, rng)
        if state is None:
            missed += 1
            continue
        here = contacts(m, state)
        if any(differ(here, contacts(m, jittered(state, rng)), tolerance) for _ in range(neighbours)):
            redrawn += 1
            if redrawn > TRIES * count:
                break
            continue
        states.append(state)
    return states, redrawn


def pose(m, kind, rng):
    """Two geoms pushed together along a random line until they touch, then moved apart or on."""
    d = mujoco.MjData(m)
    turn = lambda: (lambda q: q / np.linalg.norm(q))(rng.standard_normal(4))
    d.mocap_pos[0], d.mocap_quat[0] = rng.uniform(-1, 1, 3), turn()
    d.qpos[3:] = turn()
    line = rng.standard_normal(3)
    line /= np.linalg.norm(line)
    flat = m.geom_type[0] <= 1   # planes and height fields
    reach = m.geom_rbound.sum() + 0.1
    if flat:   # from above
        mujoco.mj_kinematics(m, d)
        up = d.geom_xmat[0].reshape(3, 3)
        line = up @ np.array([0, 0, 1.0])
        d.mocap_pos[0] += up @ np.append(rng.uniform(-.6, .6, 2), 0) * (m.geom_type[0] == 1)
    def at(t):
        d.qpos[:3] = d.mocap_pos[0] + t * line
        mujoco.mj_kinematics(m, d); mujoco.mj_comPos(m, d); mujoco.mj_collision(m, d)
        return d.ncon > 0
    low, high = (-0.05 if flat else 0.01) * reach, 1.5 * reach
    if not at(low) or at(high):
        return None
    for _ in range(45):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle) else (low, middle)
    size = m.geom_rbound[1]
    # with a margin, contact begins at the margin
    t = {"apart": low - MARGIN * rng.uniform(.05, .95), "touching": low - 1e-3 * size * rng.uniform(.01, 1),
         "deep": low - size * rng.uniform(.1, .6)}[kind]
    if t < 0 and not flat or not at(t):
        return None
    return dict(qpos=d.qpos.tolist(), mocap_pos=d.mocap_pos.ravel().tolist(), mocap_quat=d.mocap_quat.ravel().tolist())


def jittered(state, rng):
    return {k: (np.array(v) * (1 + 1e-14 * rng.standard_normal(len(v)))).tolist() for k, v in state.items()}


def contacts(m, state):
    """Distance, position and normal of MuJoCo's contacts."""
    d = mujoco.MjData(m)
    d.qpos[:] = state["qpos"]
    d.mocap_pos[0], d.mocap_quat[0] = state["mocap_pos"], state["mocap_quat"]
    mujoco.mj_kinematics(m, d); mujoco.mj_comPos(m, d); mujoco.mj_collision(m, d)
    return [(c.dist, c.pos.copy(), c.frame[:3].copy()) for c in d.contact]


def differ(a, b, tolerance):
    return len(a) != len(b) or any(abs(x[0] - y[0]) > tolerance for x, y in zip(a, b))


def compare(out, want, got, tolerance):
    out["poses"] += 1
    out["contacts"] += len(want)
    if len(want) != len(got):
        return
    out["same_count"] += 1
    depth = max((abs(a[0] - b[0]) for a, b in zip(want, got)), default=0.0)
    out["same_depth"] += depth <= tolerance
    out["depth"] = max(out["depth"], depth)
    out["pos"] = max([out["pos"]] + [float(np.abs(a[1] - b[1]).max()) for a, b in zip(want, got)])
    out["normal"] = max([out["normal"]] + [float(np.abs(a[2] - b[2]).max()) for a, b in zip(want, got)])


def ask(sim, xml, states):
    """Contacts per state as `sim` finds them; `None` and the reason when it does not."""
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        with open(path("m.xml"), "w") as f:
            f.write(xml)
        with open(path("in.json"), "w") as f:
            json.dump({"stage": "forward", "states": states, "data_fields": ["contact.dist", "contact.pos", "contact.frame"]}, f)
        run = subprocess.run([sim, "eval", path("m.xml"), "--input", path("in.json"), "--output", path("out.json")],
                             capture_output=True, text=True, timeout=600)
        if run.returncode:
            return None, (run.stderr.strip().splitlines() or ["no message"])[-1]
        answers = json.load(open(path("out.json")))["states"]
    out = []
    for state in answers:
        if state["error"]:
            return None, state["error"]
        dist, pos, frame = (state["data"][f"contact.{f}"]["data"] for f in ("dist", "pos", "frame"))
        out.append([(x, np.array(pos[3 * i:3 * i + 3]), np.array(frame[9 * i:9 * i + 3])) for i, x in enumerate(dist)])
    return out, ""


if __name__ == "__main__":
    main()
