//! Contract ABI encoding: the part of it that the core needs.
//!
//! Writes in one pass into one buffer. Reads strictly: each part must be exactly where the writer puts it, lengths must
//! match and padding must be zero, so that only the writer's own output can be read.
//!
//! Source: the Solidity documentation, "Contract ABI Specification".

use alloc::{format, string::String, vec::Vec};

use primitive_types::{H160, U256};

use crate::copy::copy;
use crate::document::Write;
use crate::value::{Spell, Text, of_word, to_word};

/// The unit of the encoding, in bytes.
pub(crate) const WORD: usize = 32;

/// A value to write.
pub(crate) enum Value<'a> {
    Bool(bool),
    Uint(U256),
    Address(H160),
    /// `bytes4`.
    Selector([u8; 4]),
    /// `bytes` or `string`.
    Bytes(&'a [u8]),
    /// `string` that holds the text of a value.
    Text(&'a dyn Spell),
    /// `bytes` that hold a value as JSON.
    Json(&'a dyn Write),
    /// `bytes` that hold another encoding.
    Encoded(&'a [Value<'a>]),
    /// `bytes` that hold the call of a function.
    Call([u8; 4], &'a [Value<'a>]),
    /// A dynamic tuple.
    Tuple(&'a [Value<'a>]),
    /// An array of dynamic values.
    List(Vec<Value<'a>>),
}

/// Returns the encoding of the values as a tuple.
pub(crate) fn encode(values: &[Value<'_>]) -> Vec<u8> {
    // Most call data is between one and two thousand bytes long.
    let mut out = Vec::with_capacity(2048);
    write(values, &mut out);
    out
}

/// Writes the heads first, where the head of a dynamic value is the offset of its tail; then the tails in the same
/// order.
fn write(values: &[Value<'_>], out: &mut Vec<u8>) {
    let base = out.len();
    for value in values {
        match value {
            Value::Bool(value) => out.extend(word(usize::from(*value))),
            Value::Uint(value) => out.extend(to_word(*value)),
            Value::Address(address) => {
                out.extend([0; 12]);
                out.extend(address.0);
            }
            Value::Selector(selector) => {
                out.extend(selector);
                out.extend([0; 28]);
            }
            // The offset is filled in once the tail is written.
            Value::Bytes(_)
            | Value::Text(_)
            | Value::Json(_)
            | Value::Encoded(_)
            | Value::Call(..)
            | Value::Tuple(_)
            | Value::List(_) => {
                out.extend([0; WORD]);
            }
        }
    }
    let mut head = base;
    for value in values {
        let tail = out.len();
        match value {
            Value::Bytes(bytes) => write_bytes(out, |out| out.extend(*bytes)),
            Value::Text(text) => write_bytes(out, |out| text.spell(out)),
            Value::Json(value) => write_bytes(out, |out| value.write(out)),
            Value::Encoded(values) => write_bytes(out, |out| write(values, out)),
            Value::Call(selector, values) => write_bytes(out, |out| {
                out.extend(selector);
                write(values, out);
            }),
            Value::Tuple(values) => write(values, out),
            Value::List(values) => {
                out.extend(word(values.len()));
                write(values, out);
            }
            _ => {}
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
    if let Some(place) = out.get_mut(at..at.saturating_add(WORD)) {
        copy(place, &word(number));
    }
}

/// Returns a length or an offset as a word.
fn word(number: usize) -> [u8; WORD] {
    to_word(number.into())
}

/// The reason why bytes are not an encoding: what was expected, and at which byte.
pub(crate) struct Misfit {
    at: usize,
    expected: &'static str,
}

impl Misfit {
    pub(crate) const fn new(at: usize, expected: &'static str) -> Self {
        Self { at, expected }
    }

    /// Returns `expected …, found … at byte …`; `bytes` are the whole input.
    pub(crate) fn message(&self, bytes: &[u8]) -> String {
        let Self { at, expected } = self;
        match bytes.get(*at..).unwrap_or_default() {
            [] => format!("expected {expected} at byte {at}, found the end"),
            rest => {
                let shown = rest.get(..WORD).unwrap_or(rest);
                format!("expected {expected} at byte {at}, found 0x{}", hex::encode(shown))
            }
        }
    }
}

/// Parses a value from a text that begins at byte `at` of the whole input.
pub(crate) fn text_at<T: Text>(bytes: &[u8], at: usize) -> Result<T, Misfit> {
    let value = core::str::from_utf8(bytes).ok().and_then(|text| T::accept(text).ok());
    value.ok_or(Misfit::new(at, T::EXPECTED))
}

/// A reader of the encoding of a tuple. It reads heads and tails in step.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    /// The position of `bytes` in the whole input, for messages.
    origin: usize,
    head: usize,
    /// The position where the next dynamic value must begin.
    tail: usize,
    /// The position that offsets count from.
    base: usize,
}

impl<'a> Reader<'a> {
    /// Creates a reader of a tuple with this number of head words. `bytes` is all of it, and begins at `origin` of the
    /// whole input.
    pub(crate) const fn new(bytes: &'a [u8], origin: usize, head_words: usize) -> Self {
        Self { bytes, origin, head: 0, tail: head_words.saturating_mul(WORD), base: 0 }
    }

    /// Reads the next head word.
    pub(crate) fn word(&mut self) -> Result<&'a [u8; WORD], Misfit> {
        let word = self.word_at(self.head, "a word")?;
        self.head = self.head.saturating_add(WORD);
        Ok(word)
    }

    pub(crate) fn bool(&mut self) -> Result<bool, Misfit> {
        match self.uint()? {
            zero if zero.is_zero() => Ok(false),
            one if one == U256::one() => Ok(true),
            _ => Err(self.before("0 or 1")),
        }
    }

    pub(crate) fn uint(&mut self) -> Result<U256, Misfit> {
        self.word().map(of_word)
    }

    pub(crate) fn address(&mut self) -> Result<H160, Misfit> {
        match self.word()? {
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, address @ ..] => Ok(H160(*address)),
            _ => Err(self.before("an address behind 12 zero bytes")),
        }
    }

    /// Reads `bytes` or `string`, and returns where it begins in the whole input.
    pub(crate) fn bytes(&mut self) -> Result<(&'a [u8], usize), Misfit> {
        self.offset()?;
        let start = self.tail.saturating_add(WORD);
        let length = self.length_at(self.tail)?;
        let end = start.saturating_add(length);
        let padded = end.checked_next_multiple_of(WORD).unwrap_or(usize::MAX);
        match (self.bytes.get(start..end), self.bytes.get(end..padded)) {
            (Some(bytes), Some(padding)) if padding.iter().all(|byte| *byte == 0) => {
                self.tail = padded;
                Ok((bytes, self.origin.saturating_add(start)))
            }
            (_, None) => Err(self.at(self.tail, "a length within the bytes")),
            _ => Err(self.at(end, "zero padding")),
        }
    }

    /// Reads `uint256[]`.
    pub(crate) fn uints(&mut self) -> Result<Vec<U256>, Misfit> {
        self.offset()?;
        let length = self.length_at(self.tail)?;
        let start = self.tail.saturating_add(WORD);
        let end = start.saturating_add(length.saturating_mul(WORD));
        let Some(words) = self.bytes.get(start..end) else {
            return Err(self.at(self.tail, "a length within the bytes"));
        };
        self.tail = end;
        Ok(words.as_chunks().0.iter().map(of_word).collect())
    }

    /// Returns the bytes that follow.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.tail..).unwrap_or_default()
    }

    /// Reads a `string` that holds the text of a value.
    pub(crate) fn text<T: Text>(&mut self) -> Result<T, Misfit> {
        let (bytes, at) = self.bytes()?;
        text_at(bytes, at)
    }

    /// Opens a dynamic tuple with this number of head words. [`Reader::resume`] closes it.
    pub(crate) fn tuple(&mut self, head_words: usize) -> Result<Self, Misfit> {
        self.offset()?;
        Ok(self.inner(self.tail, head_words))
    }

    /// Opens an array of dynamic values, and returns how many there are. [`Reader::resume`] closes it.
    pub(crate) fn list(&mut self) -> Result<(usize, Self), Misfit> {
        self.offset()?;
        let length = self.length_at(self.tail)?;
        Ok((length, self.inner(self.tail.saturating_add(WORD), length)))
    }

    /// Continues after an inner tuple or array.
    pub(crate) const fn resume(&mut self, inner: &Self) {
        self.tail = inner.tail;
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&self) -> Result<(), Misfit> {
        if self.tail == self.bytes.len() { Ok(()) } else { Err(self.at(self.tail, "the end")) }
    }

    /// Returns a misfit of the head word that was read last.
    pub(crate) const fn before(&self, expected: &'static str) -> Misfit {
        self.at(self.head.saturating_sub(WORD), expected)
    }

    const fn at(&self, at: usize, expected: &'static str) -> Misfit {
        Misfit { at: self.origin.saturating_add(at), expected }
    }

    const fn inner(&self, base: usize, head_words: usize) -> Self {
        let tail = base.saturating_add(head_words.saturating_mul(WORD));
        Self { bytes: self.bytes, origin: self.origin, head: base, tail, base }
    }

    fn word_at(&self, at: usize, expected: &'static str) -> Result<&'a [u8; WORD], Misfit> {
        self.bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or(self.at(at, expected))
    }

    /// Checks that the next head word is the offset of the next tail.
    fn offset(&mut self) -> Result<(), Misfit> {
        let expected = U256::from(self.tail.saturating_sub(self.base));
        if self.uint()? == expected { Ok(()) } else { Err(self.before("the offset of the next part")) }
    }

    /// Reads a length, which must fit `usize` and lie within the bytes.
    fn length_at(&self, at: usize) -> Result<usize, Misfit> {
        let length = of_word(self.word_at(at, "a length")?);
        if length > U256::from(self.bytes.len()) {
            return Err(self.at(at, "a length within the bytes"));
        }
        Ok(length.as_usize())
    }
}
