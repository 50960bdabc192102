//! Limits on the time for which one side is waited for, while the other side's time does not count.

use std::{
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::time::timeout;

/// Runs while the gateway waits for one side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stopwatch(Arc<Mutex<Option<Instant>>>);

impl Stopwatch {
    /// Starts from zero.
    pub(crate) fn start(&self) {
        *self.started() = Some(Instant::now());
    }

    pub(crate) fn stop(&self) {
        *self.started() = None;
    }

    /// The time since its start; `None` if it does not run.
    pub(crate) fn elapsed(&self) -> Option<Duration> {
        self.started().map(|started| started.elapsed())
    }

    /// The output of a future; `None` if the stopwatch reached `limit` first.
    pub(crate) async fn within<F: Future>(&self, limit: Duration, future: F) -> Option<F::Output> {
        let mut future = pin!(future);
        loop {
            let left = limit.saturating_sub(self.elapsed().unwrap_or_default());
            if left.is_zero() {
                return None;
            }
            if let Ok(output) = timeout(left, future.as_mut()).await {
                return Some(output);
            }
        }
    }

    fn started(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
