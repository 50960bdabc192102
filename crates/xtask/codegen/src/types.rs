//! TypeScript types of the documents and answers, from their schemas, and a Standard Schema for
//! each input document.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::schema::{bounds, fields, is_required, is_text, list, pascal, reference, sentence};
use super::sides::{Side, Sides};

/// The types that no schema describes.
const HEAD: &str = "\
// The documents and answers. The core checks inputs, so the types of inputs only help an editor:
// they accept any string where the core reads text. Answers have exact types. A document that is
// both input and answer has two types. The type of the answer is named `Answered…`. Hex in an
// answer keeps the letter case of the input, unless a field's description differs.
//
// Each input document is also a value: a schema for libraries that accept a Standard Schema. Value
// and type are declared in one file, so that TypeScript merges them under one name. A page that
// uses no schema bundles none.

import type { Issue } from './error.js'
import * as json from './kinds.js'
import type { OPERATIONS } from './operations.js'
import { requestSchema, schema, type Schema } from './schema.js'

/** A document: a value, or its JSON text. Duplicate keys in text are refused. */
export type Document<T> = T | string

/** `0x` and hex digits. It is the `Hex` of viem and ox, and an address is their `Address`. */
export type Hex = `0x${string}`

/** An operation of the service: a row of {@link OPERATIONS}. */
export type OperationRow = (typeof OPERATIONS)[number]

/** The path parameters of an operation; any parameters if the type is the general `Operation`. */
export type ParamsOf<Id extends Operation> = Operation extends Id
  ? Params
  : Named<Extract<OperationRow, { readonly id: Id }>['parameters'][number]>

type Named<Name extends string> = [Name] extends [never] ? Record<string, never> : { readonly [Key in Name]: string }

/**
 * A request of the intent that its `type` names. In an object without a declared type, or in imported JSON, TypeScript knows
 * `type` only as a string. It then checks the fields that are present, and the core finds the missing ones.
 */
export type RequestOf<Type extends string> = { readonly type: Type } & (string extends Type
  ? Omit<EstimateRequest, 'type' | 'details'> & { readonly details: SomeOf<EstimateRequest['details']> }
  : Extract<EstimateRequest, { readonly type: Type }>)

type SomeOf<Union> = { readonly [Key in Union extends unknown ? keyof Union : never]?: In<Union, Key> | undefined }
type In<Union, Key extends PropertyKey> = Union extends { readonly [Own in Key]: infer Value } ? Value : never
";

/// Definitions in other files: the table of operations is a constant, and `error.ts` throws issues.
const ELSEWHERE: [&str; 6] = ["Error", "Issue", "IssueCode", "Method", "OperationRow", "Side"];

const WIDTH: usize = 120;

/// Every definition as a type, or as one for each side.
pub(super) fn types(sides: &Sides<'_>) -> String {
    let documents = list(&sides.definitions["DocumentKind"], "enum");
    let mut text = HEAD.to_owned();
    let definitions = sides.definitions.as_object().into_iter().flatten();
    for (name, schema) in definitions.filter(|(name, _)| !ELSEWHERE.contains(&name.as_str())) {
        for side in sides.of(name) {
            let types = Types { sides, side: *side };
            text.push('\n');
            types.definition(&mut text, name, schema);
            if sides.of(name).first() == Some(side)
                && documents.iter().any(|document| document == name)
            {
                let _ = writeln!(
                    text,
                    "\nexport const {name}: Schema<{name}> = /* @__PURE__ */ schema('{name}', json.{name})"
                );
            }
        }
    }
    text
}

/// The types of one side.
pub(super) struct Types<'s> {
    pub(super) sides: &'s Sides<'s>,
    pub(super) side: Side,
}

impl Types<'_> {
    pub(super) fn definition(&self, text: &mut String, name: &str, schema: &Value) {
        let requests = self.requests(schema);
        let document = name;
        for (name, request) in &requests {
            comment(text, "", &said(request));
            // Writing to a string does not fail.
            let _ = writeln!(text, "export interface {name} {}\n", self.object(request, ""));
            let kind = request["properties"]["type"]["const"].as_str().unwrap_or_default();
            let form = pascal(kind);
            let _ = writeln!(
                text,
                "export const {name}: Schema<{name}> = /* @__PURE__ */ requestSchema('{kind}', json.{document}{form})\n"
            );
        }

        comment(text, "", &said(schema));
        let schema = &any_of_its_names(name, schema);
        let name = self.sides.name(name, self.side);

        // A compiler's messages show the name of an interface. An interface is no record, and
        // viem's typed data consists of records.
        let is_interface = schema["type"] == "object"
            && !name.starts_with("TypedData")
            && schema.get("properties").is_some()
            && ["oneOf", "anyOf", "allOf", "dependentRequired"]
                .iter()
                .all(|key| schema.get(*key).is_none());
        let line = if !requests.is_empty() {
            let names: Vec<_> = requests.into_iter().map(|(name, _)| name).collect();
            format!("export type {name} = {}\n", alternatives(&names, ""))
        } else if is_interface {
            format!("export interface {name} {}\n", self.object(schema, ""))
        } else {
            format!("export type {name} = {}\n", self.type_of(schema, "")).replace("= \n", "=\n")
        };
        text.push_str(&line);
    }

    /// The variants of a request document, named by their details. A form uses one variant, and for one variant a compiler's
    /// message names the wrong field.
    fn requests(&self, schema: &Value) -> Vec<(String, Value)> {
        let Some(common) = schema["properties"].as_object().filter(|_| self.side == Side::Given)
        else {
            return Vec::new();
        };
        let request = |variant: &Value| {
            let details = reference(&variant["properties"]["details"])?;
            let mut properties = variant["properties"].as_object()?.clone();
            properties.extend(common.clone());
            let required = [list(variant, "required"), list(schema, "required")].concat();
            let kind = &variant["properties"]["type"]["const"];
            let sentence = format!("{} Its type is `{}`.", sentence(schema), kind.as_str()?);
            let request = json!({
                "description": sentence, "properties": properties, "required": required, "additionalProperties": false,
            });
            Some((format!("{details}Request"), request))
        };

        list(schema, "oneOf").iter().filter_map(request).collect()
    }

    /// The type of a schema, its lines indented by `margin`.
    pub(super) fn type_of(&self, schema: &Value, margin: &str) -> String {
        let mut parts: Vec<_> =
            reference(schema).map(|name| self.referred(name)).into_iter().collect();
        parts.extend(list(schema, "allOf").iter().map(|part| self.type_of(part, margin)));

        if let Some(value) = schema.get("const") {
            return literal(value);
        }
        if schema["not"] == json!({}) {
            return "undefined".into();
        }

        if let Some(values) = schema["enum"].as_array() {
            let values: Vec<_> = values.iter().map(literal).collect();
            return alternatives(&values, margin);
        }

        // Text of an input is `string`, with the name of its document.
        let is_named = self.side == Side::Given && !parts.is_empty();
        if schema.get("properties").is_some() && !is_named {
            parts.push(self.object(schema, margin));
            parts.extend(self.together(schema, margin));
        }

        let variants = [list(schema, "oneOf"), list(schema, "anyOf")].concat();
        if !variants.is_empty() {
            let union = self.union(&variants, margin);
            let is_alone = parts.is_empty();
            let end = if union.contains('\n') { format!("\n{margin}") } else { String::new() };
            parts.push(if is_alone { union } else { format!("({union}{end})") });
        }

        if parts.is_empty() { self.plain(schema, margin) } else { parts.join(" & ") }
    }

    /// The type of a definition that a schema refers to.
    fn referred(&self, name: &str) -> String {
        let schema = &self.sides.definitions[name];
        match self.side == Side::Given && is_text(schema) {
            true if schema.get("enum").is_some() => format!("{name} | (string & {{}})"),
            true if !list(schema, "anyOf").iter().any(is_open) => "string".into(),
            _ => self.sides.name(name, self.side),
        }
    }

    /// The description of a field, with the form of its text if the type does not show it.
    fn said(&self, property: &Value) -> String {
        let definition = reference(property).filter(|name| self.referred(name) == "string");
        let text = definition.map_or("", |name| sentence(&self.sides.definitions[name]));
        [&said(property), text].map(str::trim).join(" ").trim().into()
    }

    /// A type without components.
    fn plain(&self, schema: &Value, margin: &str) -> String {
        let one = |kind: &Value| match kind.as_str() {
            Some("string") => match self.side {
                Side::Given => "string".into(),
                Side::Answered => template(schema["pattern"].as_str().unwrap_or_default()),
            },
            Some("integer" | "number") => "number".into(),
            Some("boolean") => "boolean".into(),
            Some("null") => "null".into(),
            Some("array") if schema["maxItems"] == 0 => "readonly []".into(),
            Some("array") => match self.type_of(&schema["items"], margin) {
                item if item.contains([' ', '{']) => format!("readonly ({item})[]"),
                item => format!("readonly {item}[]"),
            },
            Some("object") => {
                let key = reference(&schema["propertyNames"])
                    .map_or("string".into(), |name| self.referred(name));
                format!(
                    "{{ readonly [key: {key}]: {} }}",
                    self.type_of(&schema["additionalProperties"], margin)
                )
            }
            _ if schema.get("pattern").is_some() => {
                template(schema["pattern"].as_str().unwrap_or_default())
            }
            _ => "unknown".into(),
        };
        match &schema["type"] {
            Value::Array(kinds) => kinds.iter().map(one).collect::<Vec<_>>().join(" | "),
            kind => one(kind),
        }
    }

    /// The variants of a union. If it accepts any text, editors still suggest the known texts.
    fn union(&self, variants: &[Value], margin: &str) -> String {
        let deeper = format!("{margin}  ");
        let deepest = format!("{margin}    ");
        let shown = |variant: &Value| match is_open(variant) {
            true => "(string & {})".into(),
            false => self.type_of(&apart(variant, variants), &deepest),
        };
        let types: Vec<_> = variants.iter().map(shown).collect();

        if types.iter().all(|variant| !variant.contains('\n')) {
            return alternatives(&types, margin);
        }

        let lines = variants.iter().zip(types).map(|(variant, text)| {
            let mut line = String::from("\n");
            comment(&mut line, &deeper, sentence(variant));
            line + &format!("{deeper}| {text}")
        });
        lines.collect()
    }

    /// The fields of an object, except those that depend on others.
    fn object(&self, schema: &Value, margin: &str) -> String {
        let apart = groups(schema).concat();
        let properties = fields(schema, "properties");
        self.fields(schema, properties.filter(|(key, _)| !apart.contains(&key.as_str())), margin)
    }

    fn fields<'a>(
        &self,
        schema: &Value,
        properties: impl Iterator<Item = (&'a String, &'a Value)>,
        margin: &str,
    ) -> String {
        let deeper = format!("{margin}  ");
        let is_closed = [schema.get("additionalProperties"), schema.get("unevaluatedProperties")];
        // A field of an input may be undefined; a field of an answer is not.
        let or_undefined =
            if is_closed.contains(&Some(&Value::Bool(false))) { " | undefined" } else { "" };
        let mut text = String::from("{\n");

        for (key, property) in properties {
            comment(&mut text, &deeper, &self.said(property));
            let name = if key.contains('-') { format!("'{key}'") } else { key.clone() };
            let (mark, or_undefined) =
                if is_required(schema, key) { ("", "") } else { ("?", or_undefined) };
            let kind = self.type_of(property, &deeper);
            let or_undefined = if kind == "undefined" { "" } else { or_undefined };
            let line = format!("{deeper}readonly {name}{mark}: {kind}{or_undefined}")
                .replace(": \n", ":\n");
            let _ = writeln!(text, "{line}");
        }

        text + margin + "}"
    }

    /// Fields that are present together or absent together, and the fields that require one of them.
    fn together(&self, schema: &Value, margin: &str) -> Vec<String> {
        let (deeper, deepest) = (format!("{margin}  "), format!("{margin}    "));
        let needed =
            fields(schema, "dependentRequired").filter_map(|(_, needed)| needed.as_array());
        let mut there = schema.clone();
        there["required"] = needed.flatten().cloned().collect();

        let group = |group: Vec<&str>| {
            let own = fields(schema, "properties").filter(|(key, _)| group.contains(&key.as_str()));
            let some = self.fields(&there, own, &deepest);
            let none = group.iter().map(|key| format!("{deepest}  readonly {key}?: undefined\n"));
            let none: String = none.collect();
            format!("(\n{deeper}| {some}\n{deeper}| {{\n{none}{deepest}}}\n{margin})")
        };
        groups(schema).into_iter().map(group).collect()
    }
}

/// The types of typed data as a map by name: from the names of members viem would infer the types of the message, and would find
/// text where it has bigints.
fn any_of_its_names(name: &str, schema: &Value) -> Value {
    match &schema["properties"]["PackedUserOperation"] {
        members if name == "TypedDataTypes" => {
            json!({ "type": "object", "additionalProperties": { "type": "array", "items": members["items"] } })
        }
        _ => schema.clone(),
    }
}

/// Any text, with suggestions for known texts.
fn is_open(variant: &Value) -> bool {
    variant.get("pattern").is_some() && variant.get("not").is_some()
}

/// A variant in which the fields of other variants are undefined, so that they can be read without a type check.
fn apart(variant: &Value, variants: &[Value]) -> Value {
    let mut variant = variant.clone();
    if variant["additionalProperties"] == false {
        let others = variants.iter().flat_map(|other| fields(other, "properties"));
        for (key, _) in others {
            if variant["properties"].get(key).is_none() {
                variant["properties"][key] = json!({ "not": {} });
            }
        }
    }
    variant
}

/// Alternatives, on one line if they fit.
fn alternatives(types: &[String], margin: &str) -> String {
    let line = types.join(" | ");
    if line.len() < WIDTH.saturating_sub(40) {
        return line;
    }
    types.iter().map(|variant| format!("\n{margin}  | {variant}")).collect()
}

/// The fields that depend on each other, in groups.
fn groups(schema: &Value) -> Vec<Vec<&str>> {
    let mut groups = Vec::new();
    for (key, _) in fields(schema, "dependentRequired") {
        let needed = list(&schema["dependentRequired"], key);
        let names = fields(schema, "properties").map(|(name, _)| name.as_str());
        let group: Vec<_> =
            names.filter(|name| *name == key || needed.contains(&(*name).into())).collect();
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

/// The part of a pattern that a type can express: a prefix, or a colon.
pub(super) fn template(pattern: &str) -> String {
    let begin: String = pattern
        .trim_start_matches('^')
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == ':')
        .collect();
    match begin.as_str() {
        "" if pattern.contains("}:[") => "`${string}:${string}`".into(),
        "" => "string".into(),
        "0x" => "Hex".into(),
        begin => format!("`{begin}${{string}}`"),
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{text}'"),
        other => other.to_string(),
    }
}

/// The description of a schema, with the limits of a number.
fn said(schema: &Value) -> String {
    [sentence(schema), bounds(schema).as_str()].join(" ").trim().into()
}

/// A comment, on one line if it fits.
pub(super) fn comment(text: &mut String, margin: &str, sentence: &str) {
    if sentence.is_empty() {
        return;
    }

    let single = format!("{margin}/** {sentence} */\n");
    if !sentence.contains('\n') && single.chars().count() <= WIDTH.saturating_add(1) {
        text.push_str(&single);
        return;
    }

    let _ = writeln!(text, "{margin}/**");
    for paragraph in sentence.lines() {
        let hang = if paragraph.starts_with("- ") { "  " } else { "" };
        let mut line = format!("{margin} *");
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            if line.chars().count().saturating_add(word.chars().count()) >= WIDTH {
                let _ = writeln!(text, "{line}");
                line = format!("{margin} *{hang}");
            }
            line.push(' ');
            line.push_str(word);
        }
        let _ = writeln!(text, "{line}");
    }

    let _ = writeln!(text, "{margin} */");
}
