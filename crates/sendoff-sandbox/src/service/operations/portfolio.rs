//! What a user has.

use schemars::JsonSchema;
use sendoff::primitive_types::U256;
use serde::Serialize;

use super::tokens::{Named, OfUser, group_id, listed, precision};
use crate::ledger::Token;
use crate::number::{dollars, in_units, of_units};
use crate::service::asked::{Asked, Nothing};
use crate::service::caller::wallet;
use crate::service::fault::Fault;
use crate::state::State;
use crate::switches::PortfolioForm;

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Portfolio {
    Listed {
        total: usize,
        tokens: Tokens,
    },
    #[schemars(skip)]
    Aggregated(Aggregated<Holding>),
}

/// Descriptions contradict each other: a list, or one token.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Tokens {
    List(Vec<Owned>),
    One(Owned),
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Owned {
    token_name: String,
    quantity: String,
    amount_in_inr: String,
    token_image: &'static str,
    token_address: String,
    network_name: String,
}

/// The tokens that a user has; those that are not whitelisted are not shown.
pub(crate) fn of_user(asked: &mut Asked<'_>, _: Nothing) -> Result<Portfolio, Fault> {
    let form = asked.state.switches.portfolio;
    if form == PortfolioForm::Aggregated {
        return Ok(Portfolio::Aggregated(aggregated(asked.state, &asked.user)?));
    }
    let row = |(token, network_name, balance): (&Token, String, U256)| Owned {
        token_name: token.name.clone(),
        quantity: token.in_units(balance),
        amount_in_inr: token.value(balance),
        token_image: "",
        token_address: token.address.clone(),
        network_name,
    };
    let mut tokens: Vec<_> = owned(asked.state, &asked.user)?.into_iter().map(row).collect();
    let total = tokens.len();
    let tokens = match form {
        PortfolioForm::Object if total > 0 => Tokens::One(tokens.swap_remove(0)),
        _ => Tokens::List(tokens),
    };
    Ok(Portfolio::Listed { total, tokens })
}

/// The tokens that a user has, with their networks and balances.
fn owned<'a>(state: &'a State, user: &str) -> Result<Vec<(&'a Token, String, U256)>, Fault> {
    let wallet = wallet(state, user)?;
    let listed = listed(state).into_iter();
    let owned = listed.map(|(token, network)| (token, network, token.balance(&wallet)));
    Ok(owned.filter(|(.., balance)| !balance.is_zero()).collect())
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Aggregated<T> {
    aggregated_data: Sums,
    group_tokens: Vec<T>,
}

#[derive(Serialize, JsonSchema)]
struct Sums {
    holdings_count: String,
    holdings_price_inr: String,
    holdings_price_usdt: String,
    total_holding_price_inr: String,
    total_holding_price_usdt: String,
}

#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct Holding {
    #[serde(flatten)]
    named: Named,
    token_image: &'static str,
    token_address: String,
    network_name: String,
    balance: String,
    holdings_price_usdt: String,
    holdings_price_inr: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    aggregation_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<String>,
}

/// The server's portfolio of a user.
pub(crate) fn of_server(
    asked: &mut Asked<'_>,
    query: OfUser,
) -> Result<Aggregated<Holding>, Fault> {
    aggregated(asked.state, &query.user_id)
}

fn aggregated(state: &State, user: &str) -> Result<Aggregated<Holding>, Fault> {
    let owned = owned(state, user)?;
    let in_dollars = |rupees: &str| in_units(dollars(rupees), 4);
    let value = |(token, _, balance): &(&Token, _, _)| of_units(&token.value(*balance), 4);
    let sum = owned.iter().filter_map(value).fold(U256::zero(), U256::saturating_add);
    let sum = in_units(sum, 4);
    let holding = |(token, network, balance): &(&Token, String, U256)| Holding {
        named: Named::of(state, token),
        token_image: "",
        token_address: token.address.clone(),
        network_name: network.clone(),
        balance: token.in_units(*balance),
        holdings_price_usdt: in_dollars(&token.value(*balance)),
        holdings_price_inr: token.value(*balance),
        aggregation_type: Some("token"),
        precision: None,
    };
    Ok(Aggregated {
        aggregated_data: Sums {
            holdings_count: owned.len().to_string(),
            holdings_price_inr: sum.clone(),
            holdings_price_usdt: in_dollars(&sum),
            total_holding_price_usdt: in_dollars(&sum),
            total_holding_price_inr: sum,
        },
        group_tokens: owned.iter().map(holding).collect(),
    })
}

/// A group of tokens.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Group {
    #[serde(flatten)]
    holding: Holding,
    group_id: String,
    tokens: [Holding; 1],
}

/// What a user has, by groups of tokens; each group has one token here.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Result<Aggregated<Group>, Fault> {
    let state = &*asked.state;
    let Aggregated { aggregated_data, group_tokens } = aggregated(state, &asked.user)?;
    let owned = owned(state, &asked.user)?;
    let group = |(holding, (token, ..)): (Holding, &(&Token, _, _))| {
        let token_of = Holding { precision: Some(precision(token)), ..holding };
        Group {
            holding: Holding { aggregation_type: Some("group"), ..token_of.clone() },
            group_id: group_id(state, token),
            tokens: [Holding { aggregation_type: None, ..token_of }],
        }
    };
    let group_tokens = group_tokens.into_iter().zip(&owned).map(group).collect();
    Ok(Aggregated { aggregated_data, group_tokens })
}
