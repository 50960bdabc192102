//! The sentences of the boundary's functions, read where they stand: in the doc comments of `sendoff::json`.

use std::collections::BTreeMap;

use sendoff::schema::sentence;
use syn::{Expr, ExprLit, Item, ItemFn, Lit, Meta, Visibility};

/// What a function's doc comment says.
pub(super) struct Said {
    /// What it is.
    pub(super) sentence: String,
    /// When it fails.
    pub(super) errors: String,
    /// How many arguments it takes.
    pub(super) arguments: usize,
}

/// Every public function of the boundary, by its name in JavaScript.
pub(super) fn functions() -> Result<BTreeMap<String, Said>, String> {
    let file = syn::parse_file(include_str!("../../../sendoff/src/json.rs")).map_err(|error| error.to_string())?;
    let functions = file.items.into_iter().filter_map(|item| match item {
        Item::Fn(function) if matches!(function.vis, Visibility::Public(_)) => Some(function),
        _ => None,
    });
    let functions: Vec<_> = functions.collect();
    let names: Vec<_> = functions.iter().map(|function| function.sig.ident.to_string()).collect();
    Ok(functions.iter().map(|function| (camel(&function.sig.ident.to_string()), said(function, &names))).collect())
}

fn said(function: &ItemFn, names: &[String]) -> Said {
    let doc = doc(function);
    let (text, errors) = doc.split_once("# Errors").unwrap_or((&doc, ""));
    let plain = |text: &str| {
        let in_rust = |text: String, name: &String| text.replace(&format!("`{name}`"), &format!("`{}`", camel(name)));
        names.iter().fold(sentence(text), in_rust)
    };
    Said { sentence: plain(text), errors: plain(errors), arguments: function.sig.inputs.len() }
}

fn doc(function: &ItemFn) -> String {
    let lines = function.attrs.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(named) if named.path.is_ident("doc") => match &named.value {
            Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) => Some(line.value()),
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |camel, word| {
        let (initial, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        camel + &initial.to_uppercase() + rest
    })
}
