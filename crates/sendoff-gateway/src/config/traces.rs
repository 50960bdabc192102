//! The collector of traces.

use std::fmt;

use axum::http::{HeaderName, HeaderValue};

use super::{
    secret::{Variables, secret},
    toml::Place,
    url::{secret_url, url},
};

/// A collector of traces (OpenTelemetry, OTLP/HTTP).
#[derive(Clone, PartialEq, Eq)]
pub struct Traces {
    /// The address to which spans are posted, such as `http://127.0.0.1:4318/v1/traces`. It may contain a key.
    pub url: String,
    /// Headers of each post, such as `authorization`.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The name of this service in traces.
    pub service: String,
    /// Of the traces that begin here, one in this many is recorded. The others follow their caller's decision.
    pub one_in: u32,
}

impl fmt::Debug for Traces {
    /// Omits the address and the headers, which may contain a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Traces")
            .field("service", &self.service)
            .field("one_in", &self.one_in)
            .finish_non_exhaustive()
    }
}

/// Reads `{ url = "http://127.0.0.1:4318/v1/traces", headers = { … }, service = "…", one_in = 1 }`.
pub(super) fn traces(place: &Place<'_>, variables: Variables<'_>) -> Option<Traces> {
    let mut table = place.table()?;
    let url = table.required("url").and_then(|place| {
        if place.is_table() { secret_url(&place, variables) } else { url(&place) }
    });
    let headers = table.or("headers", Vec::new(), |place| {
        let headers = place
            .table()?
            .entries()
            .into_iter()
            .map(|(name, place)| header(name, &place, variables));
        headers.collect::<Vec<_>>().into_iter().collect()
    });
    let service =
        table.or("service", "sendoff-gateway".into(), |place| place.text().map(str::to_owned));
    let one_in = table.or("one_in", 1, |place| u32::try_from(place.integer(1..=1_000_000)?).ok());
    table.close();
    Some(Traces { url: url?, headers: headers?, service: service?, one_in: one_in? })
}

fn header(
    name: &str,
    place: &Place<'_>,
    variables: Variables<'_>,
) -> Option<(HeaderName, HeaderValue)> {
    let Ok(name) = name.parse() else {
        place.push(format!("expected the name of a header, found `{name}`"));
        return None;
    };
    let value = if place.is_table() { secret(place, variables)? } else { place.text()?.to_owned() };
    match HeaderValue::from_str(&value) {
        Ok(mut value) => {
            value.set_sensitive(true);
            Some((name, value))
        }
        Err(_) => place.misformed("the value of a header", &value),
    }
}
