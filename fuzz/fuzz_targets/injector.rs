//! cargo fuzz: see `targets.rs`, `injector`.
#![no_main]

#[path = "../src/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::injector(data));
