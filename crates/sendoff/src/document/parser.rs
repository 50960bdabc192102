//! Strict JSON text as a tree (RFC 8259).
//!
//! serde_json is not used here, for three reasons. It returns numbers as integers and doubles, and exact doubles are
//! most of what it adds to the WebAssembly module (ARCHITECTURE.md has the figures), but every number in our documents
//! is a small integer; here a number is its text. It has another limit of depth. And it reports line and column of a
//! text that the caller may never have seen.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::node::{Field, Node, bounded, merge_equal_keys};
use crate::error::{Excerpt, IssueCode, Issues, Path};

/// The deepest nesting of arrays and objects.
const MAX_DEPTH: usize = 64;

impl<'a> Node<'a> {
    /// Parses a JSON text to a tree, with an issue for every duplicate key in it.
    pub(crate) fn parse(text: &'a str, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let text = bounded(text, at, issues)?;
        let mut parser = Parser::new(text);
        match parser.document() {
            Ok(node) => {
                if parser.twice {
                    node.push_duplicates(at, issues);
                }
                Some(node)
            }
            Err(flaw) => {
                let code = if matches!(flaw, Flaw::TooDeep) { IssueCode::Range } else { IssueCode::Syntax };
                issues.push(at, code, flaw.message(text));
                None
            }
        }
    }
}

/// The reason why a text is not a tree.
enum Flaw {
    /// The text is not JSON: what was expected, and at which byte.
    Syntax { at: usize, expected: &'static str },
    /// The text is nested too deep.
    TooDeep,
}

impl Flaw {
    /// Returns `expected …, found … at byte …`.
    fn message(&self, text: &str) -> String {
        match self {
            Self::Syntax { at, expected } => match text.get(*at..) {
                Some("") => format!("expected JSON with {expected} at byte {at}, found its end"),
                Some(rest) => format!("expected JSON with {expected} at byte {at}, found {}", Excerpt(rest)),
                None => format!("expected JSON with {expected} at byte {at}, found a part of a character"),
            },
            Self::TooDeep => format!("expected at most {MAX_DEPTH} levels of nesting, found more"),
        }
    }
}

/// A text that is being parsed.
struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// An object has a duplicate key.
    twice: bool,
}

impl<'a> Parser<'a> {
    const fn new(text: &'a str) -> Self {
        Self { text, at: 0, twice: false }
    }

    /// Reads the one value of the text.
    fn document(&mut self) -> Result<Node<'a>, Flaw> {
        let node = self.value(0)?;
        self.skip_space();
        if self.at == self.text.len() { Ok(node) } else { Err(self.expected("nothing more")) }
    }

    fn value(&mut self, depth: usize) -> Result<Node<'a>, Flaw> {
        self.skip_space();
        match self.peek() {
            Some(b'"') => self.string().map(Node::Text),
            Some(b'{') => self.object(deeper(depth)?),
            Some(b'[') => self.list(deeper(depth)?),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Node::Bool(true)),
            Some(b'f') => self.word("false", Node::Bool(false)),
            Some(b'n') => self.word("null", Node::Null),
            _ => Err(self.expected("a value")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Node<'a>, Flaw> {
        let mut fields = Vec::new();
        self.step();
        self.skip_space();
        if !self.take(b'}') {
            loop {
                self.skip_space();
                if self.peek() != Some(b'"') {
                    return Err(self.expected("a key in quotes"));
                }
                let key = self.string()?;
                self.skip_space();
                if !self.take(b':') {
                    return Err(self.expected("`:`"));
                }
                fields.push(Field::new(key, self.value(depth)?));
                self.skip_space();
                if self.take(b'}') {
                    break;
                }
                if !self.take(b',') {
                    return Err(self.expected("`,` or `}`"));
                }
            }
        }
        self.twice |= merge_equal_keys(&mut fields);
        Ok(Node::Object(fields))
    }

    fn list(&mut self, depth: usize) -> Result<Node<'a>, Flaw> {
        let mut items = Vec::new();
        self.step();
        self.skip_space();
        if !self.take(b']') {
            loop {
                items.push(self.value(depth)?);
                self.skip_space();
                if self.take(b']') {
                    break;
                }
                if !self.take(b',') {
                    return Err(self.expected("`,` or `]`"));
                }
            }
        }
        Ok(Node::List(items))
    }

    /// Reads text in quotes; borrowed if it has no escapes.
    fn string(&mut self) -> Result<Cow<'a, str>, Flaw> {
        self.step();
        let mut owned = String::new();
        loop {
            let start = self.at;
            let rest = self.text.as_bytes().get(start..).unwrap_or_default();
            self.at = start.saturating_add(plain(rest));
            let part = self.since(start);
            match self.peek() {
                Some(b'"') => {
                    self.step();
                    if owned.is_empty() {
                        return Ok(Cow::Borrowed(part));
                    }
                    owned.push_str(part);
                    return Ok(Cow::Owned(owned));
                }
                Some(b'\\') => {
                    owned.push_str(part);
                    self.step();
                    owned.push(self.escape()?);
                }
                Some(_) => return Err(self.expected("no control character in text")),
                None => return Err(self.expected("`\"` behind text")),
            }
        }
    }

    /// Reads the escape after a backslash.
    fn escape(&mut self) -> Result<char, Flaw> {
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.expected("an escape")),
        };
        self.step();
        Ok(c)
    }

    /// Reads `u` and four hex digits, or two of them that form a pair of surrogates.
    fn unicode_escape(&mut self) -> Result<char, Flaw> {
        let first = self.code_unit()?;
        let second = match first {
            0xd800..0xdc00 if self.take(b'\\') && self.peek() == Some(b'u') => Some(self.code_unit()?),
            _ => None,
        };
        char::decode_utf16([first].into_iter().chain(second))
            .next()
            .and_then(Result::ok)
            .ok_or_else(|| self.expected("the second of a pair of surrogates"))
    }

    /// Reads `u` and four hex digits.
    fn code_unit(&mut self) -> Result<u16, Flaw> {
        self.step();
        let digits = self.text.get(self.at..self.at.saturating_add(4)).unwrap_or_default();
        if digits.len() != 4 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(self.expected("four hex digits"));
        }
        self.at = self.at.saturating_add(4);
        u16::from_str_radix(digits, 16).map_err(|_| self.expected("four hex digits"))
    }

    fn number(&mut self) -> Result<Node<'a>, Flaw> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(Node::Number(Cow::Borrowed(self.since(start))))
    }

    fn digits(&mut self) -> Result<(), Flaw> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.step();
        }
        if self.at == start { Err(self.expected("a digit")) } else { Ok(()) }
    }

    fn word(&mut self, word: &'static str, node: Node<'a>) -> Result<Node<'a>, Flaw> {
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            self.at = self.at.saturating_add(word.len());
            return Ok(node);
        }
        Err(self.expected("a value"))
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.step();
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.step();
        }
        there
    }

    /// Returns the text between two positions. Both are between characters, because only ASCII is skipped byte by byte.
    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    const fn expected(&self, expected: &'static str) -> Flaw {
        Flaw::Syntax { at: self.at, expected }
    }
}

/// Returns the number of bytes before a quote, a backslash or a control character. Takes eight bytes at a time, because
/// most text here is long hex.
fn plain(text: &[u8]) -> usize {
    /// In each byte its lowest bit.
    const ONES: u64 = u64::MAX / 0xff;
    let mut count = 0_usize;
    let mut rest = text;
    while let Some((bytes, after)) = rest.split_first_chunk() {
        let bytes = u64::from_le_bytes(*bytes);
        // The highest bit of a byte that is below the bound; above the first such byte others may have it too.
        let below = |bytes: u64, bound: u64| bytes.wrapping_sub(ONES.wrapping_mul(bound)) & !bytes;
        let equal = |byte: u8| below(bytes ^ ONES.wrapping_mul(byte.into()), 1);
        if (below(bytes, 0x20) | equal(b'"') | equal(b'\\')) & ONES << 7 != 0 {
            break;
        }
        count = count.saturating_add(8);
        rest = after;
    }
    let last = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
    count.saturating_add(last)
}

fn deeper(depth: usize) -> Result<usize, Flaw> {
    if depth < MAX_DEPTH { Ok(depth.saturating_add(1)) } else { Err(Flaw::TooDeep) }
}
