//! The NFTs of a user on the enabled networks, in version 2.

use super::prelude::*;
use crate::ledger::{Collection, Nft, Standard};

#[derive(Serialize, JsonSchema)]
pub(crate) struct Nfts {
    count: usize,
    details: Vec<Detail>,
}

record! {
    Detail(state: &State, known: &Collection, id: &str, nft: &Nft, wallet: &str) {
        caip_id: String = known.caip2_id.clone(),
        network_name: String = state.network_name(&known.caip2_id).into(),
        entity_type: Standard = known.standard,
        collection_address: String = known.address.clone(),
        collection_name: String = known.name.clone(),
        nft_id: String = id.into(),
        image: &'static str = "",
        /// Pieces with the decimals of a native token, as recorded.
        quantity: String = format!("{}.{}", known.pieces(id, wallet), "0".repeat(18)),
        token_uri: String = nft.uri.clone(),
        description: String = nft.description.clone(),
        nft_name: String = if nft.name.is_empty() { &known.name } else { &nft.name }.clone(),
        explorer_smart_contract_url: String = explorer_url(&known.address),
        collection_image: &'static str = "",
    }
}

/// Where a contract would be shown.
pub(crate) fn explorer_url(contract: &str) -> String {
    format!("https://sandbox.invalid/{contract}")
}

/// The NFTs of the token's user.
pub(crate) fn answer(asked: &mut Asked<'_>, _: Nothing) -> Answered<Nfts> {
    let state = &*asked.state;
    let wallet = wallet(state, &asked.user)?;
    let mut details = Vec::new();
    for known in &state.ledger.collections {
        if state.chain(&known.caip2_id).is_some_and(|chain| chain.enabled) {
            let owned = known.nfts.iter().filter(|(_, nft)| nft.owners.contains_key(&wallet));
            details.extend(owned.map(|(id, nft)| Detail::new(state, known, id, nft, &wallet)));
        }
    }
    Ok(Nfts { count: details.len(), details })
}
