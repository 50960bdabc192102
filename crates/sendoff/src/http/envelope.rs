//! The error envelope of the service, as hosts write it.

use alloc::{string::String, vec::Vec};

use super::{ServiceFailure, TraceId};
use crate::document::{Integer, Is, Kind, Pairs, Presence, Record, Row, Said, Table};
use crate::error::Issue;

/// The body of an error reply.
static ENVELOPE: Table = Table {
    rows: &[
        Row::plain("status", Is::Constant(&"error"), ""),
        Row::plain("error", Is::Record(&ERROR), ""),
    ],
    ..Table::NONE
};

static ERROR: Table = Table {
    rows: &[
        Row::of::<Status>("code", ""),
        Row::of::<Option<String>>("errorCode", ""),
        Row::of::<String>("message", ""),
        Row::of::<TraceId>("trace_id", ""),
        Row::plain("details", Is::Record(&DETAILS), "").present(Presence::Optional),
    ],
    ..Table::NONE
};

static DETAILS: Table = Table { rows: &[Row::of::<Vec<Issue>>("issues", "")], ..Table::NONE };

/// The HTTP status of an error.
type Status = Integer<400, 599>;

/// Returns the body of an error reply: the HTTP status, the service's own code, and the problems of the request. An empty list
/// is left out.
pub(super) fn envelope(
    code: u16,
    error_code: Option<&'static str>,
    message: String,
    trace_id: &TraceId,
    issues: &[Issue],
) -> Record {
    let error = Record::of(&ERROR)
        .with_number(code)
        .with(&error_code.map(String::from))
        .with(&message)
        .with(trace_id);
    let error = if issues.is_empty() {
        error.without()
    } else {
        error.and(Record::of(&DETAILS).with(&issues.to_vec()))
    };
    Record::of(&ENVELOPE).and(error)
}

/// A refusal as HTTP carries it.
pub(super) static REPLY: Table = Table {
    rows: &[
        Row::of::<Status>("status", "The HTTP status."),
        Row::plain("headers", Is::Pairs(&HEADERS), "Its content type, and what its kind needs."),
        Row {
            said: Said::of::<ServiceFailure>("What is sent."),
            ..Row::plain("body", Is::Record(&ENVELOPE), "")
        },
    ],
    ..Table::answer("A refusal as HTTP carries it.")
};

static HEADERS: Pairs =
    Pairs { expected: "", key: &Kind::TEXT, value: &Kind::TEXT, said: Said::new("") };

/// Returns a reply as HTTP carries it: `{status, headers, body}`.
pub(super) fn reply(
    status: u16,
    headers: impl Iterator<Item = (&'static str, String)>,
    body: Record,
) -> Record {
    let headers: Vec<_> = headers.collect();
    let headers = Record::pairs(headers.iter().map(|(name, value)| (*name, value)));
    Record::of(&REPLY).with_number(status).and(headers).and(body)
}
