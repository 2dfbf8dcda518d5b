//! Names of definitions, variables, parameters, types and nodes, and what a definition declares.
//!
//! Knows the forms of names alone, not what they name.

use pantin_base::number::hex_text;

use super::super::ast::{Definition, DefinitionId, DefinitionKind, List, Node, NodeId, Text, UnaryOp};
use super::super::label::{a_an, a_an_uc, the};
use super::{Checker, Issue};

/// Lower-case names that stand for types of the language.
const RESERVED_TYPE_NAMES: [&str; 28] = [
    "any",
    "array",
    "boolean",
    "collection",
    "enum",
    "float",
    "hash",
    "init",
    "integer",
    "numeric",
    "object",
    "optional",
    "pattern",
    "regexp",
    "runtime",
    "scalar",
    "semver",
    "semverrange",
    "sensitive",
    "string",
    "struct",
    "timespan",
    "timestamp",
    "tuple",
    "type",
    "typeset",
    "unit",
    "variant",
];

/// Parameters that every class and define has.
const BUILT_IN_PARAMETERS: [&str; 2] = ["name", "title"];

fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns a segment of a name that starts with a letter of the asked case.
fn is_segment(text: &str, starts: fn(&u8) -> bool) -> bool {
    text.as_bytes().first().is_some_and(starts) && is_word(text)
}

fn is_lower_start(byte: &u8) -> bool {
    byte.is_ascii_lowercase()
}

fn is_upper_start(byte: &u8) -> bool {
    byte.is_ascii_uppercase()
}

fn is_lower_or_underscore(byte: &u8) -> bool {
    byte.is_ascii_lowercase() || *byte == b'_'
}

/// Zero, or digits that do not start with zero: the name of a match result.
pub(super) fn is_decimal_name(name: &str) -> bool {
    name == "0" || (!name.starts_with('0') && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The last segment alone may start with an underscore.
fn is_variable_name(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    // Most names have one segment; looking for one byte is quicker than looking for two.
    match name.contains(':').then(|| name.rsplit_once("::")).flatten() {
        None => is_segment(name, is_lower_or_underscore),
        Some((namespace, last)) => {
            is_segment(last, is_lower_or_underscore)
                && namespace.split("::").all(|segment| is_segment(segment, is_lower_start))
        }
    }
}

fn is_numeric_param(name: &str) -> bool {
    let digits = name.strip_prefix("0x").unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

impl Checker<'_> {
    pub(super) fn check_definition(&mut self, id: NodeId, definition: DefinitionId) {
        let ast = self.ast;
        let Definition { kind, name, params, returns, body, .. } = *ast.definition(definition);
        let name = ast.text(name);
        self.check_top(id);
        if !name.split("::").all(|segment| is_segment(segment, is_lower_start)) {
            self.report_name(id, name);
        }
        self.check_file_namespace(id, name);
        self.check_reserved_type_name(id, name);
        self.check_future_reserved_word(id, name);
        match kind {
            DefinitionKind::Function | DefinitionKind::Plan => {
                self.check_returns(id, returns);
                self.check_unique_params(params);
            }
            DefinitionKind::Class | DefinitionKind::Define => {
                self.check_no_captures(id, params);
                self.check_unique_params(params);
                self.check_built_in_params(id, params);
                self.check_body_end(id, body);
                if kind == DefinitionKind::Class {
                    self.check_literal_types(params);
                }
            }
        }
    }

    fn report_name(&mut self, id: NodeId, name: &str) {
        let value = a_an(self.ast, id);
        self.report(id, Issue::IllegalDefinitionName { name: name.to_owned(), value });
    }

    fn check_reserved_type_name(&mut self, id: NodeId, name: &str) {
        if RESERVED_TYPE_NAMES.contains(&name) {
            let expression = a_an(self.ast, id);
            self.report(id, Issue::ReservedTypeName { name: name.to_owned(), expression });
        }
    }

    fn check_future_reserved_word(&mut self, id: NodeId, name: &str) {
        if name == "plan" {
            self.report(id, Issue::FutureReservedWord { word: name.to_owned() });
        }
    }

    pub(super) fn check_type_alias(&mut self, id: NodeId, name: Text, type_expr: NodeId) {
        let name = self.ast.text(name);
        self.check_top(id);
        if !name.split("::").all(|segment| is_segment(segment, is_upper_start)) {
            self.report_name(id, name);
        }
        self.check_reserved_type_name(id, name);
        self.check_type_reference(id, type_expr);
    }

    pub(super) fn check_type_definition(&mut self, id: NodeId, name: Text) {
        self.check_top(id);
        self.check_reserved_type_name(id, self.ast.text(name));
        let expression = a_an(self.ast, id);
        self.report(id, Issue::UnsupportedExpression { expression });
    }

    fn check_returns(&mut self, id: NodeId, returns: Option<NodeId>) {
        if let Some(returns) = returns {
            self.check_type_reference(id, returns);
        }
    }

    fn check_type_reference(&mut self, container: NodeId, type_expr: NodeId) {
        let named = match self.ast.node(type_expr) {
            Node::Access { left, .. } => left,
            _ => type_expr,
        };
        if let Node::TypeName(name) = self.ast.node(named) {
            if self.ast.text(name).eq_ignore_ascii_case("plan") {
                self.check_future_reserved_word(type_expr, "plan");
            }
        } else {
            self.report_unacceptable(type_expr, "a type reference", container);
        }
    }

    /// The right side must be a pattern and its replacement where the left side has one.
    pub(super) fn check_type_mapping(&mut self, id: NodeId, type_expr: NodeId, mapping: NodeId) {
        self.check_top(id);
        let ast = self.ast;
        let keys = match ast.node(type_expr) {
            Node::Access { left, keys } => match ast.node(left) {
                Node::TypeName(name) if ast.text(name) == "Runtime" => Some(ast.list(keys)),
                _ => None,
            },
            _ => None,
        };
        let Some(keys) = keys else {
            let expression = a_an(ast, id);
            self.report(id, Issue::UnsupportedExpression { expression });
            return;
        };
        let maps_pattern = matches!(keys, &[_, replaced] if self.is_pattern_with_replacement(replaced));
        let fits = if maps_pattern { self.is_pattern_with_replacement(mapping) } else { self.is_type(mapping) };
        if !fits {
            let expression = a_an_uc(ast, id);
            self.report(
                id,
                if maps_pattern {
                    Issue::IllegalRegexpTypeMapping { expression }
                } else {
                    Issue::IllegalSingleTypeMapping { expression }
                },
            );
        }
    }

    fn is_pattern_with_replacement(&self, id: NodeId) -> bool {
        let Node::Array(values) = self.ast.node(id) else { return false };
        let &[pattern, replacement] = self.ast.list(values) else { return false };
        matches!((self.ast.node(pattern), self.ast.node(replacement)), (Node::Regex(_), Node::String(_)))
    }

    fn is_type(&self, id: NodeId) -> bool {
        match self.ast.node(id) {
            Node::TypeName(_) => true,
            Node::Access { left, .. } => matches!(self.ast.node(left), Node::TypeName(_)),
            _ => false,
        }
    }

    pub(super) fn check_lambda(&mut self, id: NodeId, params: List, returns: Option<NodeId>) {
        let ast = self.ast;
        if let Some((_, before)) = ast.list(params).split_last() {
            for &param in before {
                if let Node::Param { name, captures_rest: true, .. } = ast.node(param) {
                    let param_name = ast.text(name).to_owned();
                    self.report(param, Issue::CapturesRestNotLast { param: param_name });
                }
            }
        }
        self.check_returns(id, returns);
    }

    /// The parameters of a template are those of the lambda around its code.
    pub(super) fn check_epp(&mut self, id: NodeId) {
        let around = self.path.last().map(|&around| self.ast.node(around));
        if let Some(Node::Lambda { params, .. }) = around {
            self.check_no_captures(id, params);
            self.check_unique_params(params);
        }
    }

    fn check_no_captures(&mut self, container: NodeId, params: List) {
        let ast = self.ast;
        for &param in ast.list(params) {
            if let Node::Param { name, captures_rest: true, .. } = ast.node(param) {
                let issue = Issue::CapturesRestNotSupported {
                    param: ast.text(name).to_owned(),
                    container: a_an(ast, container),
                };
                self.report(param, issue);
            }
        }
    }

    fn check_unique_params(&mut self, params: List) {
        let ast = self.ast;
        for (param, first) in self.repeated(ast.list(params)) {
            let issue = Issue::DuplicateParameter { param: ast.text(self.param_name(param)).to_owned() };
            self.report_again(param, issue, first, "first declared here");
        }
    }

    fn param_name(&self, param: NodeId) -> Text {
        match self.ast.node(param) {
            Node::Param { name, .. } => name,
            _ => Text::default(),
        }
    }

    /// Each parameter whose name an earlier one has, and the first that has it.
    fn repeated(&self, params: &[NodeId]) -> Vec<(NodeId, NodeId)> {
        let name_of = |&param: &NodeId| self.ast.text(self.param_name(param));
        let mut repeated = Vec::new();
        if params.len() <= 16 {
            for (index, param) in params.iter().enumerate().skip(1) {
                let name = name_of(param);
                repeated
                    .extend(params[..index].iter().find(|first| name_of(first) == name).map(|&first| (*param, first)));
            }
        } else {
            let mut firsts = std::collections::HashMap::with_capacity(params.len());
            for param in params {
                let first = *firsts.entry(name_of(param)).or_insert(*param);
                if first != *param {
                    repeated.push((*param, first));
                }
            }
        }
        repeated
    }

    fn check_built_in_params(&mut self, container: NodeId, params: List) {
        let ast = self.ast;
        for &param in ast.list(params) {
            let name = ast.text(self.param_name(param));
            if BUILT_IN_PARAMETERS.contains(&name) {
                let issue = Issue::ReservedParameter { param: name.to_owned(), container: the(ast, container) };
                self.report(param, issue);
            }
        }
    }

    pub(super) fn check_param(&mut self, id: NodeId, name: Text, value: Option<NodeId>) {
        let name = self.ast.text(name);
        if is_numeric_param(name) {
            self.report(id, Issue::IllegalNumericParameter { name: name.to_owned() });
        }
        if !is_segment(name, is_lower_or_underscore) {
            self.report(id, Issue::IllegalParamName { name: name.to_owned() });
        }
        if let Some(value) = value {
            self.check_default_assigns_nothing(value);
        }
    }

    pub(super) fn check_variable_name(&mut self, id: NodeId, name: Text) {
        let name = self.ast.text(name);
        if name.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            if !is_decimal_name(name) {
                self.report(id, Issue::IllegalNumericVarName { name: name.to_owned() });
            }
        } else if !is_variable_name(name) {
            self.report(id, Issue::IllegalVarName { name: name.to_owned() });
        }
    }

    pub(super) fn check_overflow(&mut self, id: NodeId) {
        if let Node::BigInteger { digits, radix } = self.ast.node(id) {
            let issue = Issue::NumericOverflow {
                expression: a_an_uc(self.ast, id),
                bound: "max".to_owned(),
                value: format!("+0x{}", hex_text(self.ast.text(digits), radix)),
            };
            self.report(id, issue);
        }
    }

    pub(super) fn check_node_definition(
        &mut self,
        id: NodeId,
        hosts: List,
        parent: Option<NodeId>,
        body: Option<NodeId>,
    ) {
        let ast = self.ast;
        for &host in ast.list(hosts) {
            self.check_host(id, host);
        }
        self.check_top(id);
        self.check_body_end(id, body);
        if let Some(parent) = parent {
            self.report(parent, Issue::IllegalNodeInheritance);
        }
    }

    fn check_host(&mut self, container: NodeId, host: NodeId) {
        let ast = self.ast;
        match ast.node(host) {
            Node::String(name) | Node::Name(name) | Node::TypeName(name) | Node::Reserved(name) => {
                let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
                let hostname = ast.text(name);
                if !hostname.bytes().all(is_legal) {
                    self.report(host, Issue::IllegalHostnameChars { hostname: hostname.to_owned() });
                }
            }
            Node::Concat(segments) => {
                let interpolated = ast.list(segments).iter().find_map(|&segment| match ast.node(segment) {
                    Node::Unary { op: UnaryOp::Text, operand } => Some(operand),
                    _ => None,
                });
                self.report(interpolated.unwrap_or(host), Issue::IllegalHostnameInterpolation);
            }
            Node::Boolean(_)
            | Node::Integer { .. }
            | Node::BigInteger { .. }
            | Node::Float(_)
            | Node::Default
            | Node::Regex(_) => {}
            _ => self.report_unacceptable(host, "hostname", container),
        }
    }

    pub(super) fn report_unacceptable(&mut self, id: NodeId, feature: &str, container: NodeId) {
        let issue = Issue::IllegalExpression {
            expression: a_an_uc(self.ast, id),
            feature: feature.to_owned(),
            container: a_an(self.ast, container),
        };
        self.report(id, issue);
    }
}
