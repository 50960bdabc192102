//! What a client of version 2 reads: who it is, networks, tokens, portfolios, and what moved.

use alloc::{string::String, vec::Vec};

use sendoff::catalogue::KnownChain;

use crate::draw::{draw, hex};
use crate::fault::{Coded, Fault};
use crate::history::{Move, RECEIVED};
use crate::json::object;
use crate::ledger::Token;
use crate::numbers::decimal;
use crate::page::Page;
use crate::record::row;
use crate::state::State;
use crate::{Json, Request, units};

/// Where a logo or a page of an explorer would be.
const ELSEWHERE: &str = "https://sandbox.invalid/";

impl State {
    /// The keys of a user, which the service keeps.
    pub(crate) fn user_keys(&self, user: &str) -> Result<Json, Fault> {
        let user = self.users.get(user).ok_or(Coded::DATA)?;
        let key = |purpose| String::from(hex(&draw(&user.id, purpose, 0)).trim_start_matches("0x"));
        Ok(row(
            "userId userSWA ecdsaPublicKey eddsaPublicKey ecdsaKeyId eddsaKeyId",
            &[
                &user.id,
                &user.swa,
                &["0x04", &*key("ecdsa x"), &*key("ecdsa y")].concat(),
                &["0x", &*key("eddsa")].concat(),
                &self.stable_id("ecdsa key", &user.id),
                &self.stable_id("eddsa key", &user.id),
            ],
        ))
    }

    /// The session of a token.
    pub(crate) fn verify_session(&self, user: &str) -> Result<Json, Fault> {
        let user = self.users.get(user).ok_or(Coded::DATA)?;
        let client = &self.deployment.client_swa;
        Ok(row(
            "user_id client_id user_swa client_swa is_session_added",
            &[&user.id, &self.stable_id("client", client), &user.swa, client, &true],
        ))
    }

    /// All networks, with a flag for those that are enabled.
    pub(crate) fn intent_networks(&self) -> Json {
        let network = |chain: &KnownChain| {
            let (name, caip2_id) = (chain.name.as_str(), String::from(&chain.caip2_id));
            row(
                "caip_id network_name chain_id logo sponsorship_enabled gsn_enabled type network_id onramp_enabled whitelisted",
                &[
                    &caip2_id,
                    &name,
                    &chain.caip2_id.reference(),
                    &[ELSEWHERE, name, ".png"].concat(),
                    &self.deployment.sponsorship_enabled,
                    &self.deployment.gsn_enabled,
                    &"EVM",
                    &self.stable_id("network", &caip2_id),
                    &false,
                    &chain.enabled,
                ],
            )
        };
        let chains = self.catalogue.0.known_chains().iter().map(network).collect();
        object([("network", Json::List(chains))])
    }

    /// The tokens that an application may use.
    pub(crate) fn intent_tokens(&self) -> Json {
        let of_token = |(token, network): (&Token, String)| {
            row(
                "address caip_id symbol image name short_name id group_id is_primary network_id network_name onramp_enabled whitelisted decimals precision",
                &[
                    &token.address,
                    &token.caip2_id,
                    &token.symbol,
                    &[ELSEWHERE, &token.symbol, ".png"].concat(),
                    &token.name,
                    &token.symbol,
                    &self.token_id(token),
                    &self.group_id(token),
                    &token.address.is_empty(),
                    &self.stable_id("network", &token.caip2_id),
                    &network,
                    &false,
                    &true,
                    &Json::from(token.decimals).to_json(),
                    &precision(token),
                ],
            )
        };
        let tokens: Vec<Json> = self.listed().into_iter().map(of_token).collect();
        object([("count", tokens.len().into()), ("tokens", Json::List(tokens))])
    }

    /// What a user has, by groups of tokens; each group has one token here.
    pub(crate) fn intent_portfolio(&self, user: &str) -> Result<Json, Fault> {
        let mut portfolio = self.aggregated(user)?;
        let listed = self.listed();
        let groups = match portfolio.at_mut("group_tokens") {
            Some(Json::List(groups)) => core::mem::take(groups),
            _ => Vec::new(),
        };
        let group = |mut group: Json| {
            let its = |token: &&Token| self.token_id(token) == group.text("id");
            let token = listed.iter().map(|(token, _)| *token).find(its);
            group.set("precision", token.map(precision).into());
            let mut one = group.clone();
            one.remove("aggregation_type");
            group.set("group_id", token.map(|token| self.group_id(token)).into());
            group.set("tokens", Json::List(Vec::from([one])));
            group.set("aggregation_type", "group".into());
            group
        };
        portfolio.set("group_tokens", Json::List(groups.into_iter().map(group).collect()));
        Ok(portfolio)
    }

    /// What came in and went out of a user's wallet, the newest first.
    pub(crate) fn intent_activity(&self, user: &str, request: &Request) -> Result<Json, Fault> {
        let page = Page::of(request, ["page", "size"], self.switches.page_size)?;
        let wallet = self.wallet(user)?;
        let moves = self.moves(&wallet);
        let row = |moved: &Move| {
            let is_out = moved.action.from == wallet;
            let token = self.ledger.token(&moved.chain, &moved.action.asset);
            let token = token.filter(|_| moved.is_token());
            let amount = units::write(moved.action.amount, token.map_or(0, |token| token.decimals));
            let (name, symbol) = self.named_asset(moved);
            let network = self.network_name(&moved.chain);
            let seconds = moved.time.div_euclid(1_000);
            row(
                "symbol image name short_name id group_id description quantity amount order_type transfer_type status created_at updated_at timestamp tx_hash network_id network_name network_explorer_url network_symbol caip_id",
                &[
                    &symbol,
                    &"",
                    &name,
                    &symbol,
                    &self.move_id(moved, &wallet),
                    &token.map_or_else(String::new, |token| self.group_id(token)),
                    &moved.description(is_out),
                    &amount,
                    &amount,
                    &RECEIVED,
                    &if is_out { "WITHDRAWAL" } else { "DEPOSIT" },
                    &true,
                    &seconds,
                    &seconds,
                    &seconds,
                    &moved.hash,
                    &self.stable_id("network", &moved.chain),
                    &network,
                    &ELSEWHERE,
                    &network,
                    &moved.chain,
                ],
            )
        };
        Ok(object([("count", moves.len().into()), ("activity", page.list(&moves, &row))]))
    }

    /// The NFTs of a user on the enabled networks.
    pub(crate) fn intent_nfts(&self, user: &str) -> Result<Json, Fault> {
        let wallet = self.wallet(user)?;
        let chains = self.catalogue.0.known_chains().iter().filter(|chain| chain.enabled);
        let chains: Vec<String> = chains.map(|chain| String::from(&chain.caip2_id)).collect();
        let mut rows = Vec::new();
        for known in self.ledger.collections.iter().filter(|known| chains.contains(&known.caip2_id))
        {
            for (id, nft) in known.nfts.iter() {
                let Some(pieces) = nft.owners.get(&wallet) else { continue };
                let name = if nft.name.is_empty() { &*known.name } else { &nft.name };
                rows.push(row(
                    "caip_id network_name entity_type collection_address collection_name nft_id image quantity token_uri description nft_name explorer_smart_contract_url collection_image",
                    &[
                        &known.caip2_id,
                        &self.network_name(&known.caip2_id),
                        &known.standard,
                        &known.address,
                        &known.name,
                        &id,
                        &"",
                        // As recorded: pieces with the decimals of a native token.
                        &[&*decimal(*pieces), ".", &"0".repeat(18)].concat(),
                        &nft.uri,
                        &nft.description,
                        &name,
                        &[ELSEWHERE, &known.address].concat(),
                        &"",
                    ],
                ));
            }
        }
        Ok(object([("count", rows.len().into()), ("details", Json::List(rows))]))
    }

    fn group_id(&self, token: &Token) -> String {
        self.stable_id("group", &token.symbol)
    }
}

/// The digits behind the point that are shown.
fn precision(token: &Token) -> String {
    Json::from(token.decimals.min(6)).to_json()
}
