//! The services that take part in answers: the wallet backend and the bundler; and the replies of servers that the gateway asks.

pub(crate) mod bundler;
pub(crate) mod upstream;

use axum::body::Bytes;
use http_body_util::{BodyExt as _, Limited};

/// The body of a successful reply.
///
/// # Errors
///
/// A sentence about a failure, another status, or a body that is too long. It contains no address, because an address can
/// contain a secret.
pub(crate) async fn fetch(
    sent: reqwest::Result<reqwest::Response>,
    most: usize,
) -> Result<Bytes, String> {
    let response = sent.map_err(|error| error.without_url().to_string())?;
    if !response.status().is_success() {
        return Err(format!("status {}", response.status().as_u16()));
    }
    let whole = Limited::new(reqwest::Body::from(response), most).collect().await;
    whole.map(|whole| whole.to_bytes()).map_err(|error| error.to_string())
}
