//! Every error and warning of lexing, parsing and validating: its code, its text, the likely fix.
//!
//! One list. A test reads [`Issue::CODES`] and fails on a code that no spec provokes.

use pantin_base::{Diagnostic, Place, Severity, SourceError, Span};

macro_rules! issues {
    ($( $(#[$doc:meta])* $variant:ident $({ $($field:ident),* })? = $code:literal, $severity:ident, $message:expr $(, help $help:expr)?; )*) => {
        /// What can be wrong with a source. The fields are the words its message needs.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Issue {
            $( $(#[$doc])* $variant $({ $($field: String),* })?, )*
        }

        impl Issue {
            /// Every code, in the order of this file; a code with two texts stands once for each.
            pub const CODES: &'static [&'static str] = &[$($code),*];

            /// Puppet's name for it.
            pub fn code(&self) -> &'static str {
                match self {
                    $( Issue::$variant $({ $($field: _),* })? => $code, )*
                }
            }

            /// Returns its severity, where no setting says otherwise.
            pub fn severity(&self) -> Severity {
                match self {
                    $( Issue::$variant $({ $($field: _),* })? => Severity::$severity, )*
                }
            }

            /// Puppet's words.
            pub fn message(&self) -> String {
                match self {
                    $( Issue::$variant $({ $($field),* })? => format!($message), )*
                }
            }

            /// Returns what a person probably has to do about it.
            pub fn help(&self) -> Option<&'static str> {
                match self {
                    $( Issue::$variant $({ $($field: _),* })? => issues!(@help $($help)?), )*
                }
            }
        }
    };
    (@help) => { None };
    (@help $help:expr) => { Some($help) };
}

issues! {
    // ---- the source as a whole
    IllegalBom { format, bytes } = "ILLEGAL_BOM", Error,
        "Illegal {format} Byte Order mark at beginning of input: {bytes} - remove these from the puppet source",
        help "save the file as UTF-8 without a byte order mark";
    /// Ours: the real one stops with an internal error of Ruby's.
    NotUtf8 { byte } = "INVALID_UTF8", Error,
        "Invalid byte {byte}: the source is not UTF-8",
        help "save the file as UTF-8";
    /// Ours: a source over the size limit.
    SourceTooLarge { bytes } = "SOURCE_TOO_LARGE", Error,
        "The source has {bytes} bytes, more than the limit of 1073741824";
    /// Ours: the real one runs out of stack.
    NestedTooDeep { limit } = "NESTED_TOO_DEEP", Error,
        "Expressions nest deeper than the limit of {limit}",
        help "split the expression; a generator may have lost a closing bracket";

    // ---- lexing
    SyntaxError { at } = "SYNTAX_ERROR", Error, "Syntax error at {at}";
    IllegalClassReference = "ILLEGAL_CLASS_REFERENCE", Error, "Illegal class reference",
        help "every segment of a type name starts with an upper-case letter: Foo::Bar";
    IllegalFullyQualifiedClassReference = "ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE", Error,
        "Illegal fully qualified class reference",
        help "every segment of a type name starts with an upper-case letter: ::Foo::Bar";
    IllegalFullyQualifiedName = "ILLEGAL_FULLY_QUALIFIED_NAME", Error, "Illegal fully qualified name",
        help "every segment of a name starts with a lower-case letter: foo::bar";
    IllegalNumber { value } = "ILLEGAL_NUMBER", Error, "Illegal number '{value}'",
        help "put the text in quotes if it is meant as a string";
    InvalidHexNumber { value } = "INVALID_HEX_NUMBER", Error, "Not a valid hex number {value}",
        help "a hexadecimal number is 0x and the digits 0-9, a-f";
    InvalidOctalNumber { value } = "INVALID_OCTAL_NUMBER", Error, "Not a valid octal number {value}",
        help "a number with a leading 0 is octal and has the digits 0-7 alone; drop the 0, or use quotes";
    InvalidDecimalNumber { value } = "INVALID_DECIMAL_NUMBER", Error, "Not a valid decimal number {value}";
    UnclosedQuote { after, followed_by } = "UNCLOSED_QUOTE", Error,
        "Unclosed quote after {after} followed by '{followed_by}'",
        help "add the closing quote";
    /// Ruby's words for a pattern it cannot compile; the real one names no place.
    InvalidRegex { detail, pattern } = "INVALID_REGEX", Error, "{detail}: /{pattern}/",
        help "a literal ( [ { * + ? . \\ in a pattern is written with a backslash before it";
    UnclosedMlComment = "UNCLOSED_MLCOMMENT", Error, "Unclosed multiline comment",
        help "close the comment with */";
    UnrecognizedEscape { ch } = "UNRECOGNIZED_ESCAPE", Warning, "Unrecognized escape sequence '\\{ch}'",
        help "write \\\\ for a backslash, or use single quotes";
    IllegalUnicodeEscape = "ILLEGAL_UNICODE_ESCAPE", Warning,
        "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {{}} or was > 10ffff";
    HeredocUnclosedParenthesis { followed_by } = "HEREDOC_UNCLOSED_PARENTHESIS", Error,
        "Unclosed parenthesis after '@(' followed by '{followed_by}'",
        help "a heredoc starts with @(END)";
    HeredocInvalidSyntax = "HEREDOC_INVALID_SYNTAX", Error,
        "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])";
    HeredocEmptyEndtag = "HEREDOC_EMPTY_ENDTAG", Error, "Heredoc with an empty endtag",
        help "name the end: @(END)";
    HeredocWithoutText = "HEREDOC_WITHOUT_TEXT", Error, "Heredoc without any following lines of text";
    HeredocWithoutEndTaggedLine = "HEREDOC_WITHOUT_END_TAGGED_LINE", Error, "Heredoc without end-tagged line",
        help "the text ends with a line that has the end tag alone, perhaps after | or -";
    HeredocInvalidEscape { actual } = "HEREDOC_INVALID_ESCAPE", Error,
        "Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{actual}'";
    HeredocMultipleAtEscapes { escapes } = "HEREDOC_MULTIPLE_AT_ESCAPES", Error,
        "An escape char for @() may only appear once. Got '{escapes}'";
    /// Ours: the real one always stops with an internal error.
    HeredocInHeredoc = "HEREDOC_IN_HEREDOC", Error, "A heredoc cannot start in the text of another heredoc",
        help "assign the inner text to a variable first";
    EppUnbalancedTag = "EPP_UNBALANCED_TAG", Error, "Unbalanced epp tag, reached <eof> without closing tag.",
        help "close the tag with %>";
    EppUnbalancedComment = "EPP_UNBALANCED_COMMENT", Error, "Reaching end after opening <%# without seeing %>",
        help "close the comment with %>";
    EppUnbalancedExpression = "EPP_UNBALANCED_EXPRESSION", Error,
        "Unbalanced embedded expression - opening <% and reaching end of input",
        help "close the tag with %>, or write <%% for a literal <%";

    // ---- parsing
    VirtualNotResource = "VIRTUAL_NOT_RESOURCE", Error,
        "Virtual (@) can only be applied to a Resource Expression";
    ExportedNotResource = "EXPORTED_NOT_RESOURCE", Error,
        "Exported (@@) can only be applied to a Resource Expression";
    ResourceBodyWithoutTitle = "RESOURCE_BODY_WITHOUT_TITLE", Error,
        "Syntax error resource body without title or hash with +>",
        help "a resource has a title: file { '/tmp/x': … }";
    NotAResource = "NOT_A_RESOURCE", Error,
        "Expression is not valid as a resource, resource-default, or resource-override";
    ClassKeywordAsName = "CLASS_KEYWORD_AS_NAME", Error, "'class' keyword not allowed at this location";
    QuotedStringAsName = "QUOTED_STRING_AS_NAME", Error, "A quoted string is not valid as a name here",
        help "remove the quotes";
    ArgumentsToNonCall { name } = "ARGUMENTS_TO_NON_CALL", Error,
        "attempt to pass argument list to the function '{name}' which cannot be called without parentheses",
        help "put the arguments in parentheses";
    IllegalArgumentList = "ILLEGAL_ARGUMENT_LIST", Error, "illegal comma separated argument list",
        help "a comma stands between arguments alone; statements follow each other without one";

    // ---- validation: where things may stand
    NotTopLevel = "NOT_TOP_LEVEL", Error,
        "Classes, definitions, and nodes may only appear at toplevel or inside other classes";
    NotAbsoluteTopLevel { value } = "NOT_ABSOLUTE_TOP_LEVEL", Error, "{value} may only appear at toplevel";
    IllegalDefinitionName { name, value } = "ILLEGAL_DEFINITION_NAME", Error,
        "Unacceptable name. The name '{name}' is unacceptable as the name of {value}",
        help "a name is lower-case letters, digits and _, in segments divided by ::";
    IllegalDefinitionLocation { name, file } = "ILLEGAL_DEFINITION_LOCATION", Error,
        "Unacceptable location. The name '{name}' is unacceptable in file '{file}'",
        help "the autoloader looks for it elsewhere: the path in the module gives the name";
    IllegalTopConstructLocation { value } = "ILLEGAL_TOP_CONSTRUCT_LOCATION", Error,
        "This {value} is unacceptable as a top level construct in this location",
        help "a file of a module holds definitions alone";
    ReservedTypeName { name, expression } = "RESERVED_TYPE_NAME", Error,
        "The name: '{name}' is already defined by Puppet and can not be used as the name of {expression}.";
    FutureReservedWord { word } = "FUTURE_RESERVED_WORD", Deprecation, "Use of future reserved word: '{word}'";
    ReservedWord { word } = "RESERVED_WORD", Error,
        "Use of reserved word: {word}, must be quoted if intended to be a String value";

    // ---- validation: assignment
    CrossScopeAssignment { name } = "CROSS_SCOPE_ASSIGNMENT", Error,
        "Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces",
        help "assign to a name without ::";
    IllegalAssignment { value } = "ILLEGAL_ASSIGNMENT", Error,
        "Illegal attempt to assign to '{value}'. Not an assignable reference",
        help "the left side of = is a variable, or a list of variables; == compares";
    IllegalIndexedAssignment = "ILLEGAL_INDEXED_ASSIGNMENT", Error,
        "Illegal attempt to assign via [index/key]. Not an assignable reference",
        help "values cannot be changed: build a new one with +";
    IllegalNumericAssignment { var } = "ILLEGAL_NUMERIC_ASSIGNMENT", Error,
        "Illegal attempt to assign to the numeric match result variable '${var}'. Numeric variables are not assignable";
    IllegalAssignmentContext = "ILLEGAL_ASSIGNMENT_CONTEXT", Error, "Assignment not allowed here";
    AppendsDeletesNoLongerSupported { operator } = "APPENDS_DELETES_NO_LONGER_SUPPORTED", Error,
        "The operator '{operator}' is no longer supported. See http://links.puppet.com/remove-plus-equals",
        help "assign the whole value: $new = $old + …";

    // ---- validation: names and parameters
    IllegalVarName { name } = "ILLEGAL_VAR_NAME", Error,
        "Illegal variable name, The given name '{name}' does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/";
    /// Ours: the real one stops with an internal error.
    InterpolatedBoolean { word } = "ILLEGAL_VAR_NAME", Error,
        "Illegal variable name, The name '{word}' is a Boolean value",
        help "write the word without ${}, or an expression that is more than the word";
    IllegalNumericVarName { name } = "ILLEGAL_NUMERIC_VAR_NAME", Error,
        "Illegal numeric variable name, The given name '{name}' must be a decimal value if it starts with a digit 0-9";
    IllegalParamName { name } = "ILLEGAL_PARAM_NAME", Error,
        "Illegal parameter name. The given name '{name}' does not conform to the naming rule /^[a-z_]\\w*$/";
    IllegalNumericParameter { name } = "ILLEGAL_NUMERIC_PARAMETER", Error,
        "The numeric parameter name '${name}' cannot be used (clashes with numeric match result variables)";
    DuplicateParameter { param } = "DUPLICATE_PARAMETER", Error,
        "The parameter '{param}' is declared more than once in the parameter list";
    ReservedParameter { param, container } = "RESERVED_PARAMETER", Error,
        "The parameter ${param} redefines a built in parameter in {container}";
    CapturesRestNotLast { param } = "CAPTURES_REST_NOT_LAST", Error,
        "Parameter ${param} is not last, and has 'captures rest'";
    CapturesRestNotSupported { param, container } = "CAPTURES_REST_NOT_SUPPORTED", Error,
        "Parameter ${param} has 'captures rest' - not supported in {container}";
    IllegalNonliteralParameterType { name, type_class } = "ILLEGAL_NONLITERAL_PARAMETER_TYPE", Deprecation,
        "The parameter '${name}' must be a literal type, not {type_class}";
    IllegalHostnameChars { hostname } = "ILLEGAL_HOSTNAME_CHARS", Error,
        "The hostname '{hostname}' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed)";
    IllegalHostnameInterpolation = "ILLEGAL_HOSTNAME_INTERPOLATION", Error,
        "An interpolated expression is not allowed in a hostname of a node";
    IllegalNodeInheritance = "ILLEGAL_NODE_INHERITANCE", Error,
        "Node inheritance is not supported in Puppet >= 4.0.0. See http://links.puppet.com/puppet-node-inheritance-deprecation";

    // ---- validation: expressions
    IdemExpressionNotLast { expression } = "IDEM_EXPRESSION_NOT_LAST", Error,
        "This {expression} has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)";
    IdemNotAllowedLast { expression, container } = "IDEM_NOT_ALLOWED_LAST", Error,
        "This {expression} has no effect. {container} can not end with a value-producing expression without other effect";
    ResourceWithoutTitle { name } = "RESOURCE_WITHOUT_TITLE", Error,
        "This expression is invalid. Did you try declaring a '{name}' resource without a title?",
        help "a resource has a title before its attributes: file { '/tmp/x': … }";
    IllegalExpression { expression, feature, container } = "ILLEGAL_EXPRESSION", Error,
        "Illegal expression. {expression} is unacceptable as {feature} in {container}";
    IllegalEppParameters = "ILLEGAL_EPP_PARAMETERS", Error,
        "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace";
    IllegalQueryExpression { expression } = "ILLEGAL_QUERY_EXPRESSION", Error,
        "Illegal query expression. {expression} cannot be used in a query",
        help "a query compares attributes with == and !=, joined by and, or";
    NotRvalue { value } = "NOT_RVALUE", Error, "Invalid use of expression. {value} does not produce a value";
    IllegalAttributeAppend { attr, expression } = "ILLEGAL_ATTRIBUTE_APPEND", Error,
        "Illegal +> operation on attribute {attr}. This operator can not be used in {expression}";
    UnsupportedExpression { expression } = "UNSUPPORTED_EXPRESSION", Error,
        "Expressions of type {expression} are not supported in this version of Puppet";
    IllegalSingleTypeMapping { expression } = "ILLEGAL_TYPE_MAPPING", Error,
        "Illegal type mapping. Expected a Type on the left side, got {expression}";
    IllegalRegexpTypeMapping { expression } = "ILLEGAL_TYPE_MAPPING", Error,
        "Illegal type mapping. Expected a Tuple[Regexp,String] on the left side, got {expression}";
    NotVirtualizeable = "NOT_VIRTUALIZEABLE", Error, "Resource Defaults are not virtualizable";
    ClassNotVirtualizable = "CLASS_NOT_VIRTUALIZABLE", Error, "Classes are not virtualizable";
    MultipleAttributesUnfold = "MULTIPLE_ATTRIBUTES_UNFOLD", Error,
        "Unfolding of attributes from Hash can only be used once per resource body";
    DuplicateKey { key } = "DUPLICATE_KEY", Error, "The key '{key}' is declared more than once";
    DuplicateDefault { container } = "DUPLICATE_DEFAULT", Error,
        "This {container} already has a 'default' entry - this is a duplicate";
    NumericOverflow { expression, bound, value } = "NUMERIC_OVERFLOW", Error,
        "{expression} resulted in a value outside of Puppet Integer {bound} range, got '{value}'";
    ExpressionNotSupportedWhenScripting { expr } = "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING", Error,
        "{expr} is only available when compiling a catalog";
    ExpressionNotSupportedWhenCompiling { expr } = "EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING", Error,
        "{expr} is not available when compiling a catalog";

    // ---- validation: text of a named syntax
    IllegalJson { syntax, detail } = "ILLEGAL_JSON", Error,
        "Invalid produced text having syntax: '{syntax}'. JSON syntax checker: Cannot parse invalid JSON string. \"{detail}\"";
    IllegalBase64Padding { syntax } = "ILLEGAL_BASE64", Error,
        "Invalid produced text having syntax: '{syntax}'. Base64 syntax checker: Cannot parse invalid Base64 string - padding is not correct";
    IllegalBase64Letters { syntax } = "ILLEGAL_BASE64", Error,
        "Invalid produced text having syntax: '{syntax}'. Base64 syntax checker: Cannot parse invalid Base64 string - contains letters outside strict base 64 range (or whitespace)";
    IllegalPp { syntax, detail } = "ILLEGAL_PP", Error,
        "Invalid produced text having syntax: '{syntax}'. PP syntax checker: \"{detail}\"";
    /// Told without a place, as the real checker stops with an error of its own.
    PpSyntaxNotAlone = "ILLEGAL_PP", Error, "PP syntax checker: the syntax identifier must be a String, e.g. pp",
        help "name the syntax of the heredoc pp, with nothing before it";
    EppSyntaxNotAlone = "ILLEGAL_EPP", Error, "EPP syntax checker: the syntax identifier must be a String, e.g. pp",
        help "name the syntax of the heredoc epp, with nothing before it";
    IllegalEpp { syntax, detail } = "ILLEGAL_EPP", Error,
        "Invalid produced text having syntax: '{syntax}'. EPP syntax checker: \"{detail}\"";
}

impl Issue {
    /// Returns the issue as a diagnostic at a place, pointing at a span.
    pub fn at(&self, place: Place, span: Option<Span>) -> Diagnostic {
        Diagnostic {
            severity: self.severity(),
            code: self.code(),
            message: self.message(),
            place,
            span,
            label: None,
            help: self.help().map(str::to_owned),
            related: Vec::new(),
        }
    }
}

/// Returns the diagnostic of bytes that are no source.
pub fn unreadable_source(error: SourceError) -> Diagnostic {
    match error {
        // The real one names no place here.
        SourceError::ByteOrderMark { format, bytes } => {
            Issue::IllegalBom { format: format.to_owned(), bytes }.at(Place::Nowhere, None)
        }
        SourceError::NotUtf8 { place, byte } => Issue::NotUtf8 { byte: format!("0x{byte:02X}") }.at(place, None),
        SourceError::TooLarge { bytes } => {
            Issue::SourceTooLarge { bytes: bytes.to_string() }.at(Place::WholeFile, None)
        }
    }
}
