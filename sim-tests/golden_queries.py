"""Rays and distances for the golden files: see `golden.py`."""
import mujoco
import numpy as np

GROUPS = 0b111111
CUTOFFS = (np.inf, 3.0, 1.0, 0.3, 0.0)
LIMITS = (2.0, 1e10, 0.3, 0.05, 0.0, -0.05)
PLANE, HFIELD, BOX, MESH, SDF = (int(getattr(mujoco.mjtGeom, "mjGEOM_" + t)) for t in "PLANE HFIELD BOX MESH SDF".split())


def query_states(m, rng):
    """The poses of the file, and two at random."""
    d = mujoco.MjData(m)
    out = {"start": d.qpos.copy()}
    for name in ("random1", "random2"):
        mujoco.mj_resetData(m, d)
        mujoco.mj_integratePos(m, d.qpos, 0.4 * rng.standard_normal(m.nv), 1.0)
        out[name] = d.qpos.copy()
    return out


def at(m, qpos):
    d = mujoco.MjData(m)
    d.qpos[:] = qpos
    mujoco.mj_fwdPosition(m, d)
    return d


def filters(m, rng):
    """Groups as bits, whether fixed geoms count, a body that does not or -1. Mostly everything counts."""
    groups = GROUPS if rng.random() < 0.6 else int(rng.integers(GROUPS + 1))
    return groups, int(rng.random() < 0.7), int(rng.integers(m.nbody)) if rng.random() < 0.4 else -1


def bits(groups):
    return np.array([groups >> i & 1 for i in range(6)], np.uint8)


def cast(m, d, pnt, vec, choice):
    geom, normal = np.array([-1], np.int32), np.zeros(3)
    dist = mujoco.mj_ray(m, d, pnt, vec, bits(choice[0]), choice[1], choice[2], geom, normal)
    return dist, geom[0], normal


def ray(m, d, rng, kind):
    """Start and direction: anywhere, from inside a geom, along the world's axes, from far away, of many lengths, along
    an axis of a geom beside its middle, along its surface."""
    geom = rng.integers(m.ngeom)
    pos, mat, size = d.geom_xpos[geom], d.geom_xmat[geom].reshape(3, 3), m.geom_size[geom]
    axis = np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
    if kind == 0:
        return rng.uniform(-2, 2, 3), rng.standard_normal(3)
    if kind == 1:
        return pos + 0.03 * rng.standard_normal(3), rng.standard_normal(3)
    if kind == 2:
        return rng.uniform(-1, 1, 3), axis
    if kind == 3:
        away = rng.standard_normal(3)
        return pos + away * rng.choice([1e2, 1e4]), -away
    if kind == 4:
        start = rng.uniform(-2, 2, 3)
        return start, (pos - start) * 10.0 ** rng.integers(-6, 7)
    if kind == 5:
        return pos + mat @ (0.02 * rng.standard_normal(3) - axis * rng.choice([0.04, 1.0])), mat @ axis
    side = np.roll(np.abs(axis), 1) * size * rng.choice([1 - 1e-6, 1 + 1e-6])
    return pos + mat @ (side - 2 * axis), mat @ axis


def ray_arrays(m, qpos, rng, count=140):
    """Rays that hit the same geom when they start a little aside."""
    d, rows = at(m, qpos), []
    while len(rows) < count:
        (pnt, vec), choice = ray(m, d, rng, len(rows) % 7), filters(m, rng)
        dist, geom, normal = cast(m, d, pnt, vec, choice)
        aside = [cast(m, d, pnt + 1e-9 * rng.standard_normal(3), vec, choice) for _ in range(4)]
        if all(g == geom and np.abs(n - normal).max() < 1e-4 for _, g, n in aside):
            rows.append((pnt, vec, choice, dist, geom, normal))
    return named("pnt vec filter dist geomid normal", rows)


def bundle_arrays(m, qpos, rng, bundles=6, count=20):
    """Many rays from one point; half of them go to geoms. The first has no length."""
    d, rows = at(m, qpos), []
    for i in range(bundles):
        pnt, choice, cutoff = ray(m, d, rng, i % 2)[0], filters(m, rng), CUTOFFS[i % len(CUTOFFS)]
        vec = rng.standard_normal((count, 3))
        for k in range(0, count, 2):
            vec[k] = d.geom_xpos[rng.integers(m.ngeom)] - pnt + 0.02 * rng.standard_normal(3)
        vec[0] = 0
        geom, dist, normal = np.full(count, -1, np.int32), np.zeros(count), np.zeros(3 * count)
        mujoco.mj_multiRay(m, d, pnt, vec.ravel(), bits(choice[0]), choice[1], choice[2], geom, dist, normal, count, cutoff)
        rows.append((pnt, choice, min(cutoff, 1e10), vec.ravel(), dist, geom, normal))
    return named("pnt filter cutoff vec dist geomid normal", rows)


def distance_arrays(m, qpos):
    """Every two geoms in both orders. Left out: a mesh and a distance field when no mesh has the number of the mesh's geom
    (MuJoCo looks one up by it), terrains with a large limit, and zero, which MuJoCo also says of some boxes and meshes
    that are apart."""
    d, rows = at(m, qpos), []
    for i in range(m.ngeom):
        for j in range(m.ngeom):
            limit, types = LIMITS[(i * j + i + j) % len(LIMITS)], {m.geom_type[i], m.geom_type[j]}
            unknown = types == {MESH, SDF} and (i if m.geom_type[i] == MESH else j) >= m.nmesh
            if i == j or unknown or (HFIELD in types and limit > 1e3):
                continue
            fromto = np.zeros(6)
            dist = mujoco.mj_geomDistance(m, d, i, j, limit, fromto)
            if dist != 0 or not types <= {BOX, MESH}:
                rows.append((i, j, limit, dist, fromto))
    return named("geom1 geom2 distmax dist fromto", rows)


def named(names, rows):
    return {name: np.array(column) for name, column in zip(names.split(), zip(*rows))}
