//! The core's readers by the names of their schemas.

use std::str::FromStr;

use laws::spelling::{Read, TEXTS};
use sendoff::catalogue::{Catalogue, CatalogueStep};
use sendoff::estimate::{Deployment, EstimateRequest, Facts};
use sendoff::intent::Intent;
use sendoff::json;
use sendoff::rate_limit::{Policy, Time, Window};
use sendoff::user_op::{Call, EntryPoint, PaymasterData, PaymasterGrant, UserOp};

/// Every document that the boundary reads, and whether a text is read as one.
pub const DOCUMENTS: [(&str, Read); 17] = [
    ("EstimateRequest", reads::<EstimateRequest>),
    ("Facts", reads::<Facts>),
    ("Deployment", reads::<Deployment>),
    ("Call", reads::<Call>),
    ("Intent", reads::<Intent>),
    ("UserOp", reads::<UserOp>),
    ("PackOptions", |text| json::pack_user_op(OP, Some(text)).is_ok()),
    ("EntryPoint", reads::<EntryPoint>),
    ("PaymasterGrant", reads::<PaymasterGrant>),
    ("PaymasterData", reads::<PaymasterData>),
    ("Policy", reads::<Policy>),
    ("Window", reads::<Window>),
    ("Time", reads::<Time>),
    ("RedisAsk", |text| json::redis_request(POLICY, text).is_ok()),
    ("ServiceReply", |text| json::read_reply(text, None).is_ok()),
    ("Catalogue", reads::<Catalogue>),
    ("CatalogueStep", reads::<CatalogueStep>),
];

/// The policy with the largest limit, for the check of costs.
const POLICY: &str = r#"{"limit":2097151,"windowMs":1000}"#;

const OP: &str = r#"{"sender":"0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906","nonce":"0x7","callData":"0x",
"callGasLimit":"0x64","verificationGasLimit":"0xc8","preVerificationGas":"0x12c","maxFeePerGas":"0x190",
"maxPriorityFeePerGas":"0x32"}"#;

fn reads<T: FromStr>(text: &str) -> bool {
    text.parse::<T>().is_ok()
}

/// `true` if the core reads a document, or a text in JSON text; `None` if the name is no reader's.
pub fn read(name: &str, text: &str) -> Option<bool> {
    if let Some((_, read)) = DOCUMENTS.iter().find(|(known, _)| *known == name) {
        return Some(read(text));
    }
    let (_, read) = TEXTS.iter().find(|(known, _)| *known == name)?;
    Some(serde_json::from_str::<String>(text).is_ok_and(|text| read(&text)))
}
