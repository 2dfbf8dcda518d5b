//! The versions that an example is of, and the words for them: `7`, `8`, `8.10`, `openvox`.

use pantin::base::Language;

pub(super) const VERSIONS: [Language; 3] = Language::ALL;

/// `8` is the language of Puppet 8.10 and of OpenVox, which differ in few things.
const WORDS: [(&str, &[Language]); 4] = [
    ("7", &[Language::Puppet7]),
    ("8", &[Language::Puppet8, Language::OpenVox8]),
    ("8.10", &[Language::Puppet8]),
    ("openvox", &[Language::OpenVox8]),
];

/// Reads a list of words: `7,openvox`.
pub(super) fn read(words: &str) -> Result<Vec<Language>, String> {
    let mut versions = Vec::new();
    for word in words.split(',') {
        let known = WORDS.iter().find(|(known, _)| *known == word.trim());
        let (_, named) = known.ok_or(format!("puppet = {words}: it is 7, 8, 8.10 or openvox"))?;
        versions.extend(*named);
    }
    Ok(versions)
}

/// Writes the words for some versions, as few as there are.
pub(super) fn write(versions: &[Language]) -> String {
    let mut words = Vec::new();
    let mut rest = versions.to_vec();
    for (word, named) in WORDS {
        if named.iter().all(|version| rest.contains(version)) {
            rest.retain(|version| !named.contains(version));
            words.push(word);
        }
    }
    words.join(",")
}

/// How a message names a version: `Puppet 8.10`.
pub(super) fn full_name(version: Language) -> String {
    format!("{} {}", version.product(), short(version.release()))
}

/// `8.10` of `8.10.0`.
pub(super) fn short(release: &str) -> String {
    release.split('.').take(2).collect::<Vec<_>>().join(".")
}
