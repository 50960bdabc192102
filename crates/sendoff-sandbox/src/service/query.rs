//! The reader of queries: parameters as fields of a struct.

use std::borrow::Cow;

use serde::de::value::{self, MapDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::json::{Problem, read_from};

/// The largest integer that every reader of JSON has.
const MOST: u64 = (1 << 53) - 1;

/// Reads a query, or returns its first problem with the parameter.
pub(super) fn read<Q: DeserializeOwned>(query: &str) -> Result<Q, Problem> {
    let pairs = form_urlencoded::parse(query.as_bytes()).map(|(name, text)| (name, Text(text)));
    read_from(MapDeserializer::<_, value::Error>::new(pairs))
}

/// The value of a parameter: a text, from which numbers are read.
struct Text<'a>(Cow<'a, str>);

impl<'de> IntoDeserializer<'de> for Text<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Text<'_> {
    type Error = value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, value::Error> {
        visitor.visit_str(&self.0)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, value::Error> {
        match self.0.parse() {
            Ok(number) if number <= MOST => visitor.visit_u64(number),
            _ => visitor.visit_str(&self.0),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, value::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, value::Error> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
