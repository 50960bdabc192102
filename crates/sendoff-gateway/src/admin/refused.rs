//! Refusals of the admin API.

use axum::response::{IntoResponse, Response};
use sendoff::{
    error::{Error, Issue, IssueCode},
    http::Refusal,
};

use crate::database::Fault;

/// A refusal on its way to the guard of the API, which knows the trace id.
#[derive(Clone)]
pub(super) struct Refused(pub(super) Refusal);

impl Refused {
    /// The refusal of a request with one problem.
    pub(super) fn wrong(path: &str, code: IssueCode, message: String) -> Self {
        Self(Error::from(Issue::new(path.into(), code, message)).into())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = Response::default();
        response.extensions_mut().insert(self);
        response
    }
}

impl<T: Into<Refusal>> From<T> for Refused {
    fn from(refusal: T) -> Self {
        Self(refusal.into())
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(error) => error.into(),
            Fault::Absent => Self::ABSENT,
            Fault::Unreadable(why) => {
                Error::from(Issue::new(String::new(), IssueCode::Rule, why)).into()
            }
            Fault::Lost(why) => {
                tracing::error!(why, "the database does not do what an admin asks for");
                Self::DATABASE_LOST
            }
        }
    }
}
