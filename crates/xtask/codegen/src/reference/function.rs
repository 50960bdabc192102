//! The page of a function.

use std::fmt::Write as _;

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
    let mut page = format!("{MADE}# {name}\n\n{}\n\n", function.sentence());
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
    let _ = write!(
        page,
        "| | |\n|---|---|\n| JavaScript | {javascript} |\n| Rust, with types | {} |\n| Rust, with text | `{}` |\n",
        rust.typed(function),
        RustNames::of_text(function, entry != "sendoff"),
    );

    if !function.arguments.is_empty() {
        page.push_str("\n## Arguments\n\n| argument | | |\n|---|---|---|\n");
    }
    for argument in &function.arguments {
        let form = match argument.form {
            Form::Document | Form::Reply => "document",
            Form::Number => "number",
            Form::Text => "text",
        };
        let optional = if argument.is_optional { ", optional" } else { "" };
        let _ = writeln!(
            page,
            "| `{}` | {form}{optional} | {} |",
            argument.name,
            kind(&argument.schema)
        );
    }
    let _ = write!(
        page,
        "\n## Answer\n\n{}\n\n## Errors\n\n{}\n",
        kind(&function.answer),
        function.errors()
    );
    page.push_str(&examples.of(function, entry)?);
    Ok(page)
}

/// A call with the names of its arguments.
fn signature(function: &FunctionSchema) -> String {
    let arguments = function.arguments.iter().map(|argument| {
        let mark = if argument.is_optional { "?" } else { "" };
        format!("{}{mark}", argument.name)
    });
    format!("{}({})", function.name, arguments.collect::<Vec<_>>().join(", "))
}
