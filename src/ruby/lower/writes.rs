//! Assignments of every kind.

use ruby_prism::Node;

use super::{Expr, ExprKind, Lower, Lowered, boxed, name};
use crate::code::{In, OpWrite, Target};

impl Lower {
    pub(super) fn write(&mut self, node: &Node<'_>) -> Lowered<Option<ExprKind>> {
        let (target, value) = if let Some(write) = node.as_local_variable_write_node() {
            (Target::Local(write.depth(), self.slot(write.depth(), &write.name())), write.value())
        } else if let Some(write) = node.as_instance_variable_write_node() {
            (Target::Instance(name(&write.name())), write.value())
        } else if let Some(write) = node.as_global_variable_write_node() {
            (Target::Global(name(&write.name())), write.value())
        } else if let Some(write) = node.as_class_variable_write_node() {
            (Target::ClassVariable(name(&write.name())), write.value())
        } else if let Some(write) = node.as_constant_write_node() {
            (Target::Constant(None, name(&write.name())), write.value())
        } else if let Some(write) = node.as_constant_path_write_node() {
            let (within, last) = self.constant_path(&write.target().as_node(), node.location().start())?;
            (Target::Constant(within.map(Box::new), last), write.value())
        } else {
            return self.other_write(node);
        };
        Ok(Some(ExprKind::Assign(target, boxed(self.expr(&value)?))))
    }

    fn other_write(&mut self, node: &Node<'_>) -> Lowered<Option<ExprKind>> {
        if let Some(write) = node.as_multi_write_node() {
            let targets = self.many(&write.lefts(), write.rest(), &write.rights())?;
            return Ok(Some(ExprKind::AssignMany(targets, boxed(self.expr(&write.value())?))));
        }
        if let Some(write) = node.as_match_write_node() {
            let call = self.expr(&write.call().as_node())?;
            let mut locals = Vec::new();
            for target in write.targets().iter() {
                if let Some(local) = target.as_local_variable_target_node() {
                    locals.push((name(&local.name()), local.depth(), self.slot(local.depth(), &local.name())));
                }
            }
            return Ok(Some(ExprKind::MatchWrite(boxed(call), locals)));
        }
        if let Some(defined) = node.as_defined_node() {
            return Ok(Some(ExprKind::Defined(boxed(self.expr(&defined.value())?))));
        }
        if let Some(matches) = node.as_match_predicate_node() {
            let pattern = self.pattern(&matches.pattern())?;
            return Ok(Some(ExprKind::Matches(boxed(self.expr(&matches.value())?), Box::new(pattern))));
        }
        if let Some(matches) = node.as_match_required_node() {
            let pattern = self.pattern(&matches.pattern())?;
            let then = Expr { at: node.location().start(), kind: ExprKind::Nil };
            let clause = In { pattern, guard: None, then };
            return Ok(Some(ExprKind::CaseIn(boxed(self.expr(&matches.value())?), vec![clause], None)));
        }
        self.op_write(node)
    }

    fn op_write(&mut self, node: &Node<'_>) -> Lowered<Option<ExprKind>> {
        macro_rules! named {
            ($($or:ident, $and:ident, $operator:ident => $target:expr;)*) => {$(
                if let Some(write) = node.$or() {
                    return self.op_kind($target(name(&write.name())), OpWrite::Or, None, &write.value());
                }
                if let Some(write) = node.$and() {
                    return self.op_kind($target(name(&write.name())), OpWrite::And, None, &write.value());
                }
                if let Some(write) = node.$operator() {
                    let operator = Some(write.binary_operator());
                    return self.op_kind($target(name(&write.name())), OpWrite::Operator, operator, &write.value());
                }
            )*};
        }
        let constant = |name| Target::Constant(None, name);
        named! {
            as_instance_variable_or_write_node, as_instance_variable_and_write_node,
            as_instance_variable_operator_write_node => Target::Instance;
            as_global_variable_or_write_node, as_global_variable_and_write_node,
            as_global_variable_operator_write_node => Target::Global;
            as_class_variable_or_write_node, as_class_variable_and_write_node,
            as_class_variable_operator_write_node => Target::ClassVariable;
            as_constant_or_write_node, as_constant_and_write_node,
            as_constant_operator_write_node => constant;
        }
        if let Some(write) = node.as_local_variable_or_write_node() {
            let target = self.local(write.depth(), &write.name());
            return self.op_kind(target, OpWrite::Or, None, &write.value());
        }
        if let Some(write) = node.as_local_variable_and_write_node() {
            let target = self.local(write.depth(), &write.name());
            return self.op_kind(target, OpWrite::And, None, &write.value());
        }
        if let Some(write) = node.as_local_variable_operator_write_node() {
            let target = self.local(write.depth(), &write.name());
            return self.op_kind(target, OpWrite::Operator, Some(write.binary_operator()), &write.value());
        }
        self.member_op_write(node)
    }

    fn member_op_write(&mut self, node: &Node<'_>) -> Lowered<Option<ExprKind>> {
        if let Some(write) = node.as_index_or_write_node() {
            let target = self.index(write.receiver(), write.arguments())?;
            return self.op_kind(target, OpWrite::Or, None, &write.value());
        }
        if let Some(write) = node.as_index_and_write_node() {
            let target = self.index(write.receiver(), write.arguments())?;
            return self.op_kind(target, OpWrite::And, None, &write.value());
        }
        if let Some(write) = node.as_index_operator_write_node() {
            let target = self.index(write.receiver(), write.arguments())?;
            return self.op_kind(target, OpWrite::Operator, Some(write.binary_operator()), &write.value());
        }
        if let Some(write) = node.as_call_or_write_node() {
            let target = self.attribute(write.receiver(), &write.read_name(), write.is_safe_navigation())?;
            return self.op_kind(target, OpWrite::Or, None, &write.value());
        }
        if let Some(write) = node.as_call_and_write_node() {
            let target = self.attribute(write.receiver(), &write.read_name(), write.is_safe_navigation())?;
            return self.op_kind(target, OpWrite::And, None, &write.value());
        }
        if let Some(write) = node.as_call_operator_write_node() {
            let target = self.attribute(write.receiver(), &write.read_name(), write.is_safe_navigation())?;
            return self.op_kind(target, OpWrite::Operator, Some(write.binary_operator()), &write.value());
        }
        Ok(None)
    }

    fn op_kind(
        &mut self,
        target: Target,
        how: OpWrite,
        operator: Option<ruby_prism::ConstantId<'_>>,
        value: &Node<'_>,
    ) -> Lowered<Option<ExprKind>> {
        let operator = operator.map(|operator| name(&operator)).unwrap_or_default();
        Ok(Some(ExprKind::OpAssign(Box::new((target, how, operator, self.expr(value)?)))))
    }

    fn local(&mut self, depth: u32, id: &ruby_prism::ConstantId<'_>) -> Target {
        Target::Local(depth, self.slot(depth, id))
    }

    fn index(
        &mut self,
        receiver: Option<Node<'_>>,
        arguments: Option<ruby_prism::ArgumentsNode<'_>>,
    ) -> Lowered<Target> {
        let receiver = self.receiver(receiver)?;
        Ok(Target::Index(boxed(receiver), self.arguments(arguments)?))
    }

    fn attribute(
        &mut self,
        receiver: Option<Node<'_>>,
        id: &ruby_prism::ConstantId<'_>,
        safe: bool,
    ) -> Lowered<Target> {
        let receiver = self.receiver(receiver)?;
        Ok(Target::Attribute(boxed(receiver), name(id), safe))
    }

    fn receiver(&mut self, receiver: Option<Node<'_>>) -> Lowered {
        receiver.map_or(Ok(Expr { at: 0, kind: ExprKind::SelfValue }), |receiver| self.expr(&receiver))
    }

    pub(super) fn target(&mut self, node: &Node<'_>) -> Lowered<Target> {
        if let Some(target) = node.as_local_variable_target_node() {
            return Ok(self.local(target.depth(), &target.name()));
        }
        if let Some(target) = node.as_instance_variable_target_node() {
            return Ok(Target::Instance(name(&target.name())));
        }
        if let Some(target) = node.as_global_variable_target_node() {
            return Ok(Target::Global(name(&target.name())));
        }
        if let Some(target) = node.as_constant_target_node() {
            return Ok(Target::Constant(None, name(&target.name())));
        }
        if let Some(target) = node.as_index_target_node() {
            return self.index(Some(target.receiver()), target.arguments());
        }
        if let Some(target) = node.as_call_target_node() {
            let called = name(&target.name());
            let read = called.strip_suffix('=').unwrap_or(&called).into();
            return Ok(Target::Attribute(boxed(self.expr(&target.receiver())?), read, target.is_safe_navigation()));
        }
        if let Some(target) = node.as_multi_target_node() {
            let targets = self.many(&target.lefts(), target.rest(), &target.rights())?;
            return Ok(Target::Many(Box::new(targets)));
        }
        Ok(Target::Nothing)
    }
}
