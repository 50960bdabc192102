//! The form of a request's body, by its headers.

use alloc::{string::String, vec::Vec};

use super::refusal::kinds;
use super::{Operation, Refusal};
use crate::document::{Choice, Is, Record, Table, Valued, traits};

/// Checks the headers of a body that the core reads: that of an estimate, which is JSON in UTF-8 without a content coding.
/// The values are those of `content-type` and `content-encoding`. The bodies of other operations are not specified.
///
/// ```
/// use sendoff::http::{Operation, Refusal, check_content};
///
/// assert_eq!(check_content(Operation::Estimate, Some("application/json; charset=utf-8"), None), Ok(()));
/// assert_eq!(check_content(Operation::Estimate, Some("text/plain"), None), Err(Refusal::CONTENT_TYPE));
/// assert_eq!(check_content(Operation::Estimate, Some("application/json"), Some("gzip")), Err(Refusal::CONTENT_ENCODING));
/// ```
///
/// # Errors
///
/// [`Refusal::CONTENT_TYPE`] or [`Refusal::CONTENT_ENCODING`].
pub fn check_content(
    operation: Operation,
    content_type: Option<&str>,
    content_encoding: Option<&str>,
) -> Result<(), Refusal> {
    if operation != Operation::Estimate {
        return Ok(());
    }
    // Spaces, quotes and letter case do not change what is accepted.
    let plain = content_type
        .unwrap_or_default()
        .bytes()
        .filter(|byte| !matches!(byte, b' ' | b'\t' | b'"'));

    let plain: Vec<u8> = plain.map(|byte| byte.to_ascii_lowercase()).collect();
    let mut parts = plain.split(|byte| *byte == b';');
    let is_json = parts.next() == Some(b"application/json");
    let is_utf8 =
        parts.all(|parameter| !parameter.starts_with(b"charset=") || parameter == b"charset=utf-8");
    if !(is_json && is_utf8) {
        return Err(Refusal::CONTENT_TYPE);
    }
    let is_plain = content_encoding.is_none_or(|coding| coding.eq_ignore_ascii_case("identity"));
    is_plain.then_some(()).ok_or(Refusal::CONTENT_ENCODING)
}

/// The answer of [`check_content`]: `{}` or `{refused}` in JSON.
pub(crate) struct CheckedContent(pub(crate) Result<(), Refusal>);

/// By the kind of the refusal, if it is refused.
static CHECKED: Choice = Choice::answer(
    "refused",
    String::IS,
    &[("", &Table::NONE), kinds::CONTENT_TYPE.document(), kinds::CONTENT_ENCODING.document()],
    "Whether a body has a form that can be read, by its headers.",
);

impl Valued for CheckedContent {
    const IS: Is = Is::Choice(&CHECKED);

    fn record(&self) -> Record {
        match &self.0 {
            Ok(()) => Record::of(&Table::NONE),
            Err(refusal) => refusal.record(),
        }
    }
}

traits!(CheckedContent: schema);
