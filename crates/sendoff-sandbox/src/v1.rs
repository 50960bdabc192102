//! The writes of version 1.

use alloc::{string::String, vec::Vec};

use sendoff::error::{Error, Issue, IssueCode};
use sendoff::http::Refusal;
use sendoff::intent::Intent;
use sendoff::primitive_types::U256;

use crate::Json;
use crate::fault::{Coded, Fault, sentence};
use crate::form::Form;
use crate::json::object;
use crate::ledger::Nft;
use crate::network::Network;
use crate::numbers::{decimal, of_decimal, of_hex, quantity};
use crate::order::{Action, ActionKind, Order, OrderKind, Status};
use crate::profile::{Ids, ValueForm};
use crate::record::row;
use crate::state::{MOST_USERS, State};
use crate::text::digits;
use crate::units;
use crate::view;

/// The largest number of wallets that one request makes, and of NFTs that one mints.
pub(crate) const MOST_WALLETS: u64 = 1_000;
const MOST_MINTED: u64 = 100;

/// The largest numbers of bytes in the metadata of an NFT.
const MOST_METADATA: [(&str, usize); 3] =
    [("metadata.uri", 1_024), ("metadata.nftName", 256), ("metadata.description", 1_024)];

impl State {
    /// The wallet of a user.
    pub(crate) fn wallet(&self, user: &str) -> Result<String, Fault> {
        let user = self.users.get(user).ok_or(Coded::DATA)?;
        Ok(user.wallet.clone())
    }

    /// Transfers tokens.
    pub(crate) fn transfer_tokens(
        &mut self,
        user: &str,
        form: &mut Form<'_>,
        now: i64,
        is_bulk: bool,
    ) -> Result<Json, Fault> {
        let body = form.body;
        // An older page has no `operation_type`. The vendor's examples send `NFT_MINT` for everything, and its list has `MINT`.
        if body.get("operation_type").is_some_and(|found| *found != Json::Null) {
            form.one_of("operation_type", &["TOKEN_TRANSFER_EXECUTE", "NFT_MINT", "MINT"]);
        }
        let network = self.network(form);
        let (token, recipient) = (body.text("token_address"), body.text("recipient_address"));
        let details = object([
            ("caip2Id", (&network.caip2_id).into()),
            ("recipientWalletAddress", recipient.into()),
            ("tokenAddress", token.into()),
            // The unit is the token's, so the amount is read here.
            ("amount", "1".into()),
        ]);
        let token = token.to_ascii_lowercase();
        let known = self.ledger.token(&network.caip2_id, &token);
        let decimals = known.map_or(18, |known| known.decimals);
        let expected = "a number above zero, with the decimals of the token at most";
        let amount = amount(form, units::read(body.text("quantity"), decimals), expected);
        self.permit(&network, &intent(form, "TOKEN_TRANSFER", details)?)?;

        let (known, wallet) = (known.ok_or(Coded::DATA)?, self.wallet(user)?);
        if known.balance(&wallet) < amount {
            return Err(Coded::BALANCE.into());
        }
        let action = Action::tokens(token, wallet, recipient.to_ascii_lowercase(), amount);
        let id = self.order(user, OrderKind::Tokens, &network, alloc::vec![action], is_bulk, now);
        Ok(self.named("orderId", id, is_bulk))
    }

    /// Transfers an NFT.
    pub(crate) fn transfer_nft(
        &mut self,
        user: &str,
        form: &mut Form<'_>,
        now: i64,
        is_bulk: bool,
    ) -> Result<Json, Fault> {
        let body = form.body;
        form.one_of("operation_type", &["NFT_TRANSFER", "NFT_MINT", "MINT"]);
        let network = self.network(form);
        let (recipient, id) = (body.text("recipient_address"), body.text("nft_address"));
        let amount = amount(form, of_decimal(body.text("quantity")), "an integer above zero");
        let intent = of_nft(form, &network, id, recipient, amount)?;
        let wallet = self.wallet(user)?;
        let collection = body.text("collection_address").to_ascii_lowercase();
        let known = self.ledger.collection(&network.caip2_id, &collection).ok_or(Coded::DATA)?;
        self.permit(&network, &intent)?;

        let id = view::number_of(&id.into()).ok_or(Coded::DATA)?;
        if !known.nfts.contains_key(&id) {
            return Err(Coded::DATA.into());
        }
        let owned = known.pieces(&id, &wallet);
        if owned < amount {
            return Err(if owned.is_zero() { Coded::DATA } else { Coded::BALANCE }.into());
        }
        let action = Action::nft(collection, id, wallet, recipient.to_ascii_lowercase(), amount);
        let id = self.order(user, OrderKind::Nft, &network, alloc::vec![action], is_bulk, now);
        Ok(self.named("order_id", id, is_bulk))
    }

    /// Mints NFTs to the treasury wallet: the request names no recipient.
    pub(crate) fn mint_nft(&mut self, form: &mut Form<'_>, now: i64) -> Result<Json, Fault> {
        let body = form.body;
        form.one_of("operation_type", &["NFT_MINT", "MINT"]);
        let network = self.network(form);
        let treasury = self.users.values().find(|user| user.is_treasury).ok_or(Coded::DATA)?;
        let (user, wallet) = (treasury.id.clone(), treasury.wallet.clone());
        let collection = body.text("collection_address").to_ascii_lowercase();
        let known = self.ledger.collection(&network.caip2_id, &collection);
        if let Some(known) = known {
            form.one_of("erc_type", &[known.standard.as_str()]);
        }
        let quantity = form.integer("quantity", 1, MOST_MINTED, Some(Coded::QUANTITY));
        for (path, most) in MOST_METADATA {
            form.at_most(path, most);
        }
        let intent = of_nft(form, &network, "0", &wallet, U256::one())?;
        let known = known.ok_or(Coded::DATA)?;
        self.permit(&network, &intent)?;

        let (pieces, orders) = match known.standard {
            crate::ledger::Standard::Erc721 => (1, quantity),
            crate::ledger::Standard::Erc1155 => (quantity, 1),
        };
        let text = |key: &str| body.at(key).and_then(Json::as_text).unwrap_or_default().into();
        let nft = Nft {
            name: text("metadata.nftName"),
            description: text("metadata.description"),
            uri: text("metadata.uri"),
            ..Nft::default()
        };
        if !self.ledger.has_room_for(&nft, orders) {
            return Err(Coded::FULL.into());
        }
        let action = Action {
            kind: ActionKind::Mint,
            asset: collection,
            id: String::new(),
            from: String::new(),
            to: wallet,
            amount: pieces.into(),
            data: "0x".into(),
            nft: Some(nft),
        };
        let bulk = self.new_id("bulk");
        for _ in 0..orders {
            let id = self.new_id("order");
            let order =
                order(id, &bulk, &user, OrderKind::Mint, &network, alloc::vec![action.clone()]);
            self.add_order(order, now);
        }
        Ok(object([("bulk_order_id", bulk.into())]))
    }

    /// Executes a raw transaction. With a `job-id`, a repeat answers the order of the first request.
    pub(crate) fn raw_transaction(
        &mut self,
        user: &str,
        form: &mut Form<'_>,
        job: Option<&str>,
        now: i64,
    ) -> Result<String, Fault> {
        let wallet = self.wallet(user)?;
        let job = job.map(|job| [user, " ", &job.to_ascii_lowercase()].concat());
        if let Some(id) = job.as_ref().and_then(|job| self.jobs.get(job)) {
            return Ok(id.clone());
        }
        let network = self.network(form);
        let transaction = form.body.get("transaction").cloned().unwrap_or(Json::Null);
        let form_of = self.switches.value;
        let value = value(transaction.text("value"), form_of).unwrap_or_else(|| {
            let expected = match form_of {
                ValueForm::Any => "`0x` and hex digits, or decimal digits",
                ValueForm::Hex => "`0x` and hex digits",
                ValueForm::Decimal => "decimal digits",
            };
            form.wrong("transaction.value", IssueCode::Format, expected, None);
            U256::zero()
        });
        let mut plain = transaction.clone();
        plain.set("value", quantity(value).into());
        // A transaction without a recipient makes a contract; its other fields are checked.
        if transaction.get("to").is_none_or(|to| *to == Json::Null) {
            plain.set("to", (&wallet).into());
        }
        let details = object([
            ("caip2Id", (&network.caip2_id).into()),
            ("transactions", Json::List(alloc::vec![plain])),
        ]);
        self.permit(&network, &intent(form, "RAW_TRANSACTION", details)?)?;

        let [from, to] = ["from", "to"].map(|key| transaction.text(key).to_ascii_lowercase());
        let mut action = Action::call(from, to, value, transaction.text("data").into());
        // Such an order is rejected when its time has come.
        if action.from != wallet {
            action.kind = ActionKind::Foreign;
        }
        let id = self.order(user, OrderKind::Raw, &network, alloc::vec![action], false, now);
        if let Some(job) = job {
            self.jobs.insert(job, id.clone());
        }
        Ok(id)
    }

    /// Makes wallets of the application, all or none.
    pub(crate) fn create_wallets(
        &mut self,
        form: &mut Form<'_>,
        count: u64,
        now: i64,
    ) -> Result<Vec<(String, String)>, Fault> {
        let network = self.network(form);
        form.one_of("purpose", &["nft", "token"]);
        form.integer("num_request", 2, 50, None);
        form.finish()?;
        network.enabled()?;
        self.check_users(count)?;
        let mut wallets = Vec::new();
        for _ in 0..count {
            let id = self.new_id("user");
            self.add_user(id.clone(), true, now);
            let wallet = self.wallet(&id)?;
            wallets.push((id, wallet));
        }
        Ok(wallets)
    }

    /// Refuses more users than are kept.
    pub(crate) fn check_users(&self, more: u64) -> Result<(), Fault> {
        let most = u64::try_from(MOST_USERS).unwrap_or(u64::MAX);
        let users = u64::try_from(self.users.len()).unwrap_or(u64::MAX).saturating_add(more);
        if users <= most {
            return Ok(());
        }
        let expected = ["at most ", &digits(most), " users"].concat();
        Err(Fault::said(Coded::BODY, sentence(&expected, Some(&digits(users)))))
    }

    /// Checks that the application may use a network, and that the catalogue permits an intent there.
    fn permit(&self, network: &Network, intent: &Intent) -> Result<(), Fault> {
        network.enabled()?;
        self.catalogue.0.permits(intent).map_err(|part| Refusal::from(part).into())
    }

    /// Adds an order, and returns its id or that of its bulk order.
    fn order(
        &mut self,
        user: &str,
        kind: OrderKind,
        network: &Network,
        actions: Vec<Action>,
        is_bulk: bool,
        now: i64,
    ) -> String {
        let id = self.new_id("order");
        let bulk = if is_bulk { self.new_id("bulk") } else { String::new() };
        self.add_order(order(id.clone(), &bulk, user, kind, network, actions), now);
        if is_bulk { bulk } else { id }
    }

    /// The reply's id, by its name.
    pub(crate) fn named(&self, name: &str, id: String, is_bulk: bool) -> Json {
        let name = match self.switches.ids {
            _ if is_bulk => "bulk_order_id",
            Ids::Published => name,
            Ids::OrderId => "order_id",
        };
        object([(name, id.into())])
    }
}

/// The amount of a request, above zero.
fn amount(form: &mut Form<'_>, read: Option<U256>, expected: &str) -> U256 {
    read.filter(|amount| !amount.is_zero()).unwrap_or_else(|| {
        form.wrong("quantity", IssueCode::Format, expected, Some(Coded::QUANTITY));
        U256::one()
    })
}

/// The intent of a request, or all problems of the request: what is checked before it is checked already.
fn intent(form: &mut Form<'_>, kind: &str, details: Json) -> Result<Intent, Fault> {
    let intent = object([("type", kind.into()), ("details", details)]).to_json();
    let intent = intent.parse().map_err(|error: Error| {
        error.into_issues().into_iter().for_each(|issue| form.add(of_body(issue)))
    });
    form.finish()?;
    intent.map_err(|()| Coded::INTERNAL.into())
}

/// The same of an NFT of a request's collection.
fn of_nft(
    form: &mut Form<'_>,
    network: &Network,
    id: &str,
    recipient: &str,
    amount: U256,
) -> Result<Intent, Fault> {
    let details = row(
        "caip2Id nftId recipientWalletAddress collectionAddress amount nftType",
        &[
            &network.caip2_id,
            &id,
            &recipient,
            &form.body.text("collection_address"),
            &decimal(amount),
            &"ERC721",
        ],
    );
    intent(form, "NFT_TRANSFER", details)
}

fn order(
    id: String,
    bulk: &str,
    user: &str,
    kind: OrderKind,
    network: &Network,
    actions: Vec<Action>,
) -> Order {
    Order {
        id,
        bulk: bulk.into(),
        user: user.into(),
        kind,
        network: network.name.clone(),
        caip2_id: network.caip2_id.clone(),
        actions,
        created: 0,
        running: 0,
        due: 0,
        updated: 0,
        status: Status::Created,
        transaction_hash: String::new(),
        reason: String::new(),
        hidden: false,
    }
}

/// The value of a raw transaction, in wei. People send `0x`, nothing and decimals.
fn value(text: &str, form: ValueForm) -> Option<U256> {
    let hex = || text.strip_prefix("0x").filter(|digits| !digits.is_empty() && digits.len() <= 64);
    let hex = || of_hex(hex()?);
    let decimal = || of_decimal(text);
    match form {
        ValueForm::Hex => hex(),
        ValueForm::Decimal => decimal(),
        ValueForm::Any if text.is_empty() || text == "0x" => Some(U256::zero()),
        ValueForm::Any => hex().or_else(decimal),
    }
}

/// A problem of an intent, at the field of the request that it was made of.
fn of_body(issue: Issue) -> Issue {
    let fields = [
        ("details.caip2Id", "network_name"),
        ("details.recipientWalletAddress", "recipient_address"),
        ("details.tokenAddress", "token_address"),
        ("details.collectionAddress", "collection_address"),
        ("details.nftId", "nft_address"),
        ("details.amount", "quantity"),
        ("details.transactions.0", "transaction"),
    ];
    let known = fields
        .iter()
        .find_map(|(path, field)| Some([field, issue.path.strip_prefix(path)?].concat()));
    Issue::new(known.unwrap_or_else(|| issue.path.clone()), issue.code, issue.message)
}
