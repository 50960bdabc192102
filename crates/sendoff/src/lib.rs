#![doc = include_str!("../README.md")]
//!
//! # The walk
//!
//! Modules are listed in reading order, and each uses only those above it. Problems, documents and
//! values are one layer: a problem is a document, and the values of a document are typed values.
//! Text becomes values ([`value`]); values make an intent ([`intent`]); an intent becomes the call
//! data of a user operation ([`user_op`]); request and facts become a reply, and a reply becomes
//! something to sign ([`estimate`]). Beside that walk are the service's operations and replies
//! ([`http`]), the state of an operation that was sent ([`submission`]), what an application may
//! use ([`catalogue`]) and the rate limit ([`rate_limit`]). [`json`] has all of it as text in, text
//! out; the WebAssembly module and the Node addon export that. What most programs need is at the
//! root as well.
//!
//! ```
//! use sendoff::{Deployment, Estimate, EstimateRequest, Facts, Names, respond, signable};
//!
//! # let request = r#"{"type":"NFT_TRANSFER","jobId":"e4fb7f8b-d19d-4785-94af-4b911469a3b0","gasDetails":
//! # {"maxFeePerGas":"0x2255100","maxPriorityFeePerGas":"0x2255100"},"paymasterData":"0x","details":{"caip2Id":
//! # "eip155:137","nftId":"56","recipientWalletAddress":"0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2","collectionAddress":
//! # "0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5","amount":"1","nftType":"ERC721"}}"#;
//! # let facts = r#"{"clientSWA":"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA","userSWA":
//! # "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906","policies":{"gsnEnabled":false,"sponsorshipEnabled":false},
//! # "jobManager":"0x0543aD80b41C5f5956d34503668CDb965deCB617","paymaster":"0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
//! # "gasLimits":{"callGasLimit":"0x552e4","verificationGasLimit":"0x28428","preVerificationGas":"0x15324",
//! # "paymasterVerificationGasLimit":"0x139a2","paymasterPostOpGasLimit":"0x1"}}"#;
//! # let deployment = r#"{"entryPoint":"0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da","chainId":1802466136,"version":"0.7",
//! # "jobManager":"0x0543aD80b41C5f5956d34503668CDb965deCB617","paymaster":"0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
//! # "clientSWA":"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA"}"#;
//! let request: EstimateRequest = request.parse()?;
//!
//! // The service's side: request and facts in, reply out.
//! let facts: Facts = facts.parse()?;
//! let reply = respond(Estimate::new(request.clone(), facts)?);
//!
//! // The application's side: the reply is signed only if it is what was asked for, on the deployment that was expected.
//! let deployment: Deployment = deployment.parse()?;
//! let checked = signable(&request, &reply, &deployment, &Names::default())?;
//! assert_eq!(checked.digest().to_string().len(), 66);
//! # Ok::<(), sendoff::Error>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(feature = "alloy")]
pub use alloy_primitives;
pub use primitive_types;
pub use uuid;

// What a program needs to ask, to verify and to sign, by one path.
pub use error::{Error, Issue, IssueCode};
pub use estimate::{
    Deployment, Estimate, EstimateReply, EstimateRequest, Expectations, Facts, Fees, Finding,
    GasDetails, GasFigures, GasLimits, Gsn, RequestParts, Signable, Verification, respond,
    signable, verify,
};
pub use intent::{
    Intent, Names, NftTransfer, RawTransaction, TokenTransfer, Transaction, Transactions,
};
pub use rate_limit::{Cost, Policy, RateLimiter, Time, Verdict};
pub use submission::{Submission, SubmissionStep};
pub use user_op::{EntryPoint, EntryPointVersion, GsnRequirement, Policies, UserOp, UserOpReceipt};
pub use value::{
    Address, Amount, ChainId, HexBytes, JobId, NftId, NftType, Quantity, Signature, TokenAddress,
    Word,
};

mod copy;
mod text;
mod unicode;
mod first_equal;
mod keccak;
pub mod error;
mod document;
pub mod value;
mod abi;
pub mod intent;
pub mod user_op;
#[cfg(feature = "alloy")]
pub mod alloy;
pub mod http;
pub mod submission;
pub mod estimate;
pub mod deployments;
pub mod catalogue;
pub mod rate_limit;
pub mod json;
#[cfg(feature = "schema")]
pub mod schema;
