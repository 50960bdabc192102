//! A call of the boundary by its name in JSON.

use sendoff::json::{self, Argument, Form};
use serde_json::value::RawValue;

/// JSON text: the answer, or the issues.
pub type Answer = Result<String, String>;

/// The way to call a function of a list.
type Caller = fn(&str, &[Option<&str>]) -> Answer;

/// Calls a function by its name in vectors. Returns the texts of its arguments, and the answer.
///
/// Fails if the function is unknown, or has too few or too many arguments.
pub(crate) fn call(
    name: &str,
    args: &[Box<RawValue>],
) -> Result<(Vec<Option<String>>, Answer), String> {
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

    let with_raws = arguments.iter().zip(args);
    let texts: Vec<_> = with_raws.map(|(argument, raw)| text(raw.get(), argument)).collect();
    let mut all = arguments.iter().zip(&texts).enumerate();
    let answer = match all.find(|(_, (_, text))| text.is_none()) {
        Some((index, (argument, _))) => Err(not_text(argument.name, index)),
        None => {
            let mut texts: Vec<_> = texts.iter().map(Option::as_deref).collect();
            texts.resize(most, None);
            call(name, &texts)
        }
    };
    Ok((texts, answer))
}

/// Returns the text of an argument: JSON text of a number, the content of a string that is a document, or plain text,
/// if it is a string.
fn text(json: &str, argument: &Argument) -> Option<String> {
    let string = || serde_json::from_str(json).ok();
    match argument.form {
        Form::Number => Some(json.into()),
        Form::Document | Form::Reply => Some(string().unwrap_or_else(|| json.into())),
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
