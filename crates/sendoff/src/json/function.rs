//! The signature of a function.

/// The signature of a function, for callers in another language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    /// Its name in JavaScript and in vectors, such as `verifyEstimate`.
    pub name: &'static str,
    /// Its arguments, in order.
    pub arguments: &'static [Argument],
    /// `true` if a page that only checks and signs replies needs it: the npm entry `sendoff/sign` has only these.
    pub is_for_signing: bool,
}

/// An argument of a [`Function`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Argument {
    /// Its name. The paths of its problems begin with it, unless it is the first.
    pub name: &'static str,
    /// Its form.
    pub form: Form,
    /// `true` if it is optional.
    pub is_optional: bool,
}

/// The form of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// As JSON text; in JavaScript as a value or as its JSON text.
    Document,
    /// As JSON text; in JavaScript as a value only.
    Number,
    /// As plain text.
    Text,
    /// As JSON text whose problems are part of the answer; they do not fail the call.
    Reply,
}
