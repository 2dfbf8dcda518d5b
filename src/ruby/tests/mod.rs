//! Tests of the small Ruby by itself.
