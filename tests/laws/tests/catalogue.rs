//! Laws of catalogues: a step says what it does and forgets nothing, and a permission agrees with
//! the lists.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use sendoff::catalogue::{
    Asset, Catalogue, CatalogueName, CatalogueStep, Disabling, KnownChain, KnownCollection,
    KnownToken, Net, advance,
};
use sendoff::intent::Intent;
use sendoff::value::{Address, ChainId, TokenAddress};
use serde_json::{Value, json};

/// A few chains and addresses, so that steps often meet entries.
fn chain() -> impl Strategy<Value = ChainId> {
    (1_u64..5).prop_map(|number| format!("eip155:{number}").parse().unwrap())
}

fn address() -> impl Strategy<Value = Address> {
    (0_u8..4, any::<bool>()).prop_map(|(digit, is_upper)| {
        let digits = format!("ab{digit}").repeat(13) + "c";
        format!("0x{}", if is_upper { digits.to_uppercase() } else { digits }).parse().unwrap()
    })
}

fn token() -> impl Strategy<Value = TokenAddress> {
    prop_oneof![1 => Just(TokenAddress::NATIVE), 3 => address().prop_map(Into::into)]
}

fn asset() -> impl Strategy<Value = Asset> {
    prop_oneof![token().prop_map(Asset::Token), address().prop_map(Asset::Collection)]
}

fn step() -> impl Strategy<Value = CatalogueStep> {
    prop_oneof![
        1 => chain().prop_map(CatalogueStep::Enable),
        1 => chain().prop_map(CatalogueStep::Disable),
        3 => (chain(), asset()).prop_map(|(chain, asset)| CatalogueStep::Whitelist(chain, asset)),
        1 => (chain(), asset()).prop_map(|(chain, asset)| CatalogueStep::Remove(chain, asset)),
    ]
}

fn catalogue() -> impl Strategy<Value = Catalogue> {
    let chains = prop::collection::btree_map(chain(), any::<[bool; 2]>(), 0..5);
    let tokens = prop::collection::btree_map((0_usize..8, token()), any::<bool>(), 0..12);
    let collections = prop::collection::btree_map((0_usize..8, address()), any::<bool>(), 0..12);
    let disable = prop_oneof![Just(Disabling::Never), Just(Disabling::Allowed)];
    (disable, chains, tokens, collections).prop_map(|(disable, chains, tokens, collections)| {
        // Those of chains that it does not have are left out.
        let ids: Vec<ChainId> = chains.keys().cloned().collect();
        let chains = chains.into_iter().map(|(caip2_id, [enabled, is_main])| KnownChain {
            name: format!("the chain {caip2_id}").parse().unwrap(),
            caip2_id,
            net: if is_main { Net::Main } else { Net::Test },
            enabled,
        });
        let name: CatalogueName = "T".parse().unwrap();
        let tokens = tokens.into_iter().filter_map(|((at, token_address), whitelisted)| {
            let caip2_id = ids.get(at)?.clone();
            Some(KnownToken { caip2_id, token_address, name: name.clone(), whitelisted })
        });
        let collections =
            collections.into_iter().filter_map(|((at, collection_address), whitelisted)| {
                let caip2_id = ids.get(at)?.clone();
                Some(KnownCollection { caip2_id, collection_address, whitelisted })
            });
        Catalogue::new(disable, chains.collect(), tokens.collect(), collections.collect()).unwrap()
    })
}

/// An intent that moves this asset.
fn intent(chain: &ChainId, asset: Asset) -> Intent {
    let recipient = "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2";
    let intent = match asset {
        Asset::Token(token) => json!({"type": "TOKEN_TRANSFER", "details": {
            "caip2Id": chain, "recipientWalletAddress": recipient, "tokenAddress": token, "amount": "1",
        }}),
        Asset::Collection(collection) => json!({"type": "NFT_TRANSFER", "details": {
            "caip2Id": chain, "recipientWalletAddress": recipient, "collectionAddress": collection, "amount": "1",
            "nftId": "1", "nftType": "ERC721",
        }}),
    };
    intent.to_string().parse().unwrap()
}

fn raw(chain: &ChainId) -> Intent {
    let transaction = json!({
        "from": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2", "to": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
        "data": "0x", "value": "0x1",
    });
    let intent = json!({"type": "RAW_TRANSACTION", "details": {"caip2Id": chain, "transactions": [transaction]}});
    intent.to_string().parse().unwrap()
}

/// The entries without their flags, and the flags in their order.
fn parts(catalogue: &Catalogue) -> (Vec<String>, Vec<bool>) {
    let mut value = serde_json::to_value(catalogue).unwrap();
    let lists = value.as_object_mut().unwrap().values_mut().filter_map(Value::as_array_mut);
    let entries = lists.flatten().map(|entry| {
        let flags =
            ["enabled", "whitelisted"].map(|flag| entry.as_object_mut().unwrap().remove(flag));
        (entry.to_string(), flags.contains(&Some(true.into())))
    });
    entries.unzip()
}

proptest! {
    #[test]
    fn a_step_changes_one_flag_at_most_and_no_entry(catalogue in catalogue(), step in step()) {
        let Ok(progress) = advance(catalogue.clone(), &step) else { return Ok(()) };

        let ((before, flags), (after, others)) = (parts(&catalogue), parts(&progress.catalogue));
        prop_assert_eq!(after, before);
        prop_assert_eq!(progress.catalogue.disable(), catalogue.disable());
        let changes = flags.into_iter().zip(others).filter(|(a, b)| a != b).count();
        prop_assert_eq!(changes, usize::from(progress.changed));

        // The same step again changes nothing.
        let again = advance(progress.catalogue.clone(), &step).unwrap();
        prop_assert!(!again.changed);
        prop_assert_eq!(again.catalogue, progress.catalogue);
    }

    #[test]
    fn a_catalogue_that_never_disables_only_grows(catalogue in catalogue(), steps in prop::collection::vec(step(), 0..20)) {
        prop_assume!(catalogue.disable() == Disabling::Never);
        let mut kept = catalogue;
        for step in steps {
            let (_, before) = parts(&kept);
            match advance(kept.clone(), &step) {
                Ok(progress) => kept = progress.catalogue,
                Err(error) => prop_assert_eq!(error.issues().len(), 1),
            }
            prop_assert!(before.into_iter().zip(parts(&kept).1).all(|(before, after)| after || !before));
        }
    }

    #[test]
    fn a_chain_that_is_disabled_hides_its_tokens_and_shows_them_again(catalogue in catalogue(), chain in chain()) {
        let enabled = advance(catalogue, &CatalogueStep::Enable(chain.clone()));
        let Ok(enabled) = enabled.map(|progress| progress.catalogue) else { return Ok(()) };
        let Ok(disabled) = advance(enabled.clone(), &CatalogueStep::Disable(chain.clone())) else { return Ok(()) };

        let name = format!("the chain {chain}");
        prop_assert!(disabled.catalogue.networks().iter().all(|network| network.network_name.as_str() != name));
        prop_assert!(disabled.catalogue.tokens().iter().all(|token| token.network_name.as_str() != name));
        prop_assert!(disabled.catalogue.permits(&raw(&chain)).is_err());

        prop_assert_eq!(advance(disabled.catalogue, &CatalogueStep::Enable(chain)).unwrap().catalogue, enabled);
    }

    #[test]
    fn a_permission_agrees_with_the_lists(catalogue in catalogue(), chain in chain(), asset in asset()) {
        let networks: BTreeSet<_> = catalogue.networks().into_iter().map(|network| network.chain_id).collect();
        let is_enabled = networks.contains(&chain.reference());
        prop_assert_eq!(catalogue.permits(&raw(&chain)).is_ok(), is_enabled);

        let is_listed = match asset {
            Asset::Token(address) => catalogue.tokens().iter().any(|token| {
                token.network_name.as_str() == format!("the chain {chain}") && token.token_address == address
            }),
            Asset::Collection(address) => is_enabled && catalogue.known_collections().iter().any(|known| {
                known.caip2_id == chain && known.collection_address == address && known.whitelisted
            }),
        };
        let permission = catalogue.permits(&intent(&chain, asset));
        prop_assert_eq!(permission.is_ok(), is_listed);
        if let Err(part) = permission {
            prop_assert_eq!(part.asset.is_some(), is_enabled);
        }
    }

    #[test]
    fn what_was_whitelisted_is_permitted(catalogue in catalogue(), chain in chain(), asset in asset()) {
        let Ok(progress) = advance(catalogue, &CatalogueStep::Whitelist(chain.clone(), asset)) else { return Ok(()) };
        prop_assert_eq!(progress.catalogue.permits(&intent(&chain, asset)), Ok(()));

        let removed = advance(progress.catalogue, &CatalogueStep::Remove(chain.clone(), asset));
        if let Ok(removed) = removed {
            prop_assert!(removed.catalogue.permits(&intent(&chain, asset)).is_err());
        }
    }

}

/// As many entries as a catalogue may have. A search for each entry through all others would take minutes.
#[test]
fn the_largest_catalogue_is_checked_fast() {
    let chain = |number: usize| -> ChainId { format!("eip155:{}", number + 1).parse().unwrap() };
    // Addresses that begin alike, so that no part of them tells them apart early.
    let address = |number: usize| -> Address {
        format!("0x{}{number:08x}", "ab".repeat(16)).parse().unwrap()
    };
    let chains = (0..Catalogue::MOST_CHAINS).map(|number| KnownChain {
        caip2_id: chain(number),
        name: "A".parse().unwrap(),
        net: Net::Main,
        enabled: true,
    });
    let tokens = (0..Catalogue::MOST_TOKENS).map(|number| KnownToken {
        caip2_id: chain(number % Catalogue::MOST_CHAINS),
        token_address: address(number).into(),
        name: "T".parse().unwrap(),
        whitelisted: true,
    });
    let collections = (0..Catalogue::MOST_COLLECTIONS).map(|number| KnownCollection {
        caip2_id: chain(number % Catalogue::MOST_CHAINS),
        collection_address: address(number),
        whitelisted: false,
    });
    let (chains, tokens, collections) = (chains.collect(), tokens.collect(), collections.collect());

    let begin = Instant::now();
    let catalogue = Catalogue::new(Disabling::Allowed, chains, tokens, collections).unwrap();
    assert_eq!((catalogue.networks().len(), catalogue.tokens().len()), (1_000, 10_000));
    let last = Asset::Collection(address(Catalogue::MOST_COLLECTIONS - 1));
    let step = CatalogueStep::Whitelist(chain(Catalogue::MOST_CHAINS - 1), last);
    let progress = advance(catalogue, &step).unwrap();
    assert!(progress.changed && progress.catalogue.permits(&intent(step.chain(), last)).is_ok());

    // An unoptimized build on a busy machine takes a fraction of this.
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    println!("{:?}", begin.elapsed());
}
