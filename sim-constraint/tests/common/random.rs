//! Random problems, and their cost written down once more in the plainest way.

use super::Owned;
use sim_constraint::ContactRows;

/// What a random problem should have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) seed: u64,
    pub(crate) nv: usize,
    pub(crate) scalars: [usize; 3],
    pub(crate) contacts: usize,
    pub(crate) elliptic: bool,
}

/// Numbers between −1 and 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / f64::from(1u32 << 30) - 1.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.0 >> 40) as usize % n.max(1) + usize::from(self.next() > 2.0)
    }
}

/// Trees of dofs, rows over the chains of one or two dofs.
pub(crate) fn random(kind: Kind) -> Owned {
    let mut x = Numbers(kind.seed.wrapping_mul(2).wrapping_add(12345));
    x.next();
    let nv = kind.nv;
    let mut p = Owned { timestep: 0.002, ..Owned::default() };

    // every dof hangs on the dof before it, on one above that, or on the world: numbered depth first
    let mut parent: Vec<Option<usize>> = Vec::new();
    let mut chains: Vec<Vec<u32>> = Vec::new();
    for i in 0..nv {
        let r = x.next();
        let on = if i == 0 || (i % 6 == 0 && r > -0.5) {
            None
        } else if r > 0.7 {
            let above = &chains[i - 1];
            Some(above[above.len() - 1 - x.below(above.len().min(4))] as usize)
        } else {
            Some(i - 1)
        };
        parent.push(on);
        let mut chain = on.map_or(Vec::new(), |k| chains[k].clone());
        chain.push(i as u32);
        chains.push(chain);
    }

    // inertia M = LᵀDL with a random unit L on the chains
    for chain in &chains {
        p.m_rowadr.push(p.m_colind.len() as u32);
        p.m_rownnz.push(chain.len() as u32);
        p.m_colind.extend(chain);
    }
    let mut m = vec![0.0; nv * nv];
    for chain in &chains {
        let d = 1.0 + 0.9 * x.next();
        let l: Vec<f64> = (0..chain.len()).map(|k| if k + 1 == chain.len() { 1.0 } else { 0.5 * x.next() }).collect();
        for (a, &i) in l.iter().zip(chain) {
            for (b, &j) in l.iter().zip(chain) {
                m[i as usize * nv + j as usize] += a * b * d;
            }
        }
    }
    for (i, chain) in chains.iter().enumerate() {
        p.m.extend(chain.iter().map(|&j| m[i * nv + j as usize]));
    }
    p.qfrc_smooth = (0..nv).map(|_| 5.0 * x.next()).collect();
    p.warm = (0..nv).map(|_| 2.0 * x.next()).collect();
    p.scale = 1.0 / (0..nv).map(|i| m[i * nv + i]).sum::<f64>().max(1.0);

    for (k, &n) in kind.scalars.iter().enumerate() {
        for _ in 0..n {
            let columns = chains[x.below(nv)].clone();
            push_row(&mut p, &columns, &mut x);
            if k == 1 {
                *p.frictionloss.last_mut().unwrap() = 0.5 + 0.4 * x.next();
            }
        }
    }
    let mut row = p.d.len() as u32;
    for _ in 0..kind.contacts {
        let dim = [1, 3, 3, 4, 6][x.below(5)];
        let mut columns = chains[x.below(nv)].clone();
        columns.extend(&chains[x.below(nv)]);
        columns.sort_unstable();
        columns.dedup();
        let mut c = ContactRows { row, base: p.d.len() as u32, dim, elliptic: kind.elliptic, ..ContactRows::default() };
        c.friction = [0.8 + 0.3 * x.next(); 5];
        c.friction[1] = c.friction[0];
        c.friction[3] = 0.5;
        for _ in 0..dim {
            push_row(&mut p, &columns, &mut x);
        }
        weigh_contact(&mut p, &mut c);
        row += c.nrow() as u32;
        p.contacts.push(c);
    }
    p.sizes = [kind.scalars[0], kind.scalars[1], kind.scalars[2], row as usize];
    p.complete();
    p
}

/// Free bodies in a row of `width` columns, each touching the world and its neighbours twice with pyramids.
pub(crate) fn pile(bodies: usize, width: usize) -> Owned {
    let mut x = Numbers(77);
    let nv = 6 * bodies;
    let mut p = Owned { timestep: 0.002, ..Owned::default() };
    for body in 0..bodies as u32 {
        for k in 0..6 {
            p.m_rowadr.push(p.m_colind.len() as u32);
            p.m_rownnz.push(k + 1);
            p.m_colind.extend(6 * body..=6 * body + k);
            p.m.extend((0..=k).map(|l| if l == k { 2.0 } else { 0.1 * x.next() }));
        }
    }
    p.qfrc_smooth = (0..nv).map(|_| 5.0 * x.next()).collect();
    p.warm = vec![0.0; nv];
    p.scale = 0.5 / nv as f64;
    let mut row = 0;
    for a in 0..bodies {
        for b in [a, a + 1, a + width] {
            if b >= bodies {
                continue;
            }
            let mut columns: Vec<u32> = (6 * a as u32..6 * a as u32 + 6).collect();
            if b != a {
                columns.extend(6 * b as u32..6 * b as u32 + 6);
            }
            for _ in 0..2 {
                let mut c = ContactRows { row, base: p.d.len() as u32, dim: 3, ..ContactRows::default() };
                c.friction = [0.7; 5];
                for _ in 0..3 {
                    push_row(&mut p, &columns, &mut x);
                }
                weigh_contact(&mut p, &mut c);
                row += c.nrow() as u32;
                p.contacts.push(c);
            }
        }
    }
    p.sizes = [0, 0, 0, row as usize];
    p.complete();
    p
}

fn push_row(p: &mut Owned, columns: &[u32], x: &mut Numbers) {
    p.rownnz.push(columns.len() as u32);
    p.colind.extend(columns);
    p.j.extend(columns.iter().map(|_| x.next()));
    let r = 0.5 + 0.4 * x.next();
    p.r.push(r);
    p.d.push(1.0 / r);
    p.aref.push(4.0 * x.next());
    p.frictionloss.push(0.0);
}

/// Regularisation as MuJoCo shares it among the rows of a contact.
fn weigh_contact(p: &mut Owned, c: &mut ContactRows) {
    let rows = c.base as usize..(c.base + c.dim) as usize;
    let r = &mut p.r[rows.clone()];
    if c.is_elliptic() {
        c.mu = sim_constraint::impedance::elliptic_friction(r, &c.friction, 1.0);
    } else if c.is_pyramid() {
        let (mu, shared) = sim_constraint::impedance::pyramid_friction(r[0], &c.friction, 1.0);
        c.mu = mu;
        r.fill(shared);
    }
    for i in rows {
        p.d[i] = 1.0 / p.r[i];
    }
}

/// `½‖a − a₀‖²_M + s(J·a − aref)`, and its gradient.
pub(crate) fn cost(p: &Owned, a: &[f64]) -> (f64, Vec<f64>) {
    let nv = a.len();
    let view = p.view();
    let delta: Vec<f64> = a.iter().zip(&p.qacc_smooth).map(|(a, b)| a - b).collect();
    let mut grad = vec![0.0; nv];
    view.pattern.mul(&p.m, &delta, &mut grad);
    let mut total = 0.5 * grad.iter().zip(&delta).map(|(g, d)| g * d).sum::<f64>();
    let rows = view.rows;
    let residual: Vec<f64> = (0..p.d.len())
        .map(|i| {
            let (j, c) = rows.row(i);
            j.iter().zip(c).map(|(j, &c)| j * a[c as usize]).sum::<f64>() - p.aref[i]
        })
        .collect();
    let mut pull = vec![0.0; p.d.len()];
    let [ne, nf, nl, _] = p.sizes;
    for i in 0..ne + nf + nl {
        let (x, d) = (residual[i], p.d[i]);
        let (c, f) = if i < ne {
            (0.5 * d * x * x, d * x)
        } else if i < ne + nf {
            let loss = p.frictionloss[i];
            if x.abs() < p.r[i] * loss {
                (0.5 * d * x * x, d * x)
            } else {
                (loss * x.abs() - 0.5 * p.r[i] * loss * loss, loss * x.signum())
            }
        } else {
            let x = x.min(0.0);
            (0.5 * d * x * x, d * x)
        };
        total += c;
        pull[i] = f;
    }
    for c in &p.contacts {
        let (b, dim) = (c.base as usize, c.dim as usize);
        let (value, gradient) = contact_cost(c, &p.d[b..b + dim], &residual[b..b + dim]);
        total += value;
        pull[b..b + dim].copy_from_slice(&gradient[..dim]);
    }
    for i in 0..p.d.len() {
        let (j, c) = rows.row(i);
        for (j, &c) in j.iter().zip(c) {
            grad[c as usize] += j * pull[i];
        }
    }
    (total, grad)
}

fn contact_cost(c: &ContactRows, d: &[f64], x: &[f64]) -> (f64, [f64; 6]) {
    let (dim, mut total, mut g) = (d.len(), 0.0, [0.0; 6]);
    if dim == 1 || c.elliptic {
        let quadratic = |g: &mut [f64; 6]| {
            for k in 0..dim {
                g[k] = d[k] * x[k];
            }
            (0..dim).map(|k| 0.5 * d[k] * x[k] * x[k]).sum::<f64>()
        };
        if dim == 1 {
            return if x[0] < 0.0 { (quadratic(&mut g), g) } else { (0.0, g) };
        }
        let n = c.mu * x[0];
        let t = (1..dim).map(|k| (c.friction[k - 1] * x[k]).powi(2)).sum::<f64>().sqrt();
        if n >= c.mu * t {
            return (0.0, g);
        }
        if c.mu * n + t <= 0.0 {
            return (quadratic(&mut g), g);
        }
        let dm = d[0] / (c.mu * c.mu * (1.0 + c.mu * c.mu));
        let e = n - c.mu * t;
        g[0] = dm * e * c.mu;
        for k in 1..dim {
            g[k] = -dm * e * c.mu * c.friction[k - 1].powi(2) * x[k] / t;
        }
        return (0.5 * dm * e * e, g);
    }
    for k in 1..dim {
        for mu in [c.friction[k - 1], -c.friction[k - 1]] {
            let edge = (x[0] + mu * x[k]).min(0.0);
            total += 0.5 * d[0] * edge * edge;
            g[0] += d[0] * edge;
            g[k] += d[0] * edge * mu;
        }
    }
    (total, g)
}
