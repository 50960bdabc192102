//! Gas limits from an ERC-4337 bundler.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use sendoff::{
    estimate::GasLimits,
    service::Refusal,
    user_op::PreparedUserOp,
    value::{Quantity, Quantity128},
};
use serde_json::{Value, json};

use crate::{
    config::{self, OnBundlerLoss},
    metrics::Metrics,
};

/// A bundler with `eth_estimateUserOperationGas` (ERC-7769).
#[derive(Debug)]
pub(crate) struct Bundler {
    config: config::Bundler,
    client: reqwest::Client,
    metrics: Arc<Metrics>,
    /// The number of calls so far. It is the id of each call, so that a reply to another call is recognized.
    sent: AtomicU64,
}

/// An invalid signature of 65 bytes, the length that accounts read. Gas is estimated before the user signs.
const DUMMY_SIGNATURE: &str = concat!(
    "0xfffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "aaaaaaaaaaaaaaaaaaa1c"
);

/// The maximum length of a reply, in bytes.
const REPLY_BYTES: usize = 64 << 10;

impl Bundler {
    pub(crate) fn new(config: config::Bundler, client: reqwest::Client, metrics: Arc<Metrics>) -> Self {
        Self { config, client, metrics, sent: AtomicU64::new(0) }
    }

    /// The bundler's gas limits for an operation. Limits that the bundler omits are taken from `known`. If it does not answer
    /// and `on_loss` is `file`, all limits are.
    ///
    /// # Errors
    ///
    /// If `on_loss` is `refuse`: 504 if the bundler takes too long, 502 if it does not return gas limits.
    pub(crate) async fn gas_limits(&self, op: &PreparedUserOp, known: GasLimits) -> Result<GasLimits, Refusal> {
        let asked = tokio::time::timeout(self.config.timeout, self.ask(op, &known)).await;
        let (refusal, why) = match asked {
            Ok(Ok(limits)) => {
                self.metrics.bundler("answered");
                return Ok(limits);
            }
            Ok(Err(why)) => (Refusal::BUNDLER_LOST, why),
            Err(_) => (Refusal::BUNDLER_LATE, "no answer in time".to_owned()),
        };
        tracing::warn!(why, on_loss = ?self.config.on_loss, "the bundler gives no gas limits");
        match self.config.on_loss {
            OnBundlerLoss::File => {
                self.metrics.bundler("replaced");
                Ok(known)
            }
            OnBundlerLoss::Refuse => {
                self.metrics.bundler("refused");
                Err(refusal)
            }
        }
    }

    async fn ask(&self, op: &PreparedUserOp, known: &GasLimits) -> Result<GasLimits, String> {
        let mut op = serde_json::to_value(op).map_err(|error| error.to_string())?;
        if let Some(op) = op.as_object_mut() {
            op.insert("signature".into(), DUMMY_SIGNATURE.into());
            // ERC-7769 expects a quantity.
            if let Some(nonce) = op.get("nonce").and_then(Value::as_str) {
                let digits = nonce.trim_start_matches("0x").trim_start_matches('0');
                let quantity = format!("0x{}", if digits.is_empty() { "0" } else { digits });
                op.insert("nonce".into(), quantity.into());
            }
        }
        let entry_point = self.config.entry_point;
        let id = self.sent.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let call =
            json!({"jsonrpc": "2.0", "id": id, "method": "eth_estimateUserOperationGas", "params": [op, entry_point]});
        let request = self.client.post(&self.config.url).header("content-type", "application/json");
        let sent = request.body(call.to_string()).send().await;
        let mut response = sent.map_err(|error| error.without_url().to_string())?;
        if !response.status().is_success() {
            return Err(format!("status {}", response.status().as_u16()));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| error.without_url().to_string())? {
            body.extend_from_slice(&chunk);
            if body.len() > REPLY_BYTES {
                return Err(format!("more than {REPLY_BYTES} bytes"));
            }
        }
        let reply: Value = serde_json::from_slice(&body).map_err(|_| "the reply is not JSON".to_owned())?;
        if reply.get("id") != Some(&id.into()) {
            return Err("the reply is to another call".to_owned());
        }
        let limits = reply.get("result").and_then(Value::as_object).ok_or_else(|| {
            let code = reply.get("error").and_then(|error| error.get("code")).unwrap_or(&Value::Null);
            format!("the reply has no result and the error code {code}")
        })?;
        let read = |name: &'static str| match limits.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str())),
            Some(_) => Err(format!("{name}: expected text")),
        };
        let half = |name, known: &Quantity128| match read(name)? {
            Some(text) => text.parse().map_err(|error| format!("{name}: {error}")),
            None => Ok::<_, String>(*known),
        };
        let pre_verification_gas = match read("preVerificationGas")? {
            Some(text) => text.parse::<Quantity>().map_err(|error| format!("preVerificationGas: {error}"))?,
            None => known.pre_verification_gas,
        };
        Ok(GasLimits {
            call_gas_limit: half("callGasLimit", &known.call_gas_limit)?,
            verification_gas_limit: half("verificationGasLimit", &known.verification_gas_limit)?,
            pre_verification_gas,
            paymaster_verification_gas_limit: half(
                "paymasterVerificationGasLimit",
                &known.paymaster_verification_gas_limit,
            )?,
            paymaster_post_op_gas_limit: half("paymasterPostOpGasLimit", &known.paymaster_post_op_gas_limit)?,
        })
    }
}
