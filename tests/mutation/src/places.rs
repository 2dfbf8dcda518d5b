//! Where a source could be wrong: each place with what stands there instead. Knows Rust, and nothing of who chooses or runs.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, Item, Pat, ReturnType, Signature, Stmt, UnOp};

/// Stands in a new text for the question whether this mutant lives.
pub(crate) const IS: char = '\u{1}';

/// A change of one stretch of a source, which may be empty.
pub(crate) struct Place {
    pub(crate) range: Range<usize>,
    pub(crate) line: usize,
    pub(crate) new: String,
    /// For the report: `a < b becomes a <= b`.
    pub(crate) what: String,
}

/// Every place of a source, in no order that matters.
pub(crate) fn of(text: &str) -> Result<Vec<Place>, String> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut finder = Finder { text, places: Vec::new() };
    finder.visit_file(&file);
    Ok(finder.places)
}

struct Finder<'t> {
    text: &'t str,
    places: Vec<Place>,
}

impl<'t> Finder<'t> {
    fn source(&self, span: Span) -> &'t str {
        &self.text[span.byte_range()]
    }

    fn add(&mut self, at: Span, range: Range<usize>, new: String, what: String) {
        self.places.push(Place { range, line: at.start().line, new, what });
    }

    /// Another expression of the same type.
    fn instead(&mut self, of: &Expr, other: &str) {
        let old = self.source(of.span());
        let new = format!("(if {IS} {{ {other} }} else {{ {old} }})");
        self.add(of.span(), of.span().byte_range(), new, format!("{} becomes {}", short(old), short(other)));
    }

    /// The opposite of a truth.
    fn opposite(&mut self, of: &Expr) {
        let old = self.source(of.span());
        self.add(of.span(), of.span().byte_range(), format!("({IS} != ({old}))"), format!("not {}", short(old)));
    }

    /// What a function begins with: its end.
    fn ends_at_once(&mut self, signature: &Signature, body: &Block) {
        let ReturnType::Type(_, of) = &signature.output else { return };
        let of = self.source(of.span());
        let values: &[&str] = match of {
            "bool" => &["true", "false"],
            _ if of.starts_with("Option<") => &["None"],
            _ if of.starts_with("Result<(),") => &["Ok(())"],
            _ => &[],
        };
        let start = body.brace_token.span.open().byte_range().end;
        for value in values {
            let what = format!("{} is always {value}", signature.ident);
            self.add(signature.span(), start..start, format!(" if {IS} {{ return {value}; }}"), what);
        }
    }

    fn binary(&mut self, of: &syn::ExprBinary, whole: &Expr) {
        let is_number = matches!(&*of.right, Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Int(_)));
        let other = match of.op {
            BinOp::And(_) if !has_let(&of.left) && !has_let(&of.right) => "||",
            BinOp::Or(_) => "&&",
            BinOp::Eq(_) => "!=",
            BinOp::Ne(_) => "==",
            BinOp::Lt(_) => "<=",
            BinOp::Le(_) => "<",
            BinOp::Gt(_) => ">=",
            BinOp::Ge(_) => ">",
            BinOp::Add(_) if is_number => "-",
            BinOp::Sub(_) if is_number => "+",
            _ => return,
        };
        let (left, right) = (self.source(of.left.span()), self.source(of.right.span()));
        // `a && b || c` needs none, the other way round it does.
        let group = |side: &Expr, text: &str| match side {
            Expr::Binary(_) => format!("({text})"),
            _ => text.to_owned(),
        };
        self.instead(whole, &format!("{} {other} {}", group(&of.left, left), group(&of.right, right)));
    }

    fn method(&mut self, of: &syn::ExprMethodCall, whole: &Expr) {
        let other = match of.method.to_string().as_str() {
            "min" => "max",
            "max" => "min",
            "any" => "all",
            "all" => "any",
            "is_some" => "is_none",
            "is_none" => "is_some",
            "is_ok" => "is_err",
            "is_err" => "is_ok",
            "is_empty" => return self.opposite(whole),
            _ => return,
        };
        let (whole_range, name) = (whole.span().byte_range(), of.method.span().byte_range());
        let text =
            format!("{}{other}{}", &self.text[whole_range.start..name.start], &self.text[name.end..whole_range.end]);
        self.instead(whole, &text);
    }

    fn literal(&mut self, of: &syn::ExprLit, whole: &Expr) {
        match &of.lit {
            syn::Lit::Bool(literal) => self.instead(whole, if literal.value { "false" } else { "true" }),
            syn::Lit::Int(literal) => {
                if let Ok(number) = literal.base10_parse::<u64>() {
                    self.instead(whole, &format!("{}{}", number + 1, literal.suffix()));
                }
            }
            _ => {}
        }
    }

    fn arms(&mut self, of: &syn::ExprMatch) {
        let catches_all = of.arms.last().is_some_and(|arm| matches!(arm.pat, Pat::Wild(_)) && arm.guard.is_none());
        for (at, arm) in of.arms.iter().enumerate() {
            let pattern = short(self.source(arm.pat.span()));
            match &arm.guard {
                Some((_, guard)) if !has_let(guard) => {
                    let old = self.source(guard.span());
                    let range = guard.span().byte_range();
                    self.add(
                        arm.span(),
                        range.clone(),
                        format!("({IS} || ({old}))"),
                        format!("{pattern} without its guard"),
                    );
                    self.add(arm.span(), range, format!("(!{IS} && ({old}))"), format!("no arm {pattern} if …"));
                }
                None if catches_all && at + 1 < of.arms.len() => {
                    let end = arm.pat.span().byte_range().end;
                    self.add(arm.span(), end..end, format!(" if !{IS}"), format!("no arm {pattern}"));
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            // What is worked out by the compiler asks nothing of a process.
            Item::Const(_) | Item::Static(_) | Item::Enum(_) | Item::Macro(_) => {}
            Item::Mod(of) if is_for_tests(&of.attrs) => {}
            Item::Fn(of) if of.sig.constness.is_some() || is_for_tests(&of.attrs) => {}
            Item::Fn(of) => {
                self.ends_at_once(&of.sig, &of.block);
                visit::visit_block(self, &of.block);
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item_fn(&mut self, of: &'ast syn::ImplItemFn) {
        if of.sig.constness.is_none() && !is_for_tests(&of.attrs) {
            self.ends_at_once(&of.sig, &of.block);
            visit::visit_block(self, &of.block);
        }
    }

    /// How something is shown to a developer is nobody's affair.
    fn visit_item_impl(&mut self, of: &'ast syn::ItemImpl) {
        let is_debug = of
            .trait_
            .as_ref()
            .is_some_and(|(_, path, _)| path.segments.last().is_some_and(|last| last.ident == "Debug"));
        if !is_debug {
            visit::visit_item_impl(self, of);
        }
    }

    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}

    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    fn visit_pat(&mut self, _: &'ast Pat) {}

    fn visit_expr_repeat(&mut self, of: &'ast syn::ExprRepeat) {
        self.visit_expr(&of.expr);
    }

    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_stmt(&mut self, of: &'ast Stmt) {
        if let Stmt::Expr(expression, Some(_)) = of {
            let called = if let Expr::Try(inner) = expression { &inner.expr } else { expression };
            if matches!(called, Expr::MethodCall(_) | Expr::Call(_)) || is_changing(expression) {
                let old = self.source(of.span());
                self.add(
                    of.span(),
                    of.span().byte_range(),
                    format!("if !{IS} {{ {old} }}"),
                    format!("nothing for {}", short(old)),
                );
            }
        }
        visit::visit_stmt(self, of);
    }

    fn visit_expr_if(&mut self, of: &'ast syn::ExprIf) {
        if !has_let(&of.cond) {
            self.opposite(&of.cond);
        }
        visit::visit_expr_if(self, of);
    }

    fn visit_expr_match(&mut self, of: &'ast syn::ExprMatch) {
        self.arms(of);
        visit::visit_expr_match(self, of);
    }

    fn visit_expr(&mut self, whole: &'ast Expr) {
        match whole {
            Expr::Binary(of) => self.binary(of, whole),
            Expr::Unary(of) if matches!(of.op, UnOp::Not(_)) => {
                let inner = self.source(of.expr.span());
                self.instead(whole, inner);
            }
            Expr::MethodCall(of) => self.method(of, whole),
            Expr::Lit(of) => self.literal(of, whole),
            Expr::Macro(of) if of.mac.path.is_ident("matches") => self.opposite(whole),
            Expr::Call(of) if matches!(&*of.func, Expr::Path(path) if path.path.is_ident("Some")) => {
                self.instead(whole, "None");
            }
            _ => {}
        }
        visit::visit_expr(self, whole);
    }
}

/// `a += 1` and its like.
fn is_changing(expression: &Expr) -> bool {
    use BinOp::{AddAssign, BitAndAssign, BitOrAssign, MulAssign, SubAssign};
    matches!(expression, Expr::Binary(of)
        if matches!(of.op, AddAssign(_) | SubAssign(_) | MulAssign(_) | BitOrAssign(_) | BitAndAssign(_)))
}

/// What a pattern binds in a condition is needed behind it.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(of) => has_let(&of.left) || has_let(&of.right),
        Expr::Paren(of) => has_let(&of.expr),
        _ => false,
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        path.is_ident("test")
            || path.is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|argument| argument == "test")
    })
}

/// In one line.
fn short(text: &str) -> String {
    const SHOWN: usize = 70;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("`{}…`", &line[..at]),
        None => format!("`{line}`"),
    }
}
