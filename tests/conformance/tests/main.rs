//! The vectors and what their answers say, the examples of the README, and the sources of the core.

mod messages;
mod readme;
mod sources;
mod vectors;
