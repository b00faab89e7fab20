"""Times steps of MuJoCo and of `sim bench` in turns; prints a line of JSON per model.

Each side runs in short turns, one after the other, and the median of the ratios counts, so that a busy machine slows both.
MuJoCo decides how many steps a turn has; both start from the first keyframe, or the reference pose, 100 steps later.
"""

import argparse
import json
import os
import statistics
import subprocess
import time

import mujoco
import numpy as np
from mujoco import rollout


def start(m):
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    mujoco.mj_step(m, d, nstep=100)
    return d


def theirs(m, steps):
    d = start(m)
    begin = time.perf_counter()
    mujoco.mj_step(m, d, nstep=steps)
    return steps / (time.perf_counter() - begin)


def ours(sim, path, steps, *more):
    command = [sim, "bench", path, "--steps", str(steps), "--json", *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[-1])
    return json.loads(done.stdout)


def their_batch(m, envs, threads, steps):
    d = start(m)
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros(mujoco.mj_stateSize(m, full))
    mujoco.mj_getState(m, d, state, full)
    states, controls = np.tile(state, (envs, 1)), np.zeros((envs, steps, m.nu))
    datas = [mujoco.MjData(m) for _ in range(threads)]
    with rollout.Rollout(nthread=threads) as r:
        r.rollout(m, datas, states, controls)
        begin = time.perf_counter()
        r.rollout(m, datas, states, controls)
        return envs * steps / (time.perf_counter() - begin)


def compare(o, path):
    m = mujoco.MjModel.from_xml_path(path)
    steps, d, begin = 0, start(m), time.perf_counter()
    while time.perf_counter() - begin < o.seconds:
        mujoco.mj_step(m, d, nstep=10)
        steps += 10
    ratios = []
    for _ in range(o.turns):
        a = theirs(m, steps)
        result = ours(o.sim, path, steps)
        ratios.append(result["steps_per_second"] / a)
    batch = None
    if o.batch:
        pairs = []
        for _ in range(3):
            a = their_batch(m, o.batch, 2, 50)
            b = ours(o.sim, path, 50, "--envs", str(o.batch), "--threads", "2")["steps_per_second"]
            pairs.append(b / a)
        batch = statistics.median(pairs)
    stages = ours(o.sim, path, max(10, steps // 2), "--stages")["stages"]
    return {
        "nv": m.nv,
        "ncon": result["mean_ncon"],
        "nefc": result["mean_nefc"],
        "bytes": result["bytes_per_env"],
        "ratio": statistics.median(ratios),
        "low": min(ratios),
        "high": max(ratios),
        "batch": batch,
        "stages": stages,
    }


parser = argparse.ArgumentParser()
parser.add_argument("--sim", required=True)
parser.add_argument("--seconds", type=float, default=0.3)
parser.add_argument("--turns", type=int, default=5)
parser.add_argument("--batch", type=int, default=0)
parser.add_argument("models", nargs="+")
options = parser.parse_args()
for model in options.models:
    answer = {"model": "/".join(os.path.normpath(model).split(os.sep)[-2:])}
    try:
        answer.update(compare(options, model))
    except (RuntimeError, ValueError, mujoco.FatalError, subprocess.TimeoutExpired) as error:
        answer["why"] = str(error).splitlines()[0][:120]
    print(json.dumps(answer), flush=True)
