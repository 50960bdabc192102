//! The core's readers by the names of their schemas.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use laws::readers;
use laws::spelling::{Read, TEXTS};
use sendoff::catalogue::{Catalogue, CatalogueStep};
use sendoff::error::Error;
use sendoff::estimate::{
    Deployment, EstimateRequest, Estimation, Facts, GsnTokens, SwapFees, TransactionFees,
};
use sendoff::http::{ErrorReply as ServiceError, Reply as ServiceReply};
use sendoff::intent::{Intent, Names, Transactions};
use sendoff::json;
use sendoff::rate_limit::{Policy, Time, Window};
use sendoff::submission::{Submission, SubmissionStep};
use sendoff::user_op::{Call, EntryPoint, PaymasterData, PaymasterGrant, UserOp, UserOpReceipt};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Documents of answers, whose schemas say more than their readers ask for, and those with a value of any form.
pub const ANSWERS: &[(&str, Read)] = readers!(comes_back:
    Estimation ServiceError ServiceReply SubmissionStep SwapFees TransactionFees UserOpReceipt
);

/// Every document that the boundary reads, and whether a text is read as one. What is read comes back.
pub const DOCUMENTS: &[(&str, Read)] = readers!(comes_back:
    EstimateRequest Facts GsnTokens Deployment Call Intent Names Transactions UserOp EntryPoint
    PaymasterGrant PaymasterData Policy Window Time Submission Catalogue CatalogueStep
);

/// The documents that are no types, and one whose values of any form serde_json rounds.
pub const OTHERS: [(&str, Read); 3] = [
    ("PackOptions", |text| json::pack_user_op(OP, Some(text)).is_ok()),
    ("RedisAsk", |text| json::redis_request(POLICY, text).is_ok()),
    ("ServiceReply", |text| json::read_reply(text, None).is_ok()),
];

/// The policy with the largest limit, for the check of costs.
const POLICY: &str = r#"{"limit":2097151,"windowMs":1000}"#;

const OP: &str = r#"{"sender":"0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906","nonce":"0x7","callData":"0x",
"callGasLimit":"0x64","verificationGasLimit":"0xc8","preVerificationGas":"0x12c","maxFeePerGas":"0x190",
"maxPriorityFeePerGas":"0x32"}"#;

/// A document is the same after its text, and after serde. `false` if the text is no such document.
pub fn comes_back<T>(text: &str) -> bool
where
    T: FromStr<Err = Error> + Display + Serialize + DeserializeOwned + Debug + PartialEq,
{
    let Ok(document) = text.parse::<T>() else { return false };
    assert_eq!(serde_json::from_str::<T>(text).as_ref().ok(), Some(&document), "{text}");
    let written = document.to_string();
    assert_eq!(written.parse::<T>().as_ref(), Ok(&document), "{written}");
    let through = serde_json::to_value(&document).unwrap();
    assert_eq!(through, written.parse::<Value>().unwrap());
    // Opaque values lose the order of their keys.
    let again: T = serde_json::from_value(through.clone()).unwrap();
    assert_eq!(serde_json::to_value(again).unwrap(), through);
    true
}

/// `true` if the core reads a document, or a text in JSON text; `None` if the name is no reader's.
pub fn read(name: &str, text: &str) -> Option<bool> {
    let mut documents = DOCUMENTS.iter().chain(&OTHERS);
    if let Some((_, read)) = documents.find(|(known, _)| *known == name) {
        return Some(read(text));
    }
    let (_, read) = TEXTS.iter().find(|(known, _)| *known == name)?;
    Some(serde_json::from_str::<String>(text).is_ok_and(|text| read(&text)))
}
