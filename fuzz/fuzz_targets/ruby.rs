//! cargo fuzz: see `targets.rs`, `ruby`.
#![no_main]

#[path = "../src/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::ruby(data));
