//! The rate windows of an application. They outlive a change of it, which forgets no call.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use arc_swap::ArcSwap;
use schemars::JsonSchema;
use sendoff::rate_limit::{Cost, Policy, RateLimiter, SharedLimiter, Time, Verdict};
use serde::Serialize;

use crate::config::OnStoreLoss;
use crate::limits::store::{Kind, Store, StoreLost, Window, lock};

/// The rate windows of an application.
pub(crate) struct Windows {
    memory: Mutex<RateLimiter>,
    /// If it is there, the windows in memory are used only while the store is lost.
    pub(crate) shared: Option<Shared>,
}

/// How full the window of an application is.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Filled")]
pub(crate) struct Fill {
    policy: Policy,
    /// What the next call would be told. With a shared store: what the last call of this process was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Verdict>,
}

/// Windows in a store.
pub(crate) struct Shared {
    /// A request ends with the limiter that it began with.
    limiter: ArcSwap<Mutex<SharedLimiter>>,
    store: Arc<Store>,
    /// As [`Window::again`].
    again: AtomicU64,
    /// The verdict on the last call of this process, and when it came.
    last: Mutex<Option<(Instant, Verdict)>>,
}

impl Windows {
    pub(crate) fn new(policy: Policy, store: Option<&Arc<Store>>) -> Self {
        let shared = store.map(|store| Shared {
            limiter: ArcSwap::new(store.limiter(policy)),
            store: Arc::clone(store),
            again: AtomicU64::default(),
            last: Mutex::default(),
        });
        Self { memory: Mutex::new(RateLimiter::new(policy)), shared }
    }

    /// Changes the policy. Running windows keep their counts; in a store, if their length and their day stay the same.
    pub(crate) fn adopt(&self, policy: Policy) {
        let mut memory = lock(&self.memory);
        if *memory.policy() == policy {
            return;
        }
        if let Some(Shared { limiter, store, .. }) = &self.shared {
            limiter.store(store.limiter(policy));
        }
        *memory = RateLimiter::restore(policy, memory.snapshot());
    }

    /// The verdict on a call, and the policy of the verdict; `None` for a touch. While the store is lost, the process keeps the
    /// start of a touch in memory, and refuses nobody.
    pub(crate) async fn ask(
        &self,
        scope: &str,
        kind: Kind,
    ) -> Result<Option<(Policy, Verdict)>, StoreLost> {
        if let Some(Shared { limiter, store, again, last }) = &self.shared {
            let limiter = limiter.load_full();
            match store.ask(Window { limiter: &limiter, scope, again }, kind).await {
                Ok(Some(verdict)) => {
                    *lock(last) = Some((Instant::now(), verdict));
                    return Ok(Some((*lock(&limiter).policy(), verdict)));
                }
                Ok(None) if kind == Kind::Touch => return Ok(None),
                _ if kind == Kind::Call && store.config.on_loss == OnStoreLoss::Refuse => {
                    return Err(StoreLost);
                }
                _ => {}
            }
        }
        let mut memory = lock(&self.memory);
        if kind == Kind::Touch {
            memory.touch(scope, now());
            return Ok(None);
        }
        let verdict = memory.admit(scope, now(), Cost::ONE);
        Ok(Some((*memory.policy(), verdict)))
    }

    /// How full the window is. A store only counts: with one, the last verdict is shown as long as that window runs.
    pub(crate) fn fill(&self, scope: &str) -> Fill {
        let memory = lock(&self.memory);
        let next = match &self.shared {
            None => Some(memory.peek(scope, now(), Cost::ONE)),
            Some(shared) => lock(&shared.last).and_then(|(told, verdict)| {
                let seconds = match verdict {
                    Verdict::Admitted { reset_after, .. } => reset_after,
                    Verdict::Refused { retry_after, .. } => retry_after.get(),
                };
                (told.elapsed().as_secs() < seconds).then_some(verdict)
            }),
        };
        Fill { policy: *memory.policy(), next }
    }
}

/// The time of the machine, in the range of ECMAScript.
pub(crate) fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let ms = i64::try_from(since.as_millis()).ok();
    ms.and_then(|ms| Time::from_ms(ms).ok()).unwrap_or(Time::MAX)
}
