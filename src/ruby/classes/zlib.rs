//! The checksums of Zlib. What it compresses is not here: no module that is known does so while it is compiled.

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

use super::libraries::bytes_of;

pub(super) const TABLES: &[Table] = &[(Core::Zlib, Side::Class, METHODS)];

const METHODS: &[NativeMethod] = &[
    method("crc32", 0, 2, |interp, given| checksum(interp, given, 0, crc32)),
    method("adler32", 0, 2, |interp, given| checksum(interp, given, 1, adler32)),
];

/// Of a text, going on from the checksum of what stands before it.
fn checksum(interp: &mut Interp<'_>, given: &CallArguments<'_>, first: u32, sum: fn(u32, &[u8]) -> u32) -> Flow {
    let before = match given.args.get(1) {
        None => first,
        // The lowest bits are what Ruby takes of a number.
        Some(before) => interp.int_arg(before)? as u32,
    };
    let bytes = match given.args.first() {
        None | Some(Value::Nil) => return Ok(Value::Int(i64::from(first))),
        Some(text) => bytes_of(interp, text)?,
    };
    Ok(Value::Int(i64::from(sum(before, &bytes))))
}

/// The polynomial of CRC-32, its bits reversed.
const POLYNOMIAL: u32 = 0xedb8_8320;

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { value >> 1 ^ POLYNOMIAL } else { value >> 1 };
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
};

fn crc32(before: u32, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!before, |sum, byte| TABLE[usize::from(sum as u8 ^ byte)] ^ sum >> 8)
}

fn adler32(before: u32, bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    let (first, second) = bytes.iter().fold((before & 0xffff, before >> 16), |(first, second), byte| {
        let first = (first + u32::from(*byte)) % MODULUS;
        (first, (second + first) % MODULUS)
    });
    second << 16 | first
}
