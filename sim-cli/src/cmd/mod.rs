//! One file per command.

pub(crate) mod bench;
pub(crate) mod convert;
pub(crate) mod eval;
pub(crate) mod info;
pub(crate) mod run;
