//! A page with Leptos. A person enters a recipient; the page composes the request, compares the
//! reply with it, and shows what the wallet would sign, or why nothing is to be signed.

use leptos::{mount::mount_to_body, prelude::*};
use sendoff_web::sendoff::{
    error::Error,
    estimate::{self, Deployment, EstimateRequest, RequestParts, Signable},
    intent::Names,
};

/// Known beforehand, and never taken from a reply.
const DEPLOYMENT: &str = include_str!("../../demo/deployment.json");

/// The service's own knowledge. Here the page answers for it; yours asks with `fetch`.
const FACTS: &str = include_str!("../../demo/facts.json");

fn main() {
    mount_to_body(Page);
}

#[component]
fn Page() -> impl IntoView {
    let recipient = RwSignal::new(String::new());
    let is_swapped = RwSignal::new(false);
    let lines = move || match judged(&recipient.get(), is_swapped.get()) {
        Ok(signable) => {
            let effects = signable.effects();
            let mut lines = effects.call.sentences.clone();
            lines.push(format!("sign {}", signable.digest()));
            lines
        }
        Err(error) => {
            error.issues().iter().map(|issue| format!("{}: {}", issue.path.as_str(), issue.message)).collect()
        }
    };
    view! {
        <label>"To " <input type="text" bind:value=recipient /></label>
        <label><input type="checkbox" bind:checked=is_swapped /> " the service answers with another recipient"</label>
        <ul role="status">{move || lines().into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}</ul>
    }
}

// #region judged
/// Composes the request, asks the service, and compares its reply.
fn judged(recipient: &str, is_swapped: bool) -> Result<Signable, Error> {
    let request = request(recipient)?;
    let asked = if is_swapped { self::request("0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90")? } else { request.clone() };
    let reply = sendoff_web::sendoff::json::estimate(&asked.to_string(), FACTS)?;
    estimate::signable(&request, &reply, &DEPLOYMENT.parse::<Deployment>()?, &Names::default())
}
// #endregion judged

/// The request of a transfer to this recipient, or every problem of what was entered.
fn request(recipient: &str) -> Result<EstimateRequest, Error> {
    use sendoff_web::sendoff::{
        estimate::GasDetails,
        intent::{Intent, NftTransfer},
        value::HexBytes,
    };
    let intent = Intent::NftTransfer(NftTransfer {
        caip2_id: "eip155:80002".parse()?,
        nft_id: "56".parse()?,
        recipient_wallet_address: recipient.parse()?,
        collection_address: "0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90".parse()?,
        amount: "1".parse()?,
        nft_type: "ERC721".parse()?,
    });
    let gas = GasDetails { max_fee_per_gas: "0x9502f900".parse()?, max_priority_fee_per_gas: "0x59682f00".parse()? };
    let job_id = "3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43".parse()?;
    let paymaster_data = HexBytes::default();
    EstimateRequest::new(RequestParts { job_id, intent, gas_details: gas, paymaster_data, fee_payer_address: None })
}
