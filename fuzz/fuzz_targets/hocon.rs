//! cargo fuzz: see `targets.rs`, `hocon`.
#![no_main]

#[path = "../src/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::hocon(data));
