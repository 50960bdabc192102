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
            use $crate::document::{Fields, Is, Row, Table, Typed, Value, Valued, document};

            static TABLE: Table = Table {
                $(tag: $tag,)?
                expected: $expected,
                rows: &[$(
                    $(Row::plain($tag_key, Is::Tag, ""),)?
                    document!(@row $key ($type) $([= $default])? $([as $kind])? $([=> $row])?, concat!($($field_doc, "\n"),*)),
                )*],
                $(others: $crate::document::Others::$open,)?
                $(check: Some(|parts, at, issues| $check($crate::document::Parts::of(parts), at, issues)),)?
                ..Table::of::<$name>(concat!($($doc, "\n"),*))
            };

            impl $name {
                pub(crate) const TABLE: &'static Table = &TABLE;
            }

            impl Valued for $name {
                const IS: Is = Is::Record(Self::TABLE);
                $(const LIST: &'static str = $list;)?

                #[inline(never)]
                fn to_value(&self) -> Value {
                    let values = alloc::vec![$(
                        $(Value::Keyword(self.$of.kind().as_str()),)?
                        document!(@value self.$field $([as $kind])?),
                    )*];
                    Value::Record(values, &TABLE)
                }
            }

            impl Typed for $name {
                #[inline(never)]
                fn of_value(value: &Value) -> Option<Self> {
                    let mut fields = Fields::of(value);
                    Some(Self { $($field: document!(@of fields $type $(, $kind)?),)* })
                }
            }
        };

        impl $crate::document::Document for $name {
            const TABLES: &'static [&'static $crate::document::Table] = &[Self::TABLE];
        }

        impl $crate::document::Write for $name {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                out.push(b'{');
                self.write_fields(out);
                out.push(b'}');
            }

            #[inline(never)]
            fn write_fields(&self, out: &mut alloc::vec::Vec<u8>) {
                use $crate::document::{document, write_field};

                $(
                    $(write_field($tag_key, &self.$of.kind(), out);)?
                    write_field($key, document!(@written self.$field $([as $kind])?), out);
                )*
            }
        }

        $crate::document::document!(@text $name $($own)?);
        $crate::document::traits!($name: serialize, schema(|generator| {
            let schema = Self::TABLE.schema(generator);
            $(let schema = $refine(schema);)?
            schema
        }));
    };

    // A row, by what is behind its type.
    (@text $name:ident) => { $crate::document::traits!($name: read); };
    (@text $name:ident nobody) => {};
    (@text $name:ident hand) => { $crate::document::traits!($name: deserialize); };

    (@row $key:literal ($type:ty), $doc:expr) => { Row::of::<$type>($key, $doc) };
    (@row $key:literal ($type:ty) [= $default:expr], $doc:expr) => {
        Row::of::<$type>($key, $doc)
            .present($crate::document::Presence::Default(|| <$type as Valued>::into_value($default)))
    };
    (@row $key:literal ($type:ty) [as details], $doc:expr) => {
        Row::plain($key, Is::Details(<$type>::UNION), $doc)
    };
    (@row $key:literal ($type:ty) [as nullable], $doc:expr) => {
        Row { is: Is::Nullable(&<$type as Valued>::IS), ..Row::of::<$type>($key, $doc).present($crate::document::Presence::Required) }
    };
    (@row $key:literal ($type:ty) [=> $row:expr], $doc:expr) => { Row { key: $key, ..$row }.about($doc) };

    // How a field is made of the next value, what its value is, and what is written.
    (@of $fields:ident $type:ty, details) => { <$type>::of_details($fields.take())? };
    (@of $fields:ident $type:ty $(, $kind:ident)?) => { <$type as Typed>::of_value($fields.take())? };
    (@value $self:ident.$field:ident [as details]) => { $self.$field.to_details() };
    (@value $self:ident.$field:ident $([as $kind:ident])?) => { $self.$field.to_value() };
    (@written $self:ident.$field:ident) => { &$self.$field };
    (@written $self:ident.$field:ident [as nullable]) => { &$crate::document::Nullable($self.$field.as_ref()) };
    (@written $self:ident.$field:ident [as details]) => { $self.$field.details() };
}
pub(crate) use document;

/// Implements traits of other crates for a type. They need a macro, because no crate may implement them for all of its types at
/// once. The parts are:
///
/// - `text`: a kind of text in documents; `leaf`: one that has a variant of [`Value`](super::Value); `quoted`: its writing alone;
/// - `debug`: `Debug` with its text; `free`: writing of free text in a field `text`;
/// - `read`: `FromStr`, `Display` and serde's `Deserialize`, by the one reader and writer; `deserialize`: the last alone;
/// - `serialize`: serde's `Serialize` by the value, and `write`, the same for JSON;
/// - `schema`: the schema, which follows from what the type is unless it is given;
/// - `meaning`: equality, order and hash by the meaning of a value, which keeps its spelling beside it.
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
    (@free $type:ident) => {
        impl $crate::value::WriteText for $type {
            fn write_text(&self, out: &mut alloc::vec::Vec<u8>) {
                out.extend_from_slice(self.text.as_bytes());
            }

            fn quote(&self, out: &mut alloc::vec::Vec<u8>) {
                $crate::document::escape(&self.text, out);
            }
        }

        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                &self.text
            }
        }
    };
    (@quoted $type:ident) => {
        impl $crate::document::Write for $type {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                $crate::value::WriteText::quote(self, out);
            }
        }
    };
    (@text $type:ident) => {
        $crate::document::traits!(@quoted $type);

        impl $crate::document::Valued for $type {
            const IS: $crate::document::Is = $crate::document::Is::Text(<Self as $crate::value::Text>::PARSED);

            fn to_value(&self) -> $crate::document::Value {
                $crate::document::Value::Text($crate::value::WriteText::to_text(self).into())
            }
        }

        impl $crate::document::Typed for $type {
            fn of_value(value: &$crate::document::Value) -> Option<Self> {
                if let $crate::document::Value::Text(text) = value { $crate::value::Text::parse(text).ok() } else { None }
            }
        }
    };
    (@leaf $type:ident) => {
        $crate::document::traits!(@quoted $type);

        impl $crate::document::Valued for $type {
            const IS: $crate::document::Is = $crate::document::Is::Text(<Self as $crate::value::Text>::PARSED);

            fn to_value(&self) -> $crate::document::Value {
                self.clone().into_value()
            }

            fn into_value(self) -> $crate::document::Value {
                $crate::document::Value::$type(self.into())
            }
        }

        impl $crate::document::Typed for $type {
            fn of_value(value: &$crate::document::Value) -> Option<Self> {
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

        impl From<&$type> for alloc::string::String {
            /// Writes the same text as `Display`, without the machinery of formatting.
            fn from(value: &$type) -> Self {
                $crate::document::Typed::to_text_alone(value)
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
    (@write $type:ident) => {
        impl $crate::document::Write for $type {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                $crate::document::Valued::to_value(self).write(out);
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

            fn schema_id() -> alloc::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($type)).into()
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}
pub(crate) use traits;
