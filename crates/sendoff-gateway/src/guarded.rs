//! Bodies of replies with an observer, and bodies that keep a value until they end.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::{Body, Bytes};
use http_body::Frame;

/// Returns a body that keeps `guard` until it is dropped.
pub(crate) fn guarded(body: Body, guard: impl Send + Unpin + 'static) -> Body {
    observed(body, move |_| {
        let _kept = &guard;
    })
}

/// Returns a body that calls `observer` after each part, and when it is dropped. It has no size hint: the head of a reply from a
/// router has its `content-length` already.
pub(crate) fn observed(body: Body, observer: impl FnMut(&Body) + Send + Unpin + 'static) -> Body {
    Body::new(Observed { body, observer })
}

struct Observed<F: FnMut(&Body)> {
    body: Body,
    observer: F,
}

impl<F: FnMut(&Body) + Unpin> http_body::Body for Observed<F> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let Self { body, observer } = &mut *self;
        let frame = Pin::new(&mut *body).poll_frame(cx);
        observer(body);
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

impl<F: FnMut(&Body)> Drop for Observed<F> {
    /// A body without bytes is not read.
    fn drop(&mut self) {
        (self.observer)(&self.body);
    }
}
