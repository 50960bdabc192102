//! What became of orders: the history, and the companions by which a caller follows an order.

use alloc::{string::String, vec::Vec};
use core::mem;

use crate::fault::{Coded, Fault};
use crate::json::object;
use crate::ledger::{Nft, Standard};
use crate::order::{Action, ActionKind, Order, OrderKind, Status};
use crate::page::{Page, one_of, required};
use crate::profile::{Dates, FailedWord, HashKey, NftOrdersKey};
use crate::record::row;
use crate::state::State;
use crate::{Json, Request, time};

impl State {
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
        let id = request.query("order_id");
        let state = one_of(request, "order_state", &["PENDING", "SUCCESS", "FAILED"])?;
        if let Some(id) = &id
            && !self.orders_of(user).any(|order| order.id == *id)
        {
            return Err(Coded::ORDER.into());
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
            let Some(action) = order.actions.first() else { return Json::Null };
            let known = self.ledger.collection(&order.caip2_id, &action.asset);
            let standard = known.map_or(Standard::Erc721, |known| known.standard);
            let collection = known.map_or("", |known| &known.name);
            if self.switches.nft_orders == NftOrdersKey::Nfts {
                let nft = known.and_then(|known| known.nfts.get(&action.id));
                let nft = nft.or(action.nft.as_ref());
                let text = |field: fn(&Nft) -> &String| nft.map_or("", |nft| field(nft));
                return row(
                    "explorer_smart_contract_url description type collection_id collection_name nft_token_id token_uri id image collection_address collection_image network_name network_id nft_name",
                    &[
                        &["https://sandbox.invalid/", &action.asset].concat(),
                        &text(|nft| &nft.description),
                        &standard,
                        &self.stable_id("collection", &action.asset),
                        &collection,
                        &action.id,
                        &text(|nft| &nft.uri),
                        &order.id,
                        &"",
                        &action.asset,
                        &"",
                        &order.network,
                        &self.stable_id("network", &order.caip2_id),
                        &text(|nft| &nft.name),
                    ],
                );
            }
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
                    &standard,
                    &action.asset,
                    &collection,
                    &action.id,
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

    /// What came in and went out of a user's wallet, by orders and by user operations; the newest first.
    pub(crate) fn activity(&self, user: &str, request: &Request) -> Result<Json, Fault> {
        let page = Page::of(request, ["offset", "limit"], self.switches.page_size)?;
        let wallet = self.wallet(user)?;
        let mut rows = Vec::new();
        for order in self.orders.iter().rev() {
            if order.status == Status::Success && !order.hidden {
                let (hash, chain) = (&order.transaction_hash, &order.caip2_id);
                self.add_moves(&wallet, order.updated, hash, chain, &order.actions, &mut rows);
            }
        }
        for operation in &self.operations {
            let Some(sender) = self.users.get(&operation.user) else { continue };
            if operation.success && !operation.hidden {
                let ((chain, actions), hash) =
                    (operation.actions(&sender.wallet), operation.downstream_hash());
                self.add_moves(&wallet, operation.due, &hash, &chain, &actions, &mut rows);
            }
        }
        let total: Json = rows.len().into();
        Ok(object([("total", total), ("activity", page.list(&rows, &|(_, row)| row.clone()))]))
    }

    /// Adds what actions moved at a time out of a wallet or into it, before what is older.
    fn add_moves(
        &self,
        wallet: &str,
        time: i64,
        hash: &str,
        chain: &str,
        actions: &[Action],
        rows: &mut Vec<(i64, Json)>,
    ) {
        let known = self.catalogue.0.known_chains();
        let network = known.iter().find(|known| String::from(&known.caip2_id) == chain);
        let mut add = |moved: &Action| {
            let is_out = moved.from == wallet;
            if !is_out && moved.to != wallet {
                return;
            }
            let token = self.ledger.token(chain, &moved.asset).map(|token| &token.name);
            let collection = self.ledger.collection(chain, &moved.asset);
            let [nft, name] = match (moved.kind, collection) {
                (ActionKind::Token, _) => ["", token.map_or("", |name| name)],
                (_, collection) => ["NFT ", collection.map_or("", |known| &known.name)],
            };
            let row = row(
                "description order_state order_type token_name network_name quantity tx_hash timestamp",
                &[
                    &[nft, if is_out { "Withdraw" } else { "Deposit" }].concat(),
                    &"PUBLISHED",
                    &if is_out { "EXTERNAL_WITHDRAWAL" } else { "EXTERNAL_TRANSFER" },
                    &name,
                    &network.map_or("", |network| network.name.as_str()),
                    // In the smallest unit, as the description's example has it: a decimal text.
                    &moved.amount,
                    &hash,
                    &time.div_euclid(1_000),
                ],
            );
            let newer = rows.iter().rposition(|(known, _)| *known >= time);
            let mut next = (time, row);
            for older in rows.iter_mut().skip(newer.map_or(0, |at| at.saturating_add(1))) {
                mem::swap(older, &mut next);
            }
            rows.push(next);
        };
        for action in actions {
            action.moves(&self.ledger, chain, &mut add);
        }
    }
}

/// The hash of an order's transaction; empty before it has one.
fn hash(order: &Order, now: i64) -> &str {
    let is_there = matches!(order.status(now), Status::Success | Status::Failed);
    if is_there { &order.transaction_hash } else { "" }
}
