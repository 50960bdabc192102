//! Rules that no schema can express.

use alloc::string::String;

use schemars::{JsonSchema, SchemaGenerator};

use crate::value::keyword;

keyword! {
    /// A rule of the core that no schema can express.
    ///
    /// ```
    /// use sendoff::schema::UnexpressedRule;
    ///
    /// assert_eq!(UnexpressedRule::Checksum.as_str(), "checksum");
    /// ```
    pub enum UnexpressedRule: "a rule that no schema expresses" {
        /// A document's text has at most 1 MiB, is nested at most 64 deep, and has no lone surrogates.
        "text" => Text,
        /// In an object each key occurs once.
        "duplicate" => Duplicate,
        /// An integer is checked by all of its digits, not by the double that it is rounded to.
        "digits" => Digits,
        /// An address in mixed case has the checksum of ERC-55.
        "checksum" => Checksum,
        /// A decimal of 78 digits is at most 2^256−1.
        "decimal" => Decimal,
        /// In an estimate request the tip is not above the cap.
        "tip" => Tip,
        /// The recipient of an estimate request is not the `userSWA` of the facts.
        "recipient" => Recipient,
        /// A fee payer in an estimate request needs `sponsorshipEnabled` in the facts.
        "fee-payer" => FeePayer,
        /// The fees in the facts name only the chain of the estimate request.
        "fee-chain" => FeeChain,
        /// `checkDocument` refuses names and symbols that sentences leave out.
        "names" => Names,
        /// `signable` answers only if the reply matches the request and the deployment.
        "reply" => Reply,
        /// Hex that is decoded has the encoder's layout.
        "layout" => Layout,
        /// `readNonce` refuses a nonce of another key than the job's.
        "nonce-key" => NonceKey,
        /// `unitsOf` refuses zero, an amount that is finer than the smallest unit, and one above 2^256−1.
        "units" => Units,
        /// `userOpHash` with 0.8 or 0.9 refuses the marker of an EIP-7702 account as `factory`.
        "factory" => Factory,
        /// `userOpHash` with 0.9 refuses a paymaster signature that is longer than the data before it.
        "paymaster-signature" => PaymasterSignature,
        /// `maxCost` refuses gas values of more than 120 bits, as the EntryPoint does, and `replacementFees` such fees.
        "gas" => Gas,
        /// The lower bound of a gas limit is not above the upper bound.
        "gas-bounds" => GasBounds,
        /// A submission starts with the step `sent`, each later step is for the same job, and at most 16 operations are
        /// replaced.
        "submission" => Submission,
        /// The hashes of a submission differ, whatever their letter case.
        "replaced" => Replaced,
        /// In a catalogue and its steps, chains are of the namespace `eip155`; each chain, token and collection is in the
        /// catalogue once, and the chain of each token and collection is one of its chains.
        "catalogue" => Catalogue,
        /// `catalogueStep` refuses steps that the catalogue does not allow, and those about entries that it does not have.
        "catalogue-step" => CatalogueStep,
        /// A cost is at most the policy's limit.
        "cost" => Cost,
        /// A plan has at most 100,000 entries, and does not go past the latest time.
        "plan" => Plan,
        /// The script's numbers are possible under the policy.
        "script" => Script,
        /// The path parameters are those of the operation.
        "parameters" => Parameters,
    }
}

impl UnexpressedRule {
    /// Returns every rule, one line each.
    #[must_use]
    pub fn list() -> String {
        let schema = Self::json_schema(&mut SchemaGenerator::default());
        let text =
            schema.get("description").and_then(serde_json::Value::as_str).unwrap_or_default();
        text.split_once('\n').map_or(text, |(_, list)| list).into()
    }
}
