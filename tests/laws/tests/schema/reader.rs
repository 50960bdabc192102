//! The core's readers by the names of their schemas.

use sendoff::catalogue::{Catalogue, CatalogueStep};
use sendoff::estimate::{Deployment, EstimateRequest, Facts};
use sendoff::http::{PathParam, TraceId};
use sendoff::intent::Intent;
use sendoff::json;
use sendoff::rate_limit::{Policy, Time};
use sendoff::user_op::{Call, EntryPoint, PaymasterData, PaymasterGrant, UserOp};
use sendoff::value::{
    Address, Amount, ChainId, FeeAmount, FeePayerAddress, HexBytes, JobId, NftId, NftType, Nonce,
    Quantity, Quantity128, Signature, TokenAddress, Word,
};

/// Every document that the boundary reads.
pub const DOCUMENTS: [&str; 17] = [
    "EstimateRequest",
    "Facts",
    "Deployment",
    "Call",
    "Intent",
    "UserOp",
    "PackOptions",
    "EntryPoint",
    "PaymasterGrant",
    "PaymasterData",
    "Policy",
    "Window",
    "Time",
    "RedisAsk",
    "ServiceReply",
    "Catalogue",
    "CatalogueStep",
];

/// Every kind of text.
pub const TEXTS: [&str; 17] = [
    "Address",
    "Amount",
    "ChainId",
    "FeeAmount",
    "FeePayerAddress",
    "HexBytes",
    "JobId",
    "NftId",
    "NftType",
    "Nonce",
    "PathParam",
    "Quantity",
    "Quantity128",
    "Signature",
    "TokenAddress",
    "TraceId",
    "Word",
];

/// The policy with the largest limit, for the check of costs.
const POLICY: &str = r#"{"limit":2097151,"windowMs":1000}"#;

const OP: &str = r#"{"sender":"0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906","nonce":"0x7","callData":"0x",
"callGasLimit":"0x64","verificationGasLimit":"0xc8","preVerificationGas":"0x12c","maxFeePerGas":"0x190",
"maxPriorityFeePerGas":"0x32"}"#;

/// Returns `true` if the core reads a document, or a text in JSON text.
pub fn read(name: &str, text: &str) -> bool {
    let string = || serde_json::from_str::<String>(text);
    macro_rules! text {
        ($type:ty) => {
            string().is_ok_and(|text| text.parse::<$type>().is_ok())
        };
    }
    match name {
        "EstimateRequest" => text.parse::<EstimateRequest>().is_ok(),
        "Facts" => text.parse::<Facts>().is_ok(),
        "Deployment" => text.parse::<Deployment>().is_ok(),
        "Call" => text.parse::<Call>().is_ok(),
        "Intent" => text.parse::<Intent>().is_ok(),
        "UserOp" => text.parse::<UserOp>().is_ok(),
        "PackOptions" => json::pack_user_op(OP, Some(text)).is_ok(),
        "EntryPoint" => text.parse::<EntryPoint>().is_ok(),
        "PaymasterGrant" => text.parse::<PaymasterGrant>().is_ok(),
        "PaymasterData" => text.parse::<PaymasterData>().is_ok(),
        "Policy" => text.parse::<Policy>().is_ok(),
        "Window" => text.parse::<sendoff::rate_limit::Window>().is_ok(),
        "Time" => text.parse::<Time>().is_ok(),
        "RedisAsk" => json::redis_request(POLICY, text).is_ok(),
        "ServiceReply" => json::read_reply(text, None).is_ok(),
        "Catalogue" => text.parse::<Catalogue>().is_ok(),
        "CatalogueStep" => text.parse::<CatalogueStep>().is_ok(),
        "Params" => json::operation_path("serverTransferTokens", text).is_ok(),
        "Address" => text!(Address),
        "Amount" => text!(Amount),
        "ChainId" => text!(ChainId),
        "FeeAmount" => text!(FeeAmount),
        "FeePayerAddress" => text!(FeePayerAddress),
        "HexBytes" => text!(HexBytes),
        "JobId" => text!(JobId),
        "NftId" => text!(NftId),
        "NftType" => text!(NftType),
        "Nonce" => text!(Nonce),
        "PathParam" => text!(PathParam),
        "Quantity" => text!(Quantity),
        "Quantity128" => text!(Quantity128),
        "Signature" => text!(Signature),
        "TokenAddress" => text!(TokenAddress),
        "TraceId" => text!(TraceId),
        "Word" => text!(Word),
        other => panic!("no reader of {other}"),
    }
}
