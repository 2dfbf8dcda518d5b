//! The view as lines of text, each within the width of the terminal. Knows no terminal.

use super::items::ItemStyle;
use super::state::{OpenPage, Page, Part, Row, View};
use crate::print::text_style::{TextStyle, cut};

/// A line in parts.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Line(pub(super) Vec<(TextStyle, String)>);

impl Line {
    fn new(shade: TextStyle, text: &str, width: usize) -> Line {
        Line::default().then(shade, text, width)
    }

    /// With more behind it, as far as there is room.
    fn then(mut self, shade: TextStyle, text: &str, width: usize) -> Line {
        let taken: usize = self.0.iter().map(|(_, text)| console::measure_text_width(text)).sum();
        let text = cut(text, width.saturating_sub(taken));
        if !text.is_empty() {
            self.0.push((shade, text));
        }
        self
    }

    #[cfg(test)]
    pub(super) fn text(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// As many lines as the terminal has.
pub(super) fn lines(view: &View) -> Vec<Line> {
    let (width, open) = (view.width, view.open());
    let rows = open.rows();
    let mut lines = vec![Line::new(TextStyle::Strong, &view.heading, width), title(view, open, rows.len())];
    let shown = rows.iter().enumerate().skip(open.top).take(view.room());
    lines.extend(shown.map(|(at, row)| line(row, at == open.cursor, width)));
    if rows.is_empty() && view.room() > 0 {
        lines.push(Line::new(TextStyle::Faint, nothing(view, open), width));
    }
    lines.resize(view.height.saturating_sub(1), Line::default());
    lines.push(foot(view, open));
    lines.truncate(view.height);
    lines
}

fn nothing(view: &View, open: &OpenPage) -> &'static str {
    match (&open.page, open.filter.is_empty()) {
        (_, false) => "  nothing that passes the filter",
        (Page::Changes, true) if view.nodes() == 0 => "  …",
        (Page::Changes, true) => "  no changes; edit something",
        (Page::Nodes, true) => "  no nodes",
        (Page::Catalog(_), true) => "  the node is no more",
    }
}

/// Returns what the page is, where one is in it, and what is left of it.
fn title(view: &View, open: &OpenPage, rows: usize) -> Line {
    let name = match &open.page {
        Page::Changes if view.is_edited => "changes of the last edit".to_owned(),
        Page::Changes => "what is wrong at the start".to_owned(),
        Page::Nodes => format!("nodes: {}", view.nodes()),
        Page::Catalog(node) => format!("catalog of {node}"),
    };
    let filter = if open.filter.is_empty() { String::new() } else { format!(", with '{}'", open.filter) };
    let place = if rows > view.room() { format!(" · {}/{rows}", open.cursor + 1) } else { String::new() };
    Line::new(TextStyle::Faint, &format!("{name}{filter}{place}"), view.width)
}

fn line(row: &Row<'_>, is_here: bool, width: usize) -> Line {
    let marker = if is_here { ">" } else { " " };
    let line = Line::new(TextStyle::Strong, marker, width);
    let item = row.item;
    match row.part {
        Part::Heading => {
            let shade = match item.sort {
                ItemStyle::Good => TextStyle::Good,
                ItemStyle::Bad => TextStyle::Bad,
                ItemStyle::Odd => TextStyle::Odd,
                ItemStyle::Plain => TextStyle::Plain,
            };
            let more = match (item.can_open(), item.is_open) {
                (false, _) => " ",
                (true, false) => "▸",
                (true, true) => "▾",
            };
            // What stands behind it is short, or may be cut.
            let tail = console::measure_text_width(&item.tail).min(width / 3);
            let title_room = width.saturating_sub(if tail > 0 { tail + 2 } else { 0 });
            let line = line.then(TextStyle::Faint, more, width).then(shade, &format!("{} ", item.sign), width);
            let line = line.then(TextStyle::Plain, &item.title, title_room);
            if item.tail.is_empty() { line } else { line.then(TextStyle::Faint, &format!("  {}", item.tail), width) }
        }
        Part::Detail(text) => line.then(TextStyle::Plain, &format!("     {text}"), width),
        Part::Node(name) => line.then(TextStyle::Faint, &format!("     on {name}"), width),
    }
}

fn foot(view: &View, open: &OpenPage) -> Line {
    if view.is_typing {
        return Line::new(
            TextStyle::Strong,
            &format!("/{}_   Enter keeps the filter, Esc drops it", open.filter),
            view.width,
        );
    }
    if !view.message.is_empty() {
        return Line::new(TextStyle::Strong, &view.message, view.width);
    }
    let keys = match open.page {
        Page::Changes if view.applies => {
            "↑↓ move  Enter expand  e all  c catalog  a apply all  / filter  r look again  q quit"
        }
        Page::Changes => "↑↓ move  Enter expand  e all  c catalog  n nodes  / filter  r look again  q quit",
        Page::Nodes => "↑↓ move  Enter catalog  / filter  Esc back  r look again  q quit",
        Page::Catalog(_) => "↑↓ move  Enter expand  e all  / filter  Esc back  r look again  q quit",
    };
    Line::new(TextStyle::Faint, keys, view.width)
}
