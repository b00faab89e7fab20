#!/usr/bin/env python3
"""Makes the solver cases: constraint problems of small models and what MuJoCo 3.5.0's solvers do with them.

    pip install mujoco==3.5.0 numpy
    python solver_cases.py

Writes ../sim-constraint/tests/data/NAME.txt. One array per line: name, values with the digits that give the same
double again. First the problem in base rows (a pyramid is folded back to normal and tangents), then one block per
solver, limit on iterations and noslip: acceleration, forces, statistics of every iteration.
"""
import os
import numpy as np
import mujoco as mj

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "sim-constraint", "tests", "data")

CHAIN = """<mujoco><option timestep="0.004"/><worldbody>
 <body pos="0 0 1"><joint name="a" axis="0 1 0" limited="true" range="-40 30" frictionloss="0.3"/>
  <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" contype="0" conaffinity="0"/>
  <body pos="0.3 0 0"><joint name="b" axis="0 1 0" frictionloss="0.2" armature="0.01"/>
   <geom type="capsule" fromto="0 0 0 0.3 0 0.1" size="0.03" contype="0" conaffinity="0"/>
   <body pos="0.3 0 0.1"><joint name="c" axis="1 0 0" limited="true" range="-10 10"/>
    <geom name="tip" type="sphere" size="0.05" contype="0" conaffinity="0"/><site name="s" pos="0.05 0 0"/></body></body></body>
 <body pos="0.6 0.4 1"><joint name="d" type="ball" damping="0.1"/><geom type="box" size="0.1 0.05 0.02" contype="0" conaffinity="0"/></body>
 </worldbody>
 <tendon><fixed name="t" frictionloss="0.4" limited="true" range="-0.2 0.1"><joint joint="a" coef="1"/><joint joint="b" coef="-0.5"/></fixed></tendon>
 <equality><joint joint1="c" joint2="a" polycoef="0 0.5 0.1 0 0"/></equality></mujoco>"""

BOXES = """<mujoco><option timestep="0.002" cone="CONE" impratio="IMP"/><worldbody>
 <geom type="plane" size="5 5 0.1" euler="0 12 0" friction="0.5 0.01 0.001"/>
 <body pos="0 0 0.105" euler="0 12 3"><freejoint/><geom type="box" size="0.2 0.15 0.1" condim="3"/></body>
 <body pos="0.04 0.02 0.3" euler="0 12 20"><freejoint/><geom type="box" size="0.1 0.1 0.1" condim="3" mass="0.3"/></body>
 </worldbody></mujoco>"""

ROLL = """<mujoco><option timestep="0.003" cone="CONE" impratio="IMP"/><worldbody>
 <geom type="plane" size="5 5 0.1" euler="5 0 0"/>
 <body pos="0 0 0.1"><freejoint/><geom type="sphere" size="0.1" condim="6" friction="0.8 0.02 0.005"/></body>
 <body pos="0.5 0 0.098"><freejoint/><geom type="capsule" size="0.1 0.2" euler="90 10 0" condim="4" friction="0.6 0.05 0.001"/></body>
 <body pos="0.5 0.3 0.15"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="0 1 0" frictionloss="1"/>
  <geom type="ellipsoid" size="0.1 0.2 0.16" condim="1"/></body>
 </worldbody></mujoco>"""

LOOP = """<mujoco><option timestep="0.005" cone="CONE" impratio="IMP"/><worldbody>
 <geom type="plane" size="5 5 0.1"/>
 <body name="a" pos="0 0 0.2"><freejoint/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.05" condim="3"/>
  <body name="b" pos="0.4 0 0"><joint name="h1" axis="0 1 0" limited="true" range="-60 5"/><geom type="capsule" fromto="0 0 0 0.3 0 -0.15" size="0.04" condim="3"/>
   <body name="c" pos="0.3 0 -0.15"><joint name="h2" axis="1 0.2 0" damping="0.1"/><geom type="sphere" size="0.07" condim="4"/></body></body></body>
 <body name="d" pos="0 0.5 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1" condim="3"/></body>
 </worldbody><equality><connect body1="c" body2="d" anchor="0 0.25 0" solref="0.03 1"/><weld body1="a" body2="d" relpose="0 0.5 0.1 1 0 0 0" solref="0.1 1" torquescale="0.5"/></equality></mujoco>"""


def limb(name, pos, sign):
    """Three hinges at the root, then one, then two."""
    return f"""<body name="{name}" pos="{pos}">
 <joint axis="1 0 0" limited="true" range="-25 5" armature="0.01"/><joint axis="0 0 1" limited="true" range="-60 35" armature="0.01"/><joint axis="0 1 0" limited="true" range="-100 20" armature="0.01"/>
 <geom type="capsule" fromto="0 0 0 {0.34*sign} {0.01*sign} 0" size="0.06"/>
 <body pos="{0.4*sign} 0 0"><joint axis="0 1 0" limited="true" range="-160 2" armature="0.006"/><geom type="capsule" fromto="0 0 0 {0.3*sign} 0 0" size="0.05"/>
  <body pos="{0.38*sign} 0 0"><joint axis="0 1 0" limited="true" range="-50 50" armature="0.005"/><joint axis="1 0 0.5" limited="true" range="-50 50" armature="0.005"/>
   <geom type="capsule" fromto="-0.05 0.03 0 0.12 0.03 0" size="0.03"/><geom type="capsule" fromto="-0.05 -0.03 0 0.12 -0.03 0" size="0.03"/></body></body></body>"""


FIGURE = f"""<mujoco><option timestep="0.005" cone="CONE"/><default><joint damping="1"/></default><worldbody>
 <geom type="plane" size="5 5 0.1"/>
 <body pos="0 0 0.11"><freejoint/><geom type="capsule" fromto="0 -0.1 0 0 0.1 0" size="0.08"/><geom type="sphere" pos="-0.25 0 0" size="0.09"/>
  <body pos="0.15 0 0"><joint axis="0 0 1" limited="true" range="-45 45"/><joint axis="0 1 0" limited="true" range="-75 30"/><joint axis="1 0 0" limited="true" range="-35 35"/>
   <geom type="capsule" fromto="0 -0.07 0 0 0.07 0" size="0.09"/>
   {limb("leg1", "0.05 0.1 0", 1)}{limb("leg2", "0.05 -0.1 0", 1)}</body>
  <body pos="-0.1 0.2 0"><joint axis="1 0 0" limited="true" range="-80 60"/><joint axis="0 1 0" limited="true" range="-80 60"/><joint axis="0 0 1" limited="true" range="-3 1"/>
   <geom type="capsule" fromto="0 0 0 0.1 0.2 0" size="0.04"/></body>
  <body pos="-0.1 -0.2 0"><joint axis="1 0 0" limited="true" range="-80 60"/><joint axis="0 1 0" limited="true" range="-80 60"/><joint axis="0 0 1" limited="true" range="-3 1"/>
   <geom type="capsule" fromto="0 0 0 0.1 -0.2 0" size="0.04"/></body>
 </body></worldbody></mujoco>"""

# name, xml, cone, impratio, steps before, scale of an island, caps on iterations
CASES = [
    ("chain", CHAIN, "pyramidal", 1, 40, False, (1, 2, 100)),
    ("boxes_pyramidal", BOXES, "pyramidal", 1, 30, False, (1, 3, 100)),
    ("boxes_elliptic", BOXES, "elliptic", 1, 30, False, (1, 3, 100)),
    ("boxes_elliptic_stiff", BOXES, "elliptic", 10, 30, True, (2, 100)),
    ("roll_pyramidal", ROLL, "pyramidal", 1, 3, False, (1, 2, 100)),
    ("roll_elliptic", ROLL, "elliptic", 2, 3, False, (1, 2, 100)),
    ("loop_pyramidal", LOOP, "pyramidal", 3, 60, False, (1, 20)),
    ("loop_elliptic", LOOP, "elliptic", 1, 60, False, (1, 20)),
    ("figure_pyramidal", FIGURE, "pyramidal", 1, 200, True, (100,)),
    ("figure_elliptic", FIGURE, "elliptic", 1, 200, True, (100,)),
]


def text(values):
    return " ".join(repr(float(x)).removesuffix(".0") for x in np.asarray(values, float).ravel())


def make(name, xml, cone, impratio, steps, island, caps):
    m = mj.MjModel.from_xml_string(xml.replace("CONE", cone).replace("IMP", str(impratio)))
    m.opt.disableflags |= mj.mjtDisableBit.mjDSBL_ISLAND
    m.opt.jacobian = mj.mjtJacobian.mjJAC_DENSE
    d = mj.MjData(m)
    rng = np.random.default_rng(len(name))
    d.qvel[:] = 0.3 * rng.standard_normal(m.nv)
    mj.mj_step(m, d, steps)
    d.qvel[:] += 0.2 * rng.standard_normal(m.nv)
    state = np.empty(mj.mj_stateSize(m, mj.mjtState.mjSTATE_INTEGRATION))
    mj.mj_getState(m, d, state, mj.mjtState.mjSTATE_INTEGRATION)
    mj.mj_forward(m, d)
    nv, n = m.nv, d.nefc
    J = d.efc_J[:n * nv].reshape(n, nv)
    scalar = d.ne + d.nf + d.nl

    # fold pyramids
    rows, D, R, aref, contacts, b = list(J[:scalar]), list(d.efc_D[:scalar]), list(d.efc_R[:scalar]), list(d.efc_aref[:scalar]), [], scalar
    for c in d.contact:
        a, dim = c.efc_address, c.dim
        if a < 0:
            continue
        pyramid = dim > 1 and cone == "pyramidal"
        contacts.append([a, len(rows), dim, 0 if pyramid else 1, c.mu, *c.friction])
        if pyramid:
            rows.append((J[a] + J[a + 1]) / 2)
            aref.append((d.efc_aref[a] + d.efc_aref[a + 1]) / 2)
            for k in range(dim - 1):
                rows.append((J[a + 2 * k] - J[a + 2 * k + 1]) / (2 * c.friction[k]))
                aref.append((d.efc_aref[a + 2 * k] - d.efc_aref[a + 2 * k + 1]) / (2 * c.friction[k]))
            D += [d.efc_D[a]] * dim
            R += [d.efc_R[a]] * dim
        else:
            rows += list(J[a:a + dim])
            D += list(d.efc_D[a:a + dim])
            R += list(d.efc_R[a:a + dim])
            aref += list(d.efc_aref[a:a + dim])
    rows = np.array(rows).reshape(-1, nv)

    # the same columns in all rows of a contact
    nnz, col, val = [], [], []
    starts = list(range(scalar)) + [c[1] for c in contacts]
    sizes = [1] * scalar + [c[2] for c in contacts]
    for s, k in zip(starts, sizes):
        cols = np.flatnonzero(np.abs(rows[s:s + k]).max(axis=0) > 0)
        for r in rows[s:s + k]:
            nnz.append(len(cols)); col += list(cols); val += list(r[cols])
    scale = 1 / (m.stat.meaninertia * max(1, nv))
    if island:
        scale = 1 / sum(d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1] for i in range(nv))
    floss = list(d.efc_frictionloss[:scalar]) + [0] * (len(rows) - scalar)
    lines = [("sizes", [nv, d.ne, d.nf, d.nl, n]), ("numbers", [m.opt.timestep, scale]),
             ("M_rownnz", m.M_rownnz), ("M_rowadr", m.M_rowadr), ("M_colind", m.M_colind), ("M", d.M),
             ("qfrc_smooth", d.qfrc_smooth), ("qacc_smooth", d.qacc_smooth), ("warm", d.qacc_warmstart),
             ("rownnz", nnz), ("colind", col), ("J", val), ("D", D), ("R", R), ("aref", aref), ("frictionloss", floss),
             ("contacts", contacts)]
    results = []
    if island:
        m.stat.meaninertia = 1 / (scale * nv)
    for solver, label in ((2, "newton"), (1, "cg"), (0, "pgs")):
        for cap in caps:
            for noslip in ((0, 3) if cap == caps[-1] else (0,)):
                m.opt.solver, m.opt.iterations, m.opt.noslip_iterations = solver, cap, noslip
                mj.mj_setState(m, d, state, mj.mjtState.mjSTATE_INTEGRATION)
                mj.mj_forward(m, d)
                stats = [[s.improvement, s.gradient, s.lineslope, s.nactive, s.nchange, s.neval, s.nupdate]
                         for s in d.solver[:d.solver_niter[0]]]
                results += [(f"case {label} {cap} {noslip}", []), ("qacc", d.qacc.copy()),
                            ("qfrc_constraint", d.qfrc_constraint.copy()), ("force", d.efc_force.copy()),
                            ("state", d.efc_state.copy()), ("stat", stats[:12]), ("niter", [d.solver_niter[0]])]
    m.opt.noslip_iterations = 0
    with open(os.path.join(OUT, name + ".txt"), "w") as f:
        for key, values in lines + results:
            f.write(f"{key} {text(values)}".rstrip() + "\n")
    print(f"{name}: nv {nv}, rows {n}, base rows {len(rows)}, contacts {len(contacts)}, "
          f"{os.path.getsize(os.path.join(OUT, name + '.txt')) // 1024} KB")


for case in CASES:
    make(*case)
