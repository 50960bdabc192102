//! Headers that tell of a limit.

use alloc::string::String;

use super::verdict::{Remaining, ResetAfter};
use super::{Policy, Verdict};
use crate::document::{choice, document, traits};
use crate::text::fill;

document! {
    /// The values of the headers `RateLimit-Policy` and `RateLimit` in the reply to a call that counts
    /// (draft-ietf-httpapi-ratelimit-headers-10).
    ///
    /// ```
    /// use sendoff::rate_limit::{Cost, Policy, RateLimitFields, Time, admit};
    ///
    /// let verdict = admit(&Policy::PRODUCTION, None, Time::EPOCH, Cost::ONE).verdict;
    /// let fields = RateLimitFields::new(&Policy::PRODUCTION, &verdict);
    /// assert_eq!(fields.policy, r#""sendoff";q=1500;w=300"#);
    /// assert_eq!(fields.limit, r#""sendoff";r=1499;t=300"#);
    /// ```
    pub struct RateLimitFields: "", open Ignored, displayed by nobody {
        /// The limit, and its window in whole seconds, as the draft asks. They are rounded up, so that the limit does not look
        /// higher than it is.
        "ratelimit-policy" => pub policy: String,
        /// The calls that are left in the window, and the seconds until it ends.
        "ratelimit" => pub limit: String,
    }
}

impl RateLimitFields {
    /// The headers for a verdict under a policy.
    #[must_use]
    pub fn new(policy: &Policy, verdict: &Verdict) -> Self {
        match *verdict {
            Verdict::Admitted { remaining, reset_after, .. } => {
                Self::with(policy, remaining, reset_after)
            }
            Verdict::Refused { retry_after, .. } => Self::with(policy, 0, retry_after.get()),
        }
    }

    pub(crate) fn of(policy: &Policy, rest: &WindowRest) -> Self {
        match *rest {
            WindowRest::Admitted { remaining, reset_after } => {
                Self::with(policy, remaining, reset_after)
            }
            WindowRest::Refused { retry_after } => Self::with(policy, 0, retry_after),
        }
    }

    fn with(policy: &Policy, calls: u32, seconds: u64) -> Self {
        let window = policy.window_ms().div_ceil(1_000);
        Self {
            policy: fill(r#""sendoff";q={};w={}"#, &[&policy.limit(), &window]),
            limit: fill(r#""sendoff";r={};t={}"#, &[&calls, &seconds]),
        }
    }
}

choice! {
    /// The part of a verdict that tells the rest of a window. Other fields are ignored.
    pub(crate) enum WindowRest: "a verdict, an object with `admitted`", "admitted": "Whether the call may pass.", open Ignored {
        "true" => Admitted {
            /// The rest of the window's limit.
            "remaining" => remaining: u32 => Row::of::<Remaining>("", ""),
            /// The seconds until the window ends, rounded up.
            "resetAfter" => reset_after: u64 => Row::of::<ResetAfter>("", ""),
        },
        // Another store may give zero seconds.
        "false" => Refused {
            /// The seconds until the window ends, rounded up.
            "retryAfter" => retry_after: u64 => Row::of::<ResetAfter>("", ""),
        },
    }
}

traits!(WindowRest: schema);
