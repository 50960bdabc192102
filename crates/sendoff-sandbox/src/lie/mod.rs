//! Lies: the ways in which a reply can be wrong and a service can be bad, each by its name.
//!
//! A lie is asked for by the header `x-sandbox-lie`, one name or several with commas, or by a
//! schedule from a seed. It is told only where it can be: a reply that lies has the header
//! `x-sandbox-lied` with the names of the lies that changed it, or what happens.

mod edit;
mod estimate;
mod fate;
mod step;

use std::sync::LazyLock;

use sendoff::http::{Operation, TraceId};
use serde::{Deserialize, Serialize};

use self::step::Step;
use crate::bundler::rpc;
use crate::draw::{draw, drawn, number};
use crate::http::{Reply, Request};
use crate::json::{cut, text};
use crate::service::route::{EXECUTE, RPC, Route};
use crate::service::serve;
use crate::state::State;

/// The header that asks for lies.
const ASKED: &str = "x-sandbox-lie";
/// The header of a reply that lies.
const TOLD: &str = "x-sandbox-lied";

/// A lie: `{name, about, on, mayBeIgnored, needsFailure, source}` in JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lie {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// Where it can be told.
    pub on: On,
    /// `true` for an estimate that lies in a part that is not signed: a client that does not read that part may go on.
    #[serde(default)]
    pub may_be_ignored: bool,
    /// `true` for a lie about an order that failed. Another lie, `fails-later`, makes an order fail.
    #[serde(default)]
    pub needs_failure: bool,
    /// Whose words or form it has, as `owner/name@commit path`; empty for one of our own.
    #[serde(default)]
    pub source: &'static str,
    /// What is done to the reply or to what happens, in this order.
    #[serde(skip_serializing)]
    how: Vec<Step>,
}

/// The requests that a lie is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum On {
    /// The estimate.
    Estimate,
    /// Every other write: an order, a mint, an execution, `eth_sendUserOperation`.
    #[serde(rename = "writes")]
    Write,
    /// Reads of orders and of their states.
    Orders,
    /// `eth_getUserOperationReceipt`.
    Receipt,
    /// `eth_sendUserOperation`.
    Send,
    /// Reads that answer with a list.
    #[serde(rename = "lists")]
    List,
    /// Every request.
    #[serde(rename = "every request")]
    Any,
}

static LIES: LazyLock<Vec<Lie>> =
    LazyLock::new(|| serde_json::from_str(include_str!("lies.json")).unwrap_or_default());

/// All lies, in the order of their table.
pub fn lies() -> impl Iterator<Item = &'static Lie> {
    LIES.iter()
}

/// The lie of a name; a sentence if no lie has it.
pub(crate) fn find(name: &str) -> Result<&'static Lie, String> {
    let unknown = || format!("the pocket service knows no lie `{}`", cut(name));
    lies().find(|lie| lie.name == name).ok_or_else(unknown)
}

/// The reply to a request, with its lies.
pub(crate) fn lied(
    state: &mut State,
    request: &Request,
    now: i64,
    trace: &TraceId,
) -> Result<Reply, String> {
    let route = Route::find(&request.method, &request.target);
    let (lies, most) = chosen(state, request, route.as_ref().ok())?;
    let instead = |lie: &&Lie| {
        let reply = lie.how.iter().find_map(|step| step.instead(trace.as_str()))?;
        Some((lie.name, reply))
    };
    if let Some((name, mut reply)) = lies.iter().take(most).find_map(instead) {
        reply.set_header(TOLD, name);
        return Ok(reply);
    }

    let word = state.switches.error_status;
    let before = [state.orders.len(), state.operations.len()];
    let is_estimate = route.as_ref().is_ok_and(is_estimate);
    let served = route.and_then(|route| serve(state, route, request, now));
    let mut reply = served.unwrap_or_else(|fault| fault.reply(trace, word));
    let is_estimate = is_estimate && reply.status == 200;
    // Where the oldest were forgotten to make room, nothing is known of the places.
    let is_same = state.orders.len() >= before[0] && state.operations.len() >= before[1];
    let mut told = Vec::new();
    for lie in lies {
        if told.len() == most {
            break;
        }
        let (honest, mut is_told) = (reply.clone(), false);
        for step in &lie.how {
            match step {
                Step::Fate(fate) => is_told |= is_same && fate.decide(state, before),
                Step::Retold(retold) if is_estimate => {
                    let lied = retold.tell(state, request, now, &reply.body);
                    lied.into_iter().for_each(|lied| reply.body = lied);
                }
                step => step.tell(request, &mut reply, trace.as_str()),
            }
        }
        if is_told || reply != honest {
            told.push(lie.name);
        }
    }
    if !told.is_empty() {
        reply.set_header(TOLD, &told.join(","));
    }
    Ok(reply)
}

/// The lies of a request, in the order of their turns, and how many of them are told. A lie without
/// effect gives its turn to the next.
fn chosen(
    state: &State,
    request: &Request,
    route: Option<&Route>,
) -> Result<(Vec<&'static Lie>, usize), String> {
    if let Some(names) = request.header(ASKED) {
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        let mut all = names.map(find).collect::<Result<Vec<_>, _>>()?;
        all.retain(|lie| lie.is_for(route, request));
        return Ok((all, usize::MAX));
    }
    let Some(schedule) = &state.lies else { return Ok((Vec::new(), 0)) };
    let chance = number(draw(&schedule.seed, "lie", state.requests));
    if !chance.is_multiple_of(schedule.every.get()) {
        return Ok((Vec::new(), 0));
    }
    let names = schedule.names.as_ref();
    let is_named = |lie: &Lie| names.is_none_or(|names| names.iter().any(|name| name == lie.name));
    let fitting = lies().filter(|lie| is_named(lie) && lie.is_for(route, request)).collect();
    Ok((drawn(fitting, number(draw(&schedule.seed, "which lie", state.requests))), 1))
}

fn is_estimate(route: &Route) -> bool {
    route.row.id == Operation::Estimate.as_str()
}

impl Lie {
    /// `true` if it can be told to this request. A path that is not known has no route.
    fn is_for(&self, route: Option<&Route>, request: &Request) -> bool {
        let Some(route) = route else { return self.on == On::Any };
        let id = route.row.id;
        let is_rpc = |method: &str| {
            id == RPC
                && rpc::read(&request.body).is_some_and(|call| text(&call, "method") == method)
        };
        match self.on {
            On::Any => true,
            On::Estimate => is_estimate(route),
            On::Send => is_rpc(rpc::SEND),
            On::Receipt => is_rpc("eth_getUserOperationReceipt"),
            // One that is for other reads changes nothing there, so it is not told.
            On::Orders | On::List => request.method == "GET",
            On::Write => {
                let is_read = id.ends_with("eadContractData") || id.starts_with("serverCreate");
                (route.row.is_limited && !is_read) || id == EXECUTE || is_rpc(rpc::SEND)
            }
        }
    }
}
