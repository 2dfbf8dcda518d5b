//! Tests of what no example of `tests/spec/lookup` can show: back ends, what is asked of the outside, what is shared.

mod back_ends;
mod eyaml;
mod limits;
mod nearest;
mod sharing;
mod world;
