//! Computes the digest of the code that decides answers: an answer stored by other code is not read. Never fails a build.
#![allow(clippy::disallowed_methods, reason = "a build script has no other crate to ask")]

#[path = "../base/build_identity.rs"]
mod build_identity;

/// Every place whose code can change an answer, as seen from this folder. What only `cli` does is not among them.
const SOURCES: [&str; 16] = [
    "../base",
    "../regex",
    "../syntax",
    "../values",
    "../model",
    "../world",
    "../ruby",
    "../eval",
    "../hiera",
    "../compile",
    // Checks of resources: see `catalog_check.rs`.
    "../machine",
    "../apply",
    "../repository",
    "../../cache/src",
    "../../Cargo.lock",
    "../../Cargo.toml",
];

fn main() {
    build_identity::print("PANTIN_BUILD", &SOURCES);
}
