//! What a user has.

use sendoff::primitive_types::U256;

use super::prelude::*;
use super::tokens::{Named, OfUser, group_id, listed, precision};
use crate::ledger::Token;
use crate::number::{dollars, in_units, of_units};
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

record! {
    pub(crate) Owned(token: &Token, network: &str, balance: U256) {
        token_name: String = token.name.clone(),
        quantity: String = token.in_units(balance),
        amount_in_inr: String = token.value(balance),
        token_image: &'static str = "",
        token_address: String = token.address.clone(),
        network_name: String = network.into(),
    }

    Sums(count: usize, rupees: &str) {
        holdings_count: String = count.to_string(),
        holdings_price_inr: String = rupees.into(),
        holdings_price_usdt: String = in_dollars(rupees),
        total_holding_price_inr: String = rupees.into(),
        total_holding_price_usdt: String = in_dollars(rupees),
    }

    #[derive(Clone)]
    pub(crate) Holding(state: &State, token: &Token, network: &str, balance: U256) {
        #[serde(flatten)]
        named: Named = Named::new(state, token),
        token_image: &'static str = "",
        token_address: String = token.address.clone(),
        network_name: String = network.into(),
        balance: String = token.in_units(balance),
        holdings_price_usdt: String = in_dollars(&token.value(balance)),
        holdings_price_inr: String = token.value(balance),
        #[serde(skip_serializing_if = "Option::is_none")]
        aggregation_type: Option<&'static str> = Some("token"),
        #[serde(skip_serializing_if = "Option::is_none")]
        precision: Option<String> = None,
    }

    /// A group of tokens; each has one token here.
    pub(crate) Group(state: &State, token: &Token, holding: Holding) {
        #[serde(flatten)]
        holding: Holding = Holding { aggregation_type: Some("group"), ..holding.clone() },
        group_id: String = group_id(state, token),
        tokens: [Holding; 1] = [Holding { aggregation_type: None, ..holding }],
    }
}

fn in_dollars(rupees: &str) -> String {
    in_units(dollars(rupees), 4)
}

/// The tokens that a user has; those that are not whitelisted are not shown.
pub(crate) fn of_user(asked: &mut Asked<'_>, _: Nothing) -> Answered<Portfolio> {
    let form = asked.state.switches.portfolio;
    if form == PortfolioForm::Aggregated {
        return Ok(Portfolio::Aggregated(aggregated(asked.state, &asked.user, |holding, _| {
            holding
        })?));
    }
    let owned = owned(asked.state, &asked.user)?;
    let row = |(token, network, balance): &Held<'_>| Owned::new(token, network, *balance);
    let mut tokens: Vec<_> = owned.iter().map(row).collect();
    let total = tokens.len();
    let tokens = match form {
        PortfolioForm::Object if total > 0 => Tokens::One(tokens.swap_remove(0)),
        _ => Tokens::List(tokens),
    };
    Ok(Portfolio::Listed { total, tokens })
}

/// A token with its network and a balance.
type Held<'a> = (&'a Token, String, U256);

/// The tokens that a user has.
fn owned<'a>(state: &'a State, user: &str) -> Answered<Vec<Held<'a>>> {
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

/// The server's portfolio of a user.
pub(crate) fn of_server(asked: &mut Asked<'_>, query: OfUser) -> Answered<Aggregated<Holding>> {
    aggregated(asked.state, &query.user_id, |holding, _| holding)
}

/// What a user has, by groups of tokens.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Answered<Aggregated<Group>> {
    let state = &*asked.state;
    aggregated(state, &asked.user, |holding, token| {
        Group::new(state, token, Holding { precision: Some(precision(token)), ..holding })
    })
}

/// What a user has, with a row for each token.
fn aggregated<T>(
    state: &State,
    user: &str,
    row: impl Fn(Holding, &Token) -> T,
) -> Answered<Aggregated<T>> {
    let owned = owned(state, user)?;
    let value = |(token, _, balance): &Held<'_>| of_units(&token.value(*balance), 4);
    let sum = owned.iter().filter_map(value).fold(U256::zero(), U256::saturating_add);
    let row = |(token, network, balance): &Held<'_>| {
        row(Holding::new(state, token, network, *balance), token)
    };
    Ok(Aggregated {
        aggregated_data: Sums::new(owned.len(), &in_units(sum, 4)),
        group_tokens: owned.iter().map(row).collect(),
    })
}
