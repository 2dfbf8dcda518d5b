//! The rules a parsed source must keep. (Being written.)

use super::ast::Ast;
use super::{Findings, Location, Settings};

/// Checks every rule that needs the tree alone.
pub fn validate(_ast: &Ast, _location: &Location, _settings: Settings) -> Findings {
    Findings::default()
}
