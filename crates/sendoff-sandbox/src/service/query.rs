//! The reader of queries: parameters as fields of a struct.

use sendoff::error::Issue;
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use serde_json::Value;

use crate::json;

/// The parameters that are numbers; all others are text.
const NUMBERS: [&str; 4] = ["page", "size", "offset", "limit"];

/// The largest integer that every reader of JSON has.
const MOST: u64 = (1 << 53) - 1;

/// Reads a query, or returns its first problem with the parameter.
pub(super) fn read<Q: DeserializeOwned>(query: &str) -> Result<Q, Box<Issue>> {
    let pairs = form_urlencoded::parse(query.as_bytes()).map(|(name, text)| {
        let number = text.parse::<u64>().ok();
        let number = number.filter(|number| *number <= MOST && NUMBERS.contains(&&*name));
        let value = number.map_or_else(|| Value::from(&*text), Value::from);
        (name, value)
    });
    json::read(MapDeserializer::<_, serde_json::Error>::new(pairs))
}
