//! The reason for expected gas limits: with other limits a server makes an operation fail, or lets
//! it cost several times as much. Each way that an audit found is run on the published EntryPoints,
//! and refused with the expectations of the examples in the documentation.

use alloy_primitives::{Address, B256, U256, aliases::U192};
use alloy_sol_types::{SolCall, sol};
use chain::{CHAIN_ID, IEntryPoint, Service, VERSIONS, answer, compiled, packed};
use sendoff::error::{Error, IssueCode};
use sendoff::estimate::{EstimateRequest, GasFigures, Signable, signable};
use sendoff::intent::Names;
use sendoff::json;
use sendoff::user_op::{EntryPointVersion, GasFeeOrder, UserOp, max_cost};
use serde_json::{Value, json};

sol! {
    function mint(address to, uint256 id) external;
    function ownerOf(uint256 id) external view returns (address);
}

const NFT: u64 = 16;
/// Its last eight bytes are zero: for the EntryPoint they are the sequence number of a nonce whose key is new.
const JOB: &str = "e4fb7f8b-d19d-4785-0000-000000000000";
/// Wei per unit of gas.
const FEE: u64 = 1_000_000_000;
const RECIPIENT: &str = "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2";

/// A user with an NFT, and an estimate of its transfer.
struct Transfer {
    service: Service,
    collection: Address,
    request: Value,
    reply: Value,
}

impl Transfer {
    fn new(version: EntryPointVersion) -> Self {
        let mut service = Service::new(version, "SettlingPaymaster");
        let collection = service.chain.deploy(compiled("Collection"), &[]);
        let mint = mintCall { to: service.wallet, id: U256::from(NFT) };
        assert!(service.chain.send(collection, U256::ZERO, mint.abi_encode().into()).is_success());
        let request = json!({
            "type": "NFT_TRANSFER",
            "jobId": JOB,
            "gasDetails": { "maxFeePerGas": format!("{FEE:#x}"), "maxPriorityFeePerGas": format!("{FEE:#x}") },
            "paymasterData": service.grant(JOB, (1 << 48) - 1),
            "details": {
                "caip2Id": format!("eip155:{CHAIN_ID}"), "nftId": NFT.to_string(), "recipientWalletAddress": RECIPIENT,
                "collectionAddress": collection.to_string(), "amount": "1", "nftType": "ERC721",
            },
        });
        let reply = answer(json::estimate(&request.to_string(), &service.facts().to_string()));
        Self { service, collection, request, reply }
    }

    fn op(&self) -> UserOp {
        self.reply["data"]["userOps"].to_string().parse().unwrap()
    }

    fn gas(&self, limit: &str) -> u64 {
        let text = self.reply["data"]["userOps"][limit].as_str().unwrap();
        u64::from_str_radix(&text[2..], 16).unwrap()
    }

    /// The answer of `signable`, with this expectation.
    fn signable(&self, expect: Option<Value>) -> Result<Signable, Error> {
        let request: EstimateRequest = self.request.to_string().parse().unwrap();
        let mut place = self.service.deployment();
        if let Some(expect) = expect {
            place["expect"] = expect;
        }
        signable(
            &request,
            &*self.reply.to_string(),
            &place.to_string().parse().unwrap(),
            &Names::default(),
        )
    }

    /// The expectations of the examples: around the figures of this reply.
    fn expectations(&self) -> Value {
        let op = &self.reply["data"]["userOps"];
        let keys = LIMITS.into_iter().chain(["maxFeePerGas"]);
        let figures: serde_json::Map<_, _> =
            keys.map(|key| (key.to_owned(), op[key].clone())).collect();
        let figures: GasFigures = Value::from(figures).to_string().parse().unwrap();

        let mut expect = serde_json::to_value(figures.expectations(20).unwrap()).unwrap();
        expect["userSWA"] = self.service.account.to_string().into();
        expect["policies"] = self.reply["data"]["callData"]["policies"].clone();
        expect["gsn"] = json!({ "isRequired": false, "requiredNetworks": [] });
        expect
    }

    /// Signs the operation, sends it, and returns its event, or the reason why the EntryPoint does not include it.
    fn send(&mut self) -> Result<IEntryPoint::UserOperationEvent, String> {
        let signable = self.signable(None).unwrap();
        let op = UserOp::from(signable.operation().clone());
        let signature = self.service.owner.sign(signable.digest().into());
        let packed = packed(&op, GasFeeOrder::Standard, &signature);
        let event = self
            .service
            .chain
            .handle(self.service.entry_point, packed)
            .map_err(|(reason, _)| reason)?;
        assert_eq!(event.userOpHash, B256::from(signable.hash()));
        Ok(event)
    }

    fn is_done(&mut self) -> bool {
        let owner =
            self.service.chain.call(self.collection, &ownerOfCall { id: U256::from(NFT) }).unwrap();
        owner == RECIPIENT.parse::<Address>().unwrap()
    }

    fn is_nonce_used(&mut self) -> bool {
        let nonce = U256::from_be_bytes(self.op().nonce.value().to_big_endian());
        let key: U256 = nonce >> 64;
        let question =
            IEntryPoint::getNonceCall { sender: self.service.account, key: key.to::<U192>() };
        self.service.chain.call(self.service.entry_point, &question).unwrap() == nonce + U256::ONE
    }
}

const LIMITS: [&str; 5] = [
    "callGasLimit",
    "verificationGasLimit",
    "preVerificationGas",
    "paymasterVerificationGasLimit",
    "paymasterPostOpGasLimit",
];

/// What becomes of an operation with changed limits that is signed and sent all the same.
enum Harm {
    /// The call fails or is undone, the nonce is used, and this times the honest gas is charged.
    Fails(f64),
    /// It is executed, and this times the honest gas is charged.
    Dear(f64),
    /// The EntryPoint does not include it, with a reason that starts so. It costs nothing.
    NotIncluded(&'static str),
}

struct Row {
    what: &'static str,
    /// Other limits than the service's honest ones.
    limits: &'static [(&'static str, u64)],
    harm: Harm,
    /// The fields of the operation at which the expectations refuse it; `""` is its cost.
    refused: &'static [&'static str],
}

/// The table of the audit. The honest limits are 600,000, 400,000, 100,000, 200,000 and 200,000.
const ROWS: [Row; 10] = [
    Row {
        what: "the gas of the call moved into `preVerificationGas`",
        limits: &[
            ("callGasLimit", 0),
            ("paymasterPostOpGasLimit", 0),
            ("preVerificationGas", 900_000),
        ],
        harm: Harm::Fails(2.5),
        refused: &["callGasLimit", "preVerificationGas", "paymasterPostOpGasLimit"],
    },
    Row {
        what: "all gas moved into `preVerificationGas`",
        limits: &[
            ("callGasLimit", 0),
            ("paymasterPostOpGasLimit", 0),
            ("verificationGasLimit", 60_000),
            ("paymasterVerificationGasLimit", 40_000),
            ("preVerificationGas", 1_400_000),
        ],
        harm: Harm::Fails(4.0),
        refused: &LIMITS,
    },
    Row {
        what: "no gas for the call",
        limits: &[("callGasLimit", 0)],
        harm: Harm::Fails(0.3),
        refused: &["callGasLimit"],
    },
    Row {
        what: "a billion for `preVerificationGas`",
        limits: &[("preVerificationGas", 1_000_000_000)],
        harm: Harm::Dear(1000.0),
        refused: &["", "preVerificationGas"],
    },
    Row {
        what: "no gas for the paymaster after the call",
        limits: &[("paymasterPostOpGasLimit", 0)],
        harm: Harm::Fails(0.3),
        refused: &["paymasterPostOpGasLimit"],
    },
    Row {
        what: "the gas after the call moved into the verification",
        limits: &[("paymasterPostOpGasLimit", 0), ("verificationGasLimit", 600_000)],
        harm: Harm::Fails(0.3),
        refused: &["verificationGasLimit", "paymasterPostOpGasLimit"],
    },
    Row {
        what: "the bounds that the documentation of version 0.1 showed",
        limits: &[("callGasLimit", 300_000), ("preVerificationGas", 200_000)],
        harm: Harm::Dear(1.2),
        refused: &["callGasLimit", "preVerificationGas"],
    },
    Row {
        what: "the same for a call that needs more",
        limits: &[("callGasLimit", 30_000), ("preVerificationGas", 200_000)],
        harm: Harm::Fails(0.8),
        refused: &["callGasLimit", "preVerificationGas"],
    },
    Row {
        what: "no gas for the verification",
        limits: &[("verificationGasLimit", 0)],
        harm: Harm::NotIncluded("AA2"),
        refused: &["verificationGasLimit"],
    },
    Row {
        what: "no gas for the verification of the paymaster",
        limits: &[("paymasterVerificationGasLimit", 0)],
        harm: Harm::NotIncluded("AA3"),
        refused: &["paymasterVerificationGasLimit"],
    },
];

#[test]
fn each_way_to_waste_gas_is_refused_with_the_expectations_of_the_examples() {
    for version in VERSIONS {
        let mut honest = Transfer::new(version);
        let expect = honest.expectations();
        let signable = honest.signable(Some(expect.clone())).unwrap();
        assert!(signable.unbound().is_empty(), "{:?}", signable.unbound());
        let done = honest.send().unwrap();
        assert!(done.success && honest.is_done());
        let honest_gas = done.actualGasUsed.to::<u64>();
        println!("{version}: {honest_gas} gas");

        for Row { what, limits, harm, refused } in &ROWS {
            let mut transfer = Transfer::new(version);
            for (limit, gas) in *limits {
                transfer.reply["data"]["userOps"][*limit] = format!("{gas:#x}").into();
            }

            let error = transfer.signable(Some(expect.clone())).unwrap_err();
            let at =
                |field: &&str| format!("data.userOps.{field}").trim_end_matches('.').to_owned();
            let paths: Vec<_> = error.issues().iter().map(|issue| issue.path.clone()).collect();
            assert_eq!(paths, refused.iter().map(at).collect::<Vec<_>>(), "{what}");
            assert!(error.issues().iter().all(|issue| issue.code == IssueCode::Rule));

            // A caller without expectations is told what the server chose.
            let unbound = transfer.signable(None).unwrap().unbound().to_vec();
            assert!(LIMITS.iter().all(|limit| unbound.contains(&at(limit))), "{unbound:?}");
            let sent = transfer.send();
            let times = |event: &IEntryPoint::UserOperationEvent| {
                let gas = event.actualGasUsed.to::<u64>();
                println!("  {what}: success: {}, {gas} gas", event.success);
                gas as f64 / honest_gas as f64
            };
            match (harm, sent) {
                (Harm::Fails(least), Ok(event)) => {
                    assert!(
                        !event.success && !transfer.is_done() && transfer.is_nonce_used(),
                        "{what}"
                    );
                    assert!(times(&event) > *least, "{what}");
                }
                (Harm::Dear(least), Ok(event)) => {
                    assert!(
                        event.success && transfer.is_done() && times(&event) > *least,
                        "{what}"
                    );
                }
                (Harm::NotIncluded(reason), Err(found)) => {
                    println!("  {what}: {found}");
                    assert!(
                        found.starts_with(reason) && !transfer.is_nonce_used(),
                        "{what}: {found}"
                    );
                }
                (_, Ok(event)) => panic!("{what}: {event:?}"),
                (_, Err(reason)) => panic!("{what}: {reason}"),
            }
        }
    }
}

/// `maxCost` alone does not tell them apart: gas that moves to `preVerificationGas` is charged in full.
#[test]
fn the_cost_that_is_certain_shows_moved_gas() {
    let honest = Transfer::new(EntryPointVersion::V07);
    let mut moved = Transfer::new(EntryPointVersion::V07);
    let gas = moved.gas("preVerificationGas") + moved.gas("callGasLimit");
    moved.reply["data"]["userOps"]["preVerificationGas"] = format!("{gas:#x}").into();
    moved.reply["data"]["userOps"]["callGasLimit"] = "0x0".into();
    assert_eq!(max_cost(&moved.op()), max_cost(&honest.op()));

    let [honest, moved] = [honest, moved]
        .map(|transfer| transfer.signable(None).unwrap().effects().operation.clone());
    assert_eq!(honest.max_cost, moved.max_cost);
    let certain =
        [honest.certain_cost, moved.certain_cost].map(|cost| cost.parse::<u64>().unwrap() / FEE);
    assert_eq!(certain, [100_000, 700_000]);
}
