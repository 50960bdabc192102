//! Bodies of requests, with limits on length and time.

use std::{
    io, mem,
    pin::{Pin, pin},
    sync::{Arc, OnceLock},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use axum::{
    body::{Body, BodyDataStream, Bytes, HttpBody as _},
    http::{Version, header, request},
};
use sendoff::http::Refusal;
use tokio::{runtime::Handle, time::timeout};
use tokio_stream::{Stream, StreamExt as _};

use crate::{config::Bounds, stopwatch::Stopwatch};

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
    waits: Stopwatch,
}

impl Bounded {
    /// The body of a request with this head.
    pub(crate) fn new(body: Body, head: &request::Parts, bounds: &Bounds) -> Self {
        let declared = head.headers.get(header::CONTENT_LENGTH);
        let declared =
            declared.and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or_default();
        // A caller that waits for `100 Continue` sends no body after a reply, and an HTTP/2 stream
        // ends by itself.
        let is_sent = head.version < Version::HTTP_2 && !head.headers.contains_key(header::EXPECT);
        let waits = Stopwatch::default();
        let patience = is_sent.then_some(bounds.body);
        let body = Drained { body: body.into_data_stream(), patience, waits: waits.clone() };
        let end = Instant::now().checked_add(bounds.body_total);
        Self {
            body,
            declared,
            most: bounds.body_bytes,
            stall: bounds.body,
            end,
            stop: Arc::default(),
            waits,
        }
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

    /// Waits for its end, and checks that it is empty. An HTTP/2 request without a length can have a body.
    ///
    /// # Errors
    ///
    /// 400 if it is not empty or not whole, 408 if it stalls.
    pub(crate) async fn expect_none(&mut self) -> Result<(), Refusal> {
        let body = &mut self.body;
        let read = async {
            while let Some(part) = body.next().await {
                match part {
                    Ok(part) if part.is_empty() => {}
                    Ok(_) => return Err(Refusal::BODY_OF_GET),
                    Err(_) => return Err(Stop::Broken.into()),
                }
            }
            Ok(())
        };
        timeout(self.stall, read).await.unwrap_or(Err(Stop::Stalled.into()))
    }

    /// The cell that will hold the reason if it stops.
    pub(crate) fn stop(&self) -> Arc<OnceLock<Stop>> {
        Arc::clone(&self.stop)
    }

    /// The stopwatch that runs while the backend has all parts of the body so far.
    pub(crate) fn waits_for_backend(&self) -> Stopwatch {
        self.waits.clone()
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

/// A body that is still read for a while after its reader is dropped. Without that, closing the connection while the caller
/// sends would reset it, and the caller would lose the reply.
struct Drained {
    body: BodyDataStream,
    patience: Option<Duration>,
    /// Runs while the reader has all parts so far.
    waits: Stopwatch,
}

impl Stream for Drained {
    type Item = <BodyDataStream as Stream>::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let part = Pin::new(&mut self.body).poll_next(cx);
        if part.is_pending() {
            self.waits.stop();
        } else {
            self.waits.start();
        }
        part
    }
}

impl Drop for Drained {
    fn drop(&mut self) {
        let mut rest = mem::replace(&mut self.body, Body::empty().into_data_stream());
        let (Some(patience), false, Ok(runtime)) =
            (self.patience, rest.is_end_stream(), Handle::try_current())
        else {
            return;
        };
        runtime
            .spawn(timeout(patience, async move { while let Some(Ok(_)) = rest.next().await {} }));
    }
}
