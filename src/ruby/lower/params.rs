//! Parameters of methods and blocks.

use pantin_values::Str;
use ruby_prism::{ConstantList, Node, ParametersNode};

use super::{ExprKind, Lower, Lowered, boxed, name};
use crate::code::{Code, Expr, Keyword, Params, Rest, Target, Targets};

impl Lower {
    pub(super) fn block_code(
        &mut self,
        locals: &ConstantList<'_>,
        parameters: Option<Node<'_>>,
        body: Option<Node<'_>>,
    ) -> Lowered<Code> {
        self.scoped(locals, |lower| {
            let params = match &parameters {
                None => Params::default(),
                Some(node) => {
                    if let Some(numbered) = node.as_numbered_parameters_node() {
                        lower.numbered(numbered.maximum())
                    } else {
                        let inside = node.as_block_parameters_node().and_then(|block| block.parameters());
                        lower.params(inside)?
                    }
                }
            };
            Ok((params, lower.body(body)?))
        })
    }

    fn numbered(&mut self, maximum: u8) -> Params {
        let names: Vec<Str> = (1..=maximum).map(|number| Str::from(format!("_{number}"))).collect();
        let described = names.iter().map(|name| ("req", Some(name.clone()))).collect();
        let required = names.iter().map(|name| Target::Local(0, self.slot_named(0, name))).collect();
        Params { required, described, ..Params::default() }
    }

    pub(super) fn params(&mut self, node: Option<ParametersNode<'_>>) -> Lowered<Params> {
        let Some(node) = node else { return Ok(Params::default()) };
        let mut params = Params { names: names(&node), described: described(&node), ..Params::default() };
        for required in node.requireds().iter() {
            params.required.push(self.param(&required)?);
        }
        for optional in node.optionals().iter() {
            let Some(optional) = optional.as_optional_parameter_node() else { continue };
            let slot = self.slot(0, &optional.name());
            params.optional.push((slot, self.expr(&optional.value())?));
        }
        match node.rest() {
            Some(rest) if rest.as_implicit_rest_node().is_some() => params.trailing_comma = true,
            Some(rest) => {
                let named = rest.as_rest_parameter_node().and_then(|rest| rest.name());
                params.rest = Rest::from_slot(named.map(|named| self.slot(0, &named)).or_else(|| self.nameless(REST)));
            }
            None => {}
        }
        for post in node.posts().iter() {
            params.posts.push(self.param(&post)?);
        }
        for keyword in node.keywords().iter() {
            if let Some(required) = keyword.as_required_keyword_parameter_node() {
                let slot = self.slot(0, &required.name());
                params.keywords.push(Keyword { name: name(&required.name()), slot, default: None });
            } else if let Some(optional) = keyword.as_optional_keyword_parameter_node() {
                let slot = self.slot(0, &optional.name());
                let default = Some(self.expr(&optional.value())?);
                params.keywords.push(Keyword { name: name(&optional.name()), slot, default });
            }
        }
        if let Some(rest) = node.keyword_rest() {
            if let Some(rest) = rest.as_keyword_rest_parameter_node() {
                let named = rest.name().map(|named| self.slot(0, &named));
                params.keyword_rest = Rest::from_slot(named.or_else(|| self.nameless(KEYWORD_REST)));
            } else if rest.as_forwarding_parameter_node().is_some() {
                params.rest = Rest::from_slot(self.nameless(REST));
                params.keyword_rest = Rest::from_slot(self.nameless(KEYWORD_REST));
                params.block = self.nameless(BLOCK);
            } else {
                params.no_keywords = rest.as_no_keywords_parameter_node().is_some();
            }
        }
        if let Some(block) = node.block().and_then(|block| block.as_block_parameter_node()) {
            params.block = block.name().map(|named| self.slot(0, &named)).or_else(|| self.nameless(BLOCK));
        }
        Ok(params)
    }

    /// Returns the slot of a parameter without a name, which a method may hand on; a block may not.
    fn nameless(&mut self, sign: &'static str) -> Option<u32> {
        self.handed.is_some().then(|| self.slot_named(0, &sign.into()))
    }

    /// Returns what the method around was given without a name.
    pub(super) fn nameless_read(&mut self, sign: &'static str, at: u32) -> Expr {
        let depth = self.scopes.len().saturating_sub(1) as u32;
        Expr { at, kind: ExprKind::Local(depth, self.slot_named(depth, &sign.into())) }
    }

    /// Returns what a `super` without arguments hands on: the parameters of the method, as they are worth where it
    /// stands.
    pub(super) fn handed_on(&mut self, at: u32) -> Option<Vec<Expr>> {
        let depth = self.scopes.len().saturating_sub(1) as u32;
        let local = |slot: u32| Expr { at, kind: ExprKind::Local(depth, slot) };
        let handed = self.handed.as_ref()?;
        let mut args: Vec<Expr> = Vec::new();
        for part in handed {
            match part {
                Handed::Value(slot) => args.push(local(*slot)),
                Handed::Rest(slot) => args.push(Expr { at, kind: ExprKind::Splat(boxed(local(*slot))) }),
                Handed::Keywords(known, rest) => {
                    let key = |name: &Str| Some(Expr { at, kind: ExprKind::Symbol(name.clone()) });
                    let mut pairs: Vec<_> = rest.iter().map(|slot| (None, local(*slot))).collect();
                    pairs.extend(known.iter().map(|(name, slot)| (key(name), local(*slot))));
                    args.push(Expr { at, kind: ExprKind::Keywords(pairs) });
                }
                Handed::Apart => {
                    args.push(Expr { at, kind: ExprKind::Refused("a parameter taken apart, handed on by super") })
                }
            }
        }
        Some(args)
    }

    fn param(&mut self, node: &Node<'_>) -> Lowered<Target> {
        if let Some(required) = node.as_required_parameter_node() {
            return Ok(Target::Local(0, self.slot(0, &required.name())));
        }
        self.target(node)
    }

    /// `(a, *b)`
    pub(super) fn many(
        &mut self,
        lefts: &ruby_prism::NodeList<'_>,
        rest: Option<Node<'_>>,
        rights: &ruby_prism::NodeList<'_>,
    ) -> Lowered<Targets> {
        let before = lefts.iter().map(|node| self.param(&node)).collect::<Lowered<_>>()?;
        let rest = match rest {
            Some(rest) => match rest.as_splat_node() {
                Some(splat) => Some(match splat.expression() {
                    Some(inside) => self.param(&inside)?,
                    None => Target::Nothing,
                }),
                None => Some(Target::Nothing),
            },
            None => None,
        };
        let after = rights.iter().map(|node| self.param(&node)).collect::<Lowered<_>>()?;
        Ok(Targets { before, rest, after })
    }
}

/// As the slots of parameters without names are called.
pub(super) const REST: &str = "*";
pub(super) const KEYWORD_REST: &str = "**";
pub(super) const BLOCK: &str = "&";

/// A parameter of a method, as `super` hands it on.
pub(super) enum Handed {
    Value(u32),
    Rest(u32),
    Keywords(Vec<(Str, u32)>, Option<u32>),
    /// `(a, b)`
    Apart,
}

pub(super) fn handed(params: &Params) -> Vec<Handed> {
    let one = |target: &Target| match target {
        Target::Local(0, slot) => Handed::Value(*slot),
        _ => Handed::Apart,
    };
    let mut handed: Vec<Handed> = params.required.iter().map(one).collect();
    handed.extend(params.optional.iter().map(|(slot, _)| Handed::Value(*slot)));
    handed.extend(params.rest.slot().map(Handed::Rest));
    handed.extend(params.posts.iter().map(one));
    if params.takes_keywords() {
        let known = params.keywords.iter().map(|keyword| (keyword.name.clone(), keyword.slot)).collect();
        handed.push(Handed::Keywords(known, params.keyword_rest.slot()));
    }
    handed
}

fn names(node: &ParametersNode<'_>) -> Vec<Str> {
    let required = node.requireds().iter().filter_map(|node| Some(name(&node.as_required_parameter_node()?.name())));
    let optional = node.optionals().iter().filter_map(|node| Some(name(&node.as_optional_parameter_node()?.name())));
    let rest = node.rest().and_then(|rest| rest.as_rest_parameter_node()?.name().map(|rest| name(&rest)));
    required.chain(optional).chain(rest).collect()
}

/// Returns all parameters as `parameters` tells them: keywords that have to be given come before those with a default.
fn described(node: &ParametersNode<'_>) -> Vec<(&'static str, Option<Str>)> {
    let one = |node: Node<'_>| ("req", node.as_required_parameter_node().map(|node| name(&node.name())));
    let mut all: Vec<_> = node.requireds().iter().map(one).collect();
    let optional = |node: Node<'_>| node.as_optional_parameter_node().map(|node| name(&node.name()));
    all.extend(node.optionals().iter().map(|node| ("opt", optional(node))));
    if let Some(rest) = node.rest().and_then(|rest| rest.as_rest_parameter_node()) {
        all.push(("rest", rest.name().map(|rest| name(&rest))));
    }
    all.extend(node.posts().iter().map(one));
    let required = |node: Node<'_>| Some(name(&node.as_required_keyword_parameter_node()?.name()));
    let defaulted = |node: Node<'_>| Some(name(&node.as_optional_keyword_parameter_node()?.name()));
    all.extend(node.keywords().iter().filter_map(required).map(|name| ("keyreq", Some(name))));
    all.extend(node.keywords().iter().filter_map(defaulted).map(|name| ("key", Some(name))));
    if let Some(rest) = node.keyword_rest() {
        if rest.as_forwarding_parameter_node().is_some() {
            all.extend(
                [("rest", REST), ("keyrest", KEYWORD_REST), ("block", BLOCK)]
                    .map(|(kind, sign)| (kind, Some(sign.into()))),
            );
        } else if let Some(rest) = rest.as_keyword_rest_parameter_node() {
            all.push(("keyrest", rest.name().map(|rest| name(&rest))));
        } else if rest.as_no_keywords_parameter_node().is_some() {
            all.push(("nokey", None));
        }
    }
    if let Some(block) = node.block().and_then(|block| block.as_block_parameter_node()) {
        all.push(("block", block.name().map(|block| name(&block))));
    }
    all
}
