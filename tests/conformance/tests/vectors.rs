//! The core answers every vector, and the runner reports everything that it could not run as
//! failed.

use std::{env, fs, io, path::Path, process};

use conformance::{Report, places, run};

#[test]
fn the_core_answers_every_vector() {
    let report = run(&places(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")));
    assert_eq!(report.failed, 0, "\n{report}");
    println!("{report}");
}

/// Runs a folder with this one suite in it, or with none.
fn run_alone(name: &str, suite: Option<&str>) -> io::Result<Report> {
    let folder = env::temp_dir().join(format!("sendoff-{}-{name}", process::id()));
    fs::create_dir_all(&folder)?;
    suite.map_or(Ok(()), |suite| fs::write(folder.join("suite.json"), suite))?;
    let report = run(std::slice::from_ref(&folder));
    fs::remove_dir_all(&folder)?;
    Ok(report)
}

#[test]
fn suites_that_cannot_be_run_fail() {
    let of = |case: &str| Some(format!(r#"{{"suite":"s","cases":[{case}]}}"#));
    for (name, suite) in [
        ("no suite", None),
        ("no JSON", Some("{".into())),
        ("no cases", of("")),
        ("unknown", of(r#"{"name":"n","call":"mint","args":[],"accept":true}"#)),
        ("expects nothing", of(r#"{"name":"n","call":"decodeCall","args":["0x"]}"#)),
        ("too few", of(r#"{"name":"n","call":"decodeCall","args":[],"err":{}}"#)),
        ("too many", of(r#"{"name":"n","call":"decodeCall","args":["0x",1],"err":{}}"#)),
    ] {
        let report = run_alone(name, suite.as_deref()).unwrap();
        assert_eq!((report.passed, report.failed), (0, 1), "{name}");
    }
}

#[test]
fn an_argument_that_is_not_text_is_refused_at_its_path() {
    let suite = r#"{"suite":"s","cases":[
        {"name":"first","call":"findOperation","args":[1,"/"],"err":{"issues":[{"path":"","code":"type"}]}},
        {"name":"later","call":"findOperation","args":["GET",null],"err":{"issues":[{"path":"target","code":"type"}]}}]}"#;
    let report = run_alone("text", Some(suite)).unwrap();
    assert_eq!((report.passed, report.failed), (2, 0), "{report}");
}
