//! The tables of the classes in `docs/reference/tables/bypass.md`.

use std::fmt::Write;

use crate::classes::{Class, GROUPS, Source, all};

/// The tables of today's classes, one for each group.
#[must_use]
pub fn tables() -> String {
    let mut tables = format!("\n{} classes.\n", all().count());
    for group in GROUPS {
        write!(
            tables,
            "\n## {}\n\n| class | the attack | seen at | refused by |\n|---|---|---|---|\n",
            group.title
        )
        .unwrap();
        for class in group.classes {
            let Class { name, about, seen, refused_by, .. } = class;
            let link = |source: &Source| format!("[{}]({})", source.title(), source.url());
            let seen = seen.iter().map(link).collect::<Vec<_>>().join("; ");
            writeln!(tables, "| `{name}` | {about} | {seen} | {refused_by} |").unwrap();
        }
    }
    tables + "\n"
}
