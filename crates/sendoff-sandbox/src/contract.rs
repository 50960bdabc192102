//! The ledger's contracts: the calls that they execute, and the functions that they answer.

use alloc::{string::String, vec::Vec};

use sendoff::intent::{CallArgument, ContractCall};
use sendoff::primitive_types::U256;
use sendoff::value::{Address, HexBytes};

use crate::Json;
use crate::draw::hex;
use crate::ledger::{Collection, Ledger, Standard, Token};
use crate::numbers::{decimal, of_decimal, of_hex};
use crate::text::shown;

/// The reason why a transaction has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The service did not send it to the chain.
    Rejected(String),
    /// The chain executed it, and reverted it.
    Reverted(String),
}

impl From<&'static str> for Failure {
    fn from(reason: &'static str) -> Self {
        Self::Reverted(reason.into())
    }
}

/// A transaction on a chain.
pub(crate) struct Call<'a> {
    pub(crate) chain: &'a str,
    pub(crate) caller: &'a str,
    pub(crate) to: &'a str,
    pub(crate) value: U256,
    pub(crate) data: &'a [u8],
}

/// Executes a transaction: the native token that it sends along, and the call of a contract.
pub(crate) fn execute(ledger: &mut Ledger, call: &Call<'_>) -> Result<(), Failure> {
    if !call.value.is_zero() {
        ledger.pay(call.chain, "", call.caller, call.to, call.value)?;
    }
    if call.data.is_empty() {
        return Ok(());
    }

    let decoded = ContractCall::recognize(call.data).map(|(decoded, _)| decoded);
    let Some(decoded) = decoded else {
        let selector = hex(call.data.get(..4).unwrap_or(call.data));
        return Err(Failure::Rejected(
            ["the pocket service does not know the function ", &selector].concat(),
        ));
    };
    let done = if ledger.token(call.chain, call.to).is_some_and(|token| !token.address.is_empty()) {
        ledger
            .token_mut(call.chain, call.to)
            .and_then(|token| of_token(token, call.caller, &decoded))
    } else {
        ledger
            .collection_mut(call.chain, call.to)
            .and_then(|known| of_collection(known, call.caller, &decoded))
    };
    done.unwrap_or_else(|| {
        let (to, signature) = (call.to, decoded.signature());
        Err(Failure::Rejected(
            ["the pocket service has no contract ", to, " with the function ", signature].concat(),
        ))
    })
}

fn of_token(token: &mut Token, caller: &str, call: &ContractCall) -> Option<Result<(), Failure>> {
    let done = match call.signature() {
        "transfer(address,uint256)" => token.pay(caller, &who(call, "to"), number(call, "amount")),
        "transferFrom(address,address,uint256)" => {
            token.take(caller, &who(call, "from"), &who(call, "to"), number(call, "value"))
        }
        "approve(address,uint256)" => {
            token.approve(caller, &who(call, "spender"), number(call, "value"));
            Ok(())
        }
        "increaseAllowance(address,uint256)" | "decreaseAllowance(address,uint256)" => {
            let (spender, amount) = (who(call, "spender"), number(call, "amount"));
            let before = token.allowance(caller, &spender);
            let is_more = call.signature().starts_with("increase");
            let after =
                if is_more { before.checked_add(amount) } else { before.checked_sub(amount) };
            after
                .map(|after| token.approve(caller, &spender, after))
                .ok_or("ERC20: allowance out of range")
        }
        _ => return None,
    };
    Some(done.map_err(Failure::from))
}

fn of_collection(
    collection: &mut Collection,
    caller: &str,
    call: &ContractCall,
) -> Option<Result<(), Failure>> {
    let (from, to) = (who(call, "from"), who(call, "to"));
    let mut give = |id: U256, amount: U256| {
        let id = decimal(id);
        if !collection.may_move(&id, &from, caller) {
            return Err("ERC721: caller is not token owner or approved");
        }
        collection.give(&id, &from, &to, amount)
    };
    let done = match (call.signature(), collection_standard(call)) {
        ("transferFrom(address,address,uint256)", _) => give(number(call, "value"), U256::one()),
        (signature, Standard::Erc721) if signature.starts_with("safeTransferFrom") => {
            give(number(call, "id"), U256::one())
        }
        (signature, Standard::Erc1155) if signature.starts_with("safeTransferFrom") => {
            give(number(call, "id"), number(call, "amount"))
        }
        ("setApprovalForAll(address,bool)", _) => {
            let approved = call.argument("approved") == Some(&CallArgument::Bool(true));
            collection.operate(caller, &who(call, "operator"), approved);
            Ok(())
        }
        ("approve(address,uint256)", _) => {
            let id = decimal(number(call, "value"));
            let is_owner = collection.owner(&id) == Some(caller);
            let nft = collection.nfts.get_mut(&id).filter(|_| is_owner);
            nft.map(|nft| nft.approved = who(call, "spender"))
                .ok_or("ERC721: approve caller is not token owner")
        }
        _ => return None,
    };
    Some(done.map_err(Failure::from))
}

/// The standard of a function, by its arguments.
fn collection_standard(call: &ContractCall) -> Standard {
    if call.argument("amount").is_some() { Standard::Erc1155 } else { Standard::Erc721 }
}

fn who(call: &ContractCall, name: &str) -> String {
    if let Some(CallArgument::Address(address)) = call.argument(name) {
        lower(address)
    } else {
        String::new()
    }
}

fn number(call: &ContractCall, name: &str) -> U256 {
    if let Some(CallArgument::Uint(number)) = call.argument(name) { *number } else { U256::zero() }
}

/// An address as the ledger has it: in lower case.
pub(crate) fn lower(address: &Address) -> String {
    shown(&address.to_lowercase())
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
            Self::Flag(flag) => (*flag).into(),
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

/// An argument of a function that is read: a word, or the text that a caller wrote.
#[derive(Clone, Debug)]
pub(crate) struct Word(pub(crate) U256);

impl Word {
    /// Reads an address, a decimal or a quantity.
    pub(crate) fn read(json: &Json) -> Option<Self> {
        let text = match json {
            Json::Text(text) | Json::Number(text) => text.as_str(),
            _ => return None,
        };
        let number = match text.strip_prefix("0x") {
            Some(digits) => of_hex(digits),
            None => of_decimal(text),
        };
        number.map(Self)
    }

    fn account(&self) -> String {
        let bytes = self.0.to_big_endian();
        hex(bytes.get(12..).unwrap_or_default())
    }

    fn id(&self) -> String {
        decimal(self.0)
    }
}

/// The functions that are read, with their selectors.
const READ: [(&str, u32); 11] = [
    ("balanceOf", 0x70a0_8231),
    ("ownerOf", 0x6352_211e),
    ("allowance", 0xdd62_ed3e),
    ("name", 0x06fd_de03),
    ("symbol", 0x95d8_9b41),
    ("decimals", 0x313c_e567),
    ("totalSupply", 0x1816_0ddd),
    ("tokenURI", 0xc87b_56dd),
    ("isApprovedForAll", 0xe985_e9c5),
    ("uri", 0x0e89_341c),
    // ERC-1155: `balanceOf(address,uint256)`.
    ("balanceOf", 0x00fd_d58e),
];

/// The name of a function and its arguments, from call data.
pub(crate) fn decode_read(data: &[u8]) -> Option<(&'static str, Vec<Word>)> {
    let (selector, rest) = data.split_first_chunk()?;
    let (name, _) = READ.iter().find(|(_, known)| *known == u32::from_be_bytes(*selector))?;
    Some((name, rest.chunks_exact(32).map(|word| Word(U256::from_big_endian(word))).collect()))
}

/// Answers a function of a contract. Returns `None` for a contract or a function that the ledger does not have.
pub(crate) fn read(
    ledger: &Ledger,
    chain: &str,
    contract: &str,
    name: &str,
    args: &[Word],
) -> Option<Answer> {
    if let Some(token) = ledger.token(chain, contract).filter(|_| !contract.is_empty()) {
        return Some(match (name, args) {
            ("balanceOf", [holder]) => Answer::Number(token.balance(&holder.account())),
            ("allowance", [owner, spender]) => {
                Answer::Number(token.allowance(&owner.account(), &spender.account()))
            }
            ("name", []) => Answer::Text(token.name.clone()),
            ("symbol", []) => Answer::Text(token.symbol.clone()),
            ("decimals", []) => Answer::Number(token.decimals.into()),
            ("totalSupply", []) => Answer::Number(token.supply()),
            _ => return None,
        });
    }

    let collection = ledger.collection(chain, contract)?;
    Some(match (name, args) {
        ("balanceOf", [holder]) => Answer::Number(collection.balance(&holder.account())),
        ("balanceOf", [holder, id]) => {
            Answer::Number(collection.pieces(&id.id(), &holder.account()))
        }
        ("ownerOf", [id]) => Answer::Account(collection.owner(&id.id())?.into()),
        ("name", []) => Answer::Text(collection.name.clone()),
        ("symbol", []) => Answer::Text(collection.symbol.clone()),
        ("totalSupply", []) => Answer::Number(collection.nfts.len().into()),
        ("tokenURI" | "uri", [id]) => Answer::Text(collection.nfts.get(&id.id())?.uri.clone()),
        ("isApprovedForAll", [owner, operator]) => {
            let (owner, operator) = (owner.account(), operator.account());
            Answer::Flag(owner != operator && collection.may_move("", &owner, &operator))
        }
        _ => return None,
    })
}
