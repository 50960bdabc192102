//! The map: each sentence of the service's specification has a row, and each row has tests that run.
//! `docs/reference/tables/specification.md` shows it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use crate::{project, tested::Tests};

/// The whole text of the specification, cut into pieces. Each line has the id of a sentence, or `-` for a heading, and its text.
const SENTENCES: &str = "tests/specification/sentences.txt";

/// The specification itself, which is not a part of the project.
const SOURCE: &str = "../shared/spec.md";

const ROWS: &str = "tests/specification/rows.txt";
const DECISIONS: &str = "docs/decisions.md";
const GATEWAY: &str = "crates/sendoff-gateway/gateway.toml";
const APPLICATIONS: &str = "crates/sendoff-gateway/applications.toml";

/// The problems of the rows, and of the sentences themselves if the specification is beside the project.
pub(crate) fn problems(tests: &Tests) -> Result<Vec<String>, String> {
    let (sentences, list) = (project::read(SENTENCES)?, project::read(ROWS)?);
    let (known, decisions) = (known()?, project::read(DECISIONS)?);
    let mut wrong = Vec::new();
    match fs::read_to_string(project::at(SOURCE)) {
        Ok(source) => wrong.extend(difference(&sentences, &source)),
        Err(_) => println!("{SENTENCES}: not compared with {SOURCE}, which is not here"),
    }

    let (mut rows, mut all) = (rows(&list)?, 0_usize);
    for (id, text) in pieces(&sentences).filter(|(id, _)| *id != "-") {
        let mut say = |what: String| wrong.push(format!("{ROWS}: {id}: {what}"));
        let Some([sentence, place, named]) = rows.remove(id) else {
            say(format!("expected one row and one sentence, found another number of: {text}"));
            continue;
        };

        let (count, problems) = tests.check(named);
        all = all.saturating_add(count);
        problems.into_iter().for_each(&mut say);
        if !follows(text, sentence) {
            say(format!("expected the words of: {text}"));
        }
        let decided = place.split("(/decisions#").skip(1);
        let decided: Vec<_> = decided.filter_map(|link| link.split(')').next()).collect();
        // What the specification leaves open needs a decision, and a test only if there is something to test.
        match text.contains("not shown") {
            true if decided.is_empty() => say("expected a link to its decision, found none".into()),
            false if count == 0 => say("no test".into()),
            _ => {}
        }
        for anchor in decided {
            if !decisions.contains(&format!("<a id=\"{anchor}\">")) {
                say(format!("`{anchor}`: {DECISIONS} has no such anchor"));
            }
        }
        for name in place.split('`').skip(1).step_by(2).filter(|name| !known.contains(*name)) {
            say(format!("`{name}`: expected a function, an operation or a key of {GATEWAY}"));
        }
    }
    wrong.extend(rows.keys().map(|id| format!("{ROWS}: {id}: a row for no sentence")));
    println!("{ROWS}: {all} tests");
    Ok(wrong)
}

/// The ids of the sentences, and their texts.
fn pieces(sentences: &str) -> impl Iterator<Item = (&str, &str)> {
    sentences.lines().filter_map(|line| line.split_once(' '))
}

/// The cells of each row after its id: the sentence, its place, and its tests.
fn rows(list: &str) -> Result<BTreeMap<&str, [&str; 3]>, String> {
    let mut rows = BTreeMap::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with("## ")) {
        let cells: Vec<_> = line.split(" | ").map(str::trim).collect();
        let [id, sentence, place, tests] = cells[..] else {
            return Err(format!("{ROWS}: expected four cells, found {}: {line}", cells.len()));
        };
        if rows.insert(id, [sentence, place, tests]).is_some() {
            return Err(format!("{ROWS}: `{id}` has two rows"));
        }
    }
    Ok(rows)
}

/// The first word in which the sentences differ from the specification.
fn difference(sentences: &str, source: &str) -> Option<String> {
    let mut source = source.split_whitespace();
    for word in pieces(sentences).flat_map(|(_, text)| text.split_whitespace()) {
        let found = source.next().unwrap_or("its end");
        if found != word {
            return Some(format!("{SENTENCES}: expected `{word}` in {SOURCE}, found `{found}`"));
        }
    }
    source.next().map(|word| format!("{SOURCE} goes on with `{word}`"))
}

/// Returns `true` if a row says at least the words of the sentence, in their order.
fn follows(sentence: &str, row: &str) -> bool {
    let words = |text: &'_ str| -> Vec<String> {
        let words = text.split(|character: char| !character.is_alphanumeric() && character != '_');
        words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let row = words(row);
    let mut row = row.iter();
    words(sentence).iter().all(|word| row.any(|said| said == word))
}

/// The names that a row can lead to: functions, which have a page of the reference, operations, and keys of the gateway's file.
fn known() -> Result<BTreeSet<String>, String> {
    let file = project::read(GATEWAY)? + &project::read(APPLICATIONS)?;
    let pages = project::files_in(&project::at("docs/reference"), ".md")?;
    let document = project::read("docs/schema/openapi.json")?;

    let is_name = |character: char| character.is_ascii_alphanumeric() || "_.".contains(character);
    let keys =
        file.split('=').filter_map(|before| before.trim_end().rsplit(|end| !is_name(end)).next());
    // A key of a table, with its table and without.
    let keys = keys.flat_map(|key| [key, key.rsplit('.').next().unwrap_or(key)]);
    let tables = file
        .lines()
        .filter(|line| line.starts_with('['))
        .flat_map(|line| line.split(['[', ']', '.']));

    let functions = pages.iter().filter_map(|page| page.file_stem()?.to_str());
    let operations = document.split("\"operationId\": \"").skip(1);
    let operations = operations.filter_map(|rest| rest.split('"').next());
    Ok(keys.chain(tables).chain(functions).chain(operations).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::{difference, follows, rows};

    #[test]
    fn every_word_of_the_specification_is_compared() {
        for (source, expected) in [
            ("# Title\n\nOne is\ntwo.\n| x | y |\n", None),
            ("# Title\nOne is three.\n| x | y |\n", Some("found `three.`")),
            ("# Title\nOne is two.\n", Some("found `its end`")),
            ("# Title\nOne is two.\n| x | y |\nMore.", Some("goes on with `More.`")),
        ] {
            let found = difference("-    # Title\na-1  One is two.\na-2  | x | y |\n", source);
            assert_eq!(found.is_some(), expected.is_some());
            assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()));
        }
    }

    #[test]
    fn a_row_has_the_words_of_its_sentence() {
        assert!(follows("| x | y, 1 |", "`data.x`: y, 1"));
        assert!(!follows("| x | y, 1 |", "`data.x`: 1, y"));
        assert!(!follows("| x | y, 1 |", "`data.x`: y"));
    }

    #[test]
    fn ids_are_used_once() {
        assert!(rows("a | b | c | d\na | b | c | d\n").is_err());
        assert!(rows("a | b | c\n").is_err());
    }
}
