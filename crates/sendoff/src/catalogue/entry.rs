//! The entries of a catalogue.

use super::Asset;
use crate::document::document;
use crate::value::{Address, ChainId, TokenAddress, is_short, keyword, newtype};

document! {
    /// A chain that the service knows.
    ///
    /// ```
    /// use sendoff::catalogue::{KnownChain, Net};
    ///
    /// let chain: KnownChain = r#"{"caip2Id":"eip155:80002","name":"POLYGON_TESTNET_AMOY","net":"test"}"#.parse()?;
    /// assert_eq!((chain.net, chain.enabled), (Net::Test, false));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct KnownChain: "a chain, an object of `caip2Id`, `name`, `net` and `enabled`" {
        /// The chain.
        "caip2Id" => pub caip2_id: ChainId,
        /// Its name.
        "name" => pub name: CatalogueName,
        /// Whether its tokens have a value.
        "net" => pub net: Net,
        /// `true` if the application may use it; absent in JSON means `false`.
        "enabled" => pub enabled: bool = false,
    }
}

document! {
    /// A token that the service knows.
    ///
    /// ```
    /// use sendoff::catalogue::KnownToken;
    ///
    /// let token: KnownToken = r#"{"caip2Id":"eip155:137","tokenAddress":"","name":"POL"}"#.parse()?;
    /// assert!(token.token_address.contract().is_none());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct KnownToken: "a token, an object of `caip2Id`, `tokenAddress`, `name` and `whitelisted`" {
        /// The token's chain.
        "caip2Id" => pub caip2_id: ChainId,
        /// Its contract; empty for the native token. The zero address and `0xeeee…` are contracts like any other.
        "tokenAddress" => pub token_address: TokenAddress,
        /// Its name.
        "name" => pub name: CatalogueName,
        /// `true` if the application may use it while the chain is enabled; absent in JSON means `false`.
        "whitelisted" => pub whitelisted: bool = false,
    }
}

impl KnownToken {
    /// `true` if it is this asset on this chain.
    pub(super) fn is(&self, chain: &ChainId, asset: Asset) -> bool {
        Asset::Token(self.token_address) == asset && self.caip2_id == *chain
    }
}

document! {
    /// A collection of NFTs that the service knows.
    ///
    /// ```
    /// use sendoff::catalogue::KnownCollection;
    ///
    /// let address = "0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5".parse()?;
    /// let collection = KnownCollection { caip2_id: "eip155:137".parse()?, collection_address: address, whitelisted: true };
    /// assert!(collection.to_string().ends_with(r#""whitelisted":true}"#));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct KnownCollection: "a collection, an object of `caip2Id`, `collectionAddress` and `whitelisted`" {
        /// The collection's chain.
        "caip2Id" => pub caip2_id: ChainId,
        /// Its contract.
        "collectionAddress" => pub collection_address: Address,
        /// `true` if the application may use it while the chain is enabled; absent in JSON means `false`.
        "whitelisted" => pub whitelisted: bool = false,
    }
}

impl KnownCollection {
    /// `true` if it is this asset on this chain.
    pub(super) fn is(&self, chain: &ChainId, asset: Asset) -> bool {
        Asset::Collection(self.collection_address) == asset && self.caip2_id == *chain
    }
}

keyword! {
    /// Whether the tokens of a chain have a value.
    ///
    /// ```
    /// use sendoff::catalogue::Net;
    ///
    /// assert_eq!(Net::Main.to_string(), "main");
    /// ```
    pub enum Net: "`main` or `test`" {
        /// A main net.
        "main" => Main,
        /// A test net, whose tokens have no value.
        "test" => Test,
    }
}

newtype! {
    /// The name of a chain or a token for people: text of 1 to 64 characters without control characters.
    ///
    /// ```
    /// use sendoff::catalogue::CatalogueName;
    ///
    /// assert_eq!("POLYGON".parse::<CatalogueName>()?.as_str(), "POLYGON");
    /// assert!("a\nb".parse::<CatalogueName>().is_err());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct CatalogueName: "a name of 1 to 64 characters without control characters",
        |text| !text.is_empty() && is_short(text, 64) && !text.chars().any(char::is_control),
        schema |_| schemars::json_schema!({
            "type": "string",
            "description": <Self as crate::value::Text>::EXPECTED,
            "minLength": 1,
            "maxLength": 64,
            "pattern": r"^[^\u0000-\u001f\u007f-\u009f]*$",
        })
}
