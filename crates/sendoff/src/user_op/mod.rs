//! The user operation of ERC-4337: its call data, packing, hashes and paymaster data.

mod op;
mod call_data;
mod entry_point;
mod packing;
mod hash;
mod typed_data;
mod paymaster_data;

#[cfg(feature = "schema")]
pub(crate) use call_data::DecodedCall;
pub use call_data::{Call, GsnRequirement, Policies};
pub use entry_point::{EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder};
pub use hash::{signing_digest, user_op_hash};
pub use op::{Factory, Paymaster, PreparedUserOp, UserOp};
pub(crate) use packing::MAX_GAS_BITS;
pub use packing::{PackedUserOp, max_cost, pack};
pub use paymaster_data::{PaymasterData, PaymasterGrant, Seconds};
pub use typed_data::{TypedData, TypedDataDomain, TypedDataMessage, TypedDataTypes};
