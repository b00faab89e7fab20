//! Environments: episodes, determinism, faults, and a search that learns.

#![expect(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use std::sync::Arc;

use sim_core::{Data, Model};
use sim_env::search::{Progress, Search, SearchSettings};
use sim_env::tasks::{CartPole, HumanoidRun};
use sim_env::{Done, Env, EnvError, Rng, Settings, Space, VecEnv};

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// Everything that a learner sees of some steps with random actions.
fn seen(mut envs: VecEnv, steps: usize) -> Vec<u64> {
    let mut rng = Rng::new(5, 5);
    let mut actions = vec![0.0; envs.len() * envs.action_space().size()];
    let mut seen = bits(envs.observations());
    for _ in 0..steps {
        actions.fill_with(|| rng.uniform(-1.0, 1.0));
        envs.step(&actions).unwrap();
        seen.extend(bits(envs.observations()));
        seen.extend(bits(envs.last_observations()));
        seen.extend(bits(envs.rewards()));
        seen.extend(envs.terminated().iter().chain(envs.truncated()).map(|done| u64::from(*done)));
        seen.extend(envs.episodes().iter().flatten().map(|episode| episode.total.to_bits()));
    }
    assert!(envs.faults() == 0 && seen.len() > steps);
    seen
}

fn carts(envs: usize, seed: u64, threads: usize, max_steps: usize) -> VecEnv {
    VecEnv::new(CartPole { max_steps }, CartPole::model().unwrap(), &Settings { envs, seed, threads }).unwrap()
}

fn humanoids(threads: usize) -> VecEnv {
    let settings = Settings { envs: 7, seed: 3, threads };
    VecEnv::new(HumanoidRun::default(), HumanoidRun::model().unwrap(), &settings).unwrap()
}

#[test]
fn results_are_the_same_bits_for_any_number_of_threads() {
    let one = seen(carts(9, 1, 1, 40), 100);
    assert!([2, 3, 16].iter().all(|&threads| seen(carts(9, 1, threads, 40), 100) == one));
    assert_ne!(seen(carts(9, 2, 1, 40), 100), one, "another seed");
    let one = seen(humanoids(1), 60);
    assert!([2, 4].iter().all(|&threads| seen(humanoids(threads), 60) == one));
}

#[test]
fn an_environment_depends_on_its_index_and_not_on_its_neighbours() {
    let (few, many) = (carts(3, 7, 1, 500), carts(10, 7, 1, 500));
    assert_eq!(few.observations(), &many.observations()[..few.observations().len()]);
    let row = few.observation_space().size();
    assert_ne!(few.observations()[..row], few.observations()[row..2 * row]);
}

#[test]
fn an_environment_is_the_task_run_by_hand() {
    let (task, m) = (HumanoidRun { max_steps: 30, ..HumanoidRun::default() }, HumanoidRun::model().unwrap());
    let mut envs = VecEnv::new(task.clone(), Arc::clone(&m), &Settings { seed: 4, ..Settings::default() }).unwrap();
    let (mut d, mut rng) = (m.make_data(), Rng::new(4, 0));
    let mut observation = vec![0.0; envs.observation_space().size()];
    task.reset(&m, &mut d, &mut rng);
    task.observe(&m, &d, &mut observation);
    assert_eq!(envs.observations(), observation);

    let action = vec![0.1; envs.action_space().size()];
    let mut total = 0.0;
    for step in 1..=30 {
        task.act(&m, &mut d, &action);
        for _ in 0..task.frame_skip() {
            d.step(&m).unwrap();
        }
        task.observe(&m, &d, &mut observation);
        total += task.reward(&m, &d);
        assert_eq!(task.done(&m, &d), Done::No, "the humanoid stands for 30 steps");
        envs.step(&action).unwrap();
        assert_eq!(envs.rewards()[0], task.reward(&m, &d));
        if step < 30 {
            assert_eq!(envs.observations(), observation);
            assert_eq!(envs.episodes(), [None]);
        }
    }

    // the last step cut the episode off: its end is kept, and the next one has begun
    assert_eq!((envs.terminated(), envs.truncated()), (&[false][..], &[true][..]));
    assert_eq!(envs.last_observations(), observation);
    let episode = envs.episodes()[0].unwrap();
    assert_eq!((episode.total, episode.steps, episode.terminated), (total, 30, false));
    d.reset(&m);
    task.reset(&m, &mut d, &mut rng);
    task.observe(&m, &d, &mut observation);
    assert_eq!(envs.observations(), observation);
}

#[test]
fn a_fall_terminates_the_episode() {
    let mut envs = humanoids(1);
    // both hips to one side
    let mut action = vec![0.0; envs.len() * envs.action_space().size()];
    for row in action.chunks_exact_mut(envs.action_space().size()) {
        row[2..6].fill(1.0);
    }
    let mut fallen = 0;
    for _ in 0..150 {
        envs.step(&action).unwrap();
        fallen += envs.terminated().iter().filter(|fallen| **fallen).count();
        assert!(!envs.truncated().contains(&true));
    }
    assert!(fallen >= envs.len(), "{fallen}");
}

/// A ball on a slide whose velocity becomes infinite with the action 1.
struct Breaks;

impl Env for Breaks {
    fn name(&self) -> &'static str {
        "breaks"
    }
    fn observation_space(&self, _: &Model) -> Space {
        Space::unbounded(2)
    }
    fn reset(&self, _: &Model, d: &mut Data, rng: &mut Rng) {
        d.qpos[0] = rng.unit();
    }
    fn act(&self, _: &Model, d: &mut Data, action: &[f64]) {
        d.qvel[0] += if action[0] == 1.0 { f64::INFINITY } else { action[0] };
    }
    fn observe(&self, _: &Model, d: &Data, out: &mut [f64]) {
        // the pose of the body is up to date when it is looked at
        assert_eq!(d.xpos[1].z, d.qpos[0]);
        out.copy_from_slice(&[d.qpos[0], d.qvel[0]]);
    }
    fn reward(&self, _: &Model, _: &Data) -> f64 {
        1.0
    }
}

fn slide(option: &str) -> Arc<Model> {
    let xml = format!(
        "<mujoco>
           <option gravity='0 0 0'>{option}</option>
           <worldbody><body><joint name='slide' type='slide'/><geom size='.1'/></body></worldbody>
           <actuator><motor joint='slide'/></actuator>
         </mujoco>"
    );
    Arc::new(sim_mjcf::load_model(&xml).unwrap())
}

#[test]
fn a_simulation_that_breaks_down_ends_its_episode_and_no_other() {
    for option in ["", "<flag autoreset='disable'/>"] {
        let settings = Settings { envs: 3, ..Settings::default() };
        let mut envs = VecEnv::from_box(Box::new(Breaks), slide(option), &settings).unwrap();
        let mut calm = VecEnv::new(Breaks, slide(option), &settings).unwrap();
        envs.step(&[0.0; 3]).unwrap();
        calm.step(&[0.0; 3]).unwrap();
        let before = envs.observations().to_vec();
        envs.step(&[0.0, 1.0, 0.5]).unwrap();
        calm.step(&[0.0, 0.0, 0.5]).unwrap();
        assert_eq!(envs.terminated(), [false, true, false], "{option}");
        assert_eq!((envs.rewards(), envs.faults()), (&[1.0, 0.0, 1.0][..], 1));
        assert_eq!(envs.last_observations()[2..4], before[2..4], "the last that means something");
        assert!(envs.fault(1).is_some_and(|e| e.to_string().contains("qvel[0]")), "{:?}", envs.fault(1));
        assert!(envs.fault(0).is_none());
        assert_eq!(envs.observations()[..2], calm.observations()[..2]);
        assert_eq!(envs.observations()[4..], calm.observations()[4..]);

        // it goes on with a new episode
        envs.step(&[0.0; 3]).unwrap();
        assert_eq!(envs.terminated(), [false; 3]);
        assert!(envs.observations().iter().all(|x| x.is_finite()));
    }
}

#[test]
fn an_environment_may_have_a_model_of_its_own() {
    let mut envs = carts(2, 1, 1, 500);
    let mut heavy = (*CartPole::model().unwrap()).clone();
    heavy.opt.gravity = [0.0, 0.0, -20.0].into();
    envs.set_model(1, Arc::new(heavy)).unwrap();
    let mut plain = carts(2, 1, 1, 500);
    envs.step(&[0.0; 2]).unwrap();
    plain.step(&[0.0; 2]).unwrap();
    let row = envs.observation_space().size();
    assert_eq!(envs.observations()[..row], plain.observations()[..row]);
    assert_ne!(envs.observations()[row..], plain.observations()[row..]);
}

#[test]
fn errors_say_what_would_be_right() {
    let text = |e: EnvError| e.to_string();
    let none = Settings { envs: 0, ..Settings::default() };
    let error = VecEnv::new(CartPole::default(), CartPole::model().unwrap(), &none).err().map(text);
    assert_eq!(error.unwrap(), "the number of environments must be at least 1, is 0");
    let error = carts(3, 0, 1, 500).step(&[0.0; 2]).err().map(text);
    assert_eq!(error.unwrap(), "actions has 2 elements, the environments need 3");
    let error = carts(3, 0, 1, 500).run_episodes(&mut [(); 2], |_, (), _, _| {}).err().map(text);
    assert_eq!(error.unwrap(), "per_env has 2 elements, the environments need 3");
    let error = VecEnv::new(CartPole::default(), HumanoidRun::model().unwrap(), &Settings::default()).err().map(text);
    let want = "task 'cart-pole swing-up' needs a model with nq = 2, nv = 2, nu = 1; this one has 23, 22, 16";
    assert_eq!(error.unwrap(), want);
    let search = SearchSettings { directions: 4, best: 5, ..SearchSettings::default() };
    let error = Search::new(CartPole::default(), CartPole::model().unwrap(), search).err().map(text);
    assert_eq!(error.unwrap(), "best must be between 1 and the number of directions, is 5");
}

fn cart_search(threads: usize) -> (Vec<Progress>, Vec<u64>) {
    let settings =
        SearchSettings { directions: 8, best: 4, step: 0.3, noise: 0.5, threads, ..SearchSettings::default() };
    let mut search = Search::new(CartPole { max_steps: 200 }, CartPole::model().unwrap(), settings).unwrap();
    let history = (0..12).map(|_| search.iterate().unwrap()).collect();
    (history, bits(&search.policy().weights))
}

#[test]
fn a_search_learns_and_repeats_to_the_last_bit() {
    let (history, weights) = cart_search(1);
    let mean = |part: &[Progress]| part.iter().map(|p| p.mean).sum::<f64>() / part.len() as f64;
    let (first, last) = (mean(&history[..3]), mean(&history[9..]));
    assert!(last > first + 10.0, "{first} {last}");
    assert_eq!(cart_search(1), (history.clone(), weights.clone()));
    assert_eq!(cart_search(2), (history, weights), "on two threads");
}

#[test]
fn a_humanoid_learns_to_go_forwards() {
    let task = HumanoidRun { joints: false, max_steps: 100, ..HumanoidRun::default() };
    let settings = SearchSettings {
        directions: 8,
        best: 4,
        step: 0.03,
        noise: 0.05,
        least_deviation: 0.1,
        ..SearchSettings::default()
    };
    let mut search = Search::new(task, HumanoidRun::model().unwrap(), settings).unwrap();
    let returns: Vec<f64> = (0..10).map(|_| search.iterate().unwrap().mean).collect();
    // the policy that does nothing stands still
    assert!((returns[0] - 50.0).abs() < 5.0, "{returns:?}");
    assert!(returns[7..].iter().sum::<f64>() / 3.0 > returns[0] + 5.0, "{returns:?}");
}
