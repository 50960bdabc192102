//! The user operation.

use primitive_types::{H160, U256};

use super::GasLimit;
use crate::document::{Field, document};
use crate::value::{Address, HexBytes, Nonce, Quantity, Quantity128};

document! {
    /// A user operation for EntryPoint 0.7 and later, unpacked.
    ///
    /// In JSON it is flat, as in ERC-7769: the two fields of the factory and the four of the paymaster are beside the
    /// others, all or none. The service's replies have the paymaster and no factory.
    ///
    /// ```
    /// use sendoff::user_op::UserOp;
    ///
    /// let op: UserOp = r#"{
    ///     "sender": "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906",
    ///     "nonce": "0x7",
    ///     "callData": "0xdeadbeef",
    ///     "callGasLimit": "0x64",
    ///     "verificationGasLimit": "0xc8",
    ///     "preVerificationGas": "0x12c",
    ///     "maxFeePerGas": "0x190",
    ///     "maxPriorityFeePerGas": "0x32"
    /// }"#.parse()?;
    /// assert!(op.paymaster.is_none() && op.factory.is_none());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct UserOp: "a user operation, an object" {
        /// The call data of the account.
        "callData" => pub call_data: HexBytes,
        /// The gas for the call itself.
        "callGasLimit" => pub call_gas_limit: Quantity128,
        /// The factory that deploys the account, if it is not deployed yet.
        "" => pub factory: Option<Factory> => Row::group::<Factory>(),
        /// The highest price of a unit of gas, in wei: the cap.
        "maxFeePerGas" => pub max_fee_per_gas: Quantity128,
        /// The tip for a unit of gas, in wei.
        "maxPriorityFeePerGas" => pub max_priority_fee_per_gas: Quantity128,
        /// The nonce. The service derives it from the job ([`crate::value::JobId::nonce`]).
        "nonce" => pub nonce: Nonce,
        /// The paymaster that pays in the sender's place.
        "" => pub paymaster: Option<Paymaster> => Row::group::<Paymaster>(),
        /// The gas that pays the bundler for work that the EntryPoint cannot measure.
        "preVerificationGas" => pub pre_verification_gas: Quantity,
        /// The account that executes the operation.
        "sender" => pub sender: Address,
        /// The gas for the account's validation.
        "verificationGasLimit" => pub verification_gas_limit: Quantity128,
        /// The account's signature; it is not part of any hash.
        "signature" => pub signature: Option<HexBytes>,
    }
}

// Paths of problems.
pub(super) const CAP: Field<UserOp, Quantity128> = Field::of("maxFeePerGas");
pub(super) const TIP: Field<UserOp, Quantity128> = Field::of("maxPriorityFeePerGas");
pub(super) const FACTORY: Field<UserOp, Address> = Field::of("factory");
pub(super) const PAYMASTER_DATA: Field<UserOp, HexBytes> = Field::of("paymasterData");

impl UserOp {
    /// One of its gas limits; those of the paymaster are 0 if the sender pays.
    pub(crate) fn gas(&self, limit: GasLimit) -> U256 {
        let paymaster = self.paymaster.as_ref();
        match limit {
            GasLimit::Call => self.call_gas_limit.to_u256(),
            GasLimit::Verification => self.verification_gas_limit.to_u256(),
            GasLimit::PreVerification => self.pre_verification_gas.value(),
            GasLimit::Paymaster => {
                paymaster.map_or(U256::zero(), |it| it.verification_gas_limit.to_u256())
            }
            GasLimit::PostOp => paymaster.map_or(U256::zero(), |it| it.post_op_gas_limit.to_u256()),
        }
    }
}

document! {
    /// A contract that deploys an account, and its call.
    ///
    /// ```
    /// use sendoff::user_op::Factory;
    ///
    /// let address = "0x7702000000000000000000000000000000000000".parse()?;
    /// assert!(Factory { address, data: "0x".parse()? }.is_eip7702_marker());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Factory: "a factory, `factory` and `factoryData`" {
        /// The address of the contract.
        "factory" => pub address: Address,
        /// The call data of the contract; absent in JSON means no bytes.
        "factoryData" => pub data: HexBytes = HexBytes::default(),
    }
}

impl Factory {
    /// The marker of an EIP-7702 account in place of a factory: `0x7702`, then zeros.
    #[must_use]
    pub fn is_eip7702_marker(&self) -> bool {
        let H160([0x77, 0x02, rest @ ..]) = self.address.to_h160() else { return false };
        rest == [0; 18]
    }
}

document! {
    /// A contract that pays for an operation.
    ///
    /// ```
    /// use sendoff::user_op::Paymaster;
    ///
    /// let paymaster = Paymaster {
    ///     address: "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3".parse()?,
    ///     verification_gas_limit: 80_290_u64.into(),
    ///     post_op_gas_limit: 1_u64.into(),
    ///     data: "0x".parse()?,
    /// };
    /// assert_eq!(paymaster.verification_gas_limit.to_string(), "0x139a2");
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Paymaster: "a paymaster, its address, two gas limits and data" {
        /// The address of the contract.
        "paymaster" => pub address: Address,
        /// The data for the contract; [`super::PaymasterData`] is the layout of the service's paymaster.
        "paymasterData" => pub data: HexBytes,
        /// The gas for its work after the call.
        "paymasterPostOpGasLimit" => pub post_op_gas_limit: Quantity128,
        /// The gas for its validation.
        "paymasterVerificationGasLimit" => pub verification_gas_limit: Quantity128,
    }
}

document! {
    /// The operation of an estimate, with the specification's twelve fields: a paymaster pays, the account is deployed,
    /// and the signature is added later.
    ///
    /// ```
    /// use sendoff::user_op::{PreparedUserOp, UserOp};
    ///
    /// let op: PreparedUserOp = r#"{
    ///     "callData": "0xdeadbeef", "callGasLimit": "0x64", "maxFeePerGas": "0x190", "maxPriorityFeePerGas": "0x32",
    ///     "nonce": "0x7", "paymaster": "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3", "paymasterData": "0x",
    ///     "paymasterPostOpGasLimit": "0x1", "paymasterVerificationGasLimit": "0x139a2", "preVerificationGas": "0x12c",
    ///     "sender": "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906", "verificationGasLimit": "0xc8"
    /// }"#.parse()?;
    /// assert!(UserOp::from(op).paymaster.is_some());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct PreparedUserOp: "a prepared user operation, an object", open RefusedAlone {
        /// The call data of the account.
        "callData" => pub call_data: HexBytes,
        /// The gas for the call itself.
        "callGasLimit" => pub call_gas_limit: Quantity128,
        /// The highest price of a unit of gas, in wei: the cap.
        "maxFeePerGas" => pub max_fee_per_gas: Quantity128,
        /// The tip for a unit of gas, in wei.
        "maxPriorityFeePerGas" => pub max_priority_fee_per_gas: Quantity128,
        /// The nonce. The service derives it from the job ([`crate::value::JobId::nonce`]).
        "nonce" => pub nonce: Nonce,
        /// The contract that pays.
        "paymaster" => pub paymaster: Address,
        /// The data for the paymaster; [`super::PaymasterData`] is the layout of the service's paymaster.
        "paymasterData" => pub paymaster_data: HexBytes,
        /// The gas for the paymaster's work after the call.
        "paymasterPostOpGasLimit" => pub paymaster_post_op_gas_limit: Quantity128,
        /// The gas for the paymaster's validation.
        "paymasterVerificationGasLimit" => pub paymaster_verification_gas_limit: Quantity128,
        /// The gas that pays the bundler for work that the EntryPoint cannot measure.
        "preVerificationGas" => pub pre_verification_gas: Quantity,
        /// The account that executes the operation.
        "sender" => pub sender: Address,
        /// The gas for the account's validation.
        "verificationGasLimit" => pub verification_gas_limit: Quantity128,
    }
}

impl From<PreparedUserOp> for UserOp {
    fn from(op: PreparedUserOp) -> Self {
        // Taken apart without `..`: a field that would not be hashed does not compile.
        let PreparedUserOp {
            call_data,
            call_gas_limit,
            max_fee_per_gas,
            max_priority_fee_per_gas,
            nonce,
            paymaster,
            paymaster_data,
            paymaster_post_op_gas_limit,
            paymaster_verification_gas_limit,
            pre_verification_gas,
            sender,
            verification_gas_limit,
        } = op;

        Self {
            call_data,
            call_gas_limit,
            factory: None,
            max_fee_per_gas,
            max_priority_fee_per_gas,
            nonce,
            paymaster: Some(Paymaster {
                address: paymaster,
                data: paymaster_data,
                post_op_gas_limit: paymaster_post_op_gas_limit,
                verification_gas_limit: paymaster_verification_gas_limit,
            }),
            pre_verification_gas,
            sender,
            signature: None,
            verification_gas_limit,
        }
    }
}
