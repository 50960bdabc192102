//! A raw transaction.

use sendoff::intent::{Intent, RawTransaction, Transaction, Transactions};
use sendoff::primitive_types::U256;
use sendoff::uuid::Variant;
use sendoff::value::{Address, HexBytes, JobId};

use super::prelude::*;
use crate::action::ActionKind;
use crate::number::{of_decimal, of_hex};
use crate::switches::ValueForm;

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

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Published {
    job_id: String,
}

/// Executes a transaction of the token's user.
pub(crate) fn of_user(asked: &mut Asked<'_>, body: Body) -> Answered<Accepted<Published>> {
    let id = execute(asked, body, None)?;
    Ok(accepted(asked, id, |job_id| Published { job_id }))
}

/// Executes a transaction of the user in the path. With the header `job-id`, a repeat answers the
/// order of the first request.
pub(crate) fn of_server(asked: &mut Asked<'_>, body: Body) -> Answered<OrderId> {
    let job = asked.request.header("job-id");
    let expected = "a UUID of version 4 in the header `job-id`";
    check(job.is_none_or(is_random), Fault::field("job-id", expected, job.unwrap_or_default()))?;
    wallet(asked.state, &asked.user)?;
    let job = job.map(str::to_ascii_lowercase);
    let is_it = |order: &&Order| job.is_some() && order.job == job && order.user == asked.user;
    if let Some(order) = asked.state.orders.iter().find(is_it) {
        return Ok(OrderId { order_id: order.id.clone() });
    }
    Ok(OrderId { order_id: execute(asked, body, job)? })
}

/// `true` for a UUID of version 4.
fn is_random(job: &str) -> bool {
    job.parse::<JobId>().is_ok_and(|job| {
        let job = job.to_uuid();
        job.get_version_num() == 4 && job.get_variant() == Variant::RFC4122
    })
}

fn execute(asked: &mut Asked<'_>, body: Body, job: Option<String>) -> Answered<String> {
    let (state, user) = (&*asked.state, asked.user.clone());
    let wallet = wallet(state, &user)?;
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
        caip2_id: network.chain.caip2_id.clone(),
        transactions: Transactions::new(vec![transaction]).map_err(|_| &DATA)?,
    });
    network.permits(state, &intent)?;

    let to = to.as_ref().map(lowered).unwrap_or_default();
    let mut action = Action::call([lowered(&from), to], amount, &data);
    // Such an order is rejected when its time has come.
    if action.from != wallet {
        action.kind = ActionKind::Foreign;
    }
    let (kind, actions) = (OrderKind::Raw, vec![action]);
    Ok(add(asked, Order { kind, user, actions, job, ..network.order() }))
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
