//! The machine that tries a program's ways one after the other.
//!
//! What is undecided stands on a stack, beside what to put back where a way fails. Rounds of loops
//! and calls are frames that point to the one around them: a way that was left behind finds its
//! own again, whatever was entered or left since.

use pantin_base::limits;
use pantin_base::stack::with_room;

use super::StepLimit;
use super::fold;
use super::program::{Address, Instruction, One, Program, Reference, Run, RunKind};
use super::text;
use super::tree::Assertion;

pub(super) const UNSET: u32 = u32::MAX;
const NO_FRAME: u32 = u32::MAX;

/// How deep parts that are tried on their own may stand in each other.
const NESTED: u32 = 2_000;

/// How far one way has come.
#[derive(Debug, Clone, Copy)]
struct Way {
    at: Address,
    pos: u32,
    frame: u32,
    /// How many frames there were: what came later belongs to no way that is left.
    frames: u32,
}

#[derive(Debug)]
enum Entry {
    Way(Way),
    /// A run that may give back characters, down to a position.
    Shrink {
        way: Way,
        least: u32,
    },
    /// A run that may take more characters.
    Grow {
        way: Way,
        left: u32,
    },
    Restore {
        slot: u32,
        value: u32,
    },
    /// A group that was opened, with what it had matched before.
    Opened {
        group: u32,
        start: u32,
        end: u32,
    },
}

#[derive(Debug)]
struct Frame {
    parent: u32,
    pos: u32,
    /// Where a call returns to, or which round of a loop this is.
    value: u32,
    /// How deep in calls.
    depth: u32,
    /// How high the stack was.
    height: u32,
}

/// A group that was closed, for references with a level.
#[derive(Debug)]
struct Closed {
    before: u32,
    group: u32,
    span: (u32, u32),
    depth: u32,
}

/// The memory of a machine, to be used again.
#[derive(Debug, Default)]
pub(super) struct Memory {
    stack: Vec<Entry>,
    frames: Vec<Frame>,
    history: Vec<Closed>,
    /// Starts and ends of groups; behind them, the last group closed.
    pub(super) slots: Vec<u32>,
}

pub(super) struct Machine<'a> {
    program: &'a Program,
    text: &'a [u8],
    /// Where characters end for now: what must not hold a part ends before that part does.
    end: u32,
    search_start: u32,
    memory: &'a mut Memory,
    steps: u64,
    nested: u32,
}

/// Whether a round took nothing, and if so, whether its groups did too, but elsewhere.
enum Empty {
    No,
    Yes,
    Elsewhere,
}

/// What an instruction has to say.
enum Next {
    Go,
    Fail,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        program: &'a Program,
        text: &'a str,
        search_start: u32,
        memory: &'a mut Memory,
        steps: u64,
    ) -> Self {
        let end = text.len() as u32;
        Machine { program, text: text.as_bytes(), end, search_start, memory, steps, nested: 0 }
    }

    /// Tries the program at one position: the end of the match, whose groups are in the slots.
    pub(super) fn run_at(&mut self, start: u32) -> Result<Option<u32>, StepLimit> {
        self.memory.stack.clear();
        self.memory.frames.clear();
        self.memory.history.clear();
        self.memory.slots.clear();
        self.memory.slots.resize(self.program.slots + 1, UNSET);
        self.memory.slots[0] = start;
        self.run(0, start, NO_FRAME)
    }

    /// Returns how many steps may still be taken.
    pub(super) fn steps_left(&self) -> u64 {
        self.steps
    }

    fn spend(&mut self, steps: u64) -> Result<(), StepLimit> {
        self.steps = self.steps.checked_sub(steps).ok_or(StepLimit)?;
        Ok(())
    }

    /// Runs from an address to the end of the program, or of the part that is tried on its own.
    fn run(&mut self, at: Address, pos: u32, frame: u32) -> Result<Option<u32>, StepLimit> {
        let base = self.memory.stack.len();
        let mut way = Way { at, pos, frame, frames: 0 };
        let program = self.program;
        loop {
            self.spend(1)?;
            let instruction = &program.code[way.at as usize];
            way.at += 1;
            let next = match instruction {
                Instruction::Byte(byte) => self.byte(&mut way, *byte),
                Instruction::Literal(literal) => self.literal(&mut way, &program.literals[*literal as usize]),
                Instruction::Set(set) => self.one(&mut way, One::Set(*set)),
                Instruction::Any { newline } => self.one(&mut way, One::Any { newline: *newline }),
                Instruction::Run(run) => self.repeated(&mut way, run)?,
                Instruction::Try(other) => {
                    self.remember(Way { at: *other, ..way })?;
                    Next::Go
                }
                Instruction::Prefer(first) => {
                    self.remember(way)?;
                    way.at = *first;
                    Next::Go
                }
                Instruction::Jump(to) => {
                    way.at = *to;
                    Next::Go
                }
                Instruction::Save(slot) => {
                    self.set(*slot, way.pos, way.frame)?;
                    Next::Go
                }
                Instruction::Open(group) => {
                    self.open(*group, &way)?;
                    Next::Go
                }
                Instruction::Assert(assertion) => Next::from(self.holds(*assertion, way.pos)),
                Instruction::Done | Instruction::Match => return Ok(Some(way.pos)),
                Instruction::Fail => Next::Fail,
                other => self.rare(&mut way, other)?,
            };
            if let Next::Fail = next {
                match self.back(base)? {
                    Some(other) => way = other,
                    None => return Ok(None),
                }
            }
        }
    }

    /// Returns the instructions that few patterns have.
    fn rare(&mut self, way: &mut Way, instruction: &Instruction) -> Result<Next, StepLimit> {
        match instruction {
            Instruction::Look { negative, end } => return self.look(way, *negative, *end),
            Instruction::Atomic(end) => {
                let Some(pos) = self.apart(way)? else { return Ok(Next::Fail) };
                (way.pos, way.at) = (pos, *end);
            }
            Instruction::Absent(end) => return self.absent(way, *end),
            Instruction::Back(count) => match text::back(self.text, way.pos as usize, *count) {
                Some(pos) => way.pos = pos as u32,
                None => return Ok(Next::Fail),
            },
            Instruction::BackReference(reference) => return Ok(self.refer(way, reference)),
            Instruction::Condition { groups, otherwise } => {
                let matched = groups.iter().any(|group| self.span(*group).is_some());
                way.at = if matched { way.at } else { *otherwise };
            }
            Instruction::Call(to) => {
                let depth = self.depth(way.frame) + 1;
                self.enter(way, way.at, depth)?;
                way.at = *to;
            }
            Instruction::Return => way.at = self.leave(way).0,
            Instruction::OpenFrame | Instruction::Round | Instruction::Count => {
                let depth = self.depth(way.frame);
                self.enter(way, 0, depth)?;
            }
            Instruction::CloseFrame(group) => self.close(way, *group)?,
            Instruction::RoundDone(end) => {
                let empty = self.is_empty_round(way);
                self.leave(way);
                match empty {
                    Empty::No => {}
                    Empty::Yes => way.at = *end,
                    Empty::Elsewhere => return Ok(Next::Fail),
                }
            }
            Instruction::Counted { low, high, greedy, end } => self.counted(way, (*low, *high), *greedy, *end)?,
            Instruction::CountedDone { again, end } => match self.is_empty_round(way) {
                Empty::No => way.at = *again,
                Empty::Yes => {
                    self.leave(way);
                    way.at = *end;
                }
                Empty::Elsewhere => return Ok(Next::Fail),
            },
            _ => {}
        }
        Ok(Next::Go)
    }

    fn remember(&mut self, way: Way) -> Result<(), StepLimit> {
        let frames = self.memory.frames.len() as u32;
        self.push(Entry::Way(Way { frames, ..way }))
    }

    fn push(&mut self, entry: Entry) -> Result<(), StepLimit> {
        if self.memory.stack.len() >= limits::REGEX_MEMORY {
            return Err(StepLimit);
        }
        self.memory.stack.push(entry);
        Ok(())
    }

    /// Returns true if there is a way back to what was before. Rounds look at what was opened in them.
    fn may_go_back(&self, frame: u32) -> bool {
        self.nested > 0 || frame != NO_FRAME || !self.memory.stack.is_empty()
    }

    fn set(&mut self, slot: u32, value: u32, frame: u32) -> Result<(), StepLimit> {
        if self.may_go_back(frame) {
            let value = self.memory.slots[slot as usize];
            self.push(Entry::Restore { slot, value })?;
        }
        self.memory.slots[slot as usize] = value;
        Ok(())
    }

    fn open(&mut self, group: u32, way: &Way) -> Result<(), StepLimit> {
        let at = group as usize * 2;
        if self.may_go_back(way.frame) {
            let (start, end) = (self.memory.slots[at], self.memory.slots[at + 1]);
            self.push(Entry::Opened { group, start, end })?;
        }
        self.memory.slots[at] = way.pos;
        self.memory.slots[at + 1] = UNSET;
        Ok(())
    }

    /// Whether the round of a loop that ends here took nothing. It goes on if a group in it was not
    /// set before, or was not empty; what was empty at another place makes it fail.
    fn is_empty_round(&self, way: &Way) -> Empty {
        let Some(frame) = self.memory.frames.get(way.frame as usize) else { return Empty::No };
        if frame.pos != way.pos {
            return Empty::No;
        }
        let mut answer = Empty::Yes;
        for entry in self.memory.stack.get(frame.height as usize..).unwrap_or_default() {
            let Entry::Opened { group, start, end } = entry else { continue };
            if !self.program.counting[*group as usize] {
                continue;
            }
            if *end == UNSET {
                return Empty::No;
            }
            if start != end {
                answer = Empty::No;
            } else if *end != way.pos {
                answer = Empty::Elsewhere;
            }
        }
        answer
    }

    /// Returns the last way that was left, among those above `base`.
    fn back(&mut self, base: usize) -> Result<Option<Way>, StepLimit> {
        while self.memory.stack.len() > base {
            let Some(entry) = self.memory.stack.pop() else { break };
            let way = match entry {
                Entry::Restore { slot, value } => {
                    self.memory.slots[slot as usize] = value;
                    continue;
                }
                Entry::Opened { group, start, end } => {
                    self.reopen(group, start, end);
                    continue;
                }
                Entry::Way(way) => way,
                Entry::Shrink { mut way, least } => {
                    if way.pos > least {
                        way.pos = text::before(self.text, way.pos as usize) as u32;
                        if way.pos > least {
                            self.memory.stack.push(Entry::Shrink { way, least });
                        }
                    }
                    way
                }
                Entry::Grow { mut way, left } => {
                    let Instruction::Run(run) = &self.program.code[way.at as usize - 1] else { continue };
                    let Some(pos) = self.step(run.what, way.pos) else { continue };
                    way.pos = pos;
                    if left > 1 {
                        self.push(Entry::Grow { way, left: left - 1 })?;
                    }
                    way
                }
            };
            self.memory.frames.truncate(way.frames as usize);
            return Ok(Some(way));
        }
        Ok(None)
    }

    /// Puts a group back as it was before it was opened.
    fn reopen(&mut self, group: u32, start: u32, end: u32) {
        let at = group as usize * 2;
        self.memory.slots[at] = start;
        self.memory.slots[at + 1] = end;
    }

    fn byte(&self, way: &mut Way, byte: u8) -> Next {
        let found = way.pos < self.end && self.text[way.pos as usize] == byte;
        way.pos += u32::from(found);
        Next::from(found)
    }

    fn literal(&self, way: &mut Way, literal: &[u8]) -> Next {
        let found = self.text[way.pos.min(self.end) as usize..self.end as usize].starts_with(literal);
        if found {
            way.pos += literal.len() as u32;
        }
        Next::from(found)
    }

    fn one(&self, way: &mut Way, what: One) -> Next {
        match self.step(what, way.pos) {
            Some(pos) => {
                way.pos = pos;
                Next::Go
            }
            None => Next::Fail,
        }
    }

    /// Returns the position behind the next character, if it is one of several.
    fn step(&self, what: One, pos: u32) -> Option<u32> {
        if pos >= self.end {
            return None;
        }
        let byte = self.text[pos as usize];
        if byte < 0x80 {
            let found = match what {
                One::Char(character) => character == char::from(byte),
                One::Set(set) => self.program.sets[set as usize].has_ascii(byte),
                One::Any { newline } => newline || byte != b'\n',
            };
            return found.then_some(pos + 1);
        }
        let (character, length) = text::decode(self.text, pos as usize);
        let found = match what {
            One::Char(wanted) => wanted == character,
            One::Set(set) => self.program.sets[set as usize].has(character),
            One::Any { .. } => true,
        };
        (found && pos + length as u32 <= self.end).then_some(pos + length as u32)
    }

    /// Takes as many characters as there are, so many at most: the position behind them, and how many they were.
    fn take(&self, what: One, pos: u32, most: u32) -> (u32, u32) {
        let (mut pos, mut count) = (pos, 0);
        if let One::Set(set) = what {
            let set = &self.program.sets[set as usize];
            let text = &self.text[..self.end as usize];
            while count < most
                && let Some(&byte) = text.get(pos as usize)
                && set.has_ascii(byte)
            {
                pos += 1;
                count += 1;
            }
        }
        while count < most
            && let Some(next) = self.step(what, pos)
        {
            pos = next;
            count += 1;
        }
        (pos, count)
    }

    fn repeated(&mut self, way: &mut Way, run: &Run) -> Result<Next, StepLimit> {
        let (least, needed) = self.take(run.what, way.pos, run.low);
        let more = if run.kind == RunKind::Lazy { 0 } else { run.high.saturating_sub(run.low) };
        let (pos, further) = if needed == run.low { self.take(run.what, least, more) } else { (least, 0) };
        self.spend(u64::from((needed + further) / 8))?;
        if needed < run.low {
            return Ok(Next::Fail);
        }
        way.pos = pos;
        let frames = self.memory.frames.len() as u32;
        let other = Way { frames, ..*way };
        if run.kind == RunKind::Lazy {
            if run.high > run.low {
                self.push(Entry::Grow { way: other, left: run.high - run.low })?;
            }
        } else if run.kind == RunKind::Greedy && pos > least {
            self.push(Entry::Shrink { way: other, least })?;
        }
        Ok(Next::Go)
    }

    /// Tries the part behind an instruction on its own: what it decided stays decided.
    fn apart(&mut self, way: &Way) -> Result<Option<u32>, StepLimit> {
        let base = self.memory.stack.len();
        let end = self.tried(way.at, way.pos, way.frame)?;
        if end.is_some() {
            let mut kept = base;
            for at in base..self.memory.stack.len() {
                if matches!(self.memory.stack[at], Entry::Restore { .. } | Entry::Opened { .. }) {
                    self.memory.stack.swap(kept, at);
                    kept += 1;
                }
            }
            self.memory.stack.truncate(kept);
        }
        Ok(end)
    }

    fn tried(&mut self, at: Address, pos: u32, frame: u32) -> Result<Option<u32>, StepLimit> {
        if self.nested >= NESTED {
            return Err(StepLimit);
        }
        self.nested += 1;
        let frames = self.memory.frames.len() as u32;
        let end = with_room(|| self.run_within(at, pos, frame, frames))?;
        self.nested -= 1;
        Ok(end)
    }

    fn run_within(&mut self, at: Address, pos: u32, frame: u32, frames: u32) -> Result<Option<u32>, StepLimit> {
        let end = self.run(at, pos, frame)?;
        if end.is_none() {
            self.memory.frames.truncate(frames as usize);
        }
        Ok(end)
    }

    /// Puts back all that was set since the stack was that high.
    fn undo(&mut self, base: usize) {
        while self.memory.stack.len() > base {
            match self.memory.stack.pop() {
                Some(Entry::Restore { slot, value }) => self.memory.slots[slot as usize] = value,
                Some(Entry::Opened { group, start, end }) => self.reopen(group, start, end),
                _ => {}
            }
        }
    }

    fn look(&mut self, way: &mut Way, negative: bool, end: Address) -> Result<Next, StepLimit> {
        let found = if negative {
            let base = self.memory.stack.len();
            let found = self.tried(way.at, way.pos, way.frame)?.is_some();
            self.undo(base);
            found
        } else {
            self.apart(way)?.is_some()
        };
        way.at = end;
        Ok(Next::from(found != negative))
    }

    /// The longest stretch that does not hold the part, and all shorter ones after it.
    fn absent(&mut self, way: &mut Way, end: Address) -> Result<Next, StepLimit> {
        let (start, outer) = (way.pos, self.end);
        let mut pos = start;
        loop {
            let base = self.memory.stack.len();
            let found = self.tried(way.at, pos, way.frame)?;
            self.undo(base);
            match found {
                Some(found) if found == pos => {
                    self.end = outer;
                    return Ok(Next::Fail);
                }
                Some(found) => self.end = self.end.min(text::before(self.text, found as usize) as u32),
                None => {}
            }
            if pos >= self.end {
                break;
            }
            pos = text::after(self.text, pos as usize) as u32;
        }
        let longest = self.end;
        self.end = outer;
        way.at = end;
        way.pos = longest;
        if longest > start {
            let frames = self.memory.frames.len() as u32;
            self.push(Entry::Shrink { way: Way { frames, ..*way }, least: start })?;
        }
        Ok(Next::Go)
    }

    fn enter(&mut self, way: &mut Way, value: u32, depth: u32) -> Result<(), StepLimit> {
        if self.memory.frames.len() >= limits::REGEX_MEMORY {
            return Err(StepLimit);
        }
        let height = self.memory.stack.len() as u32;
        self.memory.frames.push(Frame { parent: way.frame, pos: way.pos, value, depth, height });
        way.frame = (self.memory.frames.len() - 1) as u32;
        Ok(())
    }

    /// The value and the position of the frame a way is in.
    fn top(&self, frame: u32) -> (u32, u32) {
        self.memory.frames.get(frame as usize).map_or((0, 0), |frame| (frame.value, frame.pos))
    }

    fn leave(&self, way: &mut Way) -> (u32, u32) {
        let top = self.top(way.frame);
        way.frame = self.memory.frames.get(way.frame as usize).map_or(NO_FRAME, |frame| frame.parent);
        top
    }

    fn depth(&self, frame: u32) -> u32 {
        self.memory.frames.get(frame as usize).map_or(0, |frame| frame.depth)
    }

    fn counted(
        &mut self,
        way: &mut Way,
        (low, high): (u32, Option<u32>),
        greedy: bool,
        end: Address,
    ) -> Result<(), StepLimit> {
        let round = self.top(way.frame).0;
        let depth = self.depth(way.frame);
        let body = way.at;
        let mut out = *way;
        self.leave(&mut out);
        out.at = end;
        if high.is_some_and(|high| round >= high) {
            *way = out;
            return Ok(());
        }
        if round >= low && greedy {
            self.remember(out)?;
        }
        let mut inner = Way { at: body, frame: out.frame, ..*way };
        if round >= low && !greedy {
            // The frame of the next round must outlive the way that leaves the loop.
            self.enter(&mut inner, round + 1, depth)?;
            self.remember(inner)?;
            *way = out;
            return Ok(());
        }
        self.enter(&mut inner, round + 1, depth)?;
        *way = inner;
        Ok(())
    }

    fn close(&mut self, way: &mut Way, group: u32) -> Result<(), StepLimit> {
        let (_, start) = self.leave(way);
        self.set(group * 2, start, way.frame)?;
        self.set(group * 2 + 1, way.pos, way.frame)?;
        if self.program.levels {
            let last = self.program.slots;
            let before = self.memory.slots[last];
            if self.memory.history.len() >= limits::REGEX_MEMORY {
                return Err(StepLimit);
            }
            let depth = self.depth(way.frame);
            self.memory.history.push(Closed { before, group, span: (start, way.pos), depth });
            self.set(last as u32, (self.memory.history.len() - 1) as u32, way.frame)?;
        }
        Ok(())
    }

    fn span(&self, group: u32) -> Option<(u32, u32)> {
        let at = group as usize * 2;
        match (self.memory.slots.get(at), self.memory.slots.get(at + 1)) {
            (Some(start), Some(end)) if *start != UNSET && *end != UNSET => Some((*start, *end)),
            _ => None,
        }
    }

    /// The last time one of the groups was closed at that level of calls.
    fn span_at_level(&self, groups: &[u32], depth: i64) -> Option<(u32, u32)> {
        let mut last = self.memory.slots[self.program.slots];
        while let Some(closed) = self.memory.history.get(last as usize) {
            if i64::from(closed.depth) == depth && groups.contains(&closed.group) {
                return Some(closed.span);
            }
            last = closed.before;
        }
        None
    }

    fn refer(&self, way: &mut Way, reference: &Reference) -> Next {
        if let Some(level) = reference.level {
            let depth = i64::from(self.depth(way.frame)) + i64::from(level);
            let Some(span) = self.span_at_level(&reference.groups, depth) else { return Next::Fail };
            return Next::from(self.again(way, span, reference.ignore_case));
        }
        for group in reference.groups.iter().rev() {
            if let Some(span) = self.span(*group)
                && self.again(way, span, reference.ignore_case)
            {
                return Next::Go;
            }
        }
        Next::Fail
    }

    /// Takes what a group has matched once more.
    fn again(&self, way: &mut Way, (start, end): (u32, u32), ignore_case: bool) -> bool {
        let length = end.saturating_sub(start);
        if u64::from(way.pos) + u64::from(length) > u64::from(self.end) {
            return false;
        }
        let wanted = &self.text[start as usize..(start + length) as usize];
        let rest = &self.text[way.pos as usize..self.end as usize];
        if !ignore_case {
            let found = rest.starts_with(wanted);
            way.pos += if found { length } else { 0 };
            return found;
        }
        let (mut left, mut right) = (0, 0);
        while left < wanted.len() {
            if right >= rest.len() {
                return false;
            }
            let (one, one_length) = text::decode(wanted, left);
            let (other, other_length) = text::decode(rest, right);
            if one != other && fold::representative(one) != fold::representative(other) {
                return false;
            }
            left += one_length;
            right += other_length;
        }
        way.pos += right as u32;
        true
    }

    fn holds(&self, assertion: Assertion, pos: u32) -> bool {
        let (text, pos) = (self.text, pos as usize);
        match assertion {
            Assertion::TextStart => pos == 0,
            Assertion::TextEnd => pos == text.len(),
            Assertion::LastLineEnd => pos == text.len() || (pos + 1 == text.len() && text[pos] == b'\n'),
            Assertion::LineStart => pos == 0 || (text[pos - 1] == b'\n' && pos < text.len()),
            Assertion::LineEnd => pos == text.len() || text[pos] == b'\n',
            Assertion::SearchStart => pos == self.search_start as usize,
            Assertion::Word { boundary, unicode } => {
                let before = pos > 0 && text::is_word(text, text::before(text, pos), unicode);
                let behind = pos < text.len() && text::is_word(text, pos, unicode);
                (before != behind) == boundary
            }
        }
    }
}

impl From<bool> for Next {
    fn from(found: bool) -> Next {
        if found { Next::Go } else { Next::Fail }
    }
}
