//! Functions that hash: passwords for systems, checksums.

use pantin_base::hex::hex;
use pantin_ruby::crypt::{bcrypt, md5_crypt, pbkdf2, sha_crypt};
use pantin_values::{Str, Value, text};
use sha2::{Digest, Sha256, Sha512};

use super::ruby::{Result, check_arity, class_name, fail, fits, older, older_with_call};
use crate::{Builtin, Flow, Invocation, overload, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    older!("str2saltedpbkdf2", str2saltedpbkdf2, "A password as macOS has it since 10.8."),
    older_with_call!("str2saltedsha512", str2saltedsha512, "A password as macOS 10.7 has it, with salt by chance."),
];

pub(super) static OLD: &[Builtin] = &[older!("pw_hash", |args| pw_hash(args, false), PW_HASH)];

pub(super) static NEW: &[Builtin] = &[
    older!("pw_hash", |args| pw_hash(args, true), PW_HASH),
    Builtin::typed(
        "stdlib::crc32",
        &[overload(&[required(HASHED, "my_data")], None, |call| {
            Ok(format!("{:x}", crc32(plain(call).as_bytes())).into())
        })],
        "The CRC-32 checksum of a value's text.",
    ),
    Builtin::typed(
        "stdlib::sha256",
        &[overload(&[required(HASHED, "my_data")], None, |call| {
            Ok(hex::<Str>(Sha256::digest(plain(call).as_bytes())).into())
        })],
        "The SHA-256 checksum of a value's text.",
    ),
];

const PW_HASH: &str = "A password as crypt(3) hashes it.";
const HASHED: &str = "Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]]";

/// Returns what is hashed, a secret or not.
fn plain(call: &mut Invocation<'_, '_>) -> String {
    match call.arg(0) {
        Value::Sensitive(secret) => text::display(secret).to_string(),
        other => text::display(other).to_string(),
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

fn unwrapped(value: &Value) -> Value {
    match value {
        Value::Sensitive(secret) => secret.as_ref().clone(),
        other => other.clone(),
    }
}

// ---- crypt(3) ----

const BCRYPT_OF_8: &str = r"^[0-9]{2}\$[./A-Za-z0-9]{22}";
const BCRYPT_OF_9: &str = r"^(0[4-9]|[12][0-9]|3[01])\$[./A-Za-z0-9]{22}";

fn pw_hash(args: Vec<Value>, of_9: bool) -> Result {
    check_arity("pw_hash", &args, 3)?;
    let args: Vec<Value> = args.iter().map(unwrapped).collect();
    let password = match &args[0] {
        Value::Undef => "",
        Value::String(password) => password,
        _ => return fail("pw_hash(): first argument must be a string"),
    };
    let Value::String(kind) = &args[1] else { return fail("pw_hash(): second argument must be a string") };
    let kind_name = kind.to_lowercase();
    let (prefix, is_bcrypt) = match kind_name.as_str() {
        "md5" => ("1", false),
        "sha-256" => ("5", false),
        "sha-512" => ("6", false),
        "bcrypt" => ("2b", true),
        "bcrypt-a" => ("2a", true),
        "bcrypt-x" => ("2x", true),
        "bcrypt-y" => ("2y", true),
        _ => return fail(format!("pw_hash(): {kind} is not a valid hash type")),
    };
    let Value::String(salt) = &args[2] else { return fail("pw_hash(): third argument must be a string") };
    if salt.is_empty() {
        return fail("pw_hash(): third argument must not be empty");
    }
    let bcrypt_salt = if of_9 { BCRYPT_OF_9 } else { BCRYPT_OF_8 };
    let (pattern, is) = match is_bcrypt {
        true => (bcrypt_salt, format!("match (?-mix:{})", bcrypt_salt.replace('/', "\\/"))),
        false => (r"\A[a-zA-Z0-9./]+\z", "be in the set [a-zA-Z0-9./]".to_owned()),
    };
    if !fits(salt, pattern)? {
        return fail(format!("pw_hash(): characters in salt must {is}"));
    }
    if password.is_empty() {
        return Ok(Value::Undef);
    }
    let hashed = match prefix {
        "1" => md5_crypt(password.as_bytes(), salt),
        "5" => sha_crypt::<Sha256>(password.as_bytes(), salt, "5", None),
        "6" => sha_crypt::<Sha512>(password.as_bytes(), salt, "6", None),
        "2x" => return fail("pw_hash(): bcrypt-x, the hash of a faulty version, is not supported"),
        _ => match bcrypt(password.as_bytes(), salt, prefix) {
            Some(hashed) => hashed,
            // What crypt(3) says of what it does not take.
            None => "*0".to_owned(),
        },
    };
    // Ruby says nothing of the encoding of what the C library has made.
    Ok(Value::unencoded(hashed.as_bytes()))
}

// ---- macOS ----

fn str2saltedpbkdf2(args: Vec<Value>) -> Result {
    let [password, salt, iterations] = args.as_slice() else {
        return fail(format!("str2saltedpbkdf2(): wrong number of arguments ({} for 3)", args.len()));
    };
    let (password, salt, iterations) = (unwrapped(password), unwrapped(salt), unwrapped(iterations));
    let Value::String(password) = &password else {
        return fail("str2saltedpbkdf2(): first argument must be a string");
    };
    let Value::String(salt) = &salt else { return fail("str2saltedpbkdf2(): second argument must be a string") };
    if salt.len() < 8 {
        return fail("str2saltedpbkdf2(): second argument must be at least 8 bytes long");
    }
    let Value::Integer(rounds) = iterations else {
        return fail("str2saltedpbkdf2(): third argument must be an integer");
    };
    if !(40_001..70_000).contains(&rounds) {
        return fail("str2saltedpbkdf2(): third argument must be between 40,000 and 70,000");
    }
    let key = pbkdf2(password.as_bytes(), salt.as_bytes(), rounds as u32);
    Ok(Value::hash([
        ("password_hex".into(), hex::<Str>(key).into()),
        ("salt_hex".into(), hex::<Str>(salt.as_bytes()).into()),
        ("iterations".into(), iterations),
    ]))
}

fn str2saltedsha512(call: &mut Invocation<'_, '_>, args: Vec<Value>) -> Flow {
    let [password] = args.as_slice() else {
        let given = args.len();
        let message = format!("str2saltedsha512(): Wrong number of arguments passed ({given} but we require 1)");
        return Ok(fail(message)?);
    };
    let Value::String(password) = password else {
        let class = class_name(password);
        return Ok(fail(format!("str2saltedsha512(): Requires a String argument, you passed: {class}"))?);
    };
    let seed = ((call.chance()? as u64 % ((1 << 31) - 1)) as u32).to_le_bytes();
    let digest = Sha512::new().chain_update(seed).chain_update(password.as_bytes()).finalize();
    Ok((hex::<String>(seed) + &hex::<String>(digest)).into())
}
