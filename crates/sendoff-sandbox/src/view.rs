//! Functions of the ledger's contracts that are read.

use alloc::{string::String, vec::Vec};

use sendoff::error::IssueCode;
use sendoff::primitive_types::U256;
use sendoff::value::HexBytes;

use crate::Json;
use crate::contract::lower;
use crate::draw::hex;
use crate::fault::{Coded, Fault};
use crate::ledger::{Collection, Ledger, NO_NFT, Standard, Token};
use crate::numbers::{decimal, of_decimal, of_hex};
use crate::state::{State, cut};

impl State {
    /// Reads a contract of the ledger.
    pub(crate) fn read_contract(&self, body: &Json) -> Result<Json, Fault> {
        let network = self.enabled(body)?;
        let contract = body.at("data.contractAddress").and_then(Json::as_text).unwrap_or_default();
        let name = body.at("data.abi.name").and_then(Json::as_text).unwrap_or_default();
        let inputs = body.at("data.abi.inputs").and_then(Json::as_list).unwrap_or_default();
        let unreadable = |said| Fault::said(Coded::DOWNSTREAM, said);
        let function = View::find(name, inputs.len());
        let function = function.ok_or_else(|| unreadable(unread(name, contract, "")))?;
        let mut args = Vec::new();
        for (input, kind) in inputs.iter().zip(function.kinds) {
            let name = input.text("name");
            let found = body.at("data.args").and_then(|args| args.get(name));
            let (arg, expected) = match kind {
                b'n' => (found.and_then(number_of), "a number"),
                _ => (found.and_then(address), "an address"),
            };
            let arg = arg.ok_or_else(|| {
                let expected = ["expected ", expected, " in an argument"].concat();
                Fault::of_problem(&["data.args.", cut(name)].concat(), IssueCode::Format, expected)
            })?;
            args.push(arg);
        }
        let contract = contract.to_ascii_lowercase();
        let answer = read(&self.ledger, &network.caip2_id, &contract, name, &args);
        Ok(Json::List(alloc::vec![answer.map_err(unreadable)?.to_text()]))
    }
}

/// An address as the ledger has it.
fn address(json: &Json) -> Option<String> {
    json.as_text()?.parse().ok().map(|address| lower(&address))
}

/// The answer of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Number(U256),
    Account(String),
    Text(String),
    Flag(bool),
}

impl Answer {
    /// As `readContractData` has it: text, integers in decimal digits.
    pub(crate) fn to_text(&self) -> Json {
        match self {
            Self::Number(number) => decimal(*number).into(),
            Self::Account(text) | Self::Text(text) => text.into(),
            Self::Flag(flag) => (if *flag { "true" } else { "false" }).into(),
        }
    }

    /// As `eth_call` has it: the ABI encoding.
    pub(crate) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Number(number) => number.to_big_endian().into(),
            Self::Account(text) => {
                let account: Vec<u8> = text.parse::<HexBytes>().map(Into::into).unwrap_or_default();
                [alloc::vec![0; 32_usize.saturating_sub(account.len())], account].concat()
            }
            Self::Text(text) => encode_text(text),
            Self::Flag(flag) => U256::from(u8::from(*flag)).to_big_endian().into(),
        }
    }
}

/// The ABI encoding of one string.
pub(crate) fn encode_text(text: &str) -> Vec<u8> {
    let mut bytes = U256::from(32).to_big_endian().to_vec();
    bytes.extend(U256::from(text.len()).to_big_endian());
    bytes.extend(text.bytes());
    bytes.resize(bytes.len().next_multiple_of(32), 0);
    bytes
}

/// Reads the argument of a function as the ledger has it: the id or number of a text, in decimals.
pub(crate) fn number_of(json: &Json) -> Option<String> {
    let text = match json {
        Json::Text(text) | Json::Number(text) => text.as_str(),
        _ => return None,
    };
    let number = match text.strip_prefix("0x") {
        Some(digits) => of_hex(digits),
        None => of_decimal(text),
    };
    number.map(decimal)
}

/// A function that is read.
pub(crate) struct View {
    pub(crate) name: &'static str,
    selector: u32,
    /// The kind of each argument: `a` for an address, `n` for a number.
    pub(crate) kinds: &'static [u8],
}

impl View {
    const fn new(name: &'static str, selector: u32, kinds: &'static [u8]) -> Self {
        Self { name, selector, kinds }
    }

    /// The function of a name and a number of arguments.
    pub(crate) fn find(name: &str, count: usize) -> Option<&'static Self> {
        VIEWS.iter().find(|known| known.name == name && known.kinds.len() == count)
    }

    /// The function of call data, and its arguments; `None` if those do not decode.
    pub(crate) fn decode(data: &[u8]) -> Option<(&'static Self, Option<Vec<String>>)> {
        let (selector, rest) = data.split_first_chunk()?;
        let read = VIEWS.iter().find(|known| known.selector == u32::from_be_bytes(*selector))?;
        let mut words = rest.chunks_exact(32);
        let mut args = Vec::new();
        for kind in read.kinds {
            let Some(word) = words.next() else { return Some((read, None)) };
            let (zeros, account) = word.split_at_checked(12)?;
            if *kind == b'n' {
                args.push(decimal(U256::from_big_endian(word)));
            } else if zeros.iter().all(|byte| *byte == 0) {
                args.push(hex(account));
            } else {
                return Some((read, None));
            }
        }
        Some((read, Some(args)))
    }
}

/// The functions that are read, with their selectors.
#[rustfmt::skip]
const VIEWS: [View; 11] = [
    View::new("balanceOf", 0x70a0_8231, b"a"),
    View::new("ownerOf", 0x6352_211e, b"n"),
    View::new("allowance", 0xdd62_ed3e, b"aa"),
    View::new("name", 0x06fd_de03, b""),
    View::new("symbol", 0x95d8_9b41, b""),
    View::new("decimals", 0x313c_e567, b""),
    View::new("totalSupply", 0x1816_0ddd, b""),
    View::new("tokenURI", 0xc87b_56dd, b"n"),
    View::new("isApprovedForAll", 0xe985_e9c5, b"aa"),
    View::new("uri", 0x0e89_341c, b"n"),
    // ERC-1155.
    View::new("balanceOf", 0x00fd_d58e, b"an"),
];

/// Answers a function of a contract, or says why not.
pub(crate) fn read(
    ledger: &Ledger,
    chain: &str,
    contract: &str,
    name: &str,
    args: &[String],
) -> Result<Answer, String> {
    let answer = if let Some(token) = ledger.token(chain, contract).filter(|_| !contract.is_empty())
    {
        of_token_read(token, name, args)
    } else if let Some(collection) = ledger.collection(chain, contract) {
        of_collection_read(collection, name, args)
    } else {
        return Err(unread(name, contract, ", because it has no such contract"));
    };
    answer.unwrap_or_else(|| Err(unread(name, contract, ", because it has no such function")))
}

/// A sentence about a function that is not read.
pub(crate) fn unread(name: &str, contract: &str, why: &str) -> String {
    ["the pocket service does not read `", cut(name), "` of `", cut(contract), "`", why].concat()
}

type Told = Option<Result<Answer, String>>;

fn of_token_read(token: &Token, name: &str, args: &[String]) -> Told {
    Some(Ok(match (name, args) {
        ("balanceOf", [holder]) => Answer::Number(token.balance(holder)),
        ("allowance", [owner, spender]) => Answer::Number(token.allowance(owner, spender)),
        ("name", []) => Answer::Text(token.name.clone()),
        ("symbol", []) => Answer::Text(token.symbol.clone()),
        ("decimals", []) => Answer::Number(token.decimals.into()),
        ("totalSupply", []) => Answer::Number(token.supply()),
        _ => return None,
    }))
}

fn of_collection_read(collection: &Collection, name: &str, args: &[String]) -> Told {
    use Standard::{Erc721, Erc1155};

    let uri = |id: &String| collection.nfts.get(id).map(|nft| Answer::Text(nft.uri.clone()));
    let answer = match (name, args, collection.standard) {
        ("balanceOf", [holder], Erc721) => Some(Answer::Number(collection.balance(holder))),
        ("balanceOf", [holder, id], Erc1155) => Some(Answer::Number(collection.pieces(id, holder))),
        ("ownerOf", [id], Erc721) => {
            collection.owner(id).map(|owner| Answer::Account(owner.into()))
        }
        ("tokenURI", [id], Erc721) => uri(id),
        ("uri", [id], Erc1155) => uri(id).or(Some(Answer::Text(String::new()))),
        ("name", [], _) => Some(Answer::Text(collection.name.clone())),
        ("symbol", [], _) => Some(Answer::Text(collection.symbol.clone())),
        ("totalSupply", [], Erc721) => Some(Answer::Number(collection.nfts.len().into())),
        ("isApprovedForAll", [owner, operator], _) => {
            Some(Answer::Flag(owner != operator && collection.may_move("", owner, operator)))
        }
        _ => return None,
    };
    Some(answer.ok_or_else(|| NO_NFT.into()))
}
