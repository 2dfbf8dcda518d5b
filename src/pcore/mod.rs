//! The data types of the language.

pub mod scalar;
