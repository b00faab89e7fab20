//! A cart learns to swing a pole up and to keep it there, by random search.
//!
//! `cargo run --release -p sim-physics --example cart_pole`

#![allow(clippy::print_stdout, reason = "a program for people")]

mod training;

use std::error::Error;

use sim_env::search::{Search, SearchSettings};
use sim_env::tasks::CartPole;
use sim_env::{Settings, VecEnv};

fn main() -> Result<(), Box<dyn Error>> {
    let threads = std::thread::available_parallelism()?.get();
    let settings =
        SearchSettings { directions: 20, best: 8, step: 0.3, noise: 0.5, trials: 8, threads, ..Default::default() };
    let mut search = Search::new(CartPole::default(), CartPole::model()?, settings)?;
    let history = training::train(&mut search, 120)?;
    let picture = training::plot("cart_pole.svg", &search, &history)?;

    // one more episode with the best policy, from a start it has not seen
    let seed = Settings { seed: 1234, ..Settings::default() };
    let mut env = VecEnv::new(CartPole::default(), CartPole::model()?, &seed)?;
    let mut action = [0.0];
    let mut fallen = 0;
    for step in 1..500 {
        search.best().act(env.observations(), &mut action);
        env.step(&action)?;
        // the second number is the cosine of the angle
        if env.observations()[1] < 15_f64.to_radians().cos() {
            fallen = step;
        }
    }
    println!("the pole is within 15° of upright from {:.1} s to the end at 10 s", f64::from(fallen) / 50.0);
    println!("plotted to {}", picture.display());
    Ok(())
}
