//! The Debian package: it is made of a folder as `packaging/dist` makes it, installed into a scratch root, and removed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Folder;

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
#[ignore = "needs dpkg, strip and root"]
fn a_debian_package_is_installed_and_removed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::with(&[("dist/LICENSES.txt", "one\n"), ("dist/completions/.keep", ""), ("out/.keep", "")]);
    let dist = folder.path().join("dist");
    succeeds(Command::new("strip").arg("-o").arg(dist.join("pantin")).arg(env!("CARGO_BIN_EXE_pantin")));
    for name in ["LICENSE", "NOTICE", "CHANGELOG.md"] {
        fs::copy(root.join(name), dist.join(name)).unwrap();
    }
    for shell in ["bash", "zsh", "fish"] {
        fs::write(dist.join(format!("completions/pantin.{shell}")), folder.run(&["completions", shell]).out).unwrap();
    }
    assert_eq!(folder.run(&["man", "--out", "dist/man"]).code, Some(0));
    succeeds(Command::new(root.join("packaging/deb")).args([&dist, &folder.path().join("out")]));
    let made = fs::read_dir(folder.path().join("out")).unwrap().map(|entry| entry.unwrap().path());
    let package = made.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "deb")).unwrap();

    let scratch = folder.path().join("scratch");
    for below in ["info", "updates"] {
        fs::create_dir_all(scratch.join("var/lib/dpkg").join(below)).unwrap();
    }
    fs::write(scratch.join("var/lib/dpkg/status"), "").unwrap();
    let dpkg = |arguments: &[&str]| {
        let root = format!("--root={}", scratch.display());
        succeeds(Command::new("dpkg").args([&root, "--force-depends", "--force-script-chrootless"]).args(arguments))
    };
    dpkg(&["--install", package.to_str().unwrap()]);
    let binary = scratch.join("usr/bin/pantin");
    assert!(succeeds(Command::new(&binary).arg("--version")).starts_with("pantin "));
    for file in ["usr/share/man/man1/pantin-fleet.1.gz", "usr/share/bash-completion/completions/pantin"] {
        assert!(scratch.join(file).is_file(), "{file}");
    }
    dpkg(&["--purge", "pantin"]);
    assert!(!binary.exists() && !scratch.join("usr/share/man/man1/pantin.1.gz").exists());
}
