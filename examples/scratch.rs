//! Scratch.
use sim_env::search::*; use sim_env::tasks::*; use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let f = |k: &str, def: f64| a.iter().find_map(|s| s.strip_prefix(&format!("{k}="))).map_or(def, |v| v.parse().unwrap());
    let s = SearchSettings { directions: f("n", 16.0) as usize, best: f("b", 8.0) as usize, step: f("step", 0.02), noise: f("noise", 0.03), trials: 4, seed: f("seed", 0.0) as u64, threads: 2, least_deviation: f("floor", 0.1) };
    let mut search = if a[1] == "cart" { Search::new(CartPole::default(), CartPole::model().unwrap(), s).unwrap() } else {
        let d = HumanoidRun::default();
        Search::new(HumanoidRun { max_steps: f("max", 200.0) as usize, stride: f("stride", 0.6), alive: f("alive", d.alive), speed: f("speed", d.speed), joints: f("joints", 0.0) > 0.0, reach: f("reach", 0.6), ..d }, HumanoidRun::model().unwrap(), s).unwrap() };
    let t = Instant::now();
    let mut best = 0.0f64; let mut i = 0;
    while t.elapsed().as_secs_f64() < f("secs", 20.0) && i < f("iters", 1e9) as usize {
        let p = search.iterate().unwrap(); best = best.max(p.mean);
        if i % (f("every", 10.0) as usize) == 0 { println!("{:5.1}s {:3} mean {:8.2} [{:8.2} {:8.2}] steps {:.0} faults {}", t.elapsed().as_secs_f64(), p.iteration, p.mean, p.low, p.high, p.steps, search.envs().faults()); }
        i += 1;
    }
    println!("best {best:.1} after {i} iterations");
}
