//! Bodies of replies that keep a value until they end.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::{Body, Bytes};
use http_body::Frame;

/// Returns a body that keeps `guard` until it is dropped. It has no size hint: the head of a reply from a router has its
/// `content-length` already.
pub(crate) fn guarded(body: Body, guard: impl Send + Unpin + 'static) -> Body {
    Body::new(Guarded { body, _guard: guard })
}

struct Guarded<T> {
    body: Body,
    _guard: T,
}

impl<T: Unpin> http_body::Body for Guarded<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}
