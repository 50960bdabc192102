//! The lists of networks.

use sendoff::catalogue::KnownChain;

use super::*;
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

/// The networks that are whitelisted on the key.
pub(crate) fn answer(asked: &mut Asked<'_>, _: Nothing) -> Result<Networks<Listing>, Fault> {
    let state = &mut *asked.state;
    let shows_all = state.switches.networks == Listed::All;
    let chains = state.catalogue.known_chains().iter();
    let network = |chain: &KnownChain| Listing {
        network_name: chain.name.to_string(),
        chain_id: chain.caip2_id.reference(),
        logo: logo(chain.name.as_str()),
        whitelisted: shows_all.then_some(chain.enabled),
    };
    let network = chains.filter(|chain| shows_all || chain.enabled).map(network).collect();
    Ok(Networks { network })
}

/// A network of version 2.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Network {
    caip_id: String,
    network_name: String,
    chain_id: String,
    logo: String,
    sponsorship_enabled: bool,
    gsn_enabled: bool,
    r#type: &'static str,
    network_id: String,
    onramp_enabled: bool,
    whitelisted: bool,
}

/// All networks, with a flag for those that are enabled.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Result<Networks<Network>, Fault> {
    let state = &mut *asked.state;
    let network = |chain: &KnownChain| Network {
        caip_id: chain.caip2_id.to_string(),
        network_name: chain.name.to_string(),
        chain_id: chain.caip2_id.reference(),
        logo: logo(chain.name.as_str()),
        sponsorship_enabled: state.deployment.sponsorship_enabled,
        gsn_enabled: state.deployment.gsn_enabled,
        r#type: "EVM",
        network_id: state.stable_id("network", &chain.caip2_id.to_string()),
        onramp_enabled: false,
        whitelisted: chain.enabled,
    };
    Ok(Networks { network: state.catalogue.known_chains().iter().map(network).collect() })
}

/// Where the logo of a thing would be.
pub(crate) fn logo(name: &str) -> String {
    format!("https://sandbox.invalid/{name}.png")
}
