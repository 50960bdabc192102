//! The services that take part in answers: the wallet backend and the bundler.

pub(crate) mod bundler;
pub(crate) mod fetch;
pub(crate) mod upstream;
