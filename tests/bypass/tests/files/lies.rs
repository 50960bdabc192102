//! The pocket service tells every class of what a reply can carry: a lie of the class's name, or
//! one that is the same.

use bypass::{Class, Originals, all};
use sendoff_sandbox::lies;

/// Classes, and the lies that are the same.
const SAME: [(&str, &str); 32] = [
    ("account-swapped", "user-swapped"),
    ("amount-changed", "amount-raised"),
    ("another-json-type", "field-null"),
    ("application-swapped", "client-swapped"),
    ("application-swapped-in-the-bytes", "client-in-the-bytes"),
    ("approval-for-transfer", "approval-instead"),
    ("call-cut-short", "call-data-cut"),
    ("call-starved", "call-gas-starved"),
    ("called-contract-swapped", "job-manager-swapped"),
    ("cost-above-the-most", "gas-raised"),
    ("duplicate-key", "key-twice"),
    ("field-left-out", "field-missing"),
    ("field-that-nobody-compared", "recipient-in-the-text"),
    ("gas-moved-to-the-bundler", "gas-raised"),
    ("job-swapped-in-the-bytes", "job-in-the-bytes"),
    ("key-added-to-the-intent", "key-in-the-payload"),
    ("limit-inflated", "gas-raised"),
    ("native-for-token", "asset-swapped"),
    ("nft-swapped", "asset-swapped"),
    ("number-as-json-number", "number-for-text"),
    ("policies-shown-other-than-signed", "policies-shown"),
    ("quantity-in-another-form", "decimal-for-hex"),
    ("recipient-ignored-by-the-encoder", "recipient-in-the-bytes"),
    ("recipient-inside-a-batch", "recipient-swapped"),
    ("shown-right-signed-wrong", "recipient-in-the-bytes"),
    ("signed-right-shown-wrong", "recipient-in-the-text"),
    ("sponsorship-switched", "policies-switched"),
    ("sponsorship-without-a-policy", "policies-shown"),
    ("token-swapped", "asset-swapped"),
    ("type-without-rules", "intent-type-swapped"),
    ("unfinished-as-finished", "status-failure"),
    ("user-swapped-in-the-bytes", "user-in-the-bytes"),
];

/// Whether a reply alone carries cases of a class, or a list. No list of the service has decimals.
fn is_carried(class: &Class) -> bool {
    let carries = |seed| {
        let case = class.case(&Originals::of(class.kind(seed)).at(seed), seed);
        let documents: Vec<_> = case.attack.as_object().unwrap().keys().cloned().collect();
        ["reply", "replyText", "names"].iter().any(|document| documents == [*document])
    };
    class.name != "decimals-out-of-range" && (0..12).any(carries)
}

#[test]
fn each_class_that_a_reply_can_carry_is_a_lie() {
    let carried: Vec<_> = all().filter(|class| is_carried(class)).map(|class| class.name).collect();
    assert!(SAME.iter().all(|(class, _)| carried.contains(class)), "a name that no class has");
    for class in carried {
        let lie = SAME.iter().find(|(same, _)| *same == class).map_or(class, |(_, lie)| *lie);
        assert!(lies().any(|known| known.name == lie), "no lie is `{class}`");
    }
}
