//! The types of the language as data.
//!
//! A type is structural: two types are equal when they say the same. What they accept, how they
//! print and what they make of a value stand in files of their own beside this one.

mod access;
mod alias;
mod assignable;
mod build;
mod callable;
mod common;
mod display;
mod docs;
mod equal;
mod generalize;
mod infer;
mod init;
mod instance;
mod iterable;
#[cfg(test)]
mod laws;
mod matching;
mod names;
mod nominal;
mod normalize;
mod object;
mod parse;
mod range;
mod scalars;
#[cfg(test)]
mod tests;
mod uri;

use std::sync::Arc;

pub use access::access;
pub use alias::Alias;
pub use callable::CallableType;
pub use docs::{DOCS, TypeDoc};
pub use init::has_no_answer;
pub use names::{built_in_type, data, rich_data, rich_data_key};
pub use object::{
    Attribute, AttributeKind, NamedMembers, ObjectFunction, ObjectType, TypeSet, TypeSetMember, TypeSetReference,
};
pub use parse::{interpret, literal, parse};
pub use range::{FloatRange, IntegerRange, Size};
pub use uri::uri_member;

use super::{Regexp, SemVerRange, SpanEnd, Str, Timestamp, Value};

/// A type. Where a payload is an `Option`, `None` is the type without parameters.
///
/// What kind it is fills a word, here and so in a [`Value`]: a value is then moved as three words, where a tag of one byte
/// with seven more beside it is moved in pieces that the processor has to put together again before it can read them.
#[derive(Clone, Debug)]
#[repr(u64)]
pub enum Type {
    Any,
    /// What an empty container holds: nothing is an instance of it, and it fits everything.
    Unit,
    Undef,
    Default,
    Scalar,
    ScalarData,
    Numeric,
    Binary,
    SemVerRange,
    CatalogEntry,
    Integer(IntegerRange),
    Float(FloatRange),
    Boolean(Option<bool>),
    /// By length in characters.
    String(Size),
    /// The type of one certain string, as inferred from it; prints as `String`.
    StringValue(Str),
    Enum(Arc<EnumType>),
    Pattern(Arc<[Arc<Regexp>]>),
    Regexp(Option<Arc<Regexp>>),
    Collection(Size),
    Array(Arc<ArrayType>),
    Hash(Arc<HashType>),
    Tuple(Arc<TupleType>),
    Struct(Arc<[Member]>),
    Variant(Arc<[Type]>),
    Optional(Option<Arc<Type>>),
    NotUndef(Option<Arc<Type>>),
    /// `Type[T]`, whose instances are types.
    Type(Option<Arc<Type>>),
    Sensitive(Option<Arc<Type>>),
    Iterable(Option<Arc<Type>>),
    Iterator(Option<Arc<Type>>),
    Init(Option<Arc<InitType>>),
    Callable(Arc<CallableType>),
    Runtime(Option<Arc<RuntimeType>>),
    Timespan(Option<Arc<(Option<SpanEnd>, Option<SpanEnd>)>>),
    Timestamp(Option<Arc<(Option<Timestamp>, Option<Timestamp>)>>),
    SemVer(Arc<[Arc<SemVerRange>]>),
    /// Parameters: a hash of components, or what was parsed of a string.
    Uri(Option<Arc<Value>>),
    Object(Arc<ObjectType>),
    /// `P[value]`: an object type with values of its type parameters.
    ObjectExtension(Arc<Extension>),
    TypeSet(Option<Arc<TypeSet>>),
    Alias(Arc<Alias>),
    /// A name that nothing resolved: `TypeReference['Foo']`.
    Reference(Option<Arc<str>>),
    Resource(Option<Arc<ResourceType>>),
    /// Lower case, without leading `::`.
    Class(Option<Arc<str>>),
}

/// An object type, and the values of its type parameters by name.
pub type Extension = (Arc<ObjectType>, Vec<(Str, Value)>);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EnumType {
    /// Sorted, each once.
    pub values: Vec<Str>,
    pub case_insensitive: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayType {
    pub element: Type,
    pub size: Size,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HashType {
    pub key: Type,
    pub value: Type,
    pub size: Size,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TupleType {
    pub types: Vec<Type>,
    /// Of the whole; the last type repeats up to it. `None`: as many as there are types.
    pub size: Option<Size>,
}

impl TupleType {
    /// The size, or what the number of types says; any size where there are no types.
    pub fn size_range(&self) -> Size {
        match self.size {
            Some(size) => size,
            None if self.types.is_empty() => Size::ANY,
            None => Size::exactly(self.types.len()),
        }
    }

    /// The same for who counts no types as no elements: an `Array` or a `Collection` that asks whether the tuple fits.
    pub fn size_or_count(&self) -> Size {
        self.size.unwrap_or(Size::exactly(self.types.len()))
    }

    /// Returns the type of the element at an index; the last one repeats.
    pub fn element_type(&self, index: usize) -> Option<&Type> {
        self.types.get(index).or(self.types.last())
    }
}

/// An entry of a `Struct`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    pub name: Str,
    /// Whether the key may be missing: written `Optional['a']`, or plain with a value that may be undef.
    pub optional: bool,
    pub value: Type,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InitType {
    pub target: Option<Type>,
    pub args: Vec<Value>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RuntimeType {
    pub runtime: Str,
    pub name: Option<Str>,
    pub pattern: Option<(Arc<Regexp>, Str)>,
}

/// A reference to resources of a type, or to one of them. The case of the type's name does not count.
#[derive(Clone, Debug)]
pub struct ResourceType {
    /// Each segment with a capital: `File`, `Apache::Vhost`.
    pub type_name: Str,
    pub title: Option<Str>,
}

const _: () = assert!(size_of::<Type>() <= 24, "a type is 24 bytes; think before it grows");
