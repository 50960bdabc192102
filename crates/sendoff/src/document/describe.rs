//! The description of a document, and everything that follows from it.

/// A document: the struct, its place in other documents, serde and its schema, from one definition.
///
/// Each row is a field, with its key in JSON, its name and type in Rust and its sentence:
///
/// - `"key" => pub field: Type,` is required. `Option<Type>` may be absent.
/// - `"key" => pub field: Type = default,` has this value where it is absent.
/// - `"key" => pub field: Intent as "type",` is the details of an intent, whose type is at the key `type`;
/// - `"type" => kind of field,` is that type.
/// - `flatten pub field: Option<Type>,` are the fields of another document, all here or none.
///
/// `judged by rule` names a function that checks the parts that could be read, and pushes an issue if fields together
/// break a rule. `refined by refine` names one that adds to the schema what the rows cannot express. A document that is an
/// `open reply` ignores other fields in all its parts, and its schema allows them; an `open part` occurs only in replies.
/// A document that is compared `by field` can be taken apart ([`Document`](crate::document::Document)).
macro_rules! document {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis struct $name:ident: $expected:literal
            $(, open $open:ident)? $(, by $by:ident)? $(, judged by $judge:path)? $(, refined by $refine:path)?
        {
            $($rows:tt)*
        }
    ) => {
        $crate::document::document! {
            @rows
            { [$($doc)*] [$($($derive)*)?] [$vis] $name $expected [$($open)?] [$($by)?] [$($judge)?] [$($refine)?] }
            {} {} {}
            $($rows)*
        }
    };

    // Each row goes to three lists: the fields of the struct, the fields to read, and the fields to write.
    (
        @rows $head:tt { $($fields:tt)* } { $($read:tt)* } { $($written:tt)* }
        $(#[doc = $doc:literal])* $key:literal => kind of $field:ident, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* }
            { $($read)* }
            { $($written)* { kind $field $key () [$($doc)*] } }
            $($rest)*
        }
    };
    (
        @rows $head:tt { $($fields:tt)* } { $($read:tt)* } { $($written:tt)* }
        $(#[doc = $doc:literal])* flatten $vis:vis $field:ident: Option<$type:ty>, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* $(#[doc = $doc])* $vis $field: Option<$type>, }
            { $($read)* { group $field "" ($type) () } }
            { $($written)* { group $field "" ($type) [$($doc)*] } }
            $($rest)*
        }
    };
    (
        @rows $head:tt { $($fields:tt)* } { $($read:tt)* } { $($written:tt)* }
        $(#[doc = $doc:literal])* $key:literal => $vis:vis $field:ident: $type:ty as $tag:literal, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* $(#[doc = $doc])* $vis $field: $type, }
            { $($read)* { details $field $key ($type) ($tag) } }
            { $($written)* { details $field $key ($type, $tag) [$($doc)*] } }
            $($rest)*
        }
    };
    (
        @rows $head:tt { $($fields:tt)* } { $($read:tt)* } { $($written:tt)* }
        $(#[doc = $doc:literal])* $key:literal => $vis:vis $field:ident: $type:ty = $default:expr, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* $(#[doc = $doc])* $vis $field: $type, }
            { $($read)* { default $field $key ($type) ($default) } }
            { $($written)* { default $field $key ($type) [$($doc)*] } }
            $($rest)*
        }
    };
    (
        @rows $head:tt { $($fields:tt)* } { $($read:tt)* } { $($written:tt)* }
        $(#[doc = $doc:literal])* $key:literal => $vis:vis $field:ident: $type:ty, $($rest:tt)*
    ) => {
        $crate::document::document! {
            @rows $head
            { $($fields)* $(#[doc = $doc])* $vis $field: $type, }
            { $($read)* { field $field $key ($type) () } }
            { $($written)* { field $field $key ($type) [$($doc)*] } }
            $($rest)*
        }
    };

    // All rows are in their lists.
    (
        @rows
        {
            [$($doc:literal)*] [$($derive:ident)*] [$vis:vis] $name:ident $expected:literal
            [$($open:ident)?] [$($by:ident)?] [$($judge:path)?] [$($refine:path)?]
        }
        { $($fields:tt)* }
        { $({ $read:ident $read_field:ident $read_key:literal ($type:ty) ($($extra:tt)*) })* }
        { $({ $write:ident $field:ident $key:literal $write_type:tt [$($field_doc:literal)*] })* }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, $($derive),*)]
        $vis struct $name {
            $($fields)*
        }

        const _: () = {
            /// The parts of the document that could be read.
            #[derive(Default)]
            pub(crate) struct Partial {
                $(pub(crate) $read_field: $crate::document::document!(@partial $read $type),)*
            }

            $crate::document::document! {
                @fields [$($by)?] $name { $({ $read $read_field $read_key ($type) ($($extra)*) })* }
            }

            impl $name {
                /// Takes the fields out of an object.
                pub(crate) fn take(object: &mut $crate::document::Object<'_, '_>, parts: &mut Partial) {
                    $($crate::document::document!(@take $read object parts $read_field $read_key ($type) ($($extra)*));)*
                }

                /// Writes the fields into an open object.
                #[inline(never)]
                pub(crate) fn write_fields(&self, out: &mut alloc::vec::Vec<u8>) {
                    $($crate::document::document!(@write $write self $field $key out);)*
                }

                /// Passes the fields to a serializer.
                pub(crate) fn serialize_fields<S: serde::ser::SerializeStruct>(&self, object: &mut S) -> Result<(), S::Error> {
                    $($crate::document::document!(@serialize $write self $field $key object);)*
                    Ok(())
                }

                /// The number of fields.
                pub(crate) fn count(&self) -> usize {
                    [$($crate::document::document!(@count $write self $field)),*].into_iter().fold(0, usize::saturating_add)
                }

                #[cfg(feature = "schema")]
                pub(crate) fn schema_fields(fields: $crate::document::schema::Fields<'_>) -> $crate::document::schema::Fields<'_> {
                    $(let fields = $crate::document::document!(@schema $write fields $key $write_type [$($field_doc)*]);)*
                    fields
                }
            }

            impl $crate::document::Keys for $name {
                const KEYS: &'static [&'static str] = &[$($key),*];
            }

            impl $crate::document::Read for $name {
                const EXPECTED: &'static str = $expected;

                type Partial = Partial;

                fn read_partial(
                    node: &$crate::document::Node<'_>,
                    at: &$crate::error::Path<'_>,
                    issues: &mut $crate::error::Issues,
                    parts: &mut Partial,
                ) {
                    $($crate::document::document!(@enter $open issues);)?
                    let Some(mut object) = $crate::document::Object::open(node, Self::WANTED, at, issues) else { return };
                    Self::take(&mut object, parts);
                    object.close();
                    $($judge(parts, at, issues);)?
                }

                // One function, not a copy for each of its callers; below and in answers too.
                #[inline(never)]
                fn whole(partial: Partial) -> Option<Self> {
                    // Most values are `Copy`: each is moved once, and nothing is dropped if one is missing.
                    Some(Self { $($read_field: $crate::document::document!(@whole $read partial $read_field ($type))?),* })
                }

                fn into_partial(self) -> Partial {
                    Partial { $($read_field: $crate::document::document!(@into $read self $read_field),)* }
                }

                fn read(
                    node: &$crate::document::Node<'_>,
                    at: &$crate::error::Path<'_>,
                    issues: &mut $crate::error::Issues,
                ) -> Option<Self> {
                    let mut parts = Partial::default();
                    Self::read_partial(node, at, issues, &mut parts);
                    Self::whole(parts)
                }
            }
        };

        impl $crate::document::Compare for $name {
            fn compare(
                expected: &<Self as $crate::document::Read>::Partial,
                found: &Self,
                at: &$crate::error::Path<'_>,
                differ: $crate::document::Differ<'_>,
            ) {
                $($crate::document::document!(@compare $write expected found $field $key $write_type at differ);)*
            }
        }

        impl $crate::document::Write for $name {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                out.push(b'{');
                self.write_fields(out);
                out.push(b'}');
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut object = serializer.serialize_struct(stringify!($name), self.count())?;
                self.serialize_fields(&mut object)?;
                serde::ser::SerializeStruct::end(object)
            }
        }

        $crate::document::schema::of!($name, |generator| {
            let fields = Self::schema_fields($crate::document::schema::Fields::new(generator));
            let schema = $crate::document::document!(@close fields [$($open)?] concat!($($doc, "\n"),*));
            $(let schema = $refine(schema);)?
            schema
        });

        $crate::document::from_document!($name);
    };

    // One kind of row at a time.
    (@partial group $type:ty) => { $crate::document::Group<<$type as $crate::document::Read>::Partial> };
    (@partial $how:ident $type:ty) => { <$type as $crate::document::Read>::Partial };

    (@fields [] $name:ident $rows:tt) => {};
    (
        @fields [field] $name:ident
        { $({ $how:ident $field:ident $key:literal ($type:ty) ($($extra:tt)*) })* }
    ) => {
        /// The fields of the document, each with its place.
        pub(crate) struct Fields<'a> {
            $(pub(crate) $field: $crate::document::document!(@part $how 'a $type),)*
        }

        impl $crate::document::Document for $name {
            type Fields<'a> = Fields<'a>;

            fn fields<'a>(part: &'a $crate::document::Part<'_, Partial>) -> Fields<'a> {
                Fields { $($field: $crate::document::document!(@place $how part $field $key ($($extra)*)),)* }
            }
        }
    };

    (@part details $a:lifetime $type:ty) => {
        $crate::document::TypedPart<$a, <$type as $crate::document::Read>::Partial>
    };
    (@part $how:ident $a:lifetime $type:ty) => {
        $crate::document::Part<$a, $crate::document::document!(@partial $how $type)>
    };

    (@place details $part:ident $field:ident $key:literal ($tag:literal)) => {
        $crate::document::TypedPart {
            type_at: $crate::error::Path::Field(&$part.at, $tag),
            at: $crate::error::Path::Field(&$part.at, $key),
            parts: &$part.parts.$field,
        }
    };
    (@place $how:ident $part:ident $field:ident $key:literal ($($extra:tt)*)) => {
        $part.field($key, &$part.parts.$field)
    };

    (@take field $object:ident $parts:ident $field:ident $key:literal ($type:ty) ()) => {
        $object.take::<$type>($key, &mut $parts.$field)
    };
    (@take default $object:ident $parts:ident $field:ident $key:literal ($type:ty) ($default:expr)) => {
        $object.take_or::<$type>($key, $default, &mut $parts.$field)
    };
    (@take details $object:ident $parts:ident $field:ident $key:literal ($type:ty) ($tag:literal)) => {
        <$type>::take($object, $tag, $key, &mut $parts.$field)
    };
    (@take group $object:ident $parts:ident $field:ident $key:literal ($type:ty) ()) => {
        $parts.$field.take($object, <$type as $crate::document::Keys>::KEYS, <$type>::take)
    };

    (@whole group $partial:ident $field:ident ($type:ty)) => { $partial.$field.whole::<$type>() };
    (@whole $how:ident $partial:ident $field:ident ($type:ty)) => {
        <$type as $crate::document::Read>::whole($partial.$field)
    };

    (@into group $self:ident $field:ident) => { $crate::document::Group::of($self.$field) };
    (@into $how:ident $self:ident $field:ident) => { $crate::document::Read::into_partial($self.$field) };

    (@write kind $self:ident $field:ident $key:literal $out:ident) => {
        $crate::document::write_key($key, $out);
        $crate::document::Write::write(&$self.$field.kind(), $out)
    };
    (@write details $self:ident $field:ident $key:literal $out:ident) => {
        $crate::document::write_key($key, $out);
        $self.$field.write_details($out)
    };
    (@write group $self:ident $field:ident $key:literal $out:ident) => {
        if let Some(group) = &$self.$field {
            group.write_fields($out);
        }
    };
    (@write $how:ident $self:ident $field:ident $key:literal $out:ident) => {
        if !$crate::document::Write::is_absent(&$self.$field) {
            $crate::document::write_key($key, $out);
            $crate::document::Write::write(&$self.$field, $out);
        }
    };

    (@serialize kind $self:ident $field:ident $key:literal $object:ident) => {
        $object.serialize_field($key, &$self.$field.kind())?
    };
    (@serialize details $self:ident $field:ident $key:literal $object:ident) => {
        $object.serialize_field($key, &$crate::intent::Details(&$self.$field))?
    };
    (@serialize group $self:ident $field:ident $key:literal $object:ident) => {
        if let Some(group) = &$self.$field {
            group.serialize_fields($object)?;
        }
    };
    (@serialize $how:ident $self:ident $field:ident $key:literal $object:ident) => {
        if $crate::document::Write::is_absent(&$self.$field) {
            $object.skip_field($key)?
        } else {
            $object.serialize_field($key, &$self.$field)?
        }
    };

    (@compare kind $expected:ident $found:ident $field:ident $key:literal $type:tt $at:ident $differ:ident) => {};
    (@compare group $expected:ident $found:ident $field:ident $key:literal ($type:ty) $at:ident $differ:ident) => {
        if let Some(found) = &$found.$field {
            <$type as $crate::document::Compare>::compare(&$expected.$field.parts, found, $at, $differ);
        }
    };
    (@compare details $expected:ident $found:ident $field:ident $key:literal ($type:ty, $tag:literal) $at:ident $differ:ident) => {
        <$type>::compare_details(&$expected.$field, &$found.$field, ($tag, $key), $at, $differ)
    };
    (@compare $how:ident $expected:ident $found:ident $field:ident $key:literal ($type:ty) $at:ident $differ:ident) => {
        <$type as $crate::document::Compare>::compare(
            &$expected.$field,
            &$found.$field,
            &$crate::error::Path::Field($at, $key),
            $differ,
        )
    };

    (@schema kind $fields:ident $key:literal $type:tt $doc:tt) => { $fields };
    (@schema details $fields:ident $key:literal ($type:ty, $tag:literal) $doc:tt) => { $fields.intent($tag, $key) };
    (@schema group $fields:ident $key:literal ($type:ty) $doc:tt) => { $fields.group(<$type>::schema_fields) };
    (@schema default $fields:ident $key:literal ($type:ty) [$($doc:literal)*]) => {
        $fields.optional::<$type>($key, concat!($($doc, "\n"),*))
    };
    (@schema field $fields:ident $key:literal ($type:ty) [$($doc:literal)*]) => {
        $fields.read::<$type>($key, concat!($($doc, "\n"),*))
    };

    (@enter part $issues:ident) => {};
    (@enter reply $issues:ident) => {
        $issues.reply_to.get_or_insert($crate::error::ReplyTo::Unknown);
    };

    (@close $fields:ident [] $doc:expr) => { $fields.close($doc) };
    (@close $fields:ident [$open:ident] $doc:expr) => { $fields.open($doc) };

    (@count group $self:ident $field:ident) => { $self.$field.as_ref().map_or(0, |group| group.count()) };
    (@count field $self:ident $field:ident) => { usize::from(!$crate::document::Write::is_absent(&$self.$field)) };
    (@count $how:ident $self:ident $field:ident) => { 1 };
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
