//! `POST /api/oc/v1/estimate`.

use crate::support::prelude::*;

const COLLECTION: &str = "0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90";

/// A request that the environment `sandbox` answers.
pub(crate) fn request() -> Value {
    json!({
        "type": "NFT_TRANSFER", "jobId": "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "paymasterData": "0x",
        "gasDetails": {"maxFeePerGas": "0xBA43B7400", "maxPriorityFeePerGas": "0xBA43B7400"},
        "details": {
            "caip2Id": "eip155:80002", "nftId": "1", "recipientWalletAddress": "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906",
            "collectionAddress": COLLECTION, "amount": "1", "nftType": "ERC721",
        },
    })
}

/// The same for a native token of a chain.
pub(crate) fn of_token(caip2_id: &str) -> Value {
    let mut request = request();
    request["type"] = "TOKEN_TRANSFER".into();
    request["details"] = json!({
        "caip2Id": caip2_id, "recipientWalletAddress": SWA, "tokenAddress": "", "amount": "1",
    });
    request
}

/// Replies have the bytes that the core makes of the facts in the file, and the core's own are vectors.
#[tokio::test]
async fn replies_are_those_of_the_core() {
    let demo = include_str!("../../../../tests/demo/facts.json");
    let demo: Value = serde_json::from_str(demo).expect("facts");
    let mut sponsored = demo.clone();
    sponsored["policies"] = json!({ "gsnEnabled": true, "sponsorshipEnabled": true });
    sponsored["gasLimits"]["paymasterPostOpGasLimit"] = "0x30d41".into();
    sponsored.as_object_mut().expect("an object").remove("fees");

    for (facts, fee, post_op) in [
        (demo, "transactionFee = \"177258950000\"", "0x30d40"),
        (sponsored, "gsnEnabled = true, sponsorshipEnabled = true", "0x30d41"),
    ] {
        let file = config(UNLIMITED, "", "").replace("transactionFee = \"177258950000\"", fee);
        let limit = |value: &str| format!("paymasterPostOpGasLimit = \"{value}\"");
        let gateway = Gateway::start(&file.replace(&limit("0x30d40"), &limit(post_op)));
        for request in [request(), of_token("eip155:80002")].map(|request| request.to_string()) {
            let reply = gateway.estimate(request.clone()).await;
            assert_eq!((reply.status, reply.data().is_object()), (200, true));
            let expected = sendoff::json::estimate(&request, &facts.to_string()).map_err(drop);
            assert_eq!(Ok(reply.text), expected);
        }
    }
}
