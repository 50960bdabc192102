//! The options of a service, and its saved states: what is taken, and what is refused where.

use sendoff_sandbox::State;

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

#[rustfmt::skip]
#[test]
fn options_are_refused_by_name() {
    for (options, expected) in [
        (r#"{"profile":"okto-v9"}"#, "profile: expected the profile `okto-v1`, found `okto-v9`"),
        (r#"{"profile":9}"#, "profile: expected the profile `okto-v1`, found `9`"),
        (r#"{"speed":1}"#, "speed: expected the options profile, seed, "),
        (r#"{"switches":{"ids":"x"}}"#, "switches.ids: expected `published` or `order_id`, found `x`"),
        (r#"{"switches":{"id":"x"}}"#, "switches.id: expected one of `ids`"),
        (r#"{"switches":{"pageSize":0}}"#, "switches.pageSize: expected an integer from 1, found integer `0`"),
        (r#"{"switches":null}"#, "switches: expected an object, found null"),
        (r#"{"limits":{"limit":0,"windowMs":60000}}"#, "limits: limit: "),
        (r#"{"seed":1}"#, "seed: expected a string, found integer `1`"),
        (r#"{"seed":{"text":"a"}}"#, "seed: expected a string, found map"),
        (r#"{"sessionKey":1}"#, "sessionKey: "),
        (r#"{"sessionKey":"0x1"}"#, "sessionKey: expected an address"),
        (r#"{"deployment":"okto"}"#, "deployment: expected an object, found `okto`"),
        (r#"{"deployment":{"version":"0.6"}}"#, "deployment."),
        (r#"{"deployment":{"gasFeeOrder":"q"}}"#, "deployment."),
        (r#"{"deployment":{"entryPoint":"x"}}"#, "deployment."),
        (r#"{"deployment":{"paymaster":""}}"#, "deployment.paymaster: "),
        (r#"{"delays":[5]}"#, "delays: "),
        (r#"{"delays":{"end":-5}}"#, "delays.end: expected an integer from 0, found integer `-5`"),
        (r#"{"delays":{"start":6,"end":5}}"#, "delays.start: expected at most `delays.end`, found `6`"),
        (r#"{"delays":{"start":5001}}"#, "delays.start: expected at most `delays.end`, found `5001`"),
        (r#"{"lies":7}"#, "lies: expected an object, found integer `7`"),
        (r#"{"lies":{"seed":"","every":1,"names":[]}}"#, "lies.names: expected the names of lies, found `[]`"),
        (r#"{"lies":{"seed":"","every":1,"names":["list-doubled","white"]}}"#, "lies.names: the pocket service knows no lie `white`"),
        (r#"{"ledger":true}"#, "ledger: expected an object, found boolean `true`"),
        ("[]", "expected the options as an object, found `[]`"),
        ("", "expected the options as JSON"),
    ] {
        refused(options, expected);
    }
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

#[rustfmt::skip]
#[test]
fn a_saved_state_of_another_shape_is_refused_by_the_key_that_differs() {
    let version = "expected a saved state of this version: ";
    for (path, value, expected) in [
        ("orders.0.kind", "SWAP".into(), "orders.0.kind: VERSION expected one of "),
        ("orders.0.actions.0.amount", 1.into(), "orders.0.actions.0.amount: VERSION "),
        ("switches.pageSize", "10".into(), "switches.pageSize: VERSION expected an integer from 1, found `10`"),
        ("delays.end", (-5).into(), "delays.end: VERSION expected an integer from 0, found integer `-5`"),
        ("orders", "none".into(), "orders: VERSION expected a list, found `none`"),
        ("users", true.into(), "users: VERSION expected an object, found boolean `true`"),
        ("delays.week", 7.into(), "delays.week: VERSION expected "),
        ("colour", "red".into(), "colour: VERSION expected "),
        ("lies.every", 0.into(), "lies.every: VERSION expected an integer from 1, found integer `0`"),
        // What the options refuse, too.
        ("lies.names", Json::from(["white"].as_slice()), "lies.names: the pocket service knows no lie `white`"),
        ("delays.start", 5_001.into(), "delays.start: expected at most"),
        ("deployment.version", "0.6".into(), "deployment."),
        ("ledger.tokens.2.caip2Id", "eip155:5".into(), "ledger.tokens.2.caip2Id: expected a chain"),
        ("profile", "okto-v2".into(), "profile: expected the profile `okto-v1`, found `okto-v2`"),
    ] {
        let mut state = saved();
        state.set(path, value);
        refused_saved(&state, &expected.replace("VERSION ", version));
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
