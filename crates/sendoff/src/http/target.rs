//! Request targets: the operation of a request, or the reason why it has none.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::operation::Segment;
use super::param::{FORBIDDEN, is_dots};
use super::refusal::kinds;
use super::{Operation, Params, PathParam, Refusal};
use crate::document::{Choice, Is, Record, Row, Table, Valued, traits};
use crate::value::Text;

/// The operation that a request names, and its path parameter: `{operation, params, limited}` in JSON.
///
/// ```
/// use sendoff::http::{Operation, find};
///
/// let found = find("GET", "/api/v1/orders?page=2")?;
/// assert_eq!(found.operation, Operation::Orders);
/// assert!(found.param.is_none());
/// # Ok::<(), sendoff::http::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Found {
    /// The operation.
    pub operation: Operation,
    /// Its path parameter, percent-decoded once.
    pub param: Option<PathParam>,
}

static FOUND: Table = Table {
    rows: &[
        Row::of::<Operation>("operation", "The operation that the request names."),
        Row::written::<Params>("params", "Its path parameters, percent-decoded once."),
        Row::of::<bool>("limited", "Whether its calls count under the rate limit."),
    ],
    ..Table::NONE
};

impl Valued for Found {
    const IS: Is = Is::Record(&FOUND);

    fn record(&self) -> Record {
        let Self { operation, param } = self;
        let params = Params(operation.parameters().first().copied().zip(param.clone()));
        Record::of(&FOUND).with(operation).with(&params).with(&operation.is_limited())
    }
}

traits!(Found: serialize);

/// The result of [`find`].
pub(crate) struct FoundOperation(pub(crate) Result<Found, Refusal>);

/// By the kind of the refusal, if it is refused.
static FOUND_OR_REFUSED: Choice = Choice::answer(
    "refused",
    String::IS,
    &[
        ("", &FOUND),
        kinds::NOT_CANONICAL.document(),
        kinds::METHOD_NOT_ALLOWED.document(),
        kinds::BAD_TARGET.document(),
        kinds::NOT_FOUND.document(),
    ],
    "The operation of a method and a target, or the reason why they name none.",
);

impl Valued for FoundOperation {
    const IS: Is = Is::Choice(&FOUND_OR_REFUSED);

    fn record(&self) -> Record {
        match &self.0 {
            Ok(found) => found.record(),
            Err(refusal) => refusal.record(),
        }
    }
}

traits!(FoundOperation: schema);

/// Finds the operation of a request by its method and its target, as they are in the request line.
///
/// The target is in origin form (RFC 9112, section 3.2.1): a path, and optionally a query, which is ignored. A path
/// names an operation in one spelling only. Only a parameter may be escaped in any way; it is decoded once.
///
/// # Errors
///
/// The first that applies:
/// - [`Refusal::BAD_TARGET`]: not in origin form; `#`, a backslash, a space, a control character or one outside ASCII
///   anywhere; in the path a segment that is `.` or `..` (also escaped, or with matrix parameters behind it), an escape of
///   `/`, `\` or NUL, one that is broken, or bytes that are not UTF-8;
/// - [`Refusal::not_canonical`]: the path is the operation's if the case of letters is ignored (also of `ſ`, `ı` and the
///   Kelvin sign, which are ASCII letters in another case), the part after a `;` in each segment and then all empty segments
///   are removed, and the names are percent-decoded once. A segment that begins with `;` may also be the parameter;
/// - [`Refusal::method_not_allowed`]: the method is not the operation's; `HEAD` included;
/// - [`Refusal::NOT_FOUND`]: any other path, or an empty parameter.
pub fn find(method: &str, target: &str) -> Result<Found, Refusal> {
    /// The number of segments of the longest path, plus one. A target with as many segments is no operation's.
    const ENOUGH: usize = 8;

    let mut names = Vec::with_capacity(ENOUGH);
    let mut has_empty = false;
    // Behind the last name is a segment of only a `;` and its parameters. Many routers take it for
    // a path parameter.
    let mut ends_nameless = false;

    for segment in path_of(target).ok_or(Refusal::BAD_TARGET)?.split('/') {
        let name = Name::read(segment).ok_or(Refusal::BAD_TARGET)?;
        if name.text.is_empty() {
            has_empty = true;
            ends_nameless |= !segment.is_empty();
            continue;
        }
        ends_nameless = false;
        if names.len() < ENOUGH {
            names.push(name);
        }
    }

    for operation in Operation::ALL {
        let Some((param, is_spelled)) = param_of(*operation, &names, ends_nameless) else {
            continue;
        };
        return if has_empty || !is_spelled {
            Err(Refusal::not_canonical(*operation))
        } else if method != operation.method().as_str() {
            Err(Refusal::method_not_allowed(*operation))
        } else {
            Ok(Found { operation: *operation, param })
        };
    }

    Err(Refusal::NOT_FOUND)
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
        // The cut comes before decoding: an escaped `;` is part of the name (RFC 3986, section
        // 2.2).
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
                const_hex::decode_to_slice([rest.next()?, rest.next()?], &mut decoded).ok()?;
            }
            octets.extend(decoded);
        }
        Cow::Owned(String::from_utf8(octets).ok()?)
    } else {
        Cow::Borrowed(segment)
    };

    (!text.contains(FORBIDDEN)).then_some(text)
}

/// Returns the parameters if these names are an operation's path in any letter case, and whether the spelling is the
/// operation's. If the path ends with a nameless segment, that is in the place of a parameter at the end.
fn param_of(
    operation: Operation,
    names: &[Name<'_>],
    ends_nameless: bool,
) -> Option<(Option<PathParam>, bool)> {
    let mut names = names.iter();
    let (mut param, mut is_spelled) = (None, true);

    for segment in operation.segments() {
        let name = match (names.next(), segment) {
            (Some(name), _) => name,
            (None, Segment::Parameter) if ends_nameless => return Some((param, false)),
            (None, _) => return None,
        };
        match segment {
            Segment::Literal(literal) if is_same_in_some_case(&name.text, literal) => {
                is_spelled &= name.spelling == literal
            }
            Segment::Literal(_) => return None,
            Segment::Parameter => {
                is_spelled &= !name.spelling.contains(';');
                param = Some(PathParam::parse(&name.text).ok()?);
            }
        }
    }

    names.next().is_none().then_some((param, is_spelled))
}

/// Returns `true` if a name is this literal for a router that ignores letter case. Three letters outside ASCII
/// are letters of ASCII in the other case: the long s, the dotless i and the Kelvin sign.
fn is_same_in_some_case(name: &str, literal: &str) -> bool {
    let ascii = |letter| match letter {
        '\u{17f}' => 's',
        '\u{131}' => 'i',
        '\u{212a}' => 'k',
        letter => letter.to_ascii_lowercase(),
    };
    name.chars().map(ascii).eq(literal.chars().map(|letter| letter.to_ascii_lowercase()))
}
