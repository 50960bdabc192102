//! Tests of sentences.

use super::super::{ContractCall, Intent, MoveArgument, RawTransaction, Transaction, Transactions};
use super::*;
use crate::abi::{Item, encode};
use alloc::{format, vec::Vec};
use primitive_types::H160;

const FROM: &str = "0x1111111111111111111111111111111111111111";
const TO: &str = "0x2222222222222222222222222222222222222222";
const TOKEN: &str = "0x3333333333333333333333333333333333333333";

fn names() -> Names {
    r#"{
        "chains": [{ "caip2Id": "eip155:137", "name": "Polygon" }],
        "tokens": [
            { "caip2Id": "eip155:137", "tokenAddress": "", "symbol": "POL", "decimals": 18 },
            { "caip2Id": "eip155:137", "tokenAddress": "0x3333333333333333333333333333333333333333",
              "symbol": "USDC", "decimals": 6 }
        ]
    }"#
    .parse()
    .unwrap()
}

fn address(byte: u8) -> Item<'static> {
    Item::Address(H160([byte; 20]))
}

fn uint(number: U256) -> Item<'static> {
    Item::Uint(number)
}

/// The sentence about a call of the contract `TOKEN`, from its selector on.
fn said(selector: &str, values: &[Item<'_>], names: &Names) -> String {
    let data: Vec<u8> = [&hex::decode(selector).unwrap()[..], &encode(values)].concat();
    let (call, _) = ContractCall::recognize(&data).unwrap();
    let transaction = Transaction {
        data: data.into(),
        from: FROM.parse().unwrap(),
        to: TOKEN.parse().unwrap(),
        value: "0x0".parse().unwrap(),
    };

    let list = Transactions::new(alloc::vec![transaction]).unwrap();
    let intent = Intent::RawTransaction(RawTransaction {
        caip2_id: "eip155:137".parse().unwrap(),
        transactions: list,
    });
    let moves = intent.moves(&FROM.parse().unwrap());
    let sentence =
        moves[0].sentence(IntentType::RawTransaction, &"eip155:137".parse().unwrap(), names);
    let start = format!("{FROM} calls {} of the contract {TOKEN} on ", call.signature());
    let (on, effect) = sentence.strip_prefix(&start).unwrap().split_once(": ").unwrap();

    assert_eq!(on, &Known::of(names).chain(&"eip155:137".parse().unwrap()));
    effect.into()
}

#[test]
fn each_known_call_has_a_sentence_about_its_effect() {
    let (some, none) = (names(), Names::default());
    let (five, most) = (U256::from(5_000_000), U256::MAX);
    let (to, zero) = (address(0x22), U256::zero());
    let word = || Item::Uint(7.into());
    let two = |selector, number| (selector, alloc::vec![address(0x22), uint(number)]);

    for ((selector, values), known, unknown) in [
        (
            two("a9059cbb", five),
            "5 USDC (5000000 units) go from FROM to TO.",
            "NFT 5000000, or 5000000 units, go from FROM to TO.",
        ),
        (
            two("a9059cbb", U256::one()),
            "0.000001 USDC (1 unit) go from FROM to TO.",
            "NFT 1, or 1 unit, goes from FROM to TO.",
        ),
        (
            ("23b872dd", alloc::vec![address(0x11), address(0x22), uint(five)]),
            "5 USDC (5000000 units) go from FROM to TO.",
            "NFT 5000000, or 5000000 units, go from FROM to TO.",
        ),
        (
            ("42842e0e", alloc::vec![address(0x11), address(0x22), uint(57.into())]),
            "NFT 57 goes from FROM to TO.",
            "NFT 57 goes from FROM to TO.",
        ),
        (
            two("095ea7b3", five),
            "TO may take 5 USDC (5000000 units).",
            "TO may take NFT 5000000, or 5000000 units.",
        ),
        (two("095ea7b3", zero), "TO may take nothing.", "TO may take NFT 0, or nothing."),
        (
            two("095ea7b3", U256::one() << 255),
            "TO may take an unlimited amount.",
            "TO may take NFT 57896044618658097711785492504343953926634992332820282019728792003956564819968, or an \
            unlimited amount.",
        ),
        (
            two("095ea7b3", (U256::one() << 64) - 1),
            "TO may take an unlimited amount, 18446744073709.551615 USDC (18446744073709551615 units).",
            "TO may take NFT 18446744073709551615, or an unlimited amount, 18446744073709551615 units.",
        ),
        (
            two("39509351", most),
            "TO may take more than before, by an unlimited amount.",
            "TO may take more than before, by an unlimited amount.",
        ),
        (
            two("a457c2d7", five),
            "TO may take less than before, by 5 USDC (5000000 units).",
            "TO may take less than before, by 5000000 units.",
        ),
        (
            ("a22cb465", alloc::vec![to, Item::Bool(true)]),
            "TO may take everything of FROM.",
            "TO may take everything of FROM.",
        ),
        (
            ("a22cb465", alloc::vec![address(0x22), Item::Bool(false)]),
            "TO may take nothing of FROM.",
            "TO may take nothing of FROM.",
        ),
        (
            (
                "d505accf",
                alloc::vec![
                    address(0x11),
                    address(0x22),
                    uint(five),
                    uint(9.into()),
                    uint(27.into()),
                    word(),
                    word()
                ],
            ),
            "TO may take 5 USDC (5000000 units) of FROM, with no end; the signature must be used before 9 (Unix time).",
            "TO may take 5000000 units of FROM, with no end; the signature must be used before 9 (Unix time).",
        ),
        (
            (
                "8fcbaf0c",
                alloc::vec![
                    address(0x11),
                    address(0x22),
                    uint(five),
                    uint(zero),
                    Item::Bool(true),
                    uint(27.into()),
                    word(),
                    word()
                ],
            ),
            "TO may take an unlimited amount of FROM, with no end; the signature can be used without end.",
            "TO may take an unlimited amount of FROM, with no end; the signature can be used without end.",
        ),
        (
            ("87517c45", alloc::vec![address(0x33), address(0x22), uint(five), uint(zero)]),
            "TO may take 5 USDC (5000000 units) of the token TOKEN, in this block only.",
            "TO may take 5000000 units of the token TOKEN, in this block only.",
        ),
        (
            (
                "87517c45",
                alloc::vec![
                    address(0x33),
                    address(0x22),
                    uint((U256::one() << 160) - 1),
                    uint(9.into())
                ],
            ),
            "TO may take an unlimited amount of the token TOKEN, until 9 (Unix time).",
            "TO may take an unlimited amount of the token TOKEN, until 9 (Unix time).",
        ),
        (
            ("87517c45", alloc::vec![address(0x33), address(0x22), uint(five), uint(9.into())]),
            "TO may take 5 USDC (5000000 units) of the token TOKEN, until 9 (Unix time).",
            "TO may take 5000000 units of the token TOKEN, until 9 (Unix time).",
        ),
        (
            ("f2fde38b", alloc::vec![address(0x22)]),
            "TO becomes its owner.",
            "TO becomes its owner.",
        ),
        (("715018a6", alloc::vec![]), "it has no owner any more.", "it has no owner any more."),
        (
            ("3659cfe6", alloc::vec![address(0x22)]),
            "its code becomes that of TO.",
            "its code becomes that of TO.",
        ),
    ] {
        let full = |text: &str| {
            text.replace("FROM", FROM)
                .replace("TOKEN", TOKEN)
                .replace("TO ", &format!("{TO} "))
                .replace("TO.", &format!("{TO}."))
        };
        assert_eq!(said(selector, &values, &some), full(known));
        assert_eq!(said(selector, &values, &none), full(unknown));
    }
}

#[test]
fn each_template_names_arguments_that_its_function_has() {
    for (names, effect) in super::super::contract_function::effects() {
        for place in effect.split(['{', '}']).skip(1).step_by(2) {
            let name = place.split(':').next().unwrap();
            assert!(
                name == "caller" || names.split(',').any(|known| known == name),
                "{place} of {effect}"
            );
        }
    }
}

#[test]
fn moves_that_programs_make_have_a_sentence() {
    let call = |function: &str, arguments: &[(&str, &str)]| {
        let argument = |(name, value): &(&str, &str)| MoveArgument {
            name: (*name).into(),
            value: (*value).into(),
        };
        let of = |text: &str| text.parse().unwrap();
        let arguments = arguments.iter().map(argument).collect();
        let (from, to) = (of(FROM), of(TOKEN));
        let one = Move::Function {
            from,
            to,
            value: "0x5".parse().unwrap(),
            function: function.into(),
            arguments,
        };
        one.sentence(IntentType::RawTransaction, &"eip155:1".parse().unwrap(), &Names::default())
    };

    let start = |function| {
        format!(
            "{FROM} calls {function} of the contract {TOKEN} on eip155:1, and sends 0.000000000000000005 of the chain's coin (5 wei): "
        )
    };
    assert_eq!(call("f(bool)", &[("a", "true"), ("b", "2")]), start("f(bool)") + "a true, b 2.");
    let transfer = "transfer(address,uint256)";
    assert_eq!(
        call(transfer, &[("to", TO), ("amount", "x")]),
        start(transfer) + &format!("to {TO}, amount x.")
    );
}
