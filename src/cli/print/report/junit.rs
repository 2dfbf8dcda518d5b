//! JUnit's XML: a test case for each file that was checked.

use std::fmt::Write;
use std::sync::Mutex;

use super::{Report, Style, Tally};
use crate::print::check::Checked;
use crate::print::markup::escape;
use crate::print::repository_path::repository_path;

/// The counts stand in the first element: all of it is written at the end.
pub(super) struct Junit {
    pub(super) style: Style,
    cases: Mutex<Vec<(String, String)>>,
}

impl Junit {
    pub(super) fn new(style: Style) -> Junit {
        Junit { style, cases: Mutex::default() }
    }

    fn case(&self, path: &str, checked: &Checked) -> String {
        let mut xml = format!("    <testcase name=\"{}\" classname=\"validate\" time=\"0\"", escape(path));
        let lines: Vec<String> =
            checked.findings(self.style.max_errors).map(|found| found.one_line(Some(path))).collect();
        let helps = checked.findings(self.style.max_errors).map(|found| found.help.as_deref());
        let Some(first) = lines.first() else { return xml + "/>\n" };
        let all: Vec<String> = lines
            .iter()
            .zip(helps)
            .map(|(line, help)| help.map_or_else(|| line.clone(), |help| format!("{line}\nhelp: {help}")))
            .collect();
        let all = all.join("\n");
        // Writing to a string cannot fail.
        let _ = match checked.accepted() {
            true => writeln!(xml, ">\n      <system-out>{}</system-out>\n    </testcase>", escape(&all)),
            false => writeln!(
                xml,
                ">\n      <failure message=\"{}\" type=\"rejected\">{}</failure>\n    </testcase>",
                escape(lines.last().unwrap_or(first)),
                escape(&all)
            ),
        };
        xml
    }
}

impl Report for Junit {
    fn file(&self, checked: &Checked) -> String {
        let path = checked.name.as_deref().map_or_else(|| checked.shown_name().to_owned(), repository_path);
        let case = self.case(&path, checked);
        self.cases.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((path, case));
        String::new()
    }

    fn end(&self, tally: &Tally) -> String {
        let mut cases = std::mem::take(&mut *self.cases.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        // Files are checked on many threads.
        cases.sort();
        let counts = format!("tests=\"{}\" failures=\"{}\" errors=\"0\"", tally.files, tally.rejected);
        let cases: String = cases.into_iter().map(|(_, case)| case).collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pantin validate\" {counts}>\n  <testsuite \
             name=\"files\" skipped=\"0\" {counts}>\n{cases}  </testsuite>\n</testsuites>\n"
        )
    }
}
