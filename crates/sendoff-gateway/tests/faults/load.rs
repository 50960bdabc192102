//! Correct callers. Each of their calls has an id and an outcome.

use crate::support::{load::Load, prelude::*};

/// The outcome of a call for its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum End {
    /// A whole reply.
    Answered(u16),
    /// The connection broke: the call may have been carried out.
    Broken,
    /// There was no connection, so the call was not carried out.
    Unconnected,
    /// Neither a reply nor an end of the connection, for longer than all time limits of the gateway together.
    Hung,
}

/// The gateways and the token of calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Target {
    pub(crate) urls: Vec<String>,
    pub(crate) token: String,
}

/// A call of a correct caller.
pub(crate) struct Called {
    pub(crate) id: String,
    pub(crate) end: End,
    pub(crate) took: Duration,
}

/// Starts callers, each with its own connections.
pub(crate) fn start(
    target: &Arc<Mutex<Target>>,
    callers: usize,
    pause: Duration,
    most: usize,
) -> Load<Called> {
    let target = Arc::clone(target);
    let clients: Vec<_> = (0..callers).map(|_| client()).collect();
    Load::start(callers, pause, most, move |caller, number| {
        let (client, target) = (clients[caller].clone(), target.lock().expect("no panic").clone());
        async move {
            let (id, began) = (format!("good-{number}"), Instant::now());
            let url = &target.urls[number % target.urls.len()];
            let end = call(&client, url, &target.token, &id).await;
            Called { id, end, took: began.elapsed() }
        }
    })
}

async fn call(client: &reqwest::Client, url: &str, token: &str, id: &str) -> End {
    let request = client.post(format!("{url}{TRANSFER}")).bearer_auth(token);
    let request = request.header("x-request-id", id);
    let answered = async {
        let response = request.body("{}").send().await?;
        let status = response.status().as_u16();
        response.bytes().await.map(|_| status)
    };
    match tokio::time::timeout(PATIENCE, answered).await {
        Ok(Ok(status)) => End::Answered(status),
        Ok(Err(error)) if error.is_connect() => End::Unconnected,
        Ok(Err(_)) => End::Broken,
        Err(_) => End::Hung,
    }
}
