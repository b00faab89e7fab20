"""Times loading with MuJoCo: paths come on standard input, each is answered with a line of JSON.

The cache of decoded assets is off: a program that loads a model once has nothing in it.
"""

import json
import sys
import time

import mujoco

mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
for line in sys.stdin:
    path = line.rstrip("\n")
    start = time.perf_counter()
    try:
        model = mujoco.MjModel.from_xml_path(path)
        answer = {"seconds": time.perf_counter() - start}
    except (ValueError, mujoco.FatalError) as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
