//! Records of the state: how each becomes JSON, and is read again.

use alloc::{string::String, sync::Arc, vec::Vec};

use sendoff::error::IssueCode;
use sendoff::primitive_types::U256;

use crate::Json;
use crate::field;
use crate::map::Map;
use crate::misfit::Misfit;
use crate::numbers::{decimal, of_decimal};
use crate::text::{cut, joined, of_signed};

/// What becomes JSON.
pub(crate) trait Write {
    fn write(&self) -> Json;
}

/// A part of the state.
pub(crate) trait Record: Write {
    /// Becomes what was written. After a misfit it is of no use.
    fn read(&mut self, json: &Json) -> Result<(), Misfit>;

    /// `true` if its key may be absent.
    fn is_optional(&self) -> bool {
        false
    }
}

/// A list or a map, so that one function reads those of all types.
trait Grow {
    /// A new value: at the end of a list, or at a key that a map does not have yet.
    fn grow(&mut self, key: &str) -> Option<&mut dyn Record>;
}

impl<T: Record + Default> Grow for Vec<T> {
    fn grow(&mut self, _: &str) -> Option<&mut dyn Record> {
        self.push(T::default());
        let new: &mut dyn Record = self.last_mut()?;
        Some(new)
    }
}

impl<T: Record + Default> Grow for Map<T> {
    fn grow(&mut self, key: &str) -> Option<&mut dyn Record> {
        if self.contains_key(key) {
            return None;
        }
        self.insert(key.into(), T::default());
        let new: &mut dyn Record = self.get_mut(key)?;
        Some(new)
    }
}

/// Reads a value of a list or of a map.
fn read_new(place: &mut dyn Grow, json: &Json, key: &str) -> Result<(), Misfit> {
    let new = place.grow(key).ok_or_else(|| Misfit::new("each key once", &key.into()))?;
    new.read(json).map_err(|misfit| misfit.within(key))
}

/// Reads the items of a list.
fn read_items(place: &mut dyn Grow, json: &Json) -> Result<(), Misfit> {
    let items = json.as_list().ok_or_else(|| Misfit::new("a list", json))?;
    let mut whole = Ok(());
    for (at, item) in items.iter().enumerate() {
        Misfit::join(&mut whole, read_new(place, item, &Json::from(at).to_json()));
    }
    whole
}

/// Reads the values of an object.
fn read_values(place: &mut dyn Grow, json: &Json) -> Result<(), Misfit> {
    let Json::Object(fields) = json else { return Err(Misfit::new("an object", json)) };
    let mut whole = Ok(());
    for (key, value) in fields {
        Misfit::join(&mut whole, read_new(place, value, key));
    }
    whole
}

/// Writes the value of a key.
#[inline(never)]
fn write_within(value: &dyn Write, key: &str, fields: &mut Vec<(String, Json)>) {
    fields.push((key.into(), value.write()));
}

/// Writes an item of a list.
#[inline(never)]
fn write_item(value: &dyn Write, items: &mut Vec<Json>) {
    items.push(value.write());
}

/// Puts a value into its place, if there is one.
fn put<T>(place: &mut T, value: Option<T>, expected: &str, found: &Json) -> Result<(), Misfit> {
    *place = value.ok_or_else(|| Misfit::new(expected, found))?;
    Ok(())
}

impl Write for String {
    fn write(&self) -> Json {
        self.into()
    }
}

impl Record for String {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        put(self, json.as_text().map(Into::into), "text", json)
    }
}

impl Write for Arc<str> {
    fn write(&self) -> Json {
        (&**self).into()
    }
}

impl Record for Arc<str> {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        put(self, json.as_text().map(Into::into), "text", json)
    }
}

impl Write for &str {
    fn write(&self) -> Json {
        (*self).into()
    }
}

impl Write for usize {
    fn write(&self) -> Json {
        (*self).into()
    }
}

impl Write for bool {
    fn write(&self) -> Json {
        (*self).into()
    }
}

impl Record for bool {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        put(
            self,
            if let Json::Bool(flag) = json { Some(*flag) } else { None },
            "true or false",
            json,
        )
    }
}

impl Write for u64 {
    fn write(&self) -> Json {
        (*self).into()
    }
}

impl Record for u64 {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        put(self, json.as_u64(), "an integer from 0", json)
    }
}

impl Write for i64 {
    fn write(&self) -> Json {
        (*self).into()
    }
}

impl Record for i64 {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        put(
            self,
            if let Json::Number(digits) = json { of_signed(digits) } else { None },
            "an integer",
            json,
        )
    }
}

/// A number of the chain: decimal text.
impl Write for U256 {
    fn write(&self) -> Json {
        decimal(*self).into()
    }
}

impl Record for U256 {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        put(self, json.as_text().and_then(of_decimal), "a text of decimal digits", json)
    }
}

impl Write for Json {
    fn write(&self) -> Json {
        self.clone()
    }
}

impl Record for Json {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        *self = json.clone();
        Ok(())
    }
}

impl<T: Write> Write for Option<T> {
    fn write(&self) -> Json {
        self.as_ref().map_or(Json::Null, Write::write)
    }
}

impl<T: Record + Default> Record for Option<T> {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        *self = None;
        if *json == Json::Null { Ok(()) } else { self.insert(T::default()).read(json) }
    }

    fn is_optional(&self) -> bool {
        true
    }
}

impl<T: Write> Write for Vec<T> {
    fn write(&self) -> Json {
        let mut items = Vec::with_capacity(self.len());
        self.iter().for_each(|item| write_item(item, &mut items));
        Json::List(items)
    }
}

impl<T: Record + Default> Record for Vec<T> {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        *self = Self::new();
        read_items(self, json)
    }
}

impl<T: Write> Write for Map<T> {
    fn write(&self) -> Json {
        let mut fields = Vec::new();
        self.iter().for_each(|(name, value)| write_within(value, name, &mut fields));
        Json::Object(fields)
    }
}

impl<T: Record + Default> Record for Map<T> {
    fn read(&mut self, json: &Json) -> Result<(), Misfit> {
        *self = Self::default();
        read_values(self, json)
    }
}

/// A row of a reply: its keys, with spaces between them, and the value of each.
pub(crate) fn row(keys: &str, values: &[&dyn Write]) -> Json {
    debug_assert_eq!(keys.split(' ').count(), values.len(), "{keys}");
    Json::Object(
        keys.split(' ').zip(values).map(|(key, value)| (key.into(), value.write())).collect(),
    )
}

/// Fields as an object: the keys are their names.
pub(crate) fn write_fields(names: &[&str], fields: &[&dyn Write]) -> Json {
    Json::Object(
        names.iter().zip(fields).map(|(name, field)| (camel(name), field.write())).collect(),
    )
}

/// Reads fields of an object. One that is absent stays as it is, if its key may be absent. There is no other key.
pub(crate) fn read_fields(
    json: &Json,
    names: &[&str],
    fields: &mut [&mut dyn Record],
) -> Result<(), Misfit> {
    let Json::Object(found) = json else { return Err(Misfit::new("an object", json)) };
    let mut whole = Ok(());
    for (name, field) in names.iter().zip(fields) {
        let key = camel(name);
        let part = match json.get(&key) {
            Some(value) => field::read(*field, value, name),
            None if field.is_optional() => Ok(()),
            None => Err(Misfit::said(IssueCode::Missing, &["expected a value, found nothing"])),
        };
        Misfit::join(&mut whole, part.map_err(|misfit| misfit.within(&key)));
    }
    for (key, _) in found.iter().filter(|(key, _)| names.iter().all(|name| camel(name) != *key)) {
        let unknown = Misfit::said(IssueCode::Unknown, &["expected no such key, found one"]);
        Misfit::join(&mut whole, Err(unknown.within(cut(key))));
    }
    whole
}

/// The place of a word in a list of words.
pub(crate) fn read_word(json: &Json, words: &[&str]) -> Result<usize, Misfit> {
    let place = json.as_text().and_then(|text| words.iter().position(|word| *word == text));
    place.ok_or_else(|| Misfit::new(&joined(words, " or "), json))
}

/// A field's name as a key: `open_orders` as `openOrders`.
pub(crate) fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let mut key = String::from(parts.next().unwrap_or_default());
    for part in parts {
        let mut chars = part.chars();
        key.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        key.push_str(chars.as_str());
    }
    key
}

/// The struct, and its reading and writing: the keys are the names of its fields.
macro_rules! record {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        $visibility struct $name {
            $($(#[$doc])* pub(crate) $field: $type,)*
        }

        impl $crate::record::Write for $name {
            fn write(&self) -> $crate::Json {
                $crate::record::write_fields(&[$(stringify!($field)),*], &[$(&self.$field),*])
            }
        }

        impl $crate::record::Record for $name {
            fn read(&mut self, json: &$crate::Json) -> Result<(), $crate::misfit::Misfit> {
                $crate::record::read_fields(json, &[$(stringify!($field)),*], &mut [$(&mut self.$field),*])
            }
        }
    };
}

/// An enum of words, the default first.
macro_rules! words {
    ($(#[$meta:meta])* $visibility:vis enum $name:ident {
        $(#[$first_doc:meta])* $first:ident = $first_text:literal,
        $($(#[$doc:meta])* $variant:ident = $text:literal,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $name {
            #[default]
            $(#[$first_doc])* $first,
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All values.
            pub(crate) const ALL: &[Self] = &[Self::$first, $(Self::$variant),*];

            /// Their words.
            const WORDS: &[&str] = &[$first_text, $($text),*];

            /// The word.
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    Self::$first => $first_text,
                    $(Self::$variant => $text,)*
                }
            }
        }

        impl $crate::record::Write for $name {
            fn write(&self) -> $crate::Json {
                self.as_str().into()
            }
        }

        impl $crate::record::Record for $name {
            fn read(&mut self, json: &$crate::Json) -> Result<(), $crate::misfit::Misfit> {
                let place = $crate::record::read_word(json, Self::WORDS)?;
                *self = Self::ALL.get(place).copied().unwrap_or_default();
                Ok(())
            }
        }
    };
}

pub(crate) use {record, words};
