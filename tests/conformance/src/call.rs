//! A call of the boundary by its name in JSON.

use std::borrow::Cow;

use sendoff::json::{self, Argument, Form};
use serde_json::value::RawValue;

/// JSON text: the answer, or the issues.
pub type Answer = Result<String, String>;

/// The way to call a function of a list.
type Caller = fn(&str, &[Option<&str>]) -> Answer;

/// Calls a function by its name in vectors.
///
/// Fails if the function is unknown, or has too few or too many arguments.
pub(crate) fn call(name: &str, args: &[Box<RawValue>]) -> Result<Answer, String> {
    let lists: [(_, Caller); 2] =
        [(json::FUNCTIONS, json::call), (json::signature::FUNCTIONS, json::signature::call)];
    let mut all = lists
        .into_iter()
        .flat_map(|(list, call)| list.iter().map(move |function| (function, call)));
    let found = all.find(|(function, _)| function.name == name);
    let (function, call) =
        found.ok_or_else(|| format!("expected a function of the boundary, found `{name}`"))?;
    let arguments = function.arguments;
    let (found, most) = (args.len(), arguments.len());
    let least = arguments.iter().filter(|argument| !argument.is_optional).count();
    if !(least..=most).contains(&found) {
        return Err(format!("expected {least} to {most} arguments, found {found}"));
    }

    let mut texts = Vec::new();
    for (index, (argument, raw)) in arguments.iter().zip(args).enumerate() {
        let Some(text) = text(raw.get(), argument) else {
            return Ok(Err(not_text(argument.name, index)));
        };
        texts.push(text);
    }
    let mut texts: Vec<_> = texts.iter().map(|text| Some(&**text)).collect();
    texts.resize(most, None);
    Ok(call(name, &texts))
}

/// Returns the text of an argument: JSON text of a number, the content of a string that is a document, or plain text,
/// if it is a string.
fn text<'a>(json: &'a str, argument: &Argument) -> Option<Cow<'a, str>> {
    let string = || serde_json::from_str(json).ok().map(Cow::Owned);
    match argument.form {
        Form::Number => Some(Cow::Borrowed(json)),
        Form::Document | Form::Reply => Some(string().unwrap_or(Cow::Borrowed(json))),
        Form::Text => string(),
    }
}

/// The issue for a value that is not text, as in the JavaScript package: at the root for the first argument, or else under the
/// argument's name. A typed program can pass only text, so the core does not have this issue.
fn not_text(name: &str, index: usize) -> String {
    let path = if index == 0 { "" } else { name };
    let message = format!("expected a string for {name}");
    serde_json::json!({"issues": [{"path": path, "code": "type", "message": message}]}).to_string()
}
