//! Calls of methods, with their arguments and blocks.

use std::sync::Arc;

use ruby_prism::{ArgumentsNode, Node};

use super::params::{BLOCK, KEYWORD_REST, REST};
use super::{ExprKind, Lower, Lowered, boxed, name};
use crate::code::{BlockArg, Call, Expr};

impl Lower {
    pub(super) fn call_like(&mut self, node: &Node<'_>) -> Lowered<ExprKind> {
        if let Some(call) = node.as_call_node() {
            return self.call(&call);
        }
        if let Some(call) = node.as_super_node() {
            let args = self.arguments(call.arguments())?;
            return Ok(ExprKind::Super(Some(args), self.block_arg(call.block(), call.arguments())?));
        }
        if let Some(call) = node.as_forwarding_super_node() {
            let args = self.handed_on(node.location().start());
            return Ok(ExprKind::Super(args, self.block_arg(call.block().map(|block| block.as_node()), None)?));
        }
        match node.as_yield_node() {
            Some(call) => Ok(ExprKind::Yield(self.arguments(call.arguments())?)),
            None => Ok(ExprKind::Refused("this call")),
        }
    }

    fn call(&mut self, node: &ruby_prism::CallNode<'_>) -> Lowered<ExprKind> {
        let called = name(&node.name());
        let receiver = self.optional(node.receiver())?.map(|receiver| *receiver);
        let args = self.arguments(node.arguments())?;
        if called == "!" && args.is_empty() {
            if let Some(receiver) = receiver {
                return Ok(ExprKind::Not(boxed(receiver)));
            }
            return Ok(ExprKind::Refused("this call"));
        }
        if called == "binding" && receiver.is_none() && node.arguments().is_none() && node.block().is_none() {
            return Ok(ExprKind::Binding(self.scopes.iter().rev().cloned().collect()));
        }
        let block = self.block_arg(node.block(), node.arguments())?;
        let (safe, bare, assigns) = (node.is_safe_navigation(), node.is_variable_call(), node.is_attribute_write());
        Ok(ExprKind::Call(Box::new(Call { receiver, name: called, args, block, safe, bare, assigns })))
    }

    pub(super) fn arguments(&mut self, node: Option<ArgumentsNode<'_>>) -> Lowered<Vec<Expr>> {
        let Some(arguments) = node else { return Ok(Vec::new()) };
        let mut args = Vec::with_capacity(arguments.arguments().len());
        for node in arguments.arguments().iter() {
            if node.as_forwarding_arguments_node().is_some() {
                let at = node.location().start();
                let rest = self.nameless_read(REST, at);
                args.push(Expr { at, kind: ExprKind::Splat(boxed(rest)) });
                let keywords = self.nameless_read(KEYWORD_REST, at);
                args.push(Expr { at, kind: ExprKind::Keywords(vec![(None, keywords)]) });
            } else {
                args.push(self.expr(&node)?);
            }
        }
        Ok(args)
    }

    /// Returns the block of a call; `...` among its arguments hands on that of the method around.
    fn block_arg(&mut self, node: Option<Node<'_>>, args: Option<ArgumentsNode<'_>>) -> Lowered<BlockArg> {
        let Some(node) = node else {
            let forwarded =
                args.and_then(|args| args.arguments().iter().find(|arg| arg.as_forwarding_arguments_node().is_some()));
            return Ok(match forwarded {
                Some(forwarded) => BlockArg::Pass(boxed(self.nameless_read(BLOCK, forwarded.location().start()))),
                None => BlockArg::None,
            });
        };
        if let Some(block) = node.as_block_node() {
            let code = self.block_code(&block.locals(), block.parameters(), block.body())?;
            return Ok(BlockArg::Code(Arc::new(code)));
        }
        match node.as_block_argument_node().and_then(|block| block.expression()) {
            Some(passed) => Ok(BlockArg::Pass(boxed(self.expr(&passed)?))),
            None => Ok(BlockArg::Pass(boxed(self.nameless_read(BLOCK, node.location().start())))),
        }
    }
}
