//! Hiera: the hierarchy, the data of each level, the data of modules.

use super::super::tree::Tree;
use super::generate::{Generator, file, lines};

/// Keys and the values that a level may have for each; the first ones are what everything can take.
const KEYS: [(&str, &[&str]); 15] = [
    ("k1", &["one", "uno", "\"%{facts.kind} and %{cores}\"", "\"%{lookup('k3')}\"", "'%{alias(\"list\")}'"]),
    ("k2", &["[1, 2]", "[2, 3, x]", "three", "[[1], [4, 5]]"]),
    ("k3", &["3", "drei", "1.5", "true", "~", "'%{literal(\"%\")}{x}'"]),
    ("k4", &["{x: [b, a], y: 1}", "{x: [c, --a], z: {q: 1}}", "{}", "{x: --, y: {z: 2}}"]),
    ("h", &["{a: {b: 1}}", "{a: {c: [1]}, d: '%{kind}'}", "{a: {b: 2, c: [2]}}", "{e: \"%{lookup('h2.x')}\"}"]),
    ("h2", &["{x: 'ex', 5: five}", "{x: [1]}"]),
    ("list", &["[a, b]", "[b, c, \"%{kind}\"]", "[{n: 1}, {n: 2}]"]),
    ("classes", &["[a]", "[b, base]", "[a::x, late]"]),
    ("secret", &["hidden", "{user: u, password: p}"]),
    ("a::p", &["from data", "7", "[1, 2]", "{k: '%{facts.os.family}'}"]),
    ("b::p", &["from data", "~", "\"%{lookup('a::p')}\""]),
    ("base::q", &["[x]", "[y, '%{cores}']"]),
    ("a::x::p", &["deep", "'%{trusted.certname}'"]),
    ("d::p", &["never"]),
    ("c::nope", &["1"]),
];

const WILD: [&str; 13] = [
    "k3: 2020-01-02",
    "k5: \"%{nope('x')}\"",
    "cycle: \"%{lookup('cycle')}\"",
    "k5: \"x %{alias('k1')}\"",
    "k5: \"%{lookup('none')}\"",
    "base::p: \"%{nope}\"",
    "base::q: 5",
    "k1: [unclosed",
    "c::q: x",
    ":symbol: 1",
    "k5: !ruby/object:Object {}",
    "k5: \"%{facts.none.deeper}\"",
    "k5: \"%{}%{::}%{''} %{scope('kind')}\"",
];

const OPTIONS: [&str; 12] = [
    "k2: {merge: unique}",
    "k4: {merge: {strategy: deep, knockout_prefix: --}}",
    "h: {merge: hash}",
    "h: {merge: deep}",
    "h2: {merge: first}",
    "list: {merge: unique}",
    "secret: {convert_to: Sensitive}",
    "k3: {convert_to: String}",
    "'^k[12]$': {merge: unique}",
    "a::p: {convert_to: [Array, true]}",
    "'^h': {merge: {strategy: deep, sort_merged_arrays: true, merge_hash_arrays: true}}",
    "list: {merge: {strategy: deep, merge_hash_arrays: true}}",
];

const BAD_OPTIONS: [&str; 6] = [
    "k3: {convert_to: Integer}",
    "k1: {merge: odd}",
    "h: {merge: {strategy: deep, nope: 1}}",
    "k1: {convert_to: Nope}",
    "k1: 5",
    "'^(': {merge: first}",
];

impl Generator {
    pub(super) fn data(&mut self) -> Vec<Tree> {
        let mut files = vec![self.hierarchy()];
        let kind_of_level =
            ["nodes/node.example.org", "kind/a", "os/Debian", "os/RedHat", "common", "tags/x", "more/1", "more/2"];
        for level in kind_of_level {
            if level == "common" || self.numbers.one_in(2) {
                let options = self.numbers.one_in(if level == "common" { 2 } else { 8 });
                let keys: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
                files.push(file(&format!("data/{level}.yaml"), self.level(&keys, level == "common", options)));
            }
        }
        if self.numbers.one_in(3) {
            files.push(file(
                "data/last.json",
                Tree::text(r#"{"k1": "json", "k3": "drei", "h": {"z": null}, "json": [1.5, "%{kind}"]}"#),
            ));
        }
        if self.modular {
            files.extend(self.module_data());
        }
        files
    }

    fn hierarchy(&mut self) -> Tree {
        let levels = [
            "  - {name: node, path: \"nodes/%{trusted.certname}.yaml\"}",
            "  - {name: kind, path: \"kind/%{facts.kind}.yaml\"}",
            "  - {name: os, paths: [\"os/%{facts.os.family}.yaml\", \"os/%{os.name}.yaml\"]}",
            "  - {name: tags, mapped_paths: [facts.tags, tag, \"tags/%{tag}.yaml\"]}",
            "  - {name: more, glob: \"more/*.yaml\"}",
            "  - {name: json, path: last.json, data_hash: json_data}",
            "  - {name: local, path: \"kind/%{::kind}%{nope}.yaml\"}",
        ];
        let wild = [
            "  - {name: node, path: x.yaml}",
            "  - {name: odd, path: x.yaml, glob: y}",
            "  - {name: two, data_hash: yaml_data, lookup_key: eyaml_lookup_key, path: x}",
            "  - {name: none, data_hash: nope::data}",
            "  - {name: h3, hiera3_backend: yaml, path: x}",
            "  - {path: x.yaml}",
            "  - {name: opt, path: common.yaml, options: {path: x}}",
        ];
        let mut lines_of = vec![Tree::text("version: 5"), Tree::text("hierarchy:")];
        for level in levels {
            if self.numbers.one_in(2) {
                lines_of.push(Tree::text(level));
            }
        }
        if !self.tame && self.numbers.one_in(8) {
            let bad = self.numbers.pick(&wild);
            lines_of.push(Tree::text(bad));
        }
        if self.modular && self.numbers.one_in(3) {
            let own = [
                "  - {name: hash, data_hash: a::data}",
                "  - {name: key, lookup_key: a::key, options: {x: 1}}",
                "  - {name: dig, data_dig: a::dig}",
            ];
            let own = self.numbers.pick(&own);
            lines_of.push(Tree::text(own));
        }
        lines_of.push(Tree::text("  - {name: common, path: common.yaml}"));
        if self.numbers.one_in(5) {
            lines_of.push(Tree::text("defaults: {datadir: data, data_hash: yaml_data}"));
        }
        file("hiera.yaml", Tree::list("\n", lines_of))
    }

    fn level(&mut self, keys: &[&'static str], most: bool, options: bool) -> Tree {
        let mut items = Vec::new();
        for key in keys {
            let values = KEYS.iter().find(|(known, _)| known == key).map_or(&[][..], |(_, values)| values);
            let present =
                if most { !self.numbers.one_in(4) || key.starts_with(['k', 'h']) } else { self.numbers.one_in(3) };
            if present && !values.is_empty() {
                items.push(Tree::text(format!("{key}: {}", self.numbers.pick(values))));
            }
        }
        if !self.tame && self.numbers.one_in(5) {
            let wild = self.numbers.pick(&WILD);
            items.push(Tree::text(wild));
        }
        if options {
            let mut all = Vec::new();
            for _ in 0..1 + self.numbers.below(3) {
                let wild = !self.tame && self.numbers.one_in(5);
                let option = if wild { self.numbers.pick(&BAD_OPTIONS) } else { self.numbers.pick(&OPTIONS) };
                all.push(Tree::text(format!("  {option}")));
            }
            items.push(Tree::Group(vec![Tree::text("lookup_options:\n"), Tree::list("\n", all)]));
        }
        Tree::list("\n", items)
    }

    fn module_data(&mut self) -> Vec<Tree> {
        let configuration = self.numbers.pick(&[
            "version: 5\nhierarchy:\n  - {name: kind, path: \"%{kind}.yaml\"}\n  - {name: common, path: common.yaml}",
            "version: 5\ndefault_hierarchy:\n  - {name: default, path: default.yaml}",
            "version: 5\nhierarchy:\n  - {name: own, data_hash: a::data}\ndefault_hierarchy:\n  - {name: default, path: default.yaml}",
        ]);
        let mut files = Vec::new();
        if self.numbers.one_in(2) {
            files.push(file("modules/a/hiera.yaml", lines(configuration)));
        }
        for name in ["common", "a", "default"] {
            if self.numbers.one_in(2) {
                let options = !self.tame && self.numbers.one_in(4);
                files.push(file(
                    &format!("modules/a/data/{name}.yaml"),
                    self.level(&["a::p", "a::x::p"], true, options),
                ));
            }
        }
        let hash = self.numbers.pick(&[
            "{ 'a::p' => \"own ${facts['kind']}\" }",
            "{ 'k1' => $options['path'], 'a::x::p' => 'own' }",
            "{}",
        ]);
        let key = self.numbers.pick(&[
            "if $key == 'k1' { \"key ${key} ${options['x']}\" } else { $context.not_found }",
            "$context.not_found()",
            "$key ? { 'k3' => $context.interpolate('%{kind}'), default => $context.not_found }",
        ]);
        files.push(file(
            "modules/a/functions/data.pp",
            lines(&format!("function a::data(Hash $options, Puppet::LookupContext $context) {{ {hash} }}")),
        ));
        files.push(file(
            "modules/a/functions/key.pp",
            lines(&format!("function a::key(String $key, Hash $options, Puppet::LookupContext $context) {{ {key} }}")),
        ));
        files.push(file(
            "modules/a/functions/dig.pp",
            lines("function a::dig(Array $segments, Hash $options, Puppet::LookupContext $context) { if $segments[0] == 'h' { 'dug' } else { $context.not_found } }"),
        ));
        files
    }
}
