//! The transfer of an NFT.

use alloc::vec;

use super::Move;
use super::details::Details;
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

pub(super) static DETAILS: Details = Details {
    table: NftTransfer::TABLE,
    parameters: &[
        ("caip2Id", "string"),
        ("nftId", "string"),
        ("recipientWalletAddress", "string"),
        ("collectionAddress", "string"),
        ("nftType", "string"),
        ("amount", "uint256"),
    ],
    moves: |details, user| {
        let mut made = Move::made("nft");
        made.checksummed(user);
        made.checksummed(details.field("recipientWalletAddress"));
        made.checksummed(details.field("collectionAddress"));
        made.copy(details.field("nftId"));
        made.copy(details.field("nftType"));
        made.copy(details.field("amount"));
        vec![made.finish()]
    },
};
