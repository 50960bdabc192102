//! The lists of networks.

use schemars::JsonSchema;
use sendoff::catalogue::KnownChain;
use serde::Serialize;

use crate::service::asked::{Asked, Nothing};
use crate::service::fault::Fault;
use crate::switches::Listed;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Networks<T> {
    network: Vec<T>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Listing {
    network_name: String,
    chain_id: String,
    logo: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    whitelisted: Option<bool>,
}

impl Listing {
    fn of(chain: &KnownChain, has_flag: bool) -> Self {
        Self {
            network_name: chain.name.to_string(),
            chain_id: chain.caip2_id.reference(),
            logo: logo(chain.name.as_str()),
            whitelisted: has_flag.then_some(chain.enabled),
        }
    }
}

/// The networks that are whitelisted on the key.
pub(crate) fn answer(asked: &mut Asked<'_>, _: Nothing) -> Result<Networks<Listing>, Fault> {
    let shows_all = asked.state.switches.networks == Listed::All;
    let chains = asked.state.catalogue.known_chains().iter();
    let chains = chains.filter(|chain| shows_all || chain.enabled);
    Ok(Networks { network: chains.map(|chain| Listing::of(chain, shows_all)).collect() })
}

/// A network of version 2.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Network {
    #[serde(flatten)]
    listing: Listing,
    caip_id: String,
    sponsorship_enabled: bool,
    gsn_enabled: bool,
    r#type: &'static str,
    network_id: String,
    onramp_enabled: bool,
}

/// All networks, with a flag for those that are enabled.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Result<Networks<Network>, Fault> {
    let network = |chain: &KnownChain| Network {
        listing: Listing::of(chain, true),
        caip_id: chain.caip2_id.to_string(),
        sponsorship_enabled: asked.state.deployment.sponsorship_enabled,
        gsn_enabled: asked.state.deployment.gsn_enabled,
        r#type: "EVM",
        network_id: asked.state.stable_id("network", &chain.caip2_id.to_string()),
        onramp_enabled: false,
    };
    Ok(Networks { network: asked.state.catalogue.known_chains().iter().map(network).collect() })
}

/// Where the logo of a thing would be.
pub(crate) fn logo(name: &str) -> String {
    format!("https://sandbox.invalid/{name}.png")
}
