//! Transfers from the request to the receipt, on the published EntryPoints.

use alloy_primitives::{Address, U256};
use chain::*;
use sendoff::user_op::{RevertKind, RevertReason};
use sendoff::value::JobId;
use serde_json::{Value, json};

/// The request of a job without an end.
fn request(service: &Service, kind: &str, details: Value) -> Value {
    service.request(&job(0), kind, details, service.grant(&job(0), 0))
}

/// The details of a transfer of tokens; of ether without an address.
fn tokens(address: &str, amount: &str) -> Value {
    json!({ "recipientWalletAddress": RECIPIENT, "tokenAddress": address, "amount": amount })
}

#[test]
fn each_intent_arrives_as_the_contracts_decode_it() {
    let to: Address = RECIPIENT.parse().unwrap();
    for version in VERSIONS {
        let mut service = Service::new(version);
        service.fund(1_000);
        let [token, collection] = [("Token", 1_000), ("Collection", 16)]
            .map(|(contract, number)| service.mint(contract, number));
        let start = service.chain.snapshot();

        let raw = ["0x1b", "0x2"]
            .map(|value| json!({ "data": "0x", "from": service.wallet, "to": to, "value": value }));
        let nft = json!({
            "nftId": "16", "recipientWalletAddress": to, "collectionAddress": collection,
            "amount": "1", "nftType": "ERC721",
        });
        // What the recipient has then: ether, tokens and NFTs. Raw transactions are decoded and not executed.
        for (kind, details, arrived) in [
            ("NFT_TRANSFER", nft, [0, 0, 1]),
            ("TOKEN_TRANSFER", tokens(&token.to_string(), "250"), [0, 250, 0]),
            ("TOKEN_TRANSFER", tokens("", "77"), [77, 0, 0]),
            ("RAW_TRANSACTION", json!({ "transactions": raw }), [0, 0, 0]),
        ] {
            service.chain.restore(&start);
            let asked = service.asked(&request(&service, kind, details));
            assert_eq!(asked.warnings(), []);
            let operation = service.signed(&asked);
            let event = service.send(operation.clone()).unwrap();
            assert!(event.success, "{version}: {kind}");

            let has = [token, collection]
                .map(|of| service.chain.call(of, &balanceOfCall { owner: to }).unwrap());
            let has = [service.chain.balance(to), has[0], has[1]];
            assert_eq!(has, arrived.map(U256::from), "{version}: {kind}");
            let effects = &asked.effects().operation;
            let [least, most]: [U256; 2] =
                [&effects.certain_cost, &effects.max_cost].map(|cost| cost.parse().unwrap());
            assert!((least..=most).contains(&event.actualGasCost));
            let decoded = JobDone {
                jobId: job(0).parse::<JobId>().unwrap().nonce().into(),
                clientSWA: CLIENT_SWA,
                userSWA: service.account,
                feePayerAddress: Address::ZERO,
                policies: Policies { gsnEnabled: false, sponsorshipEnabled: true },
                gsn: Gsn::default(),
                intentType: kind.into(),
            };
            assert_eq!(service.chain.event(), Some(decoded));
            if let Some(RawTransactions { transactions }) = service.chain.event() {
                let decoded = transactions.iter().map(|text| serde_json::from_slice(text).unwrap());
                assert_eq!(decoded.collect::<Vec<Value>>(), raw);
            } else {
                assert_ne!(kind, "RAW_TRANSACTION");
            }
        }
    }
}

/// Their operations are paid for and do nothing.
#[test]
fn jobs_that_cannot_be_done_fail_with_a_reason() {
    for version in VERSIONS {
        let mut service = Service::new(version);
        let mut elsewhere = request(&service, "TOKEN_TRANSFER", tokens("", "1"));
        let beyond = elsewhere.clone();
        elsewhere["details"]["caip2Id"] = "eip155:1".into();
        for (request, kind, text) in [
            (elsewhere, RevertKind::Error, "another chain"),
            // OpenZeppelin's `InsufficientBalance(uint256,uint256)`.
            (beyond, RevertKind::Unknown, "0xcf479181"),
        ] {
            let start = service.chain.snapshot();
            let operation = service.signed(&service.asked(&request));
            assert!(!service.send(operation).unwrap().success);
            let event: UserOperationRevertReason = service.chain.event().unwrap();
            let reason = RevertReason::read(&event.revertReason.to_string()).unwrap();
            assert_eq!(reason.kind, kind);
            assert!(reason.text.starts_with(text), "{}", reason.text);
            service.chain.restore(&start);
        }
    }
}

/// What the model of submissions (`tests/laws/tests/submission`) assumes about the chain, of a service that keeps all that it was
/// sent: two operations of one job and one of another, for the same intent.
#[test]
fn a_job_is_executed_once_and_not_after_its_ends() {
    for version in VERSIONS {
        let mut service = Service::new(version);
        service.chain.set_time(1_000);
        service.fund(1_000);
        let operations = [(0, 1_030), (0, 1_060), (1, 1_150)].map(|(number, ends)| {
            let id = job(number);
            let grant = service.grant(&id, ends);
            let request = service.request(&id, "TOKEN_TRANSFER", tokens("", "1"), grant);
            service.signed(&service.asked(&request))
        });
        let start = service.chain.snapshot();
        let executed = |service: &mut Service, order: &[usize]| {
            let mut send = |at: &usize| service.send(PackedUserOperation::clone(&operations[*at]));
            let results: Vec<_> =
                order.iter().map(|at| send(at).map(|event| event.success)).collect();
            let times = service.chain.balance(RECIPIENT.parse().unwrap()).to::<usize>();
            assert_eq!(results.iter().filter(|result| **result == Ok(true)).count(), times);
            results
        };
        let [used, over] = ["AA25 invalid account nonce", "AA32 paymaster expired or not due"]
            .map(|reason| Err(reason.to_owned()));

        for order in [[0, 1], [1, 0]] {
            service.chain.restore(&start);
            assert!(!service.is_used(&job(0)));
            assert_eq!(executed(&mut service, &order), [Ok(true), used.clone()], "{version}");
            assert!(service.is_used(&job(0)));
        }
        // Another job beside it is the second payment that no verdict allows before the ends.
        service.chain.restore(&start);
        assert_eq!(executed(&mut service, &[2, 0]), [Ok(true), Ok(true)]);
        service.chain.restore(&start);
        service.chain.set_time(1_061);
        assert!(!service.is_used(&job(0)));
        assert_eq!(executed(&mut service, &[0, 1, 2]), [over.clone(), over, Ok(true)]);
    }
}
