//! ERB templates: whether their code is Ruby, and whether their tags are closed.

use pantin_base::{Diagnostic, Severity, Source};
use pantin_ruby::{TemplateFault, check_template};

use super::finding;

pub(super) fn check(source: &Source) -> Vec<Diagnostic> {
    let faults = check_template(source.name().unwrap_or_default(), source.text());
    faults.into_iter().map(|fault| diagnostic(source, fault)).collect()
}

fn diagnostic(source: &Source, fault: TemplateFault) -> Diagnostic {
    match fault {
        TemplateFault::Syntax(error) => {
            let at = Some((error.line_to_show(), None));
            let label = error.unclosed.map(|_| "this is never closed".to_owned());
            let found = finding(source, Severity::Error, "ERB_SYNTAX", &error.message, at);
            Diagnostic { label, ..found }
        }
        TemplateFault::OpenTag { line } => {
            let message = "this tag is never closed, so that its text stands in the result and its code does not run";
            let found = finding(source, Severity::Warning, "ERB_OPEN_TAG", message, Some((line, None)));
            Diagnostic { help: Some("close it with %>".to_owned()), ..found }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, Option<u32>, Severity)> {
        let source = Source::new(Some("t.erb"), text).unwrap();
        check(&source).into_iter().map(|found| (found.code.to_owned(), found.place.line(), found.severity)).collect()
    }

    #[test]
    fn a_block_that_is_not_closed_is_told_where_it_begins() {
        assert_eq!(found("a\n<% if @x -%>\nb\n<% end -%>\n"), []);
        let error = |line| [("ERB_SYNTAX".to_owned(), Some(line), Severity::Error)];
        assert_eq!(found("a\n<% if @x -%>\nb\nc\nd\n"), error(2));
        assert_eq!(found("a\n\n<% @x.each do |y| -%>\nb\nc\nd\n"), error(3));
        assert_eq!(found("a\n<%= 1 + %>\nb\n"), error(2));
        assert_eq!(found("a\n<% end %>\nb\n"), error(2));
    }

    #[test]
    fn a_tag_that_is_not_closed_is_a_warning() {
        let warning = [("ERB_OPEN_TAG".to_owned(), Some(2), Severity::Warning)];
        assert_eq!(found("<%= 1 %>\n<%= @x >\nb\n"), warning);
        assert_eq!(found("<%% literal\n"), []);
    }
}
