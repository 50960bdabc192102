//! The built playground: the files of a folder.

use std::path::Path;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::{Method, StatusCode, Uri};
use axum::response::Redirect;
use axum::routing::{any, get};
use tower_http::services::ServeDir;

/// The path of the playground.
const PLAYGROUND: &str = "/playground/";

/// The routes of a folder's files. `api` answers all other requests.
///
/// # Errors
///
/// A sentence if the folder does not exist.
pub(crate) fn routes<H, T>(folder: &Path, api: H) -> Result<Router, String>
where
    H: Handler<T, ()> + Clone,
    T: 'static,
{
    let name = folder.display();
    let root = folder.canonicalize().map_err(|error| format!("the playground {name}: {error}"))?;
    if !root.is_dir() {
        return Err(format!("the playground {name}: expected a folder, found a file"));
    }

    let files = ServeDir::new(&root).redirect_path_prefix(PLAYGROUND.trim_end_matches('/'));
    let redirect = get(|| async { Redirect::permanent(PLAYGROUND) }).fallback(api.clone());
    let file = any(move |request: Request| {
        let (root, mut files, api) = (root.clone(), files.clone(), api.clone());
        async move {
            let (mut head, body) = request.into_parts();
            let path = head.uri.path().strip_prefix(PLAYGROUND).unwrap_or_default();
            if [Method::GET, Method::HEAD].contains(&head.method)
                && is_of(&root, path).await
                && let Ok(path) = format!("/{path}").parse()
            {
                let mut asked = Request::from_parts(head.clone(), Body::empty());
                *asked.uri_mut() = path;
                if let Ok(found) = files.try_call(asked).await
                    && found.status() != StatusCode::NOT_FOUND
                {
                    return found.map(Body::new);
                }
            }
            // The rest of the path must not be read as the path of an operation.
            head.uri = Uri::from_static(PLAYGROUND);
            api.call(Request::from_parts(head, body), ()).await
        }
    });

    let router = Router::new().route("/playground", redirect).route(PLAYGROUND, file.clone());
    Ok(router.route("/playground/{*path}", file))
}

/// `true` for a path to a file or folder that is in the folder when all links are followed, and not hidden.
async fn is_of(root: &Path, path: &str) -> bool {
    let is_hidden = |part: &Path| part.iter().any(|name| name.to_string_lossy().starts_with('.'));
    let found = tokio::fs::canonicalize(root.join(path)).await;
    found.is_ok_and(|found| found.strip_prefix(root).is_ok_and(|part| !is_hidden(part)))
}
