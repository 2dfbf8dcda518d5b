//! Cells of comma-separated values (RFC 4180, with line feeds). Spreadsheets take some texts for formulas.

use super::printable::printable;
use super::workflow_log::without_commands;

/// Adds a row.
pub(crate) fn push_row(text: &mut String, cells: impl Iterator<Item = String>) {
    for (number, cell) in cells.enumerate() {
        if number > 0 {
            text.push(',');
        }
        let cell = without_commands(&printable(&cell)).into_owned();
        // A quote before it says that it is text, and is not shown.
        let cell = if is_formula(&cell) { format!("'{cell}") } else { cell };
        match cell.contains([',', '"', '\n', '\r']) {
            true => text.push_str(&format!("\"{}\"", cell.replace('"', "\"\""))),
            false => text.push_str(&cell),
        }
    }
    text.push('\n');
}

/// Returns true if a spreadsheet would calculate it. Numbers are what they are.
fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t']) && cell.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_or_ends_early() {
        let mut text = String::new();
        let cells = ["-5", "=1+1", "@x", "a,b", "say \"x\"", "\u{1b}[0m", "1 = 1"];
        push_row(&mut text, cells.into_iter().map(str::to_owned));
        assert_eq!(text, "-5,'=1+1,'@x,\"a,b\",\"say \"\"x\"\"\",\u{FFFD}[0m,1 = 1\n");
    }
}
