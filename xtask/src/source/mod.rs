//! Reading Rust sources: tokens of one file ([`scan`]) and the files of one crate ([`modules`]).

pub(crate) mod modules;
pub(crate) mod scan;
