//! The pocket service's EntryPoint beside the published contracts: each of a thousand random operations for each version is refused by
//! both for the same reason, or included by both with the same end.

use alloy_primitives::{Address, hex};
use chain::*;
use laws::extent;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sendoff::user_op::{EntryPointVersion, GasFeeOrder, UserOp, signing_digest, user_op_hash};
use sendoff_sandbox::{Request, State, answer as pocket};
use serde_json::{Value, json};

const NOW: u64 = 1_750_000_000;
const CHAIN: &str = "eip155:31337";
const ZERO: &str = "0x0000000000000000000000000000000000000000";
const USER: &str = "d6061eab-2da6-4d79-a225-71f995791e45";
const OWNED: u64 = 16;

/// The same world twice: contracts on a chain, and a pocket service.
struct Worlds {
    chain: Service,
    pocket: State,
    token: Address,
    collection: Address,
    start: Snapshot,
}

impl Worlds {
    fn new(version: EntryPointVersion) -> Self {
        let mut chain = Service::new(version);
        chain.chain.set_time(NOW);
        let [token, collection] = [("Token", 1_000), ("Collection", OWNED)]
            .map(|(name, number)| chain.mint(name, number));
        chain.fund(1_000);

        let [token_text, collection_text, wallet, account] =
            [token, collection, chain.wallet, chain.account].map(|it| format!("{it:#x}"));
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
            "sessionKey": key(OWNER).address(),
            "deployment": {
                "entryPoint": place["entryPoint"], "chainId": CHAIN_ID, "version": version, "gasFeeOrder": "standard",
                "jobManager": place["jobManager"], "paymaster": place["paymaster"], "clientSwa": place["clientSWA"],
                "grantSigner": key(CLIENT).address(), "deposit": "10000000000000000000", "baseFee": "0",
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
        let (pocket, start) = (state.to_string().parse().unwrap(), chain.chain.snapshot());
        Self { chain, pocket, token, collection, start }
    }

    /// The operation of a plan, with its signature.
    fn operation(&self, plan: &Plan) -> Value {
        let job = format!("e4fb7f8b-d19d-4785-0000-{:012}", plan.sequence);
        let amount = if plan.is_beyond { "1001" } else { "7" };
        let id = (OWNED + u64::from(plan.is_beyond)).to_string();
        let nft = json!({
            "nftId": id, "collectionAddress": self.collection, "amount": "1", "nftType": "ERC721",
        });
        let (kind, mut details) = match plan.intent {
            0 => ("TOKEN_TRANSFER", json!({ "tokenAddress": "", "amount": amount })),
            1 => ("TOKEN_TRANSFER", json!({ "tokenAddress": self.token, "amount": amount })),
            _ => ("NFT_TRANSFER", nft),
        };
        details["recipientWalletAddress"] = plan.recipient.unwrap_or(RECIPIENT).into();
        let by = |is_another: bool, usual: u8| if is_another { 3 } else { usual };
        let (granted, signed) = (plan.is_granted_by_another, plan.is_signed_by_another);
        let client = plan.client.unwrap_or(CLIENT_SWA);
        let grant = grant(&job, client, plan.times, by(granted, CLIENT));
        let request = self.chain.request(&job, kind, details, grant);
        let mut op = self.chain.estimate(&request)["data"]["userOps"].take();
        for edit in &plan.edits {
            edit(&mut op);
        }
        let place = place(self.chain.entry_point, CHAIN_ID, self.chain.version);
        if let Ok(hash) = user_op_hash(&op.to_string().parse().unwrap(), &place) {
            let signature = sign(by(signed, OWNER), signing_digest(hash));
            op["signature"] = hex::encode_prefixed(signature).into();
        }
        op
    }

    /// What the contracts do with an operation: its end, or the reason why it is not included.
    fn on_chain(&mut self, op: &Value) -> Result<bool, String> {
        let parsed: UserOp = op.to_string().parse().unwrap();
        let signature = hex::decode(op["signature"].as_str().unwrap_or("0x")).unwrap();
        let done = self.chain.send(packed(&parsed, GasFeeOrder::Standard, signature));
        self.chain.chain.restore(&self.start);
        done.map(|event| event.success)
    }

    /// What the pocket service does with it.
    fn in_pocket(&self, op: &Value) -> Result<bool, String> {
        let mut state = self.pocket.clone();
        let now = i64::try_from(NOW).unwrap() * 1_000;
        let mut call = |method: &str, params: Value| -> Value {
            let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            let (headers, body) = (Vec::new(), call.to_string());
            let request = Request { method: "POST".into(), target: "/rpc".into(), headers, body };
            serde_json::from_str(&pocket(&mut state, &request, now).body).unwrap()
        };
        let sent = call("eth_sendUserOperation", json!([op, self.chain.entry_point]));
        if let Some(message) = sent["error"]["message"].as_str() {
            return Err(message.into());
        }
        let receipt = call("eth_getUserOperationReceipt", json!([sent["result"]]));
        Ok(receipt["result"]["success"].as_bool().unwrap())
    }
}

/// What an operation is made of. The honest one has default values.
#[derive(Default)]
struct Plan {
    /// Native tokens, tokens of a contract, or an NFT.
    intent: u8,
    sequence: u64,
    /// More than there is, or an NFT that is not there.
    is_beyond: bool,
    /// A recipient and a client that are others.
    recipient: Option<&'static str>,
    client: Option<Address>,
    /// `true` if other keys sign the operation, and the grant.
    is_signed_by_another: bool,
    is_granted_by_another: bool,
    /// Begin and end of the grant.
    times: [u64; 2],
    /// A change of the operation before it is signed.
    edits: Vec<fn(&mut Value)>,
}

/// Changes of an honest plan; some take a time that is near to now.
const CHANGES: [fn(&mut Plan, u64); 8] = [
    |plan, time| plan.times[0] = time,
    |plan, time| plan.times[1] = time,
    |plan, _| plan.is_signed_by_another = true,
    |plan, _| plan.is_granted_by_another = true,
    |plan, _| plan.client = Some(RECIPIENT.parse().unwrap()),
    |plan, _| plan.sequence = 1,
    |plan, _| plan.recipient = Some(ZERO),
    |plan, _| plan.is_beyond = true,
];

/// Changes of its operation.
const EDITS: [fn(&mut Value); 7] = [
    |op| op["maxFeePerGas"] = "0xffffffffffff".into(),
    |op| op["callGasLimit"] = format!("{:#x}", 1_u128 << 121).into(),
    |op| op["callData"] = "0x".into(),
    |op| op["callData"] = "0x12345678".into(),
    |op| {
        op["factory"] = "0x00000000000000000000000000000000000fac70".into();
        op["factoryData"] = "0x".into();
    },
    |op| op.as_object_mut().unwrap().retain(|name, _| !name.starts_with("paymaster")),
    |op| {
        if let Some(data) = op.get_mut("paymasterData") {
            *data = "0x1234".into();
        }
    },
];

#[test]
fn random_operations_end_as_by_the_published_contracts() {
    let cases = extent(100, 1_000);
    let changes = prop::collection::vec(0..CHANGES.len() + EDITS.len(), 0..=2);
    let plans = (0..3_u8, changes, NOW - 1..=NOW + 1);
    for version in VERSIONS {
        let mut worlds = Worlds::new(version);
        let mut included = 0;
        each(cases, RngSeed::Fixed(1), &plans, |(intent, changes, time)| {
            let mut plan = Plan { intent, ..Plan::default() };
            for at in changes {
                match CHANGES.get(at) {
                    Some(change) => change(&mut plan, time),
                    None => plan.edits.push(EDITS[at - CHANGES.len()]),
                }
            }
            let op = worlds.operation(&plan);
            let ours = worlds.in_pocket(&op);
            let theirs = worlds.on_chain(&op);
            included += u32::from(theirs.is_ok());
            assert_eq!(ours, theirs, "{version} {op}");
        });
        assert!(included > cases / 5, "{version}: {included} of {cases}");
    }
}
