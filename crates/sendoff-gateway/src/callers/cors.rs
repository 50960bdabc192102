//! Pages of other origins: the answer to a preflight, and the headers that let a page read a reply.
//! Source: the Fetch standard, "CORS protocol". The guards of `sendoff/http` have the same headers.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::config::{Cors, Origin};
use crate::database::Application;

/// The headers of a reply that a page may read.
const EXPOSED: HeaderValue =
    HeaderValue::from_static("retry-after, x-request-id, ratelimit, ratelimit-policy");

/// The methods of the operations.
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST");

const VARY: HeaderValue = HeaderValue::from_static("origin");

/// The headers that decide what a page may read. The gateway's replace the backend's.
const OF_PAGES: [HeaderName; 3] = [
    header::ACCESS_CONTROL_ALLOW_ORIGIN,
    header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
    header::ACCESS_CONTROL_EXPOSE_HEADERS,
];

/// The pages that may call an environment.
pub(crate) struct Pages {
    cors: Cors,
    /// The origins of all applications.
    all: Vec<Origin>,
}

impl Pages {
    pub(crate) fn new(cors: Cors, applications: &[Arc<Application>]) -> Self {
        let own = applications.iter().filter_map(|application| application.origins.as_ref());
        Self { all: own.chain([&cors.origins]).flatten().cloned().collect(), cors }
    }

    /// The answer to a preflight; `None` for any other request. A preflight has no credentials, so it is neither identified nor
    /// counted. All request headers are allowed. They are checked when they are sent.
    pub(crate) fn preflight<B>(&self, request: &Request<B>) -> Option<Response> {
        let asked = request.headers();
        let is_preflight = request.method() == Method::OPTIONS
            && asked.contains_key(header::ORIGIN)
            && asked.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        if !is_preflight {
            return None;
        }

        let mut headers = HeaderMap::new();
        if let Some(wanted) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, self.cors.max_age.into());
        self.open(&mut headers, asked.get(header::ORIGIN), None);
        Some((StatusCode::NO_CONTENT, headers).into_response())
    }

    /// Lets a page of this origin read a reply, if pages of this origin may call the application. The reply to an unknown caller
    /// may be read by pages of every application.
    pub(crate) fn open(
        &self,
        headers: &mut HeaderMap,
        origin: Option<&HeaderValue>,
        application: Option<&Application>,
    ) {
        for name in OF_PAGES {
            headers.remove(name);
        }

        let pages = match application {
            Some(application) => application.origins.as_ref().unwrap_or(&self.cors.origins),
            None => &self.all,
        };
        let listed = |page| pages.iter().any(|origin| origin.as_str() == page);
        let of_page = origin.and_then(|origin| origin.to_str().ok());
        let allowed = if listed(Origin::EVERY) {
            Some(HeaderValue::from_static("*"))
        } else {
            // Caches must not give the reply for one origin to another.
            headers.append(header::VARY, VARY);
            origin.filter(|_| of_page.is_some_and(listed)).cloned()
        };

        if let Some(origin) = allowed {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
    }
}
