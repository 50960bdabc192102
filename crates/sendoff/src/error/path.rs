//! Paths in a document.

use alloc::vec::Vec;

use super::excerpt::write_visible;
use crate::text::WriteText;

/// The path of a part of a document: a linked list on the stack, which becomes text only if that part has a problem.
#[derive(Clone, Copy)]
pub(crate) enum Path<'p> {
    Root,
    Field(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

/// Longer keys are cut: people read paths, and a path must not be larger than the document.
const KEY_CHARS: usize = 64;

impl WriteText for Path<'_> {
    fn write_text(&self, out: &mut Vec<u8>) {
        let (Self::Field(parent, _) | Self::Item(parent, _)) = self else { return };
        if !matches!(parent, Path::Root) {
            parent.write_text(out);
            out.push(b'.');
        }

        match self {
            Self::Root => {}
            Self::Field(_, key) => {
                key.chars().take(KEY_CHARS).for_each(|c| write_visible(c, out));
                if key.chars().nth(KEY_CHARS).is_some() {
                    "…".write_text(out);
                }
            }
            Self::Item(_, index) => index.write_text(out),
        }
    }
}
