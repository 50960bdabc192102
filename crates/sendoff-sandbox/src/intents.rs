//! Version 2: the estimate, its execution, and the orders of intents.

use alloc::{string::String, vec::Vec};

use sendoff::estimate::EstimateRequest;
use sendoff::http::{Operation, Refusal, check_content};

use crate::entry_point::{UserOperation, other_account};
use crate::fault::{Coded, Fault};
use crate::json::object;
use crate::numbers::quantity;
use crate::page::{Page, one_of};
use crate::profile::{ChainKey, Timestamps};
use crate::record::row;
use crate::signed::Judge;
use crate::state::State;
use crate::text::digits;
use crate::{Json, Request, rpc};

/// The fee of an intent on its chain, in wei.
pub(crate) const FEE: &str = "177258950000";

impl State {
    /// The facts of an estimate of the core, for a user and an intent.
    pub(crate) fn facts(&self, user: &str, request: &Json) -> Result<Json, Fault> {
        let user = self.users.get(user).ok_or(Coded::DATA)?;
        let at = &self.deployment;
        let chain = request.at("details.caip2Id").and_then(Json::as_text).unwrap_or_default();
        let intent = object([
            ("type", request.get("type").cloned().unwrap_or(Json::Null)),
            ("details", request.get("details").cloned().unwrap_or(Json::Null)),
        ]);
        let policies =
            row("gsnEnabled sponsorshipEnabled", &[&at.gsn_enabled, &at.sponsorship_enabled]);
        let fees = Json::Object(Vec::from([(String::from(chain), FEE.into())]));
        let fees = object([("approxTransactionFeesInUSDT", "".into()), ("transactionFees", fees)]);
        let limits = rpc::limits(&object([("intent", intent)]));

        let job = request.text("jobId");
        let is_deserted = |known: &UserOperation| {
            known.deserted && known.user == user.id && known.job.eq_ignore_ascii_case(job)
        };
        let swa = match self.operations.iter().any(is_deserted) {
            true => other_account(&user.swa),
            false => user.swa.clone(),
        };
        Ok(row(
            "clientSWA userSWA policies jobManager paymaster gasLimits fees",
            &[&at.client_swa, &swa, &policies, &at.job_manager, &at.paymaster, &limits, &fees],
        ))
    }

    /// Estimates an intent: the core's own reply.
    pub(crate) fn estimate(&self, user: &str, request: &Request) -> Result<String, Fault> {
        check_content(
            Operation::Estimate,
            request.header("content-type"),
            request.header("content-encoding"),
        )?;
        let read: EstimateRequest = request.body.parse().map_err(Refusal::from)?;
        self.catalogue.0.permits(read.intent()).map_err(Refusal::from)?;
        let json = Json::parse(&request.body).unwrap_or(Json::Null);
        let facts = self.facts(user, &json)?.to_json();
        Ok(sendoff::json::estimate(&request.body, &facts).map_err(Refusal::from)?)
    }

    /// Executes a signed operation of the token's user.
    pub(crate) fn execute(
        &mut self,
        user: &str,
        body: &Json,
        now: i64,
        judge: Judge<'_>,
    ) -> Result<Json, Fault> {
        let sender = body.text("sender");
        let user = self.users.get(user).ok_or(Coded::DATA)?;
        if !user.swa.eq_ignore_ascii_case(sender) {
            let said = "the sender is not the smart wallet of the token's user".into();
            return Err(Fault::said(Coded::BODY, said));
        }
        let hash = self
            .submit(body, now, judge)
            .map_err(|error| Fault::said(Coded::BODY, error.message))?;
        let job = self.operations.iter().rev().find(|known| known.hash == hash);
        Ok(object([("jobId", job.map(|known| known.job.clone()).into())]))
    }

    /// The fees of the service's chain.
    pub(crate) fn gas_values(&self) -> Json {
        let fee = quantity(self.deployment.base_fee.saturating_mul(2.into()));
        row("maxFeePerGas maxPriorityFeePerGas", &[&fee, &fee])
    }

    /// The orders of intents of a user, the newest first.
    pub(crate) fn intent_orders(&self, user: &str, request: &Request) -> Result<Json, Fault> {
        let page = Page::of(request, ["page", "size"], self.switches.page_size)?;
        let kinds = ["TOKEN_TRANSFER", "NFT_TRANSFER", "RAW_TRANSACTION"];
        let states = ["IN_PROGRESS", "SUCCESSFUL", "FAILED_ON_CHAIN"];
        let id = request.query("intent_id");
        let kind = one_of(request, "intent_type", &kinds)?;
        let status = one_of(request, "status", &states)?;
        let is_of = |wanted: &Option<String>, found: &str| {
            wanted.as_ref().is_none_or(|wanted| wanted == found)
        };
        let is_asked = |order: &Json| {
            is_of(&id, order.text("intent_id"))
                && is_of(&kind, order.text("intent_type"))
                && is_of(&status, order.text("status"))
        };
        let operations =
            self.operations.iter().rev().filter(|known| known.user == user && !known.hidden);
        let rows: Vec<Json> =
            operations.map(|known| self.intent_order(known)).filter(is_asked).collect();
        let count = rows.len().into();
        Ok(object([("count", count), ("items", page.list(&rows, &Json::clone))]))
    }

    fn intent_order(&self, operation: &UserOperation) -> Json {
        let call = sendoff::json::decode_call(operation.operation.text("callData")).ok();
        let call = call.and_then(|call| Json::parse(&call)).unwrap_or(Json::Null);
        let mut details = call.at("intent.details").cloned().unwrap_or_else(|| object([]));
        let key = match self.switches.chain_key {
            ChainKey::Caip2Id => "caip2Id",
            ChainKey::Caip2id => "caip2id",
            ChainKey::NetworkId => "networkId",
        };
        if let Json::Object(fields) = &mut details {
            for (name, chain) in fields.iter_mut().filter(|(name, _)| name == "caip2Id") {
                *name = key.into();
                if self.switches.chain_key == ChainKey::NetworkId {
                    *chain = self.stable_id("network", chain.as_text().unwrap_or_default()).into();
                }
            }
        }
        let (status, reason) = match (operation.executed, operation.success) {
            (false, _) => ("IN_PROGRESS", ""),
            (true, true) => ("SUCCESSFUL", ""),
            (true, false) => ("FAILED_ON_CHAIN", "Failed on chain"),
        };
        let ends = if operation.executed { operation.due } else { operation.received };
        let in_seconds = match self.switches.timestamps {
            Timestamps::Observed => operation.executed && !operation.success,
            Timestamps::Seconds => true,
            Timestamps::Milliseconds => false,
        };
        let timestamp = if in_seconds { ends.div_euclid(1_000) } else { ends };
        // As observed: an order that failed has one empty hash.
        let hash =
            if operation.success { operation.transaction_hash.clone() } else { String::new() };
        let downstream = operation.success.then(|| Json::from(operation.downstream_hash()));
        let hashes =
            [Json::List(downstream.into_iter().collect()), Json::List(alloc::vec![hash.into()])];
        let kind = call.at("intent.type").and_then(Json::as_text).unwrap_or_default();
        let chain = ["eip155:", &digits(self.deployment.chain_id)].concat();
        let [downstream, hash] = &hashes;
        row(
            "downstream_transaction_hash transaction_hash status intent_id intent_type network_name caip_id details reason block_timestamp",
            &[
                downstream,
                hash,
                &status,
                &operation.job,
                &kind,
                &"SANDBOX",
                &chain,
                &details,
                &reason,
                &timestamp,
            ],
        )
    }
}
