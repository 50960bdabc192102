//! The type that a place needs.

use alloc::string::String;

/// What is expected in a place: the words of messages, and the name of the type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// The words after `expected`.
    pub(crate) words: &'static str,
    /// The name of the type; empty if it has none in issues.
    pub(crate) kind: &'static str,
}

impl Wanted {
    /// The name of the type, as issues have it.
    pub(crate) fn name(&self) -> Option<String> {
        (!self.kind.is_empty()).then(|| self.kind.into())
    }
}
