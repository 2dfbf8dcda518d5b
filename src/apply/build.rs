//! Computes the digest of the code that carries resources out: what other code has applied counts as unknown. Never fails a build.
#![allow(clippy::disallowed_methods, reason = "a build script has no other crate to ask")]

#[path = "../base/build_identity.rs"]
mod build_identity;

/// Every place whose code decides how a resource is carried out, as seen from this folder.
const SOURCES: [&str; 6] = ["../base", "../values", "../model", "../machine", ".", "../../Cargo.lock"];

fn main() {
    build_identity::print("PANTIN_APPLY_BUILD", &SOURCES);
}
