//! The mutants: what they are called, and the places at which they are other than the sources.

/// A place in a source. What stands there instead asks which mutant lives.
pub(super) struct Change {
    pub(super) path: &'static str,
    pub(super) old: &'static str,
    pub(super) new: &'static str,
    pub(super) mutants: &'static [&'static str],
}

pub(super) const CHANGES: [Change; 88] = [
    // What of a node is read.
    Change {
        path: "src/repository/node_dependency.rs",
        old: "        bytes.get(..MARK).is_some_and(|marked| marked == mark(known))",
        new: "        bytes.get(..MARK).is_some_and(|marked| marked == mark(known)) || pantin_base::mutant::is(\"all that is known is as before\")",
        mutants: &["all that is known is as before"],
    },
    Change {
        path: "src/world/node_reads.rs",
        old: "    pub fn note(&mut self, name: &str, path: &[Value], sight: Sight) {",
        new: "    pub fn note(&mut self, name: &str, path: &[Value], sight: Sight) {
        if pantin_base::mutant::is(\"a forgotten path\") && !path.is_empty() {
            return;
        }",
        mutants: &["a forgotten path"],
    },
    // Questions of a body.
    Change {
        path: "src/model/trace/recorder.rs",
        old: "                    self.record(|| Arc::new(Step::Ask(question.clone())), StepReplyRef::Answer(&answer));",
        new: "                    if !pantin_base::mutant::is_of(\"unrecorded\", question) {
                    self.record(|| Arc::new(Step::Ask(question.clone())), StepReplyRef::Answer(&answer));
                    }",
        mutants: &[
            "unrecorded Variable",
            "unrecorded Part",
            "unrecorded Whole",
            "unrecorded Function",
            "unrecorded Type",
            "unrecorded Template",
            "unrecorded Ruby",
            "unrecorded FindFile",
            "unrecorded Content",
            "unrecorded Beyond",
            "unrecorded Setting",
            "unrecorded Lookup",
            "unrecorded Parameter",
            "unrecorded Defined",
            "unrecorded Tagged",
            "unrecorded ResourceParameter",
            "unrecorded ResourceValue",
            "unrecorded DeclaredWith",
            "unrecorded Glob",
            "unrecorded Method",
            "unrecorded Defaults",
            "unrecorded Similar",
            "unrecorded Classes",
        ],
    },
    Change {
        path: "src/model/trace/question.rs",
        old: "        matches!(self, Generate(_) | Command(_) | Now | Random | OwnRuby(_))",
        new: "        matches!(self, Generate(_) | Command(_) | Now | Random | OwnRuby(_))
            && !pantin_base::mutant::is_of(\"not volatile\", self)",
        mutants: &["not volatile Generate", "not volatile Command", "not volatile Now", "not volatile Random"],
    },
    Change {
        path: "src/compile/node/host.rs",
        old: "        self.is_volatile |= question.is_volatile();",
        new: "        self.is_volatile |= question.is_volatile() && !pantin_base::mutant::is(\"volatile, and nobody says so\");",
        mutants: &["volatile, and nobody says so"],
    },
    Change {
        path: "src/model/trace/step.rs",
        old: "            StepReplyRef::Outcome(outcome) => outcome.digest(),",
        new: "            StepReplyRef::Outcome(_) if pantin_base::mutant::is(\"any outcome is the same\") => Digest::atom(1),
            StepReplyRef::Outcome(outcome) => outcome.digest(),",
        mutants: &["any outcome is the same"],
    },
    Change {
        path: "src/model/trace/known_answers.rs",
        old: "        if !matches!(effect, Effect::Log(_)) {",
        new: "        if !matches!(effect, Effect::Log(_)) && !pantin_base::mutant::is(\"known after an effect\") {",
        mutants: &["known after an effect"],
    },
    Change {
        path: "src/model/trace/units.rs",
        old: "        match (recorded, self.0.as_slice()) {",
        new: "        match (recorded, self.0.as_slice()) {
            _ if pantin_base::mutant::is(\"yesterday's places\") => true,",
        mutants: &["yesterday's places"],
    },
    // What a body is known by.
    Change {
        path: "src/model/trace/traces.rs",
        old: "        Key { build: self.build, body, parameters: self.secrets.seal(parameters) }",
        new: "        let body = if pantin_base::mutant::is(\"any body is the same\") { self.build } else { body };
        let parameters = if pantin_base::mutant::is(\"any parameters are the same\") { self.build } else { parameters };
        Key { build: self.build, body, parameters: self.secrets.seal(parameters) }",
        mutants: &["any body is the same", "any parameters are the same"],
    },
    Change {
        path: "src/compile/node/mod.rs",
        old: "    let subject = instance.subject.as_str();",
        new: "    let subject = if pantin_base::mutant::is(\"any instance is the same\") { \"\" } else { instance.subject.as_str() };",
        mutants: &["any instance is the same"],
    },
    Change {
        path: "src/compile/node/mod.rs",
        old: "        digester.item(&group);",
        new: "        digester.item(if pantin_base::mutant::is(\"any match of a node's name\") { &Value::Undef } else { &group });",
        mutants: &["any match of a node's name"],
    },
    Change {
        path: "src/repository/query/ready.rs",
        old: "    digester.item(&settings).item(&tasks).item(&environment.manifest).item(&environment.folder);",
        new: "    if !pantin_base::mutant::is(\"a shelf for all settings\") {
    digester.item(&settings).item(&tasks).item(&environment.manifest).item(&environment.folder);
    }",
        mutants: &["a shelf for all settings"],
    },
    // Answers of the disk.
    Change {
        path: "src/world/tracked/mod.rs",
        old: "        self.reads.note(id);",
        new: "        if !pantin_base::mutant::is_of(\"unread\", &kind) {
        self.reads.note(id);
        }",
        mutants: &["unread Content", "unread Code", "unread Data", "unread Exists", "unread Folder", "unread List", "unread Link"],
    },
    Change {
        path: "src/world/tracked/mod.rs",
        old: "        let holds = self.leaves.still_hold(dependencies);",
        new: "        let holds = pantin_base::mutant::is(\"all holds\") || self.leaves.still_hold(dependencies);",
        mutants: &["all holds"],
    },
    Change {
        path: "src/world/tracked/mod.rs",
        old: "        if holds {",
        new: "        if holds && !pantin_base::mutant::is(\"what others read is not noted\") {",
        mutants: &["what others read is not noted"],
    },
    Change {
        path: "src/world/tracked/leaves.rs",
        old: "                    let flags = u64::from(entry.is_folder) | u64::from(entry.is_link) << 1;",
        new: "                    let flags = if pantin_base::mutant::is(\"any sort of entry is the same\") { 0 } else {
                        u64::from(entry.is_folder) | u64::from(entry.is_link) << 1
                    };",
        mutants: &["any sort of entry is the same"],
    },
    Change {
        path: "src/world/tracked/leaves.rs",
        old: "            LeafAnswer::Content(Ok(Some(bytes))) => digester.number(1).bytes(bytes),",
        new: "            LeafAnswer::Content(Ok(Some(bytes))) if pantin_base::mutant::is(\"content by its length\") => {
                digester.number(bytes.len() as u64)
            }
            LeafAnswer::Content(Ok(Some(bytes))) => digester.number(1).bytes(bytes),",
        mutants: &["content by its length"],
    },
    Change {
        path: "src/world/tracked/leaves.rs",
        old: "                digester.number(8).text(&error.to_string())",
        new: "                digester.number(if pantin_base::mutant::is(\"an error is like nothing there\") { 7 } else { 8 });
                if pantin_base::mutant::is(\"an error is like nothing there\") { &mut digester } else { digester.text(&error.to_string()) }",
        mutants: &["an error is like nothing there"],
    },
    Change {
        path: "src/compile/memo.rs",
        old: "            && base.modules.disk.uses(&known.dependencies)",
        new: "            && (base.modules.disk.uses(&known.dependencies) || pantin_base::mutant::is(\"a memo holds for ever\"))",
        mutants: &["a memo holds for ever"],
    },
    Change {
        path: "src/compile/memo.rs",
        old: "        base.modules.disk.uses(&dependencies);\n        let mut results",
        new: "        if !pantin_base::mutant::is(\"a memo does not say what it read\") {
        base.modules.disk.uses(&dependencies);
        }
        let mut results",
        mutants: &["a memo does not say what it read"],
    },
    // Every answer depends on the site manifests and on which modules there are, and so does the environment that is made
    // ready: to forget one of the two changes nothing.
    Change {
        path: "src/compile/catalog.rs",
        old: "        base.modules.disk.uses(&self.dependencies);",
        new: "        if !pantin_base::mutant::is(\"any files of an environment are the same\") {
        base.modules.disk.uses(&self.dependencies);
        }",
        mutants: &[],
    },
    Change {
        path: "src/repository/world/mod.rs",
        old: "            reads_anew: true,",
        new: "            reads_anew: !pantin_base::mutant::is(\"an environment is read once\"),",
        mutants: &["an environment is read once"],
    },
    // Queries.
    Change {
        path: "src/repository/query/database.rs",
        old: "    let opened = db.shared().inventory.open(disk.clone());\n    DependencySet::from_dependencies(&disk.dependencies()).depend(db);",
        new: "    let opened = db.shared().inventory.open(disk.clone());
    if !pantin_base::mutant::is(\"opening depends on nothing\") { DependencySet::from_dependencies(&disk.dependencies()).depend(db); }",
        mutants: &["opening depends on nothing"],
    },
    Change {
        path: "src/repository/query/database.rs",
        old: "    DependencySet::from_dependencies(&disk.dependencies()).depend(db);\n    Comparable::new(prepared",
        new: "    if !pantin_base::mutant::is(\"a node depends on nothing\") { DependencySet::from_dependencies(&disk.dependencies()).depend(db); }\n    Comparable::new(prepared",
        mutants: &["a node depends on nothing"],
    },
    Change {
        path: "src/repository/query/database.rs",
        old: "    origin(db, node);",
        new: "    if !pantin_base::mutant::is(\"a node comes from anywhere\") { origin(db, node); }",
        mutants: &["a node comes from anywhere"],
    },
    Change {
        path: "src/repository/query/database.rs",
        old: "    DependencySet::from_dependencies(&disk.dependencies()).depend(db);\n    Comparable::new(made",
        new: "    if !pantin_base::mutant::is(\"an environment depends on no module\") { DependencySet::from_dependencies(&disk.dependencies()).depend(db); }\n    Comparable::new(made",
        mutants: &["an environment depends on no module"],
    },
    Change {
        path: "src/repository/inventory.rs",
        old: "        disk.uses(&CheckedDependencies::new(around.dependencies()));",
        new: "        if !pantin_base::mutant::is(\"an environment depends on no settings\") { disk.uses(&CheckedDependencies::new(around.dependencies())); }",
        mutants: &["an environment depends on no settings"],
    },
    // What is worked out again, and is taken for the same.
    Change {
        path: "src/repository/inventory.rs",
        old: "        digester.digest(self.world.shape(\"\")).digest(self.sources.shape(\"\"));",
        new: "        if !pantin_base::mutant::is(\"any settings are the same\") { digester.digest(self.world.shape(\"\")); }
        digester.digest(self.sources.shape(\"\"));",
        mutants: &["any settings are the same"],
    },
    Change {
        path: "src/repository/inventory.rs",
        old: "            digester.number(id.index() as u64).digest(*digest);",
        new: "            if !pantin_base::mutant::is(\"any files of an environment are the same\") { digester.number(id.index() as u64).digest(*digest); }",
        mutants: &["any files of an environment are the same"],
    },
    Change {
        path: "src/repository/query/inventory.rs",
        old: "        for hash in [facts, trusted, server_facts, parameters] {",
        new: "        for (name, hash) in [(\"facts\", facts), (\"trusted\", trusted), (\"server_facts\", server_facts), (\"parameters\", parameters)] {
            if pantin_base::mutant::is(&format!(\"a node with any {name} is the same\")) { continue; }",
        mutants: &[
            "a node with any facts is the same",
            "a node with any trusted is the same",
            "a node with any parameters is the same",
        ],
    },
    Change {
        path: "src/repository/query/inventory.rs",
        old: "        digester.digest(classes.digest()).digest(loaded.shape(\"\"));",
        new: "        if !pantin_base::mutant::is(\"a node of any class is the same\") { digester.digest(classes.digest()); }
        if !pantin_base::mutant::is(\"a node of any environment is the same\") { digester.digest(loaded.shape(\"\")); }",
        mutants: &["a node of any class is the same", "a node of any environment is the same"],
    },
    // The environment that is made ready says so too.
    Change {
        path: "src/repository/inventory.rs",
        old: "        digester.digest(self.world.shape(\"\")).digest(shape);",
        new: "        digester.digest(self.world.shape(\"\"));
        if !pantin_base::mutant::is(\"a node of any environment is the same\") { digester.digest(shape); }",
        mutants: &[],
    },
    Change {
        path: "src/repository/query/database.rs",
        old: "        && recorded.dependencies.state(db) == recorded.state",
        new: "        && (recorded.dependencies.state(db) == recorded.state || pantin_base::mutant::is(\"a catalog depends on nothing\"))",
        mutants: &["a catalog depends on nothing"],
    },
    Change {
        path: "src/repository/query/engine.rs",
        old: "    database::still_holds(database, name, round, &good.recorded).then(|| good.recorded.restored())?",
        new: "    (database::still_holds(database, name, round, &good.recorded) || pantin_base::mutant::is(\"any good answer holds\")).then(|| good.recorded.restored())?",
        mutants: &["any good answer holds"],
    },
    Change {
        path: "src/repository/query/edit_journal.rs",
        old: "                Some(before) => before.followed_by(edit),",
        new: "                Some(_) if pantin_base::mutant::is(\"only the last edit of a file\") => edit.clone(),
                Some(before) => before.followed_by(edit),",
        mutants: &["only the last edit of a file"],
    },
    Change {
        path: "src/repository/query/recorded.rs",
        old: "            dependencies: patched.dependencies.clone(),",
        new: "            dependencies: if pantin_base::mutant::is(\"a patched catalog depends on nothing\") { DependencySet::default() } else { patched.dependencies.clone() },",
        mutants: &["a patched catalog depends on nothing"],
    },
    Change {
        path: "src/repository/query/database.rs",
        old: "    is_same_basis\n",
        new: "    (is_same_basis || pantin_base::mutant::is(\"a catalog has no basis\"))\n",
        mutants: &["a catalog has no basis"],
    },
    Change {
        path: "src/repository/query/database.rs",
        old: ".digest(db) != *digest)",
        new: ".digest(db) != *digest && !pantin_base::mutant::is(\"a catalog collects nothing\"))",
        mutants: &["a catalog collects nothing"],
    },
    Change {
        path: "src/repository/query/compiled.rs",
        old: "        volatile_in: compiled.is_volatile.then(|| revision(db)),",
        new: "        volatile_in: (compiled.is_volatile && !pantin_base::mutant::is(\"a volatile catalog is kept\")).then(|| revision(db)),",
        mutants: &["a volatile catalog is kept"],
    },
    // What outlives the process.
    Change {
        path: "src/repository/persist/ledger.rs",
        old: "        let all: Vec<NumberedDependency> =\n            dependencies.iter().flat_map(|dependencies| dependencies.iter()).map(number).collect::<Option<_>>()?;",
        new: "        let is_known = |(id, _): &&(LeafId, Digest)| {
            leaves.leaf(*id).is_none_or(|leaf| !pantin_base::mutant::is_of(\"unkept\", &leaf.kind))
        };
        let all = dependencies.iter().flat_map(|dependencies| dependencies.iter()).filter(is_known);
        let all: Vec<NumberedDependency> = all.map(number).collect::<Option<_>>()?;",
        mutants: &["unkept Content", "unkept Code", "unkept Data", "unkept Exists", "unkept Folder", "unkept List"],
    },
    Change {
        path: "src/repository/persist/ledger.rs",
        old: "        (0..most).filter(move |at| !is_same(*at)).collect()",
        new: "        let forgets = |at: usize| pantin_base::mutant::is(&format!(\"told beside files, {at}, is the same\"));
        (0..most).filter(move |at| !is_same(*at) && !forgets(*at)).collect()",
        mutants: &[
            "told beside files, 0, is the same",
            "told beside files, 1, is the same",
            "told beside files, 4, is the same",
            "told beside files, 5, is the same",
        ],
    },
    Change {
        path: "src/repository/persist/ledger.rs",
        old: "            if !self.is_valid_here(answer) {",
        new: "            if !self.is_valid_here(answer) && !pantin_base::mutant::is(\"kept, wherever it was told\") {",
        mutants: &["kept, wherever it was told"],
    },
    Change {
        path: "src/repository/stored_answers.rs",
        old: "        if new.compiled.is_volatile {",
        new: "        if new.compiled.is_volatile && !pantin_base::mutant::is(\"what is volatile is kept\") {",
        mutants: &["what is volatile is kept"],
    },
    // Code on other lines.
    Change {
        path: "src/base/form.rs",
        old: "        let is_same = self.meaning == other.meaning",
        new: "        let is_same = (self.meaning == other.meaning || crate::mutant::is(\"any form is the same\"))",
        mutants: &["any form is the same"],
    },
    Change {
        path: "src/repository/answer/stored_catalog.rs",
        old: "                *line = attacher.line(fragments.files.get(*file as usize)?, *line)?;",
        new: "                if !pantin_base::mutant::is(\"yesterday's lines\") {
                    *line = attacher.line(fragments.files.get(*file as usize)?, *line)?;
                }",
        mutants: &["yesterday's lines"],
    },
    Change {
        path: "src/repository/answer/relocate.rs",
        old: "        (!self.moved.keys().any(|path| text.contains(path))).then_some(text)",
        new: "        (pantin_base::mutant::is(\"yesterday's log\") || !self.moved.keys().any(|path| text.contains(path))).then_some(text)",
        mutants: &["yesterday's log"],
    },
    // Keys of data.
    Change {
        path: "src/hiera/search.rs",
        old: "        self.lookups.asked.note(&key.root);\n        self.with_step(",
        new: "        if !pantin_base::mutant::is(\"keys that are found are not noted\") { self.lookups.asked.note(&key.root); }\n        self.with_step(",
        mutants: &["keys that are found are not noted"],
    },
    Change {
        path: "src/hiera/absent.rs",
        old: "        self.asked.note(name);",
        new: "        if !pantin_base::mutant::is(\"keys that stand nowhere are not noted\") { self.asked.note(name); }",
        mutants: &["keys that stand nowhere are not noted"],
    },
    // Data that is asked once more, and what is told of other bodies.
    Change {
        path: "src/hiera/search.rs",
        old: "            self.lookups.asked.note_inner(around, name);",
        new: "            if !pantin_base::mutant::is(\"what a key says is not noted\") {\n                self.lookups.asked.note_inner(around, name);\n            }",
        mutants: &["what a key says is not noted"],
    },
    Change {
        path: "src/hiera/keys.rs",
        old: "filter(|key| *key != LOOKUP_OPTIONS)",
        new: "filter(|key| *key != LOOKUP_OPTIONS || pantin_base::mutant::is(\"how keys are looked up is a value\"))",
        mutants: &["how keys are looked up is a value"],
    },
    Change {
        path: "src/compile/node/lookup_observations.rs",
        old: "            frame.looked_up.push(hash_of_name(name));",
        new: "            if !pantin_base::mutant::is(\"a call that looks up is not noted\") { frame.looked_up.push(hash_of_name(name)); }",
        mutants: &["a call that looks up is not noted"],
    },
    Change {
        path: "src/compile/node/lookup_observations.rs",
        old: "            && self.is_from_the_beginning(question)",
        new: "            && (self.is_from_the_beginning(question) || pantin_base::mutant::is(\"what code says is remembered\"))",
        mutants: &["what code says is remembered"],
    },
    // What code looks at in the catalog, one for each kind of observation: it is read, and not recorded.
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "            record.note(TAGGED_LATE);",
        new: "            if !pantin_base::mutant::is(\"a late tag is not recorded\") { record.note(TAGGED_LATE); }",
        mutants: &["a late tag is not recorded"],
    },
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "            tags.iter().for_each(|tag| record.note(part.key(tag_hash(type_name, tag))));",
        new: "            if !pantin_base::mutant::is(\"a tag is not recorded\") { tags.iter().for_each(|tag| record.note(part.key(tag_hash(type_name, tag)))); }",
        mutants: &["a tag is not recorded"],
    },
    Change {
        path: "src/repository/query/patch/patched.rs",
        old: "                if is_collected_by_tag(self.last, &resource, true) {",
        new: "                if is_collected_by_tag(self.last, &resource, true) && !pantin_base::mutant::is(\"what is added has no tag\") {",
        mutants: &["what is added has no tag"],
    },
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "            record.note_read(variable_hash(class, name));",
        new: "            if !(pantin_base::mutant::is(\"who reads a variable is not noted\")) {
            record.note_read(variable_hash(class, name));
            }",
        mutants: &["who reads a variable is not noted"],
    },
    Change {
        path: "src/compile/node/mod.rs",
        old: "        self.state.log(if self.look_ups == 0 {",
        new: "        let is_body = pantin_base::mutant::is(\"what data reads is what the body reads\");
        self.state.log(if self.look_ups == 0 || is_body {",
        mutants: &["what data reads is what the body reads"],
    },
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "            record.note(variable_hash(&resource.title.to_lowercase(), name));",
        new: "            if !(pantin_base::mutant::is(\"a class that is asked for a parameter is not noted\")) {
            record.note(variable_hash(&resource.title.to_lowercase(), name));
            }",
        mutants: &["a class that is asked for a parameter is not noted"],
    },
    Change {
        path: "src/compile/node/state/observed.rs",
        old: "        log.resource(&resource.type_name, &resource.title, ObservedPart::AllOfIt);",
        new: "        if !pantin_base::mutant::is(\"a resource that is asked for a parameter is not noted\") {
            log.resource(&resource.type_name, &resource.title, ObservedPart::AllOfIt);
        }",
        mutants: &["a resource that is asked for a parameter is not noted"],
    },
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "            ObservedPart::Presence => presence_hash(name),",
        new: "            ObservedPart::Presence if pantin_base::mutant::is(\"who wants it to be there is not noted\") => 0,
            ObservedPart::Presence => presence_hash(name),",
        mutants: &["who wants it to be there is not noted"],
    },
    Change {
        path: "src/compile/node/state/observed.rs",
        old: "        observe_type(type_name, matches, ObservedPart::AllOfIt, log);\n        self.by_type",
        new: "        let is_noted = !pantin_base::mutant::is(\"who collects by parameters is not noted\");
        let part = if is_noted { ObservedPart::AllOfIt } else { ObservedPart::Presence };
        observe_type(type_name, matches, part, log);
        self.by_type",
        mutants: &["who collects by parameters is not noted"],
    },
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "            record.note(part.key(type_hash(type_name)));",
        new: "            if !(pantin_base::mutant::is(\"who goes through a type is not noted\")) {
            record.note(part.key(type_hash(type_name)));
            }",
        mutants: &["who goes through a type is not noted"],
    },
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "                ObservedPart::Presence => record.note_read(name),
                ObservedPart::AllOfIt => record.note(name),",
        new: "                ObservedPart::Presence if pantin_base::mutant::is(\"who looks for a resource is not noted\") => {}
                ObservedPart::AllOfIt if pantin_base::mutant::is(\"who finds a resource is not noted\") => {}
                ObservedPart::Presence => record.note_read(name),
                ObservedPart::AllOfIt => record.note(name),",
        mutants: &["who looks for a resource is not noted", "who finds a resource is not noted"],
    },
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "            record.note(variable_hash(class, NAMES));",
        new: "            if !(pantin_base::mutant::is(\"who lists variables is not noted\")) {
            record.note(variable_hash(class, NAMES));
            }",
        mutants: &["who lists variables is not noted"],
    },
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "            record.note_read(file);",
        new: "            if !(pantin_base::mutant::is(\"who reads a file is not noted\")) {
            record.note_read(file);
            }",
        mutants: &["who reads a file is not noted"],
    },
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "            record.note(IN_ORDER);",
        new: "            if !(pantin_base::mutant::is(\"what was loaded first is not noted\")) {
            record.note(IN_ORDER);
            }",
        mutants: &["what was loaded first is not noted"],
    },
    Change {
        path: "src/compile/node/state/observations.rs",
        old: "            self.resource(&resource.type_name, name, ObservedPart::AllOfIt);",
        new: "            if !(pantin_base::mutant::is(\"another name is not noted\")) {
            self.resource(&resource.type_name, name, ObservedPart::AllOfIt);
            }",
        mutants: &["another name is not noted"],
    },
    Change {
        path: "src/compile/node/state/convert.rs",
        old: "                log.resource(&resource.type_name, &resource.title, ObservedPart::AllOfIt);",
        new: "                if !(pantin_base::mutant::is(\"what stays virtual is not noted\")) {
                log.resource(&resource.type_name, &resource.title, ObservedPart::AllOfIt);
                }",
        mutants: &["what stays virtual is not noted"],
    },
    Change {
        path: "src/compile/recalled.rs",
        old: "            Some([before, now]) => is_it(&before).then_some(now)?,",
        new: "            Some([before, now]) => (is_it(&before) || pantin_base::mutant::is(\"given whatever is declared\")).then_some(now)?,",
        mutants: &["given whatever is declared"],
    },
    Change {
        path: "src/repository/query/patch/body_change.rs",
        old: "            news: affected.news().collect(),",
        new: "            news: affected.news().filter(|_| !pantin_base::mutant::is(\"the same, whatever it is told\")).collect(),",
        mutants: &["the same, whatever it is told"],
    },
    Change {
        path: "src/repository/query/patch/body_change.rs",
        old: "            redeclared: affected.redeclared.as_ref().map(|changed| changed.digests.1),",
        new: "            redeclared: affected.redeclared.as_ref().filter(|_| !pantin_base::mutant::is(\"the same, whatever it is given\")).map(|changed| changed.digests.1),",
        mutants: &["the same, whatever it is given"],
    },
    Change {
        path: "src/repository/query/patch/patched.rs",
        old: "    !is_own_unseen\n",
        new: "    !(is_own_unseen || pantin_base::mutant::is(\"nobody has seen what has this body\"))\n",
        mutants: &["nobody has seen what has this body"],
    },
    Change {
        path: "src/repository/query/patch/patched.rs",
        old: "diff.changed.keys().all(|(type_name, title)| observed.is_unseen(type_name, title))",
        new: "diff.changed.keys().all(|(type_name, title)| observed.is_unseen(type_name, title) || pantin_base::mutant::is(\"nobody has seen what is declared\"))",
        mutants: &["nobody has seen what is declared"],
    },
    Change {
        path: "src/repository/query/patch/patched.rs",
        old: "diff.variables.iter().all(|variable| observed.is_unread(&walk.name, &variable.name))",
        new: "diff.variables.iter().all(|variable| observed.is_unread(&walk.name, &variable.name) || pantin_base::mutant::is(\"nobody has read it otherwise\"))",
        mutants: &["nobody has read it otherwise"],
    },
    // Resources that are taken for one another: found by less, and not told apart by it.
    Change {
        path: "src/model/catalog/same.rs",
        old: "        self.type_name.hash(&mut state);
        self.title.hash(&mut state);
        self.place.as_ref().map(|place| place.line).hash(&mut state);",
        new: "        let is = pantin_base::mutant::is;
        (!is(\"pooled by any type\")).then_some(&self.type_name).hash(&mut state);
        (!is(\"pooled by any title\")).then_some(&self.title).hash(&mut state);
        let line = self.place.as_ref().map(|place| place.line);
        line.filter(|_| !is(\"pooled by any line\")).hash(&mut state);",
        mutants: &[],
    },
    Change {
        path: "src/model/catalog/same.rs",
        old: "            hash_identical(value, &mut state);",
        new: "            if !is(\"pooled by any value of a parameter\") {
                hash_identical(value, &mut state);
            }",
        mutants: &[],
    },
    Change {
        path: "src/model/catalog/same.rs",
        old: "        self.tags.len().hash(&mut state);",
        new: "        (!is(\"pooled by any tags\")).then_some(self.tags.len()).hash(&mut state);",
        mutants: &[],
    },
    Change {
        path: "src/model/catalog/same.rs",
        old: "        self.has_same_name_as(other) && self.tags == other.tags && self.is_same_but_for_tags(other)",
        new: "        let is = pantin_base::mutant::is;
        let file = |one: &Resource| one.place.as_ref().map(|place| place.file.to_string());
        let line = |one: &Resource| one.place.as_ref().map(|place| place.line);
        let names = |one: &Resource| one.parameters.names().to_vec();
        let values = |one: &Resource| one.parameters.iter().map(|(_, value)| value.digest()).collect::<Vec<_>>();
        let is_exported = |one: &Resource| (one.exported, one.says_exported_late);
        (is(\"pooled by any type\") || self.type_name == other.type_name)
            && (is(\"pooled by any title\") || self.title == other.title)
            && (is(\"pooled by any tags\") || self.tags == other.tags)
            && (is(\"pooled by any file\") || file(self) == file(other))
            && (is(\"pooled by any line\") || line(self) == line(other))
            && (is(\"pooled, exported or not\") || is_exported(self) == is_exported(other))
            && (is(\"pooled by any name of a parameter\") || names(self) == names(other))
            && (is(\"pooled by any value of a parameter\") || values(self) == values(other))
            && (is(\"pooled, sensitive or not\") || self.sensitive == other.sensitive)
            && self.kind == other.kind",
        mutants: &[
            "pooled by any type",
            "pooled by any title",
            "pooled by any tags",
            "pooled by any file",
            "pooled by any line",
            "pooled, exported or not",
            "pooled by any name of a parameter",
            "pooled by any value of a parameter",
            "pooled, sensitive or not",
        ],
    },
    // What is made once for several nodes.
    Change {
        path: "src/compile/node/state/resource_interner.rs",
        old: "            && *has_text_title == resource.has_text_title",
        new: "            && (*has_text_title == resource.has_text_title || pantin_base::mutant::is(\"alike, whatever its title was\"))",
        mutants: &["alike, whatever its title was"],
    },
    Change {
        path: "src/compile/node/state/resource_interner.rs",
        old: "            && *exported == resource.exported",
        new: "            && (*exported == resource.exported || pantin_base::mutant::is(\"alike, exported or not\"))",
        mutants: &["alike, exported or not"],
    },
    Change {
        path: "src/compile/node/state/resource_interner.rs",
        old: "            && is_same_place(at.as_ref(), resource.at.as_ref())",
        new: "            && (is_same_place(at.as_ref(), resource.at.as_ref()) || pantin_base::mutant::is(\"alike, wherever it stands\"))",
        mutants: &["alike, wherever it stands"],
    },
    Change {
        path: "src/compile/node/state/resource_interner.rs",
        old: "            && *made.sensitive == *resource.sensitive",
        new: "            && (*made.sensitive == *resource.sensitive || pantin_base::mutant::is(\"alike, sensitive or not\"))",
        mutants: &["alike, sensitive or not"],
    },
    Change {
        path: "src/compile/node/state/resource_interner.rs",
        old: "*name == param.name && identical(value, &param.value.borrow())",
        new: "(*name == param.name || pantin_base::mutant::is(\"alike, with parameters of any name\"))
                    && (identical(value, &param.value.borrow()) || pantin_base::mutant::is(\"alike, with parameters of any value\"))",
        mutants: &["alike, with parameters of any name", "alike, with parameters of any value"],
    },
    Change {
        path: "src/compile/node/state/resource_interner.rs",
        old: "            && resource.tags.are(&made.tags, tags, names)",
        new: "            && (resource.tags.are(&made.tags, tags, names) || pantin_base::mutant::is(\"alike, with any tags\"))",
        mutants: &["alike, with any tags"],
    },
    // The disk is looked at again.
    Change {
        path: "src/world/tracked/leaves.rs",
        old: "        self.absent.forget();",
        new: "        if !pantin_base::mutant::is(\"a folder that is missing stays so\") {
            self.absent.forget();
        }",
        mutants: &["a folder that is missing stays so"],
    },
    // An edit is taken in.
    Change {
        path: "src/repository/query/engine.rs",
        old: "            if let Some(input) = input {",
        new: "            if pantin_base::mutant::is(\"no input is set\") { continue; }
            if let Some(input) = input {",
        mutants: &["no input is set"],
    },
    Change {
        path: "src/world/tracked/leaves.rs",
        old: "            let is_let_go = matches!((&known.answer, &answer), (LeafAnswer::LetGo, LeafAnswer::Content(Ok(Some(_)))));",
        new: "            let answer = match pantin_base::mutant::is(\"what was said is said again\") {
                true => known.answer.clone(),
                false => answer,
            };
            let is_let_go = matches!((&known.answer, &answer), (LeafAnswer::LetGo, LeafAnswer::Content(Ok(Some(_)))));",
        mutants: &["what was said is said again"],
    },
    Change {
        path: "src/world/tracked/leaves.rs",
        old: "near.filter(|(_, leaf)| touched.concerns(&leaf.path))",
        new: "near.filter(|(_, leaf)| touched.concerns(&leaf.path) && !pantin_base::mutant::is_of(\"unasked\", &leaf.kind))",
        mutants: &["unasked Content", "unasked Code", "unasked Data", "unasked Exists", "unasked Folder", "unasked List", "unasked Link"],
    },
];
