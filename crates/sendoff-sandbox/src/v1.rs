//! The writes of version 1.

use alloc::{string::String, vec::Vec};

use sendoff::error::{Error, Issue, IssueCode};
use sendoff::http::Refusal;
use sendoff::intent::Intent;
use sendoff::primitive_types::U256;

use crate::Json;
use crate::fault::{Coded, Fault};
use crate::json::object;
use crate::ledger::Nft;
use crate::network::Network;
use crate::numbers::{decimal, of_decimal, of_hex, quantity};
use crate::order::{Action, ActionKind, Order, OrderKind, Status};
use crate::profile::{Ids, ValueForm};
use crate::record::row;
use crate::state::State;
use crate::text::{digits, of_digits, shown};
use crate::units;
use crate::view;

/// The largest number of wallets that one request makes, and of NFTs that one mints.
const MOST_WALLETS: u64 = 1_000;
const MOST_MINTED: u64 = 100;

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
        body: &Json,
        now: i64,
        is_bulk: bool,
    ) -> Result<Json, Fault> {
        // An older page has no `operation_type`.
        if body.get("operation_type").is_some_and(|found| *found != Json::Null) {
            operation_type(body, "TOKEN_TRANSFER_EXECUTE")?;
        }
        let (network, wallet) = (self.enabled(body)?, self.wallet(user)?);
        let (token, recipient) = (body.text("token_address"), body.text("recipient_address"));
        let details = object([
            ("caip2Id", (&network.caip2_id).into()),
            ("recipientWalletAddress", recipient.into()),
            ("tokenAddress", token.into()),
            // The unit is the token's, so the amount is read below.
            ("amount", "1".into()),
        ]);
        self.permit(&intent("TOKEN_TRANSFER", details)?)?;

        let token = token.to_ascii_lowercase();
        let known = self.ledger.token(&network.caip2_id, &token).ok_or(Coded::DATA)?;
        let amount =
            units::read(body.text("quantity"), known.decimals).filter(|amount| !amount.is_zero());
        let amount = amount.ok_or(Coded::QUANTITY)?;
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
        body: &Json,
        now: i64,
        is_bulk: bool,
    ) -> Result<Json, Fault> {
        operation_type(body, "NFT_TRANSFER")?;
        let (network, wallet) = (self.enabled(body)?, self.wallet(user)?);
        let (recipient, id) = (body.text("recipient_address"), body.text("nft_address"));
        let amount = of_decimal(body.text("quantity")).filter(|amount| !amount.is_zero());
        let amount = amount.ok_or(Coded::QUANTITY)?;
        let intent = of_nft(&network, body, id, recipient, amount)?;
        let collection = body.text("collection_address").to_ascii_lowercase();
        let known = self.ledger.collection(&network.caip2_id, &collection).ok_or(Coded::DATA)?;
        self.permit(&intent)?;

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
    pub(crate) fn mint_nft(&mut self, body: &Json, now: i64) -> Result<Json, Fault> {
        operation_type(body, "NFT_MINT")?;
        let network = self.enabled(body)?;
        let treasury = self.users.values().find(|user| user.is_treasury).ok_or(Coded::DATA)?;
        let (user, wallet) = (treasury.id.clone(), treasury.wallet.clone());
        let intent = of_nft(&network, body, "0", &wallet, U256::one())?;
        let collection = body.text("collection_address").to_ascii_lowercase();
        let known = self.ledger.collection(&network.caip2_id, &collection).ok_or(Coded::DATA)?;
        self.permit(&intent)?;
        if known.standard.as_str() != body.text("erc_type") {
            return Err(Fault::said(
                Coded::BODY,
                ["the collection is of the type ", known.standard.as_str()].concat(),
            ));
        }
        let quantity = of_digits(body.text("quantity")).filter(|count| *count > 0);
        let quantity = quantity.ok_or(Coded::QUANTITY)?;
        if quantity > MOST_MINTED {
            let most = Json::from(MOST_MINTED).to_json();
            let said = ["expected at most ", &most, " NFTs in a request"].concat();
            return Err(Fault::said(Coded::QUANTITY, said));
        }

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
        body: &Json,
        job: Option<&str>,
        now: i64,
    ) -> Result<String, Fault> {
        let (network, wallet) = (self.enabled(body)?, self.wallet(user)?);
        let job = job.map(|job| [user, " ", &job.to_ascii_lowercase()].concat());
        if let Some(id) = job.as_ref().and_then(|job| self.jobs.get(job)) {
            return Ok(id.clone());
        }
        let transaction = body.get("transaction").cloned().unwrap_or(Json::Null);
        let value = value(transaction.text("value"), self.switches.value);
        let value = value.ok_or_else(|| {
            let form = self.switches.value.as_str();
            Fault::of_problem(
                "transaction.value",
                IssueCode::Format,
                &["a value of the form `", form, "`"].concat(),
                Some(transaction.text("value")),
            )
        })?;
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
        self.permit(&intent("RAW_TRANSACTION", details)?)?;

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

    /// Makes wallets of the application.
    pub(crate) fn create_wallets(
        &mut self,
        body: &Json,
        count: u64,
        now: i64,
    ) -> Result<Vec<(String, String)>, Fault> {
        self.enabled(body)?;
        if !["nft", "token"].contains(&body.text("purpose")) {
            return Err(Fault::of_problem(
                "purpose",
                IssueCode::Format,
                "`nft` or `token`",
                Some(body.text("purpose")),
            ));
        }
        if !(1..=MOST_WALLETS).contains(&count) {
            let said = ["1 to ", &digits(MOST_WALLETS), " wallets in a request"].concat();
            let found = digits(count);
            return Err(Fault::of_problem("wallet_count", IssueCode::Range, &said, Some(&found)));
        }
        let threads = body
            .get("num_request")
            .filter(|json| **json != Json::Null)
            .map_or(Some(25), Json::as_u64);
        if !threads.is_some_and(|threads| (2..=50).contains(&threads)) {
            return Err(Fault::of_problem("num_request", IssueCode::Range, "2 to 50", None));
        }
        let mut wallets = Vec::new();
        for _ in 0..count {
            let id = self.add_user(true, now).ok_or(Coded::INTERNAL)?;
            let wallet = self.wallet(&id)?;
            wallets.push((id, wallet));
        }
        Ok(wallets)
    }

    /// Checks that the catalogue permits an intent.
    fn permit(&self, intent: &Intent) -> Result<(), Fault> {
        self.catalogue.0.permits(intent).map_err(|part| Refusal::not_enabled(shown(&part)).into())
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

/// The intent of a request, of which each field is checked by itself.
fn intent(kind: &str, details: Json) -> Result<Intent, Fault> {
    let intent = object([("type", kind.into()), ("details", details)]).to_json();
    intent.parse().map_err(of_intent)
}

/// The same of an NFT of a request's collection.
fn of_nft(
    network: &Network,
    body: &Json,
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
            &body.text("collection_address"),
            &decimal(amount),
            &"ERC721",
        ],
    );
    intent("NFT_TRANSFER", details)
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

/// Refuses another type of operation. The vendor's examples send `NFT_MINT` for everything, and its list has `MINT`.
fn operation_type(body: &Json, known: &str) -> Result<(), Fault> {
    let found = body.text("operation_type");
    if [known, "NFT_MINT", "MINT"].contains(&found) {
        return Ok(());
    }
    let said = ["`", known, "`"].concat();
    Err(Fault::of_problem("operation_type", IssueCode::Format, &said, Some(found)))
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

/// The problems of an intent, at the fields of the request that it was made of.
fn of_intent(error: Error) -> Fault {
    let fields = [
        ("details.caip2Id", "network_name"),
        ("details.recipientWalletAddress", "recipient_address"),
        ("details.tokenAddress", "token_address"),
        ("details.collectionAddress", "collection_address"),
        ("details.nftId", "nft_address"),
        ("details.amount", "quantity"),
    ];
    let problem = |issue: Issue| {
        let known = fields
            .iter()
            .find(|(path, _)| *path == issue.path)
            .map(|(_, field)| String::from(*field));
        let of_transaction = || {
            issue
                .path
                .strip_prefix("details.transactions.0")
                .map(|rest| ["transaction", rest].concat())
        };
        let path = known.or_else(of_transaction).unwrap_or_else(|| issue.path.clone());
        Issue::new(path, issue.code, issue.message)
    };
    let problems = error.into_issues().into_iter().map(problem).collect();
    Fault::unless_none(problems).err().unwrap_or(Coded::INTERNAL.into())
}
