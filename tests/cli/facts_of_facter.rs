//! The facts of this machine beside those of the real Facter: the same names, the same types, and the same values but for those that
//! change by the moment. Both run in a copy of this machine that is made for the test.

use std::process::Command;

use serde_json::{Map, Value};

use crate::Folder;

/// What a Facter without Ruby cannot know, and what needs a library of Ruby that is not installed everywhere.
const OF_RUBY: [&str; 6] = ["augeas", "augeasversion", "ruby", "rubyplatform", "rubysitedir", "rubyversion"];

/// Facts that differ from one moment to the next, or that count what is free.
const MOVING: [&str; 9] =
    ["load_averages", "system_uptime", "uptime", "memoryfree", "swapfree", "available", "used", "capacity", "speed"];

/// What Facter 4.3 lacks without the gem sys-filesystem, which this machine may not have.
const OF_MOUNTS: [&str; 2] = ["mountpoints", "partitions"];

/// What Facter asks `lspci` or `virt-what` about.
const OF_PROGRAMS: [&str; 4] = ["cloud", "hypervisors", "is_virtual", "virtual"];

const MARK: &str = "---- theirs above, ours below ----";

/// The file that tells a machine of these tests from every other one.
const MACHINE: &str = "made-by-the-tests-of-pantin";

/// Runs both in a copy of this machine that a script has changed, and returns what they print. The copy is an overlay over the whole
/// root: what is written in it, through links too, is gone at the end.
fn both(folder: &Folder, set_up: &str, arguments: (&str, &str)) -> (String, String) {
    let (theirs, ours) = arguments;
    let enter = format!(
        "set -e\nmkdir -p T\nmount -t tmpfs tmpfs T\nmkdir T/upper T/work T/root\n\
         mount -t overlay overlay -o \"lowerdir=/,upperdir=$PWD/T/upper,workdir=$PWD/T/work\" T/root\ncd T/root\n\
         mount -t proc proc proc\nmount --rbind /sys sys\nmount --rbind /dev dev\nmkdir here\nmount --bind ../.. here\n\
         touch pantin {MACHINE}\nmount --bind {} pantin\nexec chroot . sh -c \"$1\"",
        env!("CARGO_BIN_EXE_pantin")
    );
    let inside = format!(
        "test -e /{MACHINE} || exit 9\ncd /here\n{set_up}\nfacter {theirs} 2>/dev/null\necho '{MARK}'\n/pantin facts {ours}\n"
    );
    let mut command = Command::new("unshare");
    command.args(["--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", &enter, "sh", &inside]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    let (theirs, ours) = out.split_once(&format!("{MARK}\n")).unwrap_or_else(|| panic!("{out}{err}"));
    (theirs.to_owned(), ours.to_owned())
}

fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Where two values differ, each with its path.
fn differences(path: &str, theirs: &Value, ours: &Value, found: &mut Vec<String>) {
    let is_moving = |name: &str| MOVING.iter().any(|moving| name.starts_with(moving));
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            for (name, value) in theirs {
                match ours.get(name) {
                    Some(own) => differences(&format!("{path}.{name}"), value, own, found),
                    None => found.push(format!("{path}.{name}: is missing, {value}")),
                }
            }
            let more = ours.keys().filter(|name| !theirs.contains_key(*name) && !ours[*name].is_null());
            found.extend(more.map(|name| format!("{path}.{name}: is too much, {}", ours[name])));
        }
        (Value::Array(theirs), Value::Array(ours)) if theirs.len() == ours.len() => {
            for (at, (theirs, ours)) in theirs.iter().zip(ours).enumerate() {
                differences(&format!("{path}.{at}"), theirs, ours, found);
            }
        }
        _ if path.split('.').any(is_moving) => {
            let is_other = std::mem::discriminant(theirs) != std::mem::discriminant(ours);
            found.extend(is_other.then(|| format!("{path}: is of another type, {theirs} and {ours}")));
        }
        _ if theirs != ours => found.push(format!("{path}: {theirs} and {ours}")),
        _ => {}
    }
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default();
    path.split(':').any(|folder| std::path::Path::new(folder).join(program).exists())
}

fn assert_same_facts(set_up: &str) {
    let folder = Folder::with(&[]);
    let (theirs, ours) = both(&folder, set_up, ("--json --show-legacy", "--json --legacy --puppet 7"));
    let (mut theirs, mut ours) = (object(&theirs), object(&ours));
    OF_RUBY.iter().for_each(|name| drop(theirs.remove(*name)));
    if !theirs.contains_key("mountpoints") {
        OF_MOUNTS.iter().for_each(|name| {
            theirs.remove(*name);
            ours.remove(*name);
        });
    }
    // Without these programs Facter takes a virtual machine for a real one.
    if !["lspci", "virt-what"].iter().any(|program| is_installed(program)) {
        for name in OF_PROGRAMS {
            theirs.remove(name);
            ours.remove(name);
        }
    }
    let mut found = Vec::new();
    differences("", &Value::Object(theirs), &Value::Object(ours), &mut found);
    assert!(found.is_empty(), "{set_up}\n{}", found.join("\n"));
}

#[test]
#[ignore = "needs the real Facter 4.3 and root; `.ci/run` runs it"]
fn facts_of_this_machine_are_those_of_facter() {
    assert_same_facts("");
}

/// Texts of `/etc` by which a distribution is known.
const SYSTEMS: [&str; 9] = [
    "rm -f /etc/debian_version; printf 'NAME=\"Rocky Linux\"\\nVERSION=\"9.2 (Blue Onyx)\"\\nID=\"rocky\"\\nID_LIKE=\"rhel centos fedora\"\\n\
     VERSION_ID=\"9.2\"\\nPRETTY_NAME=\"Rocky Linux 9.2 (Blue Onyx)\"\\n' > /etc/os-release; \
     echo 'Rocky Linux release 9.2 (Blue Onyx)' > /etc/redhat-release",
    "printf 'NAME=\"CentOS Linux\"\\nID=\"centos\"\\nID_LIKE=\"rhel fedora\"\\nVERSION_ID=\"7\"\\nPRETTY_NAME=\"CentOS Linux 7 (Core)\"\\n' \
     > /etc/os-release; echo 'CentOS Linux release 7.9.2009 (Core)' > /etc/redhat-release",
    "printf 'NAME=\"Red Hat Enterprise Linux\"\\nID=\"rhel\"\\nID_LIKE=\"fedora\"\\nVERSION_ID=\"8.8\"\\nPRETTY_NAME=\"RHEL 8.8\"\\n' \
     > /etc/os-release; echo 'Red Hat Enterprise Linux release 8.8 (Ootpa)' > /etc/redhat-release",
    "printf 'NAME=\"Oracle Linux Server\"\\nID=\"ol\"\\nID_LIKE=\"fedora\"\\nVERSION_ID=\"8.8\"\\n' > /etc/os-release; \
     echo 'Red Hat Enterprise Linux release 8.8 (Ootpa)' > /etc/redhat-release; echo 'Oracle Linux Server release 8.8' > /etc/oracle-release",
    "printf 'NAME=\"Amazon Linux\"\\nID=\"amzn\"\\nID_LIKE=\"fedora\"\\nVERSION_ID=\"2023\"\\nPRETTY_NAME=\"Amazon Linux 2023\"\\n' \
     > /etc/os-release; echo 'Amazon Linux release 2023 (Amazon Linux)' > /etc/system-release",
    "printf 'NAME=\"Ubuntu\"\\nID=ubuntu\\nID_LIKE=debian\\nVERSION=\"22.04.3 LTS (Jammy Jellyfish)\"\\nVERSION_ID=\"22.04\"\\n\
     VERSION_CODENAME=jammy\\nPRETTY_NAME=\"Ubuntu 22.04.3 LTS\"\\n' > /etc/os-release",
    "printf 'NAME=\"SLES\"\\nID=\"sles\"\\nID_LIKE=\"suse\"\\nVERSION_ID=\"15.4\"\\nPRETTY_NAME=\"SUSE Linux Enterprise Server 15 SP4\"\\n' \
     > /etc/os-release",
    "printf 'NAME=\"Alpine Linux\"\\nID=alpine\\nVERSION_ID=3.18.2\\nPRETTY_NAME=\"Alpine Linux v3.18\"\\n' > /etc/os-release; \
     echo 3.18.2 > /etc/alpine-release",
    "printf 'NAME=\"Debian GNU/Linux\"\\nID=debian\\nVERSION=\"8 (jessie)\"\\nVERSION_ID=\"8\"\\nPRETTY_NAME=\"Debian 8\"\\n' > /etc/os-release; \
     echo 8.05 > /etc/debian_version",
];

#[test]
#[ignore = "needs the real Facter 4.3 and root; `.ci/run` runs it"]
fn other_systems_are_told_as_facter_tells_them() {
    let folder = Folder::with(&[]);
    for set_up in SYSTEMS {
        let asked = "os osfamily operatingsystem operatingsystemrelease operatingsystemmajrelease lsbdistid lsbdistcodename \
                     lsbdistdescription lsbdistrelease lsbmajdistrelease lsbminordistrelease architecture hardwaremodel";
        let (theirs, ours) = both(&folder, set_up, (&format!("--json {asked}"), &format!("--json {asked}")));
        let mut found = Vec::new();
        differences("", &Value::Object(object(&theirs)), &Value::Object(object(&ours)), &mut found);
        assert!(found.is_empty(), "{set_up}\n{}", found.join("\n"));
    }
}

#[test]
#[ignore = "needs the real Facter 4.3 and root; `.ci/run` runs it"]
fn names_and_keys_are_told_as_facter_tells_them() {
    let folder = Folder::with(&[]);
    let host = "echo 'nameserver 192.0.2.1' > /etc/resolv.conf; hosts=$(hostname)";
    for (set_up, asked) in [
        (format!("{host}; echo \"192.0.2.9 $hosts.example.org $hosts\" > /etc/hosts"), "networking.fqdn networking.domain"),
        (format!("{host}; echo \"127.0.0.1 $hosts\" > /etc/hosts; echo 'search a.org b.org' >> /etc/resolv.conf"), "fqdn domain"),
        (
            "mkdir -p /etc/ssh; for t in rsa ecdsa ed25519; do ssh-keygen -q -N '' -t $t -f /etc/ssh/ssh_host_${t}_key; done".to_owned(),
            "ssh sshrsakey sshecdsakey sshed25519key sshfp_rsa sshfp_ed25519",
        ),
        ("mkdir -p /etc/selinux; echo SELINUX=enforcing > /etc/selinux/config".to_owned(), "os.selinux"),
    ] {
        let (theirs, ours) = both(&folder, &set_up, (&format!("--json {asked}"), &format!("--json {asked}")));
        let mut found = Vec::new();
        differences("", &Value::Object(object(&theirs)), &Value::Object(object(&ours)), &mut found);
        assert!(found.is_empty(), "{set_up}\n{}", found.join("\n"));
    }
}

#[test]
#[ignore = "needs the real Facter 4.3 and root; `.ci/run` runs it"]
fn every_format_is_that_of_facter() {
    let folder = Folder::with(&[
        ("d/a.txt", "a=1\nRole=from a\nx = y=z \nempty=\n"),
        ("d/b.txt", "role=from b\n"),
        (
            "d/c.yaml",
            "y:\n  n: {deep: 1, no: ~}\n  when: 2020-01-01 10:00:00\n  day: 2020-01-02\nlist: [1, 2.5, ~, true, -3]\nnone: ~\n\"do.t\": 3\n",
        ),
        ("d/d.json", "{\"j\": {\"k\": [1]}, \"j2\": \"z\\nzz\", \"q\": \"a \\\"b\\\" \\\\c\", \"tab\": \"a\\tb\"}"),
        ("e/z.txt", "role=late\nlate=1\n"),
    ]);
    let stable = "os identity kernel filesystems networking.hostname networking.interfaces processors.models disks timezone path \
                  fips_enabled memory.system.total role late list list.1 y y.n.deep none do.t j j2 q tab nothing x";
    let folders = "--external-dir d --external-dir e";
    for format in ["", "--json", "--yaml"] {
        let arguments = format!("{folders} {format} {stable}");
        let (theirs, ours) = both(&folder, "", (&arguments, &arguments));
        assert_eq!(ours, theirs, "{format}");
    }
    for one in
        ["os", "os.name", "list", "list.2", "y", "j2", "q", "tab", "nothing", "none", "identity.uid", "fips_enabled"]
    {
        let arguments = format!("{folders} {one}");
        let (theirs, ours) = both(&folder, "", (&arguments, &arguments));
        assert_eq!(ours, theirs, "{one}");
    }
}
