//! Bodies of requests, with limits on length and time.

use std::{
    error::Error,
    fmt, iter,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::{header, request},
};
use http_body::Frame;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use sendoff::http::Refusal;
use tokio::{
    sync::oneshot,
    time::{Sleep, sleep, timeout},
};
use tower_http::timeout::{TimeoutBody, TimeoutError};

use crate::config::Bounds;

/// A body within its limits. An error is always its last part, and has a [`refusal`].
pub(crate) struct Bounded {
    body: Body,
    is_absent: bool,
    declared: u64,
    /// The largest number of its bytes.
    pub(crate) most: usize,
    total: Duration,
    /// Ends when the body is dropped.
    ended: oneshot::Receiver<()>,
}

impl Bounded {
    /// The body of a request with this head.
    pub(crate) fn new(body: Body, head: &request::Parts, bounds: &Bounds) -> Self {
        let declared = head.headers.get(header::CONTENT_LENGTH);
        let declared =
            declared.and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or_default();
        let (is_absent, (end, ended)) = (body.is_end_stream(), oneshot::channel());
        let (most, total) = (bounds.body_bytes, bounds.body_total);
        let body = Whole { body, late: Box::pin(sleep(total)), _end: end };
        let body = Body::new(Limited::new(TimeoutBody::new(bounds.body, body), most));
        Self { body, is_absent, declared, most, total, ended }
    }

    /// Checks the length in the head.
    ///
    /// # Errors
    ///
    /// 413 if it is above the limit.
    pub(crate) fn expect_room(&self) -> Result<(), Refusal> {
        let fits = usize::try_from(self.declared).is_ok_and(|length| length <= self.most);
        fits.then_some(()).ok_or_else(|| too_large(self.most))
    }

    /// Waits for its end, and checks that it is empty. An HTTP/2 request without a length can have a body.
    ///
    /// # Errors
    ///
    /// 400 if it is not empty or not whole, 408 if it stalls.
    pub(crate) async fn expect_none(&mut self) -> Result<(), Refusal> {
        while let Some(part) = self.body.frame().await {
            match part {
                Ok(part) if part.data_ref().is_none_or(Bytes::is_empty) => {}
                Ok(_) => return Err(Refusal::BODY_OF_GET),
                Err(error) => {
                    return Err(refusal(&error, self.most).unwrap_or(Refusal::BODY_BROKEN));
                }
            }
        }
        Ok(())
    }

    /// The whole body.
    ///
    /// # Errors
    ///
    /// 413, 408 or 400.
    pub(crate) async fn whole(self) -> Result<Vec<u8>, Refusal> {
        let most = self.most;
        let whole = self.body.collect().await;
        let whole = whole.map_err(|error| refusal(&error, most).unwrap_or(Refusal::BODY_BROKEN))?;
        Ok(whole.to_bytes().into())
    }

    /// The body for the backend, which has `patience` to answer once it has all of it, and the refusal when the time is over.
    pub(crate) fn for_the_backend(
        self,
        patience: Duration,
    ) -> (Body, impl Future<Output = Refusal>) {
        let Self { body, is_absent, total, ended, .. } = self;
        // A request without a body is forwarded with neither a length nor chunks.
        let body = if is_absent { Body::empty() } else { body };
        let late = async move {
            drop(timeout(total, ended).await);
            sleep(patience).await;
            Refusal::BACKEND_LATE
        };
        (body, late)
    }
}

/// The refusal of a body of more bytes than these.
fn too_large(most: usize) -> Refusal {
    u32::try_from(most).map_or(Refusal::TOO_LARGE, Refusal::too_large)
}

/// The refusal of a request whose body was not read to its end; `None` if an error has another cause.
pub(crate) fn refusal(error: &(dyn Error + 'static), most: usize) -> Option<Refusal> {
    iter::successors(Some(error), |error| (*error).source()).find_map(|error| {
        if error.is::<LengthLimitError>() {
            return Some(too_large(most));
        }
        if error.is::<TimeoutError>() {
            return Some(Refusal::BODY_STALLED);
        }
        match error.downcast_ref::<Cut>()? {
            Cut::Broken => Some(Refusal::BODY_BROKEN),
            Cut::Late => Some(Refusal::BODY_SLOW),
        }
    })
}

/// Why a body has no end.
#[derive(Debug)]
enum Cut {
    /// Its connection ended, or it contradicts its head.
    Broken,
    /// It took too long.
    Late,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Broken => "the caller's body broke off",
            Self::Late => "the caller's body took too long",
        })
    }
}

impl Error for Cut {}

/// A body that has to come whole in time.
struct Whole {
    body: Body,
    late: Pin<Box<Sleep>>,
    _end: oneshot::Sender<()>,
}

impl HttpBody for Whole {
    type Data = Bytes;
    type Error = Cut;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cut>>> {
        let part = Pin::new(&mut self.body).poll_frame(cx);
        if part.is_pending() && self.late.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Some(Err(Cut::Late)));
        }
        part.map_err(|_| Cut::Broken)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}
