//! The description of a document, and everything that follows from it.

/// A document: the struct, its table, its place in other documents, serde and its schema, from one definition.
///
/// Each row is a field, with its key in JSON, its name and type in Rust and its sentence:
///
/// - `"key" => pub field: Type,` is required. `Option<Type>` may be absent.
/// - `"key" => pub field: Type = default,` has this value where it is absent.
/// - `"key" => pub field: Intent as "type",` is the details of an intent, whose type is at the key `type`;
/// - `"type" => kind of field,` is that type.
/// - `flatten pub field: Option<Type>,` are the fields of another document, all here or none.
///
/// `details of "TYPE"` names the type of an intent whose details the document is. `checked by rule` names a function that
/// checks the parts that could be read, and pushes an issue if fields together break a rule. `refined by refine` names one
/// that adds to the schema what the rows cannot express. A document that is an `open reply` ignores other fields in all its
/// parts, and its schema allows them; an `open part` occurs only in replies.
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
        #[derive(Clone, Debug, PartialEq, Eq, Hash, $($derive),*)]
        $vis struct $name {
            $($fields)*
        }

        const _: () = {
            use $crate::document::{Is, Row, Table, Typed, Value};

            static TABLE: Table = Table {
                tag: concat!($($tag)?),
                expected: $expected,
                rows: &[$($crate::document::document!(@row $how $key ($type) ($($extra)*))),*],
                others: $crate::document::document!(@others $($open)?),
                check: $crate::document::document!(@check $($check)?),
            };

            impl $name {
                pub(crate) const TABLE: &'static Table = &TABLE;

                #[cfg(feature = "schema")]
                pub(crate) fn schema_fields(fields: $crate::document::schema::Fields<'_>) -> $crate::document::schema::Fields<'_> {
                    $(let fields = $crate::document::document!(
                        @schema $how fields $key ($type) ($($extra)*) [$($field_doc)*]
                    );)*
                    fields
                }
            }

            impl Typed for $name {
                const IS: Is = Is::Record(Self::TABLE);

                fn of_value(value: Value) -> Option<Self> {
                    let mut fields = value.into_fields()?;
                    Some(Self { $($made_field: $crate::document::document!(@of $made ($made_type) fields)),* })
                }

                fn into_value(self) -> Value {
                    Value::Record(alloc::vec![$($crate::document::document!(@value $how self $field)),*], &TABLE)
                }
            }
        };

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

        $crate::document::schema::of!($name, |generator| {
            let fields = Self::schema_fields($crate::document::schema::Fields::new(generator));
            let schema = $crate::document::document!(@close fields [$($open)?] concat!($($doc, "\n"),*));
            $(let schema = $refine(schema);)?
            schema
        });

        $crate::document::serialized!($name);
        $crate::document::from_document!($name);
    };

    // One kind of row at a time.
    (@row kind $key:literal $type:tt ()) => { Row { key: $key, is: Is::Tag, presence: $crate::document::Presence::Required } };
    (@row details $key:literal ($type:ty) ($tag:literal)) => {
        Row { key: $key, is: Is::Details(<$type>::UNION), presence: $crate::document::Presence::Required }
    };
    (@row group $key:literal ($type:ty) ()) => {
        Row { key: $key, is: Is::Group(<$type>::TABLE), presence: $crate::document::Presence::Optional }
    };
    (@row default $key:literal ($type:ty) ($default:expr)) => {
        Row { key: $key, is: <$type as Typed>::IS, presence: $crate::document::Presence::Default(|| <$type as Typed>::into_value($default)) }
    };
    (@row field $key:literal ($type:ty) ()) => {
        Row { key: $key, is: <$type as Typed>::IS, presence: <$type as Typed>::PRESENCE }
    };

    (@of details ($type:ty) $fields:ident) => { <$type>::of_details($fields.take())? };
    (@of field ($type:ty) $fields:ident) => { <$type as Typed>::of_value($fields.take())? };

    (@value kind $self:ident $field:ident) => { Value::Keyword($self.$field.kind().as_str()) };
    (@value details $self:ident $field:ident) => { $self.$field.into_details() };
    (@value $how:ident $self:ident $field:ident) => { Typed::into_value($self.$field) };

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

    (@schema kind $fields:ident $key:literal $type:tt () $doc:tt) => { $fields };
    (@schema details $fields:ident $key:literal ($type:ty) ($tag:literal) $doc:tt) => {
        $fields.intent(<$type>::forms, $tag, $key)
    };
    (@schema group $fields:ident $key:literal ($type:ty) () $doc:tt) => { $fields.group(<$type>::schema_fields) };
    (@schema default $fields:ident $key:literal ($type:ty) ($default:expr) [$($doc:literal)*]) => {
        $fields.optional::<$type>($key, concat!($($doc, "\n"),*))
    };
    (@schema field $fields:ident $key:literal ($type:ty) () [$($doc:literal)*]) => {
        $fields.read::<$type>($key, concat!($($doc, "\n"),*))
    };

    (@others) => { $crate::document::Others::Refused };
    (@others part) => { $crate::document::Others::Refused };
    (@others reply) => { $crate::document::Others::IgnoredWithin };

    (@check) => { None };
    (@check $check:path) => { Some($check) };

    (@close $fields:ident [] $doc:expr) => { $fields.close($doc) };
    (@close $fields:ident [$open:ident] $doc:expr) => { $fields.open($doc) };
}
pub(crate) use document;

/// Implements `FromStr` from JSON text, `Display` as JSON text, and serde's `Deserialize`, with the type's one reader
/// and writer.
macro_rules! from_document {
    ($name:ident) => {
        impl core::str::FromStr for $name {
            type Err = $crate::error::Error;

            /// Reads JSON text; every problem of it is in the error.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::document::read_document(text)
            }
        }

        impl core::fmt::Display for $name {
            /// Writes compact JSON text.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(&$crate::document::to_json(self))
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::document::deserialize(deserializer)
            }
        }
    };
}
pub(crate) use from_document;

/// Implements writing by the type's value, for JSON and for serde.
macro_rules! by_value {
    ($name:ident) => {
        impl $crate::document::Write for $name {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                $crate::document::Valued::valued(self).write(out);
            }
        }

        $crate::document::serialized!($name);
    };
}
pub(crate) use by_value;

/// Implements serde's `Serialize` by the type's value.
macro_rules! serialized {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::document::Valued::valued(self).serialize(serializer)
            }
        }
    };
}
pub(crate) use serialized;
