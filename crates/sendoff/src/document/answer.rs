//! The description of an answer: a document that is written and never read.

/// An answer: the struct, its writer, serde's `Serialize` and its schema, from one definition. A macro, because a
/// row becomes a field.
///
/// Each row is a field: `"key" => pub field: Type,`. A field that is `None` is null, or left out after `=> "Option::is_none"`.
macro_rules! answer {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis struct $name:ident {
            $($(#[doc = $field_doc:literal])* $key:literal => $($skip:literal)? $field_vis:vis $field:ident: $type:ty,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
        $(#[derive($($derive),*)])?
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        $vis struct $name {
            $(
                $(#[doc = $field_doc])*
                #[serde(rename = $key)]
                $(
                    #[serde(skip_serializing_if = $skip)]
                    #[cfg_attr(feature = "schema", schemars(transform = $crate::document::schema::without_null))]
                )?
                $field_vis $field: $type,
            )*
        }

        impl $crate::document::Write for $name {
            #[inline(never)]
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                out.push(b'{');
                $($crate::document::answer!(@write [$($skip)?] $key &self.$field, out);)*
                out.push(b'}');
            }
        }
    };

    (@write [] $key:literal $field:expr, $out:ident) => {
        $crate::document::write_key($key, $out);
        $crate::document::Write::write($field, $out)
    };
    (@write [$skip:literal] $key:literal $field:expr, $out:ident) => {
        if !$crate::document::Write::is_absent($field) {
            $crate::document::answer!(@write [] $key $field, $out);
        }
    };
}
pub(crate) use answer;
