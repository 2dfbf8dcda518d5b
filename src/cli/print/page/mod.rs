//! Pages that need nothing else: no file beside them, no network. Their beginning, their common style, their end.

use std::fmt::Write;

use super::markup::escape;

const STYLE: &str = include_str!("style.css");

/// The beginning of a page, up to its body. `style`: what it has beside the common style. A browser loads nothing for it.
pub(crate) fn head(title: &str, style: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; script-src \
         'unsafe-inline'\">\n<title>{}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n",
        escape(title)
    )
}

/// The end of a page.
pub(crate) fn finish(page: &mut String, script: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "<script>\n{script}</script>\n</body>\n</html>");
}

/// Data for the script of a page: nothing in it ends the element that it stands in.
pub(crate) fn push_data(page: &mut String, id: &str, json: &str) {
    let json = json.replace('<', "\\u003c");
    let _ = writeln!(page, "<script type=\"application/json\" id=\"{id}\">{json}</script>");
}
