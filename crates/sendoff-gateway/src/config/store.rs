//! The store of rate windows in a file.

use super::{
    OnStoreLoss, RedisStore, Store,
    read::{milliseconds, ms, one_of},
    secret::{Variables, secret},
    toml::{Place, Table},
};
use crate::redis::Address;

/// Reads the store of environments whose highest limit is `most`.
pub(super) fn store(
    file: &mut Table<'_>,
    most: Option<u32>,
    variables: Variables<'_>,
) -> Option<Store> {
    let Some(place) = file.optional("store") else { return Some(Store::Memory) };
    let url =
        if place.is_table() { secret(&place, variables) } else { place.text().map(str::to_owned) };

    if url.as_deref() == Some("memory") {
        return Some(Store::Memory);
    }
    if let Some(url) = &url {
        check_store(&place, url);
    }

    let secret = file.required("store_secret").and_then(|place| secret(&place, variables));
    let on_loss = file.required("on_store_loss").and_then(|place| {
        one_of(&place, &[("local", OnStoreLoss::Local), ("refuse", OnStoreLoss::Refuse)])
    });
    let timeout = milliseconds(file, "store_ms", ms(250));
    let lease =
        file.or("lease", 1, |place| place.integer(1..=most.unwrap_or((1 << 21) - 1).into()));
    let replicas = file.or("store_replicas", 0, |place| place.integer(0..=16));
    let (lease, replicas) = (u32::try_from(lease?).ok()?, u32::try_from(replicas?).ok()?);

    Some(Store::Redis(RedisStore {
        url: url?,
        secret: secret?,
        on_loss: on_loss?,
        timeout: timeout?,
        lease,
        replicas,
    }))
}

/// Reports the problem of a store's address, without the address.
fn check_store(place: &Place<'_>, url: &str) {
    let address = match Address::read(url) {
        Ok(address) => address,
        Err(expected) => {
            place.misformed::<()>(expected, url);
            return;
        }
    };
    if url.contains('#') {
        place.push("expected an address whose certificate is checked, found one with a `#`".into());
        return;
    }
    if address.has_password() && !place.is_table() {
        place.push("expected an address with a password as `{ env = \"…\" }`, found a password in the file".into());
    }
}
