//! Types of values that are a row each: a word of a list, free text by a rule, a number between two bounds.

/// A set of texts as an enum, with the traits of every kind of text; `= Variant` is its default, `non_exhaustive` if it may grow.
/// A macro, because a row becomes a variant.
macro_rules! keyword {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis enum $type:ident: $expected:literal $(= $default:ident)? $(, $open:ident)? {
            $($(#[doc = $variant_doc:literal])* $text:literal => $variant:ident,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $(#[derive($($derive),*)])?
        $(#[$open])?
        $vis enum $type {
            $($(#[doc = $variant_doc])* $variant,)*
        }

        $crate::document::traits!($type: quoted, read, serialize, schema(|_| {
            let texts = [$(($text, concat!($($variant_doc, "\n"),*))),*];
            $crate::document::schema::keyword(concat!($($doc, "\n"),*), &texts)
        }));

        impl $type {
            /// All values.
            $vis const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The text of this value.
            #[must_use]
            #[expect(clippy::as_conversions, reason = "a variant is its place in the list")]
            $vis const fn as_str(self) -> &'static str {
                match Self::TEXTS.split_at_checked(self as usize) {
                    Some((_, [text, ..])) => text,
                    _ => "",
                }
            }

            const TEXTS: &'static [&'static str] = &[$($text),*];
        }

        $(
            impl Default for $type {
                fn default() -> Self {
                    Self::$default
                }
            }
        )?

        impl $crate::value::Text for $type {
            const EXPECTED: &'static str = $expected;
            const KIND: &'static str = stringify!($type);

            fn parse(text: &str) -> Result<Self, $crate::value::ParseError> {
                $crate::value::parse_one(text, Self::TEXTS, Self::ALL)
            }
        }

        impl $crate::document::Valued for $type {
            const IS: $crate::document::Is = $crate::document::Is::Keyword(&$crate::document::Texts {
                wanted: <Self as $crate::value::Text>::WANTED,
                list: Self::TEXTS,
            });

            fn to_value(&self) -> $crate::document::Value {
                $crate::document::Value::Keyword(self.as_str())
            }
        }

        impl $crate::document::Typed for $type {
            fn of_value(value: &$crate::document::Value) -> Option<Self> {
                if let $crate::document::Value::Keyword(text) = value { $crate::value::Text::parse(text).ok() } else { None }
            }
        }

        impl $crate::value::WriteText for $type {
            fn write_text(&self, out: &mut alloc::vec::Vec<u8>) {
                out.extend_from_slice(self.as_str().as_bytes());
            }
        }
    };
}
pub(crate) use keyword;

/// A newtype with what every value has: conversions, reading and writing in documents, `Display`, serde and a schema.
///
/// Around text: its words after `expected`, the function that accepts it, and the part of the rule that a regular expression or
/// another schema can express. Around a number: the words and two bounds; the last form is for a newtype around another integer,
/// whose schema may have a sentence of its own. A macro, because a row becomes a type, and the traits are of other crates.
macro_rules! newtype {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident: $expected:literal, $fits:expr
            $(, pattern $pattern:literal)? $(, label $label:literal)? $(, schema |$generator:pat_param| $schema:expr)?
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name {
            text: alloc::boxed::Box<str>,
        }

        impl $name {
            /// The text.
            #[must_use]
            $vis fn as_str(&self) -> &str {
                &self.text
            }
        }

        impl $crate::value::Text for $name {
            const EXPECTED: &'static str = $expected;
            const KIND: &'static str = stringify!($name);
            $(const PATTERN: &'static str = $pattern;)?
            $(const IS_LABEL: bool = $label;)?

            fn parse(text: &str) -> Result<Self, $crate::value::ParseError> {
                let fits: fn(&str) -> bool = $fits;
                if fits(text) { Ok(Self { text: text.into() }) } else { Err($crate::value::ParseError::FORMAT) }
            }
        }

        $crate::document::traits!($name: free, debug, text, read, serialize, schema $((|$generator| $schema))?);
    };

    ($(#[doc = $doc:literal])* $vis:vis struct $name:ident: $expected:literal, $least:expr, $most:expr) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u64);

        impl $name {
            /// Returns the value of a number.
            ///
            /// # Errors
            ///
            /// `range` if it is out of bounds.
            $vis fn new(number: u64) -> Result<Self, $crate::error::Error> {
                $crate::document::checked(Self(number))
            }

            /// The number.
            #[must_use]
            $vis const fn value(self) -> u64 {
                self.0
            }
        }

        $crate::value::newtype!($name: u64 by new, $expected, $least, $most);
    };
    ($name:ident: $integer:ident by $new:ident, $expected:literal, $least:expr, $most:expr $(, $sentence:literal)?) => {
        $crate::document::traits!($name: read, write, serialize, schema(|_| {
            let sentence = [$expected, $($sentence)?].last().copied().unwrap_or_default();
            $crate::document::schema::integer(sentence, $least, $most)
        }));

        impl TryFrom<$integer> for $name {
            type Error = $crate::error::Error;

            /// Returns the value of an integer; `range` if it is out of bounds.
            fn try_from(value: $integer) -> Result<Self, Self::Error> {
                Self::$new(value)
            }
        }

        impl From<$name> for $integer {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl $crate::document::Valued for $name {
            const IS: $crate::document::Is = $crate::document::Is::Integer(&$crate::document::Bounds {
                expected: $expected,
                least: $least,
                most: $most,
            });

            fn to_value(&self) -> $crate::document::Value {
                $crate::document::widen(self.0)
            }
        }

        impl $crate::document::Typed for $name {
            fn of_value(value: &$crate::document::Value) -> Option<Self> {
                $crate::document::narrow(value).map(Self)
            }
        }
    };
}
pub(crate) use newtype;

/// `true` for text of at most so many characters.
pub(crate) fn is_short(text: &str, most: usize) -> bool {
    text.chars().nth(most).is_none()
}
