//! The pocket service tells every class of what a reply can carry: a lie of the class's name, or
//! one that is the same.

use bypass::classes::GROUPS;
use sendoff_sandbox::lies;

/// Groups of which no reply carries anything: the attack is in the request, after the signature, or at a second device.
const ELSEWHERE: [&str; 4] = [
    "Something else is sent, or somewhere else",
    "The request itself is the attack: calls of contracts",
    "The request itself is the attack: recipients and other fields",
    "What a second device compares",
];

/// Their classes that a reply carries: what it adds to an operation is not in the operation that `signable` answers.
const CARRIED: [&str; 3] =
    ["hash-from-the-server", "delegation-in-the-reply", "field-added-to-the-operation"];

/// Classes of which no reply carries anything: the paymaster's data is the request's, what is expected is the client's, and no list
/// has decimals.
const OF_THE_CLIENT: [&str; 4] =
    ["grant-of-another-application", "grant-expired", "nothing-expected", "decimals-out-of-range"];

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

#[test]
fn each_class_that_a_reply_can_carry_is_a_lie() {
    let titles: Vec<_> = GROUPS.iter().map(|group| group.title).collect();
    assert!(ELSEWHERE.iter().all(|title| titles.contains(title)));

    let classes: Vec<_> = GROUPS
        .iter()
        .flat_map(|group| group.classes.iter().map(|class| (group.title, class.name)))
        .filter(|(title, name)| !ELSEWHERE.contains(title) || CARRIED.contains(name))
        .map(|(_, name)| name)
        .collect();
    let named = SAME.iter().map(|(class, _)| class).chain(&OF_THE_CLIENT).chain(&CARRIED);
    assert!(named.into_iter().all(|name| classes.contains(name)), "a name that no class has");

    for class in classes.into_iter().filter(|class| !OF_THE_CLIENT.contains(class)) {
        let lie = SAME.iter().find(|(same, _)| *same == class).map_or(class, |(_, lie)| *lie);
        assert!(lies().any(|known| known.name == lie), "no lie is `{class}`");
    }
}
