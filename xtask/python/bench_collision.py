#!/usr/bin/env python3
"""Times collision against MuJoCo 3.5.0 on the same states.

    python bench_collision.py --sim target/release/sim [--only NAME …] [MODEL …]

Without models: one scene of many separate pairs per pair of shapes, and piles; with --only those whose name contains NAME.
Writes one JSON object per scene to stdout; `cargo xtask bench-collision` runs this and prints the table. A call of MuJoCo through Python costs a microsecond or two;
scenes have at least 200 pairs, so that it does not show.
"""
import argparse, json, os, subprocess, tempfile, time
import numpy as np
import mujoco

TYPES = "plane hfield sphere capsule ellipsoid cylinder box mesh sdf".split()
GRID = 15   # 225 pairs
ROUNDS = 6         # ours and MuJoCo's in turn; the least time of each counts
# a box with a dent in its top
NOTCH = ('vertex="-.2 -.2 -.2  .2 -.2 -.2  .2 .2 -.2  -.2 .2 -.2  -.2 -.2 .2  .2 -.2 .2  .2 .2 .2  -.2 .2 .2  0 0 .05" '
         'face="0 2 1  0 3 2  0 1 5  0 5 4  1 2 6  1 6 5  2 3 7  2 7 6  3 0 4  3 4 7  4 5 8  5 6 8  6 7 8  7 4 8"')
BATCHES = 40       # per round, short enough that some are not interrupted


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--sim", required=True)
    args.add_argument("--only", action="append", default=[])
    args.add_argument("models", nargs="*")
    args = args.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, path in [(os.path.basename(p), p) for p in args.models] or scenes(folder):
            if not args.only or any(part in name for part in args.only):
                print(json.dumps(measure(args.sim, name, path)), flush=True)


def scenes(folder):
    """Names and files of the scenes."""
    rng = np.random.default_rng(1)
    for i, first in enumerate(TYPES):
        for second in TYPES[i:]:
            # MuJoCo has no function for terrains and fields
            if not {first, second} <= {"plane", "hfield"} and (first, second) != ("hfield", "sdf"):
                yield write(folder, f"{first}-{second}", pairs(first, second, rng))
    yield write(folder, "1000 boxes", pile("box", 10, rng))
    yield write(folder, "1000 capsules", pile("capsule", 10, rng))


def write(folder, name, xml):
    path = os.path.join(folder, name.replace(" ", "_") + ".xml")
    with open(path, "w") as f:
        f.write(xml)
    return name, path


def geom(kind):
    shape = {"plane": 'size="2 2 .1"', "sphere": 'size=".2"', "capsule": 'size=".15 .2"', "ellipsoid": 'size=".2 .15 .25"',
             "cylinder": 'size=".2 .2"', "box": 'size=".2 .15 .2"', "mesh": 'mesh="mesh"', "hfield": 'hfield="hfield"',
             "sdf": 'mesh="notch"'}
    return f'<geom type="{kind}" {shape[kind]}/>'


def asset(kinds, rng):
    points = rng.standard_normal((30, 3))
    points = (0.25 * points / np.linalg.norm(points, axis=1, keepdims=True)).round(4)
    vertices = f'vertex="{" ".join(map(str, points.ravel()))}"'
    mesh = f'<mesh name="mesh" {vertices}/>' * ("mesh" in kinds)
    if kinds == {"mesh", "sdf"}:
        # MuJoCo looks meshes up by the ids of geoms here, and must find one for each
        mesh += "".join(f'<mesh name="mesh{i}" {vertices}/>' for i in range(2 * GRID * GRID))
    notch = f'<mesh name="notch" {NOTCH}/>' * ("sdf" in kinds)
    heights = " ".join(map(str, rng.uniform(0, 1, 49).round(3)))
    field = f'<hfield name="hfield" nrow="7" ncol="7" size=".5 .5 .2 .2" elevation="{heights}"/>' * ("hfield" in kinds)
    return f"<asset>{mesh}{notch}{field}</asset>"


def pairs(first, second, rng):
    """A grid of pairs, each a little in touch; one plane is enough for all."""
    bodies = [geom(first)] if first == "plane" else []
    for i in range(GRID * GRID):
        x, y = 2 * (i % GRID), 2 * (i // GRID)
        turn = lambda: " ".join(map(str, rng.standard_normal(4).round(3)))
        if first == "hfield":
            bodies.append(f'<body pos="{x} {y} 0">{geom(first)}</body>')
        elif first != "plane":
            bodies.append(f'<body pos="{x} {y} 0" quat="{turn()}"><freejoint/>{geom(first)}</body>')
        bodies.append(f'<body pos="{x} {y} {.18 if first == "plane" else .3}" quat="{turn()}"><freejoint/>{geom(second)}</body>')
    return f"<mujoco>{asset({first, second}, rng)}<worldbody>{''.join(bodies)}</worldbody></mujoco>"


def pile(kind, n, rng):
    at = [(.35 * (i % n) + .01 * rng.standard_normal(), .35 * (i // n % n) + .01 * rng.standard_normal(), .25 + .35 * (i // n // n))
          for i in range(n ** 3)]
    bodies = "".join(f'<body pos="{x:.4f} {y:.4f} {z:.4f}"><freejoint/>{geom(kind)}</body>' for x, y, z in at)
    return f'<mujoco><worldbody>{geom("plane")}{bodies}</worldbody></mujoco>'


def measure(sim, name, path):
    out = dict(scene=name, ncon=0, mujoco=float("inf"), sim=float("inf"), same=True, why="")
    m = mujoco.MjModel.from_xml_path(path)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    out["ncon"] = int(d.ncon)
    collide = lambda: mujoco.mj_collision(m, d)
    repeat = int(max(1, min(2000, 0.002 / min(time_of(collide, 1) for _ in range(5)))))
    state = path + ".json"
    with open(state, "w") as f:
        json.dump({"qpos": d.qpos.tolist()}, f)
    for _ in range(ROUNDS):
        out["mujoco"] = min([out["mujoco"]] + [time_of(collide, repeat) for _ in range(BATCHES)])
        run = subprocess.run([sim, "bench", path, "--collision", state, "--json"], capture_output=True, text=True, timeout=600)
        if run.returncode:
            out["why"] = (run.stderr.strip().splitlines() or ["no message"])[-1]
            return dict(out, mujoco=0.0, sim=0.0)
        answer = json.loads(run.stdout)
        out["sim"] = min(out["sim"], answer["seconds"])
        out["same"] &= answer["ncon"] == out["ncon"]
    return out


def time_of(f, n):
    start = time.perf_counter()
    for _ in range(n):
        f()
    return (time.perf_counter() - start) / n


if __name__ == "__main__":
    main()
