//! Where a fuzzer begins: the inputs of all vectors, and a day of the pocket service.

use std::path::Path;

use alloy_primitives::hex;
use conformance::Call;
use serde_json::Value;

use super::calls::joined;
use crate::replies::places;

/// What is longer is left out: a fuzzer finds little in it.
const LONGEST: usize = 8 << 10;

/// The arguments and answers of all vectors in a folder, and the strings in them: as texts, as the bytes of hex, and as calls by
/// name. The requests of a day of the pocket service.
///
/// # Panics
///
/// If the folder has no vectors.
#[must_use]
pub fn seeds(vectors: &Path) -> Vec<Vec<u8>> {
    let calls = conformance::calls(&[vectors.into()]);
    assert!(!calls.is_empty(), "expected vectors in {}", vectors.display());
    let mut seeds = vec![];
    for Call { name, texts, answer } in calls {
        seeds.extend(joined(&name, &texts));
        for text in texts.into_iter().flatten().chain(answer.ok()) {
            let value: Value = serde_json::from_str(&text).unwrap_or_default();
            let places = places(&value).into_iter();
            let strings = places.filter_map(|place| value.pointer(&place)?.as_str());
            for text in strings.chain(value.as_str()).chain([&*text]) {
                for first in ["", "\0", "\x02", "\x03"] {
                    seeds.push(format!("{first}{text}").into_bytes());
                }
                if let Ok(bytes) = hex::decode(text) {
                    seeds.extend([[&b"\0"[..], &bytes].concat(), bytes]);
                }
            }
        }
    }
    seeds.extend(super::service::seeds(include_str!(
        "../../../crates/sendoff-sandbox/tests/record.json"
    )));
    seeds.retain(|seed| seed.len() <= LONGEST);
    seeds.sort();
    seeds.dedup();
    seeds
}
