//! The proof that rate windows in Redis are those of the core.
//!
//! A real `redis-server` runs the script, and [`reference`] says in the functions of the core what it must do.

pub mod reference;
