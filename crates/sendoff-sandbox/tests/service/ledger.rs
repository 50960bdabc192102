//! The ledger of the options and of a saved state: what is taken, and what is refused where.

use sendoff_sandbox::State;

use crate::calls::{At, COLLECTION, NOW, RECIPIENT, Service, USDC, USER, WALLET, tokens};
use crate::options::{refused, refused_saved, saved};

/// The option of a ledger with two tokens and a collection, after changes of its text.
fn ledger_with(changes: &[(&str, &str)]) -> String {
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

#[test]
fn a_transfer_of_more_than_a_holder_can_have_fails() {
    let rich = format!(r#""5000000","{RECIPIENT}":"{}""#, sendoff::primitive_types::U256::MAX);
    let mut service = Service::new(&ledger_with(&[(r#""7""#, &rich)]));
    let order = service.ask("POST /api/v1/transfer/tokens/execute", &tokens("1"), "201");
    service.now += 5_000;
    let target = format!("GET /api/v1/orders?order_id={}", order.text("data.orderId"));
    service.ask(&target, "", "201 | data.jobs.0.status = FAILED");
    assert_eq!(service.balance(USDC, WALLET), 5_000_000);
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
        assert_eq!(Service { state, now: NOW }.balance(USDC, WALLET), 7);
    }

    // So are those of a saved state.
    let mut saved = Service { state: plain.clone(), now: NOW }.saved();
    for key in ["wallet", "swa", "sessionKey"] {
        let path = format!("users.{USER}.{key}");
        saved.set(&path, checksummed(&saved.text(&path)).into());
    }
    assert!(saved.to_string().contains("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"));
    assert!(saved.to_string().parse::<State>().unwrap() == plain);
}

#[test]
fn an_address_of_a_ledger_is_refused_by_its_path() {
    let (pair, bad) = (format!("{WALLET} {RECIPIENT}"), format!("{USDC}0"));
    let wrong_case = WALLET.replace("dca7", "Dca7");
    let allowance = format!(r#""{pair}":"3""#);
    let (approved, other) = (format!(r#""approved":"{RECIPIENT}""#), format!("{RECIPIENT} b"));
    let owners = "collections.0.nfts.56.owners";
    for (this, other, path, found) in [
        (USDC, "0x1", "tokens.1.address", "0x1"),
        (USDC, &bad, "tokens.1.address", &bad),
        (r#""address":"""#, r#""address":"native""#, "tokens.0.address", "native"),
        (r#"7"}"#, r#"7","bob":"1"}"#, "tokens.1.balances", "bob"),
        (r#"7"}"#, r#"7","":"1"}"#, "tokens.1.balances", ""),
        (WALLET, &wrong_case, owners, &wrong_case),
        (&allowance, r#""a b":"3""#, "tokens.1.allowances", "a"),
        (&allowance, &format!(r#""{WALLET}":"3""#), "tokens.1.allowances", ""),
        (&allowance, &format!(r#""{pair} b":"3""#), "tokens.1.allowances", &other),
        (COLLECTION, "0x", "collections.0.address", "0x"),
        (r#"1"}"#, r#"1","x":"1"}"#, owners, "x"),
        (&approved, r#""approved":"x""#, "collections.0.nfts.56.approved", "x"),
        (
            &format!(r#"["{pair}"]"#),
            &format!(r#"["{pair}","{WALLET}-{RECIPIENT}"]"#),
            "collections.0.operators",
            &format!("{WALLET}-{RECIPIENT}")[..64],
        ),
    ] {
        let error = State::start(&ledger_with(&[(this, other)])).unwrap_err().to_string();
        assert!(error.starts_with(&format!("ledger.{path}: expected an address")), "{error}");
        assert!(error.contains(&format!("found `{found}")), "{found}: {error}");
    }
    // An id that no request can name.
    for id in ["01", "x", "", &"9".repeat(80)] {
        let nft = format!(r#""nfts":{{"{id}":"#);
        let ledger = ledger_with(&[(r#""nfts":{"56":"#, &nft)]);
        refused(&ledger, "ledger.collections.0.nfts: expected ");
    }

    // Twice the same holder.
    let twice = format!(r#"7","{}":"1"}}"#, checksummed(WALLET));
    let expected =
        format!("ledger.tokens.1.balances: expected each key once, found `{WALLET}` again");
    refused(&ledger_with(&[(r#"7"}"#, &twice)]), &expected);

    // Nobody may be approved; a user has a wallet.
    assert!(State::start(&ledger_with(&[(&approved, r#""approved":"""#)])).is_ok());
    for (key, found) in [("wallet", "0x1"), ("swa", ""), ("sessionKey", "key")] {
        let (mut state, path) = (saved(), format!("users.{USER}.{key}"));
        state.set(&path, found.into());
        let words = "expected a saved state of this version: expected an address";
        refused_saved(&state, &format!("{path}: {words}"));
    }
}

#[test]
fn a_contract_of_a_ledger_is_refused_by_its_path() {
    let (pol, decimal) =
        (r#""address":"","name":"POL""#, "expected a decimal with at most four places");
    let [usdc, nfts] =
        ["0x3c", "0x68"].map(|begin| format!(r#""caip2Id":"eip155:137","address":"{begin}"#));
    let decimals = "tokens.1.decimals: expected an integer from 0 to 255, found integer `256`";
    let usdc_twice = format!(r#""address":"{}","name":"POL""#, checksummed(USDC));
    let own = |found: &str| format!("address: expected an address of its own, found `{found}`");
    let chain =
        |found: &str| format!("caip2Id: expected a chain of the catalogue, found `{found}`");
    for (this, other, expected) in [
        (&*usdc, &*usdc.replace("137", "5"), format!("tokens.1.{}", chain("eip155:5"))),
        (&nfts, &nfts.replace("eip155:137", ""), format!("collections.0.{}", chain(""))),
        (pol, &usdc_twice, format!("tokens.1.{}", own(USDC))),
        (USDC, "", format!("tokens.1.{}", own(""))),
        (COLLECTION, USDC, format!("collections.0.{}", own(USDC))),
        (COLLECTION, "", format!("collections.0.{}", own(""))),
        ("\"decimals\":6", "\"decimals\":256", decimals.into()),
        ("83.5", "", format!("tokens.1.price: {decimal}, found ``")),
        ("42.1", "-1", format!("tokens.0.price: {decimal}, found `-1`")),
        ("42.1", "1,5", format!("tokens.0.price: {decimal}")),
        ("42.1", "42.12345", format!("tokens.0.price: {decimal}")),
    ] {
        refused(&ledger_with(&[(this, other)]), &format!("ledger.{expected}"));
    }

    // A chain that is not enabled is known, and other chains may have the same contract.
    for chain in ["eip155:1", "eip155:8453"] {
        let other = format!(r#""caip2Id":"{chain}","address":"","name":"POL""#);
        let this = format!(r#""caip2Id":"eip155:137",{pol}"#);
        assert!(State::start(&ledger_with(&[(&this, &other), (USDC, "")])).is_ok());
    }
    for decimals in ["0", "255"] {
        let decimals = format!("\"decimals\":{decimals}");
        assert!(State::start(&ledger_with(&[("\"decimals\":6", &decimals)])).is_ok());
    }
}
