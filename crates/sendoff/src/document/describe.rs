//! The description of a document, and everything that follows from it.

/// A document: the struct, its table, its place in other documents, serde and its schema, from one definition. A macro,
/// because a row becomes a field.
///
/// Each row is a field, with its key in JSON, its name and type in Rust and its sentence:
///
/// - `"key" => pub field: Type,` is required. `Option<Type>` may be absent.
/// - `"key" => pub field: Type = default,` has this value where it is absent.
/// - `"key" => pub field: Type => row,` is read as this row says; the key of a [group](Row::group) is empty.
/// - `"key" => pub field: Option<Type> as nullable,` is null where it is `None`.
/// - `"key" => pub field: Intent as details,` is the details of an intent;
/// - `@kind "type" of field,` is the type of the intent in this field, before the row of another field.
///
/// `displayed by hand` leaves out `Display` and `FromStr`; `displayed by nobody` is an answer, which is
/// written and never read. `listed as` gives the words for what is expected in the place of a list of
/// them. `details of "TYPE"` names the type of an intent whose details the document is. `checked by rule` names a function that
/// checks the parts that could be read, and pushes an issue if fields together break a rule. `refined by refine` names one
/// that adds to the schema what the rows cannot express. `open` says what other fields are ([`Others`](super::Others)), which
/// are refused without it.
macro_rules! document {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis struct $name:ident: $expected:literal
            $(, open $open:ident)? $(, displayed by $own:ident)? $(, listed as $list:literal)? $(, details of $tag:literal)? $(, checked by $check:path)? $(, refined by $refine:path)?
        {
            $(
                $(@kind $tag_key:literal of $of:ident,)?
                $(#[doc = $field_doc:literal])*
                $key:literal => $field_vis:vis $field:ident: $type:ty $(as $kind:ident)? $(= $default:expr)? $(=> $row:expr)?,
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, $($($derive),*)?)]
        $vis struct $name {
            $($(#[doc = $field_doc])* $field_vis $field: $type,)*
        }

        // What is made of each field is a function of its own: copies of them in their callers are a hundredth of a module.
        const _: () = {
            use $crate::document::{Fields, Is, Row, Table, Typed, Value, Valued, document, write_field, write_object};

            static TABLE: Table = Table {
                $(tag: $tag,)?
                expected: $expected,
                rows: &[$(
                    $(Row::plain($tag_key, Is::Tag, ""),)?
                    Row::of::<$type>($key, "")$(.or(|| <$type as Valued>::into_value($default)))?$(.$kind::<$type>())?$(.like($row))?
                        .about(concat!($($field_doc, "\n"),*)),
                )*],
                $(others: $crate::document::Others::$open,)?
                $(check: Some(|parts, at, issues| $check($crate::document::Parts::of(parts), at, issues)),)?
                ..Table::of::<$name>(concat!($($doc, "\n"),*))
            };

            impl Valued for $name {
                const IS: Is = Is::Record(&TABLE);
                $(const LIST: &'static str = $list;)?

                #[inline(never)]
                fn to_value(&self) -> Value {
                    TABLE.record(alloc::vec![$($(self.$of.kind().to_value(),)? self.$field.to_value(),)*])
                }

                fn write_json(&self, out: &mut alloc::vec::Vec<u8>) {
                    write_object(self, out);
                }

                #[inline(never)]
                fn write_fields(&self, out: &mut alloc::vec::Vec<u8>) {
                    $(
                        $(write_field($tag_key, &self.$of.kind(), out);)?
                        document!(@written self.$field $key $($kind)?, out);
                    )*
                }
            }

            impl Typed for $name {
                #[inline(never)]
                fn of_value(value: &Value) -> Option<Self> {
                    let mut fields = Fields::of(value);
                    Some(Self { $($field: fields.next()?,)* })
                }
            }
        };

        $crate::document::document!(@text $name $($own)?);
        $crate::document::traits!($name: serialize, schema(|generator| {
            $($refine)?(<Self as $crate::document::Valued>::TABLE.schema(generator))
        }));
    };
    (@written $self:ident.$field:ident $key:literal, $out:ident) => { write_field($key, &$self.$field, $out) };
    (@written $self:ident.$field:ident $key:literal $kind:ident, $out:ident) => { $crate::document::write_as::$kind($key, &$self.$field, $out) };
    (@text $name:ident) => { $crate::document::traits!($name: read); };
    (@text $name:ident nobody) => {};
    (@text $name:ident hand) => { $crate::document::traits!($name: deserialize); };
}
pub(crate) use document;

/// Implements traits of other crates for a type. They need a macro, because no crate may implement them for all of its types at
/// once. The parts are:
///
/// - `debug`: `Debug` with its text; `leaf`: a kind of text that has a variant of [`Value`](super::Value);
/// - `read`: `FromStr`, `Display` and serde's `Deserialize`, by the one reader and writer; `deserialize`: the last alone;
/// - `serialize`: serde's `Serialize` by the value;
/// - `schema`: the schema, which follows from what the type is unless it is given.
macro_rules! traits {
    ($type:ident: $($part:ident $((|$generator:pat_param| $schema:expr))?),* $(,)?) => {
        $($crate::document::traits!(@$part $type $(|$generator| $schema)?);)*
    };
    (@debug $type:ident) => {
        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}({self})", stringify!($type))
            }
        }
    };
    (@leaf $type:ident) => {
        impl $crate::document::Leaf for $type {
            fn into_leaf(self) -> $crate::document::Value {
                $crate::document::Value::$type(self.into())
            }

            fn of_leaf(value: &$crate::document::Value) -> Option<Self> {
                if let $crate::document::Value::$type(value) = value { Some(Self::clone(value)) } else { None }
            }
        }
    };
    (@read $type:ident) => {
        impl core::str::FromStr for $type {
            type Err = $crate::error::Error;

            /// Reads the text, JSON for a document; every problem of it is in the error.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::document::Typed::of_text_alone(text)
            }
        }

        impl core::fmt::Display for $type {
            /// Writes the text, compact JSON for a document.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(&$crate::document::Typed::to_text_alone(self))
            }
        }

        $crate::document::traits!(@deserialize $type);
    };
    (@deserialize $type:ident) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::document::deserialize(deserializer)
            }
        }
    };
    (@serialize $type:ident) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::document::Valued::to_value(self).serialize(serializer)
            }
        }
    };
    (@schema $type:ident) => {
        $crate::document::traits!(@schema $type |generator| <$type as $crate::document::Valued>::IS.schema(generator));
    };
    (@schema $type:ident |$generator:pat_param| $schema:expr) => {
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $type {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}
pub(crate) use traits;
