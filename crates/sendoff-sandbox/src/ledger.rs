//! The ledger: who holds what. All that happens on the chains of the pocket service happens here.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use sendoff::primitive_types::U256;
use sendoff::value::FeeAmount;
use serde::{Deserialize, Serialize};

use crate::number::{self, of_decimal, of_units};
use crate::spelled::{self, Amounts, pair};

/// The reason why a chain reverts.
pub(crate) type Revert = &'static str;

/// Whether something was moved.
type Moved = Result<(), Revert>;

/// A token on its chain; an empty address is the native one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Token {
    pub(crate) caip2_id: String,
    #[serde(deserialize_with = "spelled::lower_or_none")]
    pub(crate) address: String,
    pub(crate) name: String,
    pub(crate) symbol: String,
    pub(crate) decimals: u8,
    /// The price of one in rupees, which the portfolio shows.
    #[serde(deserialize_with = "spelled::price")]
    pub(crate) price: String,
    #[serde(deserialize_with = "spelled::by_holder")]
    pub(crate) balances: Amounts,
    /// By `owner spender`.
    #[serde(deserialize_with = "spelled::by_pair")]
    pub(crate) allowances: Amounts,
}

/// The standard of a collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Standard {
    #[default]
    Erc721,
    Erc1155,
}

const ZERO_ADDRESS: &str = "0x0000000000000000000000000000000000000000";

/// The reason for an id that no NFT of ERC-721 has.
pub(crate) const NO_NFT: Revert = "ERC721: invalid token ID";

const LACKING: Revert = "ERC1155: insufficient balance for transfer";

impl Standard {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Erc721 => "ERC721",
            Self::Erc1155 => "ERC1155",
        }
    }

    /// The reason for a caller that may not move an NFT.
    pub(crate) const fn not_approved(self) -> Revert {
        match self {
            Self::Erc721 => "ERC721: caller is not token owner or approved",
            Self::Erc1155 => "ERC1155: caller is not token owner or approved",
        }
    }
}

/// A collection of NFTs on its chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Collection {
    pub(crate) caip2_id: String,
    #[serde(deserialize_with = "spelled::lower_or_none")]
    pub(crate) address: String,
    pub(crate) name: String,
    pub(crate) symbol: String,
    pub(crate) standard: Standard,
    /// By id, a decimal.
    #[serde(deserialize_with = "spelled::by_id")]
    pub(crate) nfts: BTreeMap<String, Nft>,
    /// `owner operator` of all that the operator may move.
    #[serde(deserialize_with = "spelled::pairs")]
    pub(crate) operators: Vec<String>,
}

/// An NFT, or the pieces of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Nft {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) uri: String,
    #[serde(deserialize_with = "spelled::by_holder")]
    pub(crate) owners: Amounts,
    /// The account that may move it (ERC-721).
    #[serde(deserialize_with = "spelled::lower_or_none")]
    pub(crate) approved: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Ledger {
    pub(crate) tokens: Vec<Token>,
    pub(crate) collections: Vec<Collection>,
}

/// The largest number of NFTs in a collection.
const MOST_NFTS: usize = 100_000;

/// The largest number of bytes of all texts of NFTs, as a saved state has them.
const MOST_TEXT: usize = 8 << 20;

impl Ledger {
    pub(crate) fn token(&self, chain: &str, address: &str) -> Option<&Token> {
        self.tokens.iter().find(|token| token.address == address && token.caip2_id == chain)
    }

    pub(crate) fn token_mut(&mut self, chain: &str, address: &str) -> Option<&mut Token> {
        self.tokens.iter_mut().find(|token| token.address == address && token.caip2_id == chain)
    }

    pub(crate) fn collection(&self, chain: &str, address: &str) -> Option<&Collection> {
        self.collections.iter().find(|known| known.address == address && known.caip2_id == chain)
    }

    pub(crate) fn collection_mut(&mut self, chain: &str, address: &str) -> Option<&mut Collection> {
        self.collections
            .iter_mut()
            .find(|known| known.address == address && known.caip2_id == chain)
    }

    /// `true` if there is room for the texts of so many NFTs.
    pub(crate) fn has_room_for(&self, nft: &Nft, count: u64) -> bool {
        let nfts = self.collections.iter().flat_map(|known| known.nfts.values());
        let known = nfts.map(Nft::weight).fold(0, usize::saturating_add);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        known.saturating_add(nft.weight().saturating_mul(count)) <= MOST_TEXT
    }
}

impl Nft {
    /// The bytes of its texts.
    fn weight(&self) -> usize {
        let texts = [&self.name, &self.description, &self.uri];
        texts.iter().map(|text| text.len()).fold(0, usize::saturating_add)
    }
}

impl Token {
    pub(crate) fn balance(&self, holder: &str) -> U256 {
        held(&self.balances, holder)
    }

    /// The value of an amount in rupees, with four decimals.
    pub(crate) fn value(&self, amount: U256) -> String {
        number::value(amount, self.decimals, &self.price)
    }

    /// An amount in the display unit.
    pub(crate) fn in_units(&self, amount: U256) -> String {
        number::in_units(amount, self.decimals)
    }

    pub(crate) fn supply(&self) -> U256 {
        self.balances.values().map(FeeAmount::value).fold(U256::zero(), U256::saturating_add)
    }

    pub(crate) fn pay(&mut self, from: &str, to: &str, amount: U256) -> Moved {
        // The native token has no contract that could refuse, or give a reason.
        if !self.address.is_empty() && to == ZERO_ADDRESS {
            return Err("ERC20: transfer to the zero address");
        }
        let is_native = self.address.is_empty();
        let lacking = if is_native { "" } else { "ERC20: transfer amount exceeds balance" };
        shift(&mut self.balances, from, to, amount, lacking)
    }

    /// Gives a holder so many new tokens.
    pub(crate) fn create(&mut self, holder: &str, count: u64) {
        let amount = of_units(&count.to_string(), self.decimals).unwrap_or_default();
        let balance = self.balance(holder).saturating_add(amount);
        put(&mut self.balances, holder, balance);
    }

    pub(crate) fn allowance(&self, owner: &str, spender: &str) -> U256 {
        held(&self.allowances, &pair(owner, spender))
    }

    pub(crate) fn approve(&mut self, owner: &str, spender: &str, amount: U256) -> Moved {
        if spender == ZERO_ADDRESS {
            return Err("ERC20: approve to the zero address");
        }
        put(&mut self.allowances, &pair(owner, spender), amount);
        Ok(())
    }

    /// Moves an amount that the owner allowed the spender to take.
    pub(crate) fn take(&mut self, spender: &str, owner: &str, to: &str, amount: U256) -> Moved {
        let allowance = self.allowance(owner, spender);
        let rest = allowance.checked_sub(amount).ok_or("ERC20: insufficient allowance")?;
        self.pay(owner, to, amount)?;
        if allowance == U256::MAX { Ok(()) } else { self.approve(owner, spender, rest) }
    }
}

impl Collection {
    /// The owner of an NFT of ERC-721.
    pub(crate) fn owner(&self, id: &str) -> Option<&str> {
        self.nfts.get(id)?.owners.keys().next().map(String::as_str)
    }

    pub(crate) fn balance(&self, holder: &str) -> U256 {
        let owned = self.nfts.values().map(|nft| held(&nft.owners, holder));
        owned.fold(U256::zero(), U256::saturating_add)
    }

    pub(crate) fn pieces(&self, id: &str, holder: &str) -> U256 {
        self.nfts.get(id).map(|nft| held(&nft.owners, holder)).unwrap_or_default()
    }

    pub(crate) fn may_move(&self, id: &str, owner: &str, caller: &str) -> bool {
        owner == caller
            || self.operators.contains(&pair(owner, caller))
            || self.nfts.get(id).is_some_and(|nft| nft.approved == caller)
    }

    pub(crate) fn operate(&mut self, owner: &str, operator: &str, approved: bool) {
        let pair = pair(owner, operator);
        self.operators.retain(|known| *known != pair);
        if approved {
            self.operators.push(pair);
        }
    }

    pub(crate) fn give(&mut self, id: &str, from: &str, to: &str, amount: U256) -> Moved {
        let (unknown, lacking, nobody) = match self.standard {
            Standard::Erc721 => {
                (NO_NFT, self.standard.not_approved(), "ERC721: transfer to the zero address")
            }
            Standard::Erc1155 => (LACKING, LACKING, "ERC1155: transfer to the zero address"),
        };
        let nft = self.nfts.get_mut(id).ok_or(unknown)?;
        if to == ZERO_ADDRESS {
            return Err(nobody);
        }
        shift(&mut nft.owners, from, to, amount, lacking)?;
        nft.approved.clear();
        Ok(())
    }

    /// Gives a holder a new NFT, or the pieces of one, if there is room for it.
    pub(crate) fn create(&mut self, holder: &str) {
        let pieces = if self.standard == Standard::Erc1155 { 10 } else { 1 };
        let nft = Nft { name: self.name.clone(), ..Nft::default() };
        let _full = self.mint(holder, pieces.into(), nft);
    }

    /// Makes a new NFT.
    pub(crate) fn mint(&mut self, to: &str, amount: U256, mut nft: Nft) -> Moved {
        if self.nfts.len() >= MOST_NFTS {
            return Err("the collection is full");
        }
        // Of decimals the longest is the largest.
        let last = self.nfts.keys().max_by_key(|id| (id.len(), *id));
        let last = last.and_then(|id| of_decimal(id)).unwrap_or_default();
        let id = last.saturating_add(U256::one()).to_string();
        nft.owners.insert(to.into(), amount.into());
        self.nfts.insert(id, nft);
        Ok(())
    }
}

/// Moves an amount from a holder to another, or nothing.
fn shift(holders: &mut Amounts, from: &str, to: &str, amount: U256, lacking: Revert) -> Moved {
    let before = held(holders, from);
    put(holders, from, before.checked_sub(amount).ok_or(lacking)?);
    let sum = held(holders, to).checked_add(amount);
    let (holder, balance) = sum.map_or((from, before), |sum| (to, sum));
    put(holders, holder, balance);
    // Above 2^256 the contract panics, which has no reason.
    sum.map(drop).ok_or("")
}

fn held(holders: &Amounts, holder: &str) -> U256 {
    holders.get(holder).map(FeeAmount::value).unwrap_or_default()
}

fn put(holders: &mut Amounts, holder: &str, balance: U256) {
    if balance.is_zero() {
        holders.remove(holder);
    } else {
        holders.insert(holder.into(), balance.into());
    }
}
