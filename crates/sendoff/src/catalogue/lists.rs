//! The records of the service's lists.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::{Catalogue, CatalogueName};
use crate::document::document;
use crate::value::TokenAddress;

document! {
    /// A record of `GET /api/v1/supported/networks`: an enabled chain.
    ///
    /// The specification does not show the records. These are the fields of the service's public examples.
    pub struct Network: "", open Ignored, displayed by nobody {
        /// The chain's name.
        "network_name" => pub network_name: CatalogueName,
        /// The reference of the chain's CAIP-2 id, such as `137`.
        "chain_id" => pub chain_id: String,
    }
}

document! {
    /// A record of `GET /api/v1/supported/tokens`: a whitelisted token of an enabled chain.
    pub struct ListedToken: "", open Ignored, displayed by nobody {
        /// The token's name.
        "token_name" => pub token_name: CatalogueName,
        /// Its contract; empty for the native token.
        "token_address" => pub token_address: TokenAddress,
        /// The name of its chain.
        "network_name" => pub network_name: CatalogueName,
    }
}

impl Catalogue {
    /// Returns the enabled chains, in the catalogue's order.
    ///
    /// ```
    /// use sendoff::catalogue::Catalogue;
    ///
    /// let catalogue: Catalogue = r#"{"chains":[
    ///     { "caip2Id": "eip155:1", "name": "ETHEREUM", "net": "main" },
    ///     { "caip2Id": "eip155:137", "name": "POLYGON", "net": "main", "enabled": true }
    /// ]}"#.parse()?;
    /// let networks = catalogue.networks();
    /// assert_eq!((networks.len(), &*networks[0].chain_id), (1, "137"));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn networks(&self) -> Vec<Network> {
        let enabled = self.known_chains().iter().filter(|chain| chain.enabled);
        let network = |chain: &super::KnownChain| Network {
            network_name: chain.name.clone(),
            chain_id: chain.caip2_id.reference(),
        };
        enabled.map(network).collect()
    }

    /// Returns the whitelisted tokens of the enabled chains, in the catalogue's order.
    ///
    /// ```
    /// use sendoff::catalogue::Catalogue;
    ///
    /// let catalogue: Catalogue = r#"{
    ///     "chains": [{ "caip2Id": "eip155:137", "name": "POLYGON", "net": "main", "enabled": true }],
    ///     "tokens": [{ "caip2Id": "eip155:137", "tokenAddress": "", "name": "POL", "whitelisted": true }]
    /// }"#.parse()?;
    /// assert_eq!(catalogue.tokens()[0].network_name.as_str(), "POLYGON");
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn tokens(&self) -> Vec<ListedToken> {
        let chains = self.known_chains().iter().filter(|chain| chain.enabled);
        // One by one: `collect` would bring the sorting of the standard library into the modules.
        let mut names = BTreeMap::new();
        names.extend(chains.map(|chain| (&chain.caip2_id, &chain.name)));

        let listed = self.known_tokens().iter().filter(|token| token.whitelisted);
        let listed = listed.filter_map(|token| {
            Some(ListedToken {
                token_name: token.name.clone(),
                token_address: token.token_address,
                network_name: CatalogueName::clone(names.get(&token.caip2_id)?),
            })
        });
        listed.collect()
    }
}
