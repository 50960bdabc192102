//! The call of the script.

use alloc::{string::String, vec::Vec};

use super::Key;
use super::key::{Environment, Scope};
use crate::document::{Draft, Field, Integer, document};
use crate::error::{Issues, Path};
use crate::rate_limit::admit::AnyCost;
use crate::rate_limit::{Cost, Midnight, Policy, Time};
use crate::text::WriteText;
use crate::value::keyword;

/// The question to a window.
///
/// ```
/// use sendoff::rate_limit::{Policy, redis::Ask};
///
/// let batch = Ask::Lease(Policy::PRODUCTION.cost(50)?);
/// assert_ne!(batch, Ask::Touch);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ask {
    /// A call that counts: all of its cost is admitted, or nothing.
    Admit(Cost),
    /// A batch for future calls: as much of it as is left.
    Lease(Cost),
    /// The verdict that `Admit` would give; nothing is written.
    Peek(Cost),
    /// A request that does not count: it can only start the day's first window.
    Touch,
}

document! {
    /// A call of the script: `{key, arguments}` in JSON.
    ///
    /// ```
    /// use sendoff::rate_limit::redis::{Ask, Key, RedisRequest};
    /// use sendoff::rate_limit::{Policy, Time};
    ///
    /// let policy = Policy::PRODUCTION;
    /// let key = Key::new(&policy, "production", "shop", b"secret")?;
    /// let request = RedisRequest::new(&policy, &key, Ask::Touch, Some(Time::EPOCH));
    /// assert_eq!(request.arguments(), ["touch", "0", "1500", "300000", "300000", "0", "0", "0"]);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct RedisRequest: "", open Ignored, displayed by nobody {
        /// `KEYS[1]`.
        "key" => key: String,
        /// `ARGV`: eight texts, and a ninth for a deadline.
        "arguments" => arguments: Vec<String>,
    }
}

impl RedisRequest {
    /// Creates the call. Without a time the store's clock is used, which is the same for all processes.
    #[must_use]
    pub fn new(policy: &Policy, key: &Key, ask: Ask, now: Option<Time>) -> Self {
        let (ask, cost) = match ask {
            Ask::Admit(cost) => ("admit", cost.value()),
            Ask::Lease(cost) => ("lease", cost.value()),
            Ask::Peek(cost) => ("peek", cost.value()),
            Ask::Touch => ("touch", 0),
        };

        let carry = if policy.midnight() == Midnight::Carry { "1" } else { "0" };
        let arguments = Vec::from([
            ask.into(),
            cost.to_text(),
            policy.limit().to_text(),
            policy.window_ms().to_text(),
            policy.hold_ms().to_text(),
            policy.day_offset_ms().to_text(),
            carry.into(),
            now.map(|now| now.as_ms().to_text()).unwrap_or_default(),
        ]);

        Self { key: key.as_str().into(), arguments }
    }

    /// Returns the same call with a deadline. At that time and later, by the clock that checks the call, the script
    /// changes nothing and answers without a verdict. A store that hung therefore counts no call that was given up
    /// meanwhile.
    ///
    /// ```
    /// use sendoff::rate_limit::redis::{Ask, Key, RedisRequest};
    /// use sendoff::rate_limit::{Cost, Policy, Time};
    ///
    /// let policy = Policy::PRODUCTION;
    /// let key = Key::new(&policy, "production", "shop", b"secret")?;
    /// let request = RedisRequest::new(&policy, &key, Ask::Admit(Cost::ONE), None);
    /// let request = request.with_deadline(Time::from_ms(1_750_000_000_250)?);
    /// assert_eq!(request.arguments().last().map(String::as_str), Some("1750000000250"));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn with_deadline(mut self, deadline: Time) -> Self {
        self.arguments.truncate(8);
        self.arguments.push(deadline.as_ms().to_text());
        self
    }

    /// `KEYS[1]`.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// `ARGV`.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }
}

keyword! {
    /// The question to a window.
    enum RedisAskKind: "`admit`, `lease`, `peek` or `touch`" {
        /// A call that counts: all of its cost is admitted, or nothing.
        "admit" => Admit,
        /// A batch for future calls: as much of it as is left.
        "lease" => Lease,
        /// The verdict that `admit` would give; nothing is written.
        "peek" => Peek,
        /// A request that does not count: it can only start the day's first window.
        "touch" => Touch,
    }
}

document! {
    /// A question to a window that many processes share in Redis.
    pub(crate) struct RedisAsk:
        "a question, an object of `environment`, `scope`, `secret`, `kind`, `cost`, `now` and `deadline`"
    {
        /// The name of the environment: each has windows of its own.
        "environment" => environment: Environment,
        /// Who calls, in the host's own words; the store gets a keyed hash of it.
        "scope" => scope: Scope,
        /// The host's secret, the same in all processes: without it no scope can be derived from the store.
        "secret" => secret: Option<String>,
        /// What is asked.
        "kind" => kind: RedisAskKind,
        /// The cost, from 1 to the policy's limit; absent means 1.
        "cost" => cost: Option<AnyCost>,
        /// The time, in milliseconds since the epoch; absent means the store's clock, the same for all processes.
        "now" => now: Option<Time>,
        /// The time, by the same clock, from which on the request changes nothing, because its sender has given it up;
        /// absent means never.
        "deadline" => deadline: Option<Time>,
    }
}

const COST: Field<RedisAsk, AnyCost> = Field::of("cost");

impl RedisAsk {
    /// Returns the call of the script for a question, which is at `at`.
    pub(crate) fn request(
        ask: Draft<Self>,
        policy: &Policy,
        at: &Path<'_>,
        issues: &mut Issues,
    ) -> Option<RedisRequest> {
        // The cost is checked before a missing field can end the reading: every problem is reported
        // at once.
        let cost = if ask.parts().lacks(COST) {
            Cost::ONE
        } else {
            let Integer(cost) = ask.parts().get(COST)?;
            policy.cost_at(cost.try_into().ok()?, &Path::Field(at, COST.path()), issues)?
        };

        let Self { environment, scope, secret, kind, cost: _, now, deadline } =
            ask.parts().whole()?;
        let key = Key::of(policy, &environment, &scope, secret.unwrap_or_default().as_bytes());
        let question = match kind {
            RedisAskKind::Admit => Ask::Admit(cost),
            RedisAskKind::Lease => Ask::Lease(cost),
            RedisAskKind::Peek => Ask::Peek(cost),
            RedisAskKind::Touch => Ask::Touch,
        };
        let request = RedisRequest::new(policy, &key, question, now);

        Some(deadline.into_iter().fold(request, RedisRequest::with_deadline))
    }
}
