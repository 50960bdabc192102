//! A raw transaction.

use sendoff::intent::{Intent, RawTransaction, Transaction, Transactions};
use sendoff::primitive_types::U256;
use sendoff::uuid::Variant;
use sendoff::value::{Address, HexBytes, JobId};

use super::*;
use crate::number::{of_decimal, of_hex};
use crate::order::{Action, ActionKind, OrderKind};
use crate::service::caller::wallet;
use crate::service::fault::DATA;
use crate::service::network::Network;
use crate::service::ordering::{OrderId, add, order};
use crate::spelled::lowered;
use crate::switches::{Ids, ValueForm};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Body {
    network_name: String,
    transaction: Sent,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Sent {
    #[schemars(with = "String", extend("$ref" = "#/components/schemas/Address"))]
    from: Address,
    /// A transaction without a recipient makes a contract.
    #[schemars(with = "Option<String>", extend("$ref" = "#/components/schemas/Address"))]
    to: Option<Address>,
    #[schemars(with = "String", extend("$ref" = "#/components/schemas/HexBytes"))]
    data: HexBytes,
    value: String,
}

/// The id of an order, by the name that the switch gives it.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Accepted {
    Published {
        #[serde(rename = "jobId")]
        id: String,
    },
    #[schemars(skip)]
    Renamed { order_id: String },
}

/// Executes a transaction of the token's user.
pub(crate) fn of_user(asked: &mut Asked<'_>, body: Body) -> Result<Accepted, Fault> {
    let id = execute(asked, &asked.user.clone(), body)?;
    Ok(match asked.state.switches.ids {
        Ids::Published => Accepted::Published { id },
        Ids::OrderId => Accepted::Renamed { order_id: id },
    })
}

/// Executes a transaction of the user in the path. With the header `job-id`, a repeat answers the
/// order of the first request.
pub(crate) fn of_server(asked: &mut Asked<'_>, body: Body) -> Result<OrderId, Fault> {
    let user = &asked.param.clone();
    let job = asked.request.header("job-id");
    if !job.is_none_or(is_random) {
        let expected = "a UUID of version 4 in the header `job-id`";
        return Err(Fault::field("job-id", expected, job.unwrap_or_default()));
    }
    wallet(asked.state, user)?;
    let job = job.map(|job| format!("{user} {}", job.to_ascii_lowercase()));
    if let Some(id) = job.as_ref().and_then(|job| asked.state.jobs.get(job)) {
        return Ok(OrderId { order_id: id.clone() });
    }
    let order_id = execute(asked, user, body)?;
    asked.state.jobs.extend(job.map(|job| (job, order_id.clone())));
    Ok(OrderId { order_id })
}

/// `true` for a UUID of version 4.
fn is_random(job: &str) -> bool {
    job.parse::<JobId>().is_ok_and(|job| {
        let job = job.to_uuid();
        job.get_version_num() == 4 && job.get_variant() == Variant::RFC4122
    })
}

fn execute(asked: &mut Asked<'_>, user: &str, body: Body) -> Result<String, Fault> {
    let state = &mut *asked.state;
    let wallet = wallet(state, user)?;
    let network = Network::named(state, &body.network_name)?;
    let Sent { from, to, data, value } = body.transaction;
    let amount = wei(&value, state.switches.value).ok_or_else(|| {
        let expected = match state.switches.value {
            ValueForm::Any => "`0x` and hex digits, or decimal digits",
            ValueForm::Hex => "`0x` and hex digits",
            ValueForm::Decimal => "decimal digits",
        };
        Fault::field("transaction.value", expected, &value)
    })?;
    let transaction =
        Transaction { from, to: to.unwrap_or(from), data: data.clone(), value: amount.into() };
    let intent = Intent::RawTransaction(RawTransaction {
        caip2_id: network.chain.clone(),
        transactions: Transactions::new(vec![transaction]).map_err(|_| &DATA)?,
    });
    network.permits(state, &intent)?;

    let to = to.as_ref().map(lowered).unwrap_or_default();
    let mut action = Action::call(lowered(&from), to, amount, data.to_string());
    // Such an order is rejected when its time has come.
    if action.from != wallet {
        action.kind = ActionKind::Foreign;
    }
    Ok(add(asked, user, order(OrderKind::Raw, network, action)))
}

/// The value of a raw transaction, in wei. People send `0x`, nothing and decimals.
fn wei(text: &str, form: ValueForm) -> Option<U256> {
    let hex = || of_hex(text.strip_prefix("0x").filter(|digits| !digits.is_empty())?);
    match form {
        ValueForm::Hex => hex(),
        ValueForm::Decimal => of_decimal(text),
        ValueForm::Any if text.is_empty() || text == "0x" => Some(U256::zero()),
        ValueForm::Any => hex().or_else(|| of_decimal(text)),
    }
}
