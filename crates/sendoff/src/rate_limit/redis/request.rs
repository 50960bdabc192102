//! The call of the script.

use alloc::{string::String, vec::Vec};

use super::Key;
use super::key::{Environment, Scope};
use crate::document::{Is, Row, Table, Typed, Value, answer, narrow, traits};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

answer! {
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
    pub struct RedisRequest {
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

        let carry = match policy.midnight() {
            Midnight::Truncate => "0",
            Midnight::Carry => "1",
        };
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

/// A question as a document: `{environment, scope, secret = "", kind, cost = 1, now?, deadline?}`. It is its value: parts
/// that could be read are checked where others could not.
#[derive(Clone)]
pub(crate) struct RedisAsk(Value);

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

static ASK: Table = Table {
    expected: "a question, an object of `environment`, `scope`, `secret`, `kind`, `cost`, `now` and `deadline`",
    rows: &[
        Row::of::<Environment>(
            "environment",
            "The name of the environment: each has windows of its own.",
        ),
        Row::of::<Scope>(
            "scope",
            "Who calls, in the host's own words; the store gets a keyed hash of it.",
        ),
        Row::of::<Option<String>>(
            "secret",
            "The host's secret, the same in all processes: without it no scope can be derived from the store.",
        ),
        Row::of::<RedisAskKind>("kind", "What is asked."),
        Row::of::<Option<AnyCost>>(
            "cost",
            "The cost, from 1 to the policy's limit; absent means 1.",
        ),
        Row::of::<Option<Time>>(
            "now",
            "The time, in milliseconds since the epoch; absent means the store's clock, the same for all processes.",
        ),
        Row::of::<Option<Time>>(
            "deadline",
            "The time, by the same clock, from which on the request changes nothing, because its sender has given it up; \
             absent means never.",
        ),
    ],
    ..Table::said("A question to a window that many processes share in Redis.")
};

impl Typed for RedisAsk {
    const IS: Is = Is::Record(&ASK);

    fn of_value(value: Value) -> Option<Self> {
        Some(Self(value))
    }

    fn into_value(self) -> Value {
        self.0
    }
}

traits!(RedisAsk: schema);

impl RedisAsk {
    /// Returns the call of the script for this question, which is at `at`.
    pub(crate) fn request(
        self,
        policy: &Policy,
        at: &Path<'_>,
        issues: &mut Issues,
    ) -> Option<RedisRequest> {
        let Self(ask) = self;
        // The cost is checked before a missing field can end the reading: every problem is reported
        // at once.
        let cost = match ask.field("cost") {
            Value::Absent => Cost::ONE,
            cost => policy.cost_at(narrow(cost)?, &Path::Field(at, "cost"), issues)?,
        };
        let field = |key| ask.field(key).clone();
        let (environment, scope) =
            (Environment::of_value(field("environment"))?, Scope::of_value(field("scope"))?);
        let key = Key::of(policy, &environment, &scope, ask.field("secret").as_text().as_bytes());

        let question = match RedisAskKind::of_value(field("kind"))? {
            RedisAskKind::Admit => Ask::Admit(cost),
            RedisAskKind::Lease => Ask::Lease(cost),
            RedisAskKind::Peek => Ask::Peek(cost),
            RedisAskKind::Touch => Ask::Touch,
        };

        let [now, deadline] = ["now", "deadline"].map(|key| <Option<Time>>::of_value(field(key)));
        let (now, deadline) = (now?, deadline?);
        let request = RedisRequest::new(policy, &key, question, now);

        Some(match deadline {
            Some(deadline) => request.with_deadline(deadline),
            None => request,
        })
    }
}
