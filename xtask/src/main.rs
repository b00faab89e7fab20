//! Developer commands: grade, golden, conform, tidy.

fn main() {}
