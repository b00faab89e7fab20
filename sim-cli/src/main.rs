//! The sim command: inspect, run, evaluate and benchmark MJCF models.

fn main() {}
