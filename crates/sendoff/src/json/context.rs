//! The context of a call: its arguments, which are read as types, and their problems.

use core::marker::PhantomData;

use super::{Argument, Form};
use crate::document::{Draft, Node, Read, Typed, bounded};
use crate::error::{Error, Issues, Path};
use crate::value;

/// An argument of a call, which is read as a type: its text, and the path of its problems.
pub(super) struct TypedArgument<'a, F> {
    given: Option<&'a str>,
    pub(super) at: Path<'static>,
    form: PhantomData<F>,
}

impl<'a, F: Reading<'a>> TypedArgument<'a, F> {
    pub(super) fn read(&self, issues: &mut Issues) -> Option<F::Read> {
        F::read(self.given, &self.at, issues)
    }
}

impl<'a, F> TypedArgument<'a, F> {
    /// The text; empty if it is absent.
    pub(super) fn text(&self) -> &'a str {
        self.given.unwrap_or_default()
    }
}

impl<'a, T> TypedArgument<'a, Document<T>> {
    /// The parts of the document that could be read.
    pub(super) fn draft(&self, issues: &mut Issues) -> Draft<T>
    where
        T: Typed,
    {
        Draft::of_text(self.text(), &self.at, issues)
    }

    /// The tree of the JSON text.
    pub(super) fn node(&self, issues: &mut Issues) -> Option<Node<'a>> {
        Node::parse(self.text(), &self.at, issues)
    }
}

/// The conversion of an argument's text to a value. No text is absent unless it is [`Optional`].
pub(super) trait Reading<'a> {
    type Read;

    fn read(text: Option<&'a str>, at: &Path<'_>, issues: &mut Issues) -> Option<Self::Read>;
}

/// JSON text of a `T`.
pub(super) struct Document<T>(PhantomData<T>);

impl<T> Document<T> {
    pub(super) const FORM: Form = Form::Document;
}

impl<T: Read> Reading<'_> for Document<T> {
    type Read = T;

    fn read(text: Option<&str>, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
        T::of_text(text.unwrap_or_default(), at, issues)
    }
}

/// JSON text of a number, or of a list of numbers.
pub(super) struct Number<T>(PhantomData<T>);

impl<T> Number<T> {
    pub(super) const FORM: Form = Form::Number;
}

impl<T: Read> Reading<'_> for Number<T> {
    type Read = T;

    fn read(text: Option<&str>, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
        Document::<T>::read(text, at, issues)
    }
}

/// Text that is a `T`.
pub(super) struct Text<T>(PhantomData<T>);

impl<T> Text<T> {
    pub(super) const FORM: Form = Form::Text;
}

impl<T: Typed> Reading<'_> for Text<T> {
    type Read = T;

    fn read(text: Option<&str>, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
        value::read(text.unwrap_or_default(), at, issues)
    }
}

/// Any text, up to the limit of every input.
impl<'a> Reading<'a> for Text<&'a str> {
    type Read = &'a str;

    fn read(text: Option<&'a str>, at: &Path<'_>, issues: &mut Issues) -> Option<&'a str> {
        bounded(text.unwrap_or_default(), at, issues)
    }
}

/// A reply as it came.
pub(super) struct Raw<T>(PhantomData<T>);

impl<T> Raw<T> {
    pub(super) const FORM: Form = Form::Reply;
}

impl<'a> Reading<'a> for Raw<&'a str> {
    type Read = &'a str;

    fn read(text: Option<&'a str>, _: &Path<'_>, _: &mut Issues) -> Option<&'a str> {
        text
    }
}

/// An argument that may be absent.
pub(super) struct Optional<F>(PhantomData<F>);

impl<'a, F: Reading<'a>> Reading<'a> for Optional<F> {
    type Read = Option<F::Read>;

    fn read(text: Option<&'a str>, at: &Path<'_>, issues: &mut Issues) -> Option<Self::Read> {
        if text.is_some() { F::read(text, at, issues).map(Some) } else { Some(None) }
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
        let (given, at) = self.text();
        TypedArgument { given, at, form: PhantomData }
    }

    // One function, not one per type.
    #[inline(never)]
    fn text(&mut self) -> (Option<&'a str>, Path<'static>) {
        let at = self.next;
        self.next = at.saturating_add(1);
        (self.texts.get(at).copied().flatten(), place(self.arguments, at))
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
