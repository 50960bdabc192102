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

        $crate::document::traits!($type: read, serialize, schema(|_| {
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

        impl $crate::document::Leaf for $type {
            const FORM: $crate::document::Is =
                $crate::document::Is::Keyword(&$crate::document::Texts::new($expected, stringify!($type), Self::TEXTS));

            fn into_leaf(self) -> $crate::document::Value {
                $crate::document::Value::Keyword(self.as_str())
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

/// A newtype around text, with what every value has: its words after `expected`, the function that accepts it, the error of a
/// text that is not accepted unless it is `format`, and the part of the rule that a regular expression or another schema can
/// express. A macro, because a row becomes a type, and the traits are of other crates.
macro_rules! newtype {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident: $expected:literal, $fits:expr $(, else $error:expr)?
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
                let errors: &[fn(&str) -> $crate::value::ParseError] = &[$($error)?];
                let error = || errors.first().map_or($crate::value::ParseError::FORMAT, |error| error(text));
                fits(text).then(|| Self { text: text.into() }).ok_or_else(error)
            }
        }

        impl $crate::document::Leaf for $name {
            fn into_leaf(self) -> $crate::document::Value {
                $crate::document::Value::Text(self.text)
            }
        }

        impl $crate::value::WriteText for $name {
            fn write_text(&self, out: &mut alloc::vec::Vec<u8>) {
                self.text.write_text(out);
            }

            fn quote(&self, out: &mut alloc::vec::Vec<u8>) {
                $crate::document::escape(&self.text, out);
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.text
            }
        }

        $crate::document::traits!($name: debug, read, serialize, schema $((|$generator| $schema))?);
    };
}
pub(crate) use newtype;

/// A newtype around a number between two bounds, with what every value has: its words after `expected`, and the bounds. The last
/// but one form is for a newtype around another integer, whose schema may have a sentence of its own, and the last for what is
/// among values as an integer. A macro as [`newtype`] is.
macro_rules! bounded {
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

        $crate::value::bounded!($name: u64 by new, $expected, $least, $most);
    };
    ($name:ident: $integer:ident by $new:ident, $expected:literal, $least:expr, $most:expr $(, $sentence:literal)?) => {
        $crate::document::traits!($name: read, serialize, schema(|_| {
            let sentence = [$expected, $($sentence)?].last().copied().unwrap_or_default();
            $crate::document::schema::integer(sentence, $least, $most)
        }));

        $crate::value::conversions! {
            $name => $integer: |value| value.0;
        }

        $crate::value::conversions! { try
            /// Returns the value of an integer; `range` if it is out of bounds.
            $integer => $name: |value| Self::$new(value);
        }

        $crate::value::bounded!(@among $name: $crate::document::Is::Integer(&$crate::document::Bounds {
            expected: $expected,
            least: $least,
            most: $most,
        }), |number| number.0, Self);
    };
    (@among $name:ty: $is:expr, |$number:ident| $get:expr, $made:expr) => {
        impl $crate::document::Valued for $name {
            const IS: $crate::document::Is = $is;

            fn to_value(&self) -> $crate::document::Value {
                let $number = *self;
                $crate::document::widen($get)
            }

            fn write_json(&self, out: &mut alloc::vec::Vec<u8>) {
                let $number = *self;
                $crate::value::WriteText::write_text(&$get, out);
            }
        }

        impl $crate::document::Typed for $name {
            fn of_value(value: &$crate::document::Value) -> Option<Self> {
                $crate::document::narrow(value).map($made)
            }
        }
    };
}
pub(crate) use bounded;

/// `true` for text of at most so many characters.
pub(crate) fn is_short(text: &str, most: usize) -> bool {
    text.chars().nth(most).is_none()
}
