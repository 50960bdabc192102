//! The network that a request names, and what the application may do there.

use sendoff::catalogue::KnownChain;
use sendoff::http::Refusal;
use sendoff::intent::Intent;

use super::fault::{Answered, Fault, NETWORK, check, sentence};
use crate::order::Order;
use crate::state::State;

/// A network of the catalogue.
pub(crate) struct Network {
    pub(crate) chain: KnownChain,
}

impl Network {
    /// The network of a body of version 1. `POLYGON TESTNET AMOY` is a spelling of
    /// `POLYGON_TESTNET_AMOY`, in any letter case.
    pub(crate) fn named(state: &State, name: &str) -> Answered<Self> {
        let plain = |name: &str| name.trim().replace(' ', "_").to_ascii_uppercase();
        Self::of(state, name, |chain| plain(chain.name.as_str()) == plain(name))
    }

    /// The network of a body of version 2.
    pub(crate) fn of_chain(state: &State, id: &str) -> Answered<Self> {
        Self::of(state, id, |chain| chain.caip2_id.to_string() == id)
    }

    fn of(state: &State, found: &str, is_it: impl Fn(&KnownChain) -> bool) -> Answered<Self> {
        let known = state.catalogue.known_chains().iter().find(|chain| is_it(chain));
        let unknown = || Fault::Said(&NETWORK, sentence("a network of the catalogue", found));
        Ok(Self { chain: known.ok_or_else(unknown)?.clone() })
    }

    /// An order on it, without an id and actions.
    pub(crate) fn order(self) -> Order {
        let KnownChain { name, caip2_id, .. } = self.chain;
        let (network, caip2_id) = (name.to_string(), caip2_id.to_string());
        Order { network, caip2_id, ..Order::default() }
    }

    /// Checks that the application may use it.
    pub(crate) fn enabled(&self) -> Answered<()> {
        let KnownChain { name, enabled, .. } = &self.chain;
        check(*enabled, Refusal::not_enabled(format!("the network `{name}`")))
    }

    /// Checks that the application may use it, and that the catalogue permits an intent there.
    pub(crate) fn permits(&self, state: &State, intent: &Intent) -> Answered<()> {
        self.enabled()?;
        state.catalogue.permits(intent).map_err(|part| Refusal::from(part).into())
    }
}
