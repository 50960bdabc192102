//! Lists that applications share, and what an application has of its own.

use sendoff_gateway::config::Config;

use super::{EXAMPLE, problems, sandbox, set};

const LIST: &str = r#"
[[list.games.chain]]
id = "eip155:137"
name = "POLYGON"
transaction_fee = "7"
tokens = [{ name = "POL", address = "" }]

[[list.games.chain]]
id = "eip155:1"
name = "ETHEREUM"

[[list.tests.chain]]
id = "eip155:80002"
name = "POLYGON_TESTNET_AMOY"
net = "test"
"#;

fn application(name: &str, lists: &str) -> String {
    format!(
        "[[environment.sandbox.application]]\nname = \"{name}\"\nclient_swa = \"0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F\"\nlists = {lists}\n"
    )
}

/// The chains of each application.
fn chains(file: &str) -> Vec<Vec<String>> {
    let config = Config::read(file, &set).expect("a valid file");
    let applications = config.environments[0].applications.iter();
    applications
        .map(|application| application.chains.iter().map(|chain| chain.id.to_string()).collect())
        .collect()
}

#[test]
fn applications_share_lists() {
    let file = sandbox(r#""none""#, LIST, "")
        + &application("one", "[\"games\"]")
        + &application("two", "[\"games\", \"tests\"]")
        + "[[environment.sandbox.application.chain]]\nid = \"eip155:10\"\nname = \"OPTIMISM\"\n"
        + &application("none", "[]");
    let [amoy, polygon, ethereum] = ["eip155:80002", "eip155:137", "eip155:1"];
    let expected: [&[&str]; 4] =
        [&[amoy], &[polygon, ethereum], &[polygon, ethereum, amoy, "eip155:10"], &[]];
    assert_eq!(chains(&file), expected);
}

#[test]
fn problems_of_lists_are_named() {
    let with =
        |list: &str, lists: &str| sandbox(r#""none""#, list, "") + &application("one", lists);
    let at = "environment.sandbox.application.1";
    for (file, problem) in [
        (
            with(LIST, "[\"game\"]"),
            format!(
                "{at}.lists.0: expected the name of a list of this file, found text of length 4"
            ),
        ),
        (with(LIST, "\"games\""), format!("{at}.lists: expected an array, found a TOML string")),
        (
            with(LIST, "[\"games\", \"games\"]"),
            format!("{at}: expected each chain once, found `eip155:137` again"),
        ),
        (with(&LIST.replacen("137", "x!", 1), "[\"games\"]"), "list.games.chain.0.id: ".into()),
        (with("list = 1", "[]"), "list: expected a table, found a TOML integer".into()),
        (with("list.a = 1", "[]"), "list.a: expected a table, found a TOML integer".into()),
        (with("list.a.chains = 1", "[]"), "list.a.chains: unknown key `chains`".into()),
    ] {
        let found = problems(&file);
        assert!(found.iter().any(|found| found.contains(&problem)), "{problem}: {found:?}");
    }
}

/// An application's policy replaces its environment's, `none` too.
#[test]
fn an_application_has_its_own_policy() {
    let own = |policy: &str| {
        let file = EXAMPLE.replacen("# policy = { limit = 300, window_ms = 60000 }", policy, 1);
        let config = Config::read(&file, &set).unwrap_or_else(|problems| panic!("{problems:?}"));
        let environment = &config.environments[0];
        environment.policy_of(&environment.applications[0]).map(|policy| policy.limit())
    };
    let expected = [
        ("", Some(1_500)),
        ("policy = \"none\"", None),
        ("policy = { limit = 3, window_ms = 1000 }", Some(3)),
    ];
    for (policy, limit) in expected {
        assert_eq!(own(policy), limit, "{policy}");
    }
    let lease = "store = \"redis://127.0.0.1\"\nstore_secret = { env = \"S\" }\non_store_loss = \"local\"\nlease = 2000";
    let file = EXAMPLE.replacen("store = \"memory\"", lease, 1);
    assert!(problems(&file)[0].contains("lease: expected an integer from 1 to 1500, found 2000"));
    let more = file.replacen("# policy = { limit = 300", "policy = { limit = 3000", 1);
    assert!(Config::read(&more, &set).is_ok());
}
