//! Spans on their way to a collector. Calls do not wait for it: a queue of bounded size holds the
//! spans, and one task posts them. If the collector is slow or dead, spans are lost and counted.

use std::{pin::pin, sync::Arc, time::Duration};

use axum::http::HeaderMap;
use tokio::{
    sync::{mpsc, oneshot},
    time::{sleep, timeout},
};

use crate::{
    config,
    metrics::Metrics,
    otlp::{self, Ended},
    span::Span,
};

/// The queue to a collector.
#[derive(Debug)]
pub(crate) struct Traces {
    config: config::Traces,
    queue: mpsc::Sender<Message>,
    metrics: Arc<Metrics>,
}

#[derive(Debug)]
enum Message {
    Ended(Box<Ended>),
    /// Post what is queued so far, and say so.
    Flush(oneshot::Sender<()>),
}

/// The maximum number of requests in the queue, and in a post.
const QUEUE: usize = 2_048;
const BATCH: usize = 512;

/// How long a request waits for others of its post.
const INTERVAL: Duration = Duration::from_secs(1);

/// How long a post may take.
const POST: Duration = Duration::from_secs(10);

/// How long a stop waits for the last post.
const FLUSH: Duration = Duration::from_secs(1);

impl Traces {
    /// Starts the task that posts. It ends after this queue is dropped.
    pub(crate) fn start(
        config: &config::Traces,
        client: reqwest::Client,
        metrics: &Arc<Metrics>,
    ) -> Self {
        let (queue, messages) = mpsc::channel(QUEUE);
        let (config, metrics) = (config.clone(), Arc::clone(metrics));
        let posts = Posts {
            config: config.clone(),
            client,
            metrics: Arc::clone(&metrics),
            has_failed: false,
        };
        tokio::spawn(posts.run(messages));
        Self { config, queue, metrics }
    }

    /// The span of a request with these headers.
    pub(crate) fn span(&self, headers: &HeaderMap) -> Span {
        Span::of(headers, self.config.one_in)
    }

    /// Queues the spans of a request, or counts them as dropped.
    pub(crate) fn record(&self, ended: Ended) {
        if self.queue.try_send(Message::Ended(Box::new(ended))).is_err() {
            self.metrics.traced("dropped", 1);
        }
    }

    /// Waits until what is queued is posted, for a limited time.
    pub(crate) async fn flush(&self) {
        let (done, is_done) = oneshot::channel();
        let flushed = async {
            if self.queue.send(Message::Flush(done)).await.is_ok() {
                drop(is_done.await);
            }
        };
        timeout(FLUSH, flushed).await.unwrap_or_default();
    }
}

/// The task that posts.
struct Posts {
    config: config::Traces,
    client: reqwest::Client,
    metrics: Arc<Metrics>,
    /// The last post failed. Only the first failure of several is logged.
    has_failed: bool,
}

impl Posts {
    async fn run(mut self, mut messages: mpsc::Receiver<Message>) {
        while let Some(first) = messages.recv().await {
            let (mut batch, mut waiting) = (Vec::new(), None);
            let mut interval = pin!(sleep(INTERVAL));
            let mut next = Some(first);
            while let Some(message) = next {
                match message {
                    Message::Ended(ended) => batch.push(*ended),
                    Message::Flush(done) => waiting = Some(done),
                }
                if batch.len() == BATCH || waiting.is_some() {
                    break;
                }
                next = tokio::select! {
                    () = &mut interval => None,
                    message = messages.recv() => message,
                };
            }
            self.post(&batch).await;
            // Dropping it says that it is done.
            drop(waiting);
        }
    }

    async fn post(&mut self, batch: &[Ended]) {
        if batch.is_empty() {
            return;
        }
        let config = &self.config;
        let mut request =
            self.client.post(&config.url).timeout(POST).header("content-type", "application/json");
        for (name, value) in &config.headers {
            request = request.header(name, value);
        }
        let sent = request.body(otlp::body(&config.service, batch).to_string()).send().await;
        let failure = match sent {
            Ok(reply) if reply.status().is_success() => None,
            Ok(reply) => Some(format!("status {}", reply.status().as_u16())),
            Err(error) => Some(error.without_url().to_string()),
        };

        self.metrics.traced(if failure.is_none() { "sent" } else { "failed" }, batch.len());
        match &failure {
            Some(why) if !self.has_failed => {
                tracing::warn!(why, "traces are lost: the collector does not take them")
            }
            None if self.has_failed => tracing::info!("the collector takes traces again"),
            _ => {}
        }
        self.has_failed = failure.is_some();
    }
}
