//! The service from its callers' side: sixteen operations by method and path, two kinds of reply,
//! one kind of token.
//!
//! - [`Operation`] is the table of the specification. [`find`] looks up a request's method and target in it, and
//!   [`Operation::path`] writes the paths that [`find`] reads.
//! - [`Reply`] reads the service's replies, in every known spelling; [`RateLimited`] is the one error reply that the
//!   specification shows.
//! - [`Refusal`] is the reason why a host refuses a request. Its status, headers and body are the same from every host.
//!   [`check_content`] checks the form of a body, [`Refusal::unidentified`] the credentials of an unknown caller.
//! - [`Bearer`] reads the content of an `Authorization` header. It authenticates nobody.
//! - [`Trace`] is the trace id and the request id of a request.
//! - [`Onward`] is what becomes of a request's header on the way to the host's backend.
//!
//! The specification shows the payloads of the estimate only. The payloads of all other operations
//! are [`Opaque`].
//!
//! ```
//! use sendoff::http::{Operation, Refusal, find};
//!
//! let found = find("POST", "/s2s/api/v2/transfer/tokens/execute/88300f78-790c-4c12-9f6d-29ac65f07627")?;
//! assert_eq!(found.operation, Operation::ServerTransferTokens);
//! assert_eq!(found.param, Some("88300f78-790c-4c12-9f6d-29ac65f07627".parse()?));
//! assert!(found.operation.is_limited());
//! assert_eq!(find("GET", "/api//v1/portfolio"), Err(Refusal::not_canonical(Operation::Portfolio)));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod param;
mod operation;
mod reply;
mod bearer;
mod trace;
mod rate_limited;
mod refusal;
mod target;
mod content;
mod header;

pub use crate::value::Opaque;
pub use bearer::{Bearer, Session};
pub(crate) use content::CheckedContent;
pub use content::check_content;
pub use header::{HeaderNames, Onward};
pub use operation::{Method, OPERATIONS, Operation, OperationRow, Side};
pub use param::PathParam;
pub(crate) use param::{Params, path_of};
pub use rate_limited::RateLimited;
#[cfg(feature = "schema")]
pub(crate) use rate_limited::RateLimitedBody;
pub(crate) use rate_limited::RetryAfter;
pub use refusal::Refusal;
pub(crate) use refusal::RefusalReply;
pub use reply::{ErrorReply, Reply};
pub(crate) use reply::{ReadReply, ServiceFailure, ServiceReply};
pub(crate) use target::FoundOperation;
pub use target::{Found, find};
pub use trace::{Trace, TraceId};
