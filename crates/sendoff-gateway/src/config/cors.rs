//! Pages of other origins that may call from a browser.

use super::toml::Place;

/// The pages that may call, and how long a browser may keep the answer to a preflight.
#[derive(Clone, Debug)]
pub struct Cors {
    /// The pages of every application that has no list of its own.
    pub origins: Origins,
    /// In seconds.
    pub max_age: u32,
}

/// Origins of pages (RFC 6454).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origins {
    /// Every origin.
    Every,
    /// These, such as `https://app.example`.
    These(Vec<String>),
}

impl Origins {
    /// `true` if pages of this origin may call.
    #[must_use]
    pub fn contain(&self, origin: &str) -> bool {
        match self {
            Self::Every => true,
            Self::These(origins) => origins.iter().any(|known| known == origin),
        }
    }
}

/// Reads `{ origins = "*", max_age = 600 }` or `{ origins = ["https://app.example"] }`.
pub(super) fn cors(place: &Place<'_>) -> Option<Cors> {
    let mut table = place.table()?;
    let origins = table.required("origins").and_then(|place| origins(&place));
    let max_age = table.or("max_age", 600, |place| u32::try_from(place.integer(0..=86_400)?).ok());
    table.close();
    Some(Cors { origins: origins?, max_age: max_age? })
}

/// Reads `*`, or an array of origins.
pub(super) fn origins(place: &Place<'_>) -> Option<Origins> {
    if place.as_text() == Some("*") {
        return Some(Origins::Every);
    }
    let origins = place.items()?.iter().map(origin).collect::<Vec<_>>();
    origins.into_iter().collect::<Option<_>>().map(Origins::These)
}

fn origin(place: &Place<'_>) -> Option<String> {
    read_origin(place.text()?).map_err(|why| place.push(why)).ok()
}

/// Reads an origin as browsers write it: with neither a path nor a default port, and in lower case.
///
/// # Errors
///
/// A sentence with what was expected.
pub(crate) fn read_origin(text: &str) -> Result<String, String> {
    let written = reqwest::Url::parse(text).ok().map(|url| url.origin().ascii_serialization());
    match written {
        Some(origin) if origin == text => Ok(origin),
        Some(origin) if origin != "null" => {
            Err(format!("expected an origin as browsers write it, `{origin}`, found `{text}`"))
        }
        _ => {
            let length = text.chars().count();
            Err(format!(
                "expected an origin such as `https://app.example`, found text of length {length}"
            ))
        }
    }
}
