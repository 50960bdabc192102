//! The form of a request's body, by its headers.

use alloc::vec::Vec;

use super::{Operation, Refusal};
use crate::document::{Write, traits};

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

impl Write for CheckedContent {
    fn write(&self, out: &mut Vec<u8>) {
        match &self.0 {
            Ok(()) => out.extend_from_slice(b"{}"),
            Err(refusal) => refusal.write(out),
        }
    }
}

traits!(CheckedContent: schema(|generator| {
    let reasons =
        [Refusal::CONTENT_TYPE, Refusal::CONTENT_ENCODING].map(|refusal| refusal.as_str());
    let refused = crate::document::schema::Fields::new(generator)
        .shaped("refused", "Why it cannot be read.", schemars::json_schema!({ "enum": reasons }))
        .close("");
    let fine = crate::document::schema::Fields::new(generator).close("");
    schemars::json_schema!({
        "description": "Whether a body has a form that can be read, by its headers.",
        "oneOf": [fine, refused],
    })
}));
