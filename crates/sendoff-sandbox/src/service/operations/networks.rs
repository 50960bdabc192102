//! The lists of networks.

use sendoff::catalogue::KnownChain;

use super::prelude::*;
use crate::switches::Listed;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Networks<T> {
    network: Vec<T>,
}

record! {
    pub(crate) Listing(chain: &KnownChain, has_flag: bool) {
        network_name: String = chain.name.to_string(),
        chain_id: String = chain.caip2_id.reference(),
        logo: String = logo(chain.name.as_str()),
        #[serde(skip_serializing_if = "Option::is_none")]
        whitelisted: Option<bool> = has_flag.then_some(chain.enabled),
    }

    /// A network of version 2.
    pub(crate) Chain(state: &State, chain: &KnownChain) {
        #[serde(flatten)]
        listing: Listing = Listing::new(chain, true),
        caip_id: String = chain.caip2_id.to_string(),
        sponsorship_enabled: bool = state.deployment.sponsorship_enabled,
        gsn_enabled: bool = state.deployment.gsn_enabled,
        r#type: &'static str = "EVM",
        network_id: String = state.stable_id("network", &chain.caip2_id.to_string()),
        onramp_enabled: bool = false,
    }
}

/// The networks that are whitelisted on the key.
pub(crate) fn answer(asked: &mut Asked<'_>, _: Nothing) -> Answered<Networks<Listing>> {
    let shows_all = asked.state.switches.networks == Listed::All;
    let chains = asked.state.catalogue.known_chains().iter();
    let chains = chains.filter(|chain| shows_all || chain.enabled);
    Ok(Networks { network: chains.map(|chain| Listing::new(chain, shows_all)).collect() })
}

/// All networks, with a flag for those that are enabled.
pub(crate) fn of_intents(asked: &mut Asked<'_>, _: Nothing) -> Answered<Networks<Chain>> {
    let chains = asked.state.catalogue.known_chains().iter();
    let network = chains.map(|chain| Chain::new(asked.state, chain)).collect();
    Ok(Networks { network })
}

/// Where the logo of a thing would be.
pub(crate) fn logo(name: &str) -> String {
    format!("https://sandbox.invalid/{name}.png")
}
