//! Callers that call at the same time, each one call after the other.

use super::prelude::*;

/// Callers that call until `over`, or until they have made all calls.
pub(crate) struct Load<T> {
    callers: JoinSet<Vec<T>>,
    is_over: Arc<AtomicBool>,
    ended: Arc<AtomicUsize>,
}

impl<T: Send + 'static> Load<T> {
    /// Starts callers, each with a pause between two calls. They make at most `most` calls in all. A call gets the number of its
    /// caller and its own.
    pub(crate) fn start<F: Future<Output = T> + Send + 'static>(
        callers: usize,
        pause: Duration,
        most: usize,
        call: impl Fn(usize, usize) -> F + Clone + Send + 'static,
    ) -> Self {
        let (is_over, ended) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let next = Arc::<AtomicUsize>::default();
        let caller = |caller| {
            let (is_over, ended) = (Arc::clone(&is_over), Arc::clone(&ended));
            let (next, call) = (Arc::clone(&next), call.clone());
            async move {
                let mut calls = Vec::new();
                while !is_over.load(Ordering::Relaxed)
                    && let number = next.fetch_add(1, Ordering::Relaxed)
                    && number < most
                {
                    calls.push(call(caller, number).await);
                    ended.fetch_add(1, Ordering::Relaxed);
                    sleep(pause).await;
                }
                calls
            }
        };
        Self { callers: (0..callers).map(caller).collect(), is_over, ended }
    }

    /// The number of calls that have ended.
    pub(crate) fn ended(&self) -> usize {
        self.ended.load(Ordering::Relaxed)
    }

    /// Waits until all calls were made.
    pub(crate) async fn all(self) -> Vec<T> {
        self.callers.join_all().await.into_iter().flatten().collect()
    }

    /// Starts no further calls, and waits for the running ones.
    pub(crate) async fn over(self) -> Vec<T> {
        self.is_over.store(true, Ordering::Relaxed);
        self.all().await
    }
}
