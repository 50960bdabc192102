//! Request targets: the operation of a request, or the reason why it has none.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

use super::operation::Segment;
use super::param::is_dots;
use super::{Operation, Params, PathParam};
use crate::document::{Write, schema, written_as};
use crate::value::Text;

/// The operation that a request names, and its path parameters: `{operation, params, limited}` in JSON.
///
/// ```
/// use sendoff::service::{Operation, find};
///
/// let found = find("GET", "/api/v1/orders?page=2")?;
/// assert_eq!(found.operation, Operation::Orders);
/// assert!(found.params.as_slice().is_empty());
/// # Ok::<(), sendoff::service::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Found {
    /// The operation.
    pub operation: Operation,
    /// Its path parameters, percent-decoded once.
    pub params: Params,
}

written_as!(Found, |found| {
    "operation" => found.operation,
    "params" => found.params,
    "limited" => found.operation.is_limited(),
});

/// The reason why a request names no operation: `{refused, operation?}` in JSON. If several apply, the first in this
/// list.
///
/// ```
/// use sendoff::service::{Operation, Refusal, find};
///
/// assert_eq!(find("GET", "/api/v1/../v1/orders"), Err(Refusal::BadTarget));
/// assert_eq!(find("GET", "/api/v1/orders/"), Err(Refusal::NotCanonical(Operation::Orders)));
/// assert_eq!(find("POST", "/api/v1/orders"), Err(Refusal::MethodNotAllowed(Operation::Orders)));
/// assert_eq!(find("GET", "/api/v1/order"), Err(Refusal::NotFound));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// `bad-target`: the target is not a path with an optional query, or servers are known to read it differently.
    BadTarget,
    /// `not-canonical`: a lenient server would read the path as this operation's. If such a path passed, it could
    /// bypass a limit or a rule for paths.
    NotCanonical(Operation),
    /// `method-not-allowed`: the path is this operation's, but the method is not.
    MethodNotAllowed(Operation),
    /// `not-found`: no operation has this path.
    NotFound,
}

impl Refusal {
    /// Returns the reason as it is written in JSON, such as `not-found`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadTarget => "bad-target",
            Self::NotCanonical(_) => "not-canonical",
            Self::MethodNotAllowed(_) => "method-not-allowed",
            Self::NotFound => "not-found",
        }
    }

    /// The operation whose path or spelling comes closest.
    #[must_use]
    pub const fn operation(self) -> Option<Operation> {
        match self {
            Self::NotCanonical(operation) | Self::MethodNotAllowed(operation) => Some(operation),
            Self::BadTarget | Self::NotFound => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadTarget => {
                f.write_str("expected a request target in origin form that has one reading, found another")
            }
            Self::NotCanonical(operation) => {
                write!(f, "expected the path `{}`, found another spelling of it", operation.path_template())
            }
            Self::MethodNotAllowed(operation) => {
                write!(f, "expected the method `{}` for `{operation}`, found another", operation.method())
            }
            Self::NotFound => f.write_str("expected the path of an operation, found another"),
        }
    }
}

impl core::error::Error for Refusal {}

written_as!(Refusal, |refusal| {
    "refused" => refusal.as_str(),
    "operation" => refusal.operation(),
});

/// The result of [`find`].
pub(crate) struct FoundOperation(pub(crate) Result<Found, Refusal>);

impl Write for FoundOperation {
    fn write(&self, out: &mut Vec<u8>) {
        match &self.0 {
            Ok(found) => found.write(out),
            Err(refusal) => refusal.write(out),
        }
    }
}

schema::of!(FoundOperation, |generator| {
    let found = schema::Fields::new(generator)
        .required::<Operation>("operation", "The operation that the request names.")
        .required::<Params>("params", "Its path parameters, percent-decoded once.")
        .required::<bool>("limited", "Whether its calls count under the rate limit.")
        .close("");
    let reason = |reasons: [Refusal; 2]| schemars::json_schema!({ "enum": reasons.map(Refusal::as_str) });
    let why = "The reason why it names no operation.";
    let near = [Refusal::NotCanonical(Operation::Estimate), Refusal::MethodNotAllowed(Operation::Estimate)];
    let near = schema::Fields::new(generator)
        .shaped("refused", why, reason(near))
        .required::<Operation>("operation", "The operation whose path or spelling comes closest.")
        .close("");
    let far = [Refusal::BadTarget, Refusal::NotFound];
    let far = schema::Fields::new(generator).shaped("refused", why, reason(far)).close("");
    schemars::json_schema!({
        "description": "The operation of a method and a target, or the reason why they name none.",
        "oneOf": [found, near, far],
    })
});

/// Finds the operation of a request by its method and its target, as they are in the request line.
///
/// The target is in origin form (RFC 9112, section 3.2.1): a path, and optionally a query, which is ignored. A path
/// names an operation in one spelling only. Only a parameter may be escaped in any way; it is decoded once.
///
/// # Errors
///
/// The first that applies:
/// - [`Refusal::BadTarget`]: not in origin form; `#`, a backslash, a space, a control character or one outside ASCII
///   anywhere; in the path a segment that is `.` or `..` (also escaped, or with matrix parameters behind it), an escape of
///   `/`, `\` or NUL, one that is broken, or bytes that are not UTF-8;
/// - [`Refusal::NotCanonical`]: the path is the operation's if ASCII letter case is ignored, the part after a `;` in
///   each segment and then all empty segments are removed, and the names are percent-decoded once;
/// - [`Refusal::MethodNotAllowed`]: the method is not the operation's; `HEAD` included;
/// - [`Refusal::NotFound`]: any other path, or an empty parameter.
pub fn find(method: &str, target: &str) -> Result<Found, Refusal> {
    /// The number of segments of the longest path, plus one. A target with as many segments is no operation's.
    const ENOUGH: usize = 8;
    let mut names = Vec::with_capacity(ENOUGH);
    let mut has_empty = false;
    for segment in path_of(target).ok_or(Refusal::BadTarget)?.split('/') {
        let name = Name::read(segment).ok_or(Refusal::BadTarget)?;
        if name.text.is_empty() {
            has_empty = true;
        } else if names.len() < ENOUGH {
            names.push(name);
        }
    }
    for operation in Operation::ALL {
        let Some((params, is_spelled)) = params_of(*operation, &names) else { continue };
        return if has_empty || !is_spelled {
            Err(Refusal::NotCanonical(*operation))
        } else if method != operation.method().as_str() {
            Err(Refusal::MethodNotAllowed(*operation))
        } else {
            Ok(Found { operation: *operation, params })
        };
    }
    Err(Refusal::NotFound)
}

/// Returns the path of a target without its first slash; `None` if the target is not in origin form or holds a
/// forbidden character.
fn path_of(target: &str) -> Option<&str> {
    let fits = |c: u8| c.is_ascii_graphic() && c != b'#' && c != b'\\';
    let path = target.strip_prefix('/')?;
    path.bytes().all(fits).then(|| path.split_once('?').map_or(path, |(path, _query)| path))
}

/// A segment of a path and its meaning.
struct Name<'t> {
    /// The text in the path.
    spelling: &'t str,
    /// The text without matrix parameters, decoded.
    text: Cow<'t, str>,
}

impl<'t> Name<'t> {
    /// Reads a segment; `None` if it makes the whole target bad.
    fn read(spelling: &'t str) -> Option<Self> {
        let whole = decode(spelling)?;
        // The cut comes before decoding: an escaped `;` is part of the name (RFC 3986, section 2.2).
        let text = match spelling.split_once(';') {
            Some((name, _matrix)) => decode(name)?,
            None => whole,
        };
        (!is_dots(&text)).then_some(Self { spelling, text })
    }
}

/// Decodes a segment once (RFC 3986, section 2.1); `None` if an escape is broken, is not UTF-8 or stands for a
/// forbidden character.
fn decode(segment: &str) -> Option<Cow<'_, str>> {
    let text = if segment.contains('%') {
        let mut octets = Vec::with_capacity(segment.len());
        let mut rest = segment.bytes();
        while let Some(octet) = rest.next() {
            let mut decoded = [octet];
            if octet == b'%' {
                hex::decode_to_slice([rest.next()?, rest.next()?], &mut decoded).ok()?;
            }
            octets.extend(decoded);
        }
        Cow::Owned(String::from_utf8(octets).ok()?)
    } else {
        Cow::Borrowed(segment)
    };
    (!text.contains(PathParam::FORBIDDEN)).then_some(text)
}

/// Returns the parameters if these names are an operation's path in any letter case, and whether the spelling is the
/// operation's.
fn params_of(operation: Operation, names: &[Name<'_>]) -> Option<(Params, bool)> {
    let mut names = names.iter();
    let (mut params, mut is_spelled) = (Params::new(), true);
    for segment in operation.segments() {
        let name = names.next()?;
        match segment {
            Segment::Literal(literal) if name.text.eq_ignore_ascii_case(literal) => {
                is_spelled &= name.spelling == literal
            }
            Segment::Literal(_) => return None,
            Segment::Parameter(parameter) => {
                is_spelled &= !name.spelling.contains(';');
                params.insert(parameter, PathParam::accept(&name.text).ok()?);
            }
        }
    }
    names.next().is_none().then_some((params, is_spelled))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Refusal::{BadTarget, MethodNotAllowed, NotCanonical, NotFound};

    const TOKENS: &str = "/s2s/api/v2/transfer/tokens/execute";

    fn user(target: &str) -> Result<String, Refusal> {
        let found = find("POST", &alloc::format!("{TOKENS}{target}"))?;
        assert_eq!(found.operation, Operation::ServerTransferTokens);
        Ok(found.params.get("userId").unwrap().as_str().into())
    }

    #[test]
    fn a_parameter_is_one_segment_decoded_once() {
        assert_eq!(user("/%75%31").as_deref(), Ok("u1"));
        assert_eq!(user("/%2575").as_deref(), Ok("%75"));
        assert_eq!(user("/%3Bx").as_deref(), Ok(";x"));
        assert_eq!(user("/%2e%2e%3b").as_deref(), Ok("..;"));
        assert_eq!(user("/%0a").as_deref(), Ok("\n"));
        assert_eq!(user("/...").as_deref(), Ok("..."));
        assert_eq!(user("/%25").as_deref(), Ok("%"));
        for none in ["", "/", "//", "/;x", "/?a", ";/;"] {
            assert_eq!(user(none), Err(NotFound), "{none}");
        }
        assert_eq!(user("/a/b"), Err(NotFound));
    }

    #[test]
    fn aliases_name_their_operation() {
        let tokens = Err(NotCanonical(Operation::ServerTransferTokens));
        for alias in ["/u/", "//u", "/u;", "/;/u", "/u//", "/u/;x", ";a=%3F/u", "/u;x/;"] {
            assert_eq!(user(alias), tokens, "{alias}");
        }
        for alias in [
            "//api/v1/orders",
            "/api/v1/ORDERS/",
            "/API;a;b/v1/%6frders",
            "/;/api/v1/%4Frders;?q",
            "/api/v1/orders/;",
            "/api/v%31/orders",
        ] {
            assert_eq!(find("PUT", alias), Err(NotCanonical(Operation::Orders)), "{alias}");
        }
        // The method is checked after the path, and the path of another operation is no alias.
        assert_eq!(find("get", "/api/v1/orders"), Err(MethodNotAllowed(Operation::Orders)));
        assert_eq!(find("GET", "/api/v1/%2570ortfolio"), Err(NotFound));
        assert_eq!(find("GET", "/api/v1/orders%3B"), Err(NotFound));
    }

    #[test]
    fn bad_targets() {
        for bad in [
            "",
            "*",
            "api/v1/orders",
            "?a",
            "https://a/api/v1/orders",
            "/api/v1/orders#",
            "/api/v1/orders?a b",
            "/api/v1/orders?\\",
            "/api/v1/orders?é",
            "/api/v1/orders\u{7f}",
            "/api/v1/orders\n",
            "/x/./y",
            "/x/..",
            "/x/%2E%2e/y",
            "/x/.%2e;a/y",
            "/..;/api/v1/orders",
            "/%2f",
            "/a;%5C",
            "/%00",
            "/%",
            "/%4",
            "/%4/",
            "/%%41",
            "/%g0",
            "/%+1",
            "/%ff",
            "/%C3/%A9",
            "/%ED%A0%80",
            "/x;%zz",
            "/a/b/c/d/e/f/g/h/i/j/%",
        ] {
            assert_eq!(find("GET", bad), Err(BadTarget), "{bad}");
        }
        assert!(find("GET", "/api/v1/orders?/../%%zz;//").is_ok());
    }
}
