//! Compact JSON text.

use alloc::{string::String, vec::Vec};

use super::Valued;
use crate::{text::plain, value};

/// A value that can be written as JSON.
pub(crate) trait Write {
    /// Writes the JSON text.
    fn write(&self, out: &mut Vec<u8>);
}

impl<T: Valued> Write for T {
    fn write(&self, out: &mut Vec<u8>) {
        self.write_json(out);
    }
}

/// Returns the JSON text of a value.
pub(crate) fn to_json(value: &dyn Write) -> String {
    // Most answers do not grow while they are written, and who keeps a short text keeps no more than that.
    let mut out = Vec::with_capacity(1 << 13);
    value.write(&mut out);
    out.shrink_to_fit();
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
pub(crate) fn write_field<T: Valued>(key: &str, value: &T, out: &mut Vec<u8>) {
    if key.is_empty() {
        value.write_fields(out);
    } else if !value.is_absent() {
        write_key(key, out);
        value.write_json(out);
    }
}

/// How a field is written that is one of these kinds.
pub(crate) mod write_as {
    use super::{Valued, Vec, write_key};

    pub(crate) fn nullable<T: Valued>(key: &str, value: &T, out: &mut Vec<u8>) {
        write_key(key, out);
        value.write_json(out);
    }

    pub(crate) fn details<T: Valued>(key: &str, value: &T, out: &mut Vec<u8>) {
        write_key(key, out);
        value.write_fields(out);
    }
}

/// Writes a document from its fields.
pub(crate) fn write_object<T: Valued>(document: &T, out: &mut Vec<u8>) {
    out.push(b'{');
    document.write_fields(out);
    out.push(b'}');
}

/// Writes a text in quotes, with the escapes of RFC 8259. A part without escapes is copied in one piece.
pub(crate) fn escape(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text.as_bytes();

    while let Some((plain, [byte, after @ ..])) = rest.split_at_checked(plain(rest)) {
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

impl Write for &str {
    fn write(&self, out: &mut Vec<u8>) {
        escape(self, out);
    }
}

impl<T: Write> Write for &[T] {
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
