//! The reason for expected gas limits: with other limits a server makes an operation fail, or lets
//! it cost several times as much. Each way that an audit found is run on the published EntryPoints,
//! and refused with the expectations of the examples in the documentation.

use alloy_primitives::{Address, B256, U256};
use chain::{RECIPIENT, Service, UserOperationEvent, VERSIONS, balanceOfCall, job, judged};
use sendoff::error::{Error, IssueCode};
use sendoff::estimate::{GasFigures, Signable};
use sendoff::user_op::EntryPointVersion;
use serde_json::{Value, json};

const NFT: u64 = 16;

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
        let request = service.request(&job(0), "NFT_TRANSFER", details, grant);
        let mut reply = service.estimate(&request);
        for (limit, gas) in limits {
            reply["data"]["userOps"][*limit] = format!("{gas:#x}").into();
        }
        Self { service, collection, request, reply }
    }

    /// The answer of `signable`, with this deployment.
    fn judged(&self, place: &Value) -> Result<Signable, Error> {
        judged(&self.request, &self.reply, place)
    }

    /// The deployment with the expectations of the examples: around the figures of this reply.
    fn bound(&self) -> Value {
        let mut figures = self.service.facts()["gasLimits"].take();
        figures["maxFeePerGas"] = self.request["gasDetails"]["maxFeePerGas"].clone();
        let figures: GasFigures = figures.to_string().parse().unwrap();

        let mut expect = serde_json::to_value(figures.expectations(20).unwrap()).unwrap();
        expect["userSWA"] = json!(self.service.account);
        expect["policies"] = self.reply["data"]["callData"]["policies"].clone();
        expect["gsn"] = json!({ "isRequired": false, "requiredNetworks": [] });
        let mut place = self.service.deployment();
        place["expect"] = expect;
        place
    }

    /// Signs the operation, sends it, and returns its event, or the reason why the EntryPoint does not include it.
    fn send(&mut self) -> Result<UserOperationEvent, String> {
        let signable = self.judged(&self.service.deployment()).unwrap();
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

/// Limits in the place of the service's honest ones, in the order of the operation, and their harm. The expectations refuse each.
type Attack = (&'static [(&'static str, u64)], Harm);

/// The table of the audit. The honest limits are 600,000, 400,000, 100,000, 200,000 and 200,000.
const ATTACKS: [Attack; 10] = [
    // The gas of the call is moved into `preVerificationGas`, and then all gas.
    (&[(CALL, 0), (BEFORE, 900_000), (AFTER, 0)], Harm::Fails(2.5)),
    (
        &[(CALL, 0), (VERIFICATION, 60_000), (BEFORE, 1_400_000), (PAYMASTER, 40_000), (AFTER, 0)],
        Harm::Fails(4.0),
    ),
    (&[(CALL, 0)], Harm::Fails(0.3)),
    (&[(BEFORE, 1_000_000_000)], Harm::Dear(1000.0)),
    (&[(AFTER, 0)], Harm::Fails(0.3)),
    // The gas of the paymaster after the call is moved into the verification.
    (&[(VERIFICATION, 600_000), (AFTER, 0)], Harm::Fails(0.3)),
    // The bounds that the documentation of version 0.1 showed, and the same for a call that needs more.
    (&[(CALL, 300_000), (BEFORE, 200_000)], Harm::Dear(1.2)),
    (&[(CALL, 30_000), (BEFORE, 200_000)], Harm::Fails(0.8)),
    (&[(VERIFICATION, 0)], Harm::NotIncluded("AA2")),
    (&[(PAYMASTER, 0)], Harm::NotIncluded("AA3")),
];

#[test]
fn each_way_to_waste_gas_is_refused_with_the_expectations_of_the_examples() {
    for version in VERSIONS {
        let mut honest = Transfer::new(version, &[]);
        let bound = honest.bound();
        let signable = honest.judged(&bound).unwrap();
        assert!(signable.unbound().is_empty(), "{:?}", signable.unbound());
        let done = honest.send().unwrap();
        assert!(done.success && honest.is_done());
        let honest_gas = done.actualGasUsed.to::<u64>();
        println!("{version}: {honest_gas} gas");

        for (limits, harm) in ATTACKS {
            let mut transfer = Transfer::new(version, limits);
            let error = transfer.judged(&bound).unwrap_err();
            let at = |limit: &str| format!("data.userOps.{limit}");
            // Beside the limits, the cost if one of them is above all honest ones together.
            let cost = limits.iter().any(|(_, gas)| *gas > 1_500_000);
            let cost = cost.then(|| "data.userOps".to_owned());
            let refused = cost.into_iter().chain(limits.iter().map(|(limit, _)| at(limit)));
            let paths: Vec<_> = error.issues().iter().map(|issue| issue.path.clone()).collect();
            assert_eq!(paths, refused.collect::<Vec<_>>(), "{limits:?}");
            assert!(error.issues().iter().all(|issue| issue.code == IssueCode::Rule));

            // A caller without expectations is told what the server chose.
            let signable = transfer.judged(&transfer.service.deployment()).unwrap();
            let unbound = signable.unbound();
            assert!(LIMITS.iter().all(|limit| unbound.contains(&at(limit))), "{unbound:?}");

            let sent = transfer.send().map(|event| {
                let times = event.actualGasUsed.to::<u64>() as f64 / honest_gas as f64;
                (event.success, times)
            });
            println!("  {limits:?}: {sent:?}");
            let (is_done, is_used) = (transfer.is_done(), transfer.service.is_used(&job(0)));
            let is_so = match (harm, &sent) {
                (Harm::Fails(least), Ok((success, times))) => {
                    !success && !is_done && is_used && *times > least
                }
                (Harm::Dear(least), Ok((success, times))) => *success && is_done && *times > least,
                (Harm::NotIncluded(reason), Err(found)) => found.starts_with(reason) && !is_used,
                _ => false,
            };
            assert!(is_so, "{limits:?}: {sent:?}, done: {is_done}, nonce used: {is_used}");
        }
    }
}
