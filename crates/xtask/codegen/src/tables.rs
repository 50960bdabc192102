//! The pages of `docs/reference/tables` that are made of lists: lines of a file, with ` | ` between their cells.

use crate::{project, reference::MADE};

const FOLDER: &str = "docs/reference/tables";

/// The pages, by their paths from the root of the project.
pub(crate) fn pages() -> Result<Vec<(String, String)>, String> {
    let pages = [
        ("specification", specification()?),
        ("dependencies", dependencies()?),
        ("refusals", refusals()?),
        ("gateway", gateway()?),
    ];
    Ok(pages.map(|(name, text)| (format!("{FOLDER}/{name}.md"), format!("{MADE}{text}"))).into())
}

/// The lines of a list, each made by `row` of its cells, with `head` below each title.
fn table(
    file: &str,
    head: &str,
    row: impl Fn(&[&str]) -> Option<String>,
) -> Result<String, String> {
    let list = project::read(file)?;
    let lines = list.lines().filter(|line| !line.is_empty()).map(|line| {
        if let Some(title) = line.strip_prefix("## ") {
            return Ok(format!("\n## {title}\n\n{head}"));
        }
        let cells: Vec<_> = line.split(" | ").map(str::trim).collect();
        row(&cells).ok_or_else(|| format!("{file}: expected another number of cells: {line}"))
    });
    lines.collect()
}

/// The map: each sentence of the service's specification, with its place and its tests.
fn specification() -> Result<String, String> {
    let rows = table(
        "tests/specification/rows.txt",
        "| | sentence | in Sendoff | shown by |\n|---|---|---|---|\n",
        |cells| {
            let [id, sentence, place, tests] = cells else { return None };
            Some(format!("| {id} | {sentence} | {place} | {tests} |\n"))
        },
    )?;
    Ok(format!(
        "# The specification, sentence by sentence\n\nWhat each sentence says, where Sendoff has it, and the tests that show it. \
         Names in the third column are functions of [the reference](/reference), operations, and keys of \
         [the gateway's file](/reference/tables/gateway). What the specification leaves open leads to [its decision](/decisions).\n\n\
         A test in `NAME.json` is a case of `tests/vectors/NAME.json`, which core, WebAssembly and addon answer with the same \
         bytes. `cargo xtask test supply` fails if a sentence has no row, or if a row has no test that runs.\n{rows}"
    ))
}

/// Every direct dependency, with the reason for it.
fn dependencies() -> Result<String, String> {
    let rows = table(
        "crates/xtask/dependencies.txt",
        "| name | where | why |\n|---|---|---|\n",
        |cells| {
            let [name, place, why] = cells else { return None };
            Some(format!("| `{name}` | {place} | {why} |\n"))
        },
    )?;
    Ok(format!(
        "# Dependencies\n\nEvery direct dependency and its reason. For Rust, \"where\" is what users of a crate, the npm package or \
         the gateway get. The npm package itself has no dependency. `cargo xtask test supply` fails for a dependency \
         without a row, and for a row without a dependency.\n{rows}"
    ))
}

/// What `readRefusal` answers to each reason of the published contracts, and to messages of public bundlers.
fn refusals() -> Result<String, String> {
    let head = "| from | code | message | at | next |\n|---|---|---|---|---|\n";
    let rows = table("tests/chain/refusals.txt", head, |cells| match cells {
        [reason, versions, at, next] => {
            Some(format!("| EntryPoint {versions} | | {reason} | {at} | {next} |\n"))
        }
        [bundler, code, message, at, next] => {
            Some(format!("| {bundler} | {code} | {message} | {at} | {next} |\n"))
        }
        _ => None,
    })?;
    Ok(format!(
        "# Refusals of bundlers\n\nWhat [`readRefusal`](/reference/readRefusal) answers to every reason in the sources of the \
         published EntryPoint contracts, and to messages in the sources of [Alto](https://github.com/pimlicolabs/alto) (b2bc09c6) \
         and [Rundler](https://github.com/alchemyplatform/rundler) (6db381f4), August 2026. Tests compare it with these sources \
         and with the core. [Retries](/retries#when-a-bundler-refuses) says what to do next.\n{rows}"
    ))
}

/// The example of the gateway's file, which has every key.
fn gateway() -> Result<String, String> {
    Ok(format!(
        "# Keys of the gateway\n\nThe example file `crates/sendoff-gateway/gateway.toml` has every key with its default and its \
         meaning. [Operators](/start/gateway) says what to decide before production.\n\n```toml\n{}```\n",
        project::read("crates/sendoff-gateway/gateway.toml")?
    ))
}
