//! Tendon paths in, length and gradient out.
