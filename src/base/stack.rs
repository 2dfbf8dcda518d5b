//! The stack that is left for recursion, on whatever thread.

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
    stacker::maybe_grow(LEAST, 4 * 1024 * 1024, f)
}

/// So much is left whenever [`with_room`] runs something.
const LEAST: usize = 128 * 1024;
/// A [`StackRoom`] ends this far before the stack does.
const RESERVE: usize = 112 * 1024;

/// A piece of the stack in which nothing need be asked: whether one stands in it is seen by an address alone. Right
/// as long as the frame in which it was taken is there.
#[derive(Clone, Copy, Debug)]
pub struct StackRoom {
    lowest: usize,
    size: usize,
}

impl StackRoom {
    /// Returns what is left from here on. Within [`with_room`] that is never nothing.
    pub fn remaining() -> StackRoom {
        let here = address();
        let left = stacker::remaining_stack().unwrap_or(LEAST).saturating_sub(RESERVE);
        StackRoom { lowest: here.saturating_sub(left), size: left }
    }

    /// Returns true if the caller stands in it. In another piece of the stack nobody does.
    #[inline(always)]
    pub fn is_around(self) -> bool {
        address().wrapping_sub(self.lowest) <= self.size
    }
}

/// Returns the address of a local.
#[inline(always)]
fn address() -> usize {
    let here = 0_u8;
    std::hint::black_box(&raw const here).addr()
}
