//! The reply to a request that is refused, in the error envelope of the service.

use alloc::{string::String, vec::Vec};

use super::{MOST_ISSUES, Refusal};
use crate::document::{
    Integer, Is, Kind, Pairs, Presence, Record, Row, Said, Table, Valued, traits,
};
use crate::error::Issue;
use crate::http::{ServiceFailure, TraceId};

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

static REPLY: Table = Table::answer(
    "A refusal as HTTP carries it.",
    &[
        Row::of::<Status>("status", "The HTTP status."),
        Row::plain("headers", Is::Pairs(&HEADERS), "Its content type, and what its kind needs."),
        Row {
            said: Said::of::<ServiceFailure>("What is sent."),
            ..Row::plain("body", Is::Record(&ENVELOPE), "")
        },
    ],
);

static HEADERS: Pairs =
    Pairs { expected: "", key: &Kind::TEXT, value: &Kind::TEXT, said: Said::new("") };

impl Refusal {
    /// The body of the reply as JSON text.
    #[must_use]
    pub fn body(&self, trace_id: &TraceId) -> String {
        self.envelope(trace_id).into_json()
    }

    fn envelope(&self, trace_id: &TraceId) -> Record {
        let error = Record::of(&ERROR)
            .with_number(self.status())
            .with(&self.error_code().map(String::from))
            .with(&self.message())
            .with(trace_id);
        let error = match self.issues() {
            [] => error.without(),
            issues => {
                let shown = issues.get(..MOST_ISSUES).unwrap_or(issues);
                error.and(Record::of(&DETAILS).with(&shown.to_vec()))
            }
        };
        Record::of(&ENVELOPE).and(error)
    }
}

/// A refusal as HTTP carries it: `{status, headers, body}` in JSON.
pub(crate) struct RefusalReply {
    /// The reason.
    pub(crate) refusal: Refusal,
    /// The id that the caller gives to the service's support.
    pub(crate) trace_id: TraceId,
}

impl Valued for RefusalReply {
    const IS: Is = Is::Record(&REPLY);

    fn record(&self) -> Record {
        let Self { refusal, trace_id } = self;
        let headers = refusal.headers().map(|(name, value)| (name, value.into_owned()));
        let headers: Vec<_> = headers.collect();
        Record::of(&REPLY)
            .with_number(refusal.status())
            .and(Record::pairs(headers.iter().map(|(name, value)| (*name, value))))
            .and(refusal.envelope(trace_id))
    }
}

traits!(RefusalReply: schema);
