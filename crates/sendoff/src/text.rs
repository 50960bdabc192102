//! Texts: the spelling of values, and sentences that are made of templates and parts.

use alloc::{string::String, vec::Vec};

/// A value that is written as text.
pub(crate) trait WriteText {
    /// Writes the text as it came in.
    fn write_text(&self, out: &mut Vec<u8>);

    /// Returns the text as it came in.
    #[inline]
    fn to_text(&self) -> String
    where
        Self: Sized,
    {
        text_of(self)
    }

    /// Writes the text in quotes. Only types of free text can hold characters that JSON escapes.
    fn quote(&self, out: &mut Vec<u8>)
    where
        Self: Sized,
    {
        quote(self, out);
    }
}

/// Returns the text of a value: one function, not one for each type.
#[inline(never)]
pub(crate) fn text_of(value: &dyn WriteText) -> String {
    let mut out = Vec::with_capacity(48);
    value.write_text(&mut out);
    text(out)
}

/// Writes a text without characters that JSON escapes, in quotes.
pub(crate) fn quote(value: &dyn WriteText, out: &mut Vec<u8>) {
    out.push(b'"');
    value.write_text(out);
    out.push(b'"');
}

/// Returns text that a value wrote: it is ASCII, or copied whole from text.
pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}

/// Returns the number of bytes before a quote, a backslash or a control character. Takes eight bytes at a time, because most
/// text here is long hex.
pub(crate) fn plain(text: &[u8]) -> usize {
    /// In each byte its lowest bit.
    const ONES: u64 = u64::MAX / 0xff;

    // The highest bit of a byte that is below the bound; above the first such byte others may have
    // it too.
    let below = |bytes: u64, bound: u64| bytes.wrapping_sub(ONES.wrapping_mul(bound)) & !bytes;
    let mut count = 0_usize;
    let mut rest = text;

    while let Some((bytes, after)) = rest.split_first_chunk() {
        let bytes = u64::from_le_bytes(*bytes);
        // The bit 0x2 puts the quote behind the control characters.
        let behind = below(bytes ^ ONES << 1, 0x21) | below(bytes ^ ONES.wrapping_mul(0x5c), 1);
        let found = behind & ONES << 7;
        if found != 0 {
            return count
                .saturating_add(usize::try_from(found.trailing_zeros() / 8).unwrap_or_default());
        }
        count = count.saturating_add(8);
        rest = after;
    }

    let last =
        rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
    count.saturating_add(last)
}

/// `true` if a text has another one in it. The search of the standard library is made for long texts, and larger. No window is of
/// size 0, at which it panics.
pub(crate) fn contains(text: &str, part: &str) -> bool {
    text.as_bytes().windows(part.len().max(1)).any(|found| found == part.as_bytes())
}

/// The text before the first character of this kind in ASCII, and the text behind it. In short texts three times as fast as
/// `split_once`.
pub(crate) fn split(text: &str, at: u8) -> Option<(&str, &str)> {
    let (before, behind) = text.split_at_checked(text.bytes().position(|byte| byte == at)?)?;
    Some((before, behind.get(1..)?))
}

/// The last digit of a number in decimal.
pub(crate) fn last_digit(number: u64) -> u8 {
    b'0' | u8::try_from(number % 10).unwrap_or_default()
}

/// The number of some digits, and nothing else.
pub(crate) fn number(digits: &str) -> Option<u64> {
    digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// What takes the place of a `{}`.
type Part<'a> = &'a dyn WriteText;

/// Returns a template with these parts in the places of its `{}`. `format!` would bring the formatting of the standard library
/// into the WebAssembly modules, 4 kB (gzip) of the one for signing.
#[inline(always)]
pub(crate) fn fill<const N: usize>(template: &str, parts: &[Part<'_>; N]) -> String {
    // Up to three parts are arguments: a list of them would first be written to the stack, at each of a hundred places.
    match parts.as_slice() {
        [first] => fill_one(template, *first),
        [first, second] => fill_two(template, *first, *second),
        [first, second, third] => fill_three(template, *first, *second, *third),
        parts => fill_all(template, parts),
    }
}

#[inline(never)]
fn fill_one(template: &str, part: Part<'_>) -> String {
    fill_all(template, &[part])
}

#[inline(never)]
fn fill_two(template: &str, first: Part<'_>, second: Part<'_>) -> String {
    fill_all(template, &[first, second])
}

#[inline(never)]
fn fill_three(template: &str, first: Part<'_>, second: Part<'_>, third: Part<'_>) -> String {
    fill_all(template, &[first, second, third])
}

#[inline(never)]
fn fill_all(template: &str, parts: &[Part<'_>]) -> String {
    let mut out = Vec::with_capacity(template.len().saturating_mul(2));
    let (mut parts, mut rest) = (parts.iter(), template.as_bytes());
    while let Some(at) = rest.windows(2).position(|place| place == b"{}")
        && let Some((plain, [_, _, after @ ..])) = rest.split_at_checked(at)
    {
        out.extend_from_slice(plain);
        parts.next().into_iter().for_each(|part| part.write_text(&mut out));
        rest = after;
    }
    out.extend_from_slice(rest);
    text(out)
}

impl WriteText for str {
    fn write_text(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }
}

impl WriteText for String {
    fn write_text(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }
}

impl<T: WriteText + ?Sized> WriteText for &T {
    fn write_text(&self, out: &mut Vec<u8>) {
        T::write_text(self, out);
    }
}

impl WriteText for bool {
    fn write_text(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(if *self { b"true" } else { b"false" });
    }
}

impl WriteText for u64 {
    fn write_text(&self, out: &mut Vec<u8>) {
        let start = out.len();
        let mut rest = *self;
        loop {
            out.push(last_digit(rest));
            rest /= 10;
            if rest == 0 {
                break;
            }
        }

        out.get_mut(start..).unwrap_or_default().reverse();
    }
}

impl WriteText for u32 {
    fn write_text(&self, out: &mut Vec<u8>) {
        u64::from(*self).write_text(out);
    }
}

impl WriteText for usize {
    fn write_text(&self, out: &mut Vec<u8>) {
        u64::try_from(*self).unwrap_or(u64::MAX).write_text(out);
    }
}

impl WriteText for i64 {
    fn write_text(&self, out: &mut Vec<u8>) {
        if *self < 0 {
            out.push(b'-');
        }
        self.unsigned_abs().write_text(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_take_the_places_of_a_template() {
        assert_eq!(fill("{} of {}: {}.", &[&1_usize, &"a{}b", &true]), "1 of a{}b: true.");
        assert_eq!(fill("{}{}", &[&String::from("é"), &-7_i64]), "é-7");
        assert_eq!(fill("none", &[]), "none");
        assert_eq!(fill("{{}.{}} {a}", &[&"key", &7_u64]), "{key.7} {a}");
    }

    #[test]
    fn each_byte_that_json_escapes_ends_plain_text_at_each_place() {
        for length in [1, 7, 8, 9, 16, 19] {
            for at in 0..length {
                for byte in 0..=u8::MAX {
                    let mut text = alloc::vec![b'a'; length];
                    text[at] = byte;
                    let is_escaped = byte < 0x20 || [b'"', b'\\'].contains(&byte);
                    assert_eq!(
                        plain(&text),
                        if is_escaped { at } else { length },
                        "{byte} at {at} of {length}"
                    );
                }
            }
        }

        assert_eq!((plain(b""), plain(b"\"\"\"\"\"\"\"\"\"")), (0, 0));
    }

    #[test]
    fn numbers_in_decimal() {
        for number in [0, 1, 9, 10, 99, 100, 1_234_567_890, u64::MAX] {
            assert_eq!(number.to_text(), alloc::format!("{number}"));
        }
        assert_eq!(
            (i64::MIN.to_text(), i64::MAX.to_text()),
            (alloc::format!("{}", i64::MIN), alloc::format!("{}", i64::MAX))
        );
    }
}
