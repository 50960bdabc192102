//! Functions of the ledger's contracts that are read.

use sendoff::primitive_types::U256;

use crate::draw::hex;
use crate::json::cut;
use crate::ledger::{Collection, Ledger, NO_NFT, Standard, Token};
use crate::number::{of_decimal, of_hex};

/// The ABI encoding of one string.
pub(crate) fn encode_text(text: &str) -> Vec<u8> {
    let mut bytes = U256::from(32).to_big_endian().to_vec();
    bytes.extend(U256::from(text.len()).to_big_endian());
    bytes.extend(text.bytes());
    bytes.resize(bytes.len().next_multiple_of(32), 0);
    bytes
}

/// Reads the id or the number of a text, as the ledger has it: in decimals.
pub(crate) fn number_of(text: &str) -> Option<String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => of_hex(digits),
        None => of_decimal(text),
    };
    number.map(|number| number.to_string())
}

/// The arguments of a function as the ledger has them: addresses in lower case, numbers in decimals.
pub(crate) type Args = [String; 2];

/// A function that is read.
pub(crate) struct View {
    pub(crate) name: &'static str,
    selector: u32,
    /// The kind of each argument: `a` for an address, `n` for a number.
    pub(crate) kinds: &'static [u8],
    /// The kind of the answer: one of these, `t` for text or `f` for a flag.
    answer: u8,
}

const VIEWS: [View; 11] = [
    View::new("balanceOf", 0x70a0_8231, b"a", b'n'),
    View::new("ownerOf", 0x6352_211e, b"n", b'a'),
    View::new("allowance", 0xdd62_ed3e, b"aa", b'n'),
    View::new("name", 0x06fd_de03, b"", b't'),
    View::new("symbol", 0x95d8_9b41, b"", b't'),
    View::new("decimals", 0x313c_e567, b"", b'n'),
    View::new("totalSupply", 0x1816_0ddd, b"", b'n'),
    View::new("tokenURI", 0xc87b_56dd, b"n", b't'),
    View::new("isApprovedForAll", 0xe985_e9c5, b"aa", b'f'),
    View::new("uri", 0x0e89_341c, b"n", b't'),
    View::new("balanceOf", 0x00fd_d58e, b"an", b'n'),
];

/// The answer of a contract, or why it does not answer.
type Answer = Result<String, &'static str>;

impl View {
    const fn new(name: &'static str, selector: u32, kinds: &'static [u8], answer: u8) -> Self {
        Self { name, selector, kinds, answer }
    }

    /// The function of a name and a number of arguments.
    pub(crate) fn find(name: &str, count: usize) -> Option<&'static Self> {
        VIEWS.iter().find(|known| known.name == name && known.kinds.len() == count)
    }

    /// The function of call data.
    pub(crate) fn of_data(data: &[u8]) -> Option<&'static Self> {
        let selector = u32::from_be_bytes(*data.first_chunk()?);
        VIEWS.iter().find(|known| known.selector == selector)
    }

    /// Its arguments in call data; `None` if they do not decode.
    pub(crate) fn decode(&self, data: &[u8]) -> Option<Args> {
        let mut words = data.get(4..)?.chunks_exact(32);
        let mut args = Args::default();
        for (kind, arg) in self.kinds.iter().zip(&mut args) {
            let word = words.next()?;
            let (zeros, account) = word.split_at_checked(12)?;
            *arg = match kind {
                b'n' => U256::from_big_endian(word).to_string(),
                _ if zeros == [0; 12] => hex(account),
                _ => return None,
            };
        }
        Some(args)
    }

    /// The answer of a contract as text, integers in decimals, or why it does not answer.
    pub(crate) fn read(
        &self,
        ledger: &Ledger,
        chain: &str,
        contract: &str,
        args: &Args,
    ) -> Result<String, String> {
        let answer = match (ledger.token(chain, contract), ledger.collection(chain, contract)) {
            (Some(token), _) if !contract.is_empty() => self.of_token(token, args),
            (_, Some(collection)) => self.of_collection(collection, args),
            _ => Err(", because it has no such contract"),
        };
        answer.map_err(|why| match why {
            NO_NFT => why.into(),
            _ => unread(self.name, contract, why),
        })
    }

    /// The ABI encoding of an answer.
    pub(crate) fn encode(&self, answer: &str) -> Vec<u8> {
        let number = match self.answer {
            b't' => return encode_text(answer),
            b'a' => of_hex(answer.trim_start_matches("0x")),
            b'f' => Some(u8::from(answer == "true").into()),
            _ => of_decimal(answer),
        };
        number.unwrap_or_default().to_big_endian().into()
    }

    fn of_token(&self, token: &Token, [first, second]: &Args) -> Answer {
        Ok(match (self.name, self.kinds.len()) {
            ("balanceOf", 1) => token.balance(first).to_string(),
            ("allowance", _) => token.allowance(first, second).to_string(),
            ("decimals", _) => token.decimals.to_string(),
            ("totalSupply", _) => token.supply().to_string(),
            ("name", _) => token.name.clone(),
            ("symbol", _) => token.symbol.clone(),
            _ => return Err(NO_FUNCTION),
        })
    }

    fn of_collection(&self, collection: &Collection, [first, second]: &Args) -> Answer {
        let uri = collection.nfts.get(first).map(|nft| nft.uri.clone());
        let of_one = self.kinds.len() == 1;
        Ok(match (self.name, collection.standard) {
            ("name", _) => collection.name.clone(),
            ("symbol", _) => collection.symbol.clone(),
            ("isApprovedForAll", _) => {
                (first != second && collection.may_move("", first, second)).to_string()
            }
            ("ownerOf", Standard::Erc721) => collection.owner(first).ok_or(NO_NFT)?.into(),
            ("tokenURI", Standard::Erc721) => uri.ok_or(NO_NFT)?,
            ("uri", Standard::Erc1155) => uri.unwrap_or_default(),
            ("totalSupply", Standard::Erc721) => collection.nfts.len().to_string(),
            ("balanceOf", Standard::Erc721) if of_one => collection.balance(first).to_string(),
            ("balanceOf", Standard::Erc1155) if !of_one => {
                collection.pieces(second, first).to_string()
            }
            _ => return Err(NO_FUNCTION),
        })
    }
}

const NO_FUNCTION: &str = ", because it has no such function";

/// A sentence about a function that is not read.
pub(crate) fn unread(name: &str, contract: &str, why: &str) -> String {
    format!("the pocket service does not read `{}` of `{}`{why}", cut(name), cut(contract))
}
