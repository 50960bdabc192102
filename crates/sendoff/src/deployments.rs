//! Public deployments of the service, as data: nothing in the core reads them.
//!
//! Source: the constants of the service's public SDK, `@okto_web3/core-js-sdk` 1.1.0 on npm (the
//! same in 1.2.0 of its repository, 2025-07-18). They have changed several times: compare them with
//! the SDK that you use. The SDK hashes by EntryPoint 0.7 and packs the fee cap first. The order on
//! the chain itself is unknown, because all public samples have equal fees.
//!
//! ```
//! use sendoff::deployments::SANDBOX;
//!
//! let deployment = SANDBOX.of("0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA".parse()?);
//! assert_eq!(deployment.entry_point().chain_id.value(), 1_802_466_136);
//! # Ok::<(), sendoff::error::Error>(())
//! ```

use crate::address;
use crate::estimate::Deployment;
use crate::user_op::{EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder};
use crate::value::Address;

/// The public fields of a deployment. The service's dashboard shows the missing one, your application's wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PublicDeployment {
    /// The EntryPoint's address.
    pub entry_point: Address,
    /// The chain on which it is deployed.
    pub chain_id: EvmChainId,
    /// The contract that starts jobs.
    pub job_manager: Address,
    /// The contract that pays for operations.
    pub paymaster: Address,
}

impl PublicDeployment {
    /// Returns the deployment with an application's smart wallet.
    #[must_use]
    pub const fn of(self, client_swa: Address) -> Deployment {
        let entry_point = EntryPoint {
            address: self.entry_point,
            chain_id: self.chain_id,
            version: EntryPointVersion::V07,
            gas_fee_order: GasFeeOrder::MaxFirst,
        };
        Deployment::new(entry_point, self.job_manager, self.paymaster, client_swa)
    }
}

/// The service's staging.
pub const STAGING: PublicDeployment = PublicDeployment {
    entry_point: address!("0x322eF240AD89d19a50Ca092CF70De9603bf6778E"),
    chain_id: EvmChainId::of(124_736_089),
    job_manager: address!("0x57820589F31a9e4a34A0299Ea4aDe7c536139682"),
    paymaster: address!("0xc2D31Cdc6EFd02F85Ab943c4587f8D60E6E15F9c"),
};

/// The service's sandbox.
pub const SANDBOX: PublicDeployment = PublicDeployment {
    entry_point: address!("0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da"),
    chain_id: EvmChainId::of(1_802_466_136),
    job_manager: address!("0x0543aD80b41C5f5956d34503668CDb965deCB617"),
    paymaster: address!("0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3"),
};

/// The service's production.
pub const PRODUCTION: PublicDeployment = PublicDeployment {
    entry_point: address!("0x0b643Bcd21a72b10075F1938Ebebba6E077A1742"),
    chain_id: EvmChainId::of(8_088),
    job_manager: address!("0x7F1E1e98Dde775Fae0d340D3E5D28004Db58A0d3"),
    paymaster: address!("0xB0E2BD2EFb99F982F8cCB8e6737A572B3B0eCE11"),
};
