//! Files by pattern, in the order in which Ruby's `Dir.glob` gives them.
//!
//! `*`, `?`, `[…]` and `{a,b}` mean what they mean there; `**/` goes down every folder that is no link. A name that
//! starts with a dot must be asked for with a dot.

use std::path::{Path, PathBuf};

use pantin_base::limits;

use super::Disk;

/// Returns the paths that fit `pattern`; an absolute one is meant. `Err`: a folder cannot be listed, or there are too
/// many names.
pub fn glob(disk: &dyn Disk, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let (mut found, mut seen) = (Vec::new(), 0);
    for pattern in braces_expanded(pattern)? {
        let relative = pattern.trim_start_matches('/');
        let start = if relative.len() < pattern.len() { "/" } else { "" };
        found.extend(search(disk, Path::new(start), relative, &mut seen)?);
    }
    Ok(found)
}

/// The same below a folder, whose own name may hold anything. There are no braces in `pattern`.
pub fn glob_under(disk: &dyn Disk, folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    search(disk, folder, pattern, &mut 0)
}

/// `seen`: how many names were looked at, for all patterns that one stands for.
fn search(disk: &dyn Disk, folder: &Path, pattern: &str, seen: &mut usize) -> Result<Vec<PathBuf>, String> {
    let segments = segments(pattern);
    let mut search = Search { disk, root: folder, segments: &segments, seen, found: Vec::new() };
    search.at(folder, &[0])?;
    Ok(search.found)
}

/// Returns true if a text is a pattern, by the rule of the real one.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// `a{b,c}d` is `abd` and `acd`.
fn braces_expanded(pattern: &str) -> Result<Vec<String>, String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(next) = open.pop() {
        if done.len() + open.len() > limits::GLOB_PATTERNS {
            return Err(format!("the pattern {pattern} stands for more than {} patterns", limits::GLOB_PATTERNS));
        }
        match first_brace(&next) {
            Some((start, end)) => {
                let variants = alternatives(&next[start + 1..end]);
                let whole = |variant: &str| format!("{}{variant}{}", &next[..start], &next[end + 1..]);
                open.extend(variants.into_iter().rev().map(whole));
            }
            None => done.push(next),
        }
    }
    Ok(done)
}

fn first_brace(pattern: &str) -> Option<(usize, usize)> {
    let start = pattern.find('{')?;
    let mut depth = 0usize;
    for (at, byte) in pattern.bytes().enumerate().skip(start) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((start, at));
        }
    }
    None
}

/// Returns what commas divide, but not those within inner braces.
fn alternatives(inside: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    parts
}

#[derive(PartialEq, Eq, Debug)]
enum Segment {
    /// `**/`
    AnyFolders,
    Name(String),
    Pattern(Vec<char>),
    /// Of a pattern that ends in a slash: folders alone.
    Folder,
}

fn segments(pattern: &str) -> Vec<Segment> {
    let mut parts = pattern.split('/').peekable();
    let mut segments = Vec::new();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        segments.push(match part {
            "" if is_last => Segment::Folder,
            "" => continue,
            "**" if !is_last => {
                // Twice in a row says no more than once.
                if segments.last() == Some(&Segment::AnyFolders) {
                    continue;
                }
                Segment::AnyFolders
            }
            _ if part.contains(['*', '?', '[', '\\']) => Segment::Pattern(part.chars().collect()),
            _ => Segment::Name(part.to_owned()),
        });
    }
    segments
}

struct Search<'s> {
    disk: &'s dyn Disk,
    root: &'s Path,
    segments: &'s [Segment],
    seen: &'s mut usize,
    found: Vec<PathBuf>,
}

impl Search<'_> {
    /// Goes on from `path`, where the pattern may have been matched up to each of `places`.
    fn at(&mut self, path: &Path, places: &[usize]) -> Result<(), String> {
        if places.contains(&self.segments.len()) && self.disk.exists(path) {
            self.found.push(path.to_owned());
        }
        let next = |place: usize| match self.segments.get(place) {
            Some(Segment::AnyFolders) => self.segments.get(place + 1),
            other => other,
        };
        if places.iter().any(|&place| next(place) == Some(&Segment::Folder)) && self.disk.is_folder(path) {
            self.found.push(path.to_owned());
        }
        let must_list = places
            .iter()
            .any(|&place| matches!(self.segments.get(place), Some(Segment::AnyFolders | Segment::Pattern(_))));
        if must_list { self.entries(path, places) } else { self.names(path, places) }
    }

    fn entries(&mut self, path: &Path, places: &[usize]) -> Result<(), String> {
        let entries = match self.disk.list(path) {
            Ok(Some(entries)) => entries,
            Ok(None) => return Ok(()),
            // What may not be looked into has nothing in it.
            Err(error) if error.is_refused() => return Ok(()),
            Err(error) => return Err(error.ruby_folder_message(path, "")),
        };
        *self.seen += entries.len() + 1;
        if *self.seen > limits::FOLDER_ENTRIES {
            let (most, root) = (limits::FOLDER_ENTRIES, self.root.display());
            return Err(format!("there are more than {most} names under {root}"));
        }
        for entry in entries {
            let name = entry.name.to_string_lossy();
            let mut onward = Vec::new();
            for &place in places {
                let mut place = place;
                if self.segments.get(place) == Some(&Segment::AnyFolders) {
                    if entry.is_folder && !entry.is_link && !name.starts_with('.') {
                        onward.push(place);
                    }
                    place += 1;
                }
                let fits = match self.segments.get(place) {
                    Some(Segment::Name(wanted)) => *wanted == name,
                    Some(Segment::Pattern(pattern)) => name_fits(pattern, &name),
                    _ => false,
                };
                if fits && !onward.contains(&(place + 1)) {
                    onward.push(place + 1);
                }
            }
            if !onward.is_empty() {
                self.at(&path.join(&entry.name), &onward)?;
            }
        }
        Ok(())
    }

    fn names(&mut self, path: &Path, places: &[usize]) -> Result<(), String> {
        let mut done: Vec<&str> = Vec::new();
        for &place in places {
            let Some(Segment::Name(name)) = self.segments.get(place) else { continue };
            if done.contains(&name.as_str()) {
                continue;
            }
            done.push(name);
            let same = places.iter().filter(|&&other| self.segments.get(other) == self.segments.get(place));
            let onward: Vec<usize> = same.map(|other| other + 1).collect();
            self.at(&path.join(name), &onward)?;
        }
        Ok(())
    }
}

/// Returns true if a name fits a pattern; a dot at its beginning has to stand in the pattern.
pub fn fnmatch(pattern: &str, name: &str) -> bool {
    name_fits(&pattern.chars().collect::<Vec<char>>(), name)
}

fn name_fits(pattern: &[char], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    if name.first() == Some(&'.') && pattern.first() != Some(&'.') {
        return false;
    }
    fits(pattern, &name)
}

/// Remembers the last `*` alone: what stood before an earlier one need not be tried again.
fn fits(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut in_name) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        if pattern.get(at) == Some(&'*') {
            star = Some((at + 1, in_name));
            at += 1;
            continue;
        }
        let matched = match (pattern.get(at), name.get(in_name)) {
            (None, None) => return true,
            (Some(_), Some(&letter)) => one_fits(&pattern[at..], letter),
            _ => None,
        };
        match (matched, star) {
            (Some(length), _) => {
                at += length;
                in_name += 1;
            }
            (None, Some((after, from))) if from < name.len() => {
                star = Some((after, from + 1));
                at = after;
                in_name = from + 1;
            }
            _ => return false,
        }
    }
}

/// Whether the first part of the pattern fits a letter, and how long that part is.
fn one_fits(pattern: &[char], letter: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['[', ..] => set_fits(pattern, letter),
        ['\\', escaped, ..] => (*escaped == letter).then_some(2),
        [first, ..] => (*first == letter).then_some(1),
        [] => None,
    }
}

/// `[a-z]`, `[^a]`, `[!a]`.
fn set_fits(pattern: &[char], letter: char) -> Option<usize> {
    let is_negated = matches!(pattern.get(1), Some('^' | '!'));
    let mut at = 1 + usize::from(is_negated);
    let mut is_in = false;
    while let Some(&first) = pattern.get(at) {
        if first == ']' {
            return (is_in != is_negated).then_some(at + 1);
        }
        let escaped = usize::from(first == '\\');
        let low = *pattern.get(at + escaped)?;
        at += escaped + 1;
        let mut high = low;
        if pattern.get(at) == Some(&'-') && pattern.get(at + 1).is_some_and(|end| *end != ']') {
            high = pattern[at + 1];
            at += 2;
        }
        is_in |= (low..=high).contains(&letter);
    }
    // Nothing closes it.
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MachineDisk;
    use std::fs;
    use tempfile::TempDir;

    const FILES: [&str; 12] = [
        "a.pp",
        "b.pp",
        "b/a.pp",
        "b/c/d.pp",
        "b.d/x.pp",
        ".h/x.pp",
        ".x.pp",
        "Z.pp",
        "site-b/m/x",
        "site-a/m/x",
        "s[1]/y",
        "é.pp",
    ];

    fn found(pattern: &str) -> Vec<String> {
        let folder = TempDir::new().unwrap();
        for file in FILES {
            fs::create_dir_all(folder.path().join(file).parent().unwrap()).unwrap();
            fs::write(folder.path().join(file), "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), folder.path().join("b/loop")).unwrap();
        let disk = MachineDisk { limit: 100 };
        let found = glob(&disk, &format!("{}/{pattern}", folder.path().display())).unwrap();
        found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string()).collect()
    }

    /// What Ruby 3.1 gives for the same tree.
    #[test]
    fn the_order_is_that_of_ruby() {
        let all = ["Z.pp", "a.pp", "b/a.pp", "b/c/d.pp", "b.d/x.pp", "b.pp", "é.pp"];
        assert_eq!(found("**/*.pp"), all);
        assert_eq!(found("site-*"), ["site-a", "site-b"]);
        assert_eq!(found("site-{b,a}/m"), ["site-b/m", "site-a/m"]);
        assert_eq!(found("s[ij]te-?/*/x"), ["site-a/m/x", "site-b/m/x"]);
        assert_eq!(found(".*.pp"), [".x.pp"]);
        assert_eq!(found("s\\[1\\]/*"), ["s[1]/y"]);
        assert_eq!(found("b/**/*"), ["b/a.pp", "b/c", "b/c/d.pp", "b/loop"]);
        assert_eq!(found("nothing/*"), Vec::<String>::new());
        assert_eq!(found("[!a-z].pp"), ["Z.pp", "é.pp"]);
        assert_eq!(found("*/a.pp"), ["b/a.pp"]);
        assert_eq!(found("b/*/a.pp"), ["b/loop/a.pp"]);
        assert_eq!(found("**/x"), ["site-a/m/x", "site-b/m/x"]);
    }

    #[test]
    fn patterns_without_end_are_refused() {
        let disk = MachineDisk { limit: 100 };
        assert!(glob(&disk, &"{a,b}".repeat(40)).is_err());
        assert!(!fits(&"*a*a*a*a*a*a*a*a*a*a*b".chars().collect::<Vec<_>>(), &vec!['a'; 10_000]));
    }
}
