//! Plain data seen as other plain data of the same size: vectors as numbers, numbers as vectors.
//!
//! Sizes and alignments are checked when compiling. The types of this crate, ids and nalgebra's vectors are plain data.

pub use bytemuck::{must_cast, must_cast_ref, must_cast_slice, must_cast_slice_mut};
