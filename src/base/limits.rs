//! Every limit on what a source may ask of us, in one place.
//!
//! The real Puppet has them too, unstated: its own stack ends at a nesting of one to two
//! thousand. Ours are stated, and exceeding one is an error with a position.

/// The largest source that is read: offsets are kept in 32 bits, one of which marks decoded text.
pub const SOURCE_BYTES: usize = 1 << 30;

/// The stack of a thread that parses: room for going down to the limit of nesting. Only what is used is taken.
pub const STACK_BYTES: usize = 64 << 20;

/// How deep brackets, blocks, operators and interpolations may nest.
pub const NESTING: u32 = 2_000;

/// How high the tree of one source may grow; a chain `1 + 1 + …` grows it without nesting.
pub const TREE_HEIGHT: u32 = 4_000;

/// How deep Puppet text may stand in heredocs of Puppet text.
pub const EMBEDDING: u32 = 100;

/// A trace with more steps is not kept.
pub const TRACE_STEPS: usize = 10_000;

/// How many variants of one body are kept, each for other answers: a body that reads the name of its node has one for
/// each node, and a fleet that is watched would run it on all of them after each edit, were they not kept.
pub const BODY_VARIANTS: usize = 5_000;

/// How many digits an integer of data may have.
pub const INTEGER_DIGITS: usize = 10_000;

/// How many bodies may be evaluated inside each other: classes that include classes.
pub const BODY_DEPTH: usize = 1_000;

/// How many rounds of collectors and defined types a catalog may take. The real Puppet has the same limit.
pub const GENERATOR_ROUNDS: usize = 1_000;

/// How many resources one catalog may have: instances that declare instances of their own type would take all memory
/// within few rounds, for each may declare many.
pub const RESOURCES: u64 = 250_000;

/// How many steps the traces of one body may have together.
pub const BODY_STEPS: usize = 1_000_000;

/// How many steps all traces of a process may have together.
pub const ALL_STEPS: usize = 4_000_000;

/// The same where each node is asked once: those that no other node wants are soon let go.
pub const STEPS_FOR_NODES: usize = 400_000;

/// Integers with more digits are shown as written: changing the radix takes time that grows with
/// the square of the length.
pub const NUMBER_DIGITS: usize = 100_000;

/// How many expressions one look-up may interpolate: data that doubles itself would take for ever.
pub const INTERPOLATIONS: u32 = 1_000_000;

/// How many errors, and how many warnings, of one source are kept; more are only counted.
pub const KEPT_FINDINGS: usize = 10_000;

/// How many elements an array or hash may have.
pub const ELEMENTS: u64 = 20_000_000;

/// How many steps the search for one match may take, where a pattern must be tried way by way.
/// Ruby has no such limit: a pattern that needs more would keep it busy for seconds to for ever.
pub const REGEX_STEPS: u64 = 30_000_000;

/// How many undecided ways, and how many open groups and calls, one search may remember.
pub const REGEX_MEMORY: usize = 1 << 22;

/// How deep calls of functions and blocks may nest. The real Puppet's stack ends between one and two thousand.
pub const CALL_DEPTH: u32 = 10_000;

/// How many calls of functions and blocks one evaluation may make.
pub const CALLS: u64 = 100_000_000;

/// The longest text, in bytes, that an operation may make.
pub const TEXT_BYTES: usize = 1 << 28;

/// How many of the calls that an error went through are told of, from the innermost.
pub const SHOWN_CALLS: usize = 20;

/// How many names one search for files may look at.
pub const FOLDER_ENTRIES: usize = 1_000_000;

/// How many patterns one with braces may stand for.
pub const GLOB_PATTERNS: usize = 10_000;

/// How many values may be looked at to replace the substitutions of one HOCON text.
pub const SUBSTITUTIONS: u64 = 1_000_000;

/// How long a command that is asked about a node may take.
pub const COMMAND_SECONDS: u64 = 30;

/// So long may a command of git run: one that reads a large repository, or fetches what a partial clone lacks.
pub const GIT_SECONDS: u64 = 120;

/// So much may a command of git print.
pub const GIT_BYTES: u64 = 1 << 30;

/// How much a command may say.
pub const COMMAND_BYTES: u64 = 1 << 26;

/// How many steps (calls, rounds of loops) one run of Ruby code may take.
pub const RUBY_STEPS: u64 = 20_000_000;

/// How deep calls of Ruby code may nest. Ruby's own stack ends at some ten thousand.
pub const RUBY_DEPTH: u32 = 5_000;

/// How much the values of one run of Ruby code may take together, as they are weighed (`ruby::memory`).
pub const RUBY_BYTES: usize = 1 << 28;

/// How many variables one object of Ruby code may have; each is looked for among all.
pub const RUBY_VARIABLES: usize = 10_000;

/// How many elements an array or hash of Ruby code may get, and how many values Puppet code gets of it at once, each counted wherever
/// it stands.
pub const RUBY_ELEMENTS: u64 = 10_000_000;

/// How many times the nodes of a fleet may be compiled again because others export something else than before.
pub const EXPORT_ROUNDS: usize = 20;

/// The settings that raise [`CALL_DEPTH`], [`CALLS`], [`TEXT_BYTES`], [`ELEMENTS`], [`REGEX_STEPS`] and [`RESOURCES`].
pub const MAX_DEPTH: &str = "max_depth";
pub const MAX_CALLS: &str = "max_calls";
pub const MAX_TEXT_BYTES: &str = "max_text_bytes";
pub const MAX_ELEMENTS: &str = "max_elements";
pub const MAX_REGEX_STEPS: &str = "max_regex_steps";
pub const MAX_RESOURCES: &str = "max_resources";

/// How long a Ruby of the person's own may think before it answers or asks.
pub const OWN_RUBY_SECONDS: u64 = 60;

/// How much it may say at once.
pub const OWN_RUBY_BYTES: u64 = 1 << 26;

/// How often a call may begin anew because files have changed that a worker has loaded.
pub const OWN_RUBY_STARTS: usize = 3;

/// How many steps the code of one node may take together, and the code of one body: expressions, calls, parts of values and types
/// that are gone through or made (see [`super::budget`]).
pub const STEPS: u64 = 100_000_000;

/// How many seconds of the processor one node may take.
pub const NODE_SECONDS: u64 = 300;

/// So many bytes of a value that is made, or gone through, are a step.
pub const BYTES_OF_STEP: u64 = 64;

/// So many elements of a value that is gone through are a step.
pub const ELEMENTS_OF_STEP: u64 = 16;

/// How deep arrays, hashes and other values may be nested in each other. The real Puppet's stack ends between two and ten
/// thousand when it shows such a value.
pub const VALUE_DEPTH: u32 = 4_000;

/// How many types a type may be made of.
pub const TYPE_PARTS: u64 = 100_000;

/// How deep types may stand in each other.
pub const TYPE_DEPTH: u32 = 500;

/// How many edges the relationships of one catalog may have.
pub const EDGES: u64 = 1_000_000;

/// The settings that raise [`STEPS`], [`TYPE_PARTS`] and [`EDGES`].
pub const MAX_STEPS: &str = "max_steps";
pub const MAX_TYPE_PARTS: &str = "max_type_parts";
pub const MAX_EDGES: &str = "max_edges";

/// The code of the error of a node that took longer. Whether it would have a catalog is not known.
pub const OUT_OF_TIME: &str = "OUT_OF_TIME";

/// The setting that raises [`NODE_SECONDS`].
pub const MAX_NODE_SECONDS: &str = "max_node_seconds";

/// The setting that raises [`OWN_RUBY_SECONDS`].
pub const MAX_RUBY_SECONDS: &str = "max_ruby_seconds";
