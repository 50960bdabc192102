//! The parts of call data: the offset, the name and the value of each.
//!
//! The core writes call data in one way only, each part directly after the previous one, so the
//! parts are read in order. Encodings are nested: the outer words contain the call of the job
//! manager as bytes, and that call contains the policies, the gas station's data and the job as
//! bytes.

use std::fmt;

use sendoff::{HexBytes, intent::IntentType};

/// A word, bytes, or a text with its length.
pub(crate) struct Part {
    at: usize,
    name: String,
    content: String,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:04x}  {:<36} {}", self.at, self.name, self.content)
    }
}

impl Part {
    /// The parts of the core's call data for an intent of this type.
    pub(crate) fn all(call_data: &str, intent_type: &str) -> Result<Vec<Self>, String> {
        let intent: IntentType = intent_type.parse().map_err(|error| format!("{error}"))?;
        let bytes: HexBytes = call_data.parse().map_err(|error| format!("{error}"))?;
        let mut reader = Reader { rest: bytes.as_slice(), length: bytes.len(), parts: Vec::new() };
        reader.call(intent).ok_or_else(|| format!("the call data is not one of {intent_type}"))?;
        Ok(reader.parts)
    }
}

/// The unread bytes, and the parts so far.
struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
    parts: Vec<Part>,
}

impl<'a> Reader<'a> {
    fn call(&mut self, intent: IntentType) -> Option<()> {
        self.bytes("executeUserOp", 4)?;
        self.take(28)?;
        self.address("job manager")?;
        self.number("value")?;
        self.number("offset of the call")?;
        self.number("length of the call")?;
        self.bytes("  initiateJob", 4)?;
        self.bytes("  job id", 32)?;
        self.address("  client SWA")?;
        self.address("  user SWA")?;
        self.address("  fee payer")?;

        for part in [
            "  offset of policies",
            "  offset of gsn",
            "  offset of the job",
            "  offset of the type",
        ] {
            self.number(part)?;
        }

        self.number("  length of policies")?;
        self.flag("    gsnEnabled")?;
        self.flag("    sponsorshipEnabled")?;
        self.gsn()?;
        self.job(&intent.parameters())?;
        self.text("  type")?;
        self.take(28)?;

        self.rest.is_empty().then_some(())
    }

    fn gsn(&mut self) -> Option<()> {
        self.number("  length of gsn")?;
        self.number("    offset of the tuple")?;
        self.flag("    isRequired")?;
        self.number("    offset of networks")?;
        self.number("    offset of tokens")?;
        self.list("network")?;
        self.number("    number of tokens").map(drop)
    }

    /// Reads a job's tuple: for each parameter a number, or the offset of a text or a list, and then the texts and lists.
    fn job(&mut self, parameters: &[(&str, &str)]) -> Option<()> {
        self.number("  length of the job")?;
        self.number("    offset of the tuple")?;
        for (name, kind) in parameters {
            let offset = if *kind == "uint256" { "" } else { "offset of " };
            self.number(&format!("    {offset}{name}"))?;
        }
        for (name, kind) in parameters {
            match *kind {
                "uint256" => {}
                "string" => self.text(&format!("    {name}"))?,
                _ => self.list(name.strip_suffix('s').unwrap_or(name))?,
            }
        }
        Some(())
    }

    /// Reads a list of texts: their number, the offset of each, and then the texts.
    fn list(&mut self, name: &str) -> Option<()> {
        let count = self.number(&format!("    number of {name}s"))?;
        (0..count).try_for_each(|_| self.number("      offset of the next").map(drop))?;
        (0..count).try_for_each(|_| self.text(&format!("      {name}")))
    }

    fn bytes(&mut self, name: &str, count: usize) -> Option<()> {
        self.part(name, |reader| reader.take(count).map(hex))
    }

    fn address(&mut self, name: &str) -> Option<()> {
        self.part(name, |reader| {
            reader.take(12)?;
            reader.take(20).map(hex)
        })
    }

    fn flag(&mut self, name: &str) -> Option<()> {
        self.part(name, |reader| size(reader.take(32)?).map(|flag| (flag == 1).to_string()))
    }

    fn text(&mut self, name: &str) -> Option<()> {
        self.part(name, |reader| {
            let length = size(reader.take(32)?)?;
            let padded = reader.take(length.checked_next_multiple_of(32)?)?;
            Some(
                format!("{} ({length} bytes)", String::from_utf8_lossy(padded.get(..length)?))
                    .trim_start()
                    .into(),
            )
        })
    }

    /// Reads a word as a number; 0 if it does not fit in a `usize`, which no length or count does.
    fn number(&mut self, name: &str) -> Option<usize> {
        let mut number = 0;
        self.part(name, |reader| {
            let word = reader.take(32)?;
            let (high, low) = word.split_at_checked(16)?;
            number = size(word).unwrap_or_default();
            match u128::from_be_bytes(low.try_into().ok()?) {
                low if high.iter().all(|byte| *byte == 0) => Some(low.to_string()),
                _ => Some(hex(word)),
            }
        })?;
        Some(number)
    }

    fn part(&mut self, name: &str, read: impl FnOnce(&mut Self) -> Option<String>) -> Option<()> {
        let at = self.length.checked_sub(self.rest.len())?;
        let content = read(self)?;
        self.parts.push(Part { at, name: name.into(), content });
        Some(())
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }
}

/// A word as a length or a count.
fn size(word: &[u8]) -> Option<usize> {
    let (high, low) = word.split_last_chunk::<8>()?;
    if high.iter().any(|byte| *byte != 0) {
        return None;
    }
    usize::try_from(u64::from_be_bytes(*low)).ok()
}

fn hex(bytes: &[u8]) -> String {
    HexBytes::from(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The call data of each intent in the project's vectors is read to its last byte.
    #[test]
    fn every_intent_has_parts() {
        let suite =
            std::fs::read_to_string(crate::project::root().join("tests/vectors/call-data.json"))
                .unwrap();
        let suite: serde_json::Value = serde_json::from_str(&suite).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for case in
            suite["cases"].as_array().unwrap().iter().filter(|case| case["call"] == "encodeCall")
        {
            let Some(call_data) = case["ok"].as_str() else { continue };
            let intent = case["args"][0]["intent"]["type"].as_str().unwrap();
            assert!(!Part::all(call_data, intent).unwrap().is_empty(), "{}", case["name"]);
            seen.insert(intent);
        }
        assert_eq!(seen.len(), IntentType::ALL.len());
    }
}
