//! The macros that make a function of each row of the table.

use alloc::string::String;
use core::convert::Infallible;
use core::marker::PhantomData;

use crate::document::{Node, Read, Typed, Value, Write, bounded, read_text, read_value, to_json};
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

/// An argument of a call: its text, the path of its problems, and the type that it is read as.
pub(super) struct Given<'a, F> {
    pub(super) text: &'a str,
    pub(super) at: Path<'static>,
    form: PhantomData<F>,
}

impl<'a, F> Given<'a, F> {
    pub(super) fn new(text: &'a str, at: Path<'static>) -> Self {
        Self { text, at, form: PhantomData }
    }

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
        Node::parse(self.text, &self.at, issues)
            .map_or(Value::Unread, |node| read_value(&node, &T::IS, &self.at, issues))
    }

    /// The tree of the JSON text.
    pub(super) fn node(&self, issues: &mut Issues) -> Option<Node<'a>> {
        Node::parse(self.text, &self.at, issues)
    }
}

/// An optional argument: `Some(None)` if it is absent.
pub(super) struct Optional<'a, F> {
    text: Option<&'a str>,
    pub(super) at: Path<'static>,
    form: PhantomData<F>,
}

impl<'a, F> Optional<'a, F> {
    pub(super) fn new(text: Option<&'a str>, at: Path<'static>) -> Self {
        Self { text, at, form: PhantomData }
    }

    pub(super) fn read(&self, issues: &mut Issues) -> Option<Option<F::Value>>
    where
        F: Reading<'a>,
    {
        self.text.map_or(Some(None), |text| F::read(text, &self.at, issues).map(Some))
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
        read_text(text, at, issues)
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

/// A call in progress: the next argument, and the problems of the earlier ones.
#[derive(Default)]
pub(super) struct Underway {
    is_later: bool,
    issues: Issues,
}

impl Underway {
    /// The path of the next argument: the root for the first, its name for each later one.
    pub(super) fn place(&mut self, name: &'static str) -> Path<'static> {
        if core::mem::replace(&mut self.is_later, true) { Path::Field(&Path::Root, name) } else { Path::Root }
    }

    pub(super) fn issues(&mut self) -> &mut Issues {
        &mut self.issues
    }

    /// Returns the values of all arguments, or every problem of them.
    pub(super) fn settle<T>(&mut self, values: Option<T>) -> Result<T, Error> {
        match values {
            Some(values) if self.issues.is_empty() => Ok(values),
            _ => Err(self.failure()),
        }
    }

    // One function, not one per type of values.
    #[cold]
    #[inline(never)]
    fn failure(&mut self) -> Error {
        let Err(error) = core::mem::take(&mut self.issues).or::<Infallible>(None);
        error
    }

    /// The answer of a body that reads its arguments itself.
    pub(super) fn judge<T>(&mut self, body: impl FnOnce(&mut Issues) -> Option<T>) -> Result<T, Error> {
        let answer = body(&mut self.issues);
        self.settle(answer)
    }
}

/// The texts of a call by name, taken in order. No required text is missing.
pub(super) struct Texts<'a>(core::slice::Iter<'a, Option<&'a str>>);

impl<'a> Texts<'a> {
    pub(super) fn optional(&mut self) -> Option<&'a str> {
        self.0.next().copied().flatten()
    }

    pub(super) fn required(&mut self) -> &'a str {
        self.optional().unwrap_or_default()
    }
}

/// A function that takes its arguments as a list.
pub(super) type Listed = fn(&mut Texts<'_>) -> Result<String, Error>;

/// Calls the function in `listed` if its row is in `rows`; fails if the name is unknown or a required argument is
/// missing.
pub(super) fn call_listed(rows: &[Function], listed: &[Option<Listed>], name: &str, texts: &[Option<&str>]) -> Answer {
    let rows = rows.iter().zip(listed).filter_map(|(row, listed)| listed.map(|listed| (row, listed)));
    let Some((row, listed)) = rows.into_iter().find(|(row, _)| row.name == name) else {
        let message = fill("expected a function of the boundary, found {}", &[&Excerpt(name)]);
        return Err(to_json(&Error::one(IssueCode::Format, message)));
    };
    let mut call = Underway::default();
    for (at, argument) in row.arguments.iter().enumerate() {
        let place = call.place(argument.name);
        if !argument.is_optional && texts.get(at).copied().flatten().is_none() {
            let message = fill("expected the argument `{}`, found nothing", &[&argument.name]);
            call.issues.push(&place, IssueCode::Missing, message);
        }
    }
    call.settle(Some(())).and_then(|()| listed(&mut Texts(texts.iter()))).map_err(|error| to_json(&error))
}

/// Returns an answer as JSON text.
pub(super) fn written<T: Write>(answer: Result<T, Error>) -> Result<String, Error> {
    answer.map(|answer| to_json(&answer))
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
            // A function of its own: if one body held all of them, it would be larger and need the stack of all.
            #[inline(never)]
            pub fn $function($($argument: given!(type $($form)+)),*) -> Result<alloc::string::String, $crate::error::Error> {
                let call = &mut Underway::default();
                $(let $argument = given!($($form)+, $type, $argument, call.place(name!($argument $($alias)?)));)*
                let answer = body!(call [$($issues)?] ($($argument)*) $body);
                written(answer)
            }
        )*

        /// Every function, in the order of the reference.
        pub const FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            arguments: &[$(Argument {
                name: name!($argument $($alias)?),
                form: given!(form $($form)+),
                is_optional: given!(optional $($form)+),
            }),*],
            is_for_signing: entry!($($entry)?),
        }),*];

        /// Calls a function by its name. With `IS_FOR_SIGNING` only those for signing are compiled in, so a module
        /// contains no other.
        fn dispatch<const IS_FOR_SIGNING: bool>(name: &str, texts: &[Option<&str>]) -> Answer {
            let listed: &[Option<Listed>] = const {
                &[$(if !IS_FOR_SIGNING {
                    Some(|_texts| $function($(given!(take $($form)+, _texts, $argument)),*))
                } else if entry!($($entry)?) {
                    Some(|_texts| own!($function $($($own)?)?)($(given!(take $($form)+, _texts, $argument)),*))
                } else {
                    None
                }),*]
            };
            call_listed(FUNCTIONS, listed, name, texts)
        }

        /// The input for schemas, sentences and other languages.
        #[cfg(feature = "schema")]
        pub(crate) fn rows(generator: &mut schemars::SchemaGenerator) -> alloc::vec::Vec<crate::schema::FunctionSchema> {
            alloc::vec![$(crate::schema::FunctionSchema {
                name: $name,
                doc: concat!($($doc, "\n"),*),
                arguments: alloc::vec![$(crate::schema::ArgumentSchema {
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
    (take optional $form:ident, $texts:ident, $argument:ident) => { $texts.optional() };
    (take $form:ident, $texts:ident, $argument:ident) => { $texts.required() };
    (optional $form:ident, $type:ty, $text:ident, $at:expr) => { Optional::<given!(as $form $type)>::new($text, $at) };
    ($form:ident, $type:ty, $text:ident, $at:expr) => { Given::<given!(as $form $type)>::new($text, $at) };
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
        $function
    };
    ($function:ident $own:ident) => {
        $own
    };
}

/// The body of a function: it gets the values of its arguments, or reads them itself.
macro_rules! body {
    ($call:ident [] ($($argument:ident)*) $body:block) => {{
        $(let $argument = $argument.read($call.issues());)*
        let read = || Some(($($argument?,)*));
        $call.settle(read()).and_then(|($($argument,)*)| $body)
    }};
    ($call:ident [$issues:ident] ($($argument:ident)*) $body:block) => { $call.judge(|$issues| $body) };
}

#[cfg(feature = "schema")]
pub(super) use schema;
pub(super) use {body, entry, functions, given, name, own};
