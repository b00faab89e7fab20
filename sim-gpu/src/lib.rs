//! Batches of environments on any GPU.
