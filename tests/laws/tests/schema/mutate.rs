//! Nearly valid documents: valid documents with a change.

use serde_json::{Value, json};

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

/// Random changes from a seed, so that a case can be reproduced.
#[derive(Clone, Debug)]
pub struct Dice(rate_windows::dice::Dice);

impl Dice {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Self {
        Self(rate_windows::dice::Dice::new(seed))
    }

    /// A random number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound as u64) as usize
    }

    /// A random item.
    pub fn pick<'a, T>(&mut self, some: &'a [T]) -> &'a T {
        &some[self.below(some.len())]
    }

    fn word(&mut self, words: &'static str) -> &'static str {
        let all: Vec<_> = words.split(' ').collect();
        self.pick::<&str>(&all)
    }

    fn text(&mut self) -> &'static str {
        match self.below(20) {
            0 => self.pick::<&str>(&["", " ", "a/b\\\u{0}é\n"]),
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
            text = self.number(text);
        }
        if self.below(12) == 0 {
            text = self.repeat(text);
        }
        text
    }

    /// Changes a random part.
    fn change(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) if !fields.is_empty() && self.below(4) > 0 => {
                let keys: Vec<_> = fields.keys().cloned().collect();
                let key = self.pick(&keys).clone();
                match self.below(8) {
                    0 => drop(fields.remove(&key)),
                    1 => drop(fields.insert("unknown".into(), json!(1))),
                    2 => drop(fields.insert(self.word(KEYS).into(), self.anything())),
                    _ => self.change(fields.get_mut(&key).unwrap()),
                }
            }
            Value::Array(items) if !items.is_empty() && self.below(4) > 0 => {
                let at = self.below(items.len());
                match self.below(6) {
                    0 => drop(items.remove(at)),
                    1 => items.push(items[at].clone()),
                    2 if self.below(40) == 0 => {
                        *items = vec![items[at].clone(); 999 + self.below(3)]
                    }
                    _ => self.change(&mut items[at]),
                }
            }
            Value::String(text) if self.below(2) == 0 => *text = self.misspelled(text),
            other => *other = self.anything(),
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
            1 => chars
                .insert(at, *self.pick(&['0', 'a', 'F', 'g', ' ', '-', ':', 'é', '\u{0}', '/'])),
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

    /// Replaces an integer in a text by another spelling or another number.
    fn number(&mut self, text: String) -> String {
        let at: Vec<_> = text.match_indices(':').map(|(at, _)| at + 1).collect();
        if at.is_empty() {
            return text;
        }
        let at = *self.pick(&at);
        let end = at
            + text[at..].find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len() - at);
        if end == at {
            return text;
        }
        let number = &text[at..end];
        let spelled = match self.below(4) {
            0 => format!("{number}.0"),
            1 => format!("{number}e0"),
            2 => format!("{number}.00000000000000000001"),
            _ => self.word(NUMBERS).into(),
        };
        format!("{}{spelled}{}", &text[..at], &text[end..])
    }

    /// Repeats the first key of an object.
    fn repeat(&mut self, text: String) -> String {
        let at: Vec<_> = text.match_indices("{\"").map(|(at, _)| at + 1).collect();
        if at.is_empty() {
            return text;
        }
        let at = *self.pick(&at);
        let Some(length) = text[at + 1..].find("\":") else { return text };
        let key = &text[at..at + length + 2];
        let value = ["1", "null", "\"\""][self.below(3)];
        format!("{}{key}:{value},{}", &text[..at], &text[at..])
    }
}
