//! What is said of nodes: messages, and groups of equal messages of several nodes.
//!
//! Knows nothing of how it is shown, nor of who collects it.

mod ciphertext;
mod group;
mod message;

pub use ciphertext::shorten_ciphertexts;
pub use group::Group;
pub use message::{About, FilePlace, Message};
