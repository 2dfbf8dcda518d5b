//! The cases in which a naive replay would be wrong, by name.
