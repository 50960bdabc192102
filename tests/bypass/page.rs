//! The table of the classes in `docs/reference/tables/bypass.md`.

use std::fmt::Write;

use crate::classes::{Class, GROUPS, Source, all};

/// The lines between which the table stands.
const START: &str = "<!-- The classes: `cargo xtask codegen` writes them -->\n";
const END: &str = "<!-- End of the classes -->\n";

/// The page with the table of today's classes.
///
/// # Panics
///
/// If the page has no place for the table.
#[must_use]
pub fn page(text: &str) -> String {
    let (before, rest) = text.split_once(START).expect("the start of the table");
    let (_, after) = rest.split_once(END).expect("the end of the table");
    let mut table = format!("\n{} classes.\n", all().count());
    for group in GROUPS {
        write!(
            table,
            "\n### {}\n\n| class | the attack | seen at | refused by |\n|---|---|---|---|\n",
            group.title
        )
        .unwrap();
        for class in group.classes {
            let Class { name, about, seen, refused_by, .. } = class;
            let link = |source: &Source| format!("[{}]({})", source.title(), source.url());
            let seen = seen.iter().map(link).collect::<Vec<_>>().join("; ");
            writeln!(table, "| `{name}` | {about} | {seen} | {refused_by} |").unwrap();
        }
    }
    format!("{before}{START}{table}\n{END}{after}")
}
