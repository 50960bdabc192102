//! The options of a service, and its saved states: what is taken, and what is refused where.

use sendoff_sandbox::State;

use crate::calls::{At, Json, Service, parse, tokens};

#[test]
fn options_are_refused_by_name() {
    for (options, expected) in [
        (r#"{"profile":"okto-v9"}"#, "expected the profile `okto-v1`, found `okto-v9`"),
        (r#"{"speed":1}"#, "found `speed`"),
        (
            r#"{"switches":{"ids":"x"}}"#,
            "switches.ids: expected `published` or `order_id`, found `x`",
        ),
        (r#"{"switches":{"id":"x"}}"#, "switches.id: expected one of `ids`"),
        (r#"{"limits":{"limit":0,"windowMs":60000}}"#, "limits: limit: "),
        (
            r#"{"lies":{"seed":"1","every":2,"names":["white"]}}"#,
            "the pocket service knows no lie `white`",
        ),
        (r#"{"profile":9}"#, "profile: expected the profile `okto-v1`, found `9`"),
        (r#"{"seed":1}"#, "seed: expected a string, found integer `1`"),
        (r#"{"seed":{"text":"a"}}"#, "seed: expected a string, found map"),
        (r#"{"sessionKey":1}"#, "sessionKey: "),
        (r#"{"sessionKey":"0x1"}"#, "sessionKey: expected an address"),
        (r#"{"sessionKey":"0x1"}"#, "found `0x1`"),
        (r#"{"switches":null}"#, "switches: expected an object, found null"),
        (r#"{"deployment":"okto"}"#, "deployment: expected an object, found `okto`"),
        (r#"{"delays":[5]}"#, "delays: "),
        (r#"{"lies":7}"#, "lies: expected an object, found integer `7`"),
        (r#"{"ledger":true}"#, "ledger: expected an object, found boolean `true`"),
        (r#"{"deployment":{"version":"0.6"}}"#, "deployment."),
        (r#"{"deployment":{"gasFeeOrder":"q"}}"#, "deployment."),
        (r#"{"deployment":{"entryPoint":"x"}}"#, "deployment."),
        (r#"{"delays":{"end":-5}}"#, "delays.end: expected an integer from 0, found integer `-5`"),
        (
            r#"{"switches":{"pageSize":0}}"#,
            "switches.pageSize: expected an integer from 1, found integer `0`",
        ),
        ("[]", "expected the options as an object, found `[]`"),
        ("", "expected the options as JSON"),
    ] {
        let error = State::start(options).unwrap_err().to_string();
        assert!(error.contains(expected), "{options}: {error}");
    }
    let state = State::start("{}").unwrap().to_string();
    let error = state.replace("okto-v1", "okto-v2").parse::<State>().unwrap_err().to_string();
    assert_eq!(error, "profile: expected the profile `okto-v1`, found `okto-v2`");
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
    service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("1"));
    assert_eq!(first.differing_option(&service.state), None);
}

/// The state after an order of an NFT and one of a token.
pub(crate) fn saved() -> Json {
    let mut service = Service::new(r#"{"limits":{"limit":9,"windowMs":60000}}"#);
    service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("1"));
    parse(&service.state.to_string()).unwrap()
}

#[test]
fn a_saved_state_of_another_shape_is_refused_by_the_key_that_differs() {
    let set = |path: &str, key: &str, value: Json| {
        let mut state = saved();
        let place = if path.is_empty() { Some(&mut state) } else { state.at_mut(path) };
        place.unwrap().set(key, value);
        state
    };
    let removed = |path: &str, key: &str| {
        let mut state = saved();
        let place = if path.is_empty() { Some(&mut state) } else { state.at_mut(path) };
        place.unwrap().as_object_mut().unwrap().remove(key);
        state
    };
    for (state, expected) in [
        (set("orders.0", "kind", "SWAP".into()), "orders.0.kind: expected one of "),
        (set("orders.0.actions.0", "amount", 1_u64.into()), "orders.0.actions.0.amount: "),
        (
            set("switches", "pageSize", "10".into()),
            "switches.pageSize: expected an integer from 1, found `10`",
        ),
        (
            set("delays", "end", (-5_i64).into()),
            "delays.end: expected an integer from 0, found integer `-5`",
        ),
        (set("", "orders", "none".into()), "orders: expected a list, found `none`"),
        (set("", "users", true.into()), "users: expected an object, found boolean `true`"),
        (set("delays", "week", 7_u64.into()), "delays.week: expected "),
        (set("", "colour", "red".into()), "colour: expected "),
        (removed("orders.0", "due"), "orders.0.due: missing field `due`"),
        (removed("", "blocks"), "blocks: missing field `blocks`"),
        (removed("limits", "windowMs"), "limits: windowMs: "),
        (removed("catalogue", "chains"), "catalogue: chains: "),
    ] {
        let error = state.to_string().parse::<State>().unwrap_err().to_string();
        let said = error.replacen("expected a saved state of this version: ", "", 1);
        assert!(said != error && said.starts_with(expected), "{expected}\n{error}");
    }
    // What the options refuse.
    for (state, expected) in [
        (set("deployment", "version", "0.6".into()), "deployment."),
        (set("delays", "start", 5_001_u64.into()), "delays.start: expected at most"),
    ] {
        let error = state.to_string().parse::<State>().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    // Where the state itself is another one, the profile is the first that differs.
    assert_eq!(
        "{}".parse::<State>().unwrap_err().to_string(),
        "profile: expected the profile `okto-v1`, found `null`"
    );
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
    assert!(State::start(r#"{"deployment":{"grantSigner":""}}"#).is_ok());
    assert!(State::start(r#"{"deployment":{"paymaster":""}}"#).is_err());
}

#[test]
fn options_that_contradict_themselves_are_refused() {
    for (options, expected) in [
        (
            r#"{"delays":{"start":6,"end":5}}"#,
            "delays.start: expected at most `delays.end`, found `6`",
        ),
        (
            r#"{"delays":{"start":5001}}"#,
            "delays.start: expected at most `delays.end`, found `5001`",
        ),
        (
            r#"{"lies":{"seed":"","every":1,"names":[]}}"#,
            "lies.names: expected the names of lies, found `[]`",
        ),
        (
            r#"{"lies":{"seed":"","every":1,"names":["list-doubled","white"]}}"#,
            "lies.names: the pocket service knows no lie `white`",
        ),
    ] {
        assert_eq!(State::start(options).unwrap_err().to_string(), expected);
    }
    for options in [
        r#"{"delays":{"start":5,"end":5}}"#,
        // Without `start` an order runs at once if it ends at once.
        r#"{"delays":{"end":0}}"#,
        r#"{"lies":{"seed":"","every":1}}"#,
    ] {
        assert!(State::start(options).is_ok(), "{options}");
    }
    let state = State::start(r#"{"delays":{"end":9}}"#).unwrap().to_string();
    assert!(state.contains(r#""delays":{"start":null,"end":9,"#));

    // So are those of a saved state.
    let all = State::start(r#"{"lies":{"seed":"","every":1}}"#).unwrap().to_string();
    assert!(all.contains(r#""names":null"#) && all.parse::<State>().is_ok());
    let unknown = all.replace(r#""names":null"#, r#""names":["white"]"#);
    let error = unknown.parse::<State>().unwrap_err().to_string();
    assert_eq!(error, "lies.names: the pocket service knows no lie `white`");
    let late = all.replace(r#""start":null"#, r#""start":5001"#);
    assert!(
        late.parse::<State>()
            .unwrap_err()
            .to_string()
            .starts_with("delays.start: expected at most")
    );
}
