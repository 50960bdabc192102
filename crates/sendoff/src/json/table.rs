//! The macros that make a function of each row of the table.

use alloc::string::String;
use core::{convert::Infallible, marker::PhantomData, ops::Deref};

use crate::document::{Node, Read, Typed, Value, Write, bounded, equal, to_json, value_of_text};
use crate::error::{Error, Excerpt, IssueCode, Issues, Path};
use crate::text::fill;
use crate::value;

use super::Answer;

/// The signature of a function, for callers in another language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name in JavaScript and in vectors, such as `verifyEstimate`.
    pub name: &'static str,
    /// Its arguments, in order.
    pub arguments: &'static [Argument],
    /// `true` if a page that only checks and signs replies needs it: the npm entry `sendoff/sign` has only these.
    pub is_for_signing: bool,
}

/// An argument of a [`Function`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name. The paths of its problems begin with it, unless it is the first.
    pub name: &'static str,
    /// Its form.
    pub form: Form,
    /// `true` if it is optional.
    pub is_optional: bool,
}

/// The form of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// An argument of a call: its text, and the path of its problems.
pub(super) struct Part<'a> {
    /// Empty if it is absent.
    pub(super) text: &'a str,
    is_there: bool,
    pub(super) at: Path<'static>,
}

/// An argument that is read as a type.
pub(super) struct Given<'a, F> {
    part: Part<'a>,
    form: PhantomData<F>,
}

impl<'a, F> Deref for Given<'a, F> {
    type Target = Part<'a>;

    fn deref(&self) -> &Part<'a> {
        &self.part
    }
}

impl<'a, F> Given<'a, F> {
    pub(super) fn read(&self, issues: &mut Issues) -> Option<F::Value>
    where
        F: Reading<'a>,
    {
        F::read(self.text, &self.at, issues)
    }
}

impl<'a, T> Given<'a, Document<T>> {
    /// The parts of the document that could be read.
    pub(super) fn value(&self, issues: &mut Issues) -> Value
    where
        T: Typed,
    {
        value_of_text(self.text, &T::IS, &self.at, issues)
    }

    /// The tree of the JSON text.
    pub(super) fn node(&self, issues: &mut Issues) -> Option<Node<'a>> {
        Node::parse(self.text, &self.at, issues)
    }
}

/// An optional argument: `Some(None)` if it is absent.
pub(super) struct Optional<'a, F>(Given<'a, F>);

impl<'a, F> Deref for Optional<'a, F> {
    type Target = Part<'a>;

    fn deref(&self) -> &Part<'a> {
        &self.0
    }
}

impl<'a, F> Optional<'a, F> {
    pub(super) fn read(&self, issues: &mut Issues) -> Option<Option<F::Value>>
    where
        F: Reading<'a>,
    {
        if self.is_there { self.0.read(issues).map(Some) } else { Some(None) }
    }
}

/// The conversion of an argument's text to a value.
pub(super) trait Reading<'a> {
    type Value;

    fn read(text: &'a str, at: &Path<'_>, issues: &mut Issues) -> Option<Self::Value>;
}

/// JSON text of a `T`.
pub(super) struct Document<T>(PhantomData<T>);

impl<T: Read> Reading<'_> for Document<T> {
    type Value = T;

    fn read(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
        T::of_text(text, at, issues)
    }
}

/// Text that is a `T`.
pub(super) struct Plain<T>(PhantomData<T>);

impl<T: Typed> Reading<'_> for Plain<T> {
    type Value = T;

    fn read(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
        value::read(text, at, issues)
    }
}

/// Any text, up to the limit of every input.
impl<'a> Reading<'a> for Plain<&'a str> {
    type Value = &'a str;

    fn read(text: &'a str, at: &Path<'_>, issues: &mut Issues) -> Option<&'a str> {
        bounded(text, at, issues)
    }
}

/// A reply as it came.
pub(super) struct Raw;

impl<'a> Reading<'a> for Raw {
    type Value = &'a str;

    fn read(text: &'a str, _: &Path<'_>, _: &mut Issues) -> Option<&'a str> {
        Some(text)
    }
}

/// A call in progress: its arguments, which are taken in order, and their problems. No required text is missing.
pub(super) struct Underway<'a> {
    texts: &'a [Option<&'a str>],
    arguments: &'static [Argument],
    next: usize,
    pub(super) issues: Issues,
}

impl<'a> Underway<'a> {
    pub(super) fn new(texts: &'a [Option<&'a str>], arguments: &'static [Argument]) -> Self {
        Self { texts, arguments, next: 0, issues: Issues::default() }
    }

    // One function, not one per type.
    #[inline(never)]
    fn part(&mut self) -> Part<'a> {
        let at = self.next;
        self.next = at.saturating_add(1);
        let text = self.texts.get(at).copied().flatten();
        Part { text: text.unwrap_or_default(), is_there: text.is_some(), at: place(self.arguments, at) }
    }

    /// The next argument.
    pub(super) fn given<F>(&mut self) -> Given<'a, F> {
        Given { part: self.part(), form: PhantomData }
    }

    /// The next argument, if it is optional.
    pub(super) fn optional<F>(&mut self) -> Optional<'a, F> {
        Optional(self.given())
    }

    /// The answer of a body that reads its arguments itself.
    #[inline]
    pub(super) fn judge<T>(&mut self, body: impl FnOnce(&mut Issues) -> Option<T>) -> Result<T, Error> {
        let answer = body(&mut self.issues);
        answer.filter(|_| self.issues.is_empty()).ok_or_else(|| self.failure())
    }

    /// The error of all problems.
    #[cold]
    #[inline(never)]
    pub(super) fn failure(&mut self) -> Error {
        let Err(error) = core::mem::take(&mut self.issues).or::<Infallible>(None);
        error
    }
}

/// The path of an argument: the root for the first, its name for each later one.
fn place(arguments: &'static [Argument], at: usize) -> Path<'static> {
    match arguments.get(at) {
        Some(argument) if at > 0 => Path::Field(&Path::Root, argument.name),
        _ => Path::Root,
    }
}

/// A function with its signature.
pub(super) type Listed = (Function, fn(&mut Underway<'_>) -> Result<String, Error>);

/// The row of a name, for constants: a module then has no rows of functions that it does not have.
#[expect(clippy::panic, reason = "a name that is not there ends the compilation")]
pub(super) const fn function_of(mut rows: &[Function], name: &str) -> Function {
    while let [row, others @ ..] = rows {
        if equal(row.name, name) {
            return *row;
        }
        rows = others;
    }
    panic!("expected the name of a function")
}

/// Calls the function with this name; fails if the name is unknown or a required argument is missing.
pub(super) fn call_listed(rows: &[Option<Listed>], name: &str, texts: &[Option<&str>]) -> Answer {
    let Some((row, listed)) = rows.iter().flatten().find(|(row, _)| row.name == name) else {
        let message = fill("expected a function of the boundary, found {}", &[&Excerpt(name)]);
        return Err(to_json(&Error::one(IssueCode::Format, message)));
    };
    let mut call = Underway::new(texts, row.arguments);
    for (at, argument) in row.arguments.iter().enumerate() {
        if !argument.is_optional && texts.get(at).copied().flatten().is_none() {
            let message = fill("expected the argument `{}`, found nothing", &[&argument.name]);
            call.issues.push(&place(row.arguments, at), IssueCode::Missing, message);
        }
    }

    let answer = if call.issues.is_empty() { listed(&mut call) } else { Err(call.failure()) };
    answer.map_err(|error| to_json(&error))
}

/// The answer of a body that has the values of its arguments.
#[inline]
pub(super) fn answered<T>(body: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    body()
}

/// Returns an answer as JSON text.
pub(super) fn written<T: Write>(answer: Result<T, Error>) -> Result<String, Error> {
    match answer {
        // By reference: an answer is not moved again.
        Ok(ref answer) => Ok(to_json(answer)),
        Err(error) => Err(error),
    }
}

/// Defines the functions of the boundary, one row each.
///
/// ```text
/// /// The doc comment of the Rust function: its first paragraph is the sentence that every language says of it.
/// ///
/// /// # Errors
/// ///
/// /// When it fails, in every language.
/// "nameInJavaScript" => name_in_rust(op: document(UserOp), cost: optional number(AnyCost)) -> Answer {
///     // the arguments as values; a `Result`
/// }
/// ```
///
/// Forms are `document`, `number`, `text` and `reply` ([`Form`]). A string after an argument is its name in other
/// languages, if that differs; `as` gives it the schema of another type. The body runs if every argument could be read.
/// Otherwise the call fails with every problem of all arguments. With `|issues|` before it, the body reads the
/// arguments itself and returns an `Option`. `in sign` puts the function into the npm entry `sendoff/sign`; `as` then
/// names another body for that entry.
macro_rules! functions {
    ($(
        $(#[doc = $doc:literal])*
        $name:literal $(in $entry:ident $(as $own:ident)?)? => $function:ident($(
            $argument:ident $($alias:literal)?: $($form:ident)+ ($type:ty $(as $schema:ty)?)
        ),* $(,)?) -> $answer:ty $(|$issues:ident|)? $body:block
    )*) => {
        $(
            $(#[doc = $doc])*
            pub fn $function($($argument: given!(type $($form)+)),*) -> Result<alloc::string::String, $crate::error::Error> {
                let texts = [$(given!(text $($form)+, $argument)),*];
                listed::$function(&mut Underway::new(&texts, &[$(given!(row name!($argument $($alias)?), $($form)+)),*]))
            }
        )*

        /// The functions, which take their arguments one after the other.
        mod listed {
            use super::*;

            $(
                // A function of its own: if one body held all of them, it would be larger and need the stack of all.
                #[inline(never)]
                pub(super) fn $function(call: &mut Underway<'_>) -> Result<alloc::string::String, $crate::error::Error> {
                    $(let $argument = given!($($form)+, $type, call);)*
                    written(body!(call [$($issues)?] ($($argument)*) $body))
                }
            )*
        }

        /// Every function, in the order of the reference.
        pub const FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            arguments: &[$(given!(row name!($argument $($alias)?), $($form)+)),*],
            is_for_signing: entry!($($entry)?),
        }),*];

        /// Calls a function by its name. With `IS_FOR_SIGNING` only those for signing are compiled in, so a module
        /// contains no other.
        fn dispatch<const IS_FOR_SIGNING: bool>(name: &str, texts: &[Option<&str>]) -> Answer {
            let rows: &[Option<Listed>] = const {
                &[$(if !IS_FOR_SIGNING {
                    Some((function_of(FUNCTIONS, $name), listed::$function))
                } else if entry!($($entry)?) {
                    Some((function_of(FUNCTIONS, $name), own!($function $($($own)?)?)))
                } else {
                    None
                }),*]
            };
            call_listed(rows, name, texts)
        }

        /// The input for schemas, sentences and other languages.
        #[cfg(feature = "schema")]
        pub(crate) fn rows(generator: &mut schemars::SchemaGenerator) -> alloc::vec::Vec<crate::json::function_schema::FunctionSchema> {
            alloc::vec![$(crate::json::function_schema::FunctionSchema {
                name: $name,
                doc: concat!($($doc, "\n"),*),
                arguments: alloc::vec![$(crate::json::function_schema::ArgumentSchema {
                    name: name!($argument $($alias)?),
                    form: given!(form $($form)+),
                    schema: generator.subschema_for::<schema!($type $(as $schema)?)>().to_value(),
                    is_optional: given!(optional $($form)+),
                }),*],
                answer: generator.subschema_for::<$answer>().to_value(),
                is_for_signing: entry!($($entry)?),
            }),*]
        }
    };
}

/// The meaning of an argument's form: its type in Rust, its [`Form`], and how it is read.
macro_rules! given {
    (type optional $form:ident) => { Option<&str> };
    (type $form:ident) => { &str };
    (form optional $form:ident) => { given!(form $form) };
    (form document) => { Form::Document };
    (form number) => { Form::Number };
    (form text) => { Form::Text };
    (form reply) => { Form::Reply };
    (optional optional $form:ident) => { true };
    (optional $form:ident) => { false };
    (text optional $form:ident, $argument:ident) => { $argument };
    (text $form:ident, $argument:ident) => { Some($argument) };
    (row $name:expr, $($form:ident)+) => {
        Argument { name: $name, form: given!(form $($form)+), is_optional: given!(optional $($form)+) }
    };
    (optional $form:ident, $type:ty, $call:ident) => { $call.optional::<given!(as $form $type)>() };
    ($form:ident, $type:ty, $call:ident) => { $call.given::<given!(as $form $type)>() };
    (as text $type:ty) => { Plain<$type> };
    (as reply $type:ty) => { Raw };
    (as $form:ident $type:ty) => { Document<$type> };
}

/// The name of an argument in other languages.
macro_rules! name {
    ($argument:ident) => {
        stringify!($argument)
    };
    ($argument:ident $alias:literal) => {
        $alias
    };
}

/// The type that has the schema of an argument.
#[cfg(feature = "schema")]
macro_rules! schema {
    ($type:ty) => {
        $type
    };
    ($type:ty as $schema:ty) => {
        $schema
    };
}

/// Whether a function is in the entry for signing.
macro_rules! entry {
    () => {
        false
    };
    (sign) => {
        true
    };
}

/// The implementation of a function in an entry: itself, or one that needs less code.
macro_rules! own {
    ($function:ident) => {
        listed::$function
    };
    ($function:ident $own:ident) => {
        $own
    };
}

/// The body of a function: it gets the values of its arguments, or reads them itself.
macro_rules! body {
    ($call:ident [] ($($argument:ident)*) $body:block) => {{
        $(let $argument = $argument.read(&mut $call.issues);)*
        match ($($argument,)*) {
            ($(Some($argument),)*) if $call.issues.is_empty() => answered(|| $body),
            _ => Err($call.failure()),
        }
    }};
    ($call:ident [$issues:ident] ($($argument:ident)*) $body:block) => { $call.judge(|$issues| $body) };
}

#[cfg(feature = "schema")]
pub(super) use schema;
pub(super) use {body, entry, functions, given, name, own};
