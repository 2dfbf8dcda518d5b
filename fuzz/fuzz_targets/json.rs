//! cargo fuzz: see `targets.rs`, `json`.
#![no_main]

#[path = "../src/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::json(data));
