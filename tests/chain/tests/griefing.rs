//! The reason for expected gas limits: with other limits a server makes an operation fail, or lets
//! it cost several times as much. Each way that an audit found is run on the published EntryPoints,
//! and refused with the expectations of the examples in the documentation.

use alloy_primitives::{Address, B256, U256};
use chain::{RECIPIENT, Service, UserOperationEvent, VERSIONS, balanceOfCall, job};
use sendoff::error::{Error, IssueCode};
use sendoff::estimate::{GasFigures, Signable};
use sendoff::user_op::EntryPointVersion;
use serde_json::{Map, Value, json};

const NFT: u64 = 16;
/// Wei per unit of gas.
const FEE: u64 = 1_000_000_000;

/// A user with an NFT, and an estimate of its transfer.
struct Transfer {
    service: Service,
    collection: Address,
    request: Value,
    reply: Value,
}

impl Transfer {
    /// With these gas limits in the place of the service's.
    fn new(version: EntryPointVersion, limits: &[(&str, u64)]) -> Self {
        let mut service = Service::new(version);
        let collection = service.mint("Collection", NFT);
        let details = json!({
            "nftId": NFT.to_string(), "recipientWalletAddress": RECIPIENT, "collectionAddress": collection,
            "amount": "1", "nftType": "ERC721",
        });
        let grant = service.grant(&job(0), (1 << 48) - 1);
        let request = service.request(&job(0), "NFT_TRANSFER", details, FEE, grant);
        let mut reply = service.estimate(&request);
        for (limit, gas) in limits {
            reply["data"]["userOps"][*limit] = format!("{gas:#x}").into();
        }
        Self { service, collection, request, reply }
    }

    /// The answer of `signable`, with this expectation.
    fn signable(&self, expect: Option<&Value>) -> Result<Signable, Error> {
        self.service.signable(&self.request, &self.reply, expect)
    }

    /// The expectations of the examples: around the figures of this reply.
    fn expectations(&self) -> Value {
        let op = &self.reply["data"]["userOps"];
        let keys = LIMITS.into_iter().chain(["maxFeePerGas"]);
        let figures: Map<_, _> = keys.map(|key| (key.to_owned(), op[key].clone())).collect();
        let figures: GasFigures = Value::from(figures).to_string().parse().unwrap();

        let mut expect = serde_json::to_value(figures.expectations(20).unwrap()).unwrap();
        expect["userSWA"] = json!(self.service.account);
        expect["policies"] = self.reply["data"]["callData"]["policies"].clone();
        expect["gsn"] = json!({ "isRequired": false, "requiredNetworks": [] });
        expect
    }

    /// Signs the operation, sends it, and returns its event, or the reason why the EntryPoint does not include it.
    fn send(&mut self) -> Result<UserOperationEvent, String> {
        let signable = self.signable(None).unwrap();
        let event = self.service.send(self.service.signed(&signable))?;
        assert_eq!(event.userOpHash, B256::from(signable.hash()));
        Ok(event)
    }

    fn is_done(&mut self) -> bool {
        let question = balanceOfCall { owner: RECIPIENT.parse().unwrap() };
        self.service.chain.call(self.collection, &question).unwrap() == U256::ONE
    }
}

const CALL: &str = "callGasLimit";
const VERIFICATION: &str = "verificationGasLimit";
const BEFORE: &str = "preVerificationGas";
const PAYMASTER: &str = "paymasterVerificationGasLimit";
const AFTER: &str = "paymasterPostOpGasLimit";
const LIMITS: [&str; 5] = [CALL, VERIFICATION, BEFORE, PAYMASTER, AFTER];

/// What becomes of an operation with changed limits that is signed and sent all the same.
enum Harm {
    /// The call fails or is undone, the nonce is used, and this times the honest gas is charged.
    Fails(f64),
    /// It is executed, and this times the honest gas is charged.
    Dear(f64),
    /// The EntryPoint does not include it, with a reason that starts so. It costs nothing.
    NotIncluded(&'static str),
}

/// An attack, its limits in the place of the service's honest ones, its harm, and the fields of the operation at which the
/// expectations refuse it; `""` is its cost.
type Row = (&'static str, &'static [(&'static str, u64)], Harm, &'static [&'static str]);

/// The table of the audit. The honest limits are 600,000, 400,000, 100,000, 200,000 and 200,000.
const ROWS: [Row; 10] = [
    (
        "the gas of the call moved into `preVerificationGas`",
        &[(CALL, 0), (AFTER, 0), (BEFORE, 900_000)],
        Harm::Fails(2.5),
        &[CALL, BEFORE, AFTER],
    ),
    (
        "all gas moved into `preVerificationGas`",
        &[(CALL, 0), (AFTER, 0), (VERIFICATION, 60_000), (PAYMASTER, 40_000), (BEFORE, 1_400_000)],
        Harm::Fails(4.0),
        &LIMITS,
    ),
    ("no gas for the call", &[(CALL, 0)], Harm::Fails(0.3), &[CALL]),
    (
        "a billion for `preVerificationGas`",
        &[(BEFORE, 1_000_000_000)],
        Harm::Dear(1000.0),
        &["", BEFORE],
    ),
    ("no gas for the paymaster after the call", &[(AFTER, 0)], Harm::Fails(0.3), &[AFTER]),
    (
        "the gas after the call moved into the verification",
        &[(AFTER, 0), (VERIFICATION, 600_000)],
        Harm::Fails(0.3),
        &[VERIFICATION, AFTER],
    ),
    (
        "the bounds that the documentation of version 0.1 showed",
        &[(CALL, 300_000), (BEFORE, 200_000)],
        Harm::Dear(1.2),
        &[CALL, BEFORE],
    ),
    (
        "the same for a call that needs more",
        &[(CALL, 30_000), (BEFORE, 200_000)],
        Harm::Fails(0.8),
        &[CALL, BEFORE],
    ),
    (
        "no gas for the verification",
        &[(VERIFICATION, 0)],
        Harm::NotIncluded("AA2"),
        &[VERIFICATION],
    ),
    (
        "no gas for the verification of the paymaster",
        &[(PAYMASTER, 0)],
        Harm::NotIncluded("AA3"),
        &[PAYMASTER],
    ),
];

#[test]
fn each_way_to_waste_gas_is_refused_with_the_expectations_of_the_examples() {
    for version in VERSIONS {
        let mut honest = Transfer::new(version, &[]);
        let expect = honest.expectations();
        let signable = honest.signable(Some(&expect)).unwrap();
        assert!(signable.unbound().is_empty(), "{:?}", signable.unbound());
        let done = honest.send().unwrap();
        assert!(done.success && honest.is_done());
        let honest_gas = done.actualGasUsed.to::<u64>();
        println!("{version}: {honest_gas} gas");

        for (what, limits, harm, refused) in ROWS {
            let mut transfer = Transfer::new(version, limits);
            let error = transfer.signable(Some(&expect)).unwrap_err();
            let at =
                |field: &&str| format!("data.userOps.{field}").trim_end_matches('.').to_owned();
            let paths: Vec<_> = error.issues().iter().map(|issue| issue.path.clone()).collect();
            assert_eq!(paths, refused.iter().map(at).collect::<Vec<_>>(), "{what}");
            assert!(error.issues().iter().all(|issue| issue.code == IssueCode::Rule));

            // A caller without expectations is told what the server chose.
            let unbound = transfer.signable(None).unwrap().unbound().to_vec();
            assert!(LIMITS.iter().all(|limit| unbound.contains(&at(limit))), "{unbound:?}");

            let sent = transfer.send().map(|event| {
                let times = event.actualGasUsed.to::<u64>() as f64 / honest_gas as f64;
                (event.success, times)
            });
            println!("  {what}: {sent:?}");
            let (is_done, is_used) = (transfer.is_done(), transfer.service.is_used(&job(0)));
            let is_so = match (harm, &sent) {
                (Harm::Fails(least), Ok((success, times))) => {
                    !success && !is_done && is_used && *times > least
                }
                (Harm::Dear(least), Ok((success, times))) => *success && is_done && *times > least,
                (Harm::NotIncluded(reason), Err(found)) => found.starts_with(reason) && !is_used,
                _ => false,
            };
            assert!(is_so, "{what}: {sent:?}, done: {is_done}, nonce used: {is_used}");
        }
    }
}
