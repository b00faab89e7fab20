//! Model, Data and the simulation pipeline.
//!
//! - [`Model`]: what is simulated, plain data, shared and never changed by a step
//! - [`Data`]: the state, and everything computed from it
//! - [`pipeline`]: `step`, `forward`, and the one list of stages
//! - one module per group of stages: [`smooth`], [`collision`], [`passive`], [`actuation`], [`sensor`], [`energy`], [`integrate`]
//!
//! Queries on a state: [`ray()`], [`multi_ray`], [`geom_distance`], [`inside_geom`].
//!
//! Names are MuJoCo's: `m.body_pos[b]`, `d.qfrc_bias[i]`, `mj_comPos` is [`smooth::com_pos`].

#![deny(unsafe_code)]

pub mod actuation;
mod arrays;
pub mod batch;
pub mod collision;
pub mod constraint;
pub mod data;
pub mod derivative;
pub mod distance;
pub mod energy;
pub mod error;
pub mod integrate;
pub mod inverse;
pub mod island;
pub mod jacobian;
mod lanes;
pub mod model;
pub mod names;
pub mod object;
pub mod passive;
pub mod pipeline;
pub mod ray;
pub mod sensor;
pub mod set_const;
pub mod smooth;
pub mod support;
pub mod warning;

pub use arrays::{Array, Column, FieldInfo};
pub use batch::{BatchError, BatchSim, Fault, Rollout, StepStatus, Trajectories, rollout};
pub use data::{Data, StateBits, WORK_LIMIT};
pub use distance::{geom_distance, inside_geom};
pub use error::{BadNumber, ModelError, StepError};
#[cfg(feature = "serde")]
pub use model::ModelFileError;
pub use model::{Assets, Model};
pub use pipeline::{Hooks, Kit, Mujoco, Parts};
pub use ray::{RayFilter, RayHit, RaySource, multi_ray, ray};
pub use set_const::set_const;
pub use sim_collision::sdf::{GridError, GridView, SdfGrid};
pub use warning::{Warning, WarningStat, Warnings};
