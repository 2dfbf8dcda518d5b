//! From the tree of a pattern to a program.

use pantin_base::stack::with_room;

use super::counting;
use super::program::{Address, Instruction, One, Program, Reference, Run, RunKind, Set};
use super::tree::{Node, NodeId, Tree};
use super::width::Widths;

/// How many instructions a program may have: a pattern that needs more is not compiled.
const MOST: usize = 1 << 22;

pub(super) struct Compiler<'a> {
    tree: &'a Tree,
    widths: Widths,
    code: Vec<Instruction>,
    literals: Vec<Box<[u8]>>,
    /// Of each group by number, its body, where something calls it, and where it is in the code.
    called: Vec<Option<NodeId>>,
    entries: Vec<Option<Address>>,
    /// Calls of groups whose address is not known yet.
    open: Vec<(usize, u32)>,
    levels: bool,
}

/// Compiles a tree, unless that takes too many instructions.
pub(super) fn compile(tree: &Tree) -> Option<Program> {
    let groups = tree.groups as usize + 1;
    let mut called = vec![None; groups];
    let mut levels = false;
    for node in &tree.nodes {
        match node {
            Node::Call(0) => called[0] = Some(tree.root),
            Node::Call(group) => {
                let target = tree.nodes.iter().find_map(|node| match node {
                    Node::Group { number, body } if number == group => Some(*body),
                    _ => None,
                });
                if let Some(slot) = called.get_mut(*group as usize) {
                    *slot = target;
                }
            }
            Node::BackReference { level: Some(_), .. } => levels = true,
            _ => {}
        }
    }
    let mut compiler = Compiler {
        tree,
        widths: Widths::new(tree),
        code: Vec::new(),
        literals: Vec::new(),
        called,
        entries: vec![None; groups],
        open: Vec::new(),
        levels,
    };
    compiler.whole()?;
    let sets = tree.sets.iter().map(Set::new).collect();
    let Compiler { code, literals, .. } = compiler;
    let counting = counting::groups(tree);
    Some(Program { code, sets, literals, slots: groups * 2, counting, levels })
}

impl Compiler<'_> {
    fn whole(&mut self) -> Option<()> {
        match self.called[0] {
            Some(_) => self.call(0),
            None => self.node(self.tree.root)?,
        }
        self.push(Instruction::Match);
        // Only what is reachable is compiled, and that may call more.
        while let Some((at, group)) = self.open.pop() {
            let entry = match self.entries[group as usize] {
                Some(entry) => entry,
                None => self.subroutine(group)?,
            };
            self.code[at] = Instruction::Call(entry);
        }
        Some(())
    }

    fn subroutine(&mut self, group: u32) -> Option<Address> {
        let entry = self.here();
        self.entries[group as usize] = Some(entry);
        if let Some(body) = self.called[group as usize] {
            if group == 0 {
                self.node(body)?;
            } else {
                self.push(Instruction::OpenFrame);
                self.push(Instruction::Open(group));
                self.node(body)?;
                self.push(Instruction::CloseFrame(group));
            }
        }
        self.push(Instruction::Return);
        Some(entry)
    }

    fn here(&self) -> Address {
        self.code.len() as Address
    }

    fn push(&mut self, instruction: Instruction) -> usize {
        self.code.push(instruction);
        self.code.len() - 1
    }

    fn call(&mut self, group: u32) {
        let at = self.push(Instruction::Fail);
        self.open.push((at, group));
    }

    fn node(&mut self, id: NodeId) -> Option<()> {
        if self.code.len() > MOST {
            return None;
        }
        with_room(|| self.instructions(id))
    }

    fn instructions(&mut self, id: NodeId) -> Option<()> {
        let tree = self.tree;
        match tree.node(id) {
            Node::Empty => {}
            Node::Char(character) => self.literal(&[*character]),
            Node::Set(set) => {
                self.push(Instruction::Set(*set));
            }
            Node::Any { newline } => {
                self.push(Instruction::Any { newline: *newline });
            }
            Node::Assert(assertion) => {
                self.push(Instruction::Assert(*assertion));
            }
            Node::Keep => {
                self.push(Instruction::Save(0));
            }
            Node::Group { number, body } => self.group(*number, *body)?,
            Node::List(parts) => self.list(parts)?,
            Node::Alternatives(branches) => self.alternatives(branches, |compiler, branch| compiler.node(branch))?,
            Node::Repeat { low, high, greedy, body } => self.repeat(*low, *high, *greedy, *body)?,
            Node::Look { behind: true, negative, body } => self.look_behind(*negative, *body)?,
            Node::Look { negative, body, .. } => {
                self.apart(|end| Instruction::Look { negative: *negative, end }, |compiler| compiler.node(*body))?;
            }
            Node::Atomic(body) => self.atomic(*body)?,
            Node::Absent(body) => self.apart(Instruction::Absent, |compiler| compiler.node(*body))?,
            Node::BackReference { groups, ignore_case, level } => {
                let reference = Reference { groups: groups.clone(), ignore_case: *ignore_case, level: *level };
                self.push(Instruction::BackReference(Box::new(reference)));
            }
            Node::Condition { groups, yes, no } => self.condition(groups, *yes, *no)?,
            Node::Call(group) => self.call(*group),
        }
        Some(())
    }

    fn literal(&mut self, characters: &[char]) {
        let text: String = characters.iter().collect();
        let instruction = match *text.as_bytes() {
            [byte] => Instruction::Byte(byte),
            _ => {
                self.literals.push(text.into_bytes().into());
                Instruction::Literal((self.literals.len() - 1) as u32)
            }
        };
        self.push(instruction);
    }

    fn list(&mut self, parts: &[NodeId]) -> Option<()> {
        let mut characters = Vec::new();
        for part in parts {
            if let Node::Char(character) = self.tree.node(*part) {
                characters.push(*character);
                continue;
            }
            if !characters.is_empty() {
                self.literal(&std::mem::take(&mut characters));
            }
            self.node(*part)?;
        }
        if !characters.is_empty() {
            self.literal(&characters);
        }
        Some(())
    }

    fn group(&mut self, number: u32, body: NodeId) -> Option<()> {
        if self.called[number as usize].is_some() {
            self.call(number);
            return Some(());
        }
        if self.levels {
            self.push(Instruction::OpenFrame);
        }
        self.push(Instruction::Open(number));
        self.node(body)?;
        // How deep in calls a group was closed is noted by the same means as where it was opened.
        let end = if self.levels { Instruction::CloseFrame(number) } else { Instruction::Save(number * 2 + 1) };
        self.push(end);
        Some(())
    }

    fn alternatives(
        &mut self,
        branches: &[NodeId],
        mut each: impl FnMut(&mut Self, NodeId) -> Option<()>,
    ) -> Option<()> {
        let mut jumps = Vec::new();
        for (at, branch) in branches.iter().enumerate() {
            if at + 1 == branches.len() {
                each(self, *branch)?;
                break;
            }
            let choice = self.push(Instruction::Fail);
            each(self, *branch)?;
            jumps.push(self.push(Instruction::Fail));
            self.code[choice] = Instruction::Try(self.here());
        }
        let end = self.here();
        for jump in jumps {
            self.code[jump] = Instruction::Jump(end);
        }
        Some(())
    }

    /// Returns a part that is tried on its own, behind the instruction that tries it.
    fn apart(
        &mut self,
        instruction: impl Fn(Address) -> Instruction,
        body: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let at = self.push(Instruction::Fail);
        body(self)?;
        self.push(Instruction::Done);
        self.code[at] = instruction(self.here());
        Some(())
    }

    fn look_behind(&mut self, negative: bool, body: NodeId) -> Option<()> {
        let branches = match self.tree.node(body) {
            Node::Alternatives(branches) => branches.clone(),
            _ => vec![body],
        };
        let each = |compiler: &mut Self, branch| {
            let width = compiler.widths.exact(compiler.tree, branch);
            match width {
                Some(0) => {}
                Some(width) => {
                    compiler.push(Instruction::Back(width));
                }
                // The check has let only parts of one width pass.
                None => {
                    compiler.push(Instruction::Fail);
                }
            }
            compiler.node(branch)
        };
        if !negative {
            return self.alternatives(&branches, each);
        }
        self.apart(|end| Instruction::Look { negative, end }, |compiler| compiler.alternatives(&branches, each))
    }

    fn atomic(&mut self, body: NodeId) -> Option<()> {
        if let Node::Repeat { low, high, greedy: true, body } = *self.tree.node(body)
            && let Some(what) = self.one(body)
        {
            self.run(what, low, high, RunKind::Possessive);
            return Some(());
        }
        self.apart(Instruction::Atomic, |compiler| compiler.node(body))
    }

    fn condition(&mut self, groups: &[u32], yes: NodeId, no: NodeId) -> Option<()> {
        let at = self.push(Instruction::Fail);
        self.node(yes)?;
        let jump = self.push(Instruction::Fail);
        self.code[at] = Instruction::Condition { groups: groups.into(), otherwise: self.here() };
        self.node(no)?;
        self.code[jump] = Instruction::Jump(self.here());
        Some(())
    }

    /// The one character a node takes, if it is no more than that.
    fn one(&self, id: NodeId) -> Option<One> {
        match *self.tree.node(id) {
            Node::Char(character) => Some(One::Char(character)),
            Node::Set(set) => Some(One::Set(set)),
            Node::Any { newline } => Some(One::Any { newline }),
            _ => None,
        }
    }

    fn run(&mut self, what: One, low: u32, high: Option<u32>, kind: RunKind) {
        let run = Run { what, low, high: high.unwrap_or(u32::MAX), kind };
        self.push(Instruction::Run(Box::new(run)));
    }

    fn repeat(&mut self, low: u32, high: Option<u32>, greedy: bool, body: NodeId) -> Option<()> {
        if let Some(what) = self.one(body) {
            let kind = if greedy { RunKind::Greedy } else { RunKind::Lazy };
            self.run(what, low, high, kind);
            return Some(());
        }
        if high == Some(0) {
            return Some(());
        }
        if low == 0 && high.is_none() {
            return self.endless(greedy, body);
        }
        if low == 1 && high.is_none() && self.widths.least(self.tree, body) > 0 {
            let again = self.here();
            self.node(body)?;
            self.push(if greedy { Instruction::Prefer(again) } else { Instruction::Try(again) });
            return Some(());
        }
        if !self.widths.is_copied(self.tree, (low, high), greedy, body) {
            return self.counted(low, high, greedy, body);
        }
        for _ in 0..low {
            self.node(body)?;
        }
        let Some(high) = high else { return self.endless(greedy, body) };
        let mut choices = Vec::new();
        for _ in low..high {
            choices.push(self.push(Instruction::Fail));
            self.node(body)?;
        }
        let end = self.here();
        for at in choices {
            self.code[at] = if greedy { Instruction::Try(end) } else { Instruction::Prefer(end) };
        }
        Some(())
    }

    fn endless(&mut self, greedy: bool, body: NodeId) -> Option<()> {
        let may_be_empty = self.widths.least(self.tree, body) == 0;
        let again = self.push(Instruction::Fail);
        let mut done = None;
        if may_be_empty {
            self.push(Instruction::Round);
            self.node(body)?;
            done = Some(self.push(Instruction::Fail));
        } else {
            self.node(body)?;
        }
        self.push(Instruction::Jump(again as Address));
        let end = self.here();
        self.code[again] = if greedy { Instruction::Try(end) } else { Instruction::Prefer(end) };
        if let Some(done) = done {
            self.code[done] = Instruction::RoundDone(end);
        }
        Some(())
    }

    fn counted(&mut self, low: u32, high: Option<u32>, greedy: bool, body: NodeId) -> Option<()> {
        self.push(Instruction::Count);
        let again = self.push(Instruction::Fail);
        self.node(body)?;
        let done = self.push(Instruction::Fail);
        let end = self.here();
        self.code[again] = Instruction::Counted { low, high, greedy, end };
        self.code[done] = Instruction::CountedDone { again: again as Address, end };
        Some(())
    }
}
