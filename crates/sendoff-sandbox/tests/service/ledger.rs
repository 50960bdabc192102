//! The ledger of the options and of a saved state: what is taken, and what is refused where.

use sendoff_sandbox::State;

use crate::calls::{
    At, COLLECTION, Json, NOW, RECIPIENT, Service, USDC, USER, WALLET, parse, text, tokens,
};
use crate::options::saved;

/// The option of a ledger with one token, of which one holder has this.
fn one_token(holder: &str, balance: &str) -> String {
    format!(
        r#"{{"ledger":{{"tokens":[{{"caip2Id":"eip155:137","address":"0x3c499c542cef5e3811e1192ce70d8cc03d5c3359","name":"USDC","symbol":"USDC",
        "decimals":6,"price":"83.5","balances":{{"{holder}":"{balance}","{}":"{}"}},"allowances":{{}}}}],"collections":[]}}}}"#,
        RECIPIENT.to_lowercase(),
        sendoff::primitive_types::U256::MAX
    )
}

#[test]
fn a_transfer_of_more_than_a_holder_can_have_fails() {
    let mut service = Service::new(&one_token(WALLET, "5000000"));
    let order = service.client("POST", "/api/v1/transfer/tokens/execute", &tokens("1"));
    let order = text(&order, "data.orderId");
    service.now += 5_000;
    let reply = service.client("GET", &format!("/api/v1/orders?order_id={order}"), "");
    assert_eq!(text(&reply, "data.jobs.0.status"), "FAILED");
    assert_eq!(service.balance(USDC, WALLET), 5_000_000);
}

#[test]
fn decimals_are_those_of_a_contract() {
    for (decimals, is_right) in
        [("0", true), ("255", true), ("256", false), ("9007199254740991", false)]
    {
        let options =
            one_token(WALLET, "1").replace("\"decimals\":6", &format!("\"decimals\":{decimals}"));
        let refusal = State::start(&options).err();
        assert_eq!(refusal.is_none(), is_right, "{refusal:?}");
        let expected = format!("expected an integer from 0 to 255, found integer `{decimals}`");
        assert!(refusal.is_none_or(|refusal| refusal.to_string().ends_with(&expected)));
    }
}

/// The option of a ledger with a token and a collection, after changes of their text.
pub(crate) fn ledger_with(changes: &[(&str, &str)]) -> String {
    let mut options = format!(
        r#"{{"ledger":{{"tokens":[{{"caip2Id":"eip155:137","address":"","name":"POL","symbol":"POL","decimals":18,"price":"42.1",
        "balances":{{}},"allowances":{{}}}},{{"caip2Id":"eip155:137","address":"{USDC}","name":"USDC","symbol":"USDC","decimals":6,
        "price":"83.5","balances":{{"{WALLET}":"7"}},"allowances":{{"{WALLET} {RECIPIENT}":"3"}}}}],
        "collections":[{{"caip2Id":"eip155:137","address":"{COLLECTION}","name":"c","symbol":"C","standard":"ERC721","nfts":{{"56":
        {{"name":"n","description":"d","uri":"u","owners":{{"{WALLET}":"1"}},"approved":"{RECIPIENT}"}}}},
        "operators":["{WALLET} {RECIPIENT}"]}}]}}}}"#
    );
    for (this, other) in changes {
        assert!(options.contains(this), "{this}");
        options = options.replace(this, other);
    }
    options
}

/// An address with its checksum.
fn checksummed(address: &str) -> String {
    address.parse::<sendoff::value::Address>().unwrap().to_checksum()
}

#[test]
fn addresses_of_a_ledger_are_read_in_any_letter_case() {
    let plain = State::start(&ledger_with(&[])).unwrap();
    let upper = |address: &str| format!("0x{}", address[2..].to_uppercase());
    for spelled in [checksummed, upper] {
        let all = [USDC, WALLET, RECIPIENT, COLLECTION].map(|address| (address, spelled(address)));
        let changes = all.each_ref().map(|(address, other)| (*address, other.as_str()));
        let state = State::start(&ledger_with(&changes)).unwrap();
        assert!(state == plain, "{state}");
        let mut service = Service { state, now: NOW };
        assert_eq!(service.balance(USDC, WALLET), 7);
    }

    // So are those of a saved state.
    let mut saved = parse(&plain.to_string()).unwrap();
    let user = saved.at_mut(&format!("users.{USER}")).unwrap();
    for key in ["wallet", "swa", "sessionKey"] {
        let address = checksummed(user.at(key).and_then(Json::as_str).unwrap());
        user.set(key, address.as_str().into());
    }
    assert!(saved.to_string().contains("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"));
    assert!(saved.to_string().parse::<State>().unwrap() == plain);
}

#[test]
fn an_address_of_a_ledger_is_refused_by_its_path() {
    let pair = format!("{WALLET} {RECIPIENT}");
    let bad = format!("{USDC}0");
    let wrong_case = WALLET.replace("dca7", "Dca7");
    for (this, other, path, found) in [
        (USDC, "0x1", "tokens.1.address", "0x1"),
        (USDC, &bad, "tokens.1.address", &bad),
        (r#""address":"""#, r#""address":"native""#, "tokens.0.address", "native"),
        (r#"7"}"#, r#"7","bob":"1"}"#, "tokens.1.balances", "bob"),
        (r#"7"}"#, r#"7","":"1"}"#, "tokens.1.balances", ""),
        (WALLET, &wrong_case, "collections.0.nfts.56.owners", &wrong_case),
        (&format!(r#""{pair}":"3""#), r#""a b":"3""#, "tokens.1.allowances", "a"),
        (&format!(r#""{pair}":"3""#), &format!(r#""{WALLET}":"3""#), "tokens.1.allowances", ""),
        (
            &format!(r#""{pair}":"3""#),
            &format!(r#""{pair} b":"3""#),
            "tokens.1.allowances",
            &format!("{RECIPIENT} b"),
        ),
        (COLLECTION, "0x", "collections.0.address", "0x"),
        (r#"1"}"#, r#"1","x":"1"}"#, "collections.0.nfts.56.owners", "x"),
        (
            &format!(r#""approved":"{RECIPIENT}""#),
            r#""approved":"x""#,
            "collections.0.nfts.56.approved",
            "x",
        ),
        (
            &format!(r#"["{pair}"]"#),
            &format!(r#"["{pair}","{WALLET}-{RECIPIENT}"]"#),
            "collections.0.operators",
            &format!("{WALLET}-{RECIPIENT}").as_str()[..64],
        ),
    ] {
        let error = State::start(&ledger_with(&[(this, other)])).unwrap_err().to_string();
        assert!(error.starts_with(&format!("ledger.{path}: expected an address")), "{error}");
        assert!(error.contains(&format!("found `{found}")), "{found}: {error}");
    }
    // An id that no request can name.
    for id in ["01", "x", "", &"9".repeat(80)] {
        let nft = format!(r#""nfts":{{"{id}":"#);
        let error =
            State::start(&ledger_with(&[(r#""nfts":{"56":"#, &nft)])).unwrap_err().to_string();
        assert!(error.starts_with("ledger.collections.0.nfts: expected "), "{id}: {error}");
    }

    // Twice the same holder.
    let twice = format!(r#"7","{}":"1"}}"#, checksummed(WALLET));
    let error = State::start(&ledger_with(&[(r#"7"}"#, &twice)])).unwrap_err().to_string();
    let path = "ledger.tokens.1.balances: expected each key once, found `";
    assert_eq!(error, format!("{path}{WALLET}` again"));

    // Nobody may be approved; the native token has no address, a user no key of a session.
    let approved = format!(r#""approved":"{RECIPIENT}""#);
    assert!(State::start(&ledger_with(&[(&approved, r#""approved":"""#)])).is_ok());

    for (key, found) in [("wallet", "0x1"), ("swa", ""), ("sessionKey", "key")] {
        let mut state = saved();
        state.at_mut(&format!("users.{USER}")).unwrap().set(key, found.into());
        let error = state.to_string().parse::<State>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("users.{USER}.{key}: ")), "{error}");
        assert!(
            error.contains("expected an address") && error.contains(&format!("found `{found}`")),
            "{error}"
        );
    }
}

#[test]
fn a_contract_of_a_ledger_is_refused_by_its_path() {
    let pol = r#""address":"","name":"POL""#;
    let usdc = checksummed(USDC);
    let usdc_twice = format!(r#""address":"{usdc}","name":"POL""#);
    let chain = r#""caip2Id":"eip155:137","address":"0x3c"#;
    for (this, other, expected) in [
        (
            chain,
            r#""caip2Id":"eip155:5","address":"0x3c"#,
            "tokens.1.caip2Id: expected a chain of the catalogue, found `eip155:5`",
        ),
        (
            r#""caip2Id":"eip155:137","address":"0x68"#,
            r#""caip2Id":"","address":"0x68"#,
            "collections.0.caip2Id: expected a chain of the catalogue, found ``",
        ),
        (
            pol,
            &usdc_twice,
            &format!("tokens.1.address: expected an address of its own, found `{USDC}`"),
        ),
        (USDC, "", "tokens.1.address: expected an address of its own, found ``"),
        (
            COLLECTION,
            USDC,
            &format!("collections.0.address: expected an address of its own, found `{USDC}`"),
        ),
        (COLLECTION, "", "collections.0.address: expected an address of its own, found ``"),
        (
            "\"decimals\":6",
            "\"decimals\":256",
            "tokens.1.decimals: expected an integer from 0 to 255, found integer `256`",
        ),
        ("83.5", "", "tokens.1.price: expected a decimal with at most four places, found ``"),
        ("42.1", "-1", "tokens.0.price: expected a decimal with at most four places, found `-1`"),
        ("42.1", "1,5", "tokens.0.price: expected a decimal with at most four places"),
        ("42.1", "42.12345", "tokens.0.price: expected a decimal with at most four places"),
    ] {
        let options = ledger_with(&[(this, other)]);
        let error = State::start(&options).unwrap_err().to_string();
        assert!(error.starts_with(&format!("ledger.{expected}")), "{error}");
    }

    // A chain that is not enabled is known, and other chains may have the same contract.
    for chain in ["eip155:1", "eip155:8453"] {
        let other = format!(r#""caip2Id":"{chain}","address":"","name":"POL""#);
        let this = format!(r#""caip2Id":"eip155:137",{pol}"#);
        assert!(State::start(&ledger_with(&[(&this, &other), (USDC, "")])).is_ok());
    }
    let mut state = saved();
    state.at_mut("ledger.tokens.2").unwrap().set("caip2Id", "eip155:5".into());
    let error = state.to_string().parse::<State>().unwrap_err().to_string();
    assert!(error.starts_with("ledger.tokens.2.caip2Id: expected a chain"), "{error}");
}
