//! Native functions stand in for files of stdlib that are known, and for no others.

use crate::{Folder, Run};

const METADATA: &str = r#"{"name": "puppetlabs-stdlib", "version": "VERSION", "author": "puppetlabs", "license": "Apache-2.0",
 "source": "https://github.com/puppetlabs/puppetlabs-stdlib", "summary": "", "dependencies": []}"#;

fn compile(version: &str, file: &str, text: &str, code: &str) -> Run {
    let folder = Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", &format!("notice({code})\n")),
        ("modules/stdlib/metadata.json", &METADATA.replace("VERSION", version)),
        (&format!("modules/stdlib/lib/puppet/{file}"), text),
        ("facts/a.json", "{}"),
    ]);
    folder.run(&["compile", "a", "--facts", "facts", "--format", "summary"])
}

#[test]
fn a_file_without_code_defines_no_function() {
    for version in ["9.4.0", "8.5.0", "6.0.0"] {
        for text in ["", "\n\n", "# Nothing is here.\n  # Nothing at all.\n"] {
            let newer = compile(version, "functions/to_json.rb", text, "to_json([1])");
            assert_eq!(newer.code, Some(1), "{version} {text:?}: {}{}", newer.out, newer.err);
            let expected = "does not seem to be a Puppet 4x API function - no create_function call.";
            assert!(newer.err.contains(expected), "{version} {text:?}: {}", newer.err);
            let older = compile(version, "parser/functions/member.rb", text, "member([1], 1)");
            assert_eq!(older.code, Some(1), "{version} {text:?}: {}{}", older.out, older.err);
            let expected = "does not seem to be a Puppet 3x API function - no 'newfunction' call.";
            assert!(older.err.contains(expected), "{version} {text:?}: {}", older.err);
        }
    }
}

/// The functions that are native for every file with code of their versions, and those of which the digest decides: the
/// whole error is what the real Puppet 7.23 says.
#[test]
fn the_error_of_an_empty_file_is_that_of_the_real_one() {
    for (versions, file, code) in [
        (["8.5.0", "9.4.1"], "functions/merge.rb", "merge({}, {})"),
        (["8.5.0", "9.4.1"], "functions/ensure_packages.rb", "ensure_packages([])"),
        (["8.5.0", "9.4.1"], "parser/functions/ensure_resource.rb", "ensure_resource('notify', 'x')"),
        (["4.25.1", "6.6.0"], "functions/deprecation.rb", "deprecation('a', 'b')"),
        (["4.25.1", "6.6.0"], "parser/functions/defined_with_params.rb", "defined_with_params(Notify['x'], {})"),
    ] {
        let lacks = match file.starts_with("parser/") {
            true => "3x API function - no 'newfunction' call",
            false => "4x API function - no create_function call",
        };
        for version in versions {
            let run = compile(version, file, "# Nothing.\n", code);
            let error = run.err.split_once("Function Call, ").map(|(_, error)| error).unwrap_or_default();
            let (begin, end) = (
                "The code loaded from ",
                format!("/modules/stdlib/lib/puppet/{file} does not seem to be a Puppet {lacks}. (file: "),
            );
            assert!(error.starts_with(begin) && error.contains(&end), "{version} {code}: {}", run.err);
        }
    }
}
