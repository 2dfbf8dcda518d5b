//! Pantin, a compiler for the Puppet language.
