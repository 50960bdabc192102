//! An honest exchange that a class changes.

use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sendoff::json::call;
use serde_json::{Map, Value, json};

use crate::case::signable;
use crate::signed::{Key, Signed};
use crate::{Attack, Case, Chance, Judgement, Reply};

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

    /// Replaces the intent by another one on the same chain.
    pub fn set_details(&mut self, details: Value) {
        let chain = self.request["details"]["caip2Id"].clone();
        self.request["details"] = details;
        self.request["details"]["caip2Id"] = chain;
    }

    /// Replaces the transactions of a raw transaction by transfers of a token, or of the native token.
    pub fn set_transfers(&mut self, count: usize, chance: &mut Chance) {
        let transactions: Vec<_> = (0..count).map(|_| self.transfer(chance)).collect();
        self.request["details"]["transactions"] = transactions.into();
    }

    fn transfer(&self, chance: &mut Chance) -> Value {
        let (data, value) = if chance.is_head() {
            let transfer =
                ["a9059cbb".to_owned(), word(&chance.address()), number(chance.number() >> 1)];
            (format!("0x{}", transfer.concat()), "0x0".to_owned())
        } else {
            ("0x".to_owned(), chance.quantity())
        };
        json!({ "from": self.facts["userSWA"], "to": chance.address(), "data": data, "value": value })
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
        signable(&self.request, &self.reply().to_string(), &self.place, None).unwrap()
    }

    /// The EntryPoint of the deployment, the second argument of `userOpHash`.
    #[must_use]
    pub fn entry_point(&self) -> Value {
        let keys = ["entryPoint", "chainId", "version", "gasFeeOrder"];
        Map::from_iter(keys.map(|key| (key.to_owned(), self.place[key].clone()))).into()
    }

    /// The case in which the service replies this.
    #[must_use]
    pub fn replied(self, altered: Value, judgement: Judgement) -> Case {
        self.attacked(
            Attack { reply: Some(Reply::Document(altered)), ..Attack::default() },
            judgement,
        )
    }

    /// The case in which the service replies this text.
    #[must_use]
    pub fn replied_text(self, altered: String, judgement: Judgement) -> Case {
        self.attacked(Attack { reply: Some(Reply::Text(altered)), ..Attack::default() }, judgement)
    }

    #[must_use]
    pub fn attacked(self, attack: Attack, judgement: Judgement) -> Case {
        let reply = self.reply();
        Case {
            request: self.request,
            place: self.place,
            reply,
            signed: None,
            challenge: None,
            attack,
            judgement,
        }
    }

    /// The case in which a second device is given another signature than the key's.
    #[must_use]
    pub(crate) fn signed(self, key: &Key, altered: Signed, reason: &'static str) -> Case {
        let honest =
            Signed { signature: key.sign(&self.answer()["digest"]), signer: key.address() };
        let attack = Attack { signed: Some(altered), ..Attack::default() };
        Case { signed: Some(honest), ..self.attacked(attack, Judgement::NotSigned { reason }) }
    }

    /// The case in which a second device has chosen a challenge, and compares a code.
    #[must_use]
    pub fn challenged(self, challenge: String, attack: Attack, judgement: Judgement) -> Case {
        Case { challenge: Some(challenge), ..self.attacked(attack, judgement) }
    }
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
