//! The built playground: the files of a folder.

use std::{
    io,
    path::{Path, PathBuf},
};

use axum::{
    Router,
    body::Body,
    extract::Request,
    handler::Handler,
    http::{Method, Uri},
    response::{IntoResponse as _, Redirect},
    routing::get,
};
use tower_http::services::ServeFile;

/// The path of the playground.
const PLAYGROUND: &str = "/playground/";

/// The target of a path below [`PLAYGROUND`].
#[derive(Debug, PartialEq, Eq)]
enum Found {
    File(PathBuf),
    /// A folder without a slash at the end of its path.
    Folder,
    Nothing,
}

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
    let root = folder
        .canonicalize()
        .map_err(|error| format!("the playground {}: {error}", folder.display()))?;
    if !root.is_dir() {
        return Err(format!(
            "the playground {}: expected a folder, found a file",
            folder.display()
        ));
    }

    let redirect = get(|| async { Redirect::permanent(PLAYGROUND) });
    let file = {
        let api = api.clone();
        move |mut request: Request| {
            let (root, api) = (root.clone(), api.clone());
            async move {
                if [Method::GET, Method::HEAD].contains(request.method()) {
                    let (path, extensions) =
                        (request.uri().path().to_owned(), request.extensions().clone());
                    match find(&root, path.strip_prefix(PLAYGROUND).unwrap_or(&path)).await {
                        Ok(Found::File(file)) => match ServeFile::new(file).try_call(request).await
                        {
                            Ok(response) => return response.map(Body::new),
                            // The file was deleted meanwhile.
                            Err(_) => {
                                request = Request::new(Body::empty());
                                *request.extensions_mut() = extensions;
                            }
                        },
                        Ok(Found::Folder) => {
                            return Redirect::permanent(&format!("{path}/")).into_response();
                        }
                        Ok(Found::Nothing) | Err(_) => {}
                    }
                }
                // The rest of the path must not be read as the path of an operation.
                *request.uri_mut() = Uri::from_static(PLAYGROUND);
                api.call(request, ()).await
            }
        }
    };

    let router = Router::new().route("/playground", redirect.fallback(api));
    Ok(router
        .route(PLAYGROUND, axum::routing::any(file.clone()))
        .route("/playground/{*path}", axum::routing::any(file)))
}

/// Finds the file of a path in the folder. Only names that a build makes are found. Hidden files and links to files outside
/// of the folder are not.
async fn find(root: &Path, path: &str) -> io::Result<Found> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let is_name =
        |name: &str| !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_plain);
    let folders = folder.split('/').filter(|_| !folder.is_empty());

    if !folders.clone().all(is_name) || !(name.is_empty() || is_name(name)) || path.starts_with('/')
    {
        return Ok(Found::Nothing);
    }

    let mut file = root.to_owned();
    file.extend(folders);
    file.push(if name.is_empty() { "index.html" } else { name });

    // Resolves all links.
    let file = tokio::fs::canonicalize(file).await?;
    let is_hidden = |part: &Path| part.iter().any(|name| name.to_string_lossy().starts_with('.'));

    if !file.strip_prefix(root).is_ok_and(|part| !is_hidden(part)) {
        return Ok(Found::Nothing);
    }

    let kind = tokio::fs::metadata(&file).await?;
    Ok(if kind.is_dir() {
        Found::Folder
    } else if kind.is_file() {
        Found::File(file)
    } else {
        Found::Nothing
    })
}
