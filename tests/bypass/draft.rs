//! An honest exchange that a class changes.

use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sendoff::json::call;
use serde_json::{Map, Value, json};

use crate::case::ask;
use crate::{Case, Chance, Judgement};

/// The requests of a type, one for each number.
#[derive(Debug)]
pub struct Originals {
    kind: &'static str,
    estimates: BoxedStrategy<(Value, Value)>,
}

impl Originals {
    #[must_use]
    pub fn of(kind: &'static str) -> Self {
        Self { kind, estimates: laws::estimate(kind).boxed() }
    }

    /// The request and facts of a number.
    #[must_use]
    pub fn at(&self, seed: u64) -> Draft {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let chance = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), chance);
        let (request, facts) = self.estimates.new_tree(&mut runner).unwrap().current();
        let place = laws::deployment(&facts);
        Draft { kind: self.kind, request, facts, place }
    }
}

/// A request, the facts of the honest service, and the deployment with the client's expectations.
#[derive(Clone, Debug)]
pub struct Draft {
    pub kind: &'static str,
    pub request: Value,
    pub facts: Value,
    /// The third argument of `signable`, `where`.
    pub place: Value,
}

impl Draft {
    /// The honest reply.
    #[must_use]
    pub fn reply(&self) -> Value {
        self.reply_to(&self.request)
    }

    /// The reply that the service would give to another request.
    #[must_use]
    pub fn reply_to(&self, request: &Value) -> Value {
        self.reply_from(request, &self.facts)
    }

    /// The reply to another request from other facts.
    #[must_use]
    pub fn reply_from(&self, request: &Value, facts: &Value) -> Value {
        let mut facts = facts.clone();
        if let Some(fees) = facts.get_mut("fees") {
            let fee =
                fees["transactionFees"].as_object().and_then(|fees| fees.values().next().cloned());
            let chain = request["details"]["caip2Id"].as_str().unwrap().to_owned();
            fees["transactionFees"] = Map::from_iter(fee.map(|fee| (chain, fee))).into();
        }
        let arguments = [request.to_string(), facts.to_string()];
        let reply = call("estimate", &arguments.each_ref().map(|text| Some(text.as_str())))
            .unwrap_or_else(|issues| panic!("{issues}\n{request}\n{facts}"));
        serde_json::from_str(&reply).unwrap()
    }

    /// Replaces the transactions of a raw transaction by transfers of a token, or of the native token.
    pub fn set_transfers(&mut self, count: usize, chance: &mut Chance) {
        let transactions: Vec<_> = (0..count).map(|_| self.transfer(chance)).collect();
        self.request["details"]["transactions"] = transactions.into();
    }

    /// The same, and the index of one of them.
    pub fn pick_transfer(&mut self, count: usize, chance: &mut Chance) -> usize {
        self.set_transfers(count, chance);
        chance.below(count)
    }

    fn transfer(&self, chance: &mut Chance) -> Value {
        let (data, value) = if chance.is_head() {
            (transfer(&chance.address(), chance.number() >> 1), "0x0".to_owned())
        } else {
            ("0x".to_owned(), chance.quantity())
        };
        self.transaction(&chance.address(), &data, &value)
    }

    /// A transaction of the user.
    #[must_use]
    pub fn transaction(&self, to: &str, data: &str, value: &str) -> Value {
        json!({ "from": self.facts["userSWA"], "to": to, "data": data, "value": value })
    }

    /// Replaces the gas limits by those of an ordinary operation, and the fees by some of a few gwei.
    pub fn set_ordinary_gas(&mut self) {
        self.facts["gasLimits"] = json!({
            "callGasLimit": "0x493e0", "verificationGasLimit": "0x30d40", "preVerificationGas": "0xc350",
            "paymasterVerificationGasLimit": "0x186a0", "paymasterPostOpGasLimit": "0x186a0",
        });
        self.request["gasDetails"] =
            json!({ "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x3b9aca00" });
    }

    /// Makes the request one of a single NFT.
    pub fn set_single_nft(&mut self) {
        self.request["details"]["nftType"] = "ERC721".into();
        self.request["details"]["amount"] = "1".into();
    }

    /// Replaces the paymaster data by a grant of a client.
    pub fn set_grant(&mut self, client: &Value, until: u64, after: u64, chance: &mut Chance) {
        let signature = format!("0x{}", chance.digits(130));
        let grant = json!({
            "clientSWA": client, "validUntil": until, "validAfter": after, "signature": signature,
        });
        let data = call("encodePaymasterData", &[Some(&grant.to_string())]).unwrap();
        self.request["paymasterData"] = serde_json::from_str(&data).unwrap();
    }

    /// What `signable` answers for the honest reply.
    #[must_use]
    pub fn answer(&self) -> Value {
        ask("signable", &[&self.request, &self.reply(), &self.place, &Value::Null]).unwrap()
    }

    /// The case in which the service gives this reply.
    #[must_use]
    pub fn replied(self, altered: Value, judgement: Judgement) -> Case {
        self.attacked(json!({ "reply": altered }), judgement)
    }

    /// The case in which the service gives this text as its reply.
    #[must_use]
    pub fn replied_text(self, altered: String, path: &str) -> Case {
        self.attacked(json!({ "replyText": altered }), Judgement::refused(path))
    }

    /// The case of an attack on the exchange.
    #[must_use]
    pub fn attacked(self, attack: Value, judgement: Judgement) -> Case {
        let reply = self.reply();
        let exchange = json!({ "request": self.request, "where": self.place, "reply": reply });
        Case { exchange, attack, judgement }
    }

    /// The case of an attack on a document of a second device.
    #[must_use]
    pub fn compared(self, key: &str, honest: Value, attack: Value, judgement: Judgement) -> Case {
        let mut case = self.attacked(attack, judgement);
        case.exchange[key] = honest;
        case
    }
}

/// The place at a path with dots, which is made if its key is absent.
pub(crate) fn at<'a>(document: &'a mut Value, path: &str) -> &'a mut Value {
    path.split('.').fold(document, |place, key| match key.parse::<usize>() {
        Ok(index) => &mut place[index],
        Err(_) => &mut place[key],
    })
}

/// The document with another value at a path.
pub(crate) fn with(mut document: Value, path: &str, value: impl Into<Value>) -> Value {
    *at(&mut document, path) = value.into();
    document
}

/// Takes the value at a path out of a document.
pub(crate) fn remove(document: &mut Value, path: &str) -> Value {
    let (object, key) = match path.rsplit_once('.') {
        Some((parent, key)) => (at(document, parent), key),
        None => (document, path),
    };
    object.as_object_mut().unwrap().remove(key).unwrap_or_default()
}

/// The call of a token that moves an amount.
pub(crate) fn transfer(to: &str, amount: u64) -> String {
    format!("0xa9059cbb{}{}", word(to), number(amount))
}

/// An address as an argument of a contract call, without `0x`.
#[must_use]
pub fn word(address: &str) -> String {
    format!("{:0>64}", address[2..].to_ascii_lowercase())
}

/// A number as an argument of a contract call.
#[must_use]
pub fn number(number: u64) -> String {
    format!("{number:064x}")
}
