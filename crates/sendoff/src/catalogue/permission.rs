//! The check of an intent by a catalogue.

use alloc::vec::Vec;

use super::{Asset, Catalogue, KnownChain};
use crate::document::{choice, traits};
use crate::error::{Error, Issue, IssueCode};
use crate::http::Refusal;
use crate::intent::Intent;
use crate::text::{WriteText, fill};
use crate::value::{ChainId, conversions};

/// The part of an intent that a catalogue does not permit. `Display` names it: "the token `0x…` on `eip155:137`".
///
/// ```
/// use sendoff::catalogue::NotPermitted;
///
/// let refused = NotPermitted { chain: "eip155:137".parse()?, asset: None };
/// assert_eq!((refused.to_string(), refused.path()), ("the chain `eip155:137`".into(), "details.caip2Id"));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NotPermitted {
    /// The chain of the intent.
    pub chain: ChainId,
    /// The token or collection that is not whitelisted there; `None` if the chain is not enabled.
    pub asset: Option<Asset>,
}

impl NotPermitted {
    /// The path of the part, from the root of the intent.
    #[must_use]
    pub const fn path(&self) -> &'static str {
        match self.asset {
            None => "details.caip2Id",
            Some(Asset::Token(_)) => "details.tokenAddress",
            Some(Asset::Collection(_)) => "details.collectionAddress",
        }
    }
}

impl WriteText for NotPermitted {
    fn write_text(&self, out: &mut Vec<u8>) {
        let part = match &self.asset {
            None => fill("the chain `{}`", &[&self.chain]),
            Some(asset) => fill("{} on `{}`", &[asset, &self.chain]),
        };
        part.write_text(out);
    }
}

conversions!(displayed NotPermitted);

impl From<NotPermitted> for Issue {
    fn from(part: NotPermitted) -> Self {
        let expected = match part.asset {
            None => "an enabled chain",
            Some(Asset::Token(_)) => "a whitelisted token",
            Some(Asset::Collection(_)) => "a whitelisted collection",
        };
        let message = fill("expected {}, found {}", &[&expected, &part]);
        Self {
            found: Some(part.to_text()),
            ..Self::new(part.path().into(), IssueCode::Rule, message)
        }
    }
}

conversions! {
    NotPermitted => Error: |part| Issue::from(part).into();
    /// Refuses an intent that a catalogue does not permit: `not-enabled`, with the part's words.
    NotPermitted => Refusal: |part| Self::not_enabled(part.to_text());
}

impl core::error::Error for NotPermitted {}

impl Catalogue {
    /// Checks that an intent's chain is enabled, and that the token or collection that it moves is whitelisted there.
    ///
    /// **A raw transaction only needs its chain.** What it calls is not checked, so the lists of tokens and collections do
    /// not bind it.
    ///
    /// ```
    /// use sendoff::catalogue::Catalogue;
    ///
    /// let catalogue: Catalogue = r#"{"chains":[{"caip2Id":"eip155:137","name":"POLYGON","net":"main","enabled":true}]}"#
    ///     .parse()?;
    /// let intent = r#"{"type":"TOKEN_TRANSFER","details":{
    ///     "caip2Id": "eip155:137", "recipientWalletAddress": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
    ///     "tokenAddress": "", "amount": "10"
    /// }}"#.parse()?;
    /// let refused = catalogue.permits(&intent).unwrap_err();
    /// assert_eq!(refused.to_string(), "the native token on `eip155:137`");
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first part that is not permitted: the chain, or else the token or collection.
    pub fn permits(&self, intent: &Intent) -> Result<(), NotPermitted> {
        let chain = intent.chain();
        let refuse = |asset| Err(NotPermitted { chain: chain.clone(), asset });
        if !self.known_chain(chain).is_some_and(|known| known.enabled) {
            return refuse(None);
        }

        let asset = match intent {
            Intent::NftTransfer(details) => Asset::Collection(details.collection_address),
            Intent::TokenTransfer(details) => Asset::Token(details.token_address),
            Intent::RawTransaction(_) => return Ok(()),
        };
        if self.is_whitelisted(chain, asset) == Some(true) { Ok(()) } else { refuse(Some(asset)) }
    }

    /// The entry of a chain.
    pub(super) fn known_chain(&self, chain: &ChainId) -> Option<&KnownChain> {
        self.known_chains().iter().find(|known| known.caip2_id == *chain)
    }

    /// Whether a token or collection is whitelisted on a chain; `None` if it is not known there.
    pub(super) fn is_whitelisted(&self, chain: &ChainId, asset: Asset) -> Option<bool> {
        let token = self.known_tokens().iter().find(|known| known.is(chain, asset));
        let collection = || self.known_collections().iter().find(|known| known.is(chain, asset));
        let token = token.map(|token| token.whitelisted);
        token.or_else(|| collection().map(|collection| collection.whitelisted))
    }
}

choice! {
    /// Whether an application may execute an intent.
    pub(crate) enum Permission: "", "ok": "`true` if the application may execute the intent." {
        /// The application may execute the intent.
        "true" => Permitted,
        /// The application may not execute the intent.
        "false" => Refused {
            /// The part that is not permitted, by its path from the root of the intent.
            "issues" => issues: Vec<Issue>,
        },
    }
}

impl From<Result<(), NotPermitted>> for Permission {
    fn from(result: Result<(), NotPermitted>) -> Self {
        match result {
            Ok(()) => Self::Permitted,
            Err(part) => Self::Refused { issues: alloc::vec![part.into()] },
        }
    }
}

traits!(Permission: serialize, schema);
