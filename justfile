# One-line recipes. `just --list` shows them.

# All tests; a FILTER chooses by name: `just test strings`
test *ARGS:
    cargo test {{ARGS}}

# Writes what Pantin says into specs that are new or deliberately differ
bless FILTER="":
    PANTIN_SPEC=bless cargo test --quiet --test pantin -- {{quote(FILTER)}}

# Asks the real Puppet and writes what it says into the specs; --check only compares
oracle FILTER="":
    {{ if FILTER == "--check" { "just oracle-check" } else { "PANTIN_SPEC=oracle cargo test --quiet --test pantin -- " + quote(FILTER) } }}

# Fails on a spec that is not what the real Puppet says
oracle-check FILTER="":
    PANTIN_SPEC=check cargo test --quiet --test pantin -- {{quote(FILTER)}}
