//! cargo fuzz: see `targets.rs`, `yaml`.
#![no_main]

#[path = "../src/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::yaml(data));
