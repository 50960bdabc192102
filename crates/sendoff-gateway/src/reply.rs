//! Bodies of replies that come part by part, with a limit on the time that a caller leaves a part unread.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Body, Bytes, HttpBody as _};
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::timeout,
};
use tokio_stream::{Stream, StreamExt as _};

/// The reason why a caller did not get a whole reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// The caller's connection ended.
    Left,
    /// The caller left a part unread for too long.
    Stalled,
    /// The backend ended the reply early.
    Backend,
}

impl Loss {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Stalled => "stalled",
            Self::Backend => "backend",
        }
    }
}

/// Returns a body that a separate task reads. When the task ends, it calls `end` once, with the loss if there was one.
///
/// The separate task limits the time: a connection does not read the body while its caller reads nothing. A body that is
/// already in memory is returned unchanged, after `end`.
pub(crate) fn paced(body: Body, within: Duration, end: impl FnOnce(Option<Loss>) + Send + 'static) -> Body {
    if body.size_hint().exact().is_some() {
        end(None);
        return body;
    }
    let (sender, receiver) = mpsc::channel(1);
    let is_cut = Arc::new(AtomicBool::new(false));
    let parts = Parts { receiver, is_cut: Arc::clone(&is_cut) };
    tokio::spawn(async move {
        let loss = send(body, &sender, within).await;
        is_cut.store(loss.is_some(), Ordering::Release);
        end(loss);
    });
    Body::from_stream(parts)
}

async fn send(body: Body, sender: &Sender<Result<Bytes, axum::Error>>, within: Duration) -> Option<Loss> {
    let mut parts = body.into_data_stream();
    loop {
        let part = tokio::select! {
            part = parts.next() => part?,
            () = sender.closed() => return Some(Loss::Left),
        };
        let is_broken = part.is_err();
        match timeout(within, sender.send(part)).await {
            Ok(Ok(())) if is_broken => return Some(Loss::Backend),
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Some(Loss::Left),
            Err(_) => return Some(Loss::Stalled),
        }
    }
}

struct Parts {
    receiver: Receiver<Result<Bytes, axum::Error>>,
    is_cut: Arc<AtomicBool>,
}

impl Stream for Parts {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(cx).map(|part| {
            // A part of a reply must not look like a whole reply.
            let is_cut = part.is_none() && self.is_cut.swap(false, Ordering::Acquire);
            if is_cut { Some(Err(axum::Error::new(io::Error::other("cut off")))) } else { part }
        })
    }
}
