//! The names of functions and documents in Rust, as `crates/sendoff/api.txt` has them.

use std::collections::BTreeSet;

use sendoff::schema::FunctionSchema;

use crate::{project, schema::apart};

/// The public paths of the crate, without `sendoff::`.
pub(super) struct RustNames {
    types: BTreeSet<String>,
    others: BTreeSet<String>,
}

impl RustNames {
    pub(super) fn read() -> Result<Self, String> {
        let text = project::read("crates/sendoff/api.txt")?;
        let (mut types, mut others) = (BTreeSet::new(), BTreeSet::new());

        for line in text.lines() {
            let Some((kind, rest)) = line.split_once(" sendoff::") else { continue };
            let path: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || "_:".contains(*c)).collect();
            let names = match kind {
                "pub struct" | "pub enum" | "pub type" => &mut types,
                "pub mod" | "pub fn" | "pub const fn" | "pub const" => &mut others,
                _ => continue,
            };
            names.insert(path.trim_end_matches(':').to_owned());
        }

        Ok(Self { types, others })
    }

    /// The path of a document's type; `None` for a document that has none, which is JSON text.
    pub(super) fn of_type(&self, name: &str) -> Option<String> {
        shortest(&self.types, name)
    }

    /// The names of a function for types, which its documentation links to.
    pub(super) fn typed(&self, function: &FunctionSchema) -> String {
        let (about, _) = function.doc.split_once("# Errors").unwrap_or((function.doc, ""));
        let links = about
            .split("[`")
            .skip(1)
            .filter_map(|rest| rest.split_once("`]"))
            .map(|(link, _)| link);
        let paths = links.filter(|link| link.contains(|c: char| c.is_uppercase() || c == ':')).map(
            |link| {
                let link = link.trim_start_matches("crate::");
                let path = shortest(&self.others, link).or_else(|| shortest(&self.types, link));
                format!("`{}`", path.unwrap_or_else(|| format!("sendoff::{link}")))
            },
        );
        let paths = paths.collect::<Vec<_>>().join(", ");
        if paths.is_empty() { "text only".into() } else { paths }
    }

    /// The name of a function for text.
    pub(super) fn of_text(function: &FunctionSchema, is_of_signatures: bool) -> String {
        let module = if is_of_signatures { "json::signature" } else { "json" };
        format!("sendoff::{module}::{}", apart(function.name, '_'))
    }
}

/// The shortest path that ends with this name, of whole segments.
fn shortest(paths: &BTreeSet<String>, name: &str) -> Option<String> {
    let is_end = |path: &&String| {
        path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    paths.iter().filter(is_end).min_by_key(|path| path.len()).map(|path| format!("sendoff::{path}"))
}
