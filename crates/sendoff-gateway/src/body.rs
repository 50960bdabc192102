//! Bodies of requests, bounded in length and time.

use std::{
    io,
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, StatusCode, header},
};
use tokio_stream::{Stream, StreamExt as _};

use crate::envelope::Failure;

/// Why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It is longer than it may be.
    TooLarge,
    /// It stalled.
    TooSlow,
    /// Its sender went away, or it is not what its head said.
    Broken,
}

impl Stop {
    pub(crate) fn into_failure(self, most: usize) -> Failure {
        match self {
            Self::TooLarge => {
                let message = format!("expected a body of at most {most} bytes, found a longer one");
                Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message)
            }
            Self::TooSlow => {
                Failure::new(StatusCode::REQUEST_TIMEOUT, "expected the whole body, found that it stalled")
            }
            Self::Broken => Failure::new(StatusCode::BAD_REQUEST, "expected the whole body, found that it broke off"),
        }
    }
}

/// A body within its bounds, part by part; and where it says why it stopped.
pub(crate) struct Bounded {
    body: Body,
    most: usize,
    stall: Duration,
    stop: Arc<OnceLock<Stop>>,
}

impl Bounded {
    /// The body of a request with these headers.
    ///
    /// # Errors
    ///
    /// 413 where its declared length is already too much.
    pub(crate) fn new(body: Body, headers: &HeaderMap, most: usize, stall: Duration) -> Result<Self, Failure> {
        let declared = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if declared.is_some_and(|length| usize::try_from(length).map_or(true, |length| length > most)) {
            return Err(Stop::TooLarge.into_failure(most));
        }
        Ok(Self { body, most, stall, stop: Arc::default() })
    }

    /// Where it will be said why it stopped.
    pub(crate) fn stop(&self) -> Arc<OnceLock<Stop>> {
        Arc::clone(&self.stop)
    }

    /// Its parts; an error is the last of them.
    pub(crate) fn parts(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        let Self { body, most, stall, stop } = self;
        let mut length = 0_usize;
        body.into_data_stream().timeout(stall).map(move |part| {
            let why = match part {
                Ok(Ok(bytes)) => {
                    length = length.saturating_add(bytes.len());
                    if length <= most {
                        return Ok(bytes);
                    }
                    Stop::TooLarge
                }
                Ok(Err(_)) => Stop::Broken,
                Err(_) => Stop::TooSlow,
            };
            Err(io::Error::other(format!("{:?}", stop.get_or_init(|| why))))
        })
    }

    /// All of it.
    ///
    /// # Errors
    ///
    /// 413, 408 or 400.
    pub(crate) async fn whole(self) -> Result<Vec<u8>, Failure> {
        let (most, stop) = (self.most, self.stop());
        let mut whole = Vec::new();
        let mut parts = std::pin::pin!(self.parts());
        while let Some(part) = parts.next().await {
            match part {
                Ok(bytes) => whole.extend_from_slice(&bytes),
                Err(_) => return Err(stop.get().copied().unwrap_or(Stop::Broken).into_failure(most)),
            }
        }
        Ok(whole)
    }
}
