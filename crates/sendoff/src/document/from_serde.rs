//! A tree from any serde format, for `Deserialize`, and to it, for opaque values. No build that
//! only exports [`crate::json`] contains it.

use alloc::{borrow::Cow, string::String, string::ToString, vec::Vec};
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeStruct, Serializer};

use super::node::{Field, Node, merge_equal_keys};
use super::value::each_field;
use super::{Read, Value};
use crate::error::{Issues, Path};
use crate::text::WriteText;

/// Reads a value with the same reader as from text.
pub(crate) fn deserialize<'de, T: Read, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let node = Node::deserialize(deserializer)?;
    let mut issues = Issues::default();
    node.push_duplicates(&Path::Root, &mut issues);
    let value = T::read(&node, &Path::Root, &mut issues);
    issues.or(value).map_err(D::Error::custom)
}

impl<'de> Deserialize<'de> for Node<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Tree)
    }
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => {
                if let Ok(value) = text.parse() {
                    serializer.serialize_u64(value)
                } else if let Ok(value) = text.parse() {
                    serializer.serialize_i64(value)
                } else {
                    serializer.serialize_f64(text.parse().map_err(S::Error::custom)?)
                }
            }
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(fields) => {
                serializer.collect_map(fields.iter().map(|field| (&field.key, &field.node)))
            }
        }
    }
}

/// The one writer of documents for serde: fields as those of a struct.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unread | Self::Absent | Self::Null => serializer.serialize_none(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Integer(number) => match u64::try_from(*number) {
                Ok(number) => serializer.serialize_u64(number),
                Err(_) => serializer.serialize_i64(*number),
            },
            Self::List(items) => serializer.collect_seq(items),
            Self::Json(json) => {
                let mut issues = Issues::default();
                let node = Node::parse(json, &Path::Root, &mut issues);
                issues.or(node).map_err(S::Error::custom)?.serialize(serializer)
            }
            Self::Pairs(pairs) => {
                serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
            }
            Self::Record(values, table) => {
                let mut fields = Vec::with_capacity(values.len());
                each_field(values, table, &mut |key, value| fields.push((key, value)));
                let mut object = serializer.serialize_struct("", fields.len())?;
                for (key, value) in fields {
                    object.serialize_field(key, value)?;
                }
                object.end()
            }
            text => serializer.serialize_str(&text.to_text()),
        }
    }
}

struct Tree;

impl<'de> Visitor<'de> for Tree {
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
        Node::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node<'de>, E> {
        Ok(Node::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node<'de>, E> {
        Ok(Node::Number(Cow::Owned(value.to_string())))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node<'de>, E> {
        Ok(Node::Number(Cow::Owned(value.to_string())))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node<'de>, E> {
        Ok(Node::Number(Cow::Owned(value.to_string())))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Node<'de>, E> {
        Ok(Node::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node<'de>, E> {
        Ok(Node::Text(Cow::Owned(value.into())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some((key, node)) = map.next_entry::<String, Node<'de>>()? {
            fields.push(Field::new(Cow::Owned(key), node));
        }
        merge_equal_keys(&mut fields);
        Ok(Node::Object(fields))
    }
}
