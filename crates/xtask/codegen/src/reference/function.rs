//! The page of a function.

use sendoff::schema::{Form, FunctionSchema};

use super::MADE;
use super::documents::kind;
use super::rust::RustNames;
use crate::{example::Examples, functions::safe_name};

pub(super) fn page(
    function: &FunctionSchema,
    entry: &str,
    rust: &RustNames,
    examples: &Examples<'_>,
) -> Result<String, String> {
    let name = function.name;
    let entries = if function.is_for_signing {
        "`sendoff` and `sendoff/sign`"
    } else {
        &*format!("`{entry}`")
    };
    let javascript = if function.arguments.is_empty() {
        format!("`{}` of {entries}", name.to_uppercase())
    } else {
        format!("`{}` of {entries}; `{}` returns the issues", signature(function), safe_name(name))
    };
    let arguments = function.arguments.iter().map(|argument| {
        let form = match argument.form {
            Form::Document | Form::Reply => "document",
            Form::Number => "number",
            Form::Text => "text",
        };
        let optional = if argument.is_optional { ", optional" } else { "" };
        format!("| `{}` | {form}{optional} | {} |\n", argument.name, kind(&argument.schema))
    });
    let rows: String = arguments.collect();
    let head =
        if rows.is_empty() { "" } else { "\n## Arguments\n\n| argument | | |\n|---|---|---|\n" };

    Ok(format!(
        "{MADE}# {name}\n\n{}\n\n\
         | | |\n|---|---|\n| JavaScript | {javascript} |\n| Rust, with types | {} |\n| Rust, with text | `{}` |\n\
         {head}{rows}\n## Answer\n\n{}\n\n## Errors\n\n{}\n{}",
        function.sentence(),
        rust.typed(function),
        RustNames::of_text(function, entry != "sendoff"),
        kind(&function.answer),
        function.errors(),
        examples.of(function, entry)?
    ))
}

/// A call with the names of its arguments.
fn signature(function: &FunctionSchema) -> String {
    let arguments = function.arguments.iter().map(|argument| {
        let mark = if argument.is_optional { "?" } else { "" };
        format!("{}{mark}", argument.name)
    });
    format!("{}({})", function.name, arguments.collect::<Vec<_>>().join(", "))
}
