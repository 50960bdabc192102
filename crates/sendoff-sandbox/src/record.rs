//! Records of the state: how each becomes JSON, and is read again.

use alloc::{string::String, vec::Vec};

use sendoff::primitive_types::U256;

use crate::Json;
use crate::map::Map;

/// A part of the state.
pub(crate) trait Record {
    fn write(&self) -> Json;

    /// Becomes what was written. Returns `false` for a value of another form.
    fn read(&mut self, json: &Json) -> bool;

    /// `true` if its key may be absent.
    fn is_optional(&self) -> bool {
        false
    }
}

/// A part of the state from JSON.
fn read<T: Record + Default>(json: &Json) -> Option<T> {
    let mut value = T::default();
    value.read(json).then_some(value)
}

/// Puts a value into its place, if there is one.
fn put<T>(place: &mut T, value: Option<T>) -> bool {
    value.map(|value| *place = value).is_some()
}

impl Record for String {
    fn write(&self) -> Json {
        self.into()
    }

    fn read(&mut self, json: &Json) -> bool {
        put(self, json.as_text().map(Into::into))
    }
}

impl Record for bool {
    fn write(&self) -> Json {
        (*self).into()
    }

    fn read(&mut self, json: &Json) -> bool {
        put(self, if let Json::Bool(flag) = json { Some(*flag) } else { None })
    }
}

impl Record for u64 {
    fn write(&self) -> Json {
        (*self).into()
    }

    fn read(&mut self, json: &Json) -> bool {
        put(self, json.as_u64())
    }
}

impl Record for i64 {
    fn write(&self) -> Json {
        (*self).into()
    }

    fn read(&mut self, json: &Json) -> bool {
        put(self, if let Json::Number(digits) = json { digits.parse().ok() } else { None })
    }
}

/// A number of the chain: decimal text.
impl Record for U256 {
    fn write(&self) -> Json {
        decimal(*self).into()
    }

    fn read(&mut self, json: &Json) -> bool {
        let digits = json.as_text().unwrap_or_default();
        let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        put(self, Self::from_dec_str(digits).ok().filter(|_| is_number))
    }
}

impl Record for Json {
    fn write(&self) -> Json {
        self.clone()
    }

    fn read(&mut self, json: &Json) -> bool {
        put(self, Some(json.clone()))
    }
}

impl<T: Record + Default> Record for Option<T> {
    fn write(&self) -> Json {
        self.as_ref().map_or(Json::Null, Record::write)
    }

    fn read(&mut self, json: &Json) -> bool {
        put(self, if *json == Json::Null { Some(None) } else { read(json).map(Some) })
    }

    fn is_optional(&self) -> bool {
        true
    }
}

impl<T: Record + Default> Record for Vec<T> {
    fn write(&self) -> Json {
        Json::List(self.iter().map(Record::write).collect())
    }

    fn read(&mut self, json: &Json) -> bool {
        self.clear();
        let Some(items) = json.as_list() else { return false };
        items.iter().all(|item| read(item).map(|item| self.push(item)).is_some())
    }
}

impl<T: Record + Default> Record for Map<T> {
    fn write(&self) -> Json {
        Json::Object(self.iter().map(|(name, value)| (name.into(), value.write())).collect())
    }

    fn read(&mut self, json: &Json) -> bool {
        let Json::Object(fields) = json else { return false };
        *self = Self::default();
        fields.iter().all(|(name, value)| read(value).map(|value| self.insert(name.clone(), value)).is_some())
    }
}

/// Fields as an object: the keys are their names.
pub(crate) fn write_fields(names: &[&str], fields: &[&dyn Record]) -> Json {
    Json::Object(names.iter().zip(fields).map(|(name, field)| (camel(name), field.write())).collect())
}

/// Reads fields of an object. One that is absent stays as it is, if its key may be absent.
pub(crate) fn read_fields(json: &Json, names: &[&str], fields: &mut [&mut dyn Record]) -> bool {
    matches!(json, Json::Object(_))
        && names.iter().zip(fields).all(|(name, field)| match json.get(&camel(name)) {
            Some(value) => field.read(value),
            None => field.is_optional(),
        })
}

/// A number in decimal digits.
pub(crate) fn decimal(number: U256) -> String {
    alloc::string::ToString::to_string(&number)
}

/// A number as a quantity of Ethereum's JSON-RPC.
pub(crate) fn quantity(number: U256) -> String {
    alloc::string::ToString::to_string(&sendoff::value::Quantity::from(number))
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

        impl $crate::record::Record for $name {
            fn write(&self) -> $crate::Json {
                $crate::record::write_fields(&[$(stringify!($field)),*], &[$(&self.$field),*])
            }

            fn read(&mut self, json: &$crate::Json) -> bool {
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

            /// The word.
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    Self::$first => $first_text,
                    $(Self::$variant => $text,)*
                }
            }

            /// The value of a word.
            pub(crate) fn find(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word)
            }
        }

        impl $crate::record::Record for $name {
            fn write(&self) -> $crate::Json {
                self.as_str().into()
            }

            fn read(&mut self, json: &$crate::Json) -> bool {
                let found = json.as_text().and_then(Self::find);
                found.map(|value| *self = value).is_some()
            }
        }
    };
}

pub(crate) use {record, words};
