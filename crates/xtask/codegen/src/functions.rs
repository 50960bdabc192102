//! The functions of the npm package, from the table of the boundary.

use std::fmt::Write as _;

use sendoff::schema::{ArgumentSchema, Boundary, Form, FunctionSchema};
use serde_json::Value;

use super::schema::{self, capital, list, reached, reference};
use super::sides::{Side, Sides};
use super::types::{Types, comment};

/// The functions in JavaScript. A function without arguments is a constant there.
fn listed(functions: &[FunctionSchema]) -> impl Iterator<Item = &FunctionSchema> {
    functions.iter().filter(|function| !function.arguments.is_empty())
}

/// `functions.ts`, or `signature-functions.ts` for the entry `sendoff/signature`: each function and its twin, with values for documents.
pub(super) fn of_values(boundary: &Boundary, functions: &[FunctionSchema], about: &str) -> String {
    let head = format!(
        "// The functions {about}, each with a twin that returns issues instead of throwing them."
    );
    let sides = Sides::new(boundary);
    let read = |argument: &ArgumentSchema| match argument.form {
        Form::Document if has(boundary, &argument.schema, "UserOpReceipt") => "ofReceipt",
        Form::Document => "ofDocument",
        Form::Number => "ofNumber",
        Form::Text => "ofText",
        Form::Reply => "ofReply",
    };
    let signed = |function: &FunctionSchema| signature(boundary, &sides, function);
    let text = written(functions, "invoke", signed, read);
    let names = names(&sides, &text);
    let types = wrapped("import type {", &names, "} from './types.js'");
    format!("{head}\n\n{}{types}\n{text}", imports(&text, "invoke"))
}

/// `text-functions.ts`: the same functions with JSON text as arguments and answer.
pub(super) fn of_texts(boundary: &Boundary) -> String {
    let read = |argument: &ArgumentSchema| match argument.form {
        Form::Document | Form::Number => "ofJsonText",
        Form::Text => "ofText",
        Form::Reply => "ofReply",
    };
    let signed = |function: &FunctionSchema| {
        let parameters = function.arguments.iter().map(|argument| {
            let or_null = if is_header(function, argument) { " | null" } else { "" };
            format!("{}{}: string{or_null}", argument.name, mark(argument))
        });
        (String::new(), parameters.collect(), "string".to_owned())
    };
    let text = written(&boundary.functions, "answer", signed, read);
    let head = "// The functions of the core. Documents, numbers and answers are JSON text; other text is passed as it is.";
    format!("{head}\n\n{}{text}", imports(&text, "answer"))
}

/// The functions and their twins. Each calls `callee` with its name and what `read` makes of its arguments.
fn written(
    functions: &[FunctionSchema],
    callee: &str,
    signed: impl Fn(&FunctionSchema) -> (String, Vec<String>, String),
    read: impl Fn(&ArgumentSchema) -> &'static str,
) -> String {
    let mut text = String::new();
    for function in listed(functions) {
        text.push('\n');
        comment(&mut text, "", &about(function));
        let (name, (generic, parameters, answer)) = (function.name, signed(function));
        let before = format!("export function {name}{generic}(");
        let head = wrapped(&before, &parameters, &format!("): {answer} {{"));
        let arguments = passed(function, &read);
        let twin = twin(name);
        let _ = write!(text, "{head}\n  return {callee}('{name}'{arguments})\n}}\n{twin}");
    }
    text
}

/// The imports of functions: what reads the arguments, what is called, and what makes twins.
fn imports(text: &str, callee: &str) -> String {
    let all = "ofDocument ofHeader ofJsonText ofNumber ofReceipt ofReply ofText optional";
    let is_used = |name: &&str| {
        text.contains(&format!(", {name}(")) || text.contains(&format!("optional({name},"))
    };
    let readers: Vec<_> = all.split(' ').filter(is_used).collect();
    format!(
        "import {{ {} }} from './argument.js'\n\
         import {{ {callee} }} from './backend.js'\n\
         import {{ safe }} from './result.js'\n",
        readers.join(", ")
    )
}

/// The parts of `sendoff/sign` that are not functions of the core: schemas of settings, and the messages of forms.
const BESIDE: &str =
    "Deployment EstimateRequest SendoffError backend inTokens inWords init messageKeys messages";

/// `sign.ts`: the entry with the functions for signing and the schemas of forms, and all types of the main entry. A type and a
/// schema of the same name are exported together.
pub(super) fn for_signing(boundary: &Boundary, types: &str) -> String {
    let functions = listed(&boundary.functions)
        .filter(|function| function.is_for_signing && function.name != "checkDocument");
    // Each intent has a form.
    let forms = types.lines().filter(|line| line.contains("requestSchema('"));
    let forms = forms.filter_map(|line| line.strip_prefix("export const ")?.split_once(':'));
    let mut names: Vec<_> = BESIDE.split(' ').map(ToOwned::to_owned).collect();
    names.extend(forms.map(|(name, _)| name.to_owned()));
    names.extend(
        functions.flat_map(|function| [function.name.to_owned(), safe_name(function.name)]),
    );
    names.sort();

    let rows: String = names.chunks(6).map(|row| format!("  {},\n", row.join(", "))).collect();
    format!(
        "// The entry `sendoff/sign`, for a page that checks and signs replies. It has its own WebAssembly module.\n\n\
         export {{\n{rows}}} from './index.js'\n\
         export type * from './index.js'\n"
    )
}

/// The comment of a function: what it does, and when it throws.
fn about(function: &FunctionSchema) -> String {
    let errors = function.errors();
    let throws = if errors == "None." {
        String::new()
    } else {
        format!("\n\n@throws {{@link SendoffError}} {errors}")
    };
    function.sentence() + &throws
}

/// Type parameters, parameters and the type of the answer.
fn signature(
    boundary: &Boundary,
    sides: &Sides<'_>,
    function: &FunctionSchema,
) -> (String, Vec<String>, String) {
    let keyed = by_kind(boundary, function);
    let names: Vec<_> =
        function.arguments.iter().map(|argument| reference(&argument.schema)).collect();
    let is_path = names == [Some("Operation"), Some("Params")];

    let generic = match keyed {
        Some(meanings) => format!("<Kind extends keyof {meanings}>"),
        None if is_path => "<Id extends Operation>".into(),
        None if names.contains(&Some("EstimateRequest")) => "<Type extends string>".into(),
        None => String::new(),
    };

    let parameters = function.arguments.iter().enumerate().map(|(at, argument)| {
        let kind = match reference(&argument.schema) {
            _ if keyed.is_some() && at == 0 => "Kind".into(),
            Some("Operation") if is_path => "Id".into(),
            Some("Params") if is_path => "Document<ParamsOf<Id>>".into(),
            Some("EstimateRequest") => "Document<RequestOf<Type>>".into(),
            _ => accepted(boundary, sides, argument),
        };
        let or_null = if is_header(function, argument) { " | null" } else { "" };
        format!("{}{}: {kind}{or_null}", argument.name, mark(argument))
    });

    let answer = match keyed {
        Some(meanings) => format!("{meanings}[Kind]"),
        None => answered(sides, &function.answer),
    };
    (generic, parameters.collect(), answer)
}

/// The name of a map of answers, if the value of the first argument decides the answer's type.
fn by_kind<'f>(boundary: &Boundary, function: &'f FunctionSchema) -> Option<&'f str> {
    let kinds = resolved(boundary, &function.arguments.first()?.schema)["enum"].as_array()?;
    let answers = resolved(boundary, &function.answer)["properties"].as_object()?;
    let is_keyed = kinds.len() == answers.len()
        && kinds.iter().all(|kind| answers.contains_key(kind.as_str().unwrap_or("")));
    reference(&function.answer).filter(|_| is_keyed)
}

/// The type of an argument.
fn accepted(boundary: &Boundary, sides: &Sides<'_>, argument: &ArgumentSchema) -> String {
    let given = Types { sides, side: Side::Given };
    let schema = resolved(boundary, &argument.schema);
    match argument.form {
        Form::Document if is_closed(boundary, &argument.schema) => {
            format!("Document<{}>", given.type_of(&argument.schema, ""))
        }
        // A document that ignores unknown fields comes from other programs.
        Form::Document | Form::Reply => "unknown".into(),
        Form::Number => given.type_of(schema, ""),
        Form::Text if schema.get("enum").is_some() => reference(&argument.schema)
            .map_or("string".into(), |name| sides.name(name, Side::Answered)),
        Form::Text => "string".into(),
    }
}

/// The type of an answer. All hex has one type.
fn answered(sides: &Sides<'_>, schema: &Value) -> String {
    match reference(schema) {
        Some("HexBytes" | "Word") => "Hex".into(),
        _ if schema["maxProperties"] == 0 => "Record<string, never>".into(),
        _ => Types { sides, side: Side::Answered }.type_of(schema, ""),
    }
}

/// Returns `true` if a document refuses unknown fields.
fn is_closed(boundary: &Boundary, schema: &Value) -> bool {
    let schema = resolved(boundary, schema);
    let each = |key: &str| {
        let parts = list(schema, key);
        !parts.is_empty() && parts.iter().all(|part| is_closed(boundary, part))
    };
    schema["type"] == "null"
        || ["additionalProperties", "unevaluatedProperties"]
            .iter()
            .any(|key| schema.get(*key).is_some())
        || ["oneOf", "anyOf", "allOf"].iter().any(|key| each(key))
}

fn resolved<'s>(boundary: &'s Boundary, schema: &'s Value) -> &'s Value {
    reference(schema).map_or(schema, |name| &boundary.schema["$defs"][name])
}

/// `true` if a document has a part of this definition.
fn has(boundary: &Boundary, schema: &Value, name: &str) -> bool {
    reached(schema::names(schema), &boundary.schema["$defs"]).contains(name)
}

/// The expressions that convert the arguments of a function to text.
fn passed(function: &FunctionSchema, read: impl Fn(&ArgumentSchema) -> &'static str) -> String {
    let arguments = function.arguments.iter().enumerate().map(|(at, argument)| {
        let (read, name) = (read(argument), argument.name);
        let path = if at == 0 { "" } else { name };
        if is_header(function, argument) {
            format!(", ofHeader({name}, '{path}')")
        } else if argument.is_optional {
            format!(", optional({read}, {name}, '{path}')")
        } else if at == 0 || argument.form == Form::Reply {
            // Problems of a reply are findings, not issues, and need no path.
            format!(", {read}({name})")
        } else {
            format!(", {read}({name}, '{path}')")
        }
    });
    arguments.collect()
}

/// `true` for an argument that is the value of a header, which `Headers.get` gives as `null` if it is absent.
fn is_header(function: &FunctionSchema, argument: &ArgumentSchema) -> bool {
    let takes_headers =
        matches!(function.name, "unidentified" | "checkContent" | "readTrace" | "readReply");
    takes_headers && argument.is_optional && argument.form == Form::Text
}

fn mark(argument: &ArgumentSchema) -> &'static str {
    if argument.is_optional { "?" } else { "" }
}

/// The function that returns what this one throws.
fn twin(name: &str) -> String {
    format!(
        "\n/** {{@link {name}}}, with its issues returned. */\n\
         export const {} = /* @__PURE__ */ safe({name})\n",
        safe_name(name),
    )
}

pub(super) fn safe_name(name: &str) -> String {
    format!("safe{}", capital(name))
}

/// The types that the text mentions.
fn names(sides: &Sides<'_>, text: &str) -> Vec<String> {
    let code: String = text
        .lines()
        .filter(|line| !line.starts_with("/**") && !line.starts_with(" *"))
        .collect::<Vec<_>>()
        .join("\n");
    let words: Vec<&str> = code.split(|c: char| !c.is_alphanumeric()).collect();
    let others = ["Document", "Hex", "ParamsOf", "RequestOf"].map(ToOwned::to_owned);
    let mut names: Vec<_> =
        sides.names().chain(others).filter(|name| words.contains(&name.as_str())).collect();
    names.sort();
    names
}

/// A list on one line if it fits, or else with one item per line.
fn wrapped(before: &str, items: &[String], after: &str) -> String {
    let gap = if before.ends_with('{') { " " } else { "" };
    let line = format!("{before}{gap}{}{gap}{after}", items.join(", "));
    if line.chars().count() <= 120 {
        return line;
    }
    let items: String = items.iter().map(|item| format!("  {item},\n")).collect();
    format!("{before}\n{items}{after}")
}
