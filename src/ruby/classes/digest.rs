//! Digests, under the names that Ruby's own library has for them and that OpenSSL has, and keyed ones.

use md5::{Digest, Md5};
use pantin_base::hex::hex;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

use super::libraries::{STANDARD, bytes_of, encoded};
use crate::class::Core;
use crate::crypt::crypt;
use crate::interp::{CallArguments, Interp};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::text::Text;
use crate::value::{Data, Value};

pub(super) const TABLES: &[Table] = &[
    (Core::String, Side::Instance, OF_PASSWORDS),
    (Core::DigestMd5, Side::Class, OF_BYTES),
    (Core::DigestSha1, Side::Class, OF_BYTES),
    (Core::DigestSha256, Side::Class, OF_BYTES),
    (Core::DigestSha384, Side::Class, OF_BYTES),
    (Core::DigestSha512, Side::Class, OF_BYTES),
    (Core::DigestBase, Side::Instance, GROWING),
    (Core::OpenSslDigest, Side::Class, NAMED),
    (Core::OpenSslDigest, Side::Instance, GROWING),
    (
        Core::OpenSslDigest,
        Side::Instance,
        &[method("name", 0, 0, |interp, given| {
            with(interp, given, |digesting| Value::text(digesting.algorithm.name()))
        })],
    ),
    (Core::OpenSslDigestMd5, Side::Class, OF_BYTES),
    (Core::OpenSslDigestSha1, Side::Class, OF_BYTES),
    (Core::OpenSslDigestSha256, Side::Class, OF_BYTES),
    (Core::OpenSslDigestSha384, Side::Class, OF_BYTES),
    (Core::OpenSslDigestSha512, Side::Class, OF_BYTES),
    (Core::OpenSslHmac, Side::Class, KEYED),
    (Core::OpenSslHmac, Side::Instance, GROWING_KEYED),
];

/// An object that is told what to digest piece by piece.
#[derive(Clone)]
pub(crate) struct Digesting {
    algorithm: Algorithm,
    /// Of a keyed one.
    key: Option<Vec<u8>>,
    pub(crate) bytes: Vec<u8>,
}

impl Digesting {
    fn digest(&self, bytes: &[u8]) -> Vec<u8> {
        match &self.key {
            Some(key) => self.algorithm.keyed(key, bytes),
            None => self.algorithm.digest(bytes),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Algorithm {
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
}

impl Algorithm {
    fn named(name: &str) -> Option<Algorithm> {
        Some(match name.to_ascii_lowercase().replace('-', "").as_str() {
            "md5" => Algorithm::Md5,
            "sha1" => Algorithm::Sha1,
            "sha224" => Algorithm::Sha224,
            "sha256" => Algorithm::Sha256,
            "sha384" => Algorithm::Sha384,
            "sha512" => Algorithm::Sha512,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Algorithm::Md5 => "MD5",
            Algorithm::Sha1 => "SHA1",
            Algorithm::Sha224 => "SHA224",
            Algorithm::Sha256 => "SHA256",
            Algorithm::Sha384 => "SHA384",
            Algorithm::Sha512 => "SHA512",
        }
    }

    fn digest(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Algorithm::Md5 => Md5::digest(bytes).to_vec(),
            Algorithm::Sha1 => Sha1::digest(bytes).to_vec(),
            Algorithm::Sha224 => Sha224::digest(bytes).to_vec(),
            Algorithm::Sha256 => Sha256::digest(bytes).to_vec(),
            Algorithm::Sha384 => Sha384::digest(bytes).to_vec(),
            Algorithm::Sha512 => Sha512::digest(bytes).to_vec(),
        }
    }

    fn block(self) -> usize {
        if matches!(self, Algorithm::Sha384 | Algorithm::Sha512) { 128 } else { 64 }
    }

    /// HMAC, RFC 2104.
    pub(super) fn keyed(self, key: &[u8], bytes: &[u8]) -> Vec<u8> {
        let mut block = if key.len() > self.block() { self.digest(key) } else { key.to_vec() };
        block.resize(self.block(), 0);
        let mixed = |with: u8| block.iter().map(|byte| byte ^ with).collect::<Vec<u8>>();
        let inner = self.digest(&[&mixed(0x36), bytes].concat());
        self.digest(&[mixed(0x5c), inner].concat())
    }
}

/// As `to_s` and `inspect` show it.
pub(crate) fn digest_text(digesting: &Digesting, class: &str, inspect: bool) -> String {
    let hex: String = hex(digesting.digest(&digesting.bytes));
    // A keyed one shows itself as what it is worth.
    if inspect && digesting.key.is_none() { format!("#<{class}: {hex}>") } else { hex }
}

const OF_PASSWORDS: &[NativeMethod] = &[method("crypt", 1, 1, |interp, given| {
    let (password, salt) = (bytes_of(interp, given.receiver)?, interp.text_arg(given.arg(0))?);
    if password.contains(&0) || salt.contains('\0') {
        return interp.raise(Core::ArgumentError, "string contains null byte");
    }
    if salt.len() < 2 {
        return interp.raise(Core::ArgumentError, "salt too short (need >=2 bytes)");
    }
    match crypt(&password, &salt) {
        Some(hashed) => Ok(raw(hashed.into_bytes())),
        None => interp.unsupported("String#crypt with a salt of this kind"),
    }
})];

/// How the bytes of a digest are shown.
type DigestFormat = fn(Vec<u8>) -> Value;

const OF_BYTES: &[NativeMethod] = &[
    method("hexdigest", 0, 1, |interp, given| of_bytes(interp, given, in_digits)),
    method("digest", 0, 1, |interp, given| of_bytes(interp, given, raw)),
    method("base64digest", 1, 1, |interp, given| of_bytes(interp, given, base64)),
    method("new", 0, 1, |interp, given| {
        let algorithm = class_algorithm(interp, given)?;
        made(interp, given, algorithm, given.args.first())
    }),
];

/// `OpenSSL::Digest`, which is told the name of the algorithm.
const NAMED: &[NativeMethod] = &[
    method("new", 1, 2, |interp, given| {
        let algorithm = named(interp, given.arg(0))?;
        made(interp, given, algorithm, given.args.get(1))
    }),
    method("hexdigest", 2, 2, |interp, given| digest_by_name(interp, given, in_digits)),
    method("digest", 2, 2, |interp, given| digest_by_name(interp, given, raw)),
    method("base64digest", 2, 2, |interp, given| digest_by_name(interp, given, base64)),
];

const KEYED: &[NativeMethod] = &[
    method("new", 2, 2, |interp, given| {
        let algorithm = named(interp, given.arg(1))?;
        let key = Some(bytes_of(interp, given.arg(0))?);
        Ok(Value::object(Core::OpenSslHmac.class(), Data::Digest(Digesting { algorithm, key, bytes: Vec::new() })))
    }),
    method("hexdigest", 3, 3, |interp, given| keyed(interp, given, in_bytes)),
    method("digest", 3, 3, |interp, given| keyed(interp, given, raw)),
    method("base64digest", 3, 3, |interp, given| keyed(interp, given, base64)),
];

/// What is keyed is never asked for something else than it was told.
const GROWING_KEYED: &[NativeMethod] = &[
    method("update", 1, 1, update),
    method("<<", 1, 1, update),
    method("hexdigest", 0, 0, |interp, given| so_far(interp, given, in_bytes)),
    method("digest", 0, 0, |interp, given| so_far(interp, given, raw)),
    method("base64digest", 0, 0, |interp, given| so_far(interp, given, base64)),
    method("==", 1, 1, |interp, given| {
        let own = so_far(interp, &CallArguments { args: &[], ..*given }, in_digits)?;
        let is_keyed = interp.real_class_of(given.arg(0)).is(Core::OpenSslHmac);
        Ok((is_keyed && interp.text_of(&own)? == interp.text_of(given.arg(0))?).into())
    }),
    method("reset", 0, 0, reset),
];

const GROWING: &[NativeMethod] = &[
    method("update", 1, 1, update),
    method("<<", 1, 1, update),
    method("hexdigest", 0, 1, |interp, given| so_far(interp, given, in_digits)),
    method("digest", 0, 1, |interp, given| so_far(interp, given, raw)),
    method("base64digest", 0, 1, |interp, given| so_far(interp, given, base64)),
    method("==", 1, 1, |interp, given| {
        let own = so_far(interp, &CallArguments { args: &[], ..*given }, in_digits)?;
        let other = interp.text_of(given.arg(0))?;
        Ok((interp.text_of(&own)? == other).into())
    }),
    method("reset", 0, 0, reset),
    method("digest_length", 0, 0, length),
    method("length", 0, 0, length),
    method("size", 0, 0, length),
    method("block_length", 0, 0, |interp, given| {
        with(interp, given, |digesting| Value::Int(digesting.algorithm.block() as i64))
    }),
];

fn reset(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    with(interp, given, |digesting| digesting.bytes.clear())?;
    Ok(given.receiver.clone())
}

fn in_digits(digest: Vec<u8>) -> Value {
    Value::text(hex::<String>(digest))
}

/// The digits of a keyed one are in no encoding.
fn in_bytes(digest: Vec<u8>) -> Value {
    raw(hex::<String>(digest).into_bytes())
}

pub(super) fn raw(digest: Vec<u8>) -> Value {
    Value::String(std::rc::Rc::new(Text::binary(digest)))
}

fn base64(digest: Vec<u8>) -> Value {
    Value::text(encoded(&digest, STANDARD))
}

/// Returns the algorithm that a class is named after.
fn class_algorithm(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Algorithm> {
    let name = match given.receiver {
        Value::Class(class) => interp.classes.name(*class),
        _ => Default::default(),
    };
    match Algorithm::named(name.rsplit("::").next().unwrap_or_default()) {
        Some(algorithm) => Ok(algorithm),
        None => interp.unsupported(format!("a digest by the class {name}")),
    }
}

/// Returns the algorithm of this name, or that of another digest.
pub(super) fn named(interp: &mut Interp<'_>, value: &Value) -> Flow<Algorithm> {
    if let Value::Object(object) = value
        && let Data::Digest(digesting) = &*object.data.borrow()
    {
        return Ok(digesting.algorithm);
    }
    let name = interp.text_arg(value)?;
    match Algorithm::named(&name) {
        Some(algorithm) => Ok(algorithm),
        None => interp.unsupported(format!("the digest {name} of OpenSSL")),
    }
}

fn made(interp: &mut Interp<'_>, given: &CallArguments<'_>, algorithm: Algorithm, first: Option<&Value>) -> Flow {
    let Value::Class(class) = given.receiver else { return Ok(Value::Nil) };
    let bytes = match first {
        None => Vec::new(),
        Some(first) => bytes_of(interp, first)?,
    };
    Ok(Value::object(*class, Data::Digest(Digesting { algorithm, key: None, bytes })))
}

fn of_bytes(interp: &mut Interp<'_>, given: &CallArguments<'_>, shown: DigestFormat) -> Flow {
    let algorithm = class_algorithm(interp, given)?;
    if given.args.is_empty() {
        return interp.raise(Core::ArgumentError, "no data given");
    }
    Ok(shown(algorithm.digest(&bytes_of(interp, given.arg(0))?)))
}

fn digest_by_name(interp: &mut Interp<'_>, given: &CallArguments<'_>, shown: DigestFormat) -> Flow {
    let algorithm = named(interp, given.arg(0))?;
    Ok(shown(algorithm.digest(&bytes_of(interp, given.arg(1))?)))
}

fn keyed(interp: &mut Interp<'_>, given: &CallArguments<'_>, shown: DigestFormat) -> Flow {
    let algorithm = named(interp, given.arg(0))?;
    let key = bytes_of(interp, given.arg(1))?;
    Ok(shown(algorithm.keyed(&key, &bytes_of(interp, given.arg(2))?)))
}

fn with<T>(interp: &mut Interp<'_>, given: &CallArguments<'_>, look: impl FnOnce(&mut Digesting) -> T) -> Flow<T> {
    if let Value::Object(object) = given.receiver
        && let Data::Digest(digesting) = &mut *object.data.borrow_mut()
    {
        return Ok(look(digesting));
    }
    interp.unsupported("a digest that was not made by new")
}

fn update(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let more = bytes_of(interp, given.arg(0))?;
    let length = with(interp, given, |digesting| digesting.bytes.len() + more.len())?;
    interp.check_bytes(length)?;
    with(interp, given, |digesting| digesting.bytes.extend(more))?;
    Ok(given.receiver.clone())
}

/// Of all that it was told, or of something else altogether.
fn so_far(interp: &mut Interp<'_>, given: &CallArguments<'_>, shown: DigestFormat) -> Flow {
    let other = match given.args.first() {
        None => None,
        Some(other) => Some(bytes_of(interp, other)?),
    };
    with(interp, given, |digesting| shown(digesting.digest(other.as_deref().unwrap_or(&digesting.bytes))))
}

fn length(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    with(interp, given, |digesting| Value::Int(digesting.algorithm.digest(b"").len() as i64))
}
