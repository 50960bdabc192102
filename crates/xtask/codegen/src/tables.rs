//! The pages of `docs/reference/tables` that are made of lists: lines of a file, with ` | ` between their cells.

use crate::{project, reference::MADE};

/// A page: its name, what is before its rows, its list, the head of a table, and a row of cells.
type Page = (&'static str, &'static str, &'static str, &'static str, fn(&[&str]) -> String);

const PAGES: [Page; 3] = [
    // The map: each sentence of the service's specification, with its place and its tests.
    (
        "specification",
        "# The specification, sentence by sentence\n\nWhat each sentence says, where Sendoff has it, and the tests that show it. \
         Names in the third column are functions of [the reference](/reference), operations, and keys of \
         [the gateway's file](/reference/tables/gateway). What the specification leaves open leads to [its decision](/decisions).\n\n\
         A test in `NAME.json` is a case of `tests/vectors/NAME.json`, which core, WebAssembly and addon answer with the same \
         bytes. `cargo xtask test supply` fails if a sentence has no row, or if a row has no test that runs.\n",
        "tests/specification/rows.txt",
        "| | sentence | in Sendoff | shown by |\n|---|---|---|---|\n",
        |cells| cells.join(" | "),
    ),
    (
        "dependencies",
        "# Dependencies\n\nEvery direct dependency and its reason. For Rust, \"where\" is what users of a crate, the npm package or \
         the gateway get. The npm package itself has no dependency. `cargo xtask test supply` fails for a dependency \
         without a row, and for a row without a dependency.\n",
        "crates/xtask/dependencies.txt",
        "| name | where | why |\n|---|---|---|\n",
        |cells| format!("`{}` | {}", cells[0], cells[1..].join(" | ")),
    ),
    // What `readRefusal` answers to each reason of the published contracts, which have no code, and to messages of public bundlers.
    (
        "refusals",
        "# Refusals of bundlers\n\nWhat [`readRefusal`](/reference/readRefusal) answers to every reason in the sources of the \
         published EntryPoint contracts, and to messages in the sources of [Alto](https://github.com/pimlicolabs/alto) (b2bc09c6) \
         and [Rundler](https://github.com/alchemyplatform/rundler) (6db381f4), August 2026. Tests compare it with these sources \
         and with the core. [Retries](/retries#when-a-bundler-refuses) says what to do next.\n",
        "tests/chain/refusals.txt",
        "| from | code | message | at | next |\n|---|---|---|---|---|\n",
        |cells| match cells {
            [reason, versions, at, next] => {
                format!("EntryPoint {versions} | | {reason} | {at} | {next}")
            }
            cells => cells.join(" | "),
        },
    ),
];

/// The pages, by their paths from the root of the project.
pub(crate) fn pages() -> Result<Vec<(String, String)>, String> {
    // The example of the gateway's file has every key.
    let gateway = format!(
        "# Keys of the gateway\n\nThe example file `crates/sendoff-gateway/gateway.toml` has every key with its default and its \
         meaning. [Operators](/start/gateway) says what to decide before production.\n\n```toml\n{}```\n",
        project::read("crates/sendoff-gateway/gateway.toml")?
    );
    let mut pages = vec![("gateway", gateway)];
    for (name, about, list, head, row) in PAGES {
        let list = project::read(list)?;
        let lines = list.lines().filter(|line| !line.is_empty());
        let rows = lines.map(|line| match line.strip_prefix("## ") {
            Some(title) => format!("\n## {title}\n\n{head}"),
            None => {
                let cells: Vec<_> = line.split(" | ").map(str::trim).collect();
                format!("| {} |\n", row(&cells))
            }
        });
        pages.push((name, about.to_owned() + &rows.collect::<String>()));
    }
    let file = |name| format!("docs/reference/tables/{name}.md");
    Ok(pages.into_iter().map(|(name, text)| (file(name), format!("{MADE}{text}"))).collect())
}
