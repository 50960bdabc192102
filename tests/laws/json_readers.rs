//! Our reader of JSON beside serde_json's.

use sendoff::http::Opaque;
use serde_json::Value;

/// Both agree on a text: neither reads it, or both do and mean the same. Two readers may differ where a key stands twice,
/// where a number is no double, and past 64 levels.
pub fn agree(text: &str) {
    match (text.parse::<Opaque>(), serde_json::from_str::<Value>(text)) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(serde_json::from_str::<Value>(ours.as_str()).unwrap(), theirs, "{text}")
        }
        (Ok(_), Err(error)) => {
            assert!(error.to_string().starts_with("number out of range"), "{text}: {error}")
        }
        (Err(error), Ok(_)) => {
            let known = ["duplicate", "range"];
            assert!(
                error.issues().iter().all(|issue| known.contains(&issue.code.as_str())),
                "{text}: {error}"
            );
        }
        (Err(_), Err(_)) => {}
    }
}
