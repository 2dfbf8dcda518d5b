//! Values, the types they belong to, and what both are made of.

pub mod regex;
