//! What the real one calls the nodes of its tree: errors of its own code name them so.

use super::ast::{BinaryOp, Node, UnaryOp};

impl Node {
    pub fn model_class(&self) -> &'static str {
        match self {
            Node::Default => "LiteralDefault",
            Node::Undef => "LiteralUndef",
            Node::Boolean(_) => "LiteralBoolean",
            Node::Integer { .. } | Node::BigInteger { .. } => "LiteralInteger",
            Node::Float(_) => "LiteralFloat",
            Node::String(_) => "LiteralString",
            Node::Concat(_) => "ConcatenatedString",
            Node::Regex(_) => "LiteralRegularExpression",
            Node::Name(_) => "QualifiedName",
            Node::Variable(_) => "VariableExpression",
            Node::TypeName(_) => "QualifiedReference",
            Node::Heredoc { .. } => "HeredocExpression",
            Node::Array(_) => "LiteralList",
            Node::Hash(_) => "LiteralHash",
            Node::Unary { op, .. } => match op {
                UnaryOp::Not => "NotExpression",
                UnaryOp::Minus => "UnaryMinusExpression",
                UnaryOp::Splat => "UnfoldExpression",
                UnaryOp::Paren => "ParenthesizedExpression",
                UnaryOp::Text => "TextExpression",
                UnaryOp::Render => "RenderExpression",
            },
            Node::Binary { op, .. } => match op {
                BinaryOp::Match | BinaryOp::NotMatch => "MatchExpression",
                BinaryOp::In => "InExpression",
                BinaryOp::And => "AndExpression",
                BinaryOp::Or => "OrExpression",
                BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual => "ComparisonExpression",
                _ => "ArithmeticExpression",
            },
            Node::Assign { .. } => "AssignmentExpression",
            Node::Relationship { .. } => "RelationshipExpression",
            Node::Access { .. } => "AccessExpression",
            Node::NamedAccess { .. } => "NamedAccessExpression",
            Node::Call { .. } => "CallNamedFunctionExpression",
            Node::MethodCall { .. } => "CallMethodExpression",
            Node::Lambda { .. } => "LambdaExpression",
            Node::If { .. } => "IfExpression",
            Node::Unless { .. } => "UnlessExpression",
            Node::Case { .. } => "CaseExpression",
            Node::Selector { .. } => "SelectorExpression",
            Node::Block(_) => "BlockExpression",
            Node::Resource { .. } => "ResourceExpression",
            Node::ResourceDefaults { .. } => "ResourceDefaultsExpression",
            Node::ResourceOverride { .. } => "ResourceOverrideExpression",
            Node::Collect { .. } => "CollectExpression",
            _ => "PopsObject",
        }
    }
}
