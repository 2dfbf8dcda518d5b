//! Timeout: the block simply runs, for what a run may do is bounded by steps and not by time.

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;

pub(super) const TABLES: &[Table] = &[(Core::Timeout, Side::Class, METHODS), (Core::Timeout, Side::Instance, METHODS)];

const METHODS: &[NativeMethod] =
    &[method("timeout", 1, 3, |interp: &mut Interp<'_>, given: &CallArguments<'_>| -> Flow {
        match given.block {
            Some(block) => interp.yield_one(block, given.arg(0).clone()),
            None => interp.raise(Core::LocalJumpError, "no block given (yield)"),
        }
    })];
