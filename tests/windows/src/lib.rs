//! The proof that rate windows in Redis are those of the core.
//!
//! A real `redis-server` runs the script, and [`reference::run`] says in the functions of the core what it must do: step by step
//! in a [`trace`], of many clients at once in a [`race`], and of the [`lifetime`] of a key.

pub mod dice;
pub mod lifetime;
pub mod race;
pub mod record;
pub mod reference;
pub mod replay;
pub mod server;
pub mod trace;
