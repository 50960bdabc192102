//! What there is and who has it: networks, tokens, wallets and portfolios.

use alloc::{string::String, vec::Vec};

use sendoff::primitive_types::U256;

use crate::draw::{self, draw};
use crate::fault::Fault;
use crate::json::object;
use crate::ledger::Token;
use crate::page::Page;
use crate::profile::{Listed, PortfolioForm};
use crate::record::row;
use crate::state::State;
use crate::{Json, Request, units};

impl State {
    /// The networks that are whitelisted on the key.
    pub(crate) fn networks(&self) -> Json {
        let shows_all = self.switches.networks == Listed::All;
        let chains =
            self.catalogue.0.known_chains().iter().filter(|chain| shows_all || chain.enabled);
        let network = |chain: &sendoff::catalogue::KnownChain| {
            let name = chain.name.as_str();
            let mut row = row(
                "network_name chain_id logo",
                &[
                    &name,
                    &chain.caip2_id.reference(),
                    &["https://sandbox.invalid/", name, ".png"].concat(),
                ],
            );
            if shows_all {
                row.set("whitelisted", chain.enabled.into());
            }
            row
        };
        object([("network", Json::List(chains.map(network).collect()))])
    }

    /// The tokens that are whitelisted on the key.
    pub(crate) fn supported_tokens(&self, request: &Request) -> Result<Json, Fault> {
        let page = Page::of(request, ["page", "size"], self.switches.page_size)?;
        let token = |token: &sendoff::catalogue::ListedToken| {
            row(
                "token_name token_address network_name",
                &[
                    &token.token_name.as_str(),
                    &String::from(&token.token_address),
                    &token.network_name.as_str(),
                ],
            )
        };
        Ok(object([("tokens", page.list(&self.catalogue.0.tokens(), &token))]))
    }

    /// The whitelisted tokens of the enabled networks, as the ledger has them.
    pub(crate) fn listed(&self) -> Vec<(&Token, String)> {
        let chains = self.catalogue.0.known_chains();
        let listed = self.catalogue.0.known_tokens().iter().filter(|token| token.whitelisted);
        let of_ledger = |token: &sendoff::catalogue::KnownToken| {
            let chain = chains
                .iter()
                .find(|chain| chain.caip2_id == token.caip2_id)
                .filter(|chain| chain.enabled)?;
            let address =
                token.token_address.contract().map(crate::contract::lower).unwrap_or_default();
            let token = self.ledger.token(&String::from(&chain.caip2_id), &address)?;
            Some((token, String::from(chain.name.as_str())))
        };
        listed.filter_map(of_ledger).collect()
    }

    /// The tokens that a user has; those that are not whitelisted are not shown.
    pub(crate) fn portfolio(&self, user: &str) -> Result<Json, Fault> {
        if self.switches.portfolio == PortfolioForm::Aggregated {
            return self.aggregated(user);
        }
        let wallet = self.wallet(user)?;
        let owned =
            self.listed().into_iter().filter(|(token, _)| !token.balance(&wallet).is_zero());
        let row = |(token, network): (&Token, String)| {
            let balance = token.balance(&wallet);
            row(
                "token_name quantity amount_in_inr token_image token_address network_name",
                &[
                    &token.name,
                    &units::write(balance, token.decimals),
                    &units::value(balance, token.decimals, &token.price),
                    &"",
                    &token.address,
                    &network,
                ],
            )
        };
        let mut rows: Vec<Json> = owned.map(row).collect();
        let total = rows.len().into();
        let tokens = match self.switches.portfolio {
            PortfolioForm::Object if !rows.is_empty() => rows.swap_remove(0),
            _ => Json::List(rows),
        };
        Ok(object([("total", total), ("tokens", tokens)]))
    }

    /// The server's portfolio of a user.
    pub(crate) fn aggregated(&self, user: &str) -> Result<Json, Fault> {
        let wallet = self.wallet(user)?;
        let owned =
            self.listed().into_iter().filter(|(token, _)| !token.balance(&wallet).is_zero());
        let owned: Vec<_> = owned.collect();
        let inr =
            |token: &Token| units::value(token.balance(&wallet), token.decimals, &token.price);
        let sum = owned.iter().filter_map(|(token, _)| units::read(&inr(token), 4));
        let sum = units::write(sum.fold(U256::zero(), U256::saturating_add), 4);
        let dollars = |rupees: &str| units::write(units::dollars(rupees), 4);
        let of_token = |(token, network): &(&Token, String)| {
            let value = inr(token);
            row(
                "id name symbol short_name token_image token_address network_id network_name is_primary balance holdings_price_usdt holdings_price_inr aggregation_type",
                &[
                    &self.token_id(token),
                    &token.name,
                    &token.symbol,
                    &token.symbol,
                    &"",
                    &token.address,
                    &self.stable_id("network", &token.caip2_id),
                    network,
                    &token.address.is_empty(),
                    &units::write(token.balance(&wallet), token.decimals),
                    &dollars(&value),
                    &value,
                    &"token",
                ],
            )
        };
        let aggregated = row(
            "holdings_count holdings_price_inr holdings_price_usdt total_holding_price_inr total_holding_price_usdt",
            &[&Json::from(owned.len()).to_json(), &sum, &dollars(&sum), &sum, &dollars(&sum)],
        );
        Ok(object([
            ("aggregated_data", aggregated),
            ("group_tokens", Json::List(owned.iter().map(of_token).collect())),
        ]))
    }

    /// The tokens as the server's list has them.
    pub(crate) fn server_tokens(&self) -> Json {
        let of_token = |(token, _): (&Token, String)| {
            row(
                "symbol image name short_name id group_id is_primary network_id",
                &[
                    &token.symbol,
                    &"https://sandbox.invalid/token.png",
                    &token.name,
                    &token.symbol,
                    &self.token_id(token),
                    &"",
                    &token.address.is_empty(),
                    &self.stable_id("network", &token.caip2_id),
                ],
            )
        };
        let rows: Vec<Json> = self.listed().into_iter().map(of_token).collect();
        object([("count", rows.len().into()), ("tokens", Json::List(rows))])
    }

    /// The name of a chain of the catalogue.
    pub(crate) fn network_name(&self, chain: &str) -> &str {
        let known = self.catalogue.0.known_chains();
        let network = known.iter().find(|known| String::from(&known.caip2_id) == chain);
        network.map_or("", |network| network.name.as_str())
    }

    pub(crate) fn token_id(&self, token: &Token) -> String {
        self.stable_id("token", &[&*token.caip2_id, " ", &token.address].concat())
    }

    /// A UUID that belongs to a thing.
    pub(crate) fn stable_id(&self, purpose: &str, thing: &str) -> String {
        draw::uuid(draw(&[&self.seed, thing].concat(), purpose, 0))
    }

    /// The wallets of a user on the enabled networks: wallets on other networks exist, and are not visible.
    pub(crate) fn wallets(
        &self,
        user: &str,
        row: &dyn Fn(&str, &str, &str) -> Json,
    ) -> Result<Json, Fault> {
        let wallet = self.wallet(user)?;
        let chains = self.catalogue.0.known_chains().iter().filter(|chain| chain.enabled);
        Ok(Json::List(
            chains
                .map(|chain| row(chain.name.as_str(), &String::from(&chain.caip2_id), &wallet))
                .collect(),
        ))
    }
}
