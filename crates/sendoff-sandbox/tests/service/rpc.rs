//! The loop from the estimate to the receipt.

use sendoff_sandbox::Reply;

use crate::calls::{
    At, COLLECTION, ENTRY_POINT, Json, NOW, PIECES, RECIPIENT, Service, USDC, code, parse, read,
    request, text, transfer,
};

fn result(json: &Json) -> String {
    json.at("result").and_then(Json::as_str).map_or_else(|| panic!("{json}"), Into::into)
}

fn message(json: &Json) -> String {
    json.at("error.message").and_then(Json::as_str).map_or_else(|| panic!("{json}"), Into::into)
}

fn send(service: &mut Service, operation: &str) -> Json {
    service.rpc("eth_sendUserOperation", &format!(r#"[{operation},"{ENTRY_POINT}"]"#))
}

#[test]
fn a_transfer_is_followed_from_the_estimate_to_the_receipt() {
    let mut service = Service::new("{}");
    let operation = service.signed(&transfer(1));
    let sent = send(&mut service, &operation);
    let hash = result(&sent);
    let params = format!(r#"["{hash}"]"#);
    assert_eq!(service.rpc("eth_getUserOperationReceipt", &params).at("result"), Some(&Json::Null));
    assert_eq!(service.balance(USDC, RECIPIENT), 0);

    service.now += 2_000;
    let receipt =
        service.rpc("eth_getUserOperationReceipt", &params).at("result").unwrap().to_string();
    let outcome = parse(&sendoff::json::read_receipt(&hash, &receipt).unwrap()).unwrap();
    assert_eq!(outcome.at("outcome").and_then(Json::as_str), Some("succeeded"));
    assert_eq!(service.balance(USDC, RECIPIENT), 1_000_000);
    let most: u128 =
        sendoff::json::max_cost(&operation).unwrap().trim_matches('"').parse().unwrap();
    let cost: u128 = outcome.at("actualGasCost").and_then(Json::as_str).unwrap().parse().unwrap();
    assert!(cost > 0 && cost <= most, "{cost} of {most}");

    let by_hash = service.rpc("eth_getUserOperationByHash", &params);
    let receipt = parse(&receipt).unwrap();
    assert_eq!(by_hash.at("result.blockHash"), receipt.at("receipt.blockHash"));
    assert_eq!(by_hash.at("result.userOperation"), parse(&operation).as_ref());
    let orders = service.client(
        "GET",
        "/api/oc/v1/orders?intent_id=e4fb7f8b-d19d-4785-94af-000000000001",
        "",
    );
    assert_eq!(text(&orders, "data.items.0.status"), "SUCCESSFUL");
    // Once and not twice.
    assert_eq!(message(&send(&mut service, &operation)), "already known");
}

#[test]
fn a_receipt_has_the_event_of_its_operation() {
    for (job, success) in [(transfer(1), 1), (transfer(1).replace("1000000\"", "500000001\""), 0)] {
        let mut service = Service::new("{}");
        let operation = service.signed(&job);
        let hash = result(&send(&mut service, &operation));
        service.now += 2_000;
        let answer = service.rpc("eth_getUserOperationReceipt", &format!(r#"["{hash}"]"#));
        let receipt = answer.at("result").unwrap();
        assert_eq!(receipt.at("logs"), receipt.at("receipt.logs"));

        let log = receipt.at("logs.0").unwrap();
        let text = |json: &Json, key: &str| String::from(json.at(key).unwrap().as_str().unwrap());
        let word = |key: &str| format!("{:0>64}", &text(receipt, key).to_lowercase()[2..]);
        let event = b"UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)";
        assert_eq!(text(log, "topics.0"), sendoff::value::Word::keccak256(event).to_string());
        assert_eq!(text(log, "topics.1"), hash);
        for (at, key) in [(2, "sender"), (3, "paymaster")] {
            assert_eq!(text(log, &format!("topics.{at}"))[2..], word(key));
        }
        let expected = [
            word("nonce"),
            format!("{success:064x}"),
            word("actualGasCost"),
            word("actualGasUsed"),
        ];
        assert_eq!(text(log, "data")[2..], expected.concat());
        assert_eq!(text(log, "address"), ENTRY_POINT);
        for key in ["blockHash", "blockNumber", "transactionHash", "transactionIndex"] {
            assert_eq!(log.at(key), receipt.at("receipt").unwrap().at(key), "{key}");
        }
    }
}

/// A program that asks its own node reads the same of an operation as the receipt says.
#[test]
fn a_node_has_the_events_and_the_time_of_its_block() {
    let mut service = Service::new("{}");
    let operation = service.signed(&transfer(1));
    let hash = result(&send(&mut service, &operation));
    let sender = format!(
        "0x{:0>64}",
        &parse(&operation).unwrap().at("sender").unwrap().as_str().unwrap()[2..]
    );
    let logs = |service: &mut Service, topics: &str| {
        let filter = format!(
            r#"[{{"address":"{ENTRY_POINT}","fromBlock":"0x0","toBlock":"finalized","topics":{topics}}}]"#
        );
        service.rpc("eth_getLogs", &filter).at("result").unwrap().clone()
    };
    let asked = [format!(r#"[null,"{hash}"]"#), format!(r#"[null,null,["{sender}"]]"#)];
    assert!(asked.iter().all(|topics| logs(&mut service, topics) == Json::Array(vec![])));
    let block = |service: &mut Service| {
        let block = service.rpc("eth_getBlockByNumber", r#"["finalized",false]"#);
        ["number", "timestamp"]
            .map(|key| String::from(block.at("result").unwrap().at(key).unwrap().as_str().unwrap()))
    };
    assert_eq!(block(&mut service), ["0x0".into(), format!("{:#x}", NOW / 1_000)]);

    service.now += 2_000;
    let receipt = service.rpc("eth_getUserOperationReceipt", &format!(r#"["{hash}"]"#));
    for topics in asked.iter().map(|topics| &**topics).chain(["[]"]) {
        assert_eq!(Some(&logs(&mut service, topics)), receipt.at("result.logs"), "{topics}");
    }
    for topics in [
        format!(r#"[null,"{sender}"]"#),
        r#"["0x00"]"#.into(),
        "[null,null,null,null,null,\"0x\"]".into(),
    ] {
        assert_eq!(logs(&mut service, &topics), Json::Array(vec![]), "{topics}");
    }
    let elsewhere = service.rpc("eth_getLogs", &format!(r#"[{{"address":"{USDC}"}}]"#));
    assert_eq!(elsewhere.at("result"), Some(&Json::Array(vec![])));
    assert_eq!(block(&mut service), ["0x1".into(), format!("{:#x}", NOW / 1_000 + 2)]);
}

#[test]
fn an_operation_is_executed_for_its_user_alone() {
    let mut service = Service::new("{}");
    let operation = service.signed(&transfer(1));
    let key = [("x-api-key", "sandbox-client-key")];
    let login = request("POST", "/api/v2/authenticate", &key, r#"{"id_token":"another"}"#);
    let token = format!("Bearer {}", text(&service.send(&login), "data.auth_token"));
    let path = "/api/oc/v1/execute";
    let other = service.send(&request("POST", path, &[("authorization", &token)], &operation));
    assert_eq!((other.status, code(&other)), (400, "ER-TECH-0016".into()));
    assert!(other.body.contains("not the smart wallet of the token's user"), "{}", other.body);
    let own = service.client("POST", path, &operation);
    assert_eq!(text(&own, "data.jobId"), "e4fb7f8b-d19d-4785-94af-000000000001");
}

#[test]
fn an_order_has_its_chain_and_its_time_by_the_switches() {
    let failing = transfer(1).replace("1000000\"", "500000001\"");
    for (options, job, key, unit) in [
        ("{}", transfer(1), "caip2Id", 1),
        ("{}", failing, "caip2Id", 1_000),
        (r#"{"switches":{"timestamps":"seconds"}}"#, transfer(1), "caip2Id", 1_000),
        (r#"{"switches":{"chainKey":"networkId"}}"#, transfer(1), "networkId", 1),
    ] {
        let mut service = Service::new(options);
        let operation = service.signed(&job);
        result(&send(&mut service, &operation));
        let order = |service: &mut Service| {
            let orders = service.client("GET", "/api/oc/v1/orders", "");
            read(&orders).at("data.items.0").unwrap().clone()
        };
        let time = |order: &Json| order.get("block_timestamp").and_then(Json::as_u64);
        let now = NOW.unsigned_abs();
        // While it is open, nothing failed.
        let open = if options.contains("seconds") { 1_000 } else { 1 };
        assert_eq!(time(&order(&mut service)), Some(now / open), "{options}");
        service.now += 2_000;
        let ended = order(&mut service);
        assert_eq!(time(&ended), Some((now + 2_000) / unit), "{options} {ended}");
        let chain = ended.at("details").unwrap().get(key).and_then(Json::as_str).unwrap();
        let wallets = service.client("GET", "/api/oc/v1/wallets", "");
        let name = if key == "networkId" { "network_id" } else { "caip_id" };
        assert_eq!(chain, text(&wallets, &format!("data.0.{name}")));
    }
}

#[test]
fn the_entry_point_refuses_as_the_published_one() {
    let mut service = Service::new("{}");
    let reply = service.client("POST", "/api/oc/v1/estimate", &transfer(1));
    let honest = read(&reply).at("data.userOps").unwrap().clone();
    for (field, value, expected) in [
        ("callGasLimit", "0xffffffffffffffffffffffffffffffff", "AA94"),
        ("verificationGasLimit", "0x1", "AA23 reverted"),
        ("verificationGasLimit", "0x1869f", "AA26"),
        ("paymasterVerificationGasLimit", "0x1", "AA33 reverted"),
        ("paymasterVerificationGasLimit", "0xea5f", "AA36"),
        // More than a block of 30,000,000 leaves to it.
        ("callGasLimit", "0x1c27a00", "AA95 out of gas"),
        ("preVerificationGas", "0x1", "preVerificationGas is too low"),
        ("maxPriorityFeePerGas", "0x2255101", "maxPriorityFeePerGas is above"),
        ("sender", RECIPIENT, "AA20"),
        ("paymaster", RECIPIENT, "AA30"),
        ("preVerificationGas", "0xffffffffffffff", "AA31"),
    ] {
        let mut operation = honest.clone();
        *operation.at_mut(field).unwrap() = value.into();
        let signed = service.sign(&operation);
        let error = send(&mut service, &signed);
        assert!(message(&error).starts_with(expected), "{field}: {error}");
        let refusal = sendoff::json::read_refusal(&error.at("error").unwrap().to_string()).unwrap();
        assert!(!refusal.contains("unknown"), "{refusal}");
    }
    // A field is changed after it was signed.
    let signed = service.sign(&honest);
    let changed = signed.replace(r#""callGasLimit":"0x"#, r#""callGasLimit":"0x1"#);
    assert_eq!(message(&send(&mut service, &changed)), "AA24 signature error");
    let other = service.rpc("eth_sendUserOperation", &format!(r#"[{signed},"{RECIPIENT}"]"#));
    assert!(message(&other).contains("EntryPoint"));
    assert_eq!(service.rpc("eth_sign", "[]").at("error.code"), Some(&Json::from(-32601)));
}

#[test]
fn a_nonce_is_used_once() {
    for (switches, used) in [("job", "AA25"), ("sequence", "AA25")] {
        let mut service = Service::new(&format!(r#"{{"switches":{{"nonces":"{switches}"}}}}"#));
        // As the sequence of a key, the lower half of this job's id is 0.
        let job = transfer(1).replace(
            "e4fb7f8b-d19d-4785-94af-000000000001",
            "e4fb7f8b-d19d-4785-0000-000000000000",
        );
        let reply = service.client("POST", "/api/oc/v1/estimate", &job);
        let mut operation = read(&reply).at("data.userOps").unwrap().clone();
        let first = service.sign(&operation);
        result(&send(&mut service, &first));

        // While it waits, an operation of the same nonce replaces it if it pays a tenth more.
        *operation.at_mut("maxFeePerGas").unwrap() = "0x2255101".into();
        let little = service.sign(&operation);
        assert_eq!(message(&send(&mut service, &little)), "replacement underpriced");
        let fees = sendoff::json::replacement_fees(&first, None).unwrap();
        let fees = parse(&fees).unwrap();
        for fee in ["maxFeePerGas", "maxPriorityFeePerGas"] {
            *operation.at_mut(fee).unwrap() = fees.at(fee).unwrap().clone();
        }
        let enough = service.sign(&operation);
        let hash = result(&send(&mut service, &enough));

        service.now += 2_000;
        let receipt = service.rpc("eth_getUserOperationReceipt", &format!(r#"["{hash}"]"#));
        assert_eq!(receipt.at("result.success"), Some(&Json::Bool(true)), "{receipt}");
        *operation.at_mut("maxFeePerGas").unwrap() = "0xffffffff".into();
        let again = service.sign(&operation);
        assert!(message(&send(&mut service, &again)).starts_with(used));
        assert_eq!(service.balance(USDC, RECIPIENT), 1_000_000);

        let call = sendoff::json::nonce_call(
            "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906",
            "e4fb7f8b-d19d-4785-0000-000000000000",
        );
        let call = call.unwrap();
        let next = service
            .rpc("eth_call", &format!(r#"[{{"to":"{ENTRY_POINT}","data":{call}}},"finalized"]"#));
        let read =
            sendoff::json::read_nonce("e4fb7f8b-d19d-4785-0000-000000000000", &result(&next))
                .unwrap();
        assert_eq!(read, r#"{"used":true}"#, "{switches}");
    }
}

#[test]
fn a_native_token_that_is_not_there_reverts_with_nothing() {
    let mut service = Service::new("{}");
    let much = transfer(1).replace(USDC, "").replace("1000000\"", "900000000000000000000\"");
    let signed = service.signed(&much);
    let hash = result(&send(&mut service, &signed));
    service.now += 2_000;
    let receipt = service.rpc("eth_getUserOperationReceipt", &format!(r#"["{hash}"]"#));
    assert_eq!(receipt.at("result.reason").and_then(Json::as_str), Some("0x"), "{receipt}");
}

#[test]
fn what_reverts_costs_and_says_why() {
    let mut service = Service::new("{}");
    let much = transfer(1).replace("1000000\"", "500000001\"");
    let signed = service.signed(&much);
    let hash = result(&send(&mut service, &signed));
    service.now += 2_000;
    let receipt = service
        .rpc("eth_getUserOperationReceipt", &format!(r#"["{hash}"]"#))
        .at("result")
        .unwrap()
        .to_string();
    let outcome = parse(&sendoff::json::read_receipt(&hash, &receipt).unwrap()).unwrap();
    assert_eq!(outcome.at("outcome").and_then(Json::as_str), Some("failed"));
    assert_eq!(
        outcome.at("reason.text").and_then(Json::as_str),
        Some("ERC20: transfer amount exceeds balance")
    );
    assert_ne!(outcome.at("actualGasCost").and_then(Json::as_str), Some("0"));
}

fn read_contract(
    service: &mut Service,
    name: &str,
    contract: &str,
    args: &str,
    inputs: &str,
) -> Reply {
    let body = format!(
        r#"{{"network_name":"POLYGON","data":{{"contractAddress":"{contract}","abi":{{"name":"{name}","inputs":[{inputs}],"outputs":[],"type":"function"}},"args":{{{args}}}}}}}"#
    );
    service.client("POST", "/api/v1/readContractData", &body)
}

#[test]
fn a_contract_answers_the_functions_of_its_standard() {
    let mut service = Service::new("{}");
    let me = "0xdca7f8e25091b927db769337d7efdedbf772bb9a";
    let (id, owner) = (r#"{"name":"id"}"#, r#"{"name":"o"}"#);
    let both = r#"{"name":"o"},{"name":"id"}"#;
    let twice = r#"{"name":"o"},{"name":"o"}"#;
    let args = format!(r#""o":"{me}","id":"56""#);
    for (name, contract, inputs, expected) in [
        ("ownerOf", USDC, id, None),
        ("decimals", COLLECTION, "", None),
        ("allowance", COLLECTION, twice, None),
        ("uri", COLLECTION, id, None),
        ("balanceOf", COLLECTION, both, None),
        ("ownerOf", PIECES, id, None),
        ("tokenURI", PIECES, id, None),
        ("balanceOf", PIECES, owner, None),
        ("totalSupply", PIECES, "", None),
        ("balanceOf", PIECES, both, Some("25")),
        ("uri", PIECES, id, Some("ipfs://sandbox/56")),
        ("name", PIECES, "", Some("super avengers")),
    ] {
        let reply = read_contract(&mut service, name, contract, &args, inputs);
        if let Some(expected) = expected {
            assert_eq!(text(&reply, "data.0"), expected, "{name}");
        } else {
            assert_eq!((reply.status, code(&reply)), (422, "ER-TECH-0013".into()), "{name}");
            let why = format!("`{name}` of `{contract}`, because it has no such function");
            assert!(reply.body.contains(&why), "{name}: {}", reply.body);
        }
    }
    // What is missing is named: a contract, a function, an NFT.
    for (name, contract, inputs, args, named) in [
        ("name", RECIPIENT, "", "", "because it has no such contract"),
        ("nonces", USDC, owner, &*args, "does not read `nonces`"),
        ("ownerOf", COLLECTION, id, r#""id":"999""#, "ERC721: invalid token ID"),
    ] {
        let reply = read_contract(&mut service, name, contract, args, inputs);
        assert_eq!((reply.status, code(&reply)), (422, "ER-TECH-0013".into()), "{name}");
        assert!(reply.body.contains(named), "{name}: {}", reply.body);
    }
    // Arguments of another form.
    for (name, contract, inputs, args, path) in [
        ("balanceOf", USDC, owner, r#""o":"0x12""#, "data.args.o"),
        ("balanceOf", USDC, owner, r#""o":18"#, "data.args.o"),
        ("balanceOf", USDC, owner, "", "data.args.o"),
        ("ownerOf", COLLECTION, id, r#""id":"first""#, "data.args.id"),
    ] {
        let reply = read_contract(&mut service, name, contract, args, inputs);
        assert_eq!((reply.status, code(&reply)), (400, "ER-TECH-0016".into()), "{args}");
        assert_eq!(text(&reply, "error.details.issues.0.path"), path, "{args}");
    }
    for (data, to, expected) in [
        // Not an address: its upper bytes are not zero. And no argument at all.
        (format!("0x70a08231{}", "f".repeat(64)), USDC, "does not read `balanceOf`"),
        ("0x70a08231".into(), USDC, "does not read `balanceOf`"),
        (format!("0x6352211e{:064x}", 999), COLLECTION, "execution reverted: ERC721: invalid"),
    ] {
        let answer = service.rpc("eth_call", &format!(r#"[{{"to":"{to}","data":"{data}"}}]"#));
        assert!(message(&answer).contains(expected), "{answer}");
    }
}

#[test]
fn contracts_of_the_ledger_are_read() {
    let mut service = Service::new("{}");
    let mut read = |name: &str, contract: &str, args: &str, inputs: &str| {
        text(&read_contract(&mut service, name, contract, args, inputs), "data.0")
    };
    let nfts = "0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5";
    let wallet = "0xdca7f8e25091b927db769337d7efdedbf772bb9a";
    let (id, owner) = (r#"{"name":"id"}"#, r#"{"name":"o"}"#);
    let both = r#"{"name":"o"},{"name":"s"}"#;
    assert_eq!(read("symbol", USDC, "", ""), "USDC");
    assert_eq!(read("decimals", USDC, "", ""), "6");
    assert_eq!(read("totalSupply", USDC, "", ""), "501000000000");
    assert_eq!(read("allowance", USDC, &format!(r#""o":"{wallet}","s":"{RECIPIENT}""#), both), "0");
    assert_eq!(read("ownerOf", nfts, r#""id":"56""#, id), wallet);
    assert_eq!(read("balanceOf", nfts, &format!(r#""o":"{wallet}""#), owner), "2");
    assert_eq!(read("tokenURI", nfts, r#""id":56"#, id), "ipfs://sandbox/56");
    assert_eq!(read("name", nfts, "", ""), "super orchestrators");
    assert_eq!(
        read("isApprovedForAll", nfts, &format!(r#""o":"{wallet}","s":"{RECIPIENT}""#), both),
        "false"
    );
}

/// The receipt of an estimate after a change, and the gas that it used.
fn used(service: &mut Service, job: u64, change: impl Fn(&mut Json)) -> (Json, u64) {
    let reply = service.client("POST", "/api/oc/v1/estimate", &transfer(job));
    let mut operation = read(&reply).at("data.userOps").unwrap().clone();
    change(&mut operation);
    let signed = service.sign(&operation);
    let sent = send(service, &signed);
    let hash = result(&sent);
    service.now += 2_000;
    let receipt = service.rpc("eth_getUserOperationReceipt", &format!(r#"["{hash}"]"#));
    let used = receipt.at("result.actualGasUsed").and_then(Json::as_str).unwrap();
    let used = u64::from_str_radix(used.trim_start_matches("0x"), 16).unwrap();
    (receipt.at("result").unwrap().clone(), used)
}

#[test]
fn gas_that_is_left_costs_as_in_each_entry_point() {
    // A transfer uses 150,000: 30,000 are left, then 50,000.
    let [little, much] = ["0x2bf20", "0x30d40"];
    let [seven, eight, nine] = ["0.7", "0.8", "0.9"].map(|version| {
        let options = format!(r#"{{"deployment":{{"version":"{version}"}}}}"#);
        let mut service = Service::new(&options);
        [(1, little), (2, much)].map(|(job, limit)| {
            used(&mut service, job, |op| *op.at_mut("callGasLimit").unwrap() = limit.into()).1
        })
    });
    assert_eq!(seven[1] - seven[0], 2_000);
    assert_eq!([seven[0] - eight[0], seven[1] - eight[1]], [3_000, 0]);
    assert_eq!(eight, nine);
}

#[test]
fn without_call_data_there_is_no_call() {
    let mut service = Service::new("{}");
    let (receipt, _) = used(&mut service, 1, |op| *op.at_mut("callData").unwrap() = "0x".into());
    assert_eq!(receipt.at("success"), Some(&Json::Bool(true)), "{receipt}");
    assert_eq!(service.balance(USDC, RECIPIENT), 0);
}

#[test]
fn what_cannot_be_read_is_named() {
    let mut service = Service::new("{}");
    for (data, named) in [
        ("0xc2985578", "`0xc2985578`"),
        ("0x06fdde03", "`name`"),
        ("0x", "`0x`"),
        ("0x12", "`0x12`"),
    ] {
        let answer =
            service.rpc("eth_call", &format!(r#"[{{"to":"{RECIPIENT}","data":"{data}"}}]"#));
        let message = message(&answer);
        assert!(message.contains(named), "{message}");
        assert!(message.contains(&RECIPIENT.to_lowercase()), "{message}");
    }
    for params in [r#"[5]"#, r#"[{"to":"0x","data":"zz"}]"#] {
        assert_eq!(service.rpc("eth_call", params).at("error.code"), Some(&Json::from(-32602)));
    }
    for operation in ["5", "null", "{}", r#"{"sender":"0x12","callData":"zz"}"#] {
        let answer = service
            .rpc("eth_estimateUserOperationGas", &format!(r#"[{operation},"{ENTRY_POINT}"]"#));
        assert_eq!(answer.at("error.code"), Some(&Json::from(-32602)), "{operation}");
    }
    let unknown = format!(r#"[{{"sender":"{RECIPIENT}","callData":"0x"}},"{ENTRY_POINT}"]"#);
    let answer = service.rpc("eth_estimateUserOperationGas", &unknown);
    assert_eq!(message(&answer), "AA20 account not deployed");
    for method in ["eth_getUserOperationByHash", "eth_getUserOperationReceipt"] {
        for hash in [r#""nothex""#, r#""0x12""#, "5", "null"] {
            let answer = service.rpc(method, &format!("[{hash}]"));
            assert_eq!(answer.at("error.code"), Some(&Json::from(-32602)), "{hash}");
        }
        let unknown = format!(r#"["0x{}"]"#, "0".repeat(64));
        assert_eq!(service.rpc(method, &unknown).at("result"), Some(&Json::Null));
    }
}

#[test]
fn a_batch_is_refused() {
    let mut service = Service::new("{}");
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}]"#;
    let reply = read(&service.send(&request("POST", "/rpc", &[], batch)));
    assert_eq!(reply.at("error.code").map(ToString::to_string).as_deref(), Some("-32600"));
}

#[test]
fn a_wrong_parameter_is_refused_with_what_was_found() {
    let mut service = Service::new("{}");
    for (method, params, expected) in [
        ("eth_chainId", "[1]", "expected the parameters of `eth_chainId`, found `[1]`"),
        (
            "eth_getUserOperationByHash",
            r#"["0x1"]"#,
            r#"expected a hash, 32 bytes in hex, found `"0x1"`"#,
        ),
        (
            "eth_sendUserOperation",
            r#"[{},"0x1"]"#,
            r#"expected the EntryPoint 0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da, found `"0x1"`"#,
        ),
    ] {
        let reply = service.rpc(method, params);
        assert_eq!(message(&reply), expected);
        assert_eq!(reply.at("error.code").unwrap().to_string(), "-32602");
    }
}

#[test]
fn the_zero_address_gets_the_native_token_alone() {
    let mut service = Service::new(r#"{"delays":{"start":0,"end":0}}"#);
    let zero = "0x0000000000000000000000000000000000000000";
    let mut sent = |path: &str, body: &str, id: &str| {
        let order = text(&service.client("POST", path, &body.replace(RECIPIENT, zero)), id);
        text(
            &service.client("GET", &format!("/api/v1/orders?order_id={order}"), ""),
            "data.jobs.0.status",
        )
    };
    let tokens_of_contract = crate::calls::tokens("1");
    let native = tokens_of_contract.replace(USDC, "");
    for (path, body, id, status) in [
        ("/api/v1/transfer/tokens/execute", native, "data.orderId", "SUCCESS"),
        ("/api/v1/transfer/tokens/execute", tokens_of_contract, "data.orderId", "FAILED"),
        ("/api/v1/nft/transfer", crate::calls::nft("56", ""), "data.order_id", "FAILED"),
    ] {
        assert_eq!(sent(path, &body, id), status, "{body}");
    }
}
