//! The network that a request names.

use alloc::string::String;

use sendoff::catalogue::KnownChain;
use sendoff::http::Refusal;

use crate::Json;
use crate::fault::{Coded, Fault};
use crate::state::{State, cut};

/// A network of the catalogue.
pub(crate) struct Network {
    pub(crate) caip2_id: String,
    pub(crate) name: String,
    is_enabled: bool,
}

impl State {
    /// The network of a name. `POLYGON TESTNET AMOY` is a spelling of `POLYGON_TESTNET_AMOY`, in any letter case.
    pub(crate) fn network(&self, name: &str) -> Result<Network, Fault> {
        let plain = |name: &str| name.trim().replace(' ', "_").to_ascii_uppercase();
        let is_it = |chain: &&KnownChain| plain(chain.name.as_str()) == plain(name);
        let chain = self.catalogue.0.known_chains().iter().find(is_it);
        let chain =
            chain.ok_or_else(|| Fault::said(Coded::NETWORK, ["`", cut(name), "`"].concat()))?;
        let caip2_id = String::from(&chain.caip2_id);
        Ok(Network { caip2_id, name: chain.name.as_str().into(), is_enabled: chain.enabled })
    }

    /// The same, if the application may use it.
    pub(crate) fn enabled(&self, body: &Json) -> Result<Network, Fault> {
        let network = self.network(body.text("network_name"))?;
        if network.is_enabled {
            return Ok(network);
        }
        Err(Refusal::not_enabled(["the network `", &network.name, "`"].concat()).into())
    }
}
