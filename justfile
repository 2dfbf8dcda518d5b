# One-line recipes. `just --list` shows them.

# All tests; a FILTER chooses by name: `just test strings`
test FILTER="":
    cargo test {{ if FILTER == "" { "" } else { quote(FILTER) } }}

# Formatting, lints, the specs, and the unit tests of the crates that changed
check:
    .ci/check

# Writes what Pantin says into specs that are new or deliberately differ
bless FILTER="":
    PANTIN_SPEC=bless cargo test --quiet --test pantin -- {{quote(FILTER)}}

# Asks the real Puppet and writes what it says into the specs; --check only compares
oracle FILTER="":
    {{ if FILTER == "--check" { "just oracle-check" } else { "PANTIN_SPEC=oracle cargo test --quiet --test pantin -- " + quote(FILTER) } }}

# Fails on a spec that is not what the real Puppet says
oracle-check FILTER="":
    PANTIN_SPEC=check cargo test --quiet --test pantin -- {{quote(FILTER)}}

# The corpus of real modules: verdict, messages and trees
compare:
    cargo test --release --test compare -- corpus

# Damaged copies of real files: verdict, message and place
mutants COUNT="20000" SEED="20261121":
    cargo test --release --test compare -- mutants {{COUNT}} {{SEED}}

# Snippets of Ruby, in the small Ruby and in the real one
compare-ruby:
    cargo test --test compare -- ruby

# Snippets of Ruby made at random, in the small Ruby and in the real one; what differs is made small
fuzz-ruby *OPTIONS:
    cargo test --test compare -- ruby-random {{OPTIONS}}

# Every method that the census of modules has, on something of every class, in the small Ruby and in the real one
census:
    cargo test --test compare -- census

# The files of the module stdlib that native functions stand in for, by their digests; --write writes the list
stdlib-files *OPTIONS:
    cargo test --test compare -- stdlib {{OPTIONS}}

# Checks of resources: what the real agent refuses and takes, on resources made at random or on the catalogs of a repository
compare-checks *OPTIONS:
    cargo test --test compare -- checks {{OPTIONS}}

# The native types: attributes, namevars, titles; folders of more modules may be named
kinds *FOLDERS:
    cargo test --test compare -- kinds {{FOLDERS}}

# The types that modules declare in Ruby; without a folder, those of the packages that are installed
types *MODULES:
    cargo test --test compare -- types {{MODULES}}

# Real modules, by both: every class and definition with its defaults, and as specs and documents show it
oracle-modules *OPTIONS:
    cargo test --test compare -- modules {{OPTIONS}}

# The relationship graphs of `tests/graph`, and of the catalogs in a folder; --write writes what the real Puppet says
graph *ARGS:
    cargo test --test compare -- graph {{ARGS}}

# Programs made at random, run by Pantin and by the real Puppet; what differs is made small
fuzz-oracle *OPTIONS:
    cargo test --test compare -- programs {{OPTIONS}}

# The demo fleet by the real Puppet: a JSON line a node with its catalog and its log
fleet OUT *OPTIONS:
    ruby tests/oracle/fleet.rb fixtures/control-repo fixtures/facts {{OUT}} {{OPTIONS}}

# A fleet by both, the demo's or another: 8 NODE,… --repository FOLDER --facts FOLDER --modules PATH
oracle-fleet *OPTIONS:
    cargo test --test compare -- fleet {{OPTIONS}}

# Environments made at random, compiled by Pantin and by the real Puppet
fuzz-catalogs *OPTIONS:
    cargo test --test compare -- environments {{OPTIONS}}

# The last commits of a repository of others as differences, against catalogs compiled afresh: --commits N, and options of the commands behind --
replay REPOSITORY FACTS *OPTIONS:
    cargo test --release --test reuse -- replay --repository {{REPOSITORY}} --facts {{FACTS}} {{OPTIONS}}

# Pairs of octocatalog-diff's own catalogs, by it and by `pantin diff`; FOLDER is a checkout of it
compare-octocatalog FOLDER:
    cargo build
    ruby tests/oracle/octocatalog_diff.rb {{FOLDER}}

# Catalogs and edits at random, applied by partial runs and by full ones on machines in memory
partial-runs COUNT="100000":
    PANTIN_RANDOM_PLANS={{COUNT}} cargo test --lib -- a_partial_run_leaves

# Edits at random: after each, all that is kept comes to what is worked out anew; what does not is made small
edits STEPS="7000" SEED="1":
    cargo test --release --test reuse -- edits --steps {{STEPS}} --seed {{SEED}}

# Sources that forget a read or a field of a digest: the tests of reuse must notice each
mutants-reuse *OPTIONS:
    cargo test --test reuse -- mutants {{OPTIONS}}

# Places of pcore and eval, chosen at random, that are other than they are: the tests must notice each; --count N --seed N
mutants-eval *OPTIONS:
    cargo run --release --manifest-path tests/mutation/Cargo.toml -- {{OPTIONS}}

# What the catalogs of the specs cost, in process: Pantin beside the real Puppet
speed FILTER="":
    PANTIN_SPEC=speed cargo test --quiet --release --test pantin -- {{quote(FILTER)}}

# Pantin and the real Puppet on the same manifests, in one run
bench-parse:
    benches/against-oracle

# Pantin and the real Puppet on the same programs, in one run
bench-eval:
    benches/eval-against-oracle

# Templates, functions and types of modules in Ruby, by Pantin and the real Puppet, in one run
bench-ruby:
    benches/ruby-against-oracle

# The facts of this machine, by Pantin and the real Facter, in one run
bench-facts:
    benches/facts-against-oracle

# Applying where nothing is to be changed, by Pantin and the real Puppet, on one machine
bench-apply RUNS="3":
    benches/apply-against-oracle {{RUNS}}

# The loop of `watch --apply`: from the edit of one of 5,000 files to the written file; as root
bench-apply-loop:
    benches/apply-loop

# The criterion benches
bench *ARGS:
    cargo bench {{ARGS}}

# A fuzz run of lexer, parser, epp, dump, hocon, json, yaml or ruby
fuzz TARGET RUNS="10000000" SEED="20261121":
    mkdir -p fuzz/corpus/{{TARGET}} && RUSTC_BOOTSTRAP=1 cargo fuzz run -s none --target-dir target/fuzz {{TARGET}} fuzz/corpus/{{TARGET}} fuzz/seeds -- -runs={{RUNS}} -seed={{SEED}} -max_len=512 -print_final_stats=1

# The instructions of what people wait for, beside a table: --write counts the table anew, --against builds its commit too
instructions *OPTIONS:
    benches/instructions {{OPTIONS}}

# The release build, guided by a profile of its own work on the fixtures: target/guided/pantin
guided-build:
    benches/guided-build

# A fleet with 1,000 bindings beside one without, and edits of bindings
bench-bindings:
    benches/bindings-fleet

# How long an edit of the demo fleet takes, from being noticed to the printed result
bench-watch:
    benches/watch-edits

# A fleet on modules of others, by Pantin and by the real Puppet: cold, again, alone
bench-fleet:
    benches/fleet-against-oracle

# A static binary with completions, manual pages and checksums: target/dist
dist *TARGET:
    packaging/dist {{TARGET}}

# The book, as pages: target/book (needs `cargo install mdbook --version 0.5.4 --locked`)
book:
    mdbook build docs

# All manifests that are applied, three times more: files read ahead, each in its turn, and disturbed in between; as root, half an hour
apply-looks:
    PANTIN_APPLY_LOOKS=all cargo test --test apply -- look:

# A role of the control repository, applied to two machines by Pantin and by the real Puppet; minutes, as root
role *OPTIONS:
    tests/apply/role/run {{OPTIONS}}
