//! The user operation.

use primitive_types::H160;

use crate::document::document;
use crate::value::{Address, HexBytes, Nonce, Quantity, Quantity128};

document! {
    /// A user operation for EntryPoint 0.7 and later, unpacked.
    ///
    /// In JSON it is flat, as in ERC-7769: the factory's two fields and the paymaster's four stand beside the others, or
    /// not at all. The service's replies have the paymaster and no factory.
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
        /// What the account is told to do.
        "callData" => pub call_data: HexBytes,
        /// Gas for the call itself.
        "callGasLimit" => pub call_gas_limit: Quantity128,
        /// What deploys the account, where it is not deployed.
        flatten pub factory: Option<Factory>,
        /// The most paid for a unit of gas, in wei.
        "maxFeePerGas" => pub max_fee_per_gas: Quantity128,
        /// The tip for a unit of gas, in wei.
        "maxPriorityFeePerGas" => pub max_priority_fee_per_gas: Quantity128,
        /// What makes the operation unique. The service makes it of the job ([`crate::value::JobId::nonce`]).
        "nonce" => pub nonce: Nonce,
        /// Who pays in the sender's place.
        flatten pub paymaster: Option<Paymaster>,
        /// Gas that pays the bundler for what the EntryPoint cannot measure.
        "preVerificationGas" => pub pre_verification_gas: Quantity,
        /// The account that acts.
        "sender" => pub sender: Address,
        /// Gas for the account's validation.
        "verificationGasLimit" => pub verification_gas_limit: Quantity128,
        /// The account's signature; it is not part of any hash.
        "signature" => pub signature: Option<HexBytes>,
    }
}

document! {
    /// What deploys an account.
    ///
    /// ```
    /// use sendoff::user_op::Factory;
    ///
    /// let address = "0x7702000000000000000000000000000000000000".parse()?;
    /// assert!(Factory { address, data: "0x".parse()? }.is_eip7702_marker());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Factory: "a factory, `factory` and `factoryData`" {
        /// The contract that deploys.
        "factory" => pub address: Address,
        /// What it is called with; absent in JSON means nothing.
        "factoryData" => pub data: HexBytes = HexBytes::default(),
    }
}

impl Factory {
    /// The marker of an EIP-7702 account in a factory's place: `0x7702`, then zeros.
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
        /// The contract that pays.
        "paymaster" => pub address: Address,
        /// What it is called with; the service's layout is [`super::PaymasterData`].
        "paymasterData" => pub data: HexBytes,
        /// Gas for its work after the call.
        "paymasterPostOpGasLimit" => pub post_op_gas_limit: Quantity128,
        /// Gas for its validation.
        "paymasterVerificationGasLimit" => pub verification_gas_limit: Quantity128,
    }
}

document! {
    /// The operation that an estimate prepares, in the specification's twelve fields: the paymaster pays, the account is
    /// deployed, and the signature comes later.
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
    pub struct PreparedUserOp: "a prepared user operation, an object", open fields {
        /// What the account is told to do.
        "callData" => pub call_data: HexBytes,
        /// Gas for the call itself.
        "callGasLimit" => pub call_gas_limit: Quantity128,
        /// The most paid for a unit of gas, in wei.
        "maxFeePerGas" => pub max_fee_per_gas: Quantity128,
        /// The tip for a unit of gas, in wei.
        "maxPriorityFeePerGas" => pub max_priority_fee_per_gas: Quantity128,
        /// What makes the operation unique. The service makes it of the job ([`crate::value::JobId::nonce`]).
        "nonce" => pub nonce: Nonce,
        /// The contract that pays.
        "paymaster" => pub paymaster: Address,
        /// What it is called with; the service's layout is [`super::PaymasterData`].
        "paymasterData" => pub paymaster_data: HexBytes,
        /// Gas for the paymaster's work after the call.
        "paymasterPostOpGasLimit" => pub paymaster_post_op_gas_limit: Quantity128,
        /// Gas for the paymaster's validation.
        "paymasterVerificationGasLimit" => pub paymaster_verification_gas_limit: Quantity128,
        /// Gas that pays the bundler for what the EntryPoint cannot measure.
        "preVerificationGas" => pub pre_verification_gas: Quantity,
        /// The account that acts.
        "sender" => pub sender: Address,
        /// Gas for the account's validation.
        "verificationGasLimit" => pub verification_gas_limit: Quantity128,
    }
}

impl From<PreparedUserOp> for UserOp {
    fn from(op: PreparedUserOp) -> Self {
        Self {
            call_data: op.call_data,
            call_gas_limit: op.call_gas_limit,
            factory: None,
            max_fee_per_gas: op.max_fee_per_gas,
            max_priority_fee_per_gas: op.max_priority_fee_per_gas,
            nonce: op.nonce,
            paymaster: Some(Paymaster {
                address: op.paymaster,
                data: op.paymaster_data,
                post_op_gas_limit: op.paymaster_post_op_gas_limit,
                verification_gas_limit: op.paymaster_verification_gas_limit,
            }),
            pre_verification_gas: op.pre_verification_gas,
            sender: op.sender,
            signature: None,
            verification_gas_limit: op.verification_gas_limit,
        }
    }
}
