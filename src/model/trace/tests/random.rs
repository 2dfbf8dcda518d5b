//! Random bodies in random worlds: a walk is a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use pantin_values::{Str, Value};

use super::program::{Ask, Do, Op, Program};
use super::traces;
use super::world::World;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn program(&mut self, classes: &[&'static str], depth: u32) -> Program {
        (0..1 + self.below(6)).map(|_| self.op(classes, depth)).collect()
    }

    fn op(&mut self, classes: &[&'static str], depth: u32) -> Op {
        match self.below(if depth == 0 { 10 } else { 14 }) {
            0..5 => Op::Ask(self.ask()),
            5 => Op::Do(Do::Log),
            6 => Op::Do(Do::Export(self.pick(&["e", "f", "g"]))),
            7 => Op::Do(Do::Declare { rescued: self.below(2) == 0 }),
            8 if !classes.is_empty() => Op::Do(Do::Include(self.pick(classes))),
            8 | 9 => Op::Fail { by: 11 },
            10..13 => {
                let by = 2 + self.below(2);
                Op::Branch { by: by as i64, ways: (0..by).map(|_| self.program(classes, depth - 1)).collect() }
            }
            _ => Op::Repeat(self.below(4) as usize, self.program(classes, depth - 1)),
        }
    }

    fn ask(&mut self) -> Ask {
        match self.below(13) {
            0..3 => Ask::Variable(self.pick(&["x", "y"])),
            3..6 => Ask::Part(self.pick(&["a", "b"])),
            6 => Ask::Whole,
            7..9 => Ask::VariableByNumber,
            9..12 => Ask::DefinedByNumber,
            _ if self.below(8) == 0 => Ask::Now,
            _ => Ask::Variable("h"),
        }
    }

    fn world(&mut self) -> World {
        let mut number = |bound| Value::Integer(self.below(bound) as i64);
        let h = Value::hash([("a".into(), number(2)), ("b".into(), number(2))]);
        let mut world = World::from_variables(&[("x", number(3)), ("y", number(2)), ("h", h)]);
        if self.below(4) == 0 {
            world.declared.insert("t1".into());
        }
        world
    }
}

#[test]
fn a_walk_is_a_run() {
    let (mut replayed, mut ran) = (0, 0);
    for seed in 0..400 {
        let mut random = Random(seed);
        let mut classes: BTreeMap<Str, Program> = BTreeMap::new();
        classes.insert("c2".into(), random.program(&[], 2));
        classes.insert("c1".into(), random.program(&["c2", "main"], 2));
        let main = random.program(&["c1", "c2"], 3);
        // A body may be met again while it is walked.
        classes.insert("main".into(), main.clone());
        let classes = Arc::new(classes);
        let traces = Arc::new(traces());
        for _ in 0..40 {
            let mut plain = random.world();
            plain.classes = Arc::clone(&classes);
            let mut walked = World { traces: Some(Arc::clone(&traces)), ..plain.clone() };
            let expected = plain.evaluate("main", &main);
            let result = walked.evaluate("main", &main);
            assert_eq!(result, expected, "seed {seed}");
            assert_eq!(walked.state(), plain.state(), "seed {seed}");
            assert_eq!(walked.applied, plain.applied, "seed {seed}: effects, in order, each once");
            assert!(walked.asked.len() <= plain.asked.len(), "seed {seed}: asked more than a run");
            replayed += usize::from(walked.runs == 0);
            ran += usize::from(walked.runs > 0);
        }
    }
    // Some of the bodies ask for the time.
    assert!(replayed > 3 * ran, "{replayed} replayed, {ran} ran");
}
