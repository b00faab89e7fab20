//! Smooth dynamics: positions, velocities, inertia and the forces that need no constraint.
//!
//! Every quantity of a body that is a 6-vector is expressed at the centre of mass of its kinematic tree, with world
//! axes: `c = subtree_com[body_rootid[body]]`. There the recursions over the tree need no transformations.

mod acceleration;
mod cam_light;
mod com_pos;
mod com_vel;
mod crb;
mod kinematics;
mod path_vel;
mod rne;
mod rne_post;
mod subtree_vel;
mod tendon;
mod transmission;
mod view;

pub(crate) use acceleration::add_applied;
pub use acceleration::{acceleration, apply_force, solve_smooth, sum_smooth};
pub use cam_light::{cam_light, cam_light_fixed};
pub use com_pos::com_pos;
pub use com_vel::com_vel;
pub use crb::{crb, factor_m, mul_m, solve_m};
pub use kinematics::kinematics;
pub use path_vel::path_vel;
pub use rne::{rne, rne_with_acceleration};
pub use rne_post::rne_post;
pub use subtree_vel::subtree_vel;
pub use tendon::{tendon, tendon_armature, tendon_bias};
pub use transmission::transmission;

/// The stages that work on any lanes, and their arrays.
pub(crate) mod kernel {
    pub(crate) use super::com_pos::about_com;
    pub(crate) use super::com_vel::velocities;
    pub(crate) use super::crb::inertia;
    pub(crate) use super::kinematics::poses;
    pub(crate) use super::rne::recursion;
    pub(crate) use super::view::Store;
}
