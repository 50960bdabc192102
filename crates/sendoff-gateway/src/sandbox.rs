//! The pocket service as a process: `sendoff-gateway --sandbox ADDRESS`.
//!
//! It has one state, in memory or in a file that one process owns. It is for tests and development:
//! it has no limits of connections, and nothing of the configuration applies to it.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::StringRejection;
use axum::extract::{DefaultBodyLimit, State as Shared};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use sendoff::error::Error;
use sendoff::http::Refusal;
use sendoff_sandbox::{Delivery, Request, State, answer};
use serde::de::IgnoredAny;
use tokio::net::TcpListener;
use tokio_stream::StreamExt as _;

use crate::limits::store::lock;
use crate::limits::windows::now;
use crate::message::body::too_large;
use crate::message::envelope::refused;
use crate::message::trace::trace_id;

/// The largest body that is read; the service refuses one above 1 MiB.
const MOST_BYTES: usize = 2 << 20;

/// When the connection breaks in the middle of a body.
const HALF_AFTER: Duration = Duration::from_millis(50);

/// The state of the process, and its file.
struct Sandbox {
    state: Mutex<State>,
    file: Option<Owned>,
}

/// A file that this process owns, until it ends.
struct Owned {
    path: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

/// Serves the pocket service on an address until `stop`, and prints `sandbox ADDRESS` when it listens.
///
/// `options` is a file of the options for [`State::start`], `file` the file of its state. A state in the file goes on.
///
/// # Errors
///
/// A sentence if the address cannot be used, if the options are wrong, if another process owns the file of the state, if it cannot be
/// written, if it has no state of this version, or if its state was made with other options.
pub async fn serve_sandbox(
    address: &str,
    options: Option<&Path>,
    file: Option<&Path>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), String> {
    let first = options.map(started).transpose()?;
    let file = file.map(Owned::open).transpose()?;
    let known = file.as_ref().map(Owned::read).transpose()?.flatten();
    if let (Some(options), Some(file), Some(first), Some(known)) = (options, &file, &first, &known)
        && let Some(key) = first.differing_option(known)
    {
        return Err(format!(
            "{}: this state was made with other options than those of {}: `{key}` differs",
            file.path.display(),
            options.display()
        ));
    }
    let state = known.or(first).map_or_else(|| State::start("{}"), Ok);
    let state = state.map_err(|error| error.to_string())?;
    let sandbox = Arc::new(Sandbox { state: Mutex::new(state), file });

    let cannot = |error: io::Error| format!("{address}: {error}");
    let address: SocketAddr = address
        .parse()
        .map_err(|_| format!("expected an address such as 127.0.0.1:8080, found `{address}`"))?;
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let listens = listener.local_addr().map_err(cannot)?;
    if !listens.ip().is_loopback() {
        drop(writeln!(
            io::stderr(),
            "warning: {listens} can be reached from other machines, and the pocket service is for tests: it lets everybody in"
        ));
    }
    sandbox.save()?;
    writeln!(io::stdout(), "sandbox {listens}")
        .map_err(|error| format!("standard output: {error}"))?;

    let most = DefaultBodyLimit::max(MOST_BYTES);
    let router = Router::new().fallback(handle).layer(most).with_state(sandbox);
    // A caller that waits for a reply that never comes must not keep the process.
    tokio::select! {
        served = axum::serve(listener, router) => served.map_err(cannot),
        () = stop => Ok(()),
    }
}

/// The first state with the options of a file.
fn started(file: &Path) -> Result<State, String> {
    let read = || {
        let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
        // The state's own reader does not say where text is no JSON.
        serde_json::from_str::<IgnoredAny>(&text).map_err(|error| error.to_string())?;
        State::start(&text).map_err(|error| error.to_string())
    };
    read().map_err(|why| format!("{}: {why}", file.display()))
}

impl Sandbox {
    /// Replaces the file of the state as a whole. No other request changes the state meanwhile.
    fn save(&self) -> Result<(), String> {
        let Some(Owned { path, .. }) = &self.file else { return Ok(()) };
        let (state, fresh) = (lock(&self.state), beside(path, ".new"));
        let written = fs::write(&fresh, state.to_string()).and_then(|()| fs::rename(&fresh, path));
        written.map_err(|error| unwritable(path, &error))
    }
}

impl Owned {
    fn open(path: &Path) -> Result<Self, String> {
        // A link and its file have one owner.
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let lock = File::options().create(true).append(true).open(beside(path, ".lock"));
        let lock = lock.map_err(|error| unwritable(path, &error))?;
        lock.try_lock().map_err(|_| format!("another process owns {}", path.display()))?;
        Ok(Self { path: path.into(), _lock: lock })
    }

    /// The state in the file; none if there is no file yet.
    fn read(&self) -> Result<Option<State>, String> {
        let named = |why: String| format!("{}: {why}", self.path.display());
        match fs::read_to_string(&self.path) {
            Ok(text) => text.parse().map(Some).map_err(|error: Error| named(error.to_string())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(named(error.to_string())),
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> String {
    format!("the state cannot be written to {}: {error}", path.display())
}

/// A path with more at its end.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

async fn handle(
    Shared(sandbox): Shared<Arc<Sandbox>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Result<String, StringRejection>,
) -> Response {
    let refuse = |refusal: Refusal| refused(&refusal, &trace_id(&headers, None));
    let body = match body {
        Ok(body) => body,
        Err(StringRejection::InvalidUtf8(_)) => return refuse(Refusal::NOT_UTF8),
        Err(_) => return refuse(too_large(MOST_BYTES)),
    };
    let value = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = headers.iter().map(|(name, known)| (name.to_string(), value(known))).collect();
    let target = uri.path_and_query().map_or("/", |target| target.as_str()).to_owned();
    let request = Request { method: method.to_string(), target, headers, body };

    let reply = answer(&mut lock(&sandbox.state), &request, now().as_ms());
    if let Err(why) = sandbox.save() {
        drop(writeln!(io::stderr(), "{why}"));
    }
    // A reply can be late, cut in the middle, or never come.
    tokio::time::sleep(Duration::from_millis(reply.delay_ms)).await;
    let body = match reply.delivery {
        Delivery::Whole => Body::from(reply.body),
        Delivery::Half => {
            let half = reply.body.as_bytes().get(..reply.body.len() / 2).unwrap_or_default();
            let half = half.to_vec();
            let parts = [Ok(half), Err(io::Error::other("half a body was asked for"))];
            // Otherwise nothing is sent at all: the head leaves with the first part.
            Body::from_stream(tokio_stream::iter(parts).throttle(HALF_AFTER))
        }
        Delivery::Never => std::future::pending().await,
    };

    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = reply.headers.into_iter().filter_map(|(name, value)| {
        Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?))
    });
    (status, headers.collect::<HeaderMap>(), body).into_response()
}
