//! The read of a contract.

use std::collections::BTreeMap;

use serde_json::Value;

use super::prelude::*;
use crate::json::cut;
use crate::service::fault::DOWNSTREAM;
use crate::view::{Args, View, number_of, unread};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Body {
    network_name: String,
    data: Read,
}

/// The same of version 2.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct ChainBody {
    #[serde(rename = "caip2Id", alias = "caip2id")]
    caip2_id: String,
    data: Read,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Read {
    contract_address: String,
    abi: Abi,
    #[serde(default)]
    args: BTreeMap<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
struct Abi {
    name: String,
    #[serde(default)]
    inputs: Vec<Parameter>,
    #[serde(rename = "outputs", default)]
    _outputs: Vec<Parameter>,
    #[serde(rename = "stateMutability")]
    _state_mutability: Option<String>,
    #[serde(rename = "type")]
    _type: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Parameter {
    #[serde(default)]
    name: String,
    #[serde(rename = "internalType")]
    _internal_type: Option<String>,
    #[serde(rename = "type")]
    _type: Option<String>,
}

/// Reads a contract of the ledger.
pub(crate) fn answer(asked: &mut Asked<'_>, body: Body) -> Answered<[String; 1]> {
    let network = Network::named(asked.state, &body.network_name)?;
    read(asked.state, &network, &body.data)
}

/// Reads a contract of a chain, in version 2.
pub(crate) fn of_chain(asked: &mut Asked<'_>, body: ChainBody) -> Answered<[String; 1]> {
    let network = Network::of_chain(asked.state, &body.caip2_id)?;
    read(asked.state, &network, &body.data)
}

fn read(state: &State, network: &Network, asked: &Read) -> Answered<[String; 1]> {
    let Abi { name, inputs, .. } = &asked.abi;
    let function = View::find(name, inputs.len());
    let kinds = function.map_or(&[][..], |function| function.kinds);
    let mut args = Args::default();
    for ((input, kind), arg) in inputs.iter().zip(kinds).zip(&mut args) {
        let found = match asked.args.get(&input.name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) if *kind == b'n' => number.to_string(),
            Some(other) => other.to_string(),
            None => "nothing".into(),
        };
        let (read, expected) = match kind {
            b'n' => (number_of(&found), "a number"),
            _ => (found.parse().ok().map(|address| lowered(&address)), "an address"),
        };
        let path = format!("data.args.{}", cut(&input.name));
        *arg = read.ok_or_else(|| Fault::field(&path, expected, &found))?;
    }
    network.enabled()?;
    let unreadable = |said| Fault::Said(&DOWNSTREAM, said);
    let contract = &asked.contract_address;
    let function = function.ok_or_else(|| unreadable(unread(name, contract, "")))?;
    let (chain, contract) = (network.chain.caip2_id.to_string(), contract.to_ascii_lowercase());
    Ok([function.read(&state.ledger, &chain, &contract, &args).map_err(unreadable)?])
}
