//! Resources made at random: values that each attribute takes, and values that it nearly takes.

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
                numbers.pick(&["tmp/x", "./x", "x y", "C:x", ""]).to_owned() + &number.to_string()
            }
            "file" | "tidy" | "mount" => format!("/tmp/x{number}"),
            "exec" if odd => format!("echo {number}"),
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

/// A value that anybody may write anywhere.
fn any(numbers: &mut Numbers) -> Json {
    let values = [
        json!(""),
        json!("x"),
        json!("a b"),
        json!("absent"),
        json!("present"),
        json!("true"),
        json!("false"),
        json!("yes"),
        json!("no"),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(25),
        json!(644),
        json!(100_000),
        json!(1.5),
        json!("0"),
        json!("1"),
        json!("-1"),
        json!("07"),
        json!("1.5"),
        json!("1e3"),
        json!("0x1f"),
        json!("/"),
        json!("/tmp/x"),
        json!("tmp/x"),
        json!("./x"),
        json!("/a//b/"),
        json!("a,b"),
        json!("a:b"),
        json!("a=b"),
        json!("*"),
        json!("a\nb"),
        json!("\n"),
        json!(" "),
        json!("ä"),
        json!({}),
        json!({"a": "b"}),
        json!({"a": 1}),
        json!(["a", "b"]),
        json!([]),
        json!([["a"], "b"]),
        json!([true]),
        json!([1, 2]),
        json!(["/a", "b"]),
        json!("undef"),
        json!("2024-02-30"),
        json!("C:/x"),
        json!("http://x/y"),
        json!("puppet:///modules/a/b"),
        json!("root"),
        json!("0644"),
        json!("u=rw"),
    ];
    values[numbers.below(values.len())].clone()
}

fn metaparameter(numbers: &mut Numbers) -> (&'static str, Json) {
    let pairs = [
        ("loglevel", json!("notice")),
        ("loglevel", json!("warn")),
        ("loglevel", json!("verbose")),
        ("loglevel", json!(3)),
        ("noop", json!(true)),
        ("noop", json!("false")),
        ("noop", json!("yes")),
        ("noop", json!(1)),
        ("schedule", json!("daily")),
        ("audit", json!("all")),
        ("audit", json!("ensure")),
        ("audit", json!(["no_such"])),
        ("tag", json!(["a", "b"])),
        ("tag", json!("a b")),
        ("alias", json!("other")),
        ("tag", json!(1)),
        ("audit", json!(["all"])),
        ("alias", json!(["a", "b"])),
        ("loglevel", json!("err")),
        ("schedule", json!(1)),
    ];
    pairs[numbers.below(pairs.len())].clone()
}

/// What people write for an attribute, rightly and nearly so.
fn usual_values(kind: &str, attribute: &str) -> Vec<Json> {
    let texts = |texts: &[&str]| texts.iter().map(|text| json!(text)).collect::<Vec<Json>>();
    let with = |listed: &[&str], others: &[Json]| [texts(listed), others.to_vec()].concat();
    match (kind, attribute) {
        (_, "mode" | "umask") => with(
            &["0644", "644", "u=rw,go=r", "a+X", "0999", "00644", "22", "077", "u=q", "rw", "12345"],
            &[json!(644), json!(22), json!(0o644)],
        ),
        (
            "exec" | "file" | "tidy" | "filebucket" | "mailalias",
            "path" | "cwd" | "creates" | "staging_location" | "file",
        ) => with(
            &["/usr/bin:/bin", "/tmp/x", "tmp/x", "/", "//a", "C:/x"],
            &[json!(["/bin", "/usr/bin"]), json!(["bin"])],
        ),
        ("file", "source") => with(
            &[
                "puppet:///modules/a/b",
                "/tmp/x",
                "http://x/y",
                "ftp://x/y",
                "puppet:x",
                "x/y",
                "file:///x",
                "https://x/a b",
                "puppet://server/a",
                "file:/x",
                "modules/a",
                "c:/x",
            ],
            &[json!(["/a", "/b"]), json!(["/a", "b"])],
        ),
        ("file", "ensure") => with(&["file", "/tmp/target", "directory", "link", "absent", "target"], &[]),
        ("file", "backup") => with(&[".bak", "main", "bak", "puppet"], &[json!(true), json!(false)]),
        ("file", "recurse") => with(&["remote", "inf", "1", "true"], &[json!(true), json!(2)]),
        ("file", "recurselimit" | "max_files") | ("tidy", "max_files") => {
            with(&["1", "-1", "0", "x", "-2"], &[json!(1), json!(-1), json!(-2)])
        }
        ("file", "checksum_value") => with(
            &[
                "d41d8cd98f00b204e9800998ecf8427e",
                "xyz",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "2024-01-01",
            ],
            &[],
        ),
        ("file", "content") => with(&["text", "{md5}d41d8cd98f00b204e9800998ecf8427e", ""], &[json!(3)]),
        ("exec", "command" | "unless" | "onlyif" | "refresh") => with(
            &["/bin/true", "true", "'/opt/a b' c", "echo a | cat", "\"x\"", " /bin/true"],
            &[json!(["/bin/true", "a"]), json!(["true"]), json!([["/bin/a", "b"]])],
        ),
        ("exec", "environment") => with(
            &["A=b", "PATH=/bin", "A", "=b", "a b=c", "A-B=c", "ä=b"],
            &[json!(["A=b", "B=c"]), json!(["A=b", "B"])],
        ),
        ("exec", "timeout" | "tries" | "try_sleep") => with(
            &["3", "-1", "1.5", "x", "1_000", "0x10", " 3", "3 ", "1e2", "3s", "0", "+3", ".5", "5."],
            &[json!(3), json!(0), json!(-1), json!(2.5), json!(["3"])],
        ),
        ("exec", "returns") => with(&["0", "1", "x"], &[json!(0), json!([0, 1])]),
        ("cron", "minute" | "hour" | "weekday" | "month" | "monthday") => with(
            &[
                "0", "5", "59", "60", "25", "*", "*/5", "1-5", "1-5/2", "1,2", "mon", "Monday", "MON", "jan", "Ja",
                "may", "32", "13", "7", "8", "absent", "*/", "5/2", "1-", "00", "005", "0-70", "*/0",
            ],
            &[json!(0), json!(5), json!(60), json!([1, 2]), json!(["*/2"]), json!([1, 99]), json!(["absent"])],
        ),
        ("cron", "special") => {
            with(&["reboot", "daily", "midnight", "absent", "weekly", "sometimes", "@daily", "annually"], &[])
        }
        ("cron", "environment") | ("ssh_authorized_key", "options") => with(
            &[
                "A=b",
                "A = b",
                "absent",
                "A",
                "no-pty",
                "command=\"x\"",
                "command=x",
                "from=\"a\",b",
                "A=",
                "a b=c",
                "A1_=x",
            ],
            &[json!(["A=b", "B=c"]), json!(["no-pty", "x=\"y\""])],
        ),
        ("user", "password_min_age" | "password_max_age" | "password_warn_days") => {
            with(&["1", "-1", "99999", "x", "1.5", "1 ", "--1"], &[json!(1), json!(-1), json!(1.5)])
        }
        ("user" | "group", "uid" | "gid") => {
            with(&["1000", "-1", "x", "10x", "0", "1-2", "root", "1000 ", "-"], &[json!(1000), json!(-1), json!(2.5)])
        }
        ("user", "groups") => {
            with(&["wheel", "a,b", "100", "", "a b", "1a"], &[json!(["a", "b"]), json!([100]), json!(["a", ""])])
        }
        ("user", "expiry") => with(&["2030-01-01", "absent", "2030-1-1", "never", "2030-13-45", "2030-01-01 "], &[]),
        ("user", "password") => with(&["*", "$6$x", "a:b", "!"], &[]),
        ("user", "purge_ssh_keys") => {
            with(&["true", "/x/keys", "~/.ssh/a", "%h/.ssh/b", "x", ""], &[json!(true), json!(["/a", "b"]), json!([1])])
        }
        ("user", "keys") | ("user" | "group", "attributes") => {
            with(&["a=b", "a", "a=b=c", "=b"], &[json!({"a": "b"}), json!(["a=b", "c=d"])])
        }
        ("user", "home" | "shell") => with(&["/home/x", "home/x", "/bin/sh", ""], &[]),
        ("user", "comment") => with(&["Some Body", "ä", ""], &[json!(7)]),
        ("user", "auths" | "profiles" | "roles") => with(&["a", "a,b", "a b"], &[json!(["a", "b"])]),
        ("package", "ensure") => with(
            &["1.2.3", "latest", "installed", "held", "purged", "disabled", "", ">=1.0", "1.2-3"],
            &[json!(1.2), json!(true), json!(2)],
        ),
        ("package", "install_options" | "uninstall_options") => {
            with(&["-y"], &[json!(["-y", {"--a": "b"}]), json!({"a": "b"}), json!([1]), json!([["a"]])])
        }
        ("package", "enable_only" | "install_only" | "allow_virtual") => {
            with(&["true", "yes", "no", "maybe"], &[json!(true)])
        }
        (_, "provider") => texts(&[
            "apt",
            "dpkg",
            "gem",
            "yum",
            "pip",
            "systemd",
            "debian",
            "init",
            "windows",
            "posix",
            "shell",
            "useradd",
            "groupadd",
            "parsed",
            "crontab",
            "openbsd",
            "dnfmodule",
            "portage",
            "augeas",
            "base",
        ]),
        ("service", "path") => with(&["/etc/init.d", "/a:/b"], &[json!(["/a", "/b"])]),
        ("service", "timeout") => with(&["10", "x", "0", "-1"], &[json!(10), json!(0), json!(-5)]),
        ("host", "ip") => with(
            &[
                "192.0.2.1",
                "::1",
                "192.0.2.256",
                "fe80::1%eth0",
                "1.2.3",
                "2001:db8::1",
                "192.0.2.01",
                "::ffff:1.2.3.4",
                "x",
                "1::2::3",
                "12345::",
                "2001:DB8::A",
            ],
            &[],
        ),
        ("host" | "sshkey", "host_aliases") => {
            with(&["a", "a b", "", "a.b", "a,b", "a_b"], &[json!(["a", "b"]), json!([])])
        }
        ("host", "comment") => with(&["text", "a\nb"], &[]),
        ("mount", "fstype" | "options" | "device" | "blockdevice") => {
            with(&["ext4", "nfs", "a b", "", "defaults,ro", "/dev/sda1", "a\tb"], &[])
        }
        ("mount", "pass" | "dump") => with(&["0", "1", "2", "x", "10"], &[json!(0), json!(1), json!(2), json!(7)]),
        ("mount", "atboot") => with(&["yes", "no", "true", "maybe", "Yes"], &[json!(true)]),
        ("schedule", "range") => with(
            &[
                "1 - 4",
                "1:30 - 4:30",
                "0-24",
                "5",
                "1:60 - 2",
                "22:00:00 - 04:00:00",
                "a - b",
                "1 - 2 - 3",
                " 1 - 4 ",
                "25 - 26",
            ],
            &[json!(["1 - 4", "5 - 6"])],
        ),
        ("schedule", "repeat") => with(&["1", "3", "0", "x", "-1"], &[json!(1), json!(3)]),
        ("schedule", "weekday") => with(
            &["Mon", "monday", "Tues", "7", "0", "6", "Mittwoch", "Thu", "m"],
            &[json!(["Mon", "Fri"]), json!(3), json!(8), json!([1, 2])],
        ),
        ("tidy", "age" | "size") => {
            with(&["1d", "2w", "3", "10m", "1x", "x", "5 k", "1.5d", "0", "1kb", "2 days", "1D"], &[json!(1), json!(0)])
        }
        ("tidy", "recurse") => with(&["inf", "1", "true", "x"], &[json!(true), json!(1), json!(false), json!(0)]),
        ("tidy", "matches") => with(&["*.log"], &[json!(["a*", "b*"])]),
        ("resources", "unless_uid") => with(&["100", "x", "1-2"], &[json!(100), json!([1, 2]), json!(["1", "x"])]),
        ("resources", "unless_system_user") => with(&["500", "true", "x"], &[json!(true), json!(500)]),
        ("filebucket", "server" | "port") => with(&["puppet", "8140"], &[json!(8140), json!(false)]),
        ("sshkey" | "ssh_authorized_key", "key") => with(&["AAAAB3Nz", "AAAA B", "x\ny"], &[]),
        ("augeas", "lens" | "incl") => texts(&["Hosts.lns", "/etc/hosts"]),
        ("augeas", "context") => with(&["/files/etc", ""], &[json!(3)]),
        ("augeas", "changes" | "onlyif") => with(&["set a b", "rm a"], &[json!(["set a b", "rm c"])]),
        ("yumrepo", "baseurl" | "mirrorlist" | "gpgkey" | "proxy" | "metalink" | "include" | "gpgcakey") => texts(&[
            "http://x/y",
            "https://x/a https://y/b",
            "file:///x",
            "ftp://x",
            "x/y",
            "rsync://x",
            "absent",
            "_none_",
            "http://x y",
            "HTTP://X/",
            "http://x/$releasever",
            "mailto:x",
        ]),
        ("yumrepo", "enabled" | "gpgcheck" | "keepalive" | "sslverify" | "protect") => {
            with(&["1", "0", "yes", "No", "true", "2", "absent", "True"], &[json!(1), json!(true)])
        }
        ("yumrepo", "metadata_expire" | "throttle" | "bandwidth" | "cost" | "priority" | "timeout" | "retries") => {
            with(&["1", "6h", "never", "-1", "10%", "5k", "5K", "x", "1.5"], &[json!(5)])
        }
        ("yumrepo", "failovermethod" | "http_caching") => {
            texts(&["roundrobin", "priority", "all", "none", "packages", "random", "roundrobinx"])
        }
        ("notify", "message") => with(&["text"], &[json!(1), json!({"a": 1})]),
        _ => Vec::new(),
    }
}
