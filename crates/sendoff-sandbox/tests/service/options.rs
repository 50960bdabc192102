//! The options of a service, its ledger and its saved states: what is taken, and what is refused.

use sendoff::error::Error;
use sendoff_sandbox::State;

use crate::calls::*;

/// All options, with a ledger of two tokens and a collection. `WALLET` and `YOU` are addresses.
const OPTIONS: &str = r#"{"profile":"okto-v1","seed":"a","delays":{"start":1000,"end":5000},
    "limits":{"limit":9,"windowMs":60000},"lies":{"seed":"a","every":3,"names":["slow"]},
    "newUser":{"tokens":1,"nfts":1},"sessionKey":"0xcdac489b062a5d057bd15dde758829ecf3a14e5b",
    "ledger":{"tokens":[{"caip2Id":"eip155:137","address":"","name":"POL","symbol":"POL",
    "decimals":18,"price":"42.1","balances":{},"allowances":{}},
    {"caip2Id":"eip155:137","address":"0x3c499c542cef5e3811e1192ce70d8cc03d5c3359","name":"USDC",
    "symbol":"USDC","decimals":6,"price":"83.5","balances":{"WALLET":"7000000"},
    "allowances":{"WALLET YOU":"3"}}],
    "collections":[{"caip2Id":"eip155:137","address":"0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5",
    "name":"c","symbol":"C","standard":"ERC721","nfts":{"56":{"name":"n","description":"d",
    "uri":"u","owners":{"WALLET":"1"},"approved":"YOU"}},"operators":["WALLET YOU"]}]}}"#;

/// These options after a change.
fn options(this: &str, other: &str) -> String {
    changed(OPTIONS, this, other).replace("WALLET", WALLET).replace("YOU", RECIPIENT)
}

/// The state of these options after an order of a token.
fn saved() -> Json {
    let mut service = Service::new(&options("", ""));
    service.ask(SEND, &tokens("1"), "201");
    service.saved()
}

/// An error of `State` begins like this; `VERSION` are the words about a saved state.
#[track_caller]
fn refused(state: Result<State, Error>, expected: &str) {
    let error = state.unwrap_err().to_string();
    let expected = expected.replace("VERSION", "expected a saved state of this version:");
    assert!(error.starts_with(&expected), "{expected}\n{error}");
}

fn checksummed(address: &str) -> String {
    address.parse::<sendoff::value::Address>().unwrap().to_checksum()
}

/// The places of all values in a document, such as `orders.0.kind`.
fn places(json: &Json) -> Vec<String> {
    let inner: Vec<_> = match json {
        Json::Array(items) => {
            items.iter().enumerate().map(|(at, it)| (at.to_string(), it)).collect()
        }
        Json::Object(fields) => fields.iter().map(|(key, it)| (key.clone(), it)).collect(),
        _ => Vec::new(),
    };
    let below = |(key, value): &(String, &Json)| {
        let below = places(value).into_iter().map(|place| format!("{key}.{place}"));
        below.chain([key.clone()]).collect::<Vec<_>>()
    };
    inner.iter().flat_map(below).collect()
}

/// A value of another kind at each place, and a key that no object has.
#[test]
fn no_part_of_options_and_saved_states_is_unknown_or_of_another_kind() {
    let start: fn(&str) -> Result<State, Error> = State::start;
    let given = parse(&options("", "")).unwrap();
    for (whole, read) in [(given, start), (saved(), |text| text.parse())] {
        assert!(read(&whole.to_string()).is_ok());
        let places = places(&whole);
        let objects = places.iter().filter(|place| whole.at(place).is_some_and(Json::is_object));
        let unknown = objects.map(|place| format!("{place}.x"));
        for place in places.iter().cloned().chain(unknown) {
            let mut other = whole.clone();
            other.set(&place, parse("[{}]").unwrap());
            let Err(error) = read(&other.to_string()) else { panic!("taken: {place}") };
            let said = error.to_string().replace("expected a saved state of this version: ", "");
            // What the core reads has a path of its own in the message.
            let of_core = said.replacen(": ", ".", 1);
            assert!([&said, &of_core].iter().any(|said| said.starts_with(&place)), "{error}");
        }
    }
}

/// A digit or the prefix is missing, or the letter case is of another one.
#[test]
fn no_address_of_options_and_saved_states_is_misspelt() {
    let start: fn(&str) -> Result<State, Error> = State::start;
    for (text, read) in [(options("", ""), start), (saved().to_string(), |text| text.parse())] {
        let words = text.match_indices("0x").filter(|(at, _)| {
            text[*at..].find(['"', ' ']) == Some(42) && text[..*at].ends_with(['"', ' '])
        });
        let words: Vec<_> = words.collect();
        assert!(words.len() > 8);
        for (at, _) in words {
            let address = &text[at..at + 42];
            let letter = address[2..].find(char::is_alphabetic).unwrap() + 2;
            let mut case = address.to_lowercase();
            case[letter..=letter].make_ascii_uppercase();
            for wrong in [&address[..41], &address[2..], &case] {
                let other = format!("{}{wrong}{}", &text[..at], &text[at + 42..]);
                let Err(error) = read(&other) else { panic!("taken: {wrong} in {other}") };
                assert!(error.to_string().contains(" address"), "{error}");
            }
        }
    }
}

#[test]
fn options_are_refused_by_name() {
    for (path, value, words) in [
        ("profile", r#""okto-v9""#, "expected the profile `okto-v1`, found `okto-v9`"),
        ("speed", "1", "expected the options profile, seed, "),
        ("switches.ids", r#""x""#, "expected `published` or `order_id`, found `x`"),
        ("switches.id", r#""x""#, "expected one of `ids`"),
        ("switches.pageSize", "0", "expected an integer from 1, found integer `0`"),
        ("switches", "null", "expected an object, found null"),
        ("limits", r#"{"limit":0,"windowMs":60000}"#, "limit: "),
        ("seed", "1", "expected a string, found integer `1`"),
        ("deployment", r#""okto""#, "expected an object, found `okto`"),
        ("deployment.version", r#""0.6""#, ""),
        ("deployment.gasFeeOrder", r#""q""#, ""),
        ("delays.end", "-5", "expected an integer from 0, found integer `-5`"),
        ("delays.start", r#"6,"end":5"#, "expected at most `delays.end`, found `6`"),
        ("delays.start", "5001", "expected at most `delays.end`, found `5001`"),
        ("lies.names", r#"[],"seed":"","every":1"#, "expected the names of lies, found `[]`"),
        ("newUser.nfts", "11", "expected an integer from 0 to 10, found `11`"),
    ] {
        let object = |value: String, key: &str| format!(r#"{{"{key}":{value}}}"#);
        let options = path.rsplit('.').fold(value.to_owned(), object);
        refused(State::start(&options), &format!("{path}: {words}"));
    }
    refused(State::start("[]"), "expected the options as an object, found `[]`");
    refused(State::start(""), "expected the options as JSON");
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
}

#[test]
fn a_saved_state_is_refused_by_the_key_that_differs() {
    for (path, value, words) in [
        ("orders.0.kind", r#""SWAP""#, "VERSION expected one of "),
        ("delays.end", "-5", "VERSION expected an integer from 0, found integer `-5`"),
        ("lies.every", "0", "VERSION expected an integer from 1, found integer `0`"),
        // What the options refuse, too.
        ("lies.names", r#"["slow","white"]"#, "the pocket service knows no lie `white`"),
        ("delays.start", "5001", "expected at most"),
        ("ledger.tokens.1.caip2Id", r#""eip155:5""#, "expected a chain"),
        ("profile", r#""okto-v2""#, "expected the profile `okto-v1`, found `okto-v2`"),
    ] {
        let mut state = saved();
        state.set(path, parse(value).unwrap());
        refused(state.to_string().parse(), &format!("{path}: {words}"));
    }
}

#[test]
fn a_contract_of_a_ledger_is_refused_by_its_path() {
    let decimal = "expected a decimal with at most four places";
    let decimals = "tokens.1.decimals: expected an integer from 0 to 255, found integer `256`";
    let (pol, usdc) =
        (r#"eip155:137","address":"","name":"POL""#, &*format!(r#"eip155:137","address":"{USDC}"#));
    let twice = pol.replace(r#""","name"#, &format!(r#""{}","name"#, checksummed(USDC)));
    let holder = format!(r#"{{"WALLET":"1","{}":"7000000"}}"#, checksummed(WALLET));
    let again = format!("tokens.1.balances: expected each key once, found `{WALLET}` again");
    let own = |found: &str| format!("address: expected an address of its own, found `{found}`");
    let chain = "caip2Id: expected a chain of the catalogue, found `eip155:5`";
    let (ids, pairs) = ("collections.0.nfts: expected ", "expected an address");
    for (this, other, expected) in [
        (usdc, &*usdc.replace("137", "5"), format!("tokens.1.{chain}")),
        (r#"137","address":"0x68"#, r#"5","address":"0x68"#, format!("collections.0.{chain}")),
        (pol, &twice, format!("tokens.1.{}", own(USDC))),
        (USDC, "", format!("tokens.1.{}", own(""))),
        (COLLECTION, USDC, format!("collections.0.{}", own(USDC))),
        (COLLECTION, "", format!("collections.0.{}", own(""))),
        ("\"decimals\":6", "\"decimals\":256", decimals.into()),
        ("83.5", "", format!("tokens.1.price: {decimal}, found ``")),
        ("42.1", "-1", format!("tokens.0.price: {decimal}, found `-1`")),
        ("42.1", "42.12345", format!("tokens.0.price: {decimal}")),
        // An id that no request can name.
        (r#""56""#, r#""01""#, ids.into()),
        (r#""56""#, r#""x""#, ids.into()),
        (r#""56""#, r#""""#, ids.into()),
        (r#""56""#, &format!("\"{}\"", "9".repeat(80)), ids.into()),
        // Another number of addresses, and twice the same.
        (r#""WALLET YOU":"#, r#""WALLET":"#, format!("tokens.1.allowances: {pairs}")),
        (r#""WALLET YOU":"#, r#""WALLET YOU b":"#, format!("tokens.1.allowances: {pairs}")),
        (r#"["WALLET YOU"]"#, r#"["WALLET-YOU"]"#, format!("collections.0.operators: {pairs}")),
        (r#"{"WALLET":"7000000"}"#, &holder, again),
    ] {
        refused(State::start(&options(this, other)), &format!("ledger.{expected}"));
    }

    // A chain that is not enabled is known, other chains may have the same contract, and nobody may
    // be approved.
    for (this, other) in [
        (pol, &*pol.replace("137", "1").replace(r#""","name"#, &format!(r#""{USDC}","name"#))),
        (r#""approved":"YOU""#, r#""approved":"""#),
        ("\"decimals\":6", "\"decimals\":0"),
        ("\"decimals\":6", "\"decimals\":255"),
    ] {
        assert!(State::start(&options(this, other)).is_ok(), "{other}");
    }
}

#[test]
fn addresses_are_read_in_any_letter_case() {
    let saved = saved().to_string();
    let upper = |address: &str| format!("0x{}", address[2..].to_uppercase());
    for spelled in [checksummed, upper] {
        let word = |word: &str| match word.len() == 42 && word.starts_with("0x") {
            true => spelled(word),
            false => word.into(),
        };
        let words = |text: &str| text.split(' ').map(word).collect::<Vec<_>>().join(" ");
        let all = |text: &str| text.split('"').map(words).collect::<Vec<_>>().join("\"");
        let state: State = all(&saved).parse().unwrap();
        assert!(!all(&saved).contains(WALLET));
        assert_eq!(Service { state, now: NOW }.balance(USDC, WALLET), 7_000_000);
        let (start, plain) = (State::start(&all(&options("", ""))), State::start(&options("", "")));
        assert_eq!(start, plain);
    }
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
    let beginnings = r#"{"sessionKey":"0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B",
        "ledger":{"tokens":[],"collections":[]}}"#;
    let mut service = Service::new(beginnings);
    service.ask(SEND, &tokens("1"), "404");
    assert_eq!(first.differing_option(&service.state), None);
}
