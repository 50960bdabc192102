//! The context of a call: its arguments, which are read as types, and their problems.

use core::marker::PhantomData;

use super::Argument;
use crate::document::{Draft, Node, Read, Typed, bounded};
use crate::error::{Error, Issues, Path};
use crate::value;

/// An argument of a call, which is read as a type: its text, and the path of its problems.
pub(super) struct TypedArgument<'a, F> {
    /// Empty if it is absent.
    pub(super) text: &'a str,
    is_there: bool,
    pub(super) at: Path<'static>,
    form: PhantomData<F>,
}

impl<'a, F: Reading<'a>> TypedArgument<'a, F> {
    pub(super) fn read(&self, issues: &mut Issues) -> Option<F::Read> {
        F::read(self.text, &self.at, issues)
    }

    /// The same for an optional argument: `Some(None)` if it is absent.
    pub(super) fn read_optional(&self, issues: &mut Issues) -> Option<Option<F::Read>> {
        if self.is_there { self.read(issues).map(Some) } else { Some(None) }
    }
}

impl<'a, T> TypedArgument<'a, Document<T>> {
    /// The parts of the document that could be read.
    pub(super) fn draft(&self, issues: &mut Issues) -> Draft<T>
    where
        T: Typed,
    {
        Draft::of_text(self.text, &self.at, issues)
    }

    /// The tree of the JSON text.
    pub(super) fn node(&self, issues: &mut Issues) -> Option<Node<'a>> {
        Node::parse(self.text, &self.at, issues)
    }
}

/// The conversion of an argument's text to a value.
pub(super) trait Reading<'a> {
    type Read;

    fn read(text: &'a str, at: &Path<'_>, issues: &mut Issues) -> Option<Self::Read>;
}

/// JSON text of a `T`.
pub(super) struct Document<T>(PhantomData<T>);

impl<T: Read> Reading<'_> for Document<T> {
    type Read = T;

    fn read(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
        T::of_text(text, at, issues)
    }
}

/// Text that is a `T`.
pub(super) struct Plain<T>(PhantomData<T>);

impl<T: Typed> Reading<'_> for Plain<T> {
    type Read = T;

    fn read(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
        value::read(text, at, issues)
    }
}

/// Any text, up to the limit of every input.
impl<'a> Reading<'a> for Plain<&'a str> {
    type Read = &'a str;

    fn read(text: &'a str, at: &Path<'_>, issues: &mut Issues) -> Option<&'a str> {
        bounded(text, at, issues)
    }
}

/// A reply as it came.
pub(super) struct Raw;

impl<'a> Reading<'a> for Raw {
    type Read = &'a str;

    fn read(text: &'a str, _: &Path<'_>, _: &mut Issues) -> Option<&'a str> {
        Some(text)
    }
}

/// A call in progress: its arguments, which are taken in order, and their problems. No required text is missing.
pub(super) struct CallContext<'a> {
    texts: &'a [Option<&'a str>],
    arguments: &'static [Argument],
    next: usize,
    pub(super) issues: Issues,
}

impl<'a> CallContext<'a> {
    pub(super) fn new(texts: &'a [Option<&'a str>], arguments: &'static [Argument]) -> Self {
        Self { texts, arguments, next: 0, issues: Issues::default() }
    }

    /// The next argument.
    pub(super) fn argument<F>(&mut self) -> TypedArgument<'a, F> {
        let TypedArgument { text, is_there, at, form: PhantomData } = self.text();
        TypedArgument { text, is_there, at, form: PhantomData }
    }

    // One function, not one per type.
    #[inline(never)]
    fn text(&mut self) -> TypedArgument<'a, ()> {
        let at = self.next;
        self.next = at.saturating_add(1);
        let text = self.texts.get(at).copied().flatten();
        TypedArgument {
            text: text.unwrap_or_default(),
            is_there: text.is_some(),
            at: place(self.arguments, at),
            form: PhantomData,
        }
    }

    /// The answer of a body that reads its arguments itself.
    #[inline]
    pub(super) fn answer<T>(
        &mut self,
        body: impl FnOnce(&mut Issues) -> Option<T>,
    ) -> Result<T, Error> {
        let answer = body(&mut self.issues);
        answer.filter(|_| self.issues.is_empty()).ok_or_else(|| self.failure())
    }

    /// The error of all problems.
    #[cold]
    #[inline(never)]
    pub(super) fn failure(&mut self) -> Error {
        core::mem::take(&mut self.issues).error()
    }
}

/// The path of an argument: the root for the first, its name for each later one.
pub(super) fn place(arguments: &'static [Argument], at: usize) -> Path<'static> {
    match arguments.get(at) {
        Some(argument) if at > 0 => Path::Field(&Path::Root, argument.name),
        _ => Path::Root,
    }
}
