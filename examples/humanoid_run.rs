//! A humanoid learns to move forwards, by random search.
//!
//! `cargo run --release -p sim-physics --example humanoid_run`

#![allow(clippy::print_stdout, reason = "a program for people")]

mod training;

use std::error::Error;

use sim_env::search::{Search, SearchSettings};
use sim_env::tasks::HumanoidRun;
use sim_env::{Settings, VecEnv};

fn main() -> Result<(), Box<dyn Error>> {
    let threads = std::thread::available_parallelism()?.get();
    let settings = SearchSettings {
        directions: 24,
        best: 12,
        step: 0.025,
        noise: 0.05,
        least_deviation: 0.1,
        trials: 8,
        threads,
        ..Default::default()
    };
    // few numbers to look at make few weights to find: torso and clock are enough for a first gait
    let task = HumanoidRun { joints: false, max_steps: 200, ..HumanoidRun::default() };
    let mut search = Search::new(task.clone(), HumanoidRun::model()?, settings)?;
    let history = training::train(&mut search, 120)?;
    let picture = training::plot("humanoid_run.svg", &search, &history)?;

    // one more episode with the best policy, from a start it has not seen
    let mut env = VecEnv::new(task, HumanoidRun::model()?, &Settings { seed: 1234, ..Settings::default() })?;
    let mut action = vec![0.0; env.action_space().size()];
    let (mut metres, mut seconds) = (0.0, 0.0);
    while env.episodes()[0].is_none() {
        if let Some(state) = env.sim().env(0) {
            (metres, seconds) = (state.qpos[0], state.time);
        }
        search.best().act(env.observations(), &mut action);
        env.step(&action)?;
    }
    println!("the best policy goes {metres:.1} m in {seconds:.1} s");
    println!("plotted to {}", picture.display());
    Ok(())
}
