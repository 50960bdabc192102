//! The NFTs of a user on the enabled networks, in version 2.

use super::*;
use crate::ledger::Standard;
use crate::service::caller::wallet;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Nfts {
    count: usize,
    details: Vec<Detail>,
}

#[derive(Serialize, JsonSchema)]
struct Detail {
    caip_id: String,
    network_name: String,
    entity_type: Standard,
    collection_address: String,
    collection_name: String,
    nft_id: String,
    image: &'static str,
    /// Pieces with the decimals of a native token, as recorded.
    quantity: String,
    token_uri: String,
    description: String,
    nft_name: String,
    explorer_smart_contract_url: String,
    collection_image: &'static str,
}

/// The NFTs of the token's user.
pub(crate) fn answer(asked: &mut Asked<'_>, _: Nothing) -> Result<Nfts, Fault> {
    let state = &mut *asked.state;
    let wallet = wallet(state, &asked.user)?;
    let chains: Vec<_> = state.enabled_chains().map(|chain| chain.caip2_id.to_string()).collect();
    let mut details = Vec::new();
    for known in state.ledger.collections.iter().filter(|known| chains.contains(&known.caip2_id)) {
        for (id, nft) in &known.nfts {
            let Some(pieces) = nft.owners.get(&wallet) else { continue };
            let name = if nft.name.is_empty() { &known.name } else { &nft.name };
            details.push(Detail {
                caip_id: known.caip2_id.clone(),
                network_name: state.network_name(&known.caip2_id).into(),
                entity_type: known.standard,
                collection_address: known.address.clone(),
                collection_name: known.name.clone(),
                nft_id: id.clone(),
                image: "",
                quantity: format!("{pieces}.{}", "0".repeat(18)),
                token_uri: nft.uri.clone(),
                description: nft.description.clone(),
                nft_name: name.clone(),
                explorer_smart_contract_url: format!("https://sandbox.invalid/{}", known.address),
                collection_image: "",
            });
        }
    }
    Ok(Nfts { count: details.len(), details })
}
