//! Bodies of requests, with limits on length and time.

use std::{
    io, mem,
    pin::{Pin, pin},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use axum::{
    body::{Body, BodyDataStream, Bytes, HttpBody as _},
    http::{Version, header, request},
};
use sendoff::service::Refusal;
use tokio::{runtime::Handle, time::timeout};
use tokio_stream::{Stream, StreamExt as _};

use crate::config::Bounds;

/// The reason why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It is longer than `body_bytes`.
    TooLarge,
    /// It stalled for `body_ms`.
    Stalled,
    /// It did not stall, but took longer than `body_total_ms`.
    TooSlow,
    /// The connection ended, or the body contradicts its head.
    Broken,
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::TooLarge => Self::TOO_LARGE,
            Stop::Stalled => Self::BODY_STALLED,
            Stop::TooSlow => Self::BODY_SLOW,
            Stop::Broken => Self::BODY_BROKEN,
        }
    }
}

/// A body within its limits, part by part, with the reason if it stops.
pub(crate) struct Bounded {
    body: Drained,
    declared: u64,
    most: usize,
    stall: Duration,
    end: Option<Instant>,
    stop: Arc<OnceLock<Stop>>,
    pace: Pace,
}

impl Bounded {
    /// The body of a request with this head.
    pub(crate) fn new(body: Body, head: &request::Parts, bounds: &Bounds) -> Self {
        let declared = head.headers.get(header::CONTENT_LENGTH);
        let declared = declared.and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or_default();
        // A caller that waits for `100 Continue` sends no body after a reply, and an HTTP/2 stream ends by itself.
        let is_sent = head.version < Version::HTTP_2 && !head.headers.contains_key(header::EXPECT);
        let pace = Pace::default();
        let patience = is_sent.then_some(bounds.body);
        let body = Drained { body: body.into_data_stream(), patience, pace: pace.clone() };
        let end = Instant::now().checked_add(bounds.body_total);
        Self { body, declared, most: bounds.body_bytes, stall: bounds.body, end, stop: Arc::default(), pace }
    }

    /// Checks the length in the head.
    ///
    /// # Errors
    ///
    /// 413 if it is above the limit.
    pub(crate) fn expect_room(&self) -> Result<(), Refusal> {
        let fits = usize::try_from(self.declared).is_ok_and(|length| length <= self.most);
        fits.then_some(()).ok_or(Refusal::TOO_LARGE)
    }

    /// `true` if the request has no body.
    pub(crate) fn is_absent(&self) -> bool {
        self.body.body.is_end_stream()
    }

    /// The cell that will hold the reason if it stops.
    pub(crate) fn stop(&self) -> Arc<OnceLock<Stop>> {
        Arc::clone(&self.stop)
    }

    /// The side that the gateway waits for while it forwards the body.
    pub(crate) fn pace(&self) -> Pace {
        self.pace.clone()
    }

    /// Its parts. An error is always the last part.
    pub(crate) fn parts(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        let Self { body, most, stall, end, stop, .. } = self;
        let mut length = 0_usize;
        body.timeout(stall).map(move |part| {
            let why = match part {
                Ok(Ok(bytes)) => {
                    length = length.saturating_add(bytes.len());
                    if length > most {
                        Stop::TooLarge
                    } else if end.is_some_and(|end| Instant::now() > end) {
                        Stop::TooSlow
                    } else {
                        return Ok(bytes);
                    }
                }
                Ok(Err(_)) => Stop::Broken,
                Err(_) => Stop::Stalled,
            };
            Err(io::Error::other(format!("{:?}", stop.get_or_init(|| why))))
        })
    }

    /// The whole body.
    ///
    /// # Errors
    ///
    /// 413, 408 or 400.
    pub(crate) async fn whole(self) -> Result<Vec<u8>, Refusal> {
        let stop = self.stop();
        let mut whole = Vec::new();
        let mut parts = pin!(self.parts());
        while let Some(part) = parts.next().await {
            match part {
                Ok(bytes) => whole.extend_from_slice(&bytes),
                Err(_) => return Err(stop.get().copied().unwrap_or(Stop::Broken).into()),
            }
        }
        Ok(whole)
    }
}

/// The side that the gateway waits for: the caller, for the next part of the body, or the backend, if it has all parts so
/// far.
#[derive(Clone, Debug)]
pub(crate) struct Pace(Arc<Mutex<Option<Instant>>>);

impl Default for Pace {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Some(Instant::now()))))
    }
}

impl Pace {
    /// The output of a backend's `reply`; `None` if the gateway waited only for the backend during all of `within`.
    pub(crate) async fn within<F: Future>(&self, within: Duration, reply: F) -> Option<F::Output> {
        self.waits_for_backend();
        let mut reply = pin!(reply);
        loop {
            let since = *self.since();
            let left = within.saturating_sub(since.map(|since| since.elapsed()).unwrap_or_default());
            if left.is_zero() {
                return None;
            }
            if let Ok(output) = timeout(left, reply.as_mut()).await {
                return Some(output);
            }
        }
    }

    fn waits_for_caller(&self) {
        *self.since() = None;
    }

    fn waits_for_backend(&self) {
        *self.since() = Some(Instant::now());
    }

    /// The start of the wait for the backend; `None` while the gateway waits for the caller.
    fn since(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A body that is still read for a while after its reader is dropped. Without that, closing the connection while the caller
/// sends would reset it, and the caller would lose the reply.
struct Drained {
    body: BodyDataStream,
    patience: Option<Duration>,
    pace: Pace,
}

impl Stream for Drained {
    type Item = <BodyDataStream as Stream>::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let part = Pin::new(&mut self.body).poll_next(cx);
        if part.is_pending() {
            self.pace.waits_for_caller();
        } else {
            self.pace.waits_for_backend();
        }
        part
    }
}

impl Drop for Drained {
    fn drop(&mut self) {
        let mut rest = mem::replace(&mut self.body, Body::empty().into_data_stream());
        let (Some(patience), false, Ok(runtime)) = (self.patience, rest.is_end_stream(), Handle::try_current()) else {
            return;
        };
        runtime.spawn(timeout(patience, async move { while let Some(Ok(_)) = rest.next().await {} }));
    }
}
