//! Which texts may let code be told where the repository lies: a catalog that was made without them is the same wherever
//! that is, but for the places of its files.
//!
//! It errs on one side alone: a text that only looks as if it asked is said to ask. Knows nothing of what is kept.

use std::ffi::OsStr;
use std::path::Path;

use memchr::memmem;

/// Functions that answer with a path, and settings, many of which are paths.
const ASKING: [&str; 6] = ["find_file", "find_template", "module_directory", "get_module_path", "glob(", "settings::"];

/// What Ruby code knows of its own file, and how it asks for settings.
const ASKING_IN_RUBY: [&str; 8] =
    ["__FILE__", "__dir__", "Puppet[", "Puppet.settings", "expand_path", "absolute_path", "backtrace", "caller("];

/// Where data names the function that reads it: the functions of others are told of the file.
const BACK_ENDS: [&str; 4] = ["data_hash", "lookup_key", "data_dig", "hiera3_backend"];

/// Those that tell nobody.
const OWN_BACK_ENDS: [&str; 4] = ["yaml_data", "json_data", "hocon_data", "eyaml_lookup_key"];

/// `path`: of the file that has this text; empty for code without a file.
pub fn may_tell_where(path: &Path, text: &[u8]) -> bool {
    let has = |word: &&str| memmem::find(text, word.as_bytes()).is_some();
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    if ASKING.iter().any(has) {
        return true;
    }
    match ending {
        "rb" => ASKING_IN_RUBY.iter().any(has),
        "yaml" => BACK_ENDS.iter().any(|word| names_another(text, word)),
        // A folder that is named from this one lies elsewhere with it, though it is not in it.
        "conf" => has(&".."),
        // Any file may be a template.
        _ => has(&"<%") && (ASKING_IN_RUBY.iter().any(has) || asks_for_its_file(text)),
    }
}

/// `data_hash: a::function`
fn names_another(text: &[u8], key: &str) -> bool {
    let keys = memmem::find_iter(text, key.as_bytes());
    // The name of a back end may end like the key.
    let mut keys = keys.filter(|&at| at.checked_sub(1).is_none_or(|before| !is_of_name(text[before])));
    keys.any(|at| {
        let rest = &text[at + key.len()..];
        let is_between = |byte: &&u8| matches!(byte, b' ' | b'\t' | b':' | b'"' | b'\'');
        let name = &rest[rest.iter().take_while(is_between).count()..];
        let is_own = |own: &&str| {
            let after = name.strip_prefix(own.as_bytes());
            after.is_some_and(|after| after.first().is_none_or(|byte| !is_of_name(*byte)))
        };
        !OWN_BACK_ENDS.iter().any(is_own)
    })
}

/// `file` is a method of an ERB template. Between its marks, a call with arguments is another function.
fn asks_for_its_file(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(start) = memmem::find(rest, b"<%") {
        let inside = &rest[start + 2..];
        let end = memmem::find(inside, b"%>").unwrap_or(inside.len());
        if memmem::find_iter(&inside[..end], b"file").any(|at| {
            let before = at.checked_sub(1).map(|at| inside[at]);
            let after = inside.get(at + b"file".len());
            !before.is_some_and(|byte| is_of_name(byte) || matches!(byte, b'@' | b'$'))
                && !after.is_some_and(|byte| is_of_name(*byte) || *byte == b'(')
        }) {
            return true;
        }
        rest = &inside[end..];
    }
    false
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_a_path_is_known() {
        let telling = [
            ("/m/a.pp", "$x = find_file('a/b')"),
            ("/m/a.pp", "notice($settings::confdir)"),
            ("/d/a.yaml", "a: '%{::settings::confdir}'"),
            ("", "module_directory('a')"),
            ("/m/a.rb", "File.dirname(__FILE__)"),
            ("/m/a.rb", "Puppet[:confdir]"),
            ("/m/a.erb", "<%= file %>"),
            ("/m/a", "x <%- a = [file] -%>"),
            ("/m/a.erb", "file <%= __FILE__ %>"),
            ("/hiera.yaml", "- data_hash: a::b"),
            ("/hiera.yaml", "- {lookup_key: \"eyaml_lookup_key_of_mine\"}"),
            ("/environment.conf", "modulepath = ../shared"),
        ];
        for (path, text) in telling {
            assert!(may_tell_where(Path::new(path), text.as_bytes()), "{path}: {text}");
        }
        let others = [
            ("/m/a.pp", "file { '/x': content => file('a/b') }"),
            ("/m/a.epp", "<%= file('a/b') %> <%= $file %>"),
            ("/m/a.erb", "a file <%= @file %> and <%= profile %>"),
            ("/m/a.pp", "$settings = 1"),
            ("/hiera.yaml", "- data_hash: yaml_data\n- lookup_key: 'eyaml_lookup_key'\n"),
            ("/environment.conf", "modulepath = site:modules:$basemodulepath"),
        ];
        for (path, text) in others {
            assert!(!may_tell_where(Path::new(path), text.as_bytes()), "{path}: {text}");
        }
    }
}
