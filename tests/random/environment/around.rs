//! What is known of the node, and settings.

use super::super::tree::Tree;
use super::generate::{Generator, block, lines};

impl Generator {
    pub(super) fn around(&mut self) -> Vec<Tree> {
        let mut blocks = vec![self.facts()];
        if self.numbers.one_in(5) {
            let enc = self.enc();
            blocks.push(block("enc", lines(&enc)));
        }
        if self.numbers.one_in(4) {
            blocks.push(block("trusted", Tree::text(r#"{"pp_role": "web", "1.3.6.1.4.1.34380.1.2.1": "x"}"#)));
        }
        if self.numbers.one_in(3) {
            blocks.push(self.exported());
        }
        if self.numbers.one_in(5) {
            blocks.push(self.settings());
        }
        blocks
    }

    fn facts(&mut self) -> Tree {
        let kind = self.numbers.pick(&["a", "b", "Z"]);
        let cores = self.numbers.pick(&["4", "2", "64"]);
        let family = self.numbers.pick(&["Debian", "RedHat"]);
        let tags = self.numbers.pick(&[r#"["x", "y"]"#, r#"["x"]"#, "[]"]);
        let more = self.numbers.pick(&[
            "",
            "",
            r#", "none": null, "empty": """#,
            r#", "flag": true, "load": 0.5"#,
            r#", "environment": "fact""#,
        ]);
        block(
            "facts",
            Tree::text(format!(
                r#"{{"kind": "{kind}", "cores": {cores}, "tags": {tags}, "os": {{"family": "{family}", "name": "Os", "release": {{"major": "12", "full": "12.1"}}}}{more}}}"#
            )),
        )
    }

    fn enc(&mut self) -> String {
        let classes = self.numbers.pick(&[
            "classes: [a, b]",
            "classes:\n  a:\n  base: {p: 9}",
            "classes: {late: {}, c: {p: [1, 2]}}",
            "classes: [a::x]",
            "classes: {}",
        ]);
        let wild = [
            "classes: {'::b': null}",
            "classes: [nope]",
            "classes: {a: {nope: 1}}",
            "classes: {a: {p: null}}",
            "classes: [A]",
        ];
        let classes = if self.tame || self.numbers.one_in(2) { classes } else { self.numbers.pick(&wild) };
        let parameters =
            self.numbers.pick(&["", "parameters: {role: web, n: 5}", "parameters: {kind: enc, deep: {x: [1]}}"]);
        let environment = self.numbers.pick(&["", "", "environment: testing"]);
        format!("{classes}\n{parameters}\n{environment}")
    }

    fn exported(&mut self) -> Tree {
        let all = [
            r#"{"certname": "x.example.org", "type": "Notify", "title": "from x", "tags": ["t1", "notify"], "parameters": {"message": "hi"}}"#,
            r#"{"certname": "y.example.org", "type": "File", "title": "/from/y", "tags": ["a", "file"], "parameters": {"mode": "0600", "owner": "x"}}"#,
            r#"{"certname": "node.example.org", "type": "Notify", "title": "own", "tags": [], "parameters": {}}"#,
            r#"{"certname": "x.example.org", "type": "D", "title": "from x", "tags": ["t2"], "parameters": {"p": [1, "x"]}}"#,
            r#"{"certname": "z.example.org", "type": "Notify", "title": "n0", "tags": ["t1"], "parameters": {"message": "mine"}}"#,
        ];
        let last = if self.tame { all.len() - 1 } else { all.len() };
        let count = self.numbers.below(last + 1);
        block("exported", Tree::text(format!("[{}]", all[..count].join(",\n"))))
    }

    fn settings(&mut self) -> Tree {
        let all = [
            "strict = error",
            "strict = off",
            "strict = warning",
            "strict_variables = true",
            "strict_variables = false",
            "rich_data = false",
            "freeze_main = true",
        ];
        let setting = if self.tame { self.numbers.pick(&all[1..3]) } else { self.numbers.pick(&all) };
        block("settings", Tree::text(setting))
    }
}
