//! The transfer of an NFT.

use alloc::vec::Vec;

use super::Move;
use super::parameter::parameters;
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
    pub struct NftTransfer: "the details of an NFT transfer, an object" {
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

parameters!(NftTransfer: caip2_id, nft_id, recipient_wallet_address, collection_address, nft_type, amount;
    recipient recipient_wallet_address);

impl NftTransfer {
    pub(super) fn moves(&self, user: &Address) -> Vec<Move> {
        alloc::vec![Move::Nft {
            from: user.to_checksummed(),
            to: self.recipient_wallet_address.to_checksummed(),
            collection: self.collection_address.to_checksummed(),
            nft_id: self.nft_id,
            standard: self.nft_type.clone(),
            amount: self.amount,
        }]
    }
}
