//! Parts of an input in messages.

use alloc::{string::String, vec::Vec};

use crate::text::{WriteText, fill, text as text_of};

/// At most 64 characters of `text` in backticks, with invisible characters escaped.
pub(crate) struct Excerpt<'a>(pub(crate) &'a str);

impl Excerpt<'_> {
    const CHARS: usize = 64;

    /// The excerpt without its backticks.
    pub(crate) fn inner(&self) -> String {
        let mut out = Vec::new();
        self.write_to(&mut out);
        text_of(out)
    }

    fn write_to(&self, out: &mut Vec<u8>) {
        self.0.chars().take(Self::CHARS).for_each(|c| write_visible(c, out));
    }
}

impl WriteText for Excerpt<'_> {
    fn write_text(&self, out: &mut Vec<u8>) {
        out.push(b'`');
        self.write_to(out);
        out.push(b'`');
        // Each character has one byte that does not continue another.
        let count = self.0.bytes().filter(|byte| byte & 0xc0 != 0x80).count();
        if count > Self::CHARS {
            fill("… ({} characters)", &[&count]).write_text(out);
        }
    }
}

/// Writes a character; escapes it if it is hidden, or would end the excerpt.
pub(super) fn write_visible(c: char, out: &mut Vec<u8>) {
    if is_invisible(c) || c == '`' {
        write_escaped(c, out);
    } else {
        write_char(c, out);
    }
}

fn write_char(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Writes `\u{…}`, as Rust spells a character.
fn write_escaped(c: char, out: &mut Vec<u8>) {
    c.escape_unicode().for_each(|c| write_char(c, out));
}

/// Returns a text with its hidden characters escaped, so that it can be shown.
pub(crate) fn shown(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    text.chars().for_each(|c| {
        if is_hidden(c) { write_escaped(c, &mut out) } else { write_char(c, &mut out) }
    });
    text_of(out)
}

/// `true` if a character is invisible or changes the direction of the text around it.
fn is_hidden(c: char) -> bool {
    let is_format = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
    c.is_control() || is_format
}

/// `true` for a character that is not seen: the hidden ones, and the rest of Unicode's category Cf, of its property
/// Default_Ignorable_Code_Point, and the blank pattern of Braille. Texts of languages and emoji can have some of them.
pub(crate) fn is_invisible(c: char) -> bool {
    // Most characters of a message are ASCII, and then the ranges need not be looked at.
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    is_hidden(c)
        || matches!(c,
            '\u{34f}' | '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{115f}'
            | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{110bd}' | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Path;

    #[test]
    fn excerpts_are_bounded() {
        let long = "é".repeat(1000);
        assert_eq!(Excerpt(&long).to_text().matches('é').count(), 64);
        assert_eq!(Excerpt("a\n`").to_text(), "`a\\u{a}\\u{60}`");
        let path = Path::Field(&Path::Root, &long);
        assert_eq!(Path::Item(&path, 7).to_text().matches('é').count(), 64);
    }

    #[test]
    fn invisible_and_direction_changing_characters_are_escaped() {
        for hidden in ['\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{e0041}', '\u{7f}'] {
            let (text, escape) = (alloc::format!("a{hidden}b"), hidden.escape_unicode());
            assert_eq!(Excerpt(&text).to_text(), alloc::format!("`a{escape}b`"));
            assert_eq!(Path::Field(&Path::Root, &text).to_text(), alloc::format!("a{escape}b"));
        }
    }
}
