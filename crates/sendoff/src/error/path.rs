//! Paths in a document.

use core::fmt;

use super::excerpt::write_visible;

/// The path of a part of a document: a linked list on the stack, which becomes text only if that part has a problem.
#[derive(Clone, Copy)]
pub(crate) enum Path<'p> {
    Root,
    Field(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl Path<'_> {
    /// Longer keys are cut: people read paths, and a path must not be larger than the document.
    const KEY_CHARS: usize = 64;
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parent = match self {
            Self::Root => return Ok(()),
            Self::Field(parent, _) | Self::Item(parent, _) => *parent,
        };
        if !matches!(parent, Path::Root) {
            write!(f, "{parent}.")?;
        }
        match self {
            Self::Root => Ok(()),
            Self::Field(_, key) => {
                key.chars().take(Self::KEY_CHARS).try_for_each(|c| write_visible(c, f))?;
                if key.chars().nth(Self::KEY_CHARS).is_some() { f.write_str("…") } else { Ok(()) }
            }
            Self::Item(_, index) => write!(f, "{index}"),
        }
    }
}
