//! The transfer of an NFT.

use crate::document::document;
use crate::value::{Address, Amount, ChainId, NftId, NftType};

document! {
    /// An NFT changes hands: the `details` of `NFT_TRANSFER`.
    ///
    /// ```
    /// use sendoff::intent::NftTransfer;
    ///
    /// let error = r#"{"caip2Id":"eip155:137","nftId":"","amount":"0"}"#.parse::<NftTransfer>().unwrap_err();
    /// assert_eq!(error.issues().len(), 5);
    /// ```
    pub struct NftTransfer: "the details of an NFT transfer, an object" {
        /// The chain on which the NFT lives.
        "caip2Id" => caip2_id: ChainId,
        /// Which NFT.
        "nftId" => nft_id: NftId,
        /// Who receives it.
        "recipientWalletAddress" => recipient_wallet_address: Address,
        /// The contract of its collection.
        "collectionAddress" => collection_address: Address,
        /// How many pieces; an ERC-721 token is one.
        "amount" => amount: Amount,
        /// The standard of its contract.
        "nftType" => nft_type: NftType,
    }
}
