//! Rate windows: so many calls in each window of a day, and the day's windows back to back from its first request on.
//!
//! The specification limits production to 1500 of the listed POST calls in five minutes, and starts the first window
//! with the first API request of the day. Here that is three functions of a [`Policy`], a caller's [`Window`] and a
//! [`Time`]: [`admit`] for a call that counts, [`touch`] for any other request, [`peek`] to ask without counting.
//! [`plan`] says when many calls can be sent without one being refused. [`RateLimiter`] keeps the windows of all callers
//! of one process; [`redis`] and [`SharedLimiter`] are for windows that many processes share.
//!
//! - A window is half-open: at its end the next one has begun.
//! - A refused call is not counted, and changes nothing. An admitted one counts whatever becomes of it.
//! - The state changes when a day's first request comes in and when a call is admitted, and at no other time. It never
//!   runs out: after the day it only means that the day is over.
//! - A clock that steps back keeps the window, up to [`Policy::hold_ms`]; beyond, the caller begins anew.
//! - Which calls count, and who a caller is, the host says.
//!
//! ```
//! use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time, Verdict};
//!
//! let mut limiter = RateLimiter::new(Policy::PRODUCTION);
//! let now = Time::from_ms(1_750_000_000_000)?;
//! for _ in 0..1500 {
//!     assert!(limiter.admit("key", now, Cost::ONE).is_admitted());
//! }
//! assert!(matches!(limiter.admit("key", now, Cost::ONE), Verdict::Refused { retry_after: 300, .. }));
//! # Ok::<(), sendoff::error::Error>(())
//! ```

mod admit;
mod callers;
mod fields;
mod limiter;
mod plan;
mod policy;
pub mod redis;
mod shared;
mod time;
mod verdict;
mod window;

pub(crate) use admit::AnyCost;
pub use admit::{Admission, admit, peek, touch};
pub(crate) use fields::Left;
pub use fields::RateLimitFields;
pub use limiter::RateLimiter;
pub(crate) use plan::Calls;
pub use plan::{PlanEntry, plan};
pub use policy::{Cost, Midnight, Policy};
pub use shared::{SharedLimiter, Step};
pub use time::Time;
pub use verdict::{Phase, Verdict};
pub use window::Window;
