//! Problems that own their arrays: read from a file of cases, or made by a test.

#![allow(dead_code, reason = "each test uses a part of these helpers")]

pub(crate) mod random;

use sim_constraint::{
    ContactRows, ContactSolver, Problem, Rows, Settings, Solution, SolveError, Solved, SolverStat, Work, solve,
};
use sim_types::Solver;
use sim_types::linalg::TreeSparse;
use std::collections::HashMap;

#[derive(Clone, Debug, Default)]
pub(crate) struct Owned {
    pub(crate) timestep: f64,
    pub(crate) scale: f64,
    pub(crate) m_rownnz: Vec<u32>,
    pub(crate) m_rowadr: Vec<u32>,
    pub(crate) m_colind: Vec<u32>,
    pub(crate) m: Vec<f64>,
    pub(crate) ld: Vec<f64>,
    pub(crate) diaginv: Vec<f64>,
    pub(crate) qfrc_smooth: Vec<f64>,
    pub(crate) qacc_smooth: Vec<f64>,
    pub(crate) warm: Vec<f64>,
    pub(crate) sizes: [usize; 4],
    pub(crate) rowadr: Vec<u32>,
    pub(crate) rownnz: Vec<u32>,
    pub(crate) colind: Vec<u32>,
    pub(crate) j: Vec<f64>,
    pub(crate) d: Vec<f64>,
    pub(crate) r: Vec<f64>,
    pub(crate) aref: Vec<f64>,
    pub(crate) frictionloss: Vec<f64>,
    pub(crate) contacts: Vec<ContactRows>,
}

/// One solve as MuJoCo did it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) settings: Settings,
    pub(crate) qacc: Vec<f64>,
    pub(crate) qfrc_constraint: Vec<f64>,
    pub(crate) force: Vec<f64>,
    pub(crate) state: Vec<i32>,
    pub(crate) stat: Vec<SolverStat>,
    pub(crate) niter: usize,
}

/// What a solver returned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Got {
    pub(crate) qacc: Vec<f64>,
    pub(crate) qfrc_constraint: Vec<f64>,
    pub(crate) force: Vec<f64>,
    pub(crate) state: Vec<i32>,
    pub(crate) stat: Vec<SolverStat>,
    pub(crate) solved: Solved,
}

impl Owned {
    pub(crate) fn view(&self) -> Problem<'_> {
        let [ne, nf, nl, nefc] = self.sizes;
        Problem {
            timestep: self.timestep,
            scale: self.scale,
            pattern: TreeSparse { rownnz: &self.m_rownnz, rowadr: &self.m_rowadr, colind: &self.m_colind },
            m: &self.m,
            ld: &self.ld,
            diaginv: &self.diaginv,
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.qacc_smooth,
            rows: Rows {
                ne,
                nf,
                nl,
                nefc,
                rowadr: &self.rowadr,
                rownnz: &self.rownnz,
                colind: &self.colind,
                j: &self.j,
                d: &self.d,
                r: &self.r,
                aref: &self.aref,
                frictionloss: &self.frictionloss,
                contacts: &self.contacts,
            },
        }
    }

    /// Fills what follows from the inertia, the forces and the length of rows.
    pub(crate) fn complete(&mut self) {
        let n = self.qfrc_smooth.len();
        self.ld = self.m.clone();
        self.diaginv = vec![0.0; n];
        self.qacc_smooth = self.qfrc_smooth.clone();
        let pattern = TreeSparse { rownnz: &self.m_rownnz, rowadr: &self.m_rowadr, colind: &self.m_colind };
        pattern.factor(&mut self.ld, &mut self.diaginv);
        pattern.solve(&self.ld, &self.diaginv, &mut self.qacc_smooth);
        self.rowadr = self
            .rownnz
            .iter()
            .scan(0, |adr, nnz| {
                *adr += nnz;
                Some(*adr - nnz)
            })
            .collect();
    }

    pub(crate) fn solve<S: ContactSolver>(
        &self,
        solver: &S,
        opt: &Settings,
        warm: bool,
        work: &mut Work,
    ) -> Result<Got, SolveError> {
        let (nv, n) = (self.qfrc_smooth.len(), self.sizes[3]);
        let mut got = Got {
            qacc: vec![0.0; nv],
            qfrc_constraint: vec![0.0; nv],
            force: vec![0.0; n],
            state: vec![0; n],
            stat: vec![SolverStat::default(); 200],
            solved: Solved::default(),
        };
        let mut out = Solution {
            qacc: &mut got.qacc,
            qfrc_constraint: &mut got.qfrc_constraint,
            force: &mut got.force,
            state: &mut got.state,
            stat: &mut got.stat,
        };
        got.solved = solve(solver, &self.view(), opt, warm.then_some(&self.warm[..]), &mut out, work)?;
        Ok(got)
    }
}

/// Reads a file of cases: the problem, and what MuJoCo's solvers did with it.
pub(crate) fn read(text: &str) -> (Owned, Vec<Case>) {
    let mut lines = text.lines();
    let mut head = HashMap::new();
    let mut cases: Vec<Case> = Vec::new();
    for line in lines.by_ref() {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        if key == "case" {
            let words: Vec<&str> = rest.split(' ').collect();
            let solver = match words[0] {
                "newton" => Solver::Newton,
                "cg" => Solver::Cg,
                _ => Solver::Pgs,
            };
            let settings = Settings {
                solver,
                iterations: words[1].parse().unwrap(),
                noslip_iterations: words[2].parse().unwrap(),
                ..Settings::default()
            };
            cases.push(Case { name: rest.to_owned(), settings, ..Case::default() });
            continue;
        }
        let values: Vec<f64> = rest.split_ascii_whitespace().map(|x| x.parse().unwrap()).collect();
        match cases.last_mut() {
            Some(case) => case.set(key, values),
            None => drop(head.insert(key.to_owned(), values)),
        }
    }
    (problem(&head), cases)
}

fn problem(head: &HashMap<String, Vec<f64>>) -> Owned {
    let get = |key: &str| head[key].clone();
    let ints = |key: &str| head[key].iter().map(|&x| x as u32).collect::<Vec<u32>>();
    let sizes = &head["sizes"];
    let contact = |c: &[f64]| ContactRows {
        row: c[0] as u32,
        base: c[1] as u32,
        dim: c[2] as u32,
        elliptic: c[3] != 0.0,
        mu: c[4],
        friction: [c[5], c[6], c[7], c[8], c[9]],
    };
    let mut p = Owned {
        timestep: head["numbers"][0],
        scale: head["numbers"][1],
        m_rownnz: ints("M_rownnz"),
        m_rowadr: ints("M_rowadr"),
        m_colind: ints("M_colind"),
        m: get("M"),
        qfrc_smooth: get("qfrc_smooth"),
        warm: get("warm"),
        sizes: [sizes[1] as usize, sizes[2] as usize, sizes[3] as usize, sizes[4] as usize],
        rownnz: ints("rownnz"),
        colind: ints("colind"),
        j: get("J"),
        d: get("D"),
        r: get("R"),
        aref: get("aref"),
        frictionloss: get("frictionloss"),
        contacts: head["contacts"].chunks(10).map(contact).collect(),
        ..Owned::default()
    };
    p.complete();
    p.qacc_smooth = get("qacc_smooth");
    p
}

impl Case {
    fn set(&mut self, key: &str, values: Vec<f64>) {
        match key {
            "qacc" => self.qacc = values,
            "qfrc_constraint" => self.qfrc_constraint = values,
            "force" => self.force = values,
            "state" => self.state = values.iter().map(|&x| x as i32).collect(),
            "niter" => self.niter = values[0] as usize,
            _ => {
                self.stat = values
                    .chunks(7)
                    .map(|s| SolverStat {
                        improvement: s[0],
                        gradient: s[1],
                        lineslope: s[2],
                        nactive: s[3] as i32,
                        nchange: s[4] as i32,
                        neval: s[5] as i32,
                        nupdate: s[6] as i32,
                    })
                    .collect();
            }
        }
    }
}
