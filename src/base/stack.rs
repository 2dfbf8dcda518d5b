//! Room for recursion, wherever a thread was started.

/// Runs `f` with enough stack for one more level, growing the stack where it has run low.
///
/// Called once a level by whatever recurses over a source, so that the stated limits of
/// [`super::limits`] end a recursion, and never the size of the thread's stack.
pub fn with_room<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}
