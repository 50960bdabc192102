//! What operations have in common.

pub(super) use std::num::NonZeroU64;

pub(super) use schemars::JsonSchema;
pub(super) use serde::{Deserialize, Serialize};

pub(super) use crate::action::Action;
pub(super) use crate::order::{Order, OrderKind, Status};
pub(super) use crate::service::asked::{Asked, Nothing, page, part};
pub(super) use crate::service::caller::{user, wallet};
pub(super) use crate::service::fault::{
    Answered, BALANCE, BODY, DATA, Fault, INTERNAL, ORDER, check,
};
pub(super) use crate::service::network::Network;
pub(super) use crate::service::ordering::{
    Accepted, BulkOrderId, OrderId, accepted, add, add_bulk, amount,
};
pub(super) use crate::service::record::record;
pub(super) use crate::spelled::lowered;
pub(super) use crate::state::State;
