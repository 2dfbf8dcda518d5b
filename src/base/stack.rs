//! Room for recursion, wherever a thread was started.

/// Runs `f`, which recurs without asking how much room is left: the parser of Ruby, which is written in C and has a
/// limit of its own on nesting.
pub fn with_much_room<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(32 * 1024 * 1024, 64 * 1024 * 1024, f)
}

/// Runs `f` with enough stack for one more level, growing the stack where it has run low.
///
/// Called once a level by whatever recurses over a source, so that the stated limits of
/// [`super::limits`] end a recursion, and never the size of the thread's stack.
pub fn with_room<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}
