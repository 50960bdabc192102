//! The transfer of an NFT.

use alloc::{vec, vec::Vec};

use super::{Details, Move, amount};
use crate::abi::{self, Reader};
use crate::document::document;
use crate::value::{Address, Amount, ChainId, NftId, NftType};

document! {
    /// The transfer of an NFT: the `details` of `NFT_TRANSFER`.
    ///
    /// ```
    /// use sendoff::intent::NftTransfer;
    ///
    /// let error = r#"{"caip2Id":"eip155:137","nftId":"","amount":"0"}"#.parse::<NftTransfer>().unwrap_err();
    /// assert_eq!(error.issues().len(), 5);
    /// ```
    pub struct NftTransfer: "the details of an NFT transfer, an object", details of "NFT_TRANSFER" {
        /// The chain of the NFT.
        "caip2Id" => pub caip2_id: ChainId,
        /// The id of the NFT.
        "nftId" => pub nft_id: NftId,
        /// The recipient.
        "recipientWalletAddress" => pub recipient_wallet_address: Address,
        /// The contract of its collection.
        "collectionAddress" => pub collection_address: Address,
        /// The number of pieces; 1 for ERC-721.
        "amount" => pub amount: Amount,
        /// The standard of its contract.
        "nftType" => pub nft_type: NftType,
    }
}

impl NftTransfer {
    /// Decodes the parameters; nothing after a flaw.
    pub(super) fn decode(tuple: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            caip2_id: tuple.text()?,
            nft_id: tuple.text()?,
            recipient_wallet_address: tuple.text()?,
            collection_address: tuple.text()?,
            nft_type: tuple.text()?,
            amount: amount(tuple)?,
        })
    }
}

impl Details for NftTransfer {
    fn encode(&self) -> Vec<abi::Item<'_>> {
        // Taken apart without `..`: a field that is no parameter does not compile.
        let Self {
            caip2_id,
            nft_id,
            recipient_wallet_address,
            collection_address,
            amount,
            nft_type,
        } = self;
        vec![
            abi::Item::Text(caip2_id),
            abi::Item::Text(nft_id),
            abi::Item::Text(recipient_wallet_address),
            abi::Item::Text(collection_address),
            abi::Item::Text(nft_type),
            abi::Item::Uint(amount.value()),
        ]
    }

    fn moves(&self, user: &Address) -> Vec<Move> {
        vec![Move::Nft {
            from: user.to_checksummed(),
            to: self.recipient_wallet_address.to_checksummed(),
            collection: self.collection_address.to_checksummed(),
            nft_id: self.nft_id,
            standard: self.nft_type.clone(),
            amount: self.amount,
        }]
    }
}
