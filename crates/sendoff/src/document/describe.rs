//! The description of a document, and everything that follows from it.

/// A document: the struct, its table, its place in other documents, serde and its schema, from one definition. A macro,
/// because a row becomes a field.
///
/// Each row is a field, with its key in JSON, its name and type in Rust and its sentence:
///
/// - `"key" => pub field: Type,` is required. `Option<Type>` may be absent.
/// - `"key" => pub field: Type = default,` has this value where it is absent.
/// - `"key" => pub field: Type => row,` is read as this row says;
/// - `"key" => pub field: u32 in Count,` is an integer within the bounds of another type;
/// - `"key" => pub field: Intent as "type",` is the details of an intent, whose type is at the key `type`;
/// - `"type" => kind of field,` is that type.
/// - `flatten pub field: Option<Type>,` are the fields of another document, all here or none.
///
/// `details of "TYPE"` names the type of an intent whose details the document is. `checked by rule` names a function that
/// checks the parts that could be read, and pushes an issue if fields together break a rule. `refined by refine` names one
/// that adds to the schema what the rows cannot express. A document that is an `open reply` ignores other fields in all its
/// parts, and its schema allows them; an `open part` occurs only in replies, and an `open alone` ignores other fields itself.
macro_rules! document {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis struct $name:ident: $expected:literal
            $(, open $open:ident)? $(, details of $tag:literal)? $(, checked by $check:path)? $(, refined by $refine:path)?
        {
            $($rows:tt)*
        }
    ) => {
        $crate::document::document! {
            @rows
            { [$($doc)*] [$($($derive)*)?] [$vis] $name $expected [$($open)?] [$($tag)?] [$($check)?] [$($refine)?] }
            {} {} {}
            $($rows)*
        }
    };

    // Each row goes to three lists: the fields of the struct, how they are made of values, and the
    // rows of the table.
    (
        @rows $head:tt { $($fields:tt)* } { $($made:tt)* } { $($table:tt)* }
        $(#[doc = $doc:literal])* $key:literal => kind of $field:ident, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* }
            { $($made)* }
            { $($table)* { kind $field $key (()) () [$($doc)*] } }
            $($rest)*
        }
    };
    (
        @rows $head:tt { $($fields:tt)* } { $($made:tt)* } { $($table:tt)* }
        $(#[doc = $doc:literal])* flatten $vis:vis $field:ident: Option<$type:ty>, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* $(#[doc = $doc])* $vis $field: Option<$type>, }
            { $($made)* { field $field Option<$type> } }
            { $($table)* { group $field "" ($type) () [$($doc)*] } }
            $($rest)*
        }
    };
    (
        @rows $head:tt { $($fields:tt)* } { $($made:tt)* } { $($table:tt)* }
        $(#[doc = $doc:literal])* $key:literal => $vis:vis $field:ident: $type:ty as $tag:literal, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* $(#[doc = $doc])* $vis $field: $type, }
            { $($made)* { details $field $type } }
            { $($table)* { details $field $key ($type) ($tag) [$($doc)*] } }
            $($rest)*
        }
    };
    (
        @rows $head:tt { $($fields:tt)* } { $($made:tt)* } { $($table:tt)* }
        $(#[doc = $doc:literal])* $key:literal => $vis:vis $field:ident: $type:ty = $default:expr, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* $(#[doc = $doc])* $vis $field: $type, }
            { $($made)* { field $field $type } }
            { $($table)* { default $field $key ($type) ($default) [$($doc)*] } }
            $($rest)*
        }
    };
    (
        @rows $head:tt { $($fields:tt)* } { $($made:tt)* } { $($table:tt)* }
        $(#[doc = $doc:literal])* $key:literal => $vis:vis $field:ident: $type:ty => $row:expr, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* $(#[doc = $doc])* $vis $field: $type, }
            { $($made)* { field $field $type } }
            { $($table)* { row $field $key ($type) ($row) [$($doc)*] } }
            $($rest)*
        }
    };
    (
        @rows $head:tt { $($fields:tt)* } { $($made:tt)* } { $($table:tt)* }
        $(#[doc = $doc:literal])* $key:literal => $vis:vis $field:ident: $type:ident in $number:ty, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* $(#[doc = $doc])* $vis $field: $type, }
            { $($made)* { number $field $type } }
            { $($table)* { number $field $key ($type) ($number) [$($doc)*] } }
            $($rest)*
        }
    };
    (
        @rows $head:tt { $($fields:tt)* } { $($made:tt)* } { $($table:tt)* }
        $(#[doc = $doc:literal])* $key:literal => $vis:vis $field:ident: $type:ty, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* $(#[doc = $doc])* $vis $field: $type, }
            { $($made)* { field $field $type } }
            { $($table)* { field $field $key ($type) () [$($doc)*] } }
            $($rest)*
        }
    };

    // All rows are in their lists.
    (
        @rows
        {
            [$($doc:literal)*] [$($derive:ident)*] [$vis:vis] $name:ident $expected:literal
            [$($open:ident)?] [$($tag:literal)?] [$($check:path)?] [$($refine:path)?]
        }
        { $($fields:tt)* }
        { $({ $made:ident $made_field:ident $made_type:ty })* }
        { $({ $how:ident $field:ident $key:literal ($type:ty) ($($extra:tt)*) [$($field_doc:literal)*] })* }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, $($derive),*)]
        $vis struct $name {
            $($fields)*
        }

        const _: () = {
            use $crate::document::{Is, Row, Table, Typed, Value, Valued};

            static TABLE: Table = Table {
                tag: concat!($($tag)?),
                expected: $expected,
                rows: &[$($crate::document::document!(
                    @row $how $key ($type) ($($extra)*) concat!($($field_doc, "\n"),*)
                )),*],
                others: $crate::document::document!(@others $($open)?),
                check: $crate::document::document!(@check $($check)?),
                ..Table::of::<$name>(concat!($($doc, "\n"),*))
            };

            impl $name {
                pub(crate) const TABLE: &'static Table = &TABLE;
            }

            impl Valued for $name {
                const IS: Is = Is::Record(Self::TABLE);

                fn into_value(self) -> Value {
                    Value::Record(alloc::vec![$($crate::document::document!(@value $how self $field)),*], &TABLE)
                }
            }

            impl Typed for $name {
                fn of_value(value: &Value) -> Option<Self> {
                    let mut fields = $crate::document::Fields::of(value);
                    Some(Self { $($made_field: $crate::document::document!(@of $made ($made_type) fields)),* })
                }
            }
        };

        impl $crate::document::Found for $name {
            const KINDS: &'static [$crate::document::Is] = &[$crate::document::Is::Record(Self::TABLE)];

            type Out<'v> = $crate::document::Parts<'v, Self>;

            fn found(value: &$crate::document::Value) -> Option<$crate::document::Parts<'_, Self>> {
                value.as_record().map($crate::document::Parts::of)
            }
        }

        impl $crate::document::Document for $name {
            const TABLES: &'static [&'static $crate::document::Table] = &[Self::TABLE];
        }

        impl $name {
            /// Writes the fields into an open object.
            pub(crate) fn write_fields(&self, out: &mut alloc::vec::Vec<u8>) {
                $($crate::document::document!(@write $how $key self $field out);)*
            }
        }

        impl $crate::document::Write for $name {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                out.push(b'{');
                self.write_fields(out);
                out.push(b'}');
            }
        }

        $crate::document::traits!($name: read, serialize, schema(|generator| {
            let schema = Self::TABLE.schema(generator);
            $(let schema = $refine(schema);)?
            schema
        }));
    };

    // One kind of row at a time.
    (@row kind $key:literal $type:tt () $doc:expr) => { Row::plain($key, Is::Tag, $doc) };
    (@row details $key:literal ($type:ty) ($tag:literal) $doc:expr) => {
        Row::plain($key, Is::Details(<$type>::UNION), $doc)
    };
    (@row group $key:literal ($type:ty) () $doc:expr) => {
        Row::plain($key, Is::Group(<$type>::TABLE), $doc).present($crate::document::Presence::Optional)
    };
    (@row default $key:literal ($type:ty) ($default:expr) $doc:expr) => {
        Row::of::<$type>($key, $doc)
            .present($crate::document::Presence::Default(|| <$type as Valued>::into_value($default)))
    };
    (@row row $key:literal $type:tt ($row:expr) $doc:expr) => {
        Row { key: $key, said: $crate::document::schema::Said::new($doc), ..$row }
    };
    (@row number $key:literal ($type:ty) ($number:ty) $doc:expr) => { Row::of::<$number>($key, $doc) };
    (@row field $key:literal ($type:ty) () $doc:expr) => { Row::of::<$type>($key, $doc) };

    (@of details ($type:ty) $fields:ident) => { <$type>::of_details($fields.take())? };
    (@of number ($type:ty) $fields:ident) => { $crate::document::narrow($fields.take())? };
    (@of field ($type:ty) $fields:ident) => { <$type as Typed>::of_value($fields.take())? };

    (@value kind $self:ident $field:ident) => { Value::Keyword($self.$field.kind().as_str()) };
    (@value number $self:ident $field:ident) => { $crate::document::widen($self.$field) };
    (@value details $self:ident $field:ident) => { $self.$field.into_details() };
    (@value $how:ident $self:ident $field:ident) => { Valued::into_value($self.$field) };

    (@write kind $key:literal $self:ident $field:ident $out:ident) => {
        $crate::document::write_field($key, &$self.$field.kind(), $out)
    };
    (@write group $key:literal $self:ident $field:ident $out:ident) => {
        $self.$field.iter().for_each(|group| group.write_fields($out))
    };
    (@write details $key:literal $self:ident $field:ident $out:ident) => {
        $crate::document::write_key($key, $out);
        $self.$field.write_details($out)
    };
    (@write $how:ident $key:literal $self:ident $field:ident $out:ident) => {
        $crate::document::write_field($key, &$self.$field, $out)
    };

    (@others) => { $crate::document::Others::Refused };
    (@others alone) => { $crate::document::Others::Ignored };
    (@others part) => { $crate::document::Others::RefusedAlone };
    (@others reply) => { $crate::document::Others::IgnoredWithin };

    (@check) => { None };
    (@check $check:path) => {
        Some(|parts, at, issues| $check($crate::document::Parts::of(parts), at, issues))
    };
}
pub(crate) use document;

/// Implements traits of other crates for a type. They need a macro, because no crate may implement them for all of its types at
/// once. The parts are:
///
/// - `text`: writing of a kind of text as JSON, and `debug`: `Debug` with its text;
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
    (@text $type:ident) => {
        impl $crate::document::Write for $type {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                $crate::value::WriteText::quote(self, out);
            }
        }

        impl $crate::document::Valued for $type {
            const IS: $crate::document::Is = <Self as $crate::value::Text>::IS;

            fn into_value(self) -> $crate::document::Value {
                $crate::value::Text::into_leaf(self)
            }
        }

        impl $crate::document::Typed for $type {
            fn of_value(value: &$crate::document::Value) -> Option<Self> {
                $crate::value::Text::of_leaf(value)
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
    (@meaning $type:ident |$value:pat_param| $meaning:expr) => {
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.cmp(other).is_eq()
            }
        }

        impl Eq for $type {}

        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $type {
            fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                let $value = self;
                let mine = $meaning;
                let $value = other;
                mine.cmp(&$meaning)
            }
        }

        impl core::hash::Hash for $type {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                let $value = self;
                $meaning.hash(state);
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
