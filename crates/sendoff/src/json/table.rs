//! The macros that make a function of each row of the table.

use alloc::string::String;

use super::context::{CallContext, place};
use super::{Answer, Function};
use crate::document::{Write, equal, to_json};
use crate::error::{Error, Excerpt, IssueCode};
use crate::text::fill;

/// A function with its signature.
pub(super) type Listed = (Function, fn(&mut CallContext<'_>) -> Result<String, Error>);

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
    let mut call = CallContext::new(texts, row.arguments);
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

/// The last of some names: that of an argument, or the one that it has in other languages.
pub(super) const fn last(names: &[&'static str]) -> &'static str {
    if let [.., last] = names { last } else { "" }
}

/// Defines the functions of the boundary, one row each.
///
/// ```text
/// /// The doc comment of the Rust function: its first paragraph is the sentence that every language says of it.
/// ///
/// /// # Errors
/// ///
/// /// When it fails, in every language.
/// "nameInJavaScript" => pub fn name_in_rust(op: document(UserOp), cost: optional number(AnyCost)) -> Answer {
///     // the arguments as values; a `Result`
/// }
/// ```
///
/// Forms are `document`, `number`, `text` and `reply` ([`Form`]). A string after an argument is its name in other
/// languages, if that differs; `as` gives it the schema of another type. The body runs if every argument could be read.
/// Otherwise the call fails with every problem of all arguments. With `|issues|` before it, the body reads the
/// arguments itself and returns an `Option`. `in sign` puts the function into the npm entry `sendoff/sign`; `as` then
/// names another body for that entry.
///
/// A macro, because a row has types, a body and a public function of its own. Its other rules are parts of a row.
macro_rules! functions {
    ($(
        $(#[doc = $doc:literal])*
        $name:literal $(in $entry:ident $(as $own:ident)?)? => pub fn $function:ident($(
            $argument:ident $($alias:literal)?: $($form:ident)+ ($type:ty $(as $schema:ty)?)
        ),* $(,)?) -> $answer:ty $(|$issues:ident|)? $body:block
    )*) => {
        $(
            $(#[doc = $doc])*
            pub fn $function($($argument: functions!(@type $($form)+)),*) -> Result<alloc::string::String, $crate::error::Error> {
                let texts = [$(functions!(@text $($form)+, $argument)),*];
                listed::$function(&mut CallContext::new(&texts, &[$(functions!(@row [stringify!($argument) $(, $alias)?], $($form)+)),*]))
            }
        )*

        /// The functions, which take their arguments one after the other.
        mod listed {
            use super::*;

            $(
                // A function of its own: if one body held all of them, it would be larger and need
                // the stack of all.
                #[inline(never)]
                pub(super) fn $function(call: &mut CallContext<'_>) -> Result<alloc::string::String, $crate::error::Error> {
                    $(let $argument = call.argument::<functions!(@as $($form)+ $type)>();)*
                    written(functions!(@body call [$($issues)?] ($($argument: $($form)+),*) $body))
                }
            )*
        }

        /// Every function, in the order of the reference.
        pub const FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            arguments: &[$(functions!(@row [stringify!($argument) $(, $alias)?], $($form)+)),*],
            is_for_signing: !stringify!($($entry)?).is_empty(),
        }),*];

        /// Calls a function by its name. With `IS_FOR_SIGNING` only those for signing are compiled in, so a module
        /// contains no other.
        fn dispatch<const IS_FOR_SIGNING: bool>(name: &str, texts: &[Option<&str>]) -> Answer {
            let rows: &[Option<Listed>] = const {
                &[$(if !IS_FOR_SIGNING {
                    Some((function_of(FUNCTIONS, $name), listed::$function))
                } else if !stringify!($($entry)?).is_empty() {
                    Some((function_of(FUNCTIONS, $name), functions!(@own $function $($($own)?)?)))
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
                    name: last(&[stringify!($argument) $(, $alias)?]),
                    form: functions!(@form $($form)+),
                    schema: generator.subschema_for::<functions!(@schema $type $(as $schema)?)>().to_value(),
                    is_optional: functions!(@optional $($form)+),
                }),*],
                answer: generator.subschema_for::<$answer>().to_value(),
                is_for_signing: !stringify!($($entry)?).is_empty(),
            }),*]
        }
    };

    // The meaning of the parts of a row. Of an argument's form: its type in Rust, its [`Form`], its signature, and how it is read. Of
    // an argument: the type that has its schema. Of a function: its implementation in an entry, itself or one that needs less code;
    // and its body, which gets the values of its arguments, or reads them itself.
    (@type optional $form:ident) => { Option<&str> };
    (@type $form:ident) => { &str };
    (@form optional $form:ident) => { functions!(@form $form) };
    (@form document) => { Form::Document };
    (@form number) => { Form::Number };
    (@form text) => { Form::Text };
    (@form reply) => { Form::Reply };
    (@optional optional $form:ident) => { true };
    (@optional $form:ident) => { false };
    (@text optional $form:ident, $argument:ident) => { $argument };
    (@text $form:ident, $argument:ident) => { Some($argument) };
    (@row [$($name:expr),+], $($form:ident)+) => {
        Argument {
            name: const { last(&[$($name),+]) },
            form: functions!(@form $($form)+),
            is_optional: functions!(@optional $($form)+),
        }
    };
    (@as optional $form:ident $type:ty) => { functions!(@as $form $type) };
    (@as text $type:ty) => { Plain<$type> };
    (@as reply $type:ty) => { Raw };
    (@as $form:ident $type:ty) => { Document<$type> };

    (@schema $type:ty) => { $type };
    (@schema $type:ty as $schema:ty) => { $schema };

    (@own $function:ident) => { listed::$function };
    (@own $function:ident $own:ident) => { $own };

    (@read optional $form:ident) => { TypedArgument::read_optional };
    (@read $form:ident) => { TypedArgument::read };
    (@body $call:ident [] ($($argument:ident: $($form:ident)+),*) $body:block) => {{
        $(let $argument = functions!(@read $($form)+)(&$argument, &mut $call.issues);)*
        match ($($argument,)*) {
            ($(Some($argument),)*) if $call.issues.is_empty() => answered(|| $body),
            _ => Err($call.failure()),
        }
    }};
    (@body $call:ident [$issues:ident] ($($argument:ident: $($form:ident)+),*) $body:block) => { $call.answer(|$issues| $body) };
}

pub(super) use functions;
