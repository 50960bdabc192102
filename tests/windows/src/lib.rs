//! The proof that rate windows in Redis equal those of the core.
//!
//! A `redis-server` runs the script, and [`reference::run`] computes the expected result with the
//! functions of the core. A [`trace`] compares them step by step, a [`race`] with many simultaneous
//! clients, and [`lifetime`] checks the expiry of keys.

pub mod dice;
pub mod lifetime;
pub mod race;
pub mod record;
pub mod reference;
pub mod replay;
pub mod server;
pub mod trace;
