//! A reply is compared with its request, then signed and assembled: `cargo run --example sign`.

use k256::ecdsa::SigningKey;
use sendoff::{
    Deployment, Error, EstimateReply, EstimateRequest, Expectations, GasFigures, GsnRequirement,
    Names, Policies, Signable, Signature, signable, verify,
};

/// The application's request.
const REQUEST: &str = r#"{
    "type": "NFT_TRANSFER",
    "jobId": "3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43",
    "gasDetails": { "maxFeePerGas": "0x9502f900", "maxPriorityFeePerGas": "0x59682f00" },
    "paymasterData": "0x",
    "details": {
        "caip2Id": "eip155:80002",
        "nftId": "56",
        "recipientWalletAddress": "0xEc186DB52Cb079380E9Ed11740859d5a45e1B831",
        "collectionAddress": "0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90",
        "amount": "1",
        "nftType": "ERC721"
    }
}"#;

/// The application's own knowledge of the service, which it never takes from a reply.
const DEPLOYMENT: &str = r#"{
    "entryPoint": "0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da", "chainId": 1802466136, "version": "0.7",
    "gasFeeOrder": "maxFirst",
    "jobManager": "0x0543aD80b41C5f5956d34503668CDb965deCB617",
    "paymaster": "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
    "clientSWA": "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F"
}"#;

/// The figures of earlier operations of the same kind.
const FIGURES: &str = r#"{
    "maxFeePerGas": "0x9502f900", "callGasLimit": "0x927c0", "verificationGasLimit": "0x61a80",
    "preVerificationGas": "0x186a0", "paymasterVerificationGasLimit": "0x30d40", "paymasterPostOpGasLimit": "0x30d40"
}"#;

/// The service's facts. The reply is computed from them here; an application would send its request instead.
const FACTS: &str = r#"{
    "clientSWA": "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F",
    "userSWA": "0xb3950bBE24596c9e1097dC110701410257038293",
    "policies": { "gsnEnabled": false, "sponsorshipEnabled": false },
    "jobManager": "0x0543aD80b41C5f5956d34503668CDb965deCB617",
    "paymaster": "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
    "gasLimits": {
        "callGasLimit": "0x927c0", "verificationGasLimit": "0x61a80", "preVerificationGas": "0x186a0",
        "paymasterVerificationGasLimit": "0x30d40", "paymasterPostOpGasLimit": "0x30d40"
    }
}"#;

/// The program's own names of chains and tokens. Never take them from a reply.
const NAMES: &str = r#"{
    "chains": [{ "caip2Id": "eip155:1802466136", "name": "Sandbox" }],
    "tokens": [{ "caip2Id": "eip155:1802466136", "tokenAddress": "", "symbol": "SBX", "decimals": 18 }]
}"#;

/// Bounds for what the server would otherwise choose: the sender, and the gas, up to 20 % around known figures.
fn expectations() -> Result<Expectations, Error> {
    Ok(Expectations {
        user_swa: Some("0xb3950bBE24596c9e1097dC110701410257038293".parse()?),
        policies: Some(Policies { gsn_enabled: false, sponsorship_enabled: false }),
        gsn: Some(GsnRequirement { is_required: false, required_networks: Vec::new() }),
        ..FIGURES.parse::<GasFigures>()?.expectations(20)?
    })
}

/// Shows the effects of the signature and returns the operation to sign, or every problem of the reply.
fn checked(
    request: &EstimateRequest,
    reply: &str,
    deployment: &Deployment,
    names: &Names,
) -> Result<Signable, Error> {
    let signable = signable(request, reply, deployment, names)?;
    signable.effects().call.sentences.iter().for_each(|sentence| println!("{sentence}"));
    println!("{}", signable.effects().operation.sentence);
    signable.warnings().iter().for_each(|warning| println!("Look twice: {}", warning.message));
    println!("{}", signable.digest());
    Ok(signable)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = sendoff::json::estimate(REQUEST, FACTS)?;
    let request: EstimateRequest = REQUEST.parse()?;
    let deployment = DEPLOYMENT.parse::<Deployment>()?.with_expectations(expectations()?);
    let names: Names = NAMES.parse()?;
    let checked = checked(&request, &text, &deployment, &names)?;
    assert!(checked.unbound().is_empty(), "the server chose nothing that is signed");

    // Any signer can be used: it signs 32 bytes.
    let key = SigningKey::from_slice(&[7; 32])?;
    let (rs, recovery) = key.sign_prehash_recoverable(checked.digest().as_ref());
    let v = if recovery.is_y_odd() { 28 } else { 27 };
    let signature: Signature = [&rs.to_bytes()[..], &[v]].concat().as_slice().try_into()?;
    let operation = checked.assemble(signature)?;
    println!("{operation}"); // what a bundler takes

    // The same reply with another recipient: it does not match the request, and there is nothing to
    // sign.
    let mut altered: EstimateReply = text.parse()?;
    altered.data.user_ops.sender = altered.data.user_ops.paymaster;
    verify(&request, &altered)
        .findings
        .iter()
        .for_each(|finding| println!("{}: {}", finding.path, finding.message));
    assert!(signable(&request, &altered, &deployment, &names).is_err());
    Ok(())
}
