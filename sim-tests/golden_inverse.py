"""Sections of `golden.py` about inverse dynamics: its derivatives, its comparison with forward dynamics, constraint forces.

Every function takes the model, a function that makes data at the state, and one that writes an array as a line.
"""
import numpy as np
import mujoco

CONE = int(mujoco.mjtConstraintState.mjCNSTRSTATE_CONE)


def derivatives(m, at, line):
    """Forward differences of inverse dynamics, without and with the force of actuators."""
    out = []
    for actuation in False, True:
        force, sensor = np.zeros((3, m.nv, m.nv)), np.zeros((3, m.nv, m.nsensordata))
        inertia = np.zeros((m.nv, m.nM))
        mujoco.mjd_inverseFD(m, at(), 1e-6, actuation, *force, *sensor, inertia)
        fields = dict(DfDq=force[0], DfDv=force[1], DfDa=force[2])
        if not actuation:
            fields.update(DsDq=sensor[0], DsDv=sensor[1], DsDa=sensor[2], DmDq=inertia)
        out += [line(f + ("_actuation" if actuation else ""), x) for f, x in fields.items() if x.size]
    return out


def comparison(m, at, line, state):
    """Forward against inverse dynamics after one iteration of a solver, which leaves a difference worth comparing."""
    iterations, kept, out = m.opt.iterations, m.opt.solver, []
    for name, solver in ("newton", 2), ("pgs", 0):
        d = at()
        m.opt.iterations, m.opt.solver = 1, solver
        mujoco.mj_forward(m, d)
        mujoco.mj_compareFwdInv(m, d)
        m.opt.iterations, m.opt.solver = iterations, kept
        out += [line(name, d.solver_fwdinv)] if d.nefc else []
    return [f"[compare {state}]"] + out if out else []


def updates(m, at, line, state):
    """Forces, states and cost of the constraints at residuals that reach every state of a row."""
    out = []
    for cone, number in ("pyramidal", 0), ("elliptic", 1):
        kept, m.opt.cone = m.opt.cone, number
        d = at()
        mujoco.mj_forward(m, d)
        m.opt.cone = kept
        for k, push in enumerate((0, -5, 5) if d.nefc else ()):
            jar, cost = np.random.default_rng(k).standard_normal(d.nefc), np.zeros(1)
            first = [c.efc_address for c in d.contact]
            jar[first] += push
            mujoco.mj_constraintUpdate(m, d, jar, cost, 1)
            fields = dict(jar=jar, cost=cost, efc_force=d.efc_force, efc_state=d.efc_state,
                          qfrc_constraint=d.qfrc_constraint)
            on_cone = [d.efc_state[row] == CONE for row in first]
            if any(on_cone):
                fields["H"] = np.array([c.H if on else np.zeros(36) for c, on in zip(d.contact, on_cone)])
            out += [f"[update {state} {cone} {k}]"] + [line(f, x) for f, x in fields.items()]
    return out
