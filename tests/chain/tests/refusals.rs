//! `refusals.txt` and its page in the reference: every reason of the published EntryPoint contracts, and messages of public
//! bundlers.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, path::Path};

use sendoff::user_op::BundlerError;

fn at(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The rows of the list with this number of columns.
fn rows(columns: usize) -> Vec<Vec<String>> {
    let list = fs::read_to_string(at("refusals.txt")).unwrap();
    let cells = |line: &str| -> Vec<String> {
        line.split(" | ").map(|cell| cell.trim().to_owned()).collect()
    };
    list.lines().map(cells).filter(|row| row.len() == columns).collect()
}

fn read(code: i64, message: &str) -> [String; 2] {
    let refusal = BundlerError { code, message: message.into(), data: None }.refusal();
    [refusal.at.to_string(), refusal.next.to_string()]
}

/// The texts that begin with a reason in the Solidity files of a folder.
fn reasons(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            reasons(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "sol") {
            let source = fs::read_to_string(&path).unwrap();
            let texts = source.split('"').filter(|text| {
                let number = text.strip_prefix("AA").and_then(|rest| rest.get(..2));
                number.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
            });
            found.extend(texts.map(|text| text.trim().trim_end_matches(':').to_owned()));
        }
    }
}

#[test]
fn the_page_has_every_reason_of_the_published_contracts() {
    let mut versions = BTreeMap::<String, Vec<&str>>::new();
    for version in ["0.6", "0.7", "0.8", "0.9"] {
        let mut found = BTreeSet::new();
        reasons(&at(&format!("node_modules/entry-point-{version}")), &mut found);
        assert!(found.len() > 15, "{version}: {found:?}");
        found.into_iter().for_each(|reason| versions.entry(reason).or_default().push(version));
    }
    let expected: Vec<_> =
        versions.into_iter().map(|(reason, versions)| (reason, versions.join(", "))).collect();
    let page: Vec<_> = rows(4).into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    assert_eq!(page, expected);
}

#[test]
fn the_core_reads_each_row_as_the_page_says() {
    for row in rows(4) {
        let whole = &row[0];
        let texts = [format!("FailedOp(0, \"{whole}\")"), format!("reverted: {whole} (0x1234)")];
        for message in texts.iter().chain([whole]) {
            assert_eq!(read(-32500, message), row[2..], "{message}");
        }
        let refusal = BundlerError { code: 0, message: whole.clone(), data: None }.refusal();
        assert_eq!(refusal.reason.as_deref(), whole.get(..4));
    }
    let of_bundlers = rows(5);
    assert!(of_bundlers.len() > 20);
    for row in of_bundlers {
        assert_eq!(read(row[1].parse().unwrap(), &row[2]), row[3..], "{}: {}", row[0], row[2]);
    }
}
