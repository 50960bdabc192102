//! The vectors and what their answers say, and the examples of the README.

mod messages;
mod readme;
mod vectors;
