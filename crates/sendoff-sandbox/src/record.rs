//! Records of the state: how each becomes JSON, and is read again.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use sendoff::primitive_types::U256;

use crate::Json;

/// A part of the state.
pub(crate) trait Record: Sized {
    fn write(&self) -> Json;
    fn read(json: &Json) -> Option<Self>;

    /// The value of a key that is absent.
    fn absent() -> Option<Self> {
        None
    }
}

impl Record for String {
    fn write(&self) -> Json {
        self.into()
    }

    fn read(json: &Json) -> Option<Self> {
        json.as_text().map(Into::into)
    }
}

impl Record for bool {
    fn write(&self) -> Json {
        (*self).into()
    }

    fn read(json: &Json) -> Option<Self> {
        if let Json::Bool(flag) = json { Some(*flag) } else { None }
    }
}

impl Record for u64 {
    fn write(&self) -> Json {
        (*self).into()
    }

    fn read(json: &Json) -> Option<Self> {
        json.as_u64()
    }
}

impl Record for i64 {
    fn write(&self) -> Json {
        (*self).into()
    }

    fn read(json: &Json) -> Option<Self> {
        if let Json::Number(digits) = json { digits.parse().ok() } else { None }
    }
}

/// A number of the chain: decimal text.
impl Record for U256 {
    fn write(&self) -> Json {
        decimal(*self).into()
    }

    fn read(json: &Json) -> Option<Self> {
        let digits = json.as_text()?;
        let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        is_number.then(|| Self::from_dec_str(digits).ok())?
    }
}

impl Record for Json {
    fn write(&self) -> Json {
        self.clone()
    }

    fn read(json: &Json) -> Option<Self> {
        Some(json.clone())
    }
}

impl<T: Record> Record for Option<T> {
    fn write(&self) -> Json {
        self.as_ref().map_or(Json::Null, Record::write)
    }

    fn read(json: &Json) -> Option<Self> {
        if *json == Json::Null { Some(None) } else { T::read(json).map(Some) }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Record> Record for Vec<T> {
    fn write(&self) -> Json {
        Json::List(self.iter().map(Record::write).collect())
    }

    fn read(json: &Json) -> Option<Self> {
        json.as_list()?.iter().map(T::read).collect()
    }
}

impl<T: Record> Record for BTreeMap<String, T> {
    fn write(&self) -> Json {
        Json::Object(self.iter().map(|(name, value)| (name.clone(), value.write())).collect())
    }

    fn read(json: &Json) -> Option<Self> {
        let Json::Object(fields) = json else { return None };
        fields.iter().map(|(name, value)| Some((name.clone(), T::read(value)?))).collect()
    }
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
                $crate::Json::Object(alloc::vec![$((
                    $crate::record::camel(stringify!($field)),
                    $crate::record::Record::write(&self.$field),
                )),*])
            }

            fn read(json: &$crate::Json) -> Option<Self> {
                let $crate::Json::Object(_) = json else { return None };
                Some(Self {
                    $($field: match json.get(&$crate::record::camel(stringify!($field))) {
                        Some(value) => $crate::record::Record::read(value)?,
                        None => $crate::record::Record::absent()?,
                    },)*
                })
            }
        }
    };
}

/// An enum of words.
macro_rules! words {
    ($(#[$meta:meta])* $visibility:vis enum $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All values.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word.
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
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

            fn read(json: &$crate::Json) -> Option<Self> {
                Self::find(json.as_text()?)
            }
        }
    };
}

pub(crate) use {record, words};
