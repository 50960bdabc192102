//! Contract ABI encoding: the part of it that the core needs.
//!
//! Writes in one pass into one buffer. Reads strictly: each part must be exactly where the writer
//! puts it, lengths must match and padding must be zero, so that only the writer's own output can
//! be read.
//!
//! Source: the Solidity documentation, "Contract ABI Specification".

use alloc::{string::String, vec::Vec};
use core::cell::Cell;

use primitive_types::{H160, U256};

use crate::document::Write;
use crate::value::{HexBytes, Text, WriteText, fill, of_word, to_word};

/// The unit of the encoding, in bytes.
pub(crate) const WORD: usize = 32;

/// A value to write.
pub(crate) enum Item<'a> {
    Bool(bool),
    Uint(U256),
    Address(H160),
    /// `bytes4`.
    Selector([u8; 4]),
    /// `bytes` or `string`.
    Bytes(&'a [u8]),
    /// `string` that holds the text of a value.
    Text(&'a dyn WriteText),
    /// `bytes` that hold a value as JSON.
    Json(&'a dyn Write),
    /// `bytes` that hold another encoding.
    Encoded(&'a [Item<'a>]),
    /// `bytes` that hold the call of a function.
    Call([u8; 4], &'a [Item<'a>]),
    /// A dynamic tuple.
    Tuple(&'a [Item<'a>]),
    /// An array of dynamic values.
    List(Vec<Item<'a>>),
}

/// Returns the encoding of the values as a tuple.
pub(crate) fn encode(values: &[Item<'_>]) -> Vec<u8> {
    // Most call data is between one and two thousand bytes long.
    let mut out = Vec::with_capacity(2048);
    write(values, &mut out);
    out
}

/// Writes the heads first, where the head of a dynamic value is the offset of its tail; then the tails in the same
/// order.
fn write(values: &[Item<'_>], out: &mut Vec<u8>) {
    let base = out.len();
    for value in values {
        match value {
            Item::Bool(value) => out.extend(word(usize::from(*value))),
            Item::Uint(value) => out.extend(to_word(*value)),
            Item::Address(address) => {
                out.extend([0; 12]);
                out.extend(address.0);
            }
            Item::Selector(selector) => {
                out.extend(selector);
                out.extend([0; 28]);
            }
            // The offset is filled in once the tail is written.
            _ => out.extend([0; WORD]),
        }
    }

    let mut head = base;
    for value in values {
        let tail = out.len();
        match value {
            Item::Bytes(bytes) => write_bytes(out, |out| out.extend(*bytes)),
            Item::Text(text) => write_bytes(out, |out| text.write_text(out)),
            Item::Json(value) => write_bytes(out, |out| value.write(out)),
            Item::Encoded(values) => write_bytes(out, |out| write(values, out)),
            Item::Call(selector, values) => write_bytes(out, |out| {
                out.extend(selector);
                write(values, out);
            }),
            Item::Tuple(values) => write(values, out),
            Item::List(values) => {
                out.extend(word(values.len()));
                write(values, out);
            }
            Item::Bool(_) | Item::Uint(_) | Item::Address(_) | Item::Selector(_) => {}
        }
        if out.len() > tail {
            patch(out, head, tail.saturating_sub(base));
        }
        head = head.saturating_add(WORD);
    }
}

/// Writes a length, the bytes that `content` writes, and zeros up to the next whole word.
fn write_bytes(out: &mut Vec<u8>, content: impl FnOnce(&mut Vec<u8>)) {
    let at = out.len();
    out.extend([0; WORD]);
    let start = out.len();
    content(out);
    let length = out.len().saturating_sub(start);
    patch(out, at, length);
    out.resize(start.saturating_add(length.next_multiple_of(WORD)), 0);
}

fn patch(out: &mut [u8], at: usize, number: usize) {
    if let Some(place) = out.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = word(number);
    }
}

/// Returns a length or an offset as a word.
fn word(number: usize) -> [u8; WORD] {
    to_word(number.into())
}

/// The first reason why bytes are not an encoding. It is kept beside the readers, so that no step of them has to pass it on:
/// what is read after it has no meaning.
#[derive(Default)]
pub(crate) struct DecodeError {
    /// The byte, and what was expected there.
    first: Cell<Option<(usize, &'static str)>>,
}

impl DecodeError {
    /// Keeps a flaw, unless there is an earlier one.
    #[cold]
    #[inline(never)]
    pub(crate) fn keep(&self, at: usize, expected: &'static str) {
        self.first.set(self.first.get().or(Some((at, expected))));
    }

    /// `true` if there is none.
    pub(crate) const fn is_none(&self) -> bool {
        self.first.get().is_none()
    }

    /// Returns the value if there is no flaw, else `expected …, found … at byte …`; `bytes` are the whole input.
    pub(crate) fn or<T>(&self, value: Option<T>, bytes: &[u8]) -> Result<T, String> {
        match (self.first.get(), value) {
            (None, Some(value)) => Ok(value),
            (flaw, _) => Err(message(flaw.unwrap_or_default(), bytes)),
        }
    }
}

#[cold]
#[inline(never)]
fn message((at, expected): (usize, &str), bytes: &[u8]) -> String {
    let found = match bytes.get(at..).unwrap_or_default() {
        [] => "the end".into(),
        rest => HexBytes::from(rest.get(..WORD).unwrap_or(rest)).to_text(),
    };
    fill("expected {} at byte {}, found {}", &[&expected, &at, &found])
}

/// A reader of the encoding of a tuple. It reads heads and tails in step.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    /// The position of `bytes` in the whole input, for messages.
    origin: usize,
    head: usize,
    /// The position where the next dynamic value must begin.
    tail: usize,
    /// The position that offsets count from.
    base: usize,
    flaw: &'a DecodeError,
}

impl<'a> Reader<'a> {
    /// Creates a reader of a tuple with this number of head words. `bytes` is all of it, and begins at `origin` of the
    /// whole input.
    pub(crate) const fn new(
        bytes: &'a [u8],
        origin: usize,
        head_words: usize,
        flaw: &'a DecodeError,
    ) -> Self {
        Self { bytes, origin, head: 0, tail: head_words.saturating_mul(WORD), base: 0, flaw }
    }

    /// Reads the next head word.
    pub(crate) fn word(&mut self) -> &'a [u8; WORD] {
        let word = self.word_at(self.head, "a word");
        self.head = self.head.saturating_add(WORD);
        word
    }

    pub(crate) fn bool(&mut self) -> bool {
        let value = self.uint();
        if value > U256::one() {
            self.before("0 or 1");
        }
        !value.is_zero()
    }

    pub(crate) fn uint(&mut self) -> U256 {
        of_word(self.word())
    }

    pub(crate) fn address(&mut self) -> H160 {
        let word = self.word();
        if !word.starts_with(&[0; 12]) {
            self.before("an address behind 12 zero bytes");
        }
        let [_, _, _, _, _, _, _, _, _, _, _, _, address @ ..] = word;
        H160(*address)
    }

    /// Reads `bytes` or `string`, and returns where it begins in the whole input.
    pub(crate) fn bytes(&mut self) -> (&'a [u8], usize) {
        let (length, start) = self.length();
        let end = start.saturating_add(length);
        let padded = end.checked_next_multiple_of(WORD).unwrap_or(usize::MAX);
        match self.bytes.get(end..padded) {
            None => self.keep(self.tail, "a length within the bytes"),
            Some(padding) if padding.iter().any(|byte| *byte != 0) => {
                self.keep(end, "zero padding")
            }
            Some(_) => {}
        }
        self.tail = padded;
        (self.bytes.get(start..end).unwrap_or_default(), self.origin.saturating_add(start))
    }

    /// Opens `bytes` that hold the encoding of a tuple with this number of head words.
    pub(crate) fn encoded(&mut self, head_words: usize) -> Self {
        let (bytes, origin) = self.bytes();
        Self::new(bytes, origin, head_words, self.flaw)
    }

    /// Reads `uint256[]`.
    pub(crate) fn uints(&mut self) -> Vec<U256> {
        let (length, start) = self.length();
        let end = start.saturating_add(length.saturating_mul(WORD));
        if self.bytes.get(start..end).is_none() {
            self.keep(self.tail, "a length within the bytes");
        }
        self.tail = end;
        self.bytes.get(start..end).unwrap_or_default().as_chunks().0.iter().map(of_word).collect()
    }

    /// The position of the bytes that follow.
    pub(crate) const fn rest(&self) -> usize {
        self.tail
    }

    /// Reads a `string` that holds a kind of text; nothing after a flaw.
    pub(crate) fn text<T: Text>(&mut self) -> Option<T> {
        let (bytes, at) = self.bytes();
        let value = core::str::from_utf8(bytes).ok().and_then(|text| T::parse(text).ok());
        if value.is_none() {
            self.flaw.keep(at, T::EXPECTED);
        }
        value
    }

    /// Opens a dynamic tuple with this number of head words. [`Reader::resume`] closes it.
    pub(crate) fn tuple(&mut self, head_words: usize) -> Self {
        self.offset();
        self.inner(self.tail, head_words)
    }

    /// Opens an array of dynamic values, and returns how many there are. [`Reader::resume`] closes it.
    pub(crate) fn list(&mut self) -> (usize, Self) {
        let (length, start) = self.length();
        (length, self.inner(start, length))
    }

    /// Continues after an inner tuple or array.
    pub(crate) const fn resume(&mut self, inner: &Self) {
        self.tail = inner.tail;
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&self) {
        if self.tail != self.bytes.len() {
            self.keep(self.tail, "the end");
        }
    }

    /// Keeps a flaw of the head word that was read last.
    pub(crate) fn before(&self, expected: &'static str) {
        self.keep(self.head.saturating_sub(WORD), expected);
    }

    /// The flaw of what was read so far.
    pub(crate) const fn flaw(&self) -> &'a DecodeError {
        self.flaw
    }

    fn keep(&self, at: usize, expected: &'static str) {
        self.flaw.keep(self.origin.saturating_add(at), expected);
    }

    const fn inner(&self, base: usize, head_words: usize) -> Self {
        let tail = base.saturating_add(head_words.saturating_mul(WORD));
        Self { head: base, tail, base, ..*self }
    }

    fn word_at(&self, at: usize, expected: &'static str) -> &'a [u8; WORD] {
        self.bytes.get(at..).and_then(<[u8]>::first_chunk).unwrap_or_else(|| {
            self.keep(at, expected);
            &[0; WORD]
        })
    }

    /// Checks that the next head word is the offset of the next tail.
    fn offset(&mut self) {
        let expected = U256::from(self.tail.saturating_sub(self.base));
        if self.uint() != expected {
            self.before("the offset of the next part");
        }
    }

    /// Reads the offset and the length of the next tail, and returns the position behind the length. The length lies within
    /// the bytes; after a flaw it is 0, so that nothing is read.
    fn length(&mut self) -> (usize, usize) {
        self.offset();
        let length = of_word(self.word_at(self.tail, "a length"));
        if length > U256::from(self.bytes.len()) {
            self.keep(self.tail, "a length within the bytes");
        }
        let length = if self.flaw.is_none() { length.as_usize() } else { 0 };
        (length, self.tail.saturating_add(WORD))
    }
}
