//! The arrows of relationships.

/// The operator of a relationship expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arrow {
    /// `->`
    Before,
    /// `~>`
    Notify,
    /// `<-`
    Require,
    /// `<~`
    Subscribe,
}

impl Arrow {
    /// Returns the operator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Arrow::Before => "->",
            Arrow::Notify => "~>",
            Arrow::Require => "<-",
            Arrow::Subscribe => "<~",
        }
    }
}
