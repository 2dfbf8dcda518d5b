//! Resources made at random: values that each attribute takes, and values that it nearly takes.

use std::sync::LazyLock;

use serde_json::{Map, Value as Json, json};

use super::super::random::numbers::Numbers;

/// An attribute as the real Puppet tells of it.
pub(super) struct Attribute {
    name: String,
    /// Words that it takes.
    words: Vec<String>,
}

/// A type with its attributes.
pub(super) struct Kind {
    pub(super) name: String,
    attributes: Vec<Attribute>,
}

impl Kind {
    /// Reads `[name, words, patterns]` of each attribute.
    pub(super) fn from_json(name: &str, described: &Json) -> Option<Kind> {
        let attributes = described.as_array()?.iter().map(|attribute| {
            let words = attribute[1].as_array().into_iter().flatten();
            Attribute {
                name: attribute[0].as_str().unwrap_or_default().to_owned(),
                words: words.filter_map(Json::as_str).map(str::to_owned).collect(),
            }
        });
        Some(Kind { name: name.to_owned(), attributes: attributes.collect() })
    }

    /// Makes a resource in the form of the wire. Its number is in its title, so that no two are the same.
    pub(super) fn resource(&self, number: usize, numbers: &mut Numbers) -> Json {
        let mut parameters = Map::new();
        for _ in 0..=numbers.below(4) {
            let attribute = &self.attributes[numbers.below(self.attributes.len())];
            // What the provider is decides much, and is seldom written.
            if attribute.name != "provider" || numbers.one_in(3) {
                parameters.insert(attribute.name.clone(), attribute.value(&self.name, numbers));
            }
        }
        if numbers.one_in(12) {
            let (name, value) = metaparameter(numbers);
            parameters.insert(name.to_owned(), value);
        }
        for (name, value) in self.needed(numbers) {
            parameters.entry(name).or_insert(value);
        }
        json!({"type": capitalized(&self.name), "title": self.title(number, numbers), "tags": [], "exported": false, "kind": "compilable_type", "file": "/site.pp", "line": 7, "parameters": parameters})
    }

    /// What a resource of the type must have to come as far as its other values.
    fn needed(&self, numbers: &mut Numbers) -> Vec<(&'static str, Json)> {
        if numbers.one_in(8) {
            return Vec::new();
        }
        match self.name.as_str() {
            "exec" => vec![("path", json!("/usr/bin:/bin"))],
            "ssh_authorized_key" => vec![("user", json!("root"))],
            "tidy" if numbers.one_in(2) => vec![("recurse", json!(true))],
            _ => Vec::new(),
        }
    }

    fn title(&self, number: usize, numbers: &mut Numbers) -> String {
        let odd = numbers.one_in(10);
        match self.name.as_str() {
            "file" | "tidy" | "mount" if odd => {
                numbers.pick(&["tmp/x", "./x", "x y", "C:x", "", "c:\\", "//a/b"]).to_owned() + &number.to_string()
            }
            "file" | "tidy" if numbers.one_in(4) => format!("C:/x{number}"),
            "file" | "tidy" | "mount" => format!("/tmp/x{number}"),
            "exec" if odd => format!("echo {number}"),
            "exec" if numbers.one_in(4) => format!("C:/echo.exe {number}"),
            "exec" => format!("/bin/echo {number}"),
            "resources" => numbers
                .pick(&["user", "host", "cron", "file", "service", "no_such_type", "package", "Group"])
                .to_owned(),
            "host" if odd => format!("{}{number}", numbers.pick(&["a_b.c", "-x.y", "a..b", "a b", ".a"])),
            "host" => format!("h{number}.example.org"),
            "sshkey" if odd => format!("{}{number}", numbers.pick(&["a b", "a,b", "h@ssh-rsa", "h@x"])),
            _ if odd => format!("{}{number}", numbers.pick(&["a b ", "ä", "a/b", "A:", "-"])),
            _ => format!("n{number}"),
        }
    }
}

impl Attribute {
    fn value(&self, kind: &str, numbers: &mut Numbers) -> Json {
        let one = self.one_value(kind, numbers);
        match numbers.below(12) {
            0 => json!([one, self.one_value(kind, numbers)]),
            1 if numbers.one_in(3) => json!([]),
            1 => json!([one]),
            _ => one,
        }
    }

    fn one_value(&self, kind: &str, numbers: &mut Numbers) -> Json {
        match numbers.below(10) {
            0..=4 if !self.words.is_empty() => word(&self.words[numbers.below(self.words.len())], numbers),
            5 if !self.words.is_empty() => json!(damaged(&self.words[numbers.below(self.words.len())], numbers)),
            0..=7 => {
                let usual = usual_values(kind, &self.name);
                match usual.is_empty() {
                    true => any(numbers),
                    false => {
                        let value = usual[numbers.below(usual.len())].clone();
                        match value.as_str().filter(|_| numbers.one_in(6)) {
                            Some(text) => json!(damaged(text, numbers)),
                            None => value,
                        }
                    }
                }
            }
            _ => any(numbers),
        }
    }
}

/// A word as manifests have it: `true` may be no text.
fn word(word: &str, numbers: &mut Numbers) -> Json {
    match word {
        "true" | "false" if numbers.one_in(2) => json!(word == "true"),
        word => json!(word),
    }
}

fn capitalized(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

/// A text with a letter less, twice, in another case, or with something around it.
fn damaged(text: &str, numbers: &mut Numbers) -> String {
    let letters: Vec<char> = text.chars().collect();
    let place = numbers.below(letters.len());
    let without = || letters.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, letter)| letter).collect();
    match numbers.below(8) {
        0 | 1 => without(),
        2 => text.to_uppercase(),
        3 => format!("{text} "),
        4 => format!(" {text}"),
        5 => format!("{text}\n"),
        6 => format!("{text}{text}"),
        _ => letters.iter().flat_map(|letter| [*letter, *letter]).collect(),
    }
}

/// The values that are drawn, one JSON list a line: first what anybody may write anywhere, then metaparameters, then `[TYPES, ATTRIBUTES, VALUES]`:
/// what people write for an attribute, rightly and nearly so.
static VALUES: LazyLock<Vec<Json>> = LazyLock::new(|| {
    let lines = include_str!("values.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("a list of values")).collect()
});

fn list(value: &Json) -> &[Json] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Draws a value that anybody may write anywhere.
fn any(numbers: &mut Numbers) -> Json {
    let values = list(&VALUES[0][1]);
    values[numbers.below(values.len())].clone()
}

fn metaparameter(numbers: &mut Numbers) -> (&'static str, Json) {
    let pairs = list(&VALUES[1][1]);
    let pair = &pairs[numbers.below(pairs.len())];
    (pair[0].as_str().unwrap_or_default(), pair[1].clone())
}

/// Returns what people write for an attribute.
fn usual_values(kind: &str, attribute: &str) -> &'static [Json] {
    let names = |words: &Json, name: &str| {
        words.as_str().is_some_and(|words| words == "*" || words.split(' ').any(|word| word == name))
    };
    let found = VALUES[2..].iter().find(|line| names(&line[0], kind) && names(&line[1], attribute));
    found.map_or(&[], |line| list(&line[2]))
}
