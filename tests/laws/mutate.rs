//! Nearly valid documents: valid documents with a change.

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::replies::{altered, places};

/// Texts that are valid or nearly valid for some kind, beside the empty one, a space and one of odd characters.
const TEXTS: &str = "\
    0 1 01 -1 1.0 1e3 10 \
    115792089237316195423570985008687907853269984665640564039457584007913129639935 \
    115792089237316195423570985008687907853269984665640564039457584007913129639936 \
    999999999999999999999999999999999999999999999999999999999999999999999999999999 \
    1000000000000000000000000000000000000000000000000000000000000000000000000000000 0x 0x0 0x00 \
    0x1 0x01 0X1 0xg 0xaB 0xffffffffffffffffffffffffffffffff 0x100000000000000000000000000000000 \
    0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff \
    0x10000000000000000000000000000000000000000000000000000000000000000 \
    0x00000000000000000000000000000000000000000000000000000000000000001 \
    0x0000000000000000000000000000000000000000000000000000000000000007 \
    0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD \
    0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed 0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED \
    0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae 0x7702000000000000000000000000000000000000 eip155:1 \
    eip155:137 eip155:0 eip155:01 eip155:x eip155: eip155:12345678901234567890123456789012 \
    eip155:123456789012345678901234567890123 EIP155:1 solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp \
    cosmos:cosmoshub-3 ab:c b9e16100-446f-4050-84ed-a846d2bae528 \
    B9E16100-446F-4050-84ED-A846D2BAE528 {b9e16100-446f-4050-84ed-a846d2bae528} \
    b9e16100446f405084eda846d2bae528 ERC721 ERC1155 erc721 Erc1155 ..";

const NUMBERS: &str = "\
    0 -0 0.0 1 -1 1.0 1.5 10e-1 1e0 -720 -721 840 841 999 1000 2097151 2097152 86400000 86400001 \
    281474976710655 281474976710656 8640000000000000 8640000000000000.4 -8640000000000001 \
    9007199254740991 9007199254740992 9007199254740993";

/// Keys of some document.
const KEYS: &str = "\
    feePayerAddress gsn fees factory factoryData signature paymaster gasFeeOrder holdMs cost traceId \
    trace_id";

impl Chance {
    fn text(&mut self) -> &'static str {
        match self.below(20) {
            0 => self.pick(&["", " ", "a/b\\\u{0}é\n"]),
            _ => self.word(TEXTS),
        }
    }

    /// The text of a document with up to three changes.
    pub fn mutated(&mut self, valid: &Value) -> String {
        let mut value = valid.clone();
        for _ in 0..self.below(4) {
            self.change(&mut value);
        }
        let mut text = value.to_string();
        if self.below(12) == 0 {
            text = self.respelled(&text).unwrap_or(text);
        }
        if self.below(12) == 0 {
            text = self.repeat(&text).unwrap_or(text);
        }
        text
    }

    /// Changes a random part.
    fn change(&mut self, value: &mut Value) {
        let place = self.pick(&[vec![String::new()], places(value)].concat());
        let way = self.below(10);
        match value.pointer_mut(&place).unwrap() {
            Value::Object(fields) if way < 4 => {
                let key = if way == 0 { "unknown" } else { self.word(KEYS) };
                fields.insert(key.into(), self.anything());
            }
            Value::Array(items) if way < 4 && !items.is_empty() => {
                let item = self.pick(items);
                let more = if self.below(40) == 0 { 999 + self.below(3) } else { items.len() + 1 };
                items.resize(more, item);
            }
            Value::String(text) if way < 5 => *text = self.misspelled(text),
            _ if way > 7 && !place.is_empty() => *value = altered(value, &place, None),
            part => *part = self.anything(),
        }
    }

    fn anything(&mut self) -> Value {
        match self.below(12) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!([]),
            3 => json!({}),
            4 => json!(["eip155:1"]),
            5 | 6 => serde_json::from_str(self.word(NUMBERS)).unwrap(),
            _ => json!(self.text()),
        }
    }

    /// A text with a character added, removed or replaced.
    pub fn misspelled(&mut self, text: &str) -> String {
        let mut chars: Vec<_> = text.chars().collect();
        let at = self.below(chars.len() + 1);
        match self.below(6) {
            0 if at < chars.len() => drop(chars.remove(at)),
            1 => {
                chars.insert(at, self.pick(&['0', 'a', 'F', 'g', ' ', '-', ':', 'é', '\u{0}', '/']))
            }
            2 => return text.to_uppercase(),
            3 => return text.to_lowercase(),
            4 => return self.text().into(),
            _ => {
                if let Some(c) = chars.get_mut(at) {
                    *c = if c.is_ascii_lowercase() {
                        c.to_ascii_uppercase()
                    } else {
                        c.to_ascii_lowercase()
                    };
                }
            }
        }
        chars.into_iter().collect()
    }

    /// A random place behind this pattern.
    fn behind(&mut self, text: &str, pattern: &str) -> Option<usize> {
        let all: Vec<_> = text.match_indices(pattern).map(|(at, _)| at + pattern.len()).collect();
        (!all.is_empty()).then(|| self.pick(&all))
    }

    /// Replaces an integer in a text by another spelling or another number.
    fn respelled(&mut self, text: &str) -> Option<String> {
        let (before, after) = text.split_at(self.behind(text, ":")?);
        let end = after.find(|c: char| !c.is_ascii_digit() && c != '-').filter(|end| *end > 0)?;
        let (number, after) = after.split_at(end);
        let spelled = match self.below(4) {
            0 => format!("{number}.0"),
            1 => format!("{number}e0"),
            2 => format!("{number}.00000000000000000001"),
            _ => self.word(NUMBERS).into(),
        };
        Some(format!("{before}{spelled}{after}"))
    }

    /// Repeats the first key of an object.
    fn repeat(&mut self, text: &str) -> Option<String> {
        let (before, after) = text.split_at(self.behind(text, "{")?);
        let key = &after[..after.find("\":")? + 2];
        let value = self.pick(&["1", "null", "\"\""]);
        Some(format!("{before}{key}{value},{after}"))
    }
}
