//! Tests of the small Ruby by itself.

mod limits;
mod redefined;
