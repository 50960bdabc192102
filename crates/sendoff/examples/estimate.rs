//! An estimate in typed steps, as a host makes it: `cargo run --example estimate`.

use sendoff::{
    Error, Estimate, EstimateRequest, Facts, Fees, GasDetails, GasLimits, Gsn, HexBytes, Intent,
    Policies, RequestParts, TokenAddress, TokenTransfer, respond,
};

fn main() -> Result<(), Error> {
    // The intent. Each text has one parser; after it nothing is parsed again.
    let transfer = TokenTransfer {
        caip2_id: "eip155:80002".parse()?,
        recipient_wallet_address: "0xEc186DB52Cb079380E9Ed11740859d5a45e1B831".parse()?,
        token_address: TokenAddress::NATIVE,
        amount: 10_000_000_000_000_u64.try_into()?,
    };
    // The rules across the fields are checked here: the tip is not above the cap, the chain is an
    // EVM chain.
    let request = EstimateRequest::new(RequestParts {
        job_id: "3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43".parse()?,
        intent: Intent::TokenTransfer(transfer),
        gas_details: GasDetails {
            max_fee_per_gas: 2_500_000_000_u64.into(),
            max_priority_fee_per_gas: 1_500_000_000_u64.into(),
        },
        paymaster_data: HexBytes::default(),
        fee_payer_address: None,
    })?;

    // The facts: a pure core cannot know them, so the host looks them up.
    let facts = Facts {
        client_swa: "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F".parse()?,
        user_swa: "0xb3950bBE24596c9e1097dC110701410257038293".parse()?,
        policies: Policies { gsn_enabled: false, sponsorship_enabled: false },
        gsn: Gsn::default(),
        job_manager: "0x0543aD80b41C5f5956d34503668CDb965deCB617".parse()?,
        paymaster: "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3".parse()?,
        gas_limits: GasLimits {
            call_gas_limit: 600_000_u64.into(),
            verification_gas_limit: 400_000_u64.into(),
            pre_verification_gas: 100_000_u64.into(),
            paymaster_verification_gas_limit: 200_000_u64.into(),
            paymaster_post_op_gas_limit: 200_000_u64.into(),
        },
        fees: Fees::default(),
    };

    // Request and facts may disagree; after this step nothing fails.
    let reply = respond(Estimate::new(request, facts)?);
    println!("nonce {}", reply.data.user_ops.nonce);
    println!("{} bytes of call data", reply.data.user_ops.call_data.len());
    println!("{reply}"); // the body that is sent

    // A text with problems reports all of them, each with its path.
    if let Err(error) =
        r#"{"type":"TOKEN_TRANSFER","jobId":"1","details":{}}"#.parse::<EstimateRequest>()
    {
        error.issues().iter().for_each(|issue| println!("{issue}"));
    }
    Ok(())
}
