//! Groups of equal messages of several nodes.

use std::collections::BTreeMap;

use pantin_values::Str;

use super::message::{About, FilePlace, Message};

/// So much different help is shown of one message.
const MOST_HELPS: usize = 3;

const HELP_DIVIDER: &str = "\n";

/// One message, and who got it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    pub about: About,
    /// Of one node its own words; of several, with signs in the place of what is each one's own.
    pub text: String,
    pub place: Option<FilePlace>,
    /// What probably mends it, of some of the nodes where it is not the same for all.
    pub help: Option<String>,
    /// In the order of the fleet.
    pub nodes: Vec<Str>,
    /// How often it was said: a node may get it several times.
    pub count: usize,
}

impl Group {
    /// From the messages of nodes, in the order of the fleet. What is worse comes first, then what meets more nodes.
    pub fn from_messages<'m, M>(nodes: impl IntoIterator<Item = (&'m Str, M)>) -> Vec<Group>
    where
        M: IntoIterator<Item = &'m Message>,
    {
        let mut groups: BTreeMap<(About, &str, &Option<FilePlace>), (Group, &Message)> = BTreeMap::new();
        for (node, messages) in nodes {
            for message in messages {
                let key = (message.about, message.general.as_str(), &message.place);
                let (group, _) = groups.entry(key).or_insert_with(|| (Group::from_message(message), message));
                group.count += 1;
                group.add_help(message.help.as_deref());
                if group.nodes.last() != Some(node) {
                    group.nodes.push(node.clone());
                }
            }
        }
        let named = |(mut group, first): (Group, &Message)| {
            if group.nodes.len() > 1 {
                group.text.clone_from(&first.general);
            }
            group
        };
        let mut groups: Vec<Group> = groups.into_values().map(named).collect();
        groups.sort_by_key(|group| (group.about, std::cmp::Reverse(group.nodes.len())));
        groups
    }

    fn add_help(&mut self, help: Option<&str>) {
        let Some(help) = help else { return };
        let known = self.help.get_or_insert_default();
        let is_new = !known.split(HELP_DIVIDER).any(|one| one == help);
        if is_new && known.matches(HELP_DIVIDER).count() + 1 < MOST_HELPS {
            if !known.is_empty() {
                known.push_str(HELP_DIVIDER);
            }
            known.push_str(help);
        }
    }

    fn from_message(message: &Message) -> Group {
        Group {
            about: message.about,
            text: message.text.clone(),
            place: message.place.clone(),
            help: None,
            nodes: Vec::new(),
            count: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_words::OwnWords;

    #[test]
    fn the_same_error_of_many_is_one() {
        let report = |name: &str, said: &[(About, &str)]| {
            let own = OwnWords::new(name, &pantin_values::Hash::default());
            let messages = said.iter().map(|(about, text)| Message::new(*about, text, name, &own));
            (Str::from(name), messages.collect::<Vec<Message>>())
        };
        let lost = |name: &str| format!("no file for {name} (file: /a.pp, line: 1)");
        let reports = [
            report("web01", &[(About::Warning, "odd"), (About::Warning, "odd"), (About::Failure, &lost("web01"))]),
            report("web02", &[(About::Failure, "else")]),
            report("web03", &[(About::Failure, &lost("web03"))]),
            report("web04", &[(About::Failure, "no file for web04 (file: /a.pp, line: 2)")]),
        ];
        let groups = Group::from_messages(reports.iter().map(|(node, messages)| (node, messages)));
        let shown: Vec<String> = groups
            .iter()
            .map(|group| {
                format!("{} {} {:?}", group.count, group.text, group.nodes.iter().map(Str::as_str).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(
            shown,
            [
                r#"2 no file for <node> ["web01", "web03"]"#,
                r#"1 else ["web02"]"#,
                r#"1 no file for web04 ["web04"]"#,
                r#"2 odd ["web01"]"#,
            ]
        );
    }
}
