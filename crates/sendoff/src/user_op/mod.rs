//! The user operation of ERC-4337: its call data, packing, hashes, paymaster data, signature,
//! receipt and refusal.

mod gas_limit;
mod op;
mod assemble;
mod call_data;
mod comparison_code;
mod entry_point;
mod packing;
mod hash;
mod typed_data;
mod nonce;
mod paymaster_data;
mod refusal;
mod replacement;
mod revert_reason;
mod receipt;
#[cfg(feature = "signature")]
mod signature;
#[cfg(feature = "signature")]
mod signature_call;

pub(crate) use assemble::SignatureBytes;
#[cfg(feature = "schema")]
pub(crate) use assemble::{SignedUserOp, UnsignedUserOp};
#[cfg(feature = "schema")]
pub(crate) use call_data::DecodedCall;
pub(crate) use call_data::decode_call;
pub use call_data::{Call, GsnRequirement, Policies};
pub use comparison_code::{Challenge, ComparisonCode};
pub use entry_point::{EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder};
pub(crate) use gas_limit::{GasLimit, IfLow, MAX_GAS_BITS, check_bits};
pub use hash::{Digests, Eip712Digests, signing_digest, user_op_hash};
pub(crate) use hash::{Hashed, hash_at};
pub use nonce::{NonceAnswer, nonce_call};
pub use op::{Factory, Paymaster, PreparedUserOp, UserOp};
pub use packing::{PackedUserOp, max_cost, pack};
pub use paymaster_data::{PaymasterData, PaymasterGrant, Seconds};
pub use receipt::{
    Reported, TransactionReceipt, TransactionStatus, UnreadPart, UserOpOutcome, UserOpReceipt,
};
pub use refusal::{BundlerError, BundlerRefusal, RefusalNext, RefusedPart};
pub use replacement::{Percent, ReplacementFees, replacement_fees};
pub use revert_reason::{RevertKind, RevertReason};
#[cfg(feature = "signature")]
pub(crate) use signature::SignatureCheck;
#[cfg(feature = "signature")]
pub use signature::{SignatureFlaw, check_signature};
#[cfg(feature = "signature")]
pub use signature_call::{DeployCall, SignatureCall};
pub(crate) use typed_data::typed_data;
pub use typed_data::{
    PrimaryType, TypedData, TypedDataDomain, TypedDataMember, TypedDataMessage, TypedDataTypes,
};
