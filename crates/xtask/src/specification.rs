//! The map: each sentence of the service's specification has a row, and each row has tests that run.
//! `docs/reference/tables/specification.md` shows it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use crate::{
    Outcome, project,
    tested::{Tests, none},
};

/// The whole text of the specification, cut into pieces. Each line has the id of a sentence, or `-` for a heading, and its text.
const SENTENCES: &str = "tests/specification/sentences.txt";

/// The specification itself, which is not a part of the project.
const SOURCE: &str = "../shared/spec.md";

const ROWS: &str = "tests/specification/rows.txt";
const DECISIONS: &str = "docs/decisions.md";
const GATEWAY: &str = "crates/sendoff-gateway/gateway.toml";
const APPLICATIONS: &str = "crates/sendoff-gateway/applications.toml";

/// A piece of the specification.
struct Piece<'t> {
    /// `None` if it promises nothing.
    id: Option<&'t str>,
    text: &'t str,
}

impl Piece<'_> {
    /// A sentence about what the specification leaves open. It needs a decision, and a test only if there is something to test.
    fn is_open(&self) -> bool {
        self.text.contains("not shown")
    }
}

/// The cells of a row, after its id.
struct Row<'t> {
    sentence: &'t str,
    place: &'t str,
    tests: &'t str,
}

/// Checks the rows, and the sentences themselves if the specification is beside the project.
pub(crate) fn check(tests: &Tests) -> Outcome {
    let (sentences, list) = (project::read(SENTENCES)?, project::read(ROWS)?);
    let pieces = pieces(&sentences)?;

    match fs::read_to_string(project::at(SOURCE)) {
        Ok(source) => {
            none(SENTENCES, &difference(&pieces, &source).into_iter().collect::<Vec<_>>())?
        }
        Err(_) => println!("{SENTENCES}: not compared with {SOURCE}, which is not here"),
    }

    let rows = rows(&list)?;
    let (known, decisions) = (known()?, project::read(DECISIONS)?);
    let (mut wrong, mut all) = (Vec::new(), 0_usize);
    let mut unused: BTreeSet<_> = rows.keys().copied().collect();
    for (id, piece) in pieces.iter().filter_map(|piece| Some((piece.id?, piece))) {
        let Some(row) = rows.get(id) else {
            wrong.push(format!("{id}: no row for: {}", piece.text));
            continue;
        };
        unused.remove(id);

        let (count, mut problems) = tests.check(row.tests);
        all = all.saturating_add(count);
        let decided: Vec<_> = row
            .place
            .split("(/decisions#")
            .skip(1)
            .filter_map(|link| link.split(')').next())
            .collect();
        if !follows(piece.text, row.sentence) {
            problems.push(format!("expected the words of: {}", piece.text));
        }
        if piece.is_open() && decided.is_empty() {
            problems.push("expected a link to its decision, found none".into());
        }
        if !piece.is_open() && count == 0 {
            problems.push("no test".into());
        }
        for anchor in
            decided.iter().filter(|anchor| !decisions.contains(&format!("<a id=\"{anchor}\">")))
        {
            problems.push(format!("`{anchor}`: {DECISIONS} has no such anchor"));
        }
        for name in row.place.split('`').skip(1).step_by(2).filter(|name| !known.contains(*name)) {
            problems
                .push(format!("`{name}`: expected a function, an operation or a key of {GATEWAY}"));
        }
        wrong.extend(problems.into_iter().map(|problem| format!("{id}: {problem}")));
    }
    wrong.extend(unused.iter().map(|id| format!("{id}: a row for no sentence")));
    println!("{ROWS}: {} sentences, {all} tests", rows.len());
    none(ROWS, &wrong)
}

fn pieces(text: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut ids = BTreeSet::new();
    text.lines()
        .map(|line| {
            let (id, text) = line
                .split_once(' ')
                .ok_or(format!("{SENTENCES}: expected an id and a text, found `{line}`"))?;
            let id = (id != "-").then_some(id);
            match id {
                Some(id) if !ids.insert(id) => Err(format!("{SENTENCES}: `{id}` is used twice")),
                id => Ok(Piece { id, text: text.trim() }),
            }
        })
        .collect()
}

fn rows(list: &str) -> Result<BTreeMap<&str, Row<'_>>, String> {
    let mut rows = BTreeMap::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with("## ")) {
        let cells: Vec<_> = line.split(" | ").map(str::trim).collect();
        let [id, sentence, place, tests] = cells[..] else {
            return Err(format!("{ROWS}: expected four cells, found {}: {line}", cells.len()));
        };
        if rows.insert(id, Row { sentence, place, tests }).is_some() {
            return Err(format!("{ROWS}: `{id}` has two rows"));
        }
    }
    Ok(rows)
}

/// The first word in which the pieces differ from the specification.
fn difference(pieces: &[Piece<'_>], source: &str) -> Option<String> {
    let mut source = source.split_whitespace();
    let words = pieces
        .iter()
        .flat_map(|piece| piece.text.split_whitespace().map(move |word| (piece, word)));
    for (piece, word) in words {
        let found = source.next();
        if found != Some(word) {
            let found = found.unwrap_or("its end");
            return Some(format!(
                "`{}`: expected `{word}` as in the file, found `{found}` in {SOURCE}",
                piece.text
            ));
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
    use super::{difference, follows, pieces, rows};

    const SENTENCES: &str = "-    # Title\na-1  One is two.\na-2  | x | y |\n";

    #[test]
    fn every_word_of_the_specification_is_compared() {
        let pieces = pieces(SENTENCES).unwrap();
        assert_eq!(difference(&pieces, "# Title\n\nOne is\ntwo.\n| x | y |\n"), None);
        assert!(
            difference(&pieces, "# Title\nOne is three.\n| x | y |\n")
                .unwrap()
                .contains("found `three.`")
        );
        assert!(difference(&pieces, "# Title\nOne is two.\n").unwrap().contains("found `its end`"));
        assert!(
            difference(&pieces, "# Title\nOne is two.\n| x | y |\nMore.")
                .unwrap()
                .contains("goes on with `More.`")
        );
    }

    #[test]
    fn a_row_has_the_words_of_its_sentence() {
        assert!(follows("| x | y, 1 |", "`data.x`: y, 1"));
        assert!(!follows("| x | y, 1 |", "`data.x`: 1, y"));
        assert!(!follows("| x | y, 1 |", "`data.x`: y"));
    }

    #[test]
    fn ids_are_used_once() {
        assert!(pieces("a-1  One.\na-1  Two.\n").is_err());
        assert!(rows("a | b | c | d\na | b | c | d\n").is_err());
        assert!(rows("a | b | c\n").is_err());
    }
}
