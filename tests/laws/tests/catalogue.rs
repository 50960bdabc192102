//! Laws of catalogues: steps, lists and permissions are those of a model in maps.

use std::collections::BTreeMap;
use std::mem;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use sendoff::catalogue::{
    Asset, Catalogue, CatalogueName, CatalogueStep, Disabling, KnownChain, KnownCollection,
    KnownToken, Net, NotPermitted, advance,
};
use sendoff::intent::Intent;
use sendoff::value::{Address, ChainId, TokenAddress};
use serde_json::json;

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

fn asset() -> impl Strategy<Value = Asset> {
    prop_oneof![
        1 => Just(Asset::Token(TokenAddress::NATIVE)),
        3 => address().prop_map(|address| Asset::Token(address.into())),
        4 => address().prop_map(Asset::Collection),
    ]
}

fn step() -> impl Strategy<Value = CatalogueStep> {
    prop_oneof![
        1 => chain().prop_map(CatalogueStep::Enable),
        1 => chain().prop_map(CatalogueStep::Disable),
        3 => (chain(), asset()).prop_map(|(chain, asset)| CatalogueStep::Whitelist(chain, asset)),
        1 => (chain(), asset()).prop_map(|(chain, asset)| CatalogueStep::Remove(chain, asset)),
    ]
}

/// A catalogue as maps: what is enabled, and what is whitelisted.
#[derive(Clone, Debug)]
struct Model {
    disable: Disabling,
    chains: BTreeMap<ChainId, bool>,
    assets: BTreeMap<(ChainId, Asset), bool>,
}

fn model() -> impl Strategy<Value = Model> {
    let disable = prop_oneof![Just(Disabling::Never), Just(Disabling::Allowed)];
    let chains = prop::collection::btree_map(chain(), any::<bool>(), 0..5);
    let assets = prop::collection::btree_map((chain(), asset()), any::<bool>(), 0..24);
    (disable, chains, assets).prop_map(|(disable, chains, mut assets)| {
        assets.retain(|(chain, _), _| chains.contains_key(chain));
        Model { disable, chains, assets }
    })
}

fn name_of(chain: &ChainId) -> CatalogueName {
    format!("the chain {chain}").parse().unwrap()
}

impl Model {
    fn catalogue(&self) -> Catalogue {
        let chain = |(caip2_id, enabled): (&ChainId, &bool)| KnownChain {
            caip2_id: caip2_id.clone(),
            name: name_of(caip2_id),
            net: Net::Main,
            enabled: *enabled,
        };
        let (mut tokens, mut collections) = (vec![], vec![]);
        for ((caip2_id, asset), whitelisted) in &self.assets {
            let (caip2_id, whitelisted) = (caip2_id.clone(), *whitelisted);
            match *asset {
                Asset::Token(token_address) => {
                    let name = "T".parse().unwrap();
                    tokens.push(KnownToken { caip2_id, token_address, name, whitelisted });
                }
                Asset::Collection(collection_address) => {
                    collections.push(KnownCollection { caip2_id, collection_address, whitelisted });
                }
            }
        }
        let chains = self.chains.iter().map(chain).collect();
        Catalogue::new(self.disable, chains, tokens, collections).unwrap()
    }

    /// Whether a step changes something, or the path of its issue.
    fn advance(&mut self, step: &CatalogueStep) -> Result<bool, &'static str> {
        let takes = matches!(step, CatalogueStep::Disable(_) | CatalogueStep::Remove(..));
        if takes && self.disable == Disabling::Never {
            return Err("step.type");
        }
        let chain = step.chain();
        let enabled = self.chains.get_mut(chain).ok_or("step.caip2Id")?;
        let flag = match step.asset() {
            None => enabled,
            Some(_) if !takes && !*enabled => return Err("step.caip2Id"),
            Some(asset) => self.assets.get_mut(&(chain.clone(), asset)).ok_or(match asset {
                Asset::Token(_) => "step.tokenAddress",
                Asset::Collection(_) => "step.collectionAddress",
            })?,
        };
        Ok(mem::replace(flag, !takes) == takes)
    }

    /// Whether a chain is enabled, and what is asked for is whitelisted there.
    fn permits(&self, chain: &ChainId, asset: Option<Asset>) -> Result<(), NotPermitted> {
        let is_enabled = self.chains.get(chain) == Some(&true);
        let is_listed = |asset| self.assets.get(&(chain.clone(), asset)) == Some(&true);
        if is_enabled && asset.is_none_or(is_listed) {
            return Ok(());
        }
        Err(NotPermitted { chain: chain.clone(), asset: asset.filter(|_| is_enabled) })
    }
}

/// An intent that moves this asset, or a raw transaction.
fn intent(chain: &ChainId, asset: Option<Asset>) -> Intent {
    let to = "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2";
    let (kind, mut details) = match asset {
        Some(Asset::Token(token)) => ("TOKEN_TRANSFER", json!({ "tokenAddress": token })),
        Some(Asset::Collection(it)) => {
            ("NFT_TRANSFER", json!({ "collectionAddress": it, "nftId": "1", "nftType": "ERC721" }))
        }
        None => {
            let transaction = json!({ "from": to, "to": to, "data": "0x", "value": "0x1" });
            ("RAW_TRANSACTION", json!({ "transactions": [transaction] }))
        }
    };
    details["caip2Id"] = json!(chain);
    if asset.is_some() {
        (details["recipientWalletAddress"], details["amount"]) = (to.into(), "1".into());
    }
    json!({ "type": kind, "details": details }).to_string().parse().unwrap()
}

proptest! {
    #[test]
    fn steps_lists_and_permissions_are_those_of_the_model(
        mut model in model(), steps in prop::collection::vec((step(), chain(), asset()), 1..20),
    ) {
        let mut catalogue = model.catalogue();
        for (step, chain, asset) in steps {
            match advance(catalogue.clone(), &step) {
                Ok(progress) => {
                    prop_assert_eq!(Ok(progress.changed), model.advance(&step));
                    catalogue = progress.catalogue;
                }
                Err(error) => {
                    let paths: Vec<_> = error.issues().iter().map(|issue| &*issue.path).collect();
                    prop_assert_eq!(paths, [model.advance(&step).unwrap_err()]);
                }
            }
            prop_assert_eq!(&catalogue, &model.catalogue());

            let is_on = |chain: &ChainId| model.chains.get(chain) == Some(&true);
            let networks = catalogue.networks().into_iter().map(|network| network.chain_id);
            let enabled = model.chains.keys().filter(|chain| is_on(chain));
            prop_assert!(networks.eq(enabled.map(ChainId::reference)));
            let tokens = catalogue.tokens().into_iter();
            let tokens = tokens.map(|token| (token.network_name, token.token_address));
            let listed = model.assets.iter().filter_map(|((chain, asset), listed)| match asset {
                Asset::Token(token) if *listed && is_on(chain) => Some((name_of(chain), *token)),
                _ => None,
            });
            prop_assert!(tokens.eq(listed));

            for asset in [None, Some(asset)] {
                prop_assert_eq!(catalogue.permits(&intent(&chain, asset)), model.permits(&chain, asset));
            }
        }
    }
}

/// As many entries as a catalogue may have. A search for each entry through all others would take minutes.
#[test]
fn the_largest_catalogue_is_checked_fast() {
    let chain = |at: usize| -> ChainId {
        format!("eip155:{}", at % Catalogue::MOST_CHAINS + 1).parse().unwrap()
    };
    // Addresses that begin alike, so that no part of them tells them apart early.
    let address =
        |at: usize| -> Address { format!("0x{}{at:08x}", "ab".repeat(16)).parse().unwrap() };
    let token = |at| ((chain(at), Asset::Token(address(at).into())), true);
    let collection = |at| ((chain(at), Asset::Collection(address(at))), false);
    let collections = (0..Catalogue::MOST_COLLECTIONS).map(collection);
    let model = Model {
        disable: Disabling::Allowed,
        chains: (0..Catalogue::MOST_CHAINS).map(|at| (chain(at), true)).collect(),
        assets: (0..Catalogue::MOST_TOKENS).map(token).chain(collections).collect(),
    };

    let begin = Instant::now();
    let catalogue = model.catalogue();
    assert_eq!((catalogue.networks().len(), catalogue.tokens().len()), (1_000, 10_000));
    let ((chain, last), _) = collection(Catalogue::MOST_COLLECTIONS - 1);
    let progress = advance(catalogue, &CatalogueStep::Whitelist(chain.clone(), last)).unwrap();
    assert!(progress.changed && progress.catalogue.permits(&intent(&chain, Some(last))).is_ok());

    // An unoptimized build on a busy machine takes a fraction of this.
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    println!("{:?}", begin.elapsed());
}
