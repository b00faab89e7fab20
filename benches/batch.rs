//! Environment steps per second of a batch of humanoids that stand, fall and lie on a floor, against one after the other.
//!
//! `cargo bench -p sim-physics --bench batch`

#![expect(clippy::expect_used, reason = "benches may expect as tests do")]
#![allow(missing_docs, reason = "made by a macro")]

use std::fmt::Write as _;
use std::sync::Arc;
use std::thread::available_parallelism;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sim_physics::{BatchSim, Model, StateBits, load_model};

/// Steps per measurement.
const STEPS: usize = 100;

/// A trunk with two arms and two legs, 28 dofs, whose feet stand on a plane.
fn humanoid() -> Arc<Model> {
    let ball = |name: &str| {
        let hinge = |axis: &str, k: usize| format!("<joint name='{name}{k}' axis='{axis}' range='-60 60'/>");
        ["1 0 0", "0 1 0", "0 0 1"].iter().enumerate().map(|(k, axis)| hinge(axis, k)).collect::<String>()
    };
    let mut limbs = String::new();
    for (side, y) in [("left", 0.12), ("right", -0.12)] {
        let (hip, ankle, shoulder) =
            (ball(&format!("{side} hip")), ball(&format!("{side} ankle")), ball(&format!("{side} shoulder")));
        write!(
            limbs,
            "<body pos='0 {y} -.1'>{hip}<geom fromto='0 0 0 0 0 -.38' size='.06'/>
               <body pos='0 0 -.4'><joint axis='0 1 0' range='0 140'/><geom fromto='0 0 0 0 0 -.36' size='.05'/>
                 <body pos='0 0 -.4'>{ankle}<geom fromto='-.06 0 -.03 .14 0 -.03' size='.03'/></body>
               </body>
             </body>
             <body pos='0 {} .4'>{shoulder}<geom fromto='0 0 0 0 0 -.26' size='.04'/>
               <body pos='0 0 -.28'><joint axis='0 1 0' range='-140 0'/><geom fromto='0 0 0 0 0 -.25' size='.035'/></body>
             </body>",
            2.0 * y
        )
        .expect("a string takes everything");
    }
    let xml = format!(
        "<mujoco><option timestep='.005'/><default><geom type='capsule' condim='3' density='1000'/>
           <joint damping='1' armature='.01'/></default>
         <worldbody><geom type='plane' size='0 0 1'/>
           <body pos='0 0 1'><freejoint/><geom fromto='0 -.08 0 0 .08 0' size='.1'/><geom fromto='0 0 .1 0 0 .4' size='.12'/>
           {limbs}</body></worldbody></mujoco>"
    );
    Arc::new(load_model(&xml).expect("a valid model"))
}

fn batches(c: &mut Criterion) {
    let m = humanoid();
    let threads = available_parallelism().map_or(1, usize::from);
    let mut group = c.benchmark_group("humanoid");
    group.sample_size(10);
    for n in [1, 16, 64, 256, 1024] {
        group.throughput(Throughput::Elements((n * STEPS) as u64));
        group.bench_function(BenchmarkId::new("data of its own", n), |b| {
            let mut all = vec![m.make_data(); n];
            b.iter(|| {
                for _ in 0..STEPS {
                    for d in &mut all {
                        d.step(&m).expect("a step");
                    }
                }
            });
        });
        let mut counts = vec![1, threads];
        counts.dedup();
        for threads in counts {
            let mut sim = BatchSim::builder(Arc::clone(&m)).envs(n).threads(threads).build().expect("threads start");
            let mut rows = vec![0.0; n * sim.row_size(StateBits::FULLPHYSICS)];
            group.bench_function(BenchmarkId::new(format!("batch on {threads} threads"), n), |b| {
                b.iter(|| {
                    for _ in 0..STEPS {
                        sim.step_into(StateBits::FULLPHYSICS, &mut rows, &mut []).expect("the buffer fits");
                    }
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, batches);
criterion_main!(benches);
