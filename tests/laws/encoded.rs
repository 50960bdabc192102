//! Call data by an independent encoder, alloy's.

use alloy_primitives::{Address, Bytes, FixedBytes, U256};
use alloy_sol_types::{SolCall, SolValue, sol};
use sendoff::user_op::Call;

use crate::parameters;

sol! {
    function initiateJob(
        uint256 jobId, address clientSWA, address userSWA, address feePayerAddress,
        bytes policyInfo, bytes gsnData, bytes jobParameters, string intentType
    );
    struct PolicyInfo { bool gsnEnabled; bool sponsorshipEnabled; }
    struct Nft {
        string caip2Id; string nftId; string recipientWalletAddress; string collectionAddress; string nftType;
        uint256 amount;
    }
    struct Gsn { bool isRequired; string[] requiredNetworks; Nft[] tokens; }
}

/// The call data of a call by alloy's encoder.
#[must_use]
pub fn by_alloy(call: &Call) -> Vec<u8> {
    let address = |address: &sendoff::value::Address| Address::from(address.to_h160().0);
    let gsn = Gsn {
        isRequired: call.gsn.is_required,
        requiredNetworks: call.gsn.required_networks.iter().map(ToString::to_string).collect(),
        tokens: vec![],
    };
    let policies = PolicyInfo {
        gsnEnabled: call.policies.gsn_enabled,
        sponsorshipEnabled: call.policies.sponsorship_enabled,
    };
    let job = initiateJobCall {
        jobId: call.job_id.nonce().into(),
        clientSWA: address(&call.client_swa),
        userSWA: address(&call.user_swa),
        feePayerAddress: call
            .fee_payer_address
            .payer()
            .map_or(Address::ZERO, |payer| Address::from(payer.to_h160().0)),
        policyInfo: policies.abi_encode().into(),
        gsnData: gsn.abi_encode().into(),
        jobParameters: parameters(&call.intent).into(),
        intentType: call.intent.kind().to_string(),
    };
    let selector = FixedBytes([0x8d, 0xd7, 0x71, 0x2f]);
    (selector, address(&call.job_manager), U256::ZERO, Bytes::from(job.abi_encode()))
        .abi_encode_params()
}
