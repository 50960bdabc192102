//! The macros that make a function of each row of the table.

use alloc::string::String;

use super::context::{CallContext, place};
use super::{Answer, Function};
use crate::document::{Write, equal, to_json};
use crate::error::{Error, Excerpt, IssueCode};
use crate::text::fill;

/// A function with its signature.
pub(super) type Listed = (Function, Body);

type Body = fn(&mut CallContext<'_>) -> Result<String, Error>;

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

/// What is given beside the first, or else the first: the name of an argument in other languages, another body.
pub(super) const fn either<T: Copy>(first: T, others: &[T]) -> T {
    if let [other, ..] = others { *other } else { first }
}

/// Returns the row of a function in a module, with its body: for signing only what has its own place there.
pub(super) const fn listed_in(
    is_for_signing: bool,
    row: Function,
    body: Body,
    own: &[Body],
) -> Option<Listed> {
    match is_for_signing {
        false => Some((row, body)),
        true if row.is_for_signing => Some((row, either(body, own))),
        true => None,
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
/// "nameInJavaScript" => pub fn name_in_rust(op: Document(UserOp), cost: Number(AnyCost) or None) -> Answer {
///     // the arguments as values; a `Result`
/// }
/// ```
///
/// Forms are `Document`, `Number`, `Text` and `Raw` ([`Form`](super::Form)); `or None` makes an argument
/// optional. A string after an argument is its name in other languages, if that differs; `as` gives it the schema of another type. The body runs if every argument could be read.
/// Otherwise the call fails with every problem of all arguments. With `|issues|` before it, the body reads the
/// arguments itself and returns an `Option`. `in sign` puts the function into the npm entry `sendoff/sign`; `as` then
/// names another body for that entry.
///
/// A macro, because a row has types, a body and a public function of its own. Its other rules are parts of a row.
macro_rules! functions {
    ($(
        $(#[doc = $doc:literal])*
        $name:literal $(in $entry:ident $(as $own:ident)?)? => pub fn $function:ident($(
            $argument:ident $($alias:literal)?: $form:ident($type:ty $(as $schema:ty)?) $(or $none:ident)?
        ),* $(,)?) -> $answer:ty $(|$issues:ident|)? $body:block
    )*) => {
        $(
            $(#[doc = $doc])*
            pub fn $function($($argument: functions!(@given $($none)?)),*) -> Result<alloc::string::String, $crate::error::Error> {
                let texts = [$(Option::<&str>::from($argument)),*];
                let row = const { function_of(FUNCTIONS, $name) };
                listed::$function(&mut CallContext::new(&texts, row.arguments))
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
                    $(let $argument = call.argument::<functions!(@read $form<$type> $($none)?)>();)*
                    written(functions!(@body call [$($issues)?] ($($argument),*) $body))
                }
            )*
        }

        /// Every function, in the order of the reference.
        pub const FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            arguments: &[$(Argument {
                name: either(stringify!($argument), &[$($alias)?]),
                form: $form::<$type>::FORM,
                is_optional: !stringify!($($none)?).is_empty(),
            }),*],
            is_for_signing: !stringify!($($entry)?).is_empty(),
        }),*];

        /// Calls a function by its name. With `IS_FOR_SIGNING` only those for signing are compiled in, so a module
        /// contains no other.
        fn dispatch<const IS_FOR_SIGNING: bool>(name: &str, texts: &[Option<&str>]) -> Answer {
            let rows: &[Option<Listed>] = const {
                &[$(listed_in(IS_FOR_SIGNING, function_of(FUNCTIONS, $name), listed::$function, &[$($($own)?)?])),*]
            };
            call_listed(rows, name, texts)
        }

        /// The input for schemas, sentences and other languages.
        #[cfg(feature = "schema")]
        pub(crate) fn rows(generator: &mut schemars::SchemaGenerator) -> alloc::vec::Vec<crate::json::function_schema::FunctionSchema> {
            alloc::vec![$(crate::json::function_schema::FunctionSchema::of(
                function_of(FUNCTIONS, $name),
                concat!($($doc, "\n"),*),
                alloc::vec![$(generator.subschema_for::<functions!(@schema $type $(as $schema)?)>()),*],
                generator.subschema_for::<$answer>(),
            )),*]
        }
    };

    (@given) => { &str };
    (@given $none:ident) => { Option<&str> };
    (@read $form:ident<$type:ty>) => { $form<$type> };
    (@read $form:ident<$type:ty> $none:ident) => { Optional<$form<$type>> };
    (@schema $type:ty) => { $type };
    (@schema $type:ty as $schema:ty) => { $schema };

    // The call of the body, with the arguments as values or as they came.
    (@body $call:ident [] ($($argument:ident),*) $body:block) => {{
        $(let $argument = $argument.read(&mut $call.issues);)*
        match ($($argument,)*) {
            ($(Some($argument),)*) if $call.issues.is_empty() => answered(|| $body),
            _ => Err($call.failure()),
        }
    }};
    (@body $call:ident [$issues:ident] ($($argument:ident),*) $body:block) => { $call.answer(|$issues| $body) };
}
pub(super) use functions;
