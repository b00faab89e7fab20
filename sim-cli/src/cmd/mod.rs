//! One file per command.

pub(crate) mod bench;
mod collision;
pub(crate) mod convert;
pub(crate) mod eval;
pub(crate) mod info;
pub(crate) mod run;
pub(crate) mod time_load;
