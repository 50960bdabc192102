//! Requests, and a service that answers them.

use k256::ecdsa::SigningKey;
use sendoff::{user_op::signing_digest, value::Word};
use sendoff_sandbox::{Reply, Request, State, answer};
pub(crate) use serde_json::Value as Json;

pub(crate) const NOW: i64 = 1_750_000_000_000;
pub(crate) const USER: &str = "d6061eab-2da6-4d79-a225-71f995791e45";
pub(crate) const TREASURY: &str = "4980be95-7c53-4f50-a401-b2f9de36353e";
pub(crate) const WALLET: &str = "0xdca7f8e25091b927db769337d7efdedbf772bb9a";
pub(crate) const RECIPIENT: &str = "0xcdac489b062a5d057bd15dde758829ecf3a14e5b";
pub(crate) const COLLECTION: &str = "0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5";
/// A collection of ERC-1155.
pub(crate) const PIECES: &str = "0xfd95a6cdd2a93fd7e4c0ae4a1a5cd9d0b6f1f8aa";
pub(crate) const USDC: &str = "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359";

/// Heads of requests that make an order.
pub(crate) const SEND: &str = "POST /api/v1/transfer/tokens/execute";
pub(crate) const NFT: &str = "POST /api/v1/nft/transfer";
pub(crate) const RAW: &str = "POST /api/v1/rawtransaction/execute";

/// The first user's session key, the second of every local test chain.
const SESSION_KEY: &str = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";

/// Dotted paths into JSON, such as `data.jobs.0.status`.
pub(crate) trait At {
    fn at(&self, path: &str) -> Option<&Json>;
    /// The text at a path; of another value its JSON, of none `nothing`.
    fn text(&self, path: &str) -> String;
    /// Replaces what is at a path, or adds it.
    fn set(&mut self, path: &str, value: Json);
}

impl At for Json {
    fn at(&self, path: &str) -> Option<&Json> {
        self.pointer(&format!("/{}", path.replace('.', "/")))
    }

    fn text(&self, path: &str) -> String {
        match self.at(path) {
            Some(Self::String(text)) => text.clone(),
            found => found.map_or("nothing".into(), Self::to_string),
        }
    }

    fn set(&mut self, path: &str, value: Json) {
        let pointer = format!("/{}", path.replace('.', "/"));
        match self.pointer_mut(&pointer) {
            Some(found) => *found = value,
            None => {
                let (above, key) = pointer.rsplit_once('/').unwrap();
                self.pointer_mut(above).unwrap()[key] = value;
            }
        }
    }
}

pub(crate) fn parse(text: &str) -> Option<Json> {
    serde_json::from_str(text).ok()
}

pub(crate) fn written(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

/// The headers of a caller: the server's key on the server's paths, the application's where a user
/// signs in, and else the first user's token.
fn credentials(target: &str) -> &'static str {
    match target {
        "/rpc" | "/api/oc/v1/authenticate" => "",
        "/api/v2/authenticate" | "/api/v1/jwt-authenticate" => "x-api-key: sandbox-client-key",
        _ if target.starts_with("/s2s/") => "x-api-key: sandbox-server-key",
        _ => "authorization: Bearer sandbox-token\ncontent-type: application/json",
    }
}

/// A request by its head: method and target, and headers in further lines if they are others than
/// those of [`credentials`]. A call of JSON-RPC is `RPC METHOD`, with its parameters as the body.
pub(crate) fn request(head: &str, body: &str) -> Request {
    let (line, own) = head.split_once('\n').map_or((head, None), |(line, own)| (line, Some(own)));
    let (method, target) = line.split_once(' ').unwrap();
    if method == "RPC" {
        let call = format!(r#""jsonrpc":"2.0","id":1,"method":"{target}","params":[{body}]"#);
        return request("POST /rpc", &format!("{{{call}}}"));
    }
    let headers = own.unwrap_or_else(|| credentials(target)).lines().map(|line| {
        let (name, value) = line.split_once(": ").unwrap();
        (name.into(), value.into())
    });
    let headers = headers.collect();
    Request { method: method.into(), target: target.into(), headers, body: body.into() }
}

/// A service with a clock.
pub(crate) struct Service {
    pub(crate) state: State,
    pub(crate) now: i64,
}

impl Service {
    pub(crate) fn new(options: &str) -> Self {
        Self { state: State::start(options).unwrap(), now: NOW }
    }

    pub(crate) fn send(&mut self, request: &Request) -> Reply {
        answer(&mut self.state, request, self.now)
    }

    /// Makes a call, and compares its reply with a status and with what is at paths of it, as in
    /// `201 | data.total = 1 | error.message ~ a part`. `job` and `item` are the states of the
    /// first order and of the first order of an intent, `code` is the error's code,
    /// `said` its message, `issue` its only problem with its path, and `header NAME` a header.
    #[track_caller]
    pub(crate) fn ask(&mut self, head: &str, body: &str, expected: &str) -> Json {
        self.hear(&request(head, body), expected)
    }

    /// The same of any request.
    #[track_caller]
    pub(crate) fn hear(&mut self, request: &Request, expected: &str) -> Json {
        let reply = self.send(request);
        let json = parse(&reply.body).unwrap_or_default();
        let mut parts = expected.split(" | ");
        let told =
            format!("{} {} {}\n{}", request.method, request.target, request.body, reply.body);
        assert_eq!(reply.status.to_string(), parts.next().unwrap(), "{told}");
        for part in parts.filter(|part| !part.contains(KEPT)) {
            match part.strip_prefix("header ").and_then(|part| part.split_once(" = ")) {
                Some((name, value)) => assert_eq!(reply.header(name), Some(value), "{told}"),
                None => holds(&json, part, &told),
            }
        }
        json
    }

    /// Makes one call after the other, or waits, as in `wait 5000`. What a row keeps of its reply,
    /// as in `data.orderId > <order>`, has this name in later rows.
    #[track_caller]
    pub(crate) fn walk<T: AsRef<str>>(&mut self, rows: &[[T; 3]]) {
        let mut known = Vec::new();
        for row in rows {
            let [head, body, expected] = row.each_ref().map(|text| filled(text.as_ref(), &known));
            if let Some(time) = head.strip_prefix("wait ") {
                self.now += time.parse::<i64>().unwrap();
                continue;
            }
            let reply = self.ask(&head, &body, &expected);
            known.extend(kept(&expected, &reply));
        }
    }

    /// Sends an operation, and returns its hash.
    #[track_caller]
    pub(crate) fn sent(&mut self, operation: &str) -> String {
        self.hear(&sent(operation), "200 | error = nothing").text("result")
    }

    /// Signs in, and returns the header of the token.
    pub(crate) fn login(&mut self, identity: &str) -> String {
        let body = format!(r#"{{"id_token":"{identity}"}}"#);
        let reply = self.ask("POST /api/v2/authenticate", &body, "200");
        format!("authorization: Bearer {}", reply.text("data.auth_token"))
    }

    /// The balance of a wallet, by the contract's own answer.
    pub(crate) fn balance(&mut self, token: &str, holder: &str) -> u128 {
        let data = format!("0x70a08231{:0>64}", holder.trim_start_matches("0x"));
        let call = format!(r#"{{"to":"{token}","data":"{data}"}},"latest""#);
        let answer = self.ask("RPC eth_call", &call, "200 | error = nothing").text("result");
        u128::from_str_radix(answer.trim_start_matches("0x"), 16).unwrap()
    }

    /// The state as JSON.
    pub(crate) fn saved(&self) -> Json {
        parse(&self.state.to_string()).unwrap()
    }

    /// A signed operation of an estimate.
    pub(crate) fn signed(&mut self, request: &str) -> String {
        let reply = self.ask("POST /api/oc/v1/estimate", request, "200");
        self.sign(reply.at("data.userOps").unwrap())
    }

    pub(crate) fn sign(&self, operation: &Json) -> String {
        let version = self.saved().text("deployment.version");
        let where_ = format!(
            r#"{{"entryPoint":"{ENTRY_POINT}","chainId":1802466136,"version":"{version}",
            "gasFeeOrder":"maxFirst"}}"#
        );
        let hash = sendoff::json::user_op_hash(&operation.to_string(), &where_).unwrap();
        let digest = signing_digest(hash.trim_matches('"').parse().unwrap());
        let key: Word = SESSION_KEY.parse().unwrap();
        let [key, bytes]: [[u8; 32]; 2] = [key, digest].map(Into::into);
        let key = SigningKey::from_slice(&key).unwrap();
        let (signature, recovery) = key.sign_prehash_recoverable(&bytes);
        let signature = [&signature.to_bytes()[..], &[27 + recovery.to_byte()]].concat();
        let signature = sendoff::value::HexBytes::from(signature).to_string();
        sendoff::json::assemble(&operation.to_string(), &signature).unwrap()
    }
}

/// Between a path of a reply and the name that what is there has later.
const KEPT: &str = " > ";

/// What is kept of a reply, by its names.
pub(crate) fn kept(expected: &str, reply: &Json) -> Vec<(String, String)> {
    let kept = expected.split(" | ").filter_map(|part| part.split_once(KEPT));
    let known =
        kept.filter_map(|(path, name)| Some((name.into(), reply.at(path)?.as_str()?.into())));
    known.collect()
}

/// A text with what its names stand for; of several the last.
pub(crate) fn filled(text: &str, known: &[(String, String)]) -> String {
    known.iter().rev().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
}

/// The call that sends an operation.
pub(crate) fn sent(operation: &str) -> Request {
    request("RPC eth_sendUserOperation", &format!(r#"{operation},"{ENTRY_POINT}""#))
}

/// A request that asks for lies.
pub(crate) fn lying(request: &Request, lies: &str) -> Request {
    let mut request = request.clone();
    request.headers.push(("x-sandbox-lie".into(), lies.into()));
    request
}

/// Compares what is at a path: `path = all of it`, or `path ~ a part`.
#[track_caller]
pub(crate) fn holds(json: &Json, expected: &str, told: &str) {
    let (path, value, is_all) = match (expected.split_once(" = "), expected.split_once(" ~ ")) {
        (Some((path, value)), _) if !path.contains(" ~ ") => (path, value, true),
        (_, Some((path, value))) => (path, value, false),
        _ => panic!("{expected}"),
    };
    let found = match path {
        "job" => json.text("data.jobs.0.status"),
        "item" => json.text("data.items.0.status"),
        "code" => json.text("error.errorCode"),
        "said" => json.text("error.message"),
        "issue" => {
            let text = |key: &str| json.text(&format!("error.details.issues.0.{key}"));
            assert_eq!(json.at("error.details.issues.1"), None, "{told}");
            format!("{}: {}", text("path"), text("message"))
        }
        path => json.text(path),
    };
    let is_right = if is_all { found == value } else { found.contains(value) };
    assert!(is_right, "expected {expected}, found {found}\n{told}");
}

/// Replaces a part of a text, which is there.
#[track_caller]
pub(crate) fn changed(text: &str, this: &str, other: &str) -> String {
    assert!(text.contains(this), "{this} in {text}");
    text.replacen(this, other, 1)
}

/// An estimate of an intent on POLYGON, of a job with this number.
pub(crate) fn estimate(job: u64, kind: &str, payer: &str, details: &str) -> String {
    format!(
        r#"{{"type":"{kind}","jobId":"e4fb7f8b-d19d-4785-94af-{job:012x}",{payer}
        "gasDetails":{{"maxFeePerGas":"0x2255100","maxPriorityFeePerGas":"0x2255100"}},
        "paymasterData":"0x","details":{{"caip2Id":"eip155:137",{details}}}}}"#
    )
}

/// The estimate of a transfer of one USDC.
pub(crate) fn transfer(job: u64) -> String {
    let details = format!(
        r#""recipientWalletAddress":"{RECIPIENT}","tokenAddress":"{USDC}","amount":"1000000""#
    );
    estimate(job, "TOKEN_TRANSFER", "", &details)
}

pub(crate) const ENTRY_POINT: &str = "0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da";

pub(crate) fn tokens(quantity: &str) -> String {
    format!(
        r#"{{"network_name":"POLYGON","token_address":"{USDC}","quantity":"{quantity}",
        "recipient_address":"{RECIPIENT}"}}"#
    )
}

pub(crate) fn nft(id: &str, more: &str) -> String {
    format!(
        r#"{{"operation_type":"NFT_TRANSFER","network_name":"POLYGON","nft_address":"{id}",
        "collection_address":"{COLLECTION}","collection_name":"super orchestrators",
        "quantity":"1","recipient_address":"{RECIPIENT}"{more}}}"#
    )
}

pub(crate) fn raw(from: &str, value: &str) -> String {
    format!(
        r#"{{"network_name":"POLYGON","transaction":{{"from":"{from}","to":"{RECIPIENT}",
        "data":"0x","value":"{value}"}}}}"#
    )
}

pub(crate) fn mint(collection: &str) -> String {
    format!(
        r#"{{"operation_type":"NFT_MINT","ercType":"ERC721","network_name":"POLYGON",
        "collection_address":"{collection}","collection_name":"super","quantity":"2",
        "metadata":{{"uri":"ipfs://x","nftName":"Mint a NFT","description":"d"}}}}"#
    )
}

pub(crate) const READ: &str = r#"{"network_name":"POLYGON","data":{
    "contractAddress":"0x3c499c542cef5e3811e1192ce70d8cc03d5c3359","abi":{"name":"balanceOf",
    "inputs":[{"internalType":"address","name":"account","type":"address"}],"type":"function",
    "outputs":[{"internalType":"uint256","name":"","type":"uint256"}],"stateMutability":"view"},
    "args":{"account":"0xdca7F8E25091B927DB769337d7eFDedBf772bb9A"}}}"#;
