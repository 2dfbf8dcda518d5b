//! Calls of methods, with their arguments and blocks.

use std::sync::Arc;

use ruby_prism::{ArgumentsNode, Node};

use super::{Kind, Lower, Lowered, boxed, name};
use crate::ruby::code::{BlockArg, Call, Expr};

impl Lower {
    pub(super) fn call_like(&mut self, node: &Node<'_>) -> Lowered<Kind> {
        if let Some(call) = node.as_call_node() {
            return self.call(&call);
        }
        if let Some(call) = node.as_super_node() {
            let args = self.arguments(call.arguments())?;
            return Ok(Kind::Super(Some(args), self.block_arg(call.block())?));
        }
        if let Some(call) = node.as_forwarding_super_node() {
            return Ok(Kind::Super(None, self.block_arg(call.block().map(|block| block.as_node()))?));
        }
        match node.as_yield_node() {
            Some(call) => Ok(Kind::Yield(self.arguments(call.arguments())?)),
            None => Ok(Kind::Refused("this call")),
        }
    }

    fn call(&mut self, node: &ruby_prism::CallNode<'_>) -> Lowered<Kind> {
        let called = name(&node.name());
        let receiver = self.optional(node.receiver())?.map(|receiver| *receiver);
        let args = self.arguments(node.arguments())?;
        if called == "!" && args.is_empty() {
            if let Some(receiver) = receiver {
                return Ok(Kind::Not(boxed(receiver)));
            }
            return Ok(Kind::Refused("this call"));
        }
        let block = self.block_arg(node.block())?;
        let (safe, bare) = (node.is_safe_navigation(), node.is_variable_call());
        Ok(Kind::Call(Box::new(Call { receiver, name: called, args, block, safe, bare })))
    }

    pub(super) fn arguments(&mut self, node: Option<ArgumentsNode<'_>>) -> Lowered<Vec<Expr>> {
        node.map_or(Ok(Vec::new()), |arguments| self.each(&arguments.arguments()))
    }

    fn block_arg(&mut self, node: Option<Node<'_>>) -> Lowered<BlockArg> {
        let Some(node) = node else { return Ok(BlockArg::None) };
        if let Some(block) = node.as_block_node() {
            let code = self.block_code(&block.locals(), block.parameters(), block.body())?;
            return Ok(BlockArg::Code(Arc::new(code)));
        }
        match node.as_block_argument_node().and_then(|block| block.expression()) {
            Some(passed) => Ok(BlockArg::Pass(boxed(self.expr(&passed)?))),
            None => Ok(BlockArg::Pass(boxed(Expr {
                at: node.location().start(),
                kind: Kind::Refused("a block handed on without a name"),
            }))),
        }
    }
}
