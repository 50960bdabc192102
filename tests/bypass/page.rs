//! The tables of the classes in `docs/reference/tables/bypass.md`.

use std::fmt::Write;

use serde_json::Value;

use crate::classes::{GROUPS, Group, Source, all};
use crate::file::committed;
use crate::{Case, Class};

/// The tables of today's classes, one for each group.
#[must_use]
pub fn tables() -> String {
    let mut tables = format!("\n{} classes.\n", all().count());
    for Group { title, classes } in GROUPS {
        let head = "| class | the attack | seen at | expected |\n|---|---|---|---|\n";
        write!(tables, "\n## {title}\n\n{head}").unwrap();
        for class in *classes {
            let Class { name, about, seen, .. } = class;
            let links = seen.iter().map(Source::link);
            let seen: Vec<_> = links.map(|(title, url)| format!("[{title}]({url})")).collect();
            let mut expected: Vec<_> = committed(class).map(|(_, case)| expected(&case)).collect();
            expected.dedup();
            let (seen, expected) = (seen.join("; "), expected.join("; "));
            writeln!(tables, "| `{name}` | {about} | {seen} | {expected} |").unwrap();
        }
    }
    tables + "\n"
}

/// The key of what must become of a case, and its texts.
fn expected(case: &Case) -> String {
    let judgement = case.judgement.to_json();
    let (key, content) = judgement.as_object().unwrap().iter().next().unwrap();
    let texts = content.as_object().into_iter().flat_map(|fields| fields.values());
    let texts: String = texts.filter_map(Value::as_str).map(|text| format!(" `{text}`")).collect();
    key.clone() + &texts.replace(" ``", " at the root")
}
