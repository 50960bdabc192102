//! The catalogue of an application: the chains, tokens and collections that it may use.
//!
//! A [`Catalogue`] lists what the service knows, and what is enabled for one application. A chain
//! is enabled first; then tokens and collections are whitelisted on it. A disabled chain hides its
//! tokens and collections, and keeps them for the time when it is enabled again.
//!
//! - [`advance`] takes a catalogue and a [`CatalogueStep`], and returns the next catalogue.
//! - [`Catalogue::networks`] and [`Catalogue::tokens`] are the records of the service's two lists.
//! - [`Catalogue::permits`] checks what an intent touches. **A raw transaction only needs its chain**: what it calls is not
//!   checked, so it can move any token on an enabled chain.
//!
//! The service's own dashboard does not disable a chain again, so a catalogue allows that only if
//! it says so ([`Disabling`]).
//!
//! ```
//! use sendoff::catalogue::{Catalogue, advance};
//!
//! let catalogue: Catalogue = r#"{
//!     "chains": [{ "caip2Id": "eip155:137", "name": "POLYGON", "net": "main" }],
//!     "tokens": [{ "caip2Id": "eip155:137", "tokenAddress": "", "name": "POL", "whitelisted": true }]
//! }"#.parse()?;
//! assert!(catalogue.tokens().is_empty());
//!
//! let enable = r#"{ "type": "enable", "caip2Id": "eip155:137" }"#.parse()?;
//! let enabled = advance(catalogue, &enable)?;
//! assert!(enabled.changed);
//! assert_eq!(enabled.catalogue.tokens()[0].token_name.to_string(), "POL");
//! # Ok::<(), sendoff::error::Error>(())
//! ```

mod entry;
mod rules;
mod lists;
mod step;
mod permission;

pub use entry::{CatalogueName, KnownChain, KnownCollection, KnownToken, Net};
pub use lists::{ListedToken, Network};
pub use permission::NotPermitted;
pub(crate) use permission::Permission;
pub use step::{Asset, CatalogueProgress, CatalogueStep, advance};

use alloc::vec::Vec;

use crate::document::{Items, checked, document};
use crate::error::Error;
use crate::value::keyword;

document! {
    /// The chains, tokens and collections that are known, and those that an application may use.
    ///
    /// A chain is in it once, a token or collection once on its chain. Addresses compare without letter case and keep their
    /// spelling.
    ///
    /// ```
    /// use sendoff::catalogue::{Catalogue, Disabling};
    ///
    /// let catalogue: Catalogue = r#"{"chains":[{"caip2Id":"eip155:1","name":"ETHEREUM","net":"main"}]}"#.parse()?;
    /// assert_eq!(catalogue.disable(), Disabling::Never);
    /// assert!(!catalogue.known_chains()[0].enabled);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Catalogue: "a catalogue, an object of `disable`, `chains`, `tokens` and `collections`",
        checked by rules::check_parts
    {
        /// Whether chains can be disabled, and tokens and collections removed; absent in JSON means `never`.
        "disable" => disable: Disabling = Disabling::Never,
        /// The known chains, at most 1,000.
        "chains" => chains: Items<KnownChain, 0, { Catalogue::MOST_CHAINS }>,
        /// The known tokens, at most 10,000; absent in JSON means none.
        "tokens" => tokens: Items<KnownToken, 0, { Catalogue::MOST_TOKENS }> = Items::of(Vec::new()),
        /// The known collections of NFTs, at most 10,000; absent in JSON means none.
        "collections" => collections: Items<KnownCollection, 0, { Catalogue::MOST_COLLECTIONS }> = Items::of(Vec::new()),
    }
}

keyword! {
    /// Whether chains can be disabled again, and tokens and collections removed from the whitelist.
    ///
    /// ```
    /// use sendoff::catalogue::Disabling;
    ///
    /// assert_eq!("allowed".parse(), Ok(Disabling::Allowed));
    /// ```
    pub enum Disabling: "`never` or `allowed`" {
        /// They cannot, as on the live service.
        "never" => Never,
        /// They can.
        "allowed" => Allowed,
    }
}

impl Catalogue {
    /// The largest number of chains.
    pub const MOST_CHAINS: usize = 1_000;

    /// The largest number of tokens.
    pub const MOST_TOKENS: usize = 10_000;

    /// The largest number of collections.
    pub const MOST_COLLECTIONS: usize = 10_000;

    /// Makes a catalogue of its entries.
    ///
    /// ```
    /// use sendoff::catalogue::{Catalogue, Disabling, KnownToken};
    ///
    /// let token = r#"{"caip2Id":"eip155:1","tokenAddress":"","name":"ETH"}"#.parse::<KnownToken>()?;
    /// let error = Catalogue::new(Disabling::Never, vec![], vec![token], vec![]).unwrap_err();
    /// assert_eq!(error.issues()[0].path, "tokens.0.caip2Id");
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `range` for too many entries; `rule` for a chain, token or collection that is in the list twice, for a chain that is
    /// not of the namespace `eip155`, and for an entry whose chain is not in `chains`.
    pub fn new(
        disable: Disabling,
        chains: Vec<KnownChain>,
        tokens: Vec<KnownToken>,
        collections: Vec<KnownCollection>,
    ) -> Result<Self, Error> {
        let (chains, tokens) = (Items::of(chains), Items::of(tokens));
        checked(Self { disable, chains, tokens, collections: Items::of(collections) })
    }

    /// Whether chains can be disabled, and tokens and collections removed.
    #[must_use]
    pub const fn disable(&self) -> Disabling {
        self.disable
    }

    /// All chains, enabled or not.
    #[must_use]
    pub fn known_chains(&self) -> &[KnownChain] {
        self.chains.as_slice()
    }

    /// All tokens, whitelisted or not.
    #[must_use]
    pub fn known_tokens(&self) -> &[KnownToken] {
        self.tokens.as_slice()
    }

    /// All collections, whitelisted or not.
    #[must_use]
    pub fn known_collections(&self) -> &[KnownCollection] {
        self.collections.as_slice()
    }
}
