//! The services that take part in answers: the wallet backend and the bundler; and the replies of servers that the gateway asks.

pub(crate) mod bundler;
pub(crate) mod upstream;

/// The body of a successful reply.
///
/// # Errors
///
/// A sentence about a failure, another status, or a body that is too long. It contains no address, because an address can
/// contain a secret.
pub(crate) async fn fetch(
    sent: reqwest::Result<reqwest::Response>,
    most: usize,
) -> Result<Vec<u8>, String> {
    let mut response = sent.map_err(|error| error.without_url().to_string())?;
    if !response.status().is_success() {
        return Err(format!("status {}", response.status().as_u16()));
    }
    let mut body = Vec::new();
    while let Some(chunk) =
        response.chunk().await.map_err(|error| error.without_url().to_string())?
    {
        body.extend_from_slice(&chunk);
        if body.len() > most {
            return Err(format!("more than {most} bytes"));
        }
    }
    Ok(body)
}
