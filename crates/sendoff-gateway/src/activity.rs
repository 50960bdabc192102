//! The requests of a connection, and the replies that its caller leaves unread.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use hyper::rt::Executor;
use tokio::{sync::watch, time::timeout};

use crate::stopwatch::Stopwatch;

/// The requests of a connection, and the number of bytes written to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activity {
    requests: watch::Sender<Requests>,
    /// In bytes, without frames that only keep an HTTP/2 connection alive.
    pub(crate) written: Arc<AtomicU64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Requests {
    running: usize,
    /// Running requests whose caller leaves a part of the reply unread.
    unread: usize,
    begun: u64,
    /// The number of changes. Each part of a reply is one.
    changes: u64,
    /// A stream was reset because its reply was unread, and the caller leaves all others unread too.
    is_overdue: bool,
}

/// A request that runs, until its reply is written or dropped.
pub(crate) struct Running {
    requests: watch::Sender<Requests>,
    /// Runs while the caller leaves a part of the reply unread.
    unread: Stopwatch,
    is_unread: bool,
}

tokio::task_local! {
    /// The stopwatch of the stream that this task runs.
    static UNREAD: Stopwatch;
}

impl Activity {
    /// Begins a request. It must be called in the task of its stream.
    pub(crate) fn begin(&self) -> Running {
        self.requests.send_modify(|requests| {
            requests.running = requests.running.saturating_add(1);
            requests.begun = requests.begun.saturating_add(1);
            requests.changes = requests.changes.wrapping_add(1);
        });
        // HTTP/1 has no task for a stream.
        let unread = UNREAD.try_with(Clone::clone).unwrap_or_default();
        Running { requests: self.requests.clone(), unread, is_unread: false }
    }

    /// Whether no request runs but those whose caller leaves a part of the reply unread.
    pub(crate) fn only_waits(&self) -> bool {
        let requests = self.requests.borrow();
        requests.running == requests.unread
    }

    /// Waits until no request has run and nothing was written for `within`. A request stops running when its reply is in
    /// hyper's buffers.
    pub(crate) async fn is_idle(&self, within: Duration) {
        let mut requests = self.requests.subscribe();
        loop {
            let begun = requests
                .wait_for(|requests| requests.running == 0)
                .await
                .map(|requests| requests.begun);
            let (Ok(begun), written) = (begun, self.written.load(Ordering::Relaxed)) else {
                return;
            };
            let has_begun = timeout(within, requests.wait_for(|requests| requests.begun != begun))
                .await
                .is_ok();
            if !has_begun && self.written.load(Ordering::Relaxed) == written {
                return;
            }
        }
    }

    /// Waits until the caller has left the replies to all running requests unread for `within`.
    pub(crate) async fn is_unread(&self, within: Duration) {
        let mut requests = self.requests.subscribe();
        loop {
            let are_unread =
                |requests: &Requests| requests.running > 0 && requests.running == requests.unread;
            let begin =
                requests.wait_for(|requests| requests.is_overdue || are_unread(requests)).await;
            let Ok(Requests { changes, is_overdue, .. }) = begin.map(|requests| *requests) else {
                return;
            };
            if is_overdue
                || timeout(within, requests.wait_for(|requests| requests.changes != changes))
                    .await
                    .is_err()
            {
                return;
            }
        }
    }

    /// Waits for the first request, at most for `within`.
    pub(crate) async fn has_begun(&self, within: Duration) {
        let mut requests = self.requests.subscribe();
        drop(timeout(within, requests.wait_for(|requests| requests.begun > 0)).await);
    }
}

impl Running {
    /// Records whether the caller leaves a part of the reply unread from now on.
    pub(crate) fn is_unread(&mut self, is_unread: bool) {
        if is_unread {
            self.unread.start();
        } else {
            self.unread.stop();
        }
        let (before, now) = (usize::from(self.is_unread), usize::from(is_unread));
        self.is_unread = is_unread;
        self.requests.send_modify(|requests| {
            requests.unread = requests.unread.saturating_add(now).saturating_sub(before);
            requests.changes = requests.changes.wrapping_add(1);
        });
    }

    /// How long the caller has left a part of the reply unread; `None` if the caller has all parts so far.
    pub(crate) fn unread_for(&self) -> Option<Duration> {
        self.unread.elapsed()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.requests.send_modify(|requests| {
            requests.running = requests.running.saturating_sub(1);
            requests.unread = requests.unread.saturating_sub(self.is_unread.into());
            requests.changes = requests.changes.wrapping_add(1);
        });
    }
}

/// Runs the streams of HTTP/2, and resets a stream whose caller leaves a part of the reply unread for too long.
#[derive(Clone)]
pub(crate) struct Streams {
    pub(crate) activity: Activity,
    pub(crate) unread: Duration,
}

impl<F> Executor<F> for Streams
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, stream: F) {
        let (unread, within, requests) =
            (Stopwatch::default(), self.unread, self.activity.requests.clone());
        tokio::spawn(async move {
            // A stream that is dropped before its end is reset.
            let ended = unread.within(within, UNREAD.scope(unread.clone(), stream)).await;
            if ended.is_none() {
                requests.send_modify(|requests| {
                    requests.is_overdue = requests.running == requests.unread
                });
            }
        });
    }
}
