//! Bodies of requests, with limits on length and time.

use std::{
    error::Error,
    fmt, iter, mem,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::{Version, header, request},
};
use http_body::Frame;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use sendoff::http::Refusal;
use tokio::{
    runtime::Handle,
    sync::oneshot,
    time::{sleep, timeout},
};
use tower_http::timeout::{TimeoutBody, TimeoutError};

use crate::config::Bounds;

/// A body within its limits. An error is always its last part, and has a [`refusal`].
pub(crate) struct Bounded {
    body: Body,
    is_absent: bool,
    declared: u64,
    most: usize,
    total: Duration,
    /// Set while the caller is waited for.
    is_late: Arc<AtomicBool>,
    ended: oneshot::Receiver<()>,
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
        let (is_absent, (end, ended)) = (body.is_end_stream(), oneshot::channel());
        let is_late = Arc::<AtomicBool>::default();
        let body = Drained {
            body,
            patience: is_sent.then_some(bounds.body),
            is_late: Arc::clone(&is_late),
            _end: end,
        };
        let body = Limited::new(TimeoutBody::new(bounds.body, body), bounds.body_bytes);
        let (most, total) = (bounds.body_bytes, bounds.body_total);
        Self { body: Body::new(body), is_absent, declared, most, total, is_late, ended }
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
                Err(error) => return Err(refusal(&error).unwrap_or(Refusal::BODY_BROKEN)),
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
        match timeout(self.total, self.body.collect()).await {
            Ok(Ok(whole)) => Ok(whole.to_bytes().into()),
            Ok(Err(error)) => Err(refusal(&error).unwrap_or(Refusal::BODY_BROKEN)),
            Err(_) => Err(Refusal::BODY_SLOW),
        }
    }

    /// The body for the backend, which has `patience` to answer once it has all of it, and the refusal when the time is over.
    pub(crate) fn for_the_backend(
        self,
        patience: Duration,
    ) -> (Body, impl Future<Output = Refusal>) {
        let Self { body, is_absent, total, is_late, ended, .. } = self;
        // A request without a body is forwarded with neither a length nor chunks.
        let body = if is_absent { Body::empty() } else { body };
        let late = async move {
            if timeout(total, ended).await.is_err() && is_late.load(Ordering::Relaxed) {
                return Refusal::BODY_SLOW;
            }
            sleep(patience).await;
            Refusal::BACKEND_LATE
        };
        (body, late)
    }
}

/// The refusal of a request whose body was not read to its end; `None` if an error has another cause.
pub(crate) fn refusal(error: &(dyn Error + 'static)) -> Option<Refusal> {
    iter::successors(Some(error), |error| (*error).source()).find_map(|error| {
        if error.is::<LengthLimitError>() {
            Some(Refusal::TOO_LARGE)
        } else if error.is::<TimeoutError>() {
            Some(Refusal::BODY_STALLED)
        } else {
            error.is::<Broken>().then_some(Refusal::BODY_BROKEN)
        }
    })
}

/// The connection of a body ended, or the body contradicts its head.
#[derive(Debug)]
struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the caller's body broke off")
    }
}

impl Error for Broken {}

/// A body that is still read for a while after its reader is dropped. Without that, closing the connection while the caller
/// sends would reset it, and the caller would lose the reply.
struct Drained {
    body: Body,
    patience: Option<Duration>,
    is_late: Arc<AtomicBool>,
    _end: oneshot::Sender<()>,
}

impl HttpBody for Drained {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        let part = pin!(&mut self.body).poll_frame(cx);
        self.is_late.store(part.is_pending(), Ordering::Relaxed);
        part.map_err(|_| Broken)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Drained {
    fn drop(&mut self) {
        let mut rest = mem::replace(&mut self.body, Body::empty());
        let (Some(patience), false, Ok(runtime)) =
            (self.patience, rest.is_end_stream(), Handle::try_current())
        else {
            return;
        };
        let read = async move { while let Some(Ok(_)) = rest.frame().await {} };
        runtime.spawn(timeout(patience, read));
    }
}
