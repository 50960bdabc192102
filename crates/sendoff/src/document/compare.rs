//! Comparison of documents, field by field.

use alloc::{string::String, vec::Vec};

use super::{Read, Write, to_json};
use crate::error::{Excerpt, Path};
use crate::text::{Spell, fill};

/// Receives each innermost field that differs: its place, the expected value and the value found.
pub(crate) type Differ<'d> = &'d mut dyn FnMut(&Path<'_>, String, String);

/// A document that can be compared field by field.
pub(crate) trait Compare: Read {
    /// Reports to `differ` each innermost field of `found` that is not as expected. Fields that are not in `expected`
    /// are skipped.
    fn compare(expected: &Self::Partial, found: &Self, at: &Path<'_>, differ: Differ<'_>);
}

/// Compares two values without fields.
pub(crate) fn compare_whole<T: PartialEq + Write>(expected: Option<&T>, found: &T, at: &Path<'_>, differ: Differ<'_>) {
    if let Some(expected) = expected
        && expected != found
    {
        push_different(expected, found, at, differ);
    }
}

#[cold]
#[inline(never)]
fn push_different(expected: &dyn Write, found: &dyn Write, at: &Path<'_>, differ: Differ<'_>) {
    differ(at, shown(expected), shown(found));
}

/// Returns at most 64 characters of a value.
fn shown(value: &dyn Write) -> String {
    let json = to_json(value);
    let text = json.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&json);
    Excerpt(text).to_text().trim_matches('`').into()
}

impl Compare for bool {
    fn compare(expected: &Option<Self>, found: &Self, at: &Path<'_>, differ: Differ<'_>) {
        compare_whole(expected.as_ref(), found, at, differ);
    }
}

impl Compare for String {
    fn compare(expected: &Option<Self>, found: &Self, at: &Path<'_>, differ: Differ<'_>) {
        compare_whole(expected.as_ref(), found, at, differ);
    }
}

impl<T: Read + PartialEq + Write> Compare for Option<T> {
    fn compare(expected: &Option<Self>, found: &Self, at: &Path<'_>, differ: Differ<'_>) {
        compare_whole(expected.as_ref(), found, at, differ);
    }
}

/// Lists of different lengths differ as a whole, other lists item by item.
impl<T: Compare + PartialEq + Clone + Write> Compare for Vec<T> {
    fn compare(expected: &Option<Self>, found: &Self, at: &Path<'_>, differ: Differ<'_>) {
        let Some(expected) = expected else { return };
        if expected.len() != found.len() {
            let items = |list: &Self| fill("{} in a list", &[&list.len()]);
            return differ(at, items(expected), items(found));
        }
        for (index, (expected, found)) in expected.iter().zip(found).enumerate().filter(|(_, (a, b))| a != b) {
            T::compare(&expected.clone().into_partial(), found, &Path::Item(at, index), differ);
        }
    }
}
