//! All conformance tests except the one that needs an allocator of its own.

mod linalg;
