//! Bodies of requests, with limits on length and time.

use std::convert::Infallible;
use std::error::Error;
use std::iter;
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use http_body_util::{BodyExt as _, BodyStream, LengthLimitError, Limited, StreamBody};
use sendoff::http::Refusal;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};
use tokio_stream::{Elapsed, StreamExt as _, once};
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
    /// The body of a request, which has to come whole in time.
    pub(crate) fn new(body: Body, bounds: &Bounds) -> Self {
        let declared = body.size_hint().lower();
        let (is_absent, (end, ended)) = (body.is_end_stream(), oneshot::channel());
        let (most, total) = (bounds.body_bytes, bounds.body_total);
        let parts = BodyStream::new(body).map(|part| Some(part.map_err(BoxError::from)));
        let late = tokio_stream::pending::<Infallible>().timeout(total);
        let late = late.map(|late| late.err().map(|late| Err(late.into())));
        let whole = parts.chain(once(None)).merge(late).map_while(move |part| {
            let _held = &end;
            part
        });
        let whole = StreamBody::new(whole);
        let body = Body::new(Limited::new(TimeoutBody::new(bounds.body, whole), most));
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
            let part = part.map_err(|error| broken(&error, self.most))?;
            if part.data_ref().is_some_and(|data| !data.is_empty()) {
                return Err(Refusal::BODY_OF_GET);
            }
        }
        Ok(())
    }

    /// The whole body.
    ///
    /// # Errors
    ///
    /// 413, 408 or 400.
    pub(crate) async fn whole(self) -> Result<Bytes, Refusal> {
        let whole = self.body.collect().await;
        whole.map(|whole| whole.to_bytes()).map_err(|error| broken(&error, self.most))
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
pub(crate) fn too_large(most: usize) -> Refusal {
    u32::try_from(most).map_or(Refusal::TOO_LARGE, Refusal::too_large)
}

fn broken(error: &(dyn Error + 'static), most: usize) -> Refusal {
    refusal(error, most).unwrap_or(Refusal::BODY_BROKEN)
}

/// The refusal of a request whose body was not read to its end; `None` if an error has another cause.
pub(crate) fn refusal(error: &(dyn Error + 'static), most: usize) -> Option<Refusal> {
    let causes = || iter::successors(Some(error), |error| (*error).source());
    let of_limit = causes().find_map(|error| {
        let is_stalled = error.is::<TimeoutError>().then_some(Refusal::BODY_STALLED);
        let is_slow = error.is::<Elapsed>().then_some(Refusal::BODY_SLOW);
        is_stalled.or(is_slow).or_else(|| error.is::<LengthLimitError>().then(|| too_large(most)))
    });
    // Only the body of a request is axum's.
    let is_of_body = || causes().any(|error| error.is::<axum::Error>());
    of_limit.or_else(|| is_of_body().then_some(Refusal::BODY_BROKEN))
}
