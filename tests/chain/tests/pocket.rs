//! The pocket service's EntryPoint beside the published contracts: each of a thousand random operations for each version is refused by
//! both for the same reason, or included by both with the same end.

use std::env;

use alloy_primitives::{Address, Bytes, U256, hex};
use alloy_sol_types::SolCall;
use chain::{CHAIN_ID, Key, Service, VERSIONS, answer, compiled, packed};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sendoff::json;
use sendoff::user_op::{EntryPointVersion, GasFeeOrder, UserOp, signing_digest};
use sendoff::value::Word;
use sendoff_sandbox::{Request, State, answer as pocket};
use serde_json::{Value, json};

alloy_sol_types::sol! {
    function mint(address to, uint256 id) external;
}

const NOW: u64 = 1_750_000_000;
const CHAIN: &str = "eip155:31337";
const RECIPIENT: &str = "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2";
const ZERO: &str = "0x0000000000000000000000000000000000000000";
const USER: &str = "d6061eab-2da6-4d79-a225-71f995791e45";
const OWNED: u64 = 16;

/// The same world twice: contracts on a chain, and a pocket service.
struct Worlds {
    chain: Service,
    pocket: State,
    token: Address,
    collection: Address,
}

impl Worlds {
    fn new(version: EntryPointVersion) -> Self {
        let mut chain = Service::new(version, "Paymaster");
        chain.chain.set_time(NOW);
        let [token, collection] =
            ["Token", "Collection"].map(|name| chain.chain.deploy(compiled(name), &[]));
        for (contract, number) in [(token, 1_000), (collection, OWNED)] {
            let mint = mintCall { to: chain.wallet, id: U256::from(number) };
            assert!(chain.chain.send(contract, U256::ZERO, mint.abi_encode().into()).is_success());
        }
        chain.fund(1_000);

        let [token_text, collection_text, wallet, account] =
            [token, collection, chain.wallet, chain.account].map(lower);
        let place = chain.deployment();
        let fungible = |address: &str, name: &str| {
            json!({
                "caip2Id": CHAIN, "address": address, "name": name, "symbol": name, "decimals": 0, "price": "1",
                "balances": { wallet.as_str(): "1000" }, "allowances": {},
            })
        };
        let nft = json!({ "name": "", "description": "", "uri": "", "owners": { wallet.as_str(): "1" }, "approved": "" });
        let options = json!({
            "limits": null,
            "delays": { "block": 0 },
            "switches": { "nonces": "sequence" },
            "sessionKey": chain.owner.address().to_string(),
            "deployment": {
                "entryPoint": place["entryPoint"], "chainId": CHAIN_ID, "version": version.as_str(), "gasFeeOrder": "standard",
                "jobManager": place["jobManager"], "paymaster": place["paymaster"], "clientSwa": place["clientSWA"],
                "grantSigner": Key::new(2).address().to_string(), "deposit": "10000000000000000000", "baseFee": "0",
            },
            "catalogue": {
                "chains": [{ "caip2Id": CHAIN, "name": "ANVIL", "net": "test", "enabled": true }],
                "tokens": [
                    { "caip2Id": CHAIN, "tokenAddress": "", "name": "ETH", "whitelisted": true },
                    { "caip2Id": CHAIN, "tokenAddress": token_text, "name": "TKN", "whitelisted": true },
                ],
                "collections": [{ "caip2Id": CHAIN, "collectionAddress": collection_text, "whitelisted": true }],
            },
            "ledger": {
                "tokens": [fungible("", "ETH"), fungible(&token_text, "TKN")],
                "collections": [{
                    "caip2Id": CHAIN, "address": collection_text, "name": "NFT", "symbol": "NFT", "standard": "ERC721",
                    "nfts": { OWNED.to_string(): nft }, "operators": [],
                }],
            },
        });
        // The first user has the chain's account and wallet.
        let mut state: Value =
            serde_json::from_str(&State::start(&options.to_string()).unwrap().to_string()).unwrap();
        state["users"][USER]["wallet"] = wallet.into();
        state["users"][USER]["swa"] = account.into();
        let pocket = state.to_string().parse().unwrap();
        Self { chain, pocket, token, collection }
    }

    /// The operation of a case, with its signature.
    fn operation(&self, case: &Case) -> Value {
        let job = format!(
            "e4fb7f8b-d19d-4785-{}",
            if case.has(Change::Sequence) { "0000-000000000001" } else { "0000-000000000000" }
        );
        let details = match case.intent {
            0 => json!({ "tokenAddress": "", "amount": case.amount() }),
            1 => json!({ "tokenAddress": self.token.to_string(), "amount": case.amount() }),
            _ => json!({
                "nftId": if case.has(Change::Beyond) { OWNED + 1 } else { OWNED }.to_string(),
                "collectionAddress": self.collection.to_string(), "amount": "1", "nftType": "ERC721",
            }),
        };
        let mut details = details;
        details["caip2Id"] = CHAIN.into();
        details["recipientWalletAddress"] =
            if case.has(Change::ZeroRecipient) { ZERO } else { RECIPIENT }.into();
        let kind = if case.intent < 2 { "TOKEN_TRANSFER" } else { "NFT_TRANSFER" };
        let request = json!({
            "type": kind, "jobId": job, "details": details, "paymasterData": self.grant(case, &job),
            "gasDetails": { "maxFeePerGas": "0x5f5e100", "maxPriorityFeePerGas": "0x5f5e100" },
        });
        let reply = answer(json::estimate(&request.to_string(), &self.chain.facts().to_string()));
        let mut op = reply["data"]["userOps"].clone();
        for change in &case.changes {
            change.apply(&mut op);
        }
        let place = json!({
            "entryPoint": self.chain.entry_point.to_string(), "chainId": CHAIN_ID, "version": self.chain.version.as_str(),
            "gasFeeOrder": "standard",
        });
        let Ok(hash) = json::user_op_hash(&op.to_string(), &place.to_string()) else { return op };
        let hash: Word = hash.trim_matches('"').parse().unwrap();
        let key = Key::new(if case.has(Change::OtherKey) { 3 } else { 1 });
        let signature = key.sign(signing_digest(hash).into());
        op["signature"] = hex::encode_prefixed(&signature).into();
        op
    }

    /// The paymaster's data by which the client pays.
    fn grant(&self, case: &Case, job: &str) -> String {
        let (after, until) = (case.time(Change::After), case.time(Change::Until));
        let place = self.chain.deployment();
        let client = if case.has(Change::OtherClient) {
            json!(RECIPIENT)
        } else {
            place["clientSWA"].clone()
        };
        let mut grant = json!({ "clientSWA": client, "validUntil": until, "validAfter": after });
        let mut to_sign = grant.clone();
        to_sign["jobId"] = job.into();
        let hash = answer(json::paymaster_hash(&to_sign.to_string()));
        let hash: Word = hash.as_str().unwrap().parse().unwrap();
        let key = Key::new(if case.has(Change::OtherGrant) { 4 } else { 2 });
        grant["signature"] = hex::encode_prefixed(key.sign(signing_digest(hash).into())).into();
        answer(json::encode_paymaster_data(&grant.to_string())).as_str().unwrap().into()
    }

    /// What the contracts do with an operation: its end, or the reason why it is not included.
    fn on_chain(&mut self, op: &Value) -> Result<bool, String> {
        let before = self.chain.chain.snapshot();
        let parsed: UserOp = op.to_string().parse().unwrap();
        let signature: Bytes = op["signature"].as_str().unwrap_or("0x").parse().unwrap();
        let packed = packed(&parsed, GasFeeOrder::Standard, &signature);
        let done = self.chain.chain.handle(self.chain.entry_point, packed);
        self.chain.chain.restore(&before);
        done.map(|event| event.success).map_err(|(reason, _)| reason)
    }

    /// What the pocket service does with it.
    fn in_pocket(&self, op: &Value) -> Result<bool, String> {
        let mut state = self.pocket.clone();
        let now = i64::try_from(NOW).unwrap() * 1_000;
        let mut call = |method: &str, params: Value| -> Value {
            let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            let request = Request {
                method: "POST".into(),
                target: "/rpc".into(),
                headers: Vec::new(),
                body: body.to_string(),
            };
            serde_json::from_str(&pocket(&mut state, &request, now).body).unwrap()
        };
        let entry_point = self.chain.entry_point.to_string();
        let sent = call("eth_sendUserOperation", json!([op, entry_point]));
        if let Some(message) = sent["error"]["message"].as_str() {
            return Err(message.into());
        }
        let receipt = call("eth_getUserOperationReceipt", json!([sent["result"]]));
        Ok(receipt["result"]["success"].as_bool().unwrap())
    }
}

fn lower(address: Address) -> String {
    address.to_string().to_lowercase()
}

/// A change of an honest operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// The grant begins at this distance from now.
    After,
    /// The grant ends at this distance from now.
    Until,
    OtherKey,
    OtherGrant,
    OtherClient,
    Factory,
    NoPaymaster,
    Sequence,
    Dear,
    Overflow,
    NoCall,
    BadCall,
    BadGrant,
    ZeroRecipient,
    /// More than there is, or an NFT that is not there.
    Beyond,
}

impl Change {
    const ALL: [Self; 15] = [
        Self::After,
        Self::Until,
        Self::OtherKey,
        Self::OtherGrant,
        Self::OtherClient,
        Self::Factory,
        Self::NoPaymaster,
        Self::Sequence,
        Self::Dear,
        Self::Overflow,
        Self::NoCall,
        Self::BadCall,
        Self::BadGrant,
        Self::ZeroRecipient,
        Self::Beyond,
    ];

    /// Changes what is not made with the request.
    fn apply(self, op: &mut Value) {
        match self {
            Self::Factory => {
                op["factory"] = "0x00000000000000000000000000000000000fac70".into();
                op["factoryData"] = "0x".into();
            }
            Self::NoPaymaster => {
                let fields = op.as_object_mut().unwrap();
                fields.retain(|name, _| !name.starts_with("paymaster"));
            }
            Self::Dear => op["maxFeePerGas"] = "0xffffffffffff".into(),
            Self::Overflow => op["callGasLimit"] = format!("{:#x}", 1_u128 << 121).into(),
            Self::NoCall => op["callData"] = "0x".into(),
            Self::BadCall => op["callData"] = "0x12345678".into(),
            Self::BadGrant => {
                if op.get("paymaster").is_some() {
                    op["paymasterData"] = "0x1234".into();
                }
            }
            Self::After
            | Self::Until
            | Self::OtherKey
            | Self::OtherGrant
            | Self::OtherClient
            | Self::Sequence
            | Self::ZeroRecipient
            | Self::Beyond => {}
        }
    }
}

#[derive(Clone, Debug)]
struct Case {
    /// Native tokens, tokens of a contract, or an NFT.
    intent: u8,
    changes: Vec<Change>,
    distance: i64,
}

impl Case {
    fn has(&self, change: Change) -> bool {
        self.changes.contains(&change)
    }

    fn amount(&self) -> &'static str {
        if self.has(Change::Beyond) { "1001" } else { "7" }
    }

    /// A time of the grant: none without this change.
    fn time(&self, change: Change) -> u64 {
        if self.has(change) { NOW.checked_add_signed(self.distance).unwrap() } else { 0 }
    }
}

fn case() -> impl Strategy<Value = Case> {
    let changes = prop::collection::vec(prop::sample::select(&Change::ALL[..]), 0..=2);
    (0..3_u8, changes, -1..=1_i64).prop_map(|(intent, changes, distance)| Case {
        intent,
        changes,
        distance,
    })
}

#[test]
fn random_operations_end_as_by_the_published_contracts() {
    let cases = if env::var_os("SENDOFF_ALL").is_some() { 1_000 } else { 100 };
    for version in VERSIONS {
        let worlds = std::cell::RefCell::new(Worlds::new(version));
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let mut runner =
            TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let included = std::cell::Cell::new(0);
        let tested = runner.run(&case(), |case| {
            let op = worlds.borrow().operation(&case);
            let ours = worlds.borrow().in_pocket(&op);
            let theirs = worlds.borrow_mut().on_chain(&op);
            included.set(included.get() + u32::from(theirs.is_ok()));
            prop_assert_eq!(ours, theirs, "{} {}", version, op);
            Ok(())
        });
        tested.unwrap();
        assert!(included.get() > cases / 5, "{version}: {} of {cases}", included.get());
    }
}
