//! What became of orders: the history, and the companions by which a caller follows an order.

use alloc::{string::String, vec::Vec};
use core::cmp::Reverse;

use crate::fault::{Coded, Fault};
use crate::json::object;
use crate::ledger::{Nft, Standard};
use crate::order::{Action, ActionKind, Order, OrderKind, Status};
use crate::page::{Page, one_of, required};
use crate::profile::{Dates, FailedWord, HashKey, NftOrdersKey};
use crate::record::row;
use crate::state::State;
use crate::text::digits;
use crate::{Json, Request, time};

/// A row of the order history.
struct Entry<'a> {
    id: String,
    kind: &'static str,
    network: &'a str,
    status: Status,
    hash: String,
    /// When it was created and when it was updated.
    times: [i64; 2],
}

impl State {
    /// The orders of a user, the newest first.
    pub(crate) fn orders_of<'a>(&'a self, user: &'a str) -> impl Iterator<Item = &'a Order> {
        self.orders.iter().rev().filter(move |order| order.user == user && !order.hidden)
    }

    /// The order history: what the user ordered, and what others sent to the user.
    pub(crate) fn order_history(
        &self,
        user: &str,
        request: &Request,
        now: i64,
    ) -> Result<Json, Fault> {
        let page = Page::of(request, ["offset", "limit"], self.switches.page_size)?;
        let id = request.query("order_id");
        let state = one_of(request, "order_state", &["PENDING", "SUCCESS", "FAILED"])?;
        let date =
            |ms| if self.switches.dates == Dates::Go { time::go(ms) } else { time::rfc3339(ms) };
        let ordered = self.orders_of(user).map(|order| Entry {
            id: order.id.clone(),
            kind: order.kind.as_str(),
            network: &order.network,
            status: order.status(now),
            hash: hash(order, now).into(),
            times: [order.created, order.updated],
        });
        let mut entries: Vec<_> = ordered.chain(self.received(user)?).collect();
        entries.sort_by_key(|entry| Reverse(entry.times[0]));

        entries.retain(|entry| id.as_ref().is_none_or(|id| entry.id == *id));
        if id.is_some() && entries.is_empty() {
            return Err(Coded::ORDER.into());
        }
        entries.retain(|entry| {
            let found = match entry.status {
                Status::Created | Status::Running => "PENDING",
                Status::Success => "SUCCESS",
                Status::Failed | Status::Rejected => "FAILED",
            };
            state.as_ref().is_none_or(|state| state == found)
        });
        let job = |entry: &Entry<'_>| {
            let [created, updated] = entry.times.map(date);
            row(
                "order_id order_type network_name status transaction_hash created_at updated_at",
                &[
                    &entry.id,
                    &entry.kind,
                    &entry.network,
                    &entry.status,
                    &entry.hash,
                    &created,
                    &updated,
                ],
            )
        };
        Ok(object([("total", entries.len().into()), ("jobs", page.list(&entries, &job))]))
    }

    /// What others sent to a user. Such an order has an id of its own: the sender's is not the receiver's.
    fn received(&self, user: &str) -> Result<impl Iterator<Item = Entry<'_>>, Fault> {
        let wallet = self.wallet(user)?;
        let mut moves = self.moves(&wallet);
        moves.retain(|moved| moved.sender != user && moved.action.to == wallet);
        let entry = move |moved: Move| Entry {
            id: self.move_id(&moved, &wallet),
            kind: RECEIVED,
            network: self.network_name(&moved.chain),
            status: Status::Success,
            hash: moved.hash,
            times: [moved.time; 2],
        };
        Ok(moves.into_iter().map(entry))
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
                let text = |field: fn(&Nft) -> &str| nft.map_or("", |nft| field(nft));
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
        let moves = self.moves(&wallet);
        let row = |moved: &Move| {
            let is_out = moved.action.from == wallet;
            row(
                "description order_state order_type token_name network_name quantity tx_hash timestamp",
                &[
                    &moved.description(is_out),
                    &"PUBLISHED",
                    &if is_out { "EXTERNAL_WITHDRAWAL" } else { RECEIVED },
                    &self.named_asset(moved).0,
                    &self.network_name(&moved.chain),
                    // In the smallest unit, as the description's example has it: a decimal text.
                    &moved.action.amount,
                    &moved.hash,
                    &moved.time.div_euclid(1_000),
                ],
            )
        };
        Ok(object([("total", moves.len().into()), ("activity", page.list(&moves, &row))]))
    }

    /// Every move of tokens and NFTs out of a wallet or into it that succeeded, the newest first.
    pub(crate) fn moves(&self, wallet: &str) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut add = |sender: &str, time, hash: &str, chain: &str, actions: &[Action]| {
            let mut place = 0_u64;
            let mut tell = |action: &Action| {
                place = place.saturating_add(1);
                if action.from == wallet || action.to == wallet {
                    let [sender, hash, chain] = [sender, hash, chain].map(String::from);
                    moves.push(Move { sender, time, hash, place, chain, action: action.clone() });
                }
            };
            for action in actions {
                action.moves(&self.ledger, chain, &mut tell);
            }
        };
        for order in self.orders.iter().rev() {
            if order.status == Status::Success && !order.hidden {
                let (hash, chain) = (&order.transaction_hash, &order.caip2_id);
                add(&order.user, order.updated, hash, chain, &order.actions);
            }
        }
        for operation in &self.operations {
            let Some(sender) = self.users.get(&operation.user) else { continue };
            if operation.success && !operation.hidden {
                let ((chain, actions), hash) =
                    (operation.actions(&sender.wallet), operation.downstream_hash());
                add(&sender.id, operation.due, &hash, &chain, &actions);
            }
        }
        moves.sort_by_key(|moved| Reverse(moved.time));
        moves
    }

    /// The id of a move, of the wallet that it left or reached.
    pub(crate) fn move_id(&self, moved: &Move, wallet: &str) -> String {
        let place = digits(moved.place);
        self.stable_id("move", &[&*moved.hash, " ", &place, " ", wallet].concat())
    }

    /// The name and the symbol of what moved.
    pub(crate) fn named_asset(&self, moved: &Move) -> (&str, &str) {
        let asset = &moved.action.asset;
        let token = self.ledger.token(&moved.chain, asset);
        let token = token.map(|token| (&*token.name, &*token.symbol));
        let collection = self.ledger.collection(&moved.chain, asset);
        let collection = collection.map(|known| (&*known.name, &*known.symbol));
        let named = if moved.is_token() { token } else { collection };
        named.unwrap_or_default()
    }
}

/// A move of tokens or of an NFT that succeeded.
pub(crate) struct Move {
    /// The user whose order or operation it was.
    sender: String,
    pub(crate) time: i64,
    pub(crate) hash: String,
    /// Its place in its transaction.
    place: u64,
    pub(crate) chain: String,
    pub(crate) action: Action,
}

impl Move {
    pub(crate) fn is_token(&self) -> bool {
        self.action.kind == ActionKind::Token
    }

    pub(crate) fn description(&self, is_out: bool) -> String {
        let nft = if self.is_token() { "" } else { "NFT " };
        [nft, if is_out { "Withdraw" } else { "Deposit" }].concat()
    }
}

/// The type of an order by which somebody else sent something to the user.
pub(crate) const RECEIVED: &str = "EXTERNAL_TRANSFER";

/// The hash of an order's transaction; empty before it has one.
fn hash(order: &Order, now: i64) -> &str {
    let is_there = matches!(order.status(now), Status::Success | Status::Failed);
    if is_there { &order.transaction_hash } else { "" }
}
