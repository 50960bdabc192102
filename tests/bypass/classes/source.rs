//! Where the classes were seen.

pub(super) use Source::{Eip, Page};

/// A publication.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// A page: its title, and its address without `https://`.
    Page(&'static str, &'static str),
    /// A standard of Ethereum: a title, and its number with a fragment.
    Eip(&'static str, &'static str),
    /// An issue or a pull request of a project on GitHub.
    Thread(Project, &'static str, u32),
}

impl Source {
    /// Its title and its address.
    #[must_use]
    pub fn link(&self) -> (String, String) {
        let (title, address) = match self {
            Self::Page(title, address) => ((*title).into(), (*address).into()),
            Self::Eip(title, number) => {
                ((*title).into(), format!("eips.ethereum.org/EIPS/eip-{number}"))
            }
            Self::Thread(Project(name, repository), kind, number) => {
                (format!("{name} #{number}"), format!("github.com/{repository}/{kind}/{number}"))
            }
        };
        (title, format!("https://{address}"))
    }
}

/// A project on GitHub: its name, and its repository.
#[derive(Clone, Copy, Debug)]
pub struct Project(pub &'static str, pub &'static str);

impl Project {
    pub(super) const fn issue(self, number: u32) -> Source {
        Source::Thread(self, "issues", number)
    }

    pub(super) const fn pull(self, number: u32) -> Source {
        Source::Thread(self, "pull", number)
    }
}
pub(super) const ACTIONS: Project = Project("Optimism Actions", "ethereum-optimism/actions");
pub(super) const BITGO: Project = Project("BitGoJS", "BitGo/BitGoJS");
pub(super) const BRAVE: Project = Project("Brave", "brave/brave-browser");
pub(super) const ENTRY_POINT: Project =
    Project("account-abstraction", "eth-infinitism/account-abstraction");
pub(super) const MCP_GO: Project = Project("MCP Go SDK", "modelcontextprotocol/go-sdk");
pub(super) const METAMASK: Project = Project("MetaMask", "MetaMask/metamask-extension");
pub(super) const SAFE_CONTRACTS: Project =
    Project("Safe contracts", "safe-fndn/safe-smart-account");
pub(super) const SAFE_GATEWAY: Project = Project("Safe gateway", "safe-global/safe-client-gateway");
pub(super) const SAFE_SERVICE: Project =
    Project("Safe transaction service", "safe-global/safe-transaction-service");
pub(super) const SAFE_INTERFACE: Project = Project("Safe interface", "5afe/safe-react");
pub(super) const SKANDHA: Project = Project("skandha", "etherspot/skandha");
pub(super) const SOLIDITY: Project = Project("Solidity", "argotorg/solidity");
pub(super) const TOKENS: Project = Project("ethereum-lists/tokens", "ethereum-lists/tokens");
pub(super) const VIEM: Project = Project("viem", "wevm/viem");

pub(super) const BISHOP_FOX: Source = Page(
    "Bishop Fox, JSON interoperability",
    "bishopfox.com/blog/json-interoperability-vulnerabilities",
);
pub(super) const MINEFIELD: Source =
    Page("Parsing JSON is a minefield", "fixjson.org/news/parsing-json-is-a-minefield");
pub(super) const MULTICALL: Source = Page(
    "ERC-2771 with Multicall, OpenZeppelin 2023",
    "blog.openzeppelin.com/arbitrary-address-spoofing-vulnerability-erc2771context-multicall-public-disclosure",
);
pub(super) const RADIANT: Source = Page(
    "Radiant Capital, 2024",
    "onekey.so/blog/ecosystem/radiant-capital-s-50-m-mistake-when-hardware-wallets-blindly-signed-it-all-away",
);
pub(super) const ZRTP: Source =
    Page("ZRTP, RFC 6189", "www.rfc-editor.org/rfc/rfc6189#section-4.4.1.1");
