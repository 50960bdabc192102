//! The EntryPoint: the contract that executes a user operation, and that its hash is bound to.

use crate::document::{MAX_SAFE, document};
use crate::value::{Address, ChainId, bounded, conversions, keyword};

keyword! {
    /// The version of an EntryPoint contract.
    ///
    /// ```
    /// use sendoff::user_op::EntryPointVersion;
    ///
    /// assert_eq!("0.8".parse(), Ok(EntryPointVersion::V08));
    /// ```
    pub enum EntryPointVersion: "`0.7`, `0.8` or `0.9`", non_exhaustive {
        /// The hash is computed from the operation's ABI encoding.
        "0.7" => V07,
        /// The hash is that of the operation as EIP-712 typed data.
        "0.8" => V08,
        /// As 0.8, but a paymaster's signature is not part of the hash.
        "0.9" => V09,
    }
}

keyword! {
    /// The order of the two fees in `gasFees`.
    ///
    /// ```
    /// use sendoff::user_op::GasFeeOrder;
    ///
    /// assert_eq!(GasFeeOrder::default(), GasFeeOrder::Standard);
    /// ```
    pub enum GasFeeOrder: "`standard` or `maxFirst`" = Standard {
        /// The tip, then the cap: the order of ERC-4337.
        "standard" => Standard,
        /// The cap, then the tip: the order of the service's public SDK.
        "maxFirst" => MaxFirst,
    }
}

bounded! {
    /// The id of an EVM chain as a number, from 1 to 2^53−1.
    ///
    /// Source: EIP-155.
    ///
    /// ```
    /// use sendoff::user_op::EvmChainId;
    /// use sendoff::value::ChainId;
    ///
    /// assert_eq!(EvmChainId::new(8088).map(EvmChainId::value), Ok(8088));
    /// assert_eq!(EvmChainId::new(8088).map(ChainId::from), "eip155:8088".parse());
    /// assert!(EvmChainId::new(0).is_err());
    /// ```
    pub struct EvmChainId: "a chain id, an integer from 1 to 2^53-1", 1, MAX_SAFE
}

impl EvmChainId {
    /// A chain of the core's own data.
    #[expect(clippy::as_conversions, reason = "`From` is not for constants")]
    pub(crate) const fn of(id: u32) -> Self {
        assert!(id > 0, "expected the id of a chain");
        Self(id as u64)
    }
}

conversions! {
    EvmChainId => ChainId: |EvmChainId(id)| Self::of_eip155(id.into());
}

document! {
    /// An EntryPoint contract on its chain.
    ///
    /// ```
    /// use sendoff::user_op::EntryPoint;
    ///
    /// let entry_point: EntryPoint = r#"{
    ///     "entryPoint": "0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da", "chainId": 1802466136, "version": "0.7"
    /// }"#.parse()?;
    /// assert_eq!(entry_point.chain_id.value(), 1_802_466_136);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct EntryPoint: "an EntryPoint, an object of `entryPoint`, `chainId`, `version` and `gasFeeOrder`" {
        /// Its address.
        "entryPoint" => pub address: Address,
        /// The chain on which it is deployed.
        "chainId" => pub chain_id: EvmChainId,
        /// Its version.
        "version" => pub version: EntryPointVersion,
        /// The order of fees in the operations sent to it; absent in JSON means `standard`.
        "gasFeeOrder" => pub gas_fee_order: GasFeeOrder = GasFeeOrder::Standard,
    }
}
