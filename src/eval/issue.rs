//! The evaluator's own errors: their codes and words, in one place.

use pantin_values::Fault;

/// A name of a type that nothing has.
pub const UNKNOWN_RESOURCE_TYPE: &str = "UNKNOWN_RESOURCE_TYPE";

/// Every code that the evaluator raises, for the test that each has a spec.
pub const CODES: &[&str] = &[
    "CROSS_SCOPE_ASSIGNMENT",
    "DUPLICATE_ATTRIBUTE",
    "DUPLICATE_TITLE",
    "EMPTY_STRING_TITLE_AT",
    "ILLEGAL_ASSIGNMENT",
    "ILLEGAL_EPP_PARAMETERS",
    "ILLEGAL_EXPRESSION",
    "ILLEGAL_MULTI_ASSIGNMENT_SIZE",
    "ILLEGAL_NUMERIC_ASSIGNMENT",
    "ILLEGAL_OVERRIDDEN_TYPE",
    "ILLEGAL_REASSIGNMENT",
    "ILLEGAL_RESERVED_ASSIGNMENT",
    "ILLEGAL_RESOURCE_TYPE",
    "ILLEGAL_TITLE_TYPE_AT",
    "MISSING_MULTI_ASSIGNMENT_KEY",
    "MISSING_REQUIRED_PARAMETER",
    "MISSING_TITLE",
    "MISSING_TITLE_AT",
    "REQUIRED_PARAMETER_AFTER_OPTIONAL",
    "RESERVED_WORD",
    "TYPE_MISMATCH",
    "UNKNOWN_FUNCTION",
    UNKNOWN_RESOURCE_TYPE,
    "UNKNOWN_VARIABLE",
    "UNMATCHED_SELECTOR",
];

pub fn reserved_word(word: &str) -> Fault {
    let message = format!("Use of reserved word: {word}, must be quoted if intended to be a String value");
    Fault::issue("RESERVED_WORD", message)
}

pub fn numeric_overflow(digits: &str) -> Fault {
    Fault::issue("NUMERIC_OVERFLOW", format!("The number {digits} is outside of Puppet Integer range"))
}

pub fn not_supported(what: &str) -> Fault {
    Fault::issue("NOT_SUPPORTED", format!("Pantin does not evaluate {what}"))
}

pub fn unsupported_operator(operator: &str) -> Fault {
    Fault::issue("UNSUPPORTED_OPERATOR", format!("The operator '{operator}' is not supported."))
}

pub fn cross_scope_assignment(name: &str) -> Fault {
    let message = format!("Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces");
    Fault::issue("CROSS_SCOPE_ASSIGNMENT", message)
}

pub fn numeric_assignment(name: &str) -> Fault {
    let message = format!(
        "Illegal attempt to assign to the numeric match result variable '${name}'. Numeric variables are not assignable"
    );
    Fault::issue("ILLEGAL_NUMERIC_ASSIGNMENT", message)
}

pub fn illegal_assignment() -> Fault {
    Fault::issue("ILLEGAL_ASSIGNMENT", "Illegal attempt to assign. Not an assignable reference")
}

pub fn assignment_in_default(name: &str) -> Fault {
    Fault::new(format!("Attempt to assign variable {name} when evaluating parameters"))
}

pub fn reassignment(name: &str) -> Fault {
    let message = if matches!(name, "name" | "title") {
        format!("Cannot reassign built in (or already assigned) variable '${name}'")
    } else {
        format!("Cannot reassign variable '${name}'")
    };
    Fault::issue("ILLEGAL_REASSIGNMENT", message)
}

/// `operand` with its article.
pub fn illegal_relationship_operand(operand: &str) -> Fault {
    let message = format!(
        "Illegal relationship operand, can not form a relationship with {operand}. A Catalog type is required."
    );
    Fault::issue("ILLEGAL_RELATIONSHIP_OPERAND_TYPE", message)
}

pub fn not_catalog_type(of: &str) -> Fault {
    let message = format!(
        "Illegal relationship operand, can not form a relationship with something of type {of}. A Catalog type is required."
    );
    Fault::issue("NOT_CATALOG_TYPE", message)
}

pub fn reserved_assignment(name: &str) -> Fault {
    Fault::issue("ILLEGAL_RESERVED_ASSIGNMENT", format!("Attempt to assign to a reserved variable name: '${name}'"))
}

pub fn multi_assignment_size(expected: usize, actual: usize) -> Fault {
    let message = format!("Mismatched number of assignable entries and values, expected {expected}, got {actual}");
    Fault::issue("ILLEGAL_MULTI_ASSIGNMENT_SIZE", message)
}

pub fn multi_assignment_key(key: &str) -> Fault {
    let message = format!("No value for required key '{key}' in assignment to variables from hash");
    Fault::issue("MISSING_MULTI_ASSIGNMENT_KEY", message)
}

pub fn epp_parameters() -> Fault {
    Fault::issue(
        "ILLEGAL_EPP_PARAMETERS",
        "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace",
    )
}

pub fn illegal_expression(expression: &str, feature: &str, container: &str) -> Fault {
    let message = format!("Illegal expression. {expression} is unacceptable as {feature} in a {container}");
    Fault::issue("ILLEGAL_EXPRESSION", message)
}

pub fn unknown_function(name: &str) -> Fault {
    Fault::issue("UNKNOWN_FUNCTION", format!("Unknown function: '{name}'."))
}

pub fn unknown_variable(name: &str) -> Fault {
    Fault::issue("UNKNOWN_VARIABLE", format!("Unknown variable: '{name}'."))
}

pub fn unknown_resource_type(name: &str) -> Fault {
    Fault::issue(UNKNOWN_RESOURCE_TYPE, format!("Resource type not found: {name}"))
}

pub fn missing_required_parameter(name: &str) -> Fault {
    let message = format!("Parameter ${name} is required but no value was given");
    Fault::issue("MISSING_REQUIRED_PARAMETER", message)
}

pub fn required_after_optional(name: &str) -> Fault {
    let message = format!("Parameter ${name} is required but appears after optional parameters");
    Fault::issue("REQUIRED_PARAMETER_AFTER_OPTIONAL", message)
}

pub fn unmatched_selector(value: &str) -> Fault {
    Fault::issue("UNMATCHED_SELECTOR", format!("No matching entry for selector parameter with value '{value}'"))
}

pub fn type_mismatch(expected: &str, actual: &str) -> Fault {
    Fault::issue("TYPE_MISMATCH", format!("Expected value of type {expected}, got {actual}"))
}

pub fn missing_title() -> Fault {
    Fault::issue("MISSING_TITLE", "Missing title. The title expression resulted in undef")
}

pub fn missing_title_at(index: usize) -> Fault {
    let message = format!("Missing title at index {index}. The title expression resulted in an undef title");
    Fault::issue("MISSING_TITLE_AT", message)
}

pub fn illegal_title_type(index: usize, actual: &str) -> Fault {
    let message = format!("Illegal title type at index {index}. Expected String, got {actual}");
    Fault::issue("ILLEGAL_TITLE_TYPE_AT", message)
}

pub fn empty_title(index: usize) -> Fault {
    let message = format!("Empty string title at {index}. Title strings must have a length greater than zero.");
    Fault::issue("EMPTY_STRING_TITLE_AT", message)
}

pub fn duplicate_title(title: &str) -> Fault {
    let message = format!("The title '{title}' has already been used in this resource expression");
    Fault::issue("DUPLICATE_TITLE", message)
}

pub fn duplicate_attribute(name: &str) -> Fault {
    Fault::issue("DUPLICATE_ATTRIBUTE", format!("The attribute '{name}' has already been set"))
}

pub fn illegal_resource_type(actual: &str) -> Fault {
    let message = format!(
        "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {actual}"
    );
    Fault::issue("ILLEGAL_RESOURCE_TYPE", message)
}

pub fn illegal_override(actual: &str) -> Fault {
    let message = format!("Resource Override can only operate on resources, got: {actual}");
    Fault::issue("ILLEGAL_OVERRIDDEN_TYPE", message)
}
