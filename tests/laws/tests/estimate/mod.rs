//! Laws of the estimate: its replies are verified and signable, and altered replies are not.

mod altered;
mod documents;
mod findings;
