//! `pack` and `unpack`: numbers and texts as bytes, and back, by a template of letters with counts.

mod armour;
mod pack;
mod template;
mod unpack;

use crate::class::Core;
use crate::native::{Side, Table, method};
pub(super) use armour::{decode_any_base64, decode_base64};

pub(super) const TABLES: &[Table] = &[
    (Core::Array, Side::Instance, &[method("pack", 1, 1, pack::pack)]),
    (
        Core::String,
        Side::Instance,
        &[method("unpack", 1, 2, unpack::unpack), method("unpack1", 1, 2, unpack::unpack_one)],
    ),
];
