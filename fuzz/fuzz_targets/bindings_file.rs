//! cargo fuzz: see `targets.rs`, `bindings_file`.
#![no_main]

#[path = "../src/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::bindings_file(data));
