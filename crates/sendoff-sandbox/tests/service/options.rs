//! The options of a service, and its saved states: what is taken, and what is refused where.

use sendoff_sandbox::State;
use serde_json::json;

use crate::calls::{At, Json, Service, tokens};

/// Options are refused with an error that begins like this.
#[track_caller]
pub(crate) fn refused(options: &str, expected: &str) {
    let error = State::start(options).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{options}\n{error}");
}

/// A saved state is refused with an error that begins like this.
#[track_caller]
pub(crate) fn refused_saved(state: &Json, expected: &str) {
    let error = state.to_string().parse::<State>().unwrap_err().to_string();
    assert!(error.starts_with(expected), "{expected}\n{error}");
}

/// The names of lies, and further keys of their object.
const WHITE: &str = r#"["list-doubled","white"],"seed":"","every":1"#;

#[test]
fn options_are_refused_by_name() {
    // The path, its value, and what is said of it.
    for (path, value, words) in [
        ("profile", r#""okto-v9""#, "expected the profile `okto-v1`, found `okto-v9`"),
        ("profile", "9", "expected the profile `okto-v1`, found `9`"),
        ("speed", "1", "expected the options profile, seed, "),
        ("switches.ids", r#""x""#, "expected `published` or `order_id`, found `x`"),
        ("switches.id", r#""x""#, "expected one of `ids`"),
        ("switches.pageSize", "0", "expected an integer from 1, found integer `0`"),
        ("switches", "null", "expected an object, found null"),
        ("limits", r#"{"limit":0,"windowMs":60000}"#, "limit: "),
        ("seed", "1", "expected a string, found integer `1`"),
        ("seed", r#"{"text":"a"}"#, "expected a string, found map"),
        ("sessionKey", "1", ""),
        ("sessionKey", r#""0x1""#, "expected an address"),
        ("deployment", r#""okto""#, "expected an object, found `okto`"),
        ("deployment.version", r#""0.6""#, ""),
        ("deployment.gasFeeOrder", r#""q""#, ""),
        ("deployment.entryPoint", r#""x""#, ""),
        ("deployment.paymaster", r#""""#, ""),
        ("delays", "[5]", ""),
        ("delays.end", "-5", "expected an integer from 0, found integer `-5`"),
        ("delays.start", r#"6,"end":5"#, "expected at most `delays.end`, found `6`"),
        ("delays.start", "5001", "expected at most `delays.end`, found `5001`"),
        ("lies", "7", "expected an object, found integer `7`"),
        ("lies.names", r#"[],"seed":"","every":1"#, "expected the names of lies, found `[]`"),
        ("lies.names", WHITE, "the pocket service knows no lie `white`"),
        ("ledger", "true", "expected an object, found boolean `true`"),
    ] {
        let object = |value: String, key: &str| format!(r#"{{"{key}":{value}}}"#);
        let options = path.rsplit('.').fold(value.to_owned(), object);
        refused(&options, &format!("{path}: {words}"));
    }
    refused("[]", "expected the options as an object, found `[]`");
    refused("", "expected the options as JSON");
    for options in [
        r#"{"delays":{"start":5,"end":5}}"#,
        // Without `start` an order runs at once if it ends at once.
        r#"{"delays":{"end":0}}"#,
        r#"{"lies":{"seed":"","every":1}}"#,
        r#"{"deployment":{"grantSigner":""}}"#,
    ] {
        let state = State::start(options).unwrap();
        assert!(state.to_string().parse::<State>().unwrap() == state, "{options}");
    }
    let state = State::start(r#"{"delays":{"end":9}}"#).unwrap().to_string();
    assert!(state.contains(r#""delays":{"start":null,"end":9,"#));
}

#[test]
fn states_differ_by_the_options_that_last() {
    let first = State::start("{}").unwrap();
    for (option, value) in [
        ("seed", r#""a""#),
        ("switches", r#"{"ids":"order_id"}"#),
        ("delays", r#"{"block":1}"#),
        ("deployment", r#"{"baseFee":"7"}"#),
        ("catalogue", r#"{"chains":[],"tokens":[],"collections":[]}"#),
        ("limits", r#"{"limit":3,"windowMs":1000}"#),
        ("lies", r#"{"seed":"","every":2}"#),
    ] {
        let other = State::start(&format!(r#"{{"{option}":{value}}}"#)).unwrap();
        assert_eq!(first.differing_option(&other), Some(option), "{value}");
        assert_eq!(other.differing_option(&first), Some(option), "{value}");
    }

    // What a state is later, or where it began, is no option of it.
    let mut service = Service::new(
        r#"{"sessionKey":"0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B","ledger":{"tokens":[],"collections":[]}}"#,
    );
    service.ask("POST /api/v1/transfer/tokens/execute", &tokens("1"), "404");
    assert_eq!(first.differing_option(&service.state), None);
}

/// The state after an order of a token.
pub(crate) fn saved() -> Json {
    let options =
        r#"{"limits":{"limit":9,"windowMs":60000},"lies":{"seed":"a","every":3,"names":["slow"]}}"#;
    let mut service = Service::new(options);
    service.ask("POST /api/v1/transfer/tokens/execute", &tokens("1"), "201");
    service.saved()
}

#[test]
fn a_saved_state_of_another_shape_is_refused_by_the_key_that_differs() {
    let version = "expected a saved state of this version: ";
    for (path, value, words) in [
        ("orders.0.kind", json!("SWAP"), "VERSION expected one of "),
        ("orders.0.actions.0.amount", json!(1), "VERSION "),
        ("switches.pageSize", json!("10"), "VERSION expected an integer from 1, found `10`"),
        ("delays.end", json!(-5), "VERSION expected an integer from 0, found integer `-5`"),
        ("orders", json!("none"), "VERSION expected a list, found `none`"),
        ("users", json!(true), "VERSION expected an object, found boolean `true`"),
        ("delays.week", json!(7), "VERSION expected "),
        ("colour", json!("red"), "VERSION expected "),
        ("lies.every", json!(0), "VERSION expected an integer from 1, found integer `0`"),
        // What the options refuse, too.
        ("lies.names", json!(["white"]), "the pocket service knows no lie `white`"),
        ("delays.start", json!(5_001), "expected at most"),
        ("deployment.version", json!("0.6"), ""),
        ("ledger.tokens.2.caip2Id", json!("eip155:5"), "expected a chain"),
        ("profile", json!("okto-v2"), "expected the profile `okto-v1`, found `okto-v2`"),
    ] {
        let mut state = saved();
        state.set(path, value);
        refused_saved(&state, &format!("{path}: {}", words.replace("VERSION ", version)));
    }
    for (part, key, expected) in [
        ("/orders/0", "due", "orders.0.due: VERSION missing field `due`"),
        ("", "blocks", "blocks: VERSION missing field `blocks`"),
        ("/limits", "windowMs", "limits: VERSION windowMs: "),
        ("/catalogue", "chains", "catalogue: VERSION chains: "),
        // The profile is the first that differs.
        ("", "profile", "profile: expected the profile `okto-v1`, found `null`"),
    ] {
        let mut state = saved();
        state.pointer_mut(part).unwrap().as_object_mut().unwrap().remove(key);
        refused_saved(&state, &expected.replace("VERSION ", version));
    }
    // No problem was there before.
    assert!(saved().to_string().parse::<State>().is_ok());
}

#[test]
fn an_address_of_the_deployment_is_refused_by_its_key() {
    // A digit is missing, the prefix, the letter case is of another address.
    for wrong in [
        "0x70997970C51812dc3A010C7d01b50e0d17dc79C",
        "70997970C51812dc3A010C7d01b50e0d17dc79C8",
        "0x70997970c51812dc3A010C7d01b50e0d17dc79C8",
    ] {
        for key in ["grantSigner", "jobManager", "paymaster", "clientSwa"] {
            let options = format!(r#"{{"deployment":{{"{key}":"{wrong}"}}}}"#);
            let error = State::start(&options).unwrap_err().to_string();
            assert!(error.starts_with(&format!("deployment.{key}: ")), "{error}");
            assert!(error.contains(wrong), "{error}");
        }
    }
}
