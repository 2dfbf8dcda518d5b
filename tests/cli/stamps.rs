//! Whatever was edited, by whatever means: what the cache answers is what is compiled without one. The binary, in a real
//! folder, with what stamps tell of its files.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::Folder;
use crate::cache::{anew, files, fleet, without_version, written};

/// Modules enough for stamps to be worth it.
const MODULES: usize = 12;

fn repository() -> Folder {
    let folder = Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n- name: all\n  paths: ['own/%{facts.clientcert}.yaml', link.yaml, common.yaml]\n",
        ),
        ("data/common.yaml", "port: '80'\n"),
        ("facts/web1.json", "{}"),
        ("facts/web2.json", "{}"),
    ]);
    let mut site = "node default {\n  notify { 'port': message => lookup('port') }\n".to_owned();
    for number in 0..MODULES {
        site.push_str(&format!("  include m{number}\n"));
        folder.write(
            &format!("modules/m{number}/manifests/init.pp"),
            format!("class m{number} {{ include m{number}::more }}\n"),
        );
        folder.write(
            &format!("modules/m{number}/manifests/more.pp"),
            format!("class m{number}::more {{ notify {{ 'm{number}': message => 'one' }} }}\n"),
        );
    }
    folder.write("manifests/site.pp", &(site + "}\n"));
    folder
}

/// The nodes that are compiled, while what all are answered is what it is without a cache.
fn compiled(folder: &Folder) -> Vec<String> {
    let catalogs = |more: &[&str]| -> (Value, _) {
        let report = fleet(folder, &[&["--out", "out"], more].concat());
        let catalogs = without_version(written(folder));
        fs::remove_dir_all(folder.path().join("out")).unwrap();
        (report, catalogs)
    };
    let (report, kept) = catalogs(&[]);
    assert_eq!(kept, catalogs(&["--no-cache"]).1);
    anew(&report).into_iter().map(str::to_owned).collect()
}

fn wait_for_files_to_settle() {
    // What was changed within two seconds is looked at again in any case.
    std::thread::sleep(Duration::from_millis(2_100));
}

fn keep_modified(path: &Path, edit: impl FnOnce()) {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    edit();
    fs::File::options().write(true).open(path).unwrap().set_modified(modified).unwrap();
}

#[cfg(unix)]
#[test]
fn an_edit_shows_whatever_the_stamps_say() {
    let folder = repository();
    let at = |path: &str| folder.path().join(path);
    std::os::unix::fs::symlink("nowhere.yaml", at("data/link.yaml")).unwrap();
    let (nobody, both): ([&str; 0], _) = ([], ["web1", "web2"]);
    wait_for_files_to_settle();
    assert_eq!(compiled(&folder), both);
    let without = files(folder.cache.path()).len();
    assert_eq!(compiled(&folder), nobody);
    assert!(files(folder.cache.path()).len() > without, "the stamps are written");
    assert_eq!(compiled(&folder), nobody);
    type Edit<'a> = (&'a str, &'a dyn Fn(), &'a [&'a str]);
    let edits: [Edit<'_>; 10] = [
        (
            "as long as before, and as old",
            &|| {
                let manifest = at("modules/m3/manifests/more.pp");
                let text = fs::read_to_string(&manifest).unwrap().replace("one", "two");
                keep_modified(&manifest, || fs::write(&manifest, text).unwrap());
            },
            &both,
        ),
        ("a folder that was not there", &|| folder.write("data/own/web1.yaml", "port: '81'\n"), &["web1"]),
        ("a file beside it", &|| folder.write("data/own/web2.yaml", "port: '82'\n"), &["web2"]),
        ("one less", &|| fs::remove_file(at("data/own/web2.yaml")).unwrap(), &nobody),
        ("nothing", &|| {}, &nobody),
        ("the folder is gone", &|| fs::remove_dir_all(at("data/own")).unwrap(), &nobody),
        ("what a link leads to", &|| folder.write("data/nowhere.yaml", "port: '83'\n"), &both),
        (
            "another folder in its place",
            &|| {
                fs::create_dir_all(at("other/manifests")).unwrap();
                fs::write(at("other/manifests/init.pp"), "class m5 { include m5::more }\n").unwrap();
                fs::write(at("other/manifests/more.pp"), "class m5::more { notify { 'new': } }\n").unwrap();
                fs::rename(at("modules/m5"), at("old")).unwrap();
                fs::rename(at("other"), at("modules/m5")).unwrap();
            },
            &both,
        ),
        (
            "a link in its place",
            &|| {
                fs::rename(at("modules/m5"), at("newer")).unwrap();
                std::os::unix::fs::symlink(at("old"), at("modules/m5")).unwrap();
            },
            &both,
        ),
        (
            "a module that hides one",
            &|| folder.write("modules/m6/functions/lookup.pp", "function m6::x() { 1 }\n"),
            &nobody,
        ),
    ];
    for (name, edit, expected) in edits {
        edit();
        assert_eq!(compiled(&folder), expected, "{name}");
    }
    // And once more with stamps of all that.
    wait_for_files_to_settle();
    assert_eq!(compiled(&folder), nobody);
    fs::write(at("modules/m7/manifests/more.pp"), "class m7::more { notify { 'm7': message => 'two' } }\n").unwrap();
    assert_eq!(compiled(&folder), both);
}
