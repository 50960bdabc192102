//! A bot with alloy: from a typed request to an operation that the EntryPoint executes, signed by
//! alloy's signer. `into` converts between alloy's types and the core's.

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_signer::SignerSync;
use chain::{CHAIN_ID, Service, ownerOfCall};
use sendoff::error::Error;
use sendoff::estimate::{
    Deployment, Estimate, EstimateRequest, Facts, GasDetails, GasLimits, Gsn, RequestParts,
    respond, signable,
};
use sendoff::intent::{Intent, Names, NftTransfer};
use sendoff::user_op::{
    EntryPoint, EntryPointVersion, GasFeeOrder, PaymasterData, PaymasterGrant, Policies, Seconds,
    UserOp, pack, signing_digest,
};
use sendoff::uuid::Uuid;
use sendoff::value::{Amount, NftType};

const NFT: U256 = U256::from_limbs([16, 0, 0, 0]);

#[test]
fn a_bot_signs_with_alloys_signer() -> Result<(), Error> {
    let mut service = Service::new(EntryPointVersion::V07);
    let collection = service.mint("Collection", 16);
    let Service { mut chain, entry_point, account, owner, paymaster, job_manager, .. } = service;
    let (client_swa, client, recipient) =
        (service.client_swa, service.client, Address::repeat_byte(0x88));

    // The client grants the job. The last eight bytes of its id are zero: the sequence number of a
    // nonce whose key is new.
    let job_id = Uuid::from_u128(0xe4fb_7f8b_d19d_4785 << 64).into();
    let (valid_until, valid_after) = (Seconds::new((1 << 48) - 1)?, Seconds::new(0)?);
    let grant = PaymasterGrant { job_id, client_swa: client_swa.into(), valid_until, valid_after };
    let signature = client.sign_hash_sync(&signing_digest(grant.hash()).into()).unwrap().into();
    let grant =
        PaymasterData { client_swa: client_swa.into(), valid_until, valid_after, signature };

    // The application requests an estimate, and the service answers.
    let intent = Intent::NftTransfer(NftTransfer {
        caip2_id: format!("eip155:{CHAIN_ID}").parse()?,
        nft_id: NFT.into(),
        recipient_wallet_address: recipient.into(),
        collection_address: collection.into(),
        amount: Amount::try_from(U256::ONE)?,
        nft_type: NftType::ERC721,
    });
    let fee = 1_000_000_000_u64.into();
    let gas_details = GasDetails { max_fee_per_gas: fee, max_priority_fee_per_gas: fee };
    let paymaster_data = grant.encode().into();
    let request = EstimateRequest::new(RequestParts {
        job_id,
        intent,
        gas_details,
        paymaster_data,
        fee_payer_address: None,
    })?;
    let facts = Facts {
        client_swa: client_swa.into(),
        user_swa: account.into(),
        policies: Policies { gsn_enabled: false, sponsorship_enabled: true },
        gsn: Gsn::default(),
        job_manager: job_manager.into(),
        paymaster: paymaster.into(),
        // The constants of the service's public SDK.
        gas_limits: GasLimits {
            call_gas_limit: 600_000_u64.into(),
            verification_gas_limit: 400_000_u64.into(),
            pre_verification_gas: 100_000_u64.into(),
            paymaster_verification_gas_limit: 200_000_u64.into(),
            paymaster_post_op_gas_limit: 200_000_u64.into(),
        },
        fees: Default::default(),
    };
    let reply = respond(Estimate::new(request.clone(), facts)?);

    // The bot signs the verified operation, and sends it.
    let place = EntryPoint {
        address: entry_point.into(),
        chain_id: CHAIN_ID.try_into()?,
        version: EntryPointVersion::V07,
        gas_fee_order: GasFeeOrder::Standard,
    };
    let deployment =
        Deployment::new(place, job_manager.into(), paymaster.into(), client_swa.into());
    let signable = signable(&request, &reply, &deployment, &Names::default())?;
    let signature = owner.sign_hash_sync(&signable.digest().into()).unwrap();
    let op = UserOp::from(signable.operation().clone()).assemble(signature.into())?;
    let packed = pack(&op, deployment.entry_point().gas_fee_order).signed(op.signature.unwrap());
    let event = chain.handle(entry_point, packed.into()).unwrap();
    assert!(event.success && event.userOpHash == B256::from(signable.hash()));
    assert_eq!(chain.call(collection, &ownerOfCall { id: NFT }).unwrap(), recipient);
    assert_eq!(Bytes::from(reply.data.user_ops.call_data), Bytes::from(op.call_data));
    Ok(())
}
