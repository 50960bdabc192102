//! The NFTs of a user on the enabled networks, in version 2.

use schemars::JsonSchema;
use serde::Serialize;

use crate::ledger::{Collection, Nft, Standard};
use crate::service::asked::{Asked, Nothing};
use crate::service::caller::wallet;
use crate::service::fault::Fault;

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
    let state = &*asked.state;
    let wallet = wallet(state, &asked.user)?;
    let detail = |known: &Collection, id: &str, nft: &Nft| Detail {
        caip_id: known.caip2_id.clone(),
        network_name: state.network_name(&known.caip2_id).into(),
        entity_type: known.standard,
        collection_address: known.address.clone(),
        collection_name: known.name.clone(),
        nft_id: id.into(),
        image: "",
        quantity: format!("{}.{}", known.pieces(id, &wallet), "0".repeat(18)),
        token_uri: nft.uri.clone(),
        description: nft.description.clone(),
        nft_name: if nft.name.is_empty() { &known.name } else { &nft.name }.clone(),
        explorer_smart_contract_url: format!("https://sandbox.invalid/{}", known.address),
        collection_image: "",
    };
    let mut details = Vec::new();
    for known in &state.ledger.collections {
        if state.chain(&known.caip2_id).is_some_and(|chain| chain.enabled) {
            let owned = known.nfts.iter().filter(|(_, nft)| nft.owners.contains_key(&wallet));
            details.extend(owned.map(|(id, nft)| detail(known, id, nft)));
        }
    }
    Ok(Nfts { count: details.len(), details })
}
