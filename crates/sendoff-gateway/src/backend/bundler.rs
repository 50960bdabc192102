//! Gas limits from an ERC-4337 bundler.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::HeaderValue;
use sendoff::estimate::GasLimits;
use sendoff::http::Refusal;
use sendoff::user_op::PreparedUserOp;
use sendoff::value::Quantity128;
use serde::Deserialize;
use serde_json::{Value, json};
use serde_with::rust::maps_duplicate_key_is_error;
use tokio::time::timeout;

use crate::backend::fetch;
use crate::config::{self, OnBundlerLoss};
use crate::message::trace::TRACEPARENT;
use crate::observe::metrics::METRICS;

/// A bundler with `eth_estimateUserOperationGas` (ERC-7769).
pub(crate) struct Bundler {
    config: config::Bundler,
    client: reqwest::Client,
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

const UNREADABLE: &str =
    "the reply is no JSON-RPC, has a field twice, or a limit that is no quantity";

/// The highest gas limit that is believed: thousands of times the gas of a block.
const MOST_GAS: u128 = 1 << 40;

impl Bundler {
    pub(crate) fn new(config: config::Bundler, client: reqwest::Client) -> Self {
        Self { config, client, sent: AtomicU64::new(0) }
    }

    /// The bundler's gas limits for an operation. Limits that the bundler omits are taken from `known`. If it does not answer
    /// and `on_loss` is `file`, all limits are.
    ///
    /// # Errors
    ///
    /// If `on_loss` is `refuse`: 504 if the bundler takes too long, 502 if it does not return gas limits.
    pub(crate) async fn gas_limits(
        &self,
        op: &PreparedUserOp,
        known: GasLimits,
        traceparent: Option<&HeaderValue>,
    ) -> Result<GasLimits, Refusal> {
        let asked = timeout(self.config.timeout, self.ask(op, &known, traceparent)).await;
        let asked = asked.map_or_else(
            |_| Err((Refusal::BUNDLER_LATE, "no answer in time".to_owned())),
            |asked| asked.map_err(|why| (Refusal::BUNDLER_LOST, why)),
        );
        let (outcome, limits) = match (asked, self.config.on_loss) {
            (Ok(limits), _) => ("answered", Ok(limits)),
            (Err((refusal, why)), on_loss) => {
                tracing::warn!(why, ?on_loss, "the bundler gives no gas limits");
                match on_loss {
                    OnBundlerLoss::File => ("replaced", Ok(known)),
                    OnBundlerLoss::Refuse => ("refused", Err(refusal)),
                }
            }
        };
        METRICS.bundler.with([outcome]).inc();
        limits
    }

    async fn ask(
        &self,
        op: &PreparedUserOp,
        known: &GasLimits,
        traceparent: Option<&HeaderValue>,
    ) -> Result<GasLimits, String> {
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
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "eth_estimateUserOperationGas", "params": [op, entry_point]});
        let mut request = self.client.post(&*self.config.url).json(&call);

        if let Some(traceparent) = traceparent {
            request = request.header(TRACEPARENT, traceparent);
        }

        let sent = request.send().await;
        let body = fetch(sent, REPLY_BYTES).await?;

        Reply::read(&body, id)?.or(known)
    }
}

/// A reply of JSON-RPC. A field that is there twice is a problem.
#[derive(Deserialize)]
struct Reply {
    #[serde(default)]
    id: Value,
    result: Option<Limits>,
    error: Option<Value>,
}

/// The result of `eth_estimateUserOperationGas`.
#[derive(Deserialize)]
struct Limits(
    #[serde(deserialize_with = "maps_duplicate_key_is_error::deserialize")] HashMap<String, Value>,
);

impl Reply {
    /// The reply to the call with this id.
    fn read(body: &[u8], id: u64) -> Result<Limits, String> {
        // The message of an error can contain a part of the reply.
        let Self { id: found, result, error } =
            serde_json::from_slice(body).map_err(|_| UNREADABLE.to_owned())?;
        if found != id {
            return Err("the reply is to another call".into());
        }
        match (result, error) {
            (Some(limits), None) => Ok(limits),
            (_, Some(error)) => {
                let code = error.get("code").unwrap_or(&Value::Null);
                Err(format!("the reply has an error with the code {code}"))
            }
            (None, None) => Err("the reply has neither a result nor an error".into()),
        }
    }
}

impl Limits {
    /// These limits, and the known ones instead of those that are absent.
    fn or(&self, known: &GasLimits) -> Result<GasLimits, String> {
        let of_call = ["callGasLimit", "verificationGasLimit", "preVerificationGas"];
        if !of_call.iter().any(|name| self.0.contains_key(*name)) {
            return Err("the result has none of the limits".into());
        }

        let read = |name, least| {
            let Some(found) = self.0.get(name) else { return Ok(None) };
            let limit = Quantity128::deserialize(found).map_err(|_| UNREADABLE.to_owned())?;
            let gas = limit.value();
            if (least..=MOST_GAS).contains(&gas) {
                return Ok(Some(limit));
            }
            Err(format!("expected a limit of {least} to {MOST_GAS} gas, found {gas}"))
        };
        let mut all = known.clone();
        let of_paymaster = &mut all.paymaster_verification_gas_limit;
        for (limit, name, least) in [
            (&mut all.call_gas_limit, "callGasLimit", 1),
            (&mut all.verification_gas_limit, "verificationGasLimit", 1),
            (of_paymaster, "paymasterVerificationGasLimit", 1),
            // A paymaster can do without a post-operation.
            (&mut all.paymaster_post_op_gas_limit, "paymasterPostOpGasLimit", 0),
        ] {
            *limit = read(name, least)?.unwrap_or(*limit);
        }
        if let Some(gas) = read("preVerificationGas", 1)? {
            all.pre_verification_gas = gas.into();
        }
        Ok(all)
    }
}
