//! Refusals of the admin API.

use axum::response::Response;
use sendoff::{
    error::{Issue, IssueCode},
    http::Refusal,
};

use super::body::refused;
use crate::database::Fault;

/// A refusal on its way to the guard of the API, which knows the trace id.
#[derive(Clone)]
pub(super) struct Refused(pub(super) Refusal);

impl axum::response::IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = Response::default();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self(match fault {
            Fault::Refused(issues) => refused(issues),
            Fault::Absent => Refusal::ABSENT,
            Fault::Unreadable(why) => {
                refused(vec![Issue::new(String::new(), IssueCode::Rule, why)])
            }
            Fault::Lost(why) => {
                tracing::error!(why, "the database does not do what an admin asks for");
                Refusal::DATABASE_LOST
            }
        })
    }
}
