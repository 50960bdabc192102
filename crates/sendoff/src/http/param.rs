//! Parameters of paths.

use alloc::string::String;

use super::Operation;
use crate::document::{
    Fields, Is, Kind, Node, Others, Pairs, Record, Row, Said, Table, Valued, read_value, traits,
};
use crate::error::{Issues, Path};
use crate::value::{Text, newtype};

/// Path parameters by the names in the operation's path template: an object of strings in JSON. A path has one at most.
#[derive(Clone)]
pub(crate) struct Params(pub(super) Option<(&'static str, PathParam)>);

impl Valued for Params {
    const IS: Is = Is::Pairs(&Pairs {
        expected: "",
        key: &Kind::TEXT,
        value: PathParam::PARSED,
        said: Said::new("Path parameters by the names in the operation's path template."),
    });

    fn record(&self) -> Record {
        Record::pairs(self.0.iter().map(|(name, param)| (*name, param)))
    }
}

traits!(Params: schema);

newtype! {
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
    pub struct PathParam:
        "a path parameter (text that is not empty, not `.` or `..`, and without slash, backslash and \
        NUL)",
        |text| !text.is_empty() && !is_dots(text) && !text.contains(FORBIDDEN),
        schema |_| schemars::json_schema!({
            "type": "string",
            "description": <Self as Text>::EXPECTED,
            "pattern": r"^[^/\\\u0000]+$",
            "not": { "enum": [".", ".."] },
        })
}

/// Characters that no segment may hold, even escaped.
pub(super) const FORBIDDEN: [char; 3] = ['/', '\\', '\0'];

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
    Some(operation?.filled(param.as_ref()))
}

/// Writes a text as a segment, escaped as `encodeURIComponent` does (ECMA-262).
pub(super) fn escape_into(text: &str, path: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')')
        {
            path.push(char::from(byte));
        } else {
            path.push('%');
            path.push_str(&const_hex::encode_upper([byte]));
        }
    }
}
