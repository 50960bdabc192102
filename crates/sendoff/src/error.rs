//! The problems of a document, each with its place.
//!
//! ```
//! use sendoff::error::IssueCode;
//! use sendoff::value::Amount;
//!
//! let error = "01".parse::<Amount>().unwrap_err();
//! assert_eq!(error.issues()[0].code, IssueCode::Format);
//! assert_eq!(error.to_string(), "expected a decimal integer from 1 to 2^256-1 without leading zeros, found `01`");
//! ```

use alloc::{string::String, vec::Vec};
use core::fmt;

use serde::Serialize;

use crate::document::{Key, Node, Object, Read, Write, answer, firsts, text_of, undivided};

/// The kind of a problem.
///
/// If several apply to one place, the first in this list is reported.
///
/// ```
/// use sendoff::error::IssueCode;
///
/// assert!(IssueCode::Duplicate < IssueCode::Format);
/// assert_eq!(IssueCode::Missing.as_str(), "missing");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum IssueCode {
    /// The text is not JSON.
    Syntax,
    /// A key occurs twice.
    Duplicate,
    /// A field that the document does not have.
    Unknown,
    /// A required field is absent.
    Missing,
    /// The JSON type is wrong, null included.
    Type,
    /// Text that does not have the required form.
    Format,
    /// Well formed, but outside its bounds.
    Range,
    /// Each field is valid, but together they break a rule.
    Rule,
}

impl IssueCode {
    /// Returns the code as it is written in JSON, such as `format`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Duplicate => "duplicate",
            Self::Unknown => "unknown",
            Self::Missing => "missing",
            Self::Type => "type",
            Self::Format => "format",
            Self::Range => "range",
            Self::Rule => "rule",
        }
    }
}

impl IssueCode {
    const ALL: [Self; 8] = [
        Self::Syntax,
        Self::Duplicate,
        Self::Unknown,
        Self::Missing,
        Self::Type,
        Self::Format,
        Self::Range,
        Self::Rule,
    ];
}

impl Read for IssueCode {
    const EXPECTED: &'static str = "the code of an issue, such as `format`";

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let text = text_of(node, Self::EXPECTED, at, issues)?;
        let code = Self::ALL.into_iter().find(|code| code.as_str() == text);
        if code.is_none() {
            issues.push(at, Self::Format, alloc::format!("expected {}, found {}", Self::EXPECTED, Excerpt(text)));
        }
        code
    }
}

impl Write for IssueCode {
    fn write(&self, out: &mut Vec<u8>) {
        self.as_str().write(out);
    }
}

impl fmt::Display for IssueCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

answer! {
    /// One problem of an input.
    ///
    /// ```
    /// use sendoff::user_op::EntryPoint;
    ///
    /// let error = r#"{"chainId":0}"#.parse::<EntryPoint>().unwrap_err();
    /// let said: Vec<_> = error.issues().iter().map(|issue| (issue.path.as_str(), issue.code.as_str())).collect();
    /// assert_eq!(said, [("entryPoint", "missing"), ("chainId", "range"), ("version", "missing")]);
    /// ```
    pub struct Issue {
        /// The path from the root of the document, with dots, such as `details.amount`; empty for the root itself.
        "path" => pub path: String,
        /// The kind of problem.
        "code" => pub code: IssueCode,
        /// What was expected and what was found, with at most 64 characters of the input.
        "message" => pub message: String,
        /// The expected value, if a single value was expected: at most 64 characters of it.
        "expected" => "Option::is_none" pub expected: Option<String>,
        /// The value found in its place: at most 64 characters of it.
        "found" => "Option::is_none" pub found: Option<String>,
        /// The field of the call data that differs, if the issue is about call data.
        "field" => "Option::is_none" pub field: Option<String>,
    }
}

impl Issue {
    pub(crate) const fn new(path: String, code: IssueCode, message: String) -> Self {
        Self { path, code, message, expected: None, found: None, field: None }
    }
}

impl Read for Issue {
    const EXPECTED: &'static str = "an issue, an object of `path`, `code` and `message`";

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open(node, Self::EXPECTED, at, issues)?;
        let (path, code, message) = (object.required("path"), object.required("code"), object.required("message"));
        let [expected, found, field] = ["expected", "found", "field"].map(|key| object.optional(key));
        object.close();
        Some(Self { path: path?, code: code?, message: message?, expected: expected?, found: found?, field: field? })
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.message),
            path => write!(f, "{path}: {}", self.message),
        }
    }
}

answer! {
    /// An input that was refused, with its problems: at least one, and each place once.
    ///
    /// ```
    /// use sendoff::value::JobId;
    ///
    /// let error = "7".parse::<JobId>().unwrap_err();
    /// assert_eq!(error.issues().len(), 1);
    /// assert_eq!(error.to_string(), "expected a UUID (8-4-4-4-12 hex digits with hyphens), found `7`");
    /// ```
    pub struct Error {
        /// The problems, in the order in which they were found.
        "issues" => issues: Vec<Issue>,
    }
}

impl Error {
    /// The problems, in the order in which they were found.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// Returns the problems, and consumes the error.
    #[must_use]
    pub fn into_issues(self) -> Vec<Issue> {
        self.issues
    }

    pub(crate) fn one(code: IssueCode, message: String) -> Self {
        Issue::new(String::new(), code, message).into()
    }

    /// An error of these problems.
    pub(crate) const fn of(issues: Vec<Issue>) -> Self {
        Self { issues }
    }

    /// Cuts off the problems behind the first ones, and long paths, with an ellipsis in the place of their rest.
    pub(crate) fn cut(&mut self, issues: usize, path: usize) {
        self.issues.truncate(issues);
        for issue in &mut self.issues {
            if issue.path.len() > path {
                let end = (0..=path).rfind(|end| issue.path.is_char_boundary(*end));
                issue.path.truncate(end.unwrap_or_default());
                issue.path.push('…');
            }
        }
    }
}

impl From<Issue> for Error {
    fn from(issue: Issue) -> Self {
        Self::of(alloc::vec![issue])
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, issue) in self.issues.iter().enumerate() {
            write!(f, "{}{issue}", if at == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl core::error::Error for Error {}

/// The path of a part of a document: a linked list on the stack, which becomes text only if that part has a problem.
#[derive(Clone, Copy)]
pub(crate) enum Path<'p> {
    Root,
    Field(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl Path<'_> {
    /// Longer keys are cut: people read paths, and a path must not be larger than the document.
    const KEY_CHARS: usize = 64;
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parent = match self {
            Self::Root => return Ok(()),
            Self::Field(parent, _) | Self::Item(parent, _) => *parent,
        };
        if !matches!(parent, Path::Root) {
            write!(f, "{parent}.")?;
        }
        match self {
            Self::Root => Ok(()),
            Self::Field(_, key) => {
                key.chars().take(Self::KEY_CHARS).try_for_each(|c| write_visible(c, f))?;
                if key.chars().nth(Self::KEY_CHARS).is_some() { f.write_str("…") } else { Ok(()) }
            }
            Self::Item(_, index) => write!(f, "{index}"),
        }
    }
}

/// The problems found so far in one input.
#[derive(Default)]
pub(crate) struct Issues {
    found: Vec<Issue>,
    bytes: usize,
    /// Set while a reply is being read: unknown fields are ignored, and null counts as an empty array.
    pub(crate) reply_to: Option<ReplyTo>,
}

/// What is known of the request to which a reply is read.
#[derive(Clone, Copy)]
pub(crate) enum ReplyTo {
    /// A request of this intent type, as which the details are read.
    Request(&'static str),
    /// Nothing: the reply is read by itself.
    Unknown,
}

impl Issues {
    /// The most bytes of paths and messages that are kept. Without this bound, a document that consists of deeply
    /// nested problems would cost thousands of times its own size.
    const ROOM: usize = 4 << 20;

    /// Creates a list for a reply to a request of this intent type.
    pub(crate) fn of_reply_to(intent_type: &'static str) -> Self {
        Self { reply_to: Some(ReplyTo::Request(intent_type)), ..Self::default() }
    }

    pub(crate) fn push(&mut self, at: &Path<'_>, code: IssueCode, message: String) {
        self.add(Issue::new(alloc::format!("{at}"), code, message));
    }

    pub(crate) fn add(&mut self, issue: Issue) {
        if self.bytes <= Self::ROOM {
            self.bytes = self.bytes.saturating_add(issue.path.len()).saturating_add(issue.message.len());
            self.found.push(issue);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns `value` if there are no problems, else all problems: for each place the first of its codes.
    pub(crate) fn or<T>(self, value: Option<T>) -> Result<T, Error> {
        match value {
            Some(value) if self.found.is_empty() => Ok(value),
            _ => Err(Error { issues: self.settled() }),
        }
    }

    /// Keeps one issue for each place, and for call data one for each field. It takes the place of the first issue and
    /// the first code in the order of [`IssueCode`].
    fn settled(self) -> Vec<Issue> {
        let keys: Vec<Key<'_>> = self.found.iter().map(|issue| ("", &*issue.path, issue.field.as_deref())).collect();
        let firsts = firsts(&keys);
        // For each place, at its first issue: the code to keep, and the index of its issue.
        let mut best: Vec<_> = self.found.iter().map(|issue| issue.code).zip(0..).collect();
        for (at, (issue, first)) in self.found.iter().zip(&firsts).enumerate() {
            if let Some(best) = best.get_mut(*first) {
                *best = (*best).min((issue.code, at));
            }
        }
        let is_best = |at, first| best.get(first).is_some_and(|(_, best)| *best == at);
        let numbered = self.found.into_iter().zip(firsts).enumerate();
        numbered.filter_map(|(at, (issue, first))| is_best(at, first).then_some(issue)).collect()
    }
}

/// At most 64 characters of `text` in backticks, with invisible characters escaped.
pub(crate) struct Excerpt<'a>(pub(crate) &'a str);

impl Excerpt<'_> {
    const CHARS: usize = 64;

    /// The excerpt without its backticks.
    pub(crate) fn inner(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_to(&mut text);
        text
    }

    fn write_to(&self, out: &mut impl fmt::Write) -> fmt::Result {
        self.0.chars().take(Self::CHARS).try_for_each(|c| write_visible(c, out))
    }
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        self.write_to(f)?;
        match self.0.chars().count() {
            ..=Self::CHARS => f.write_str("`"),
            count => write!(f, "`… ({count} characters)"),
        }
    }
}

/// Writes a character; escapes it if it is invisible or changes the direction of the text around it.
fn write_visible(c: char, out: &mut impl fmt::Write) -> fmt::Result {
    let is_format = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
    if c.is_control() || is_format || c == '`' { write!(out, "{}", c.escape_unicode()) } else { out.write_char(c) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn each_place_once_with_its_first_code() {
        let mut issues = Issues::default();
        let (b, a) = (Path::Field(&Path::Root, "b"), Path::Field(&Path::Root, "a"));
        issues.push(&b, IssueCode::Type, "1".into());
        issues.push(&a, IssueCode::Rule, "2".into());
        issues.push(&b, IssueCode::Duplicate, "3".into());
        let error = issues.or(Some(())).unwrap_err();
        let list: Vec<_> = error.issues().iter().map(|i| (i.path.as_str(), i.code)).collect();
        assert_eq!(list, [("a", IssueCode::Rule), ("b", IssueCode::Duplicate)]);
    }

    #[test]
    fn excerpts_are_bounded() {
        let long = "é".repeat(1000);
        assert_eq!(Excerpt(&long).to_string().matches('é').count(), 64);
        assert_eq!(Excerpt("a\n`").to_string(), "`a\\u{a}\\u{60}`");
        let path = Path::Field(&Path::Root, &long);
        assert_eq!(Path::Item(&path, 7).to_string().matches('é').count(), 64);
    }

    #[test]
    fn invisible_and_direction_changing_characters_are_escaped() {
        for hidden in ['\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{e0041}', '\u{7f}'] {
            let (text, escape) = (alloc::format!("a{hidden}b"), hidden.escape_unicode());
            assert_eq!(Excerpt(&text).to_string(), alloc::format!("`a{escape}b`"));
            assert_eq!(Path::Field(&Path::Root, &text).to_string(), alloc::format!("a{escape}b"));
        }
    }
}
