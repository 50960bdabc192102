//! Conversions between types.

/// Conversions, one per row, with `try` those that can fail, and with `bytes` those of a type with a fixed number of bytes. Beside
/// them are conversions to text: `digits` of bytes and of a `quantity`, and what is `displayed` as its text. They need a macro, because a trait is for two types at once.
macro_rules! conversions {
    ($($(#[doc = $doc:literal])* $from:ty => $to:ty: |$value:pat_param| $made:expr;)*) => {
        $(impl From<$from> for $to {
            $(#[doc = $doc])*
            fn from($value: $from) -> Self {
                $made
            }
        })*
    };
    (try $($(#[doc = $doc:literal])* $from:ty => $to:ty: |$value:ident| $made:expr;)*) => {
        $(impl TryFrom<$from> for $to {
            type Error = $crate::error::Error;

            $(#[doc = $doc])*
            fn try_from($value: $from) -> Result<Self, Self::Error> {
                $made
            }
        })*
    };
    (bytes $type:ident: $length:literal) => {
        $crate::value::conversions! {
            /// The bytes in lower case.
            [u8; $length] => $type: |bytes| Self { bytes, capitals: Default::default() };
            $type => [u8; $length]: |value| value.bytes;
            /// The bytes in lower case.
            $type => $crate::value::HexBytes: |value| value.bytes.into();
        }

        $crate::value::conversions! { try
            /// The bytes in lower case; `format` for another number of bytes.
            &[u8] => $type: |bytes| $crate::value::bytes::of_slice(bytes);
        }

        $crate::value::conversions!(digits $type);
    };
    (digits $type:ident) => {
        impl AsRef<[u8]> for $type {
            fn as_ref(&self) -> &[u8] {
                &self.bytes
            }
        }

        impl core::fmt::LowerHex for $type {
            /// Writes the digits in lower case, after `0x` if the alternate form is asked for.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad_integral(true, "0x", &const_hex::encode(&self.bytes))
            }
        }

        impl $crate::value::WriteText for $type {
            fn write_text(&self, out: &mut alloc::vec::Vec<u8>) {
                $crate::value::digits::write_bytes(&self.bytes, &self.capitals.0, out);
            }
        }
    };
    (displayed $type:ident) => {
        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(&$crate::value::WriteText::to_text(self))
            }
        }
    };
    (quantity $type:ident) => {
        impl core::fmt::LowerHex for $type {
            /// Writes the digits in lower case, after `0x` if the alternate form is asked for.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::LowerHex::fmt(&self.value(), f)
            }
        }

        impl $crate::value::WriteText for $type {
            fn write_text(&self, out: &mut alloc::vec::Vec<u8>) {
                self.number.write(out);
            }
        }
    };
}
pub(crate) use conversions;
