//! The built-in types in a sentence each, for `pantin doc` and the editor.

/// What is said of one type.
#[derive(Debug)]
pub struct TypeDoc {
    pub name: &'static str,
    /// The forms with parameters, as a source writes them.
    pub forms: &'static [&'static str],
    pub text: &'static str,
}

const fn doc(name: &'static str, forms: &'static [&'static str], text: &'static str) -> TypeDoc {
    TypeDoc { name, forms, text }
}

/// In order of their names.
pub static DOCS: &[TypeDoc] = &[
    doc("Annotation", &[], "What the types of annotations inherit from."),
    doc("Any", &[], "Every value, undef too."),
    doc(
        "Array",
        &["Array[T]", "Array[T, min]", "Array[T, min, max]", "Array[min, max]"],
        "A list whose elements are all T, with a number of elements in the range.",
    ),
    doc("Binary", &[], "Bytes that need be no text; made from base64 by default, and written as it."),
    doc("Boolean", &["Boolean[true]", "Boolean[false]"], "true or false, or only the one named."),
    doc(
        "Callable",
        &["Callable[T, …]", "Callable[T, …, min, max]", "Callable[T, …, Callable]", "Callable[[T, …], R]"],
        "A lambda or function by what it takes: its parameters, their count, its block, and what it returns.",
    ),
    doc("CatalogEntry", &[], "A reference to something in a catalog: what Resource and Class have in common."),
    doc("Class", &["Class['name']"], "A reference to a class."),
    doc("Collection", &["Collection[min, max]"], "An array or a hash with a number of elements in the range."),
    doc("Data", &[], "What JSON can say: scalar data, undef, and arrays and hashes (with strings for keys) of it."),
    doc("Default", &[], "The value default, and nothing else."),
    doc("Deferred", &[], "A call of a function that is made when the catalog is applied."),
    doc("Enum", &["Enum['a', …]", "Enum['a', …, true]"], "One of the listed strings; with true, in any case."),
    doc("Error", &["Error[kind, issue]"], "An error as a value, with a message, a kind, details and an issue code."),
    doc("Float", &["Float[min]", "Float[min, max]"], "A number with a fraction, within the range."),
    doc(
        "Hash",
        &["Hash[K, V]", "Hash[K, V, min]", "Hash[K, V, min, max]"],
        "Values by keys, all keys K and all values V, with a number of entries in the range.",
    ),
    doc("Init", &["Init[T]", "Init[T, arg, …]"], "Any value from which a T can be made with new."),
    doc("Integer", &["Integer[min]", "Integer[min, max]"], "A whole number of 64 bits, within the range."),
    doc(
        "Iterable",
        &["Iterable[T]"],
        "Anything to go through: an array, a hash, a string, an integer, a range, an enum.",
    ),
    doc("Iterator", &["Iterator[T]"], "A sequence that gives its elements when it is gone through."),
    doc(
        "NotUndef",
        &["NotUndef[T]", "NotUndef['text']"],
        "A T, but not undef; as a key of Struct, one that must be there.",
    ),
    doc("Numeric", &[], "An Integer or a Float."),
    doc("Object", &["Object[{…}]"], "An object type: a name, a parent, attributes, constants and functions."),
    doc("Optional", &["Optional[T]", "Optional['text']"], "A T or undef; as a key of Struct, one that may be missing."),
    doc("Pattern", &["Pattern[/…/, …]"], "A string that one of the regular expressions matches."),
    doc("Regexp", &["Regexp[/…/]"], "A regular expression, or only the one given."),
    doc(
        "Resource",
        &["Resource['type']", "Resource['type', 'title', …]"],
        "A reference to resources; File['/a'] is short.",
    ),
    doc(
        "RichData",
        &[],
        "Data, and what else can be sent in a catalog: types, regular expressions, versions, times, secrets.",
    ),
    doc("RichDataKey", &[], "What a hash of RichData may have for a key: a string or a number."),
    doc("Runtime", &["Runtime['ruby', 'Name']"], "A value of the language that the compiler is written in."),
    doc("Scalar", &[], "A single value: number, string, boolean, regular expression, version, time."),
    doc("ScalarData", &[], "A single value that JSON can say: number, string or boolean."),
    doc("SemVer", &["SemVer['range', …]"], "A version by the rules of semver.org, in one of the ranges."),
    doc("SemVerRange", &[], "A range of versions, such as >=1.0.0 <2.0.0."),
    doc("Sensitive", &["Sensitive[T]"], "A T that is not shown in logs and reports."),
    doc("String", &["String[min]", "String[min, max]"], "A text with a number of characters in the range."),
    doc("Struct", &["Struct[{key => T, …}]"], "A hash with these keys alone, each with a value of its type."),
    doc("Timespan", &["Timespan[min, max]"], "A length of time, in nanoseconds, within the range."),
    doc("Timestamp", &["Timestamp[min, max]"], "A point in time, in nanoseconds, within the range."),
    doc(
        "Tuple",
        &["Tuple[T, …]", "Tuple[T, …, min, max]"],
        "An array with a type for each place; the last one may repeat.",
    ),
    doc("Type", &["Type[T]"], "A type: T, or one that fits it."),
    doc("TypeAlias", &[], "The type of an alias of a type."),
    doc("TypeReference", &["TypeReference['text']"], "A type that is not known here, kept as it is written."),
    doc("TypeSet", &["TypeSet[{…}]"], "Types with a common name and version."),
    doc("Undef", &[], "The value undef, and nothing else."),
    doc("URI", &["URI['text']", "URI[{part => …}]"], "An address by RFC 3986; those whose parts match."),
    doc("Variant", &["Variant[T, …]"], "A value of one of the types."),
];

impl TypeDoc {
    /// Returns the type of this name, in any case.
    pub fn find(name: &str) -> Option<&'static TypeDoc> {
        let name = name.strip_prefix("::").unwrap_or(name);
        DOCS.iter().find(|doc| doc.name.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::built_in_type;
    use super::*;

    #[test]
    fn every_type_is_known_and_stands_in_order() {
        for doc in DOCS {
            assert!(built_in_type(doc.name).is_some(), "{}", doc.name);
        }
        assert!(DOCS.is_sorted_by_key(|doc| doc.name.to_lowercase()));
    }
}
