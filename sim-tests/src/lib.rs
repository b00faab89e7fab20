//! Conformance tests: models written here, goldens made from them by MuJoCo.
