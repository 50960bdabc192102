//! The keys that change only with a restart: addresses, the store, and the numbers of connections
//! and requests.

use std::collections::BTreeMap;

use super::{Bounds, Config, Database, RedisStore, Store};

/// The value of a key, and whether a message may show it.
#[derive(PartialEq, Eq)]
enum Value {
    Shown(String),
    Secret(String),
}

impl Value {
    fn as_text(&self) -> String {
        match self {
            Self::Shown(value) => format!("`{value}`"),
            Self::Secret(_) => "another value".into(),
        }
    }
}

impl Config {
    /// A sentence about each key that the running process cannot change to its value in `new`.
    pub(crate) fn changed_before_restart(&self, new: &Self) -> Vec<String> {
        let (mut running, mut problems) = (self.fixed(), Vec::new());
        for (key, found) in new.fixed() {
            match running.remove(&key) {
                Some(value) if value == found => {}
                Some(Value::Shown(value)) => problems.push(format!(
                    "{key}: expected `{value}`, which changes only with a restart, found {}",
                    found.as_text()
                )),
                Some(Value::Secret(_)) => {
                    problems.push(format!(
                        "{key}: expected the same value, which changes only with a restart"
                    ));
                }
                None => problems.push(format!(
                    "{key}: takes effect only after a restart, found {}",
                    found.as_text()
                )),
            }
        }

        let gone = running.into_keys();
        problems.extend(
            gone.map(|key| format!("{key}: expected the same value until a restart, found none")),
        );

        problems
    }

    fn fixed(&self) -> BTreeMap<String, Value> {
        let mut fixed = BTreeMap::new();
        let mut shown =
            |key: &str, value: String| fixed.insert(key.to_owned(), Value::Shown(value));
        if let Some(admin) = self.admin {
            shown("admin", admin.to_string());
        }
        shown("reuse_port", self.reuse_port.to_string());
        for environment in &self.environments {
            shown(
                &format!("environment.{}.listen", environment.name),
                environment.listen.to_string(),
            );
        }
        for (key, count) in self.bounds.counts() {
            shown(key, count.to_string());
        }

        if let Store::Redis(RedisStore { url, secret, on_loss, timeout, lease, replicas }) =
            &self.store
        {
            shown("on_store_loss", format!("{on_loss:?}").to_lowercase());
            shown("store_ms", timeout.as_millis().to_string());
            shown("lease", lease.to_string());
            shown("store_replicas", replicas.to_string());
            fixed.insert("store".into(), Value::Secret(url.clone()));
            fixed.insert("store_secret".into(), Value::Secret(secret.clone()));
        }
        let database = self.database.as_ref().map(|database| match database {
            Database::File(path) => Value::Shown(path.display().to_string()),
            Database::Postgres(address) => Value::Secret(address.clone()),
        });
        fixed.extend(database.map(|database| ("database".into(), database)));
        fixed
    }
}

impl Bounds {
    /// The numbers of connections and requests.
    fn counts(&self) -> [(&'static str, usize); 4] {
        [
            ("connections", self.connections),
            ("requests", self.requests),
            ("requests_per_application", self.requests_per_application),
            ("requests_per_user", self.requests_per_user),
        ]
    }
}
