//! Ways around the comparison of a server's transaction with the client's wish, collected from the
//! public histories of SDKs, from incidents and from standards.
//!
//! A [`Class`] is one way. It makes [`Case`]s from a number: a request, the honest reply to it, and
//! an attack that must not reach a signature unseen. [`Case::check`] judges it by the core's JSON
//! functions.
//!
//! `docs/reference/tables/bypass.md` lists the classes for readers; `file.rs` describes the JSON of the cases for other
//! SDKs.

mod case;
pub mod classes;
mod draft;
mod file;
mod page;
mod signed;

pub use case::{Case, Judgement};
pub use classes::{Class, all};
pub use draft::{Draft, Originals};
pub use file::committed_json;
pub use laws::chance::Chance;
pub use page::tables;

/// The types of a request.
pub const NFT: &str = "NFT_TRANSFER";
pub const TOKEN: &str = "TOKEN_TRANSFER";
pub const RAW: &str = "RAW_TRANSACTION";
