//! The reason for expected gas limits: within one `maxCost`, a server can make an operation fail and be paid several times as much
//! for it. It moves gas from the call to `preVerificationGas`, which is charged in full.

use alloy_primitives::{Address, B256, U256, aliases::U192};
use alloy_sol_types::{SolCall, SolValue, sol};
use chain::{Chain, IEntryPoint, Key, compiled, packed};
use sendoff::error::{Error, IssueCode};
use sendoff::estimate::{ClearSigning, EstimateRequest, Signable, signable};
use sendoff::intent::Names;
use sendoff::json;
use sendoff::user_op::{EntryPointVersion, GasFeeOrder, UserOp, max_cost};
use serde_json::{Value, json};

sol! {
    function open(address userSWA) external;
    function wallets(address userSWA) external view returns (address);
    function mint(address to, uint256 id) external;
    function ownerOf(uint256 id) external view returns (address);
}

const CHAIN_ID: u64 = 31337;
const NFT: u64 = 16;
/// Its last eight bytes are zero: for the EntryPoint they are the sequence number of a nonce whose key is new.
const JOB: &str = "e4fb7f8b-d19d-4785-0000-000000000000";
/// Wei per unit of gas.
const FEE: u64 = 1_000_000_000;
const RECIPIENT: &str = "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2";

/// A user with an NFT, and an estimate of its transfer.
struct Service {
    chain: Chain,
    entry_point: Address,
    owner: Key,
    account: Address,
    collection: Address,
    request: Value,
    reply: Value,
    deployment: Value,
}

impl Service {
    fn new() -> Self {
        let (mut chain, entry_point) = Chain::with_entry_point(CHAIN_ID, EntryPointVersion::V07);
        let (owner, client, client_swa) = (Key::new(1), Key::new(2), Address::repeat_byte(0xc1));
        let mut deploy = |name, arguments: &[u8]| chain.deploy(compiled(name), arguments);
        let account = deploy("Account", &(entry_point, owner.address(), true).abi_encode());
        let paymaster = deploy("Paymaster", &(entry_point, client_swa, client.address()).abi_encode());
        let job_manager = deploy("JobManager", &[]);
        let collection = deploy("Collection", &[]);
        let mut send = |to, value: u64, data: Vec<u8>| {
            assert!(chain.send(to, U256::from(value), data.into()).is_success());
        };
        send(entry_point, 1_000_000_000_000_000_000, IEntryPoint::depositToCall { account: paymaster }.abi_encode());
        send(job_manager, 0, openCall { userSWA: account }.abi_encode());
        let wallet = chain.call(job_manager, &walletsCall { userSWA: account }).unwrap();
        let mint = mintCall { to: wallet, id: U256::from(NFT) };
        assert!(chain.send(collection, U256::ZERO, mint.abi_encode().into()).is_success());

        let [entry_point_text, client_swa, user_swa, job_manager, paymaster, collection_text] =
            [entry_point, client_swa, account, job_manager, paymaster, collection].map(|address| address.to_string());
        let mut grant = json!({ "clientSWA": client_swa, "validUntil": (1_u64 << 48) - 1, "validAfter": 0 });
        let mut to_sign = grant.clone();
        to_sign["jobId"] = JOB.into();
        let hash: Value = answer(json::paymaster_hash(&to_sign.to_string()));
        let hash: sendoff::value::Word = hash.as_str().unwrap().parse().unwrap();
        let signature = client.sign(sendoff::user_op::signing_digest(hash).into());
        grant["signature"] = alloy_primitives::hex::encode_prefixed(signature).into();
        let request = json!({
            "type": "NFT_TRANSFER",
            "jobId": JOB,
            "gasDetails": { "maxFeePerGas": format!("{FEE:#x}"), "maxPriorityFeePerGas": format!("{FEE:#x}") },
            "paymasterData": answer(json::encode_paymaster_data(&grant.to_string())),
            "details": {
                "caip2Id": format!("eip155:{CHAIN_ID}"), "nftId": NFT.to_string(), "recipientWalletAddress": RECIPIENT,
                "collectionAddress": collection_text, "amount": "1", "nftType": "ERC721",
            },
        });
        // The constants of the service's public SDK.
        let facts = json!({
            "clientSWA": client_swa, "userSWA": user_swa, "jobManager": job_manager, "paymaster": paymaster,
            "policies": { "gsnEnabled": false, "sponsorshipEnabled": true },
            "gasLimits": {
                "callGasLimit": "0x927c0", "verificationGasLimit": "0x61a80", "preVerificationGas": "0x186a0",
                "paymasterVerificationGasLimit": "0x30d40", "paymasterPostOpGasLimit": "0x30d40",
            },
        });
        let reply = answer(json::estimate(&request.to_string(), &facts.to_string()));
        let deployment = json!({
            "entryPoint": entry_point_text, "chainId": CHAIN_ID, "version": "0.7", "jobManager": job_manager,
            "paymaster": paymaster, "clientSWA": client_swa,
        });
        Self { chain, entry_point, owner, account, collection, request, reply, deployment }
    }

    fn op(&self) -> UserOp {
        self.reply["data"]["userOps"].to_string().parse().unwrap()
    }

    fn signable(&self) -> Result<Signable, Error> {
        let request: EstimateRequest = self.request.to_string().parse().unwrap();
        signable(&request, &*self.reply.to_string(), &self.deployment.to_string().parse().unwrap(), &Names::default())
    }

    /// Signs the operation, sends it, and returns its event.
    fn send(&mut self) -> IEntryPoint::UserOperationEvent {
        let signable = self.signable().unwrap();
        let op = UserOp::from(signable.operation().clone());
        let signature = self.owner.sign(signable.digest().into());
        let event = self.chain.handle(self.entry_point, packed(&op, GasFeeOrder::Standard, &signature)).unwrap();
        assert_eq!(event.userOpHash, B256::from(signable.hash()));
        event
    }

    fn nft_owner(&mut self) -> Address {
        self.chain.call(self.collection, &ownerOfCall { id: U256::from(NFT) }).unwrap()
    }

    /// The next nonce of the job's key.
    fn next_nonce(&mut self) -> U256 {
        let key: U256 = nonce(&self.op()) >> 64;
        self.chain
            .call(self.entry_point, &IEntryPoint::getNonceCall { sender: self.account, key: key.to::<U192>() })
            .unwrap()
    }
}

fn nonce(op: &UserOp) -> U256 {
    U256::from_be_bytes(op.nonce.value().to_big_endian())
}

fn answer(text: Result<String, Error>) -> Value {
    serde_json::from_str(&text.unwrap()).unwrap()
}

/// Reduces gas limits to these values, and moves the gas to `preVerificationGas`.
fn move_gas(reply: &mut Value, left: &[(&str, u64)]) {
    let op = &mut reply["data"]["userOps"];
    let gas = |op: &Value, name: &str| u64::from_str_radix(&op[name].as_str().unwrap()[2..], 16).unwrap();
    for (name, left) in left {
        let moved = gas(op, name) - left;
        op["preVerificationGas"] = format!("{:#x}", gas(op, "preVerificationGas") + moved).into();
        op[name] = format!("{left:#x}").into();
    }
}

#[test]
fn gas_moved_to_pre_verification_is_charged_even_if_the_operation_fails() {
    let mut honest = Service::new();
    let most = max_cost(&honest.op()).unwrap();
    let limits = json!({ "callGasLimit": { "least": "0x927c0" }, "preVerificationGas": { "most": "0x186a0" } });
    honest.deployment["expect"] = json!({ "gas": limits });
    let account = honest.signable().unwrap().account().clone();
    let done = honest.send();
    assert!(done.success);
    assert_eq!(honest.nft_owner(), RECIPIENT.parse::<Address>().unwrap());
    println!("the transfer costs {} gas, of {} at most", done.actualGasUsed, most / FEE);

    let call = [("callGasLimit", 0), ("paymasterPostOpGasLimit", 0)];
    // What the verifications do not need can be moved too.
    let slack = [("verificationGasLimit", 60_000), ("paymasterVerificationGasLimit", 40_000)];
    for (moved, times) in [(call.to_vec(), 2.9), ([call, slack].concat(), 4.3)] {
        let mut service = Service::new();
        move_gas(&mut service.reply, &moved);
        assert_eq!(max_cost(&service.op()).unwrap(), most);

        let unexpecting = service.deployment.clone();
        service.deployment = honest.deployment.clone();
        let refused = service.signable().unwrap_err();
        let refused: Vec<_> = refused.issues().iter().map(|issue| (&*issue.path, issue.code)).collect();
        assert_eq!(
            refused,
            [("data.userOps.callGasLimit", IssueCode::Rule), ("data.userOps.preVerificationGas", IssueCode::Rule),]
        );

        service.deployment = unexpecting;
        // A caller without expectations still sees the difference.
        let shown = service.signable().unwrap().account().clone();
        assert_ne!(shown, account);
        assert_eq!(shown.operation.max_cost, account.operation.max_cost);
        let certain = |shown: &ClearSigning| shown.operation.certain_cost.parse::<u64>().unwrap() / FEE;
        println!("certain to be charged: {} gas instead of {}", certain(&shown), certain(&account));
        assert!(certain(&shown) >= 9 * certain(&account));
        let failed = service.send();
        assert!(!failed.success);
        assert_ne!(service.nft_owner(), RECIPIENT.parse::<Address>().unwrap());
        assert_eq!(service.next_nonce(), nonce(&service.op()) + U256::ONE, "the job's nonce is used");
        let factor = f64::from(failed.actualGasCost) / f64::from(done.actualGasCost);
        println!("with gas moved it fails and costs {} gas, {factor:.1} times as much", failed.actualGasUsed);
        assert!(factor > times && failed.actualGasCost <= U256::from_be_bytes(most.to_big_endian()));
    }
}
