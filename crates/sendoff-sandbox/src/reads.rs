//! The reads of version 1: lists, portfolio, and the companions by which a caller follows an order.

use alloc::{format, string::String, vec::Vec};

use sendoff::error::IssueCode;
use sendoff::primitive_types::U256;

use crate::draw::{self, draw};
use crate::fault::{Coded, Fault};
use crate::json::object;
use crate::ledger::{Standard, Token};
use crate::order::{ActionKind, Order, OrderKind, Status};
use crate::profile::{Dates, FailedWord, HashKey, Listed, NftOrdersKey, PortfolioForm};
use crate::record::row;
use crate::state::State;
use crate::{Json, Request, time, units};

/// A part of a list.
pub(crate) struct Page {
    offset: usize,
    limit: usize,
}

/// The largest page.
const MOST_ITEMS: u64 = 1_000;

impl Page {
    /// The page of a query: `offset` and `limit`, or `page` from 1 and `size`, or `page` and `limit`.
    pub(crate) fn of(request: &Request, style: [&str; 2], default: u64) -> Result<Self, Fault> {
        let number = |name: &str, default: u64| match request.query(name) {
            None => Ok(default),
            Some(text) => text.parse::<u64>().map_err(|_| {
                Fault::of_problem(name, IssueCode::Format, "expected an integer from 0".into())
            }),
        };
        let [first, second] = style;
        let limit = number(second, default)?.min(MOST_ITEMS);
        let offset = if first == "page" {
            number(first, 1)?.saturating_sub(1).saturating_mul(limit)
        } else {
            number(first, 0)?
        };
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Ok(Self { offset: size(offset), limit: size(limit) })
    }

    /// The rows of the items that are on it.
    pub(crate) fn list<T>(&self, items: &[T], row: &dyn Fn(&T) -> Json) -> Json {
        Json::List(items.iter().skip(self.offset).take(self.limit).map(row).collect())
    }
}

impl State {
    /// The networks that are whitelisted on the key.
    pub(crate) fn networks(&self) -> Json {
        let shows_all = self.switches.networks == Listed::All;
        let chains =
            self.catalogue.0.known_chains().iter().filter(|chain| shows_all || chain.enabled);
        let network = |chain: &sendoff::catalogue::KnownChain| {
            let name = chain.name.as_str();
            let mut row = object([
                ("network_name", name.into()),
                ("chain_id", chain.caip2_id.reference().into()),
                ("logo", format!("https://sandbox.invalid/{name}.png").into()),
            ]);
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
                    &format!("{}", token.token_address),
                    &token.network_name.as_str(),
                ],
            )
        };
        Ok(object([("tokens", page.list(&self.catalogue.0.tokens(), &token))]))
    }

    /// The whitelisted tokens of the enabled networks, as the ledger has them.
    fn listed(&self) -> Vec<(&Token, String)> {
        let chains = self.catalogue.0.known_chains();
        let listed = self.catalogue.0.known_tokens().iter().filter(|token| token.whitelisted);
        let of_ledger = |token: &sendoff::catalogue::KnownToken| {
            let chain = chains
                .iter()
                .find(|chain| chain.caip2_id == token.caip2_id)
                .filter(|chain| chain.enabled)?;
            let address =
                token.token_address.contract().map(crate::contract::lower).unwrap_or_default();
            let token = self.ledger.token(&format!("{}", chain.caip2_id), &address)?;
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
                    &self.stable_id("token", &format!("{} {}", token.caip2_id, token.address)),
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
            &[&format!("{}", owned.len()), &sum, &dollars(&sum), &sum, &dollars(&sum)],
        );
        Ok(object([
            ("aggregated_data", aggregated),
            ("group_tokens", Json::List(owned.iter().map(of_token).collect())),
        ]))
    }

    /// The tokens as the server's list has them.
    pub(crate) fn server_tokens(&self) -> Json {
        let row = |(token, _): (&Token, String)| {
            object([
                ("symbol", (&token.symbol).into()),
                ("image", "https://sandbox.invalid/token.png".into()),
                ("name", (&token.name).into()),
                ("short_name", (&token.symbol).into()),
                (
                    "id",
                    self.stable_id("token", &format!("{} {}", token.caip2_id, token.address))
                        .into(),
                ),
                ("group_id", "".into()),
                ("is_primary", token.address.is_empty().into()),
                ("network_id", self.stable_id("network", &token.caip2_id).into()),
            ])
        };
        let rows: Vec<Json> = self.listed().into_iter().map(row).collect();
        object([("count", rows.len().into()), ("tokens", Json::List(rows))])
    }

    /// A UUID that belongs to a thing.
    pub(crate) fn stable_id(&self, purpose: &str, thing: &str) -> String {
        draw::uuid(draw(&format!("{}{thing}", self.seed), purpose, 0))
    }

    /// The orders of a user, the newest first.
    pub(crate) fn orders_of<'a>(&'a self, user: &'a str) -> impl Iterator<Item = &'a Order> {
        self.orders.iter().rev().filter(move |order| order.user == user && !order.hidden)
    }

    /// The order history.
    pub(crate) fn order_history(
        &self,
        user: &str,
        request: &Request,
        now: i64,
    ) -> Result<Json, Fault> {
        let page = Page::of(request, ["offset", "limit"], self.switches.page_size)?;
        let (id, state) = (request.query("order_id"), request.query("order_state"));
        if let Some(state) = &state
            && !["PENDING", "SUCCESS", "FAILED"].contains(&state.as_str())
        {
            let said = "expected `PENDING`, `SUCCESS` or `FAILED`".into();
            return Err(Fault::of_problem("order_state", IssueCode::Format, said));
        }
        let is_in = |order: &&Order| {
            let found = match order.status(now) {
                Status::Created | Status::Running => "PENDING",
                Status::Success => "SUCCESS",
                Status::Failed | Status::Rejected => "FAILED",
            };
            id.as_ref().is_none_or(|id| order.id == *id)
                && state.as_ref().is_none_or(|state| state == found)
        };
        let orders: Vec<_> = self.orders_of(user).filter(is_in).collect();
        let date =
            |ms| if self.switches.dates == Dates::Go { time::go(ms) } else { time::rfc3339(ms) };
        let job = |order: &&Order| {
            row(
                "order_id order_type network_name status transaction_hash created_at updated_at",
                &[
                    &order.id,
                    &order.kind,
                    &order.network,
                    &order.status(now),
                    &hash(order, now),
                    &date(order.created),
                    &date(order.updated),
                ],
            )
        };
        let total = orders.len().into();
        Ok(object([("total", total), ("jobs", page.list(&orders, &job))]))
    }

    /// The state of a raw transaction.
    pub(crate) fn raw_status(
        &self,
        user: &str,
        request: &Request,
        now: i64,
    ) -> Result<Json, Fault> {
        let id = required(request, "order_id")?;
        let order =
            self.orders_of(user).find(|order| order.id == id && order.kind == OrderKind::Raw);
        let order = order.ok_or(Coded::ORDER)?;
        let failed =
            if self.switches.raw_failure == FailedWord::Failure { "FAILURE" } else { "FAILED" };
        let status = match order.status(now) {
            Status::Created | Status::Running => "PENDING",
            Status::Success => "SUCCESS",
            Status::Failed | Status::Rejected => failed,
        };
        let job = row(
            "order_id network_name status transaction_hash",
            &[&order.id, &order.network, &status, &hash(order, now)],
        );
        Ok(object([("jobs", Json::List(alloc::vec![job]))]))
    }

    /// The orders of NFTs with an id.
    pub(crate) fn nft_orders(
        &self,
        user: &str,
        request: &Request,
        now: i64,
    ) -> Result<Json, Fault> {
        let page = Page::of(request, ["page", "size"], self.switches.page_size)?;
        let id = required(request, "order_id")?;
        let is_in = |order: &&Order| {
            matches!(order.kind, OrderKind::Nft | OrderKind::Mint) && order.id == id
        };
        let orders: Vec<_> = self.orders_of(user).filter(is_in).collect();
        if orders.is_empty() {
            return Err(Coded::ORDER.into());
        }
        let detail = |order: &&Order| {
            let action = order.actions.first();
            let text = |field: fn(&crate::order::Action) -> &String| {
                action.map(field).cloned().unwrap_or_default()
            };
            let collection = text(|action| &action.asset);
            let known = self.ledger.collection(&order.caip2_id, &collection);
            let hash_key = match self.switches.nft_hash {
                HashKey::TransactionHash => "transaction_hash",
                HashKey::TxHash => "tx_hash",
            };
            let mut detail = row(
                "order_id user_id status network_name entity_type collection_address collection_name nft_id order_type",
                &[
                    &order.id,
                    &order.user,
                    &order.status(now),
                    &order.network,
                    &known.map_or(Standard::Erc721, |known| known.standard),
                    &collection,
                    &known.map_or("", |known| &known.name),
                    &text(|action| &action.id),
                    &order.kind,
                ],
            );
            detail.set(hash_key, hash(order, now).into());
            detail.set("created_at", time::rfc3339(order.created).into());
            detail.set("updated_at", time::rfc3339(order.updated).into());
            detail
        };
        let total: Json = orders.len().into();
        let details = page.list(&orders, &detail);
        Ok(match self.switches.nft_orders {
            NftOrdersKey::Details => object([("total", total), ("details", details)]),
            NftOrdersKey::Nfts => object([("count", total), ("nfts", details)]),
        })
    }

    /// The jobs of a bulk order, in three piles.
    pub(crate) fn bulk_order(
        &self,
        user: &str,
        request: &Request,
        now: i64,
    ) -> Result<Json, Fault> {
        self.wallet(user)?;
        let page = Page::of(request, ["page", "size"], self.switches.page_size)?;
        let id = required(request, "bulk_order_id")?;
        // The path names a treasury wallet; what it ordered for a user is its own too.
        let orders: Vec<_> =
            self.orders.iter().filter(|order| order.bulk == id && !order.hidden).collect();
        if orders.is_empty() {
            return Err(Coded::ORDER.into());
        }
        let pile = |is_in: fn(Status) -> bool| {
            let orders: Vec<&Order> =
                orders.iter().copied().filter(|order| is_in(order.status(now))).collect();
            let of_order = |order: &&Order| {
                let status = match order.status(now) {
                    Status::Success => "SUCCESS",
                    Status::Failed | Status::Rejected => "FAILURE",
                    open => open.as_str(),
                };
                row(
                    "bulk_order_id job_id status transaction_hash order_type network_id",
                    &[
                        &order.bulk,
                        &order.id,
                        &status,
                        &hash(order, now),
                        &order.kind,
                        &order.network,
                    ],
                )
            };
            page.list(&orders, &of_order)
        };
        Ok(object([
            ("executed", pile(Status::is_last)),
            ("open", pile(|status| status == Status::Running)),
            ("pending", pile(|status| status == Status::Created)),
        ]))
    }

    /// What came in and went out of a user's wallet.
    pub(crate) fn activity(&self, user: &str, request: &Request) -> Result<Json, Fault> {
        let page = Page::of(request, ["offset", "limit"], self.switches.page_size)?;
        let wallet = self.wallet(user)?;
        let settled = self
            .orders
            .iter()
            .rev()
            .filter(|order| order.status == Status::Success && !order.hidden);
        let rows =
            settled.flat_map(|order| order.actions.iter().map(move |action| (order, action)));
        let rows = rows.filter(|(_, action)| action.kind == ActionKind::Token);
        let rows: Vec<_> =
            rows.filter(|(_, action)| action.from == wallet || action.to == wallet).collect();
        let of_action = |(order, action): &(&Order, &crate::order::Action)| {
            let is_out = action.from == wallet;
            let name =
                self.ledger.token(&order.caip2_id, &action.asset).map_or("", |token| &token.name);
            row(
                "description order_state order_type token_name network_name quantity tx_hash timestamp",
                &[
                    &if is_out { "Withdraw" } else { "Deposit" },
                    &"PUBLISHED",
                    &if is_out { "EXTERNAL_WITHDRAWAL" } else { "EXTERNAL_TRANSFER" },
                    &name,
                    &order.network,
                    // In the smallest unit, as the description's example has it: a decimal text.
                    &action.amount,
                    &order.transaction_hash,
                    &order.updated.div_euclid(1_000),
                ],
            )
        };
        let total: Json = rows.len().into();
        Ok(object([("total", total), ("activity", page.list(&rows, &of_action))]))
    }

    /// The wallets of a user on the enabled networks: wallets on other networks exist, and are not visible.
    pub(crate) fn wallets(
        &self,
        user: &str,
        row: impl Fn(&str, &str, &str) -> Json,
    ) -> Result<Json, Fault> {
        let wallet = self.wallet(user)?;
        let chains = self.catalogue.0.known_chains().iter().filter(|chain| chain.enabled);
        Ok(Json::List(
            chains
                .map(|chain| row(chain.name.as_str(), &format!("{}", chain.caip2_id), &wallet))
                .collect(),
        ))
    }
}

/// The hash of an order's transaction; empty before it has one.
fn hash(order: &Order, now: i64) -> &str {
    let is_there = matches!(order.status(now), Status::Success | Status::Failed);
    if is_there { &order.transaction_hash } else { "" }
}

/// A parameter of the query that must be there.
pub(crate) fn required(request: &Request, name: &str) -> Result<String, Fault> {
    let missing = || {
        Fault::of_problem(
            name,
            IssueCode::Missing,
            "expected it in the query, found nothing".into(),
        )
    };
    request.query(name).ok_or_else(missing)
}
