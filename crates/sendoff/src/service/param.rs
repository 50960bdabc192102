//! Parameters of paths.

use alloc::{boxed::Box, collections::BTreeMap};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::Operation;
use crate::document::{Node, Object, Read};
use crate::error::{Issues, Path};
use crate::value::{Fault, text_value};

/// Path parameters by the names that the operation's path template has for them.
///
/// ```
/// use sendoff::service::{Operation, Params};
///
/// let params = Params::from([("TW_USER_ID", "u 1".parse()?)]);
/// let path = Operation::ServerExecuteRawTransaction.path(&params)?;
/// assert_eq!(path, "/s2s/api/v1/rawtransaction/execute/u%201");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
pub type Params = BTreeMap<&'static str, PathParam>;

/// The value of a path parameter, decoded: text that is not empty, not `.` or `..`, and without `/`, `\` and NUL.
///
/// The specification does not show what `userId` and `TW_USER_ID` are; the rest is kept out because it is no one
/// segment of a path, or is not taken for one everywhere. Source: RFC 3986, sections 3.3 and 5.2.4.
///
/// ```
/// use sendoff::service::PathParam;
///
/// assert_eq!("a b;c".parse::<PathParam>()?.as_str(), "a b;c");
/// assert!("..".parse::<PathParam>().is_err());
/// assert!("a/b".parse::<PathParam>().is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathParam {
    text: Box<str>,
}

impl PathParam {
    /// What stands in no segment, not even escaped.
    pub(super) const FORBIDDEN: [char; 3] = ['/', '\\', '\0'];

    /// What `encodeURIComponent` escapes of ASCII (ECMA-262); it escapes all that is not ASCII.
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'!')
        .remove(b'~')
        .remove(b'*')
        .remove(b'\'')
        .remove(b'(')
        .remove(b')');

    /// The pieces of its spelling in a path.
    pub(super) fn escaped(&self) -> impl Iterator<Item = &str> {
        utf8_percent_encode(&self.text, Self::ESCAPED)
    }

    fn meaning(text: &str) -> Result<(), Fault> {
        let is_segment = !text.is_empty() && !is_dots(text) && !text.contains(Self::FORBIDDEN);
        is_segment.then_some(()).ok_or(Fault::FORMAT)
    }
}

text_value!(PathParam: "a path parameter (text that is not empty, not `.` or `..`, and without slash, backslash and NUL)");

/// Whether a segment means no name but a step in the path: RFC 3986, section 5.2.4.
pub(super) fn is_dots(segment: &str) -> bool {
    segment == "." || segment == ".."
}

/// The parameters of an operation; of an unknown one they need only be an object.
pub(super) fn read_params(
    operation: Option<Operation>,
    node: &Node<'_>,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Option<Params> {
    let AnyParams = AnyParams::read(node, at, issues)?;
    let names = operation?.parameters();
    let mut object = Object::open::<AnyParams>(node, at, issues)?;
    let read = names.iter().filter_map(|name| Some((*name, object.required(name)?)));
    let params = Params::from_iter(read);
    object.close();
    (params.len() == names.len()).then_some(params)
}

/// An object whose fields are not looked at.
struct AnyParams;

impl Read for AnyParams {
    const EXPECTED: &'static str = "path parameters, an object";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        match node {
            Node::Object(_) => Some(Self),
            other => Self::mistyped(other, at, issues),
        }
    }
}
