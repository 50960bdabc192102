//! Values that are free text by a rule.

/// A newtype around text that a function accepts, with the traits of every kind of text: its words after `expected`, the
/// function, and the part of the rule that a regular expression or another schema can express. A macro, because a row becomes a
/// type.
macro_rules! text_value {
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
}
pub(crate) use text_value;

/// `true` for text of at most so many characters.
pub(crate) fn is_short(text: &str, most: usize) -> bool {
    text.chars().nth(most).is_none()
}
