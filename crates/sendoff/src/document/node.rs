//! Strict JSON as a tree.

use alloc::{borrow::Cow, collections::BTreeMap, format, string::String, vec::Vec};
use core::{cell::Cell, fmt};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Read;
use crate::error::{Code, Issues, Path};

/// The longest text that is read, in bytes.
pub(crate) const MAX_TEXT: usize = 1 << 20;

/// How serde_json says that a number is larger than any double.
const NOT_A_DOUBLE: &str = "number out of range";

/// How deep arrays and objects may stand in each other.
const MAX_DEPTH: usize = 64;

/// A JSON value. Numbers are IEEE doubles, as in JavaScript.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node<'a> {
    Null,
    Bool(bool),
    Number(f64),
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Object(Vec<Field<'a>>),
}

/// A key and what stands there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field<'a> {
    pub(crate) key: Cow<'a, str>,
    pub(crate) node: Node<'a>,
    /// The key stands again later; only the first is kept.
    pub(super) twice: bool,
    /// A reader asked for it; what nobody asked for does not belong in the document.
    pub(super) taken: Cell<bool>,
}

impl<'a> Node<'a> {
    /// The tree of a JSON text, with an issue for every key that stands twice anywhere in it.
    pub(crate) fn parse(text: &'a str, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        if text.len() > MAX_TEXT {
            let message = format!("expected text of at most {MAX_TEXT} bytes, found {}", text.len());
            issues.push(at, Code::Range, message);
            return None;
        }
        let seen = Seen::default();
        let mut json = serde_json::Deserializer::from_str(text);
        match (Seed { seen: &seen, depth: 0 }).deserialize(&mut json).and_then(|node| json.end().map(|()| node)) {
            Ok(node) => {
                if seen.twice.get() {
                    node.push_duplicates(at, issues);
                }
                Some(node)
            }
            Err(_) if seen.too_deep.get() => {
                issues.push(at, Code::Range, format!("expected at most {MAX_DEPTH} levels of nesting, found more"));
                None
            }
            Err(error) => {
                let message = format!("{error}");
                // JSON sets no bound on a number; the domain of the values does.
                let code = if message.starts_with(NOT_A_DOUBLE) { Code::Range } else { Code::Syntax };
                issues.push(at, code, format!("expected one JSON value, found text that is none: {message}"));
                None
            }
        }
    }

    /// The tree of a value of any serde format, likewise.
    pub(crate) fn deserialize<D: Deserializer<'a>>(deserializer: D, issues: &mut Issues) -> Result<Self, D::Error> {
        let node = Seed { seen: &Seen::default(), depth: 0 }.deserialize(deserializer)?;
        node.push_duplicates(&Path::Root, issues);
        Ok(node)
    }

    /// What this is, in words, for a message.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// The part at a key, where this is an object and the key stands there once.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(fields) = self else { return None };
        fields.iter().find(|field| field.key == key && !field.twice).map(|field| &field.node)
    }

    /// The text, where this is text.
    pub(crate) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The part as a value, where it is one; what is wrong with it is said elsewhere.
    pub(crate) fn read<T: Read>(&self) -> Option<T> {
        T::read(self, &Path::Root, &mut Issues::default())
    }

    fn push_duplicates(&self, at: &Path<'_>, issues: &mut Issues) {
        match self {
            Self::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.push_duplicates(&Path::Item(at, index), issues);
                }
            }
            Self::Object(fields) => {
                for field in fields {
                    let at = Path::Field(at, &field.key);
                    if field.twice {
                        issues.push(&at, Code::Duplicate, "expected each key once, found it again".into());
                    }
                    field.node.push_duplicates(&at, issues);
                }
            }
            _ => {}
        }
    }
}

/// What came to light while a text was read.
#[derive(Default)]
struct Seen {
    twice: Cell<bool>,
    too_deep: Cell<bool>,
}

#[derive(Clone, Copy)]
struct Seed<'s> {
    seen: &'s Seen,
    depth: usize,
}

impl Seed<'_> {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        let depth = self.depth.saturating_add(1);
        if depth > MAX_DEPTH {
            self.seen.too_deep.set(true);
            return Err(E::custom("nested too deep"));
        }
        Ok(Self { depth, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Node<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node<'de>, E> {
        Ok(Node::Null)
    }

    fn visit_none<E>(self) -> Result<Node<'de>, E> {
        Ok(Node::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node<'de>, E> {
        Ok(Node::Bool(value))
    }

    #[expect(clippy::as_conversions, reason = "a JSON number is a double; there is no other conversion")]
    fn visit_u64<E>(self, value: u64) -> Result<Node<'de>, E> {
        Ok(Node::Number(value as f64))
    }

    #[expect(clippy::as_conversions, reason = "a JSON number is a double; there is no other conversion")]
    fn visit_i64<E>(self, value: i64) -> Result<Node<'de>, E> {
        Ok(Node::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node<'de>, E> {
        Ok(Node::Number(value))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Node<'de>, E> {
        Ok(Node::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node<'de>, E> {
        Ok(Node::Text(Cow::Owned(value.into())))
    }

    fn visit_string<E>(self, value: String) -> Result<Node<'de>, E> {
        Ok(Node::Text(Cow::Owned(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node<'de>, A::Error> {
        let seed = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(seed)? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node<'de>, A::Error> {
        let seed = self.deeper()?;
        let mut fields = Vec::new();
        while let Some(key) = map.next_key_seed(Key)? {
            let node = map.next_value_seed(seed)?;
            fields.push(Field { key, node, twice: false, taken: Cell::new(false) });
        }
        if merge_equal_keys(&mut fields) {
            self.seen.twice.set(true);
        }
        Ok(Node::Object(fields))
    }
}

/// Keeps the first of equal keys, marked; says whether there were any.
fn merge_equal_keys(fields: &mut Vec<Field<'_>>) -> bool {
    // Almost every object is small, and then comparing each pair is the fastest way. A large one gets a map: a
    // document of a million bytes must not cost a billion comparisons.
    const SMALL: usize = 16;
    let mut again = Vec::new();
    if fields.len() <= SMALL {
        for (later, field) in fields.iter().enumerate() {
            if let Some(first) = fields.iter().take(later).position(|earlier| earlier.key == field.key) {
                again.push((first, later));
            }
        }
    } else {
        let mut firsts = BTreeMap::new();
        for (at, field) in fields.iter().enumerate() {
            let first = *firsts.entry(&*field.key).or_insert(at);
            if first != at {
                again.push((first, at));
            }
        }
    }
    for (first, _) in &again {
        if let Some(field) = fields.get_mut(*first) {
            field.twice = true;
        }
    }
    let mut drop = again.iter().map(|(_, later)| *later).peekable();
    let mut at = 0_usize;
    fields.retain(|_| {
        let keep = drop.next_if_eq(&at).is_none();
        at = at.saturating_add(1);
        keep
    });
    !again.is_empty()
}

/// A key, borrowed from the text where it has no escapes.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(key.into()))
    }
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => match whole(*value) {
                Some(integer) if integer != 0 || value.is_sign_positive() => serializer.serialize_i64(integer),
                _ => serializer.serialize_f64(*value),
            },
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for field in fields {
                    map.serialize_entry(&field.key, &field.node)?;
                }
                map.end()
            }
        }
    }
}

/// 2^53: up to here doubles and integers are one, and beyond it every double is an integer.
pub(super) const BEYOND: f64 = 9_007_199_254_740_992.0;

/// The integer that a double is, within ±2^53.
#[expect(clippy::as_conversions, reason = "within ±2^53 both conversions are exact")]
pub(super) fn whole(value: f64) -> Option<i64> {
    let integer = value as i64;
    (value.abs() <= BEYOND && integer as f64 == value).then_some(integer)
}
