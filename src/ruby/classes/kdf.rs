//! OpenSSL's keys out of passwords: PBKDF2, RFC 8018.

use super::digest::{Algorithm, named, raw};
use super::libraries::bytes_of;
use crate::class::Core;
use crate::crypt::STEPS_OF_DIGEST;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as Entries;
use crate::value::Value;

pub(super) const TABLES: &[Table] = &[(Core::OpenSslKdf, Side::Class, KDF), (Core::OpenSslPkcs5, Side::Class, PKCS5)];

const KDF: &[NativeMethod] = &[
    method("pbkdf2_hmac", 2, 2, |interp, given| {
        let Value::Hash(options) = given.arg(1) else {
            return interp.raise(Core::ArgumentError, "wrong number of arguments (given 2, expected 1)");
        };
        let hash = option(interp, options, "hash")?;
        let wanted = KdfParameters {
            password: bytes_of(interp, given.arg(0))?,
            salt: { option(interp, options, "salt").and_then(|salt| bytes_of(interp, &salt))? },
            iterations: { option(interp, options, "iterations").and_then(|count| interp.int_arg(&count))? },
            length: { option(interp, options, "length").and_then(|length| interp.int_arg(&length))? },
            algorithm: named(interp, &hash)?,
        };
        derived(interp, wanted)
    }),
    method("scrypt", 2, 2, |interp, _| interp.unsupported("the method OpenSSL::KDF.scrypt")),
    method("hkdf", 2, 2, |interp, _| interp.unsupported("the method OpenSSL::KDF.hkdf")),
];

const PKCS5: &[NativeMethod] = &[
    method("pbkdf2_hmac", 5, 5, |interp, given| {
        let algorithm = named(interp, given.arg(4))?;
        of_pkcs5(interp, given, algorithm)
    }),
    method("pbkdf2_hmac_sha1", 4, 4, |interp, given| of_pkcs5(interp, given, Algorithm::Sha1)),
];

/// What a key is made of.
struct KdfParameters {
    password: Vec<u8>,
    salt: Vec<u8>,
    iterations: i64,
    length: i64,
    algorithm: Algorithm,
}

fn option(interp: &mut Interp<'_>, options: &Entries, name: &str) -> Flow {
    match options.get_symbol(name) {
        Some(value) => Ok(value),
        None => interp.raise(Core::ArgumentError, format!("missing keyword: :{name}")),
    }
}

fn of_pkcs5(interp: &mut Interp<'_>, given: &CallArguments<'_>, algorithm: Algorithm) -> Flow {
    let wanted = KdfParameters {
        password: bytes_of(interp, given.arg(0))?,
        salt: bytes_of(interp, given.arg(1))?,
        iterations: interp.int_arg(given.arg(2))?,
        length: interp.int_arg(given.arg(3))?,
        algorithm,
    };
    derived(interp, wanted)
}

fn derived(interp: &mut Interp<'_>, wanted: KdfParameters) -> Flow {
    let KdfParameters { password, salt, iterations, length, algorithm } = wanted;
    let Ok(length) = usize::try_from(length) else {
        return interp.raise(Core::ArgumentError, "negative string size (or size too big)");
    };
    if iterations < 1 {
        return interp.unsupported(format!("a key after {iterations} iterations"));
    }
    interp.check_bytes(length)?;
    let mut key = Vec::with_capacity(length);
    for number in 1_u32.. {
        if key.len() >= length {
            break;
        }
        let mut last = algorithm.keyed(&password, &[&salt[..], &number.to_be_bytes()].concat());
        let mut block = last.clone();
        for _ in 1..iterations {
            interp.take_steps(STEPS_OF_DIGEST)?;
            last = algorithm.keyed(&password, &last);
            block.iter_mut().zip(&last).for_each(|(byte, with)| *byte ^= with);
        }
        key.extend(block);
    }
    key.truncate(length);
    Ok(raw(key))
}
