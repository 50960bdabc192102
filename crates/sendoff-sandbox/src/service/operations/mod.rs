//! The operations, each in a file: what it reads, what it does, and what it answers.

mod prelude;
pub(super) mod networks;
pub(super) mod tokens;
pub(super) mod portfolio;
pub(super) mod wallets;
pub(super) mod create_wallets;
pub(super) mod sign_in;
pub(super) mod session;
pub(super) mod transfer_tokens;
pub(super) mod transfer_nft;
pub(super) mod mint_nft;
pub(super) mod raw_transaction;
pub(super) mod read_contract;
pub(super) mod orders;
pub(super) mod raw_status;
pub(super) mod nfts;
pub(super) mod nft_orders;
pub(super) mod bulk_order;
pub(super) mod activity;
pub(crate) mod estimate;
pub(super) mod execute;
pub(super) mod intent_orders;
pub(super) mod rpc;
