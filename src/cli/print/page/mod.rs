//! Pages that need nothing else: no file beside them, no network. Their beginning, their common style, their end.

use std::fmt::Write;

use super::markup;
use super::safe::printable::escaped_json;

const STYLE: &str = include_str!("style.css");

/// What pages have in common that are lists of messages and changes.
pub(crate) const REPORT_STYLE: &str = include_str!("report.css");

/// Returns the beginning of a page, up to its body. `style`: what it has beside the common style. A browser loads
/// nothing for it.
pub(crate) fn head(title: &str, style: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; script-src \
         'unsafe-inline'\">\n<title>{}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n",
        markup::escape(title)
    )
}

/// The end of a page.
pub(crate) fn finish(page: &mut String, script: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "<script>\n{script}</script>\n</body>\n</html>");
}

/// Data for the script of a page: nothing in it ends the element that it stands in, or is a command to whoever shows the page in
/// the log of a job.
pub(crate) fn push_data(page: &mut String, id: &str, json: &str) {
    let json = escaped_json(json.replace('<', "\\u003c"));
    let _ = writeln!(page, "<script type=\"application/json\" id=\"{id}\">{json}</script>");
}

/// Text in a page. Line ends stay what they are.
pub(crate) fn escape(text: &str) -> String {
    markup::escape(text).replace("&#10;", "<br>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_element() {
        let value = serde_json::json!({"x": "</script><!--"});
        let mut page = String::new();
        push_data(&mut page, "x", &value.to_string());
        let text = page.strip_prefix("<script type=\"application/json\" id=\"x\">").unwrap();
        let text = text.strip_suffix("</script>\n").unwrap();
        assert!(!text.contains('<'), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(text).unwrap(), value);
    }
}
