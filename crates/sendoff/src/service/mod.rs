//! The service as its callers see it: sixteen operations by method and path, two kinds of reply, one kind of token.
//!
//! - [`Operation`] is the table of the specification. [`find`] reads a request's method and target by it, and
//!   [`Operation::path`] writes paths that [`find`] reads.
//! - [`Reply`] reads what the service answers, in every spelling that it is known to use; [`RateLimited`] is the one
//!   error reply that the specification shows.
//! - [`Refusal`] is why a host does not do what a request asks for: its status, headers and body are the same from every
//!   host. [`check_content`] and [`Refusal::unidentified`] decide on a body's form and on credentials.
//! - [`Bearer`] reads the content of an `Authorization` header. It authenticates nobody.
//! - [`Trace`] reads what a request is called.
//!
//! The specification shows the payloads of the estimate only; of all other operations they are [`Opaque`].
//!
//! ```
//! use sendoff::service::{Operation, Refusal, find};
//!
//! let found = find("POST", "/s2s/api/v2/transfer/tokens/execute/88300f78-790c-4c12-9f6d-29ac65f07627")?;
//! assert_eq!(found.operation, Operation::ServerTransferTokens);
//! assert_eq!(found.params.get("userId"), Some(&"88300f78-790c-4c12-9f6d-29ac65f07627".parse()?));
//! assert!(found.operation.is_limited());
//! assert_eq!(find("GET", "/api//v1/portfolio"), Err(Refusal::not_canonical(Operation::Portfolio)));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod param;
mod operation;
mod opaque;
mod reply;
mod bearer;
mod trace;
mod envelope;
mod rate_limited;
mod refusal;
mod target;
mod content;

pub use bearer::{Bearer, Session};
pub(crate) use content::CheckedContent;
pub use content::check_content;
pub use opaque::Opaque;
pub use operation::{Method, OPERATIONS, Operation, OperationRow, Side};
pub(crate) use param::read_params;
pub use param::{Params, PathParam};
pub use rate_limited::RateLimited;
#[cfg(feature = "schema")]
pub(crate) use rate_limited::RateLimitedBody;
pub(crate) use rate_limited::RetryAfter;
pub use refusal::Refusal;
pub(crate) use refusal::RefusalReply;
#[cfg(feature = "schema")]
pub(crate) use reply::{Body, Failure};
pub use reply::{ErrorReply, Reply};
pub(crate) use target::FoundOperation;
pub use target::{Found, find};
pub use trace::{Trace, TraceId};
