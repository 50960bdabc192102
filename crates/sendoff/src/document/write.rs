//! Compact JSON text.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::value;

/// A value that can be written as JSON.
pub(crate) trait Write {
    /// Writes the JSON text.
    fn write(&self, out: &mut Vec<u8>);

    /// Writes the fields of a document into an open object; nothing for other values.
    fn write_fields(&self, _: &mut Vec<u8>) {}

    /// `true` if the field is left out.
    fn is_absent(&self) -> bool {
        false
    }
}

/// Returns the JSON text of a value.
pub(crate) fn to_json(value: &dyn Write) -> String {
    let mut out = Vec::with_capacity(512);
    value.write(&mut out);
    value::text(out)
}

/// Writes the part before a field's value: `,"key":`, without the comma for the first field.
#[inline(never)]
pub(crate) fn write_key(key: &str, out: &mut Vec<u8>) {
    if out.last() == Some(&b'{') {
        out.push(b'"');
    } else {
        out.extend_from_slice(b",\"");
    }
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
}

/// Writes a field, unless it is absent. Without a key it is a group, whose fields are written.
pub(crate) fn write_field<T: Write + ?Sized>(key: &str, value: &T, out: &mut Vec<u8>) {
    if key.is_empty() {
        value.write_fields(out);
    } else if !value.is_absent() {
        write_key(key, out);
        value.write(out);
    }
}

/// Writes a text in quotes, with the escapes of RFC 8259. A part without escapes is copied in one piece.
pub(crate) fn escape(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text.as_bytes();

    while let Some(at) = rest.iter().position(|byte| matches!(byte, 0..0x20 | b'"' | b'\\'))
        && let Some((plain, [byte, after @ ..])) = rest.split_at_checked(at)
    {
        out.extend_from_slice(plain);
        out.push(b'\\');
        match byte {
            b'"' | b'\\' => out.push(*byte),
            b'\n' => out.push(b'n'),
            b'\r' => out.push(b'r'),
            b'\t' => out.push(b't'),
            0x8 => out.push(b'b'),
            0xc => out.push(b'f'),
            _ => {
                out.extend_from_slice(b"u00");
                value::write_digits(&[*byte], &[], out);
            }
        }
        rest = after;
    }

    out.extend_from_slice(rest);
    out.push(b'"');
}

impl Write for str {
    fn write(&self, out: &mut Vec<u8>) {
        escape(self, out);
    }
}

impl Write for String {
    fn write(&self, out: &mut Vec<u8>) {
        escape(self, out);
    }
}

impl Write for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(if *self { b"true" } else { b"false" });
    }
}

impl Write for u64 {
    fn write(&self, out: &mut Vec<u8>) {
        value::write_decimal((*self).into(), out);
    }
}

impl Write for u32 {
    fn write(&self, out: &mut Vec<u8>) {
        u64::from(*self).write(out);
    }
}

impl Write for u16 {
    fn write(&self, out: &mut Vec<u8>) {
        u64::from(*self).write(out);
    }
}

impl Write for i64 {
    fn write(&self, out: &mut Vec<u8>) {
        if *self < 0 {
            out.push(b'-');
        }
        self.unsigned_abs().write(out);
    }
}

impl Write for i16 {
    fn write(&self, out: &mut Vec<u8>) {
        i64::from(*self).write(out);
    }
}

impl<T: Write + ?Sized> Write for &T {
    fn write(&self, out: &mut Vec<u8>) {
        T::write(self, out);
    }
}

impl<T: Write> Write for Box<T> {
    fn write(&self, out: &mut Vec<u8>) {
        T::write(self, out);
    }
}

impl<T: Write> Write for [T] {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'[');
        for (at, item) in self.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            item.write(out);
        }
        out.push(b']');
    }
}

impl<T: Write> Write for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.as_slice().write(out);
    }
}

/// A field that is left out if it is `None`.
impl<T: Write> Write for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Some(value) => value.write(out),
            None => out.extend_from_slice(b"null"),
        }
    }

    fn write_fields(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|value| value.write_fields(out));
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}
