//! Strict JSON text as a tree (RFC 8259).
//!
//! serde_json is not used here, for three reasons. It returns numbers as integers and doubles, and
//! exact doubles are most of what it adds to the WebAssembly module (ARCHITECTURE.md has the
//! figures), but every number in our documents is a small integer; here a number is its text. It
//! has another limit of depth. And it reports line and column of a text that the caller may never
//! have seen.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::node::{Field, Node, bounded, merge_equal_keys};
use crate::error::{Excerpt, IssueCode, Issues, Path};
use crate::text::{WriteText, fill, plain};

/// The deepest nesting of arrays and objects.
const MAX_DEPTH: usize = 64;

impl<'a> Node<'a> {
    /// Parses a JSON text to a tree, with an issue for every duplicate key in it.
    pub(crate) fn parse(text: &'a str, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let text = bounded(text, at, issues)?;
        let mut parser = Parser { text, at: 0, duplicate: false, error: None };
        let node = parser.document();

        if let Some(error) = parser.error {
            error.push(text, at, issues);
            return None;
        }
        if parser.duplicate {
            node.push_duplicates(at, issues);
        }
        Some(node)
    }
}

/// The first reason why a text is not a tree.
#[derive(Clone, Copy)]
enum SyntaxError {
    /// The text is not JSON: what was expected, and at which byte.
    Syntax { at: usize, expected: &'static str },
    /// The text is nested too deep.
    TooDeep,
}

impl SyntaxError {
    /// Pushes `expected …, found … at byte …`.
    fn push(self, text: &str, place: &Path<'_>, issues: &mut Issues) {
        let (code, message) = match self {
            Self::Syntax { at, expected } => {
                let found = match text.get(at..) {
                    Some("") => "its end".into(),
                    Some(rest) => Excerpt(rest).to_text(),
                    None => "a part of a character".into(),
                };
                (
                    IssueCode::Syntax,
                    fill("expected JSON with {} at byte {}, found {}", &[&expected, &at, &found]),
                )
            }
            Self::TooDeep => (
                IssueCode::Range,
                fill("expected at most {} levels of nesting, found more", &[&MAX_DEPTH]),
            ),
        };

        issues.push(place, code, message);
    }
}

/// A text that is being parsed. It keeps its first error and is then at its end, so that no step has to pass an error on: what is
/// read after it has no meaning.
struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// An object has a duplicate key.
    duplicate: bool,
    error: Option<SyntaxError>,
}

impl<'a> Parser<'a> {
    /// Reads the one value of the text.
    fn document(&mut self) -> Node<'a> {
        let node = self.value(0);
        self.skip_space();
        if self.at < self.text.len() {
            self.expected("nothing more");
        }
        node
    }

    fn value(&mut self, depth: usize) -> Node<'a> {
        self.skip_space();
        match self.peek() {
            Some(b'"') => return Node::Text(self.string()),
            Some(b'{' | b'[') if depth == MAX_DEPTH => self.fail(SyntaxError::TooDeep),
            Some(b'{') => return self.object(depth.saturating_add(1)),
            Some(b'[') => return self.list(depth.saturating_add(1)),
            Some(b'-' | b'0'..=b'9') => return self.number(),
            _ => {
                for (word, flag) in &[("true", Some(true)), ("false", Some(false)), ("null", None)]
                {
                    if self.rest().starts_with(word.as_bytes()) {
                        self.at = self.at.saturating_add(word.len());
                        return flag.map_or(Node::Null, Node::Bool);
                    }
                }
                self.expected("a value");
            }
        }

        Node::Null
    }

    fn object(&mut self, depth: usize) -> Node<'a> {
        let mut fields = Vec::new();
        self.items(b'}', "`,` or `}`", &mut |parser| {
            parser.skip_space();
            if parser.peek() != Some(b'"') {
                return parser.expected("a key in quotes");
            }
            let key = parser.string();
            parser.skip_space();
            if !parser.take(b':') {
                parser.expected("`:`");
            }
            fields.push(Field::new(key, parser.value(depth)));
        });
        self.duplicate |= merge_equal_keys(&mut fields);

        Node::Object(fields)
    }

    fn list(&mut self, depth: usize) -> Node<'a> {
        let mut items = Vec::new();
        self.items(b']', "`,` or `]`", &mut |parser| items.push(parser.value(depth)));
        Node::List(items)
    }

    /// Reads what is between two brackets.
    fn items(&mut self, close: u8, expected: &'static str, item: &mut dyn FnMut(&mut Self)) {
        self.step();
        self.skip_space();

        if self.take(close) {
            return;
        }

        loop {
            item(self);
            self.skip_space();
            if self.take(close) {
                return;
            }
            if !self.take(b',') {
                return self.expected(expected);
            }
        }
    }

    /// Reads text in quotes; borrowed if it has no escapes.
    fn string(&mut self) -> Cow<'a, str> {
        let mut owned = String::new();

        loop {
            self.step();
            let start = self.at;
            self.at = start.saturating_add(plain(self.rest()));
            let part = self.since(start);
            match self.peek() {
                Some(b'"') => {
                    self.step();
                    if owned.is_empty() {
                        return Cow::Borrowed(part);
                    }
                    owned.push_str(part);
                    return Cow::Owned(owned);
                }
                Some(b'\\') => {
                    owned.push_str(part);
                    self.step();
                    owned.push(self.escape());
                }
                other => {
                    self.expected(if other.is_some() {
                        "no control character in text"
                    } else {
                        "`\"` behind text"
                    });
                    return Cow::Owned(owned);
                }
            }
        }
    }

    /// Reads the escape after a backslash, up to its last character.
    fn escape(&mut self) -> char {
        match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => self.unicode_escape(),
            _ => {
                self.expected("an escape");
                ' '
            }
        }
    }

    /// Reads `u` and four hex digits, or two of them that form a pair of surrogates, up to the last digit.
    fn unicode_escape(&mut self) -> char {
        let first = self.code_unit();
        let is_high = (0xd800..0xdc00).contains(&first);
        let second =
            (is_high && self.take(b'\\') && self.peek() == Some(b'u')).then(|| self.code_unit());

        let decoded =
            char::decode_utf16([first].into_iter().chain(second)).next().and_then(Result::ok);
        if decoded.is_none() {
            self.expected("the second of a pair of surrogates");
        }
        self.at = self.at.saturating_sub(1);
        decoded.unwrap_or_default()
    }

    /// Reads `u` and four hex digits.
    fn code_unit(&mut self) -> u16 {
        self.step();
        let digits = self
            .rest()
            .first_chunk::<4>()
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let Some(digits) = digits else {
            self.expected("four hex digits");
            return 0;
        };
        self.at = self.at.saturating_add(4);
        let value =
            |digit: u8| char::from(digit).to_digit(16).and_then(|value| u16::try_from(value).ok());
        digits.iter().fold(0, |unit, digit| unit << 4 | value(*digit).unwrap_or_default())
    }

    fn number(&mut self) -> Node<'a> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits();
        }
        if self.take(b'.') {
            self.digits();
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits();
        }
        Node::Number(Cow::Borrowed(self.since(start)))
    }

    fn digits(&mut self) {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.step();
        }
        if self.at == start {
            self.expected("a digit");
        }
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

    /// The bytes that were not read yet.
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn expected(&mut self, expected: &'static str) {
        self.fail(SyntaxError::Syntax { at: self.at, expected });
    }

    #[cold]
    #[inline(never)]
    fn fail(&mut self, error: SyntaxError) {
        self.error = self.error.or(Some(error));
        self.at = self.text.len();
    }
}
