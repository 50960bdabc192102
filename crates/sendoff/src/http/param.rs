//! Parameters of paths.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::Operation;
use crate::document::{
    Fields, Is, Kind, Node, Others, Pairs, Record, Row, Said, Shown, Table, read_value, traits,
};
use crate::error::{Issues, Path};
use crate::value::{ParseError, Text};

/// Path parameters by the names in the operation's path template: an object of strings in JSON.
///
/// ```
/// use sendoff::http::{Operation, Params};
///
/// let params = Params::from_iter([("TW_USER_ID", "u 1".parse()?)]);
/// let path = Operation::ServerExecuteRawTransaction.path(&params)?;
/// assert_eq!(path, "/s2s/api/v1/rawtransaction/execute/u%201");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Params {
    // A path has one parameter at most; a map would only be larger.
    list: Vec<(&'static str, PathParam)>,
}

impl Params {
    /// No parameters.
    #[must_use]
    pub const fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// The parameter with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&PathParam> {
        self.list.iter().find(|(known, _)| *known == name).map(|(_, param)| param)
    }

    /// The names and their parameters, in the order of insertion.
    #[must_use]
    pub fn as_slice(&self) -> &[(&'static str, PathParam)] {
        &self.list
    }

    /// Inserts a parameter, or replaces one of the same name.
    pub fn insert(&mut self, name: &'static str, param: PathParam) {
        match self.list.iter_mut().find(|(known, _)| *known == name) {
            Some((_, there)) => *there = param,
            None => self.list.push((name, param)),
        }
    }
}

impl FromIterator<(&'static str, PathParam)> for Params {
    fn from_iter<I: IntoIterator<Item = (&'static str, PathParam)>>(list: I) -> Self {
        let mut params = Self::new();
        for (name, param) in list {
            params.insert(name, param);
        }
        params
    }
}

impl Shown for Params {
    const SHAPE: Is = Is::Pairs(&Pairs {
        expected: "",
        key: &Kind::TEXT,
        value: PathParam::PARSED,
        said: Said::new("Path parameters by the names in the operation's path template."),
    });

    fn record(&self) -> Record {
        Record::pairs(self.list.iter().map(|(name, param)| (*name, param)))
    }
}

traits!(Params: write, serialize, schema);

/// The value of a path parameter, decoded: text that is not empty, not `.` or `..`, and without `/`, `\` and NUL.
///
/// The specification does not show the form of `userId` and `TW_USER_ID`. The excluded texts are not one segment of a
/// path, or some servers do not read them as one. Source: RFC 3986, sections 3.3 and 5.2.4.
///
/// ```
/// use sendoff::http::PathParam;
///
/// assert_eq!("a b;c".parse::<PathParam>()?.as_str(), "a b;c");
/// assert!("..".parse::<PathParam>().is_err());
/// assert!("a/b".parse::<PathParam>().is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathParam {
    text: Box<str>,
}

impl PathParam {
    /// Characters that no segment may hold, even escaped.
    pub(super) const FORBIDDEN: [char; 3] = ['/', '\\', '\0'];

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for PathParam {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Text for PathParam {
    const EXPECTED: &'static str = "a path parameter (text that is not empty, not `.` or `..`, and without slash, backslash and NUL)";
    const KIND: &'static str = "PathParam";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let is_segment = !text.is_empty() && !is_dots(text) && !text.contains(Self::FORBIDDEN);
        is_segment.then(|| Self { text: text.into() }).ok_or(ParseError::FORMAT)
    }
}

traits!(PathParam: free, debug, text, read, serialize, schema(|_| schemars::json_schema!({
    "type": "string",
    "description": <Self as Text>::EXPECTED,
    "pattern": r"^[^/\\\u0000]+$",
    "not": { "enum": [".", ".."] },
})));

/// `true` if a segment is a step in the path and not a name: RFC 3986, section 5.2.4.
pub(super) fn is_dots(segment: &str) -> bool {
    segment == "." || segment == ".."
}

/// Any object.
static PARAMS: Table =
    Table { expected: "path parameters, an object", others: Others::Ignored, ..Table::NONE };

/// Path parameters by their names.
static OF_NAMES: [(&str, &Table); 3] =
    [("", &NO_PARAMS), ("userId", &USER), ("TW_USER_ID", &TW_USER)];

static NO_PARAMS: Table = Table { others: Others::Refused, ..PARAMS };
static USER: Table = Table { rows: &[Row::of::<PathParam>("userId", "")], ..NO_PARAMS };
static TW_USER: Table = Table { rows: &[Row::of::<PathParam>("TW_USER_ID", "")], ..NO_PARAMS };

/// Returns the path of an operation with parameters of a document; for an unknown operation they need only be an object.
pub(crate) fn path_of(
    operation: Option<Operation>,
    node: &Node<'_>,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Option<String> {
    let name =
        operation.map(|operation| operation.parameters().first().copied().unwrap_or_default());
    let table =
        OF_NAMES.iter().find(|(known, _)| Some(*known) == name).map_or(&PARAMS, |(_, table)| table);

    let params = read_value(node, &Is::Record(table), at, issues);
    if !params.is_whole() {
        return None;
    }
    let param: Option<PathParam> = Fields::of(&params).next();
    Some(operation?.filled(&|_| param.as_ref().map_or("", PathParam::as_str)))
}

/// Writes a text as a segment, escaped as `encodeURIComponent` does (ECMA-262).
pub(super) fn escape_into(text: &str, path: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')')
        {
            path.push(char::from(byte));
        } else {
            let digit = |value: u8| {
                b"0123456789ABCDEF".get(usize::from(value)).copied().map_or('0', char::from)
            };
            path.extend(['%', digit(byte >> 4), digit(byte & 0xf)]);
        }
    }
}
