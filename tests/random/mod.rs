//! What is made at random, always the same from the same seed. Shared by the tools of the tests.
#![allow(dead_code, reason = "not every tool makes everything")]

pub(crate) mod damage;
pub(crate) mod environment;
pub(crate) mod numbers;
pub(crate) mod tree;
