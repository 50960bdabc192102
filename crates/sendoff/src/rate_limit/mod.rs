//! Rate windows: a number of calls in each window, with the windows of a day back to back from its
//! first request on.
//!
//! The specification limits production to 1500 of the listed POST calls in five minutes, and starts
//! the first window with the first API request of the day. Here that is three functions of a
//! [`Policy`], a caller's [`Window`] and a [`Time`]: [`admit`] for a call that counts, [`touch`]
//! for any other request, [`peek`] to ask without counting. [`plan`] computes when many calls can
//! be sent so that none is refused. [`RateLimiter`] keeps the windows of all callers of one
//! process; [`redis`] and [`SharedLimiter`] are for windows that many processes share.
//!
//! - A window is half-open: its end belongs to the next one.
//! - A refused call is not counted, and changes nothing. An admitted call counts, even if it fails later.
//! - The state changes when a day's first request comes in and when a call is admitted, and at no other time. It does
//!   not expire: after the day it only means that the day is over.
//! - If the clock steps back, the window is kept, up to [`Policy::hold`]; beyond that, the caller starts anew.
//! - The host decides which calls count, and identifies the caller.
//!
//! ```
//! use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time, Verdict};
//!
//! let mut limiter = RateLimiter::new(Policy::PRODUCTION);
//! let now = Time::from_ms(1_750_000_000_000)?;
//! for _ in 0..1500 {
//!     assert!(limiter.admit("key", now, Cost::ONE).is_admitted());
//! }
//! assert!(matches!(limiter.admit("key", now, Cost::ONE), Verdict::Refused { retry_after, .. } if retry_after.get() == 300));
//! # Ok::<(), sendoff::error::Error>(())
//! ```

mod time;
mod policy;
mod verdict;
mod fields;
mod window;
mod admit;
mod callers;
mod limiter;
mod plan;
pub mod redis;
mod shared;

pub(crate) use admit::AnyCost;
pub use admit::{Admission, admit, peek, touch};
pub use fields::RateLimitFields;
pub(crate) use fields::WindowRest;
pub use limiter::RateLimiter;
pub(crate) use plan::Calls;
pub use plan::{PlanEntry, plan};
pub use policy::{Cost, Midnight, Policy};
pub use shared::{SharedLimiter, Step};
pub use time::Time;
pub use verdict::{Phase, Verdict};
pub use window::Window;
