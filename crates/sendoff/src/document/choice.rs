//! The description of a document of several forms, and everything that follows from it.

/// A document of several forms, which a tag distinguishes: the enum, its tables and its place in other documents, from one
/// definition. A macro, because a row becomes a field.
///
/// After the name follow what is expected in its place, the key of the tag, its type and what is expected there unless it is true or
/// false, and the tag's sentence. `open` says what other fields are, as in [`document`](super::document). Each variant has the text of its tag,
/// and rows as a document has them, or one row in parentheses, with its sentence behind it.
macro_rules! choice {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis enum $name:ident: $expected:literal, $tag:literal $(of $kind:literal $words:literal)?: $tag_doc:literal
            $(, open $open:ident)? $(; $exhaustive:ident)?
        {
            $(
                $(#[doc = $variant_doc:literal])*
                $text:literal => $variant:ident
                    $({ $($(#[doc = $field_doc:literal])* $key:literal => $field:ident: $type:ty $(=> $field_row:expr)?,)* })?
                    $(($one_key:literal => $one:ident: $one_type:ty $(=> $row:expr)?, $one_doc:literal))?,
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, $($($derive),*)?)]
        $(#[$exhaustive])?
        $vis enum $name {
            $(
                $(#[doc = $variant_doc])*
                $variant $({ $($(#[doc = $field_doc])* $field: $type,)* })? $(($one_type))?,
            )*
        }

        impl $name {
            /// The text of the variant's tag.
            pub(crate) const fn tag(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $text,)*
                }
            }
        }

        const _: () = {
            use $crate::document::{choice, Choice, Fields, Is, Others, Row, Table, Texts, Typed, Value, Valued};

            const OTHERS: Others = choice!(@others $($open)?);
            static CHOICE: Choice = Choice {
                expected: $expected,
                ..Choice::answer($tag, Is::tag(&TEXTS), &[$(($text, &Table {
                    others: OTHERS,
                    ..Table::said(concat!($($variant_doc, "\n"),*), &[
                        Row::plain($tag, Is::tag(&TEXTS), $tag_doc),
                        $($(Row::of::<$type>($key, "")$(.like($field_row))?.about(concat!($($field_doc, "\n"),*)),)*)?
                        $(Row::of::<$one_type>($one_key, "")$(.like($row))?.about($one_doc),)?
                    ])
                })),*], concat!($($doc, "\n"),*))
            };
            static TEXTS: Texts = Texts::new(concat!($($words)?), concat!($($kind)?), &[$($text),*]);

            impl Valued for $name {
                const IS: Is = Is::Choice(&CHOICE);

                fn to_value(&self) -> Value {
                    match self {
                        $(Self::$variant $({ $($field),* })? $(($one))? => {
                            CHOICE.record(self.tag())$($(.with($field))*)?$(.with($one))?.finish()
                        })*
                    }
                }
            }

            impl Typed for $name {
                fn of_value(value: &Value) -> Option<Self> {
                    let mut fields = Fields::of(value);
                    Some(match fields.tag()? {
                        $($text => Self::$variant $({ $($field: fields.next()?),* })? $((fields.next::<$one_type>()?))?,)*
                        _ => return None,
                    })
                }
            }
        };
    };

    (@others) => { Others::Refused };
    (@others $open:ident) => { Others::$open };
}

pub(crate) use choice;
