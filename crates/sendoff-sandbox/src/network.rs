//! The network that a request names.

use alloc::string::String;

use sendoff::catalogue::KnownChain;
use sendoff::error::IssueCode;
use sendoff::http::Refusal;

use crate::fault::{Coded, Fault};
use crate::form::Form;
use crate::state::State;

/// A network of the catalogue.
#[derive(Default)]
pub(crate) struct Network {
    pub(crate) caip2_id: String,
    pub(crate) name: String,
    is_enabled: bool,
}

impl State {
    /// The network of a body of version 2; an empty one if that has a problem.
    pub(crate) fn intent_network(&self, form: &mut Form<'_>) -> Network {
        let id = form.body.text("caip2Id");
        let is_it = |chain: &&KnownChain| String::from(&chain.caip2_id) == id;
        self.catalogued(form, "caip2Id", &is_it)
    }

    /// The network of a body; an empty one if that has a problem. `POLYGON TESTNET AMOY` is a spelling of `POLYGON_TESTNET_AMOY`, in
    /// any letter case.
    pub(crate) fn network(&self, form: &mut Form<'_>) -> Network {
        let plain = |name: &str| name.trim().replace(' ', "_").to_ascii_uppercase();
        let name = plain(form.body.text("network_name"));
        let is_it = |chain: &&KnownChain| plain(chain.name.as_str()) == name;
        self.catalogued(form, "network_name", &is_it)
    }

    fn catalogued(
        &self,
        form: &mut Form<'_>,
        field: &str,
        is_it: &dyn Fn(&&KnownChain) -> bool,
    ) -> Network {
        let Some(chain) = self.catalogue.0.known_chains().iter().find(is_it) else {
            let expected = "a network of the catalogue";
            form.wrong(field, IssueCode::Format, expected, Some(Coded::NETWORK));
            return Network::default();
        };
        let caip2_id = String::from(&chain.caip2_id);
        Network { caip2_id, name: chain.name.as_str().into(), is_enabled: chain.enabled }
    }
}

impl Network {
    /// Checks that the application may use it.
    pub(crate) fn enabled(&self) -> Result<(), Fault> {
        if self.is_enabled {
            return Ok(());
        }
        Err(Refusal::not_enabled(["the network `", &self.name, "`"].concat()).into())
    }
}
