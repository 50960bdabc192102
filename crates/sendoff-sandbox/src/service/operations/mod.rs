//! The operations, each in a file: what it reads, what it does, and what it answers.

pub(super) mod activity;
pub(super) mod bulk_order;
pub(super) mod create_wallets;
pub(crate) mod estimate;
pub(super) mod execute;
pub(super) mod intent_orders;
pub(super) mod mint_nft;
pub(super) mod networks;
pub(super) mod nft_orders;
pub(super) mod nfts;
pub(super) mod orders;
pub(super) mod portfolio;
pub(super) mod raw_status;
pub(super) mod raw_transaction;
pub(super) mod read_contract;
pub(super) mod rpc;
pub(super) mod session;
pub(super) mod sign_in;
pub(super) mod tokens;
pub(super) mod transfer_nft;
pub(super) mod transfer_tokens;
pub(super) mod wallets;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// What each of them uses.
use super::asked::{Asked, Nothing};
use super::caller;
use super::fault::Fault;
use crate::state::State;
