//! The terminal: taken over while the view is there, and given back as it was, however the view ends. The one user of
//! crossterm.

use std::io::{self, Stdout, Write};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue, style};

use super::draw::Line;
use super::state::Key;
use crate::print::text_style::{PLAIN_AGAIN, TextStyle};

pub(super) struct Screen {
    out: Stdout,
    colour: bool,
    /// What stands there.
    shown: Vec<Line>,
}

impl Screen {
    pub(super) fn open(colour: bool) -> io::Result<Screen> {
        terminal::enable_raw_mode()?;
        // From here on it is given back, whatever fails.
        let mut screen = Screen { out: io::stdout(), colour, shown: Vec::new() };
        execute!(screen.out, EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }

    /// Columns and lines; a terminal that does not say has those of a typewriter.
    pub(super) fn size() -> (usize, usize) {
        match terminal::size() {
            Ok((columns, lines)) if columns > 0 && lines > 0 => (columns.into(), lines.into()),
            _ => (80, 24),
        }
    }

    /// Everything is drawn anew.
    pub(super) fn forget(&mut self) {
        self.shown.clear();
    }

    /// Writes the lines that are not there already.
    pub(super) fn draw(&mut self, lines: Vec<Line>) -> io::Result<()> {
        if self.shown.len() != lines.len() {
            self.shown.clear();
            queue!(self.out, terminal::Clear(ClearType::All))?;
        }
        for (at, line) in lines.iter().enumerate() {
            if self.shown.get(at) == Some(line) {
                continue;
            }
            queue!(self.out, cursor::MoveTo(0, u16::try_from(at).unwrap_or(u16::MAX)))?;
            // Before, for behind a full line there is nothing, and terminals differ in where that is.
            queue!(self.out, terminal::Clear(ClearType::UntilNewLine))?;
            for (shade, text) in &line.0 {
                let is_shaded = self.colour && *shade != TextStyle::Plain;
                let (before, after) = if is_shaded { (shade.escape(), PLAIN_AGAIN) } else { ("", "") };
                queue!(self.out, style::Print(format_args!("{before}{text}{after}")))?;
            }
        }
        self.shown = lines;
        self.out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Who has gone away sees nothing of it.
        let _ = execute!(self.out, cursor::Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// What the terminal tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Input {
    Key(Key),
    Resized,
}

/// Waits for the next thing that it tells.
pub(super) fn next_input() -> io::Result<Input> {
    loop {
        match crossterm::event::read()? {
            Event::Resize(..) => return Ok(Input::Resized),
            Event::Key(event) if event.kind != KeyEventKind::Release => {
                if let Some(key) = key_of(event) {
                    return Ok(Input::Key(key));
                }
            }
            _ => {}
        }
    }
}

fn key_of(event: KeyEvent) -> Option<Key> {
    let with_control = event.modifiers.contains(KeyModifiers::CONTROL);
    Some(match event.code {
        KeyCode::Char('c' | 'd') if with_control => Key::Interrupt,
        KeyCode::Char('h') if with_control => Key::Rubout,
        KeyCode::Char('j' | 'm') if with_control => Key::Open,
        KeyCode::Char(_) if with_control => return None,
        KeyCode::Char(letter) => Key::Letter(letter),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::First,
        KeyCode::End => Key::Last,
        KeyCode::Enter | KeyCode::Right => Key::Open,
        KeyCode::Left => Key::Close,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Rubout,
        _ => return None,
    })
}
