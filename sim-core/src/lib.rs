//! Model, Data and the simulation pipeline.
