//! The database of applications, and who may change it.

use std::{collections::HashSet, fmt, path::PathBuf};

use super::{
    application::{all, plain},
    secret::{Credential, Digest, Variables, key, secret},
    toml::{Place, Table},
};

/// The database of applications.
#[derive(Clone, PartialEq, Eq)]
pub enum Database {
    /// SQLite in this file, for one process at a time.
    File(PathBuf),
    /// PostgreSQL at this address, for any number of processes.
    Postgres(String),
}

impl fmt::Debug for Database {
    /// Omits the address, which may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Postgres(_) => f.write_str("Postgres(…)"),
        }
    }
}

/// A person or a program that may use the admin API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admin {
    /// The name in the audit log.
    pub name: String,
    /// The digest of the token.
    pub token: Digest,
}

/// Reads the path of a file, or the address of a PostgreSQL.
pub(super) fn database(place: &Place<'_>, variables: Variables<'_>) -> Option<Database> {
    let text = if place.is_table() { secret(place, variables)? } else { place.text()?.to_owned() };
    let expected = "the path of a file, or an address such as `postgres://127.0.0.1:5432/sendoff`";
    if text.is_empty() || text.starts_with("sqlite:") {
        return place.misformed(expected, &text);
    }
    if !text.contains("://") {
        return Some(Database::File(text.into()));
    }

    let url = reqwest::Url::parse(&text).ok();
    let Some(url) = url.filter(|url| matches!(url.scheme(), "postgres" | "postgresql")) else {
        return place.misformed(expected, &text);
    };
    if url.password().is_some() && !place.is_table() {
        place.push("expected an address with a password as `{ env = \"…\" }`, found a password in the file".into());
    }
    Some(Database::Postgres(text))
}

/// Reads `[[admins]]`, who need a database and an admin address.
pub(super) fn admins(
    file: &mut Table<'_>,
    has_address: bool,
    variables: Variables<'_>,
) -> Option<Vec<Admin>> {
    let places = file.list("admins")?;
    if let Some(place) = places.first().filter(|_| !has_address) {
        place.push(
            "expected a `database` and an `admin` address beside it, found none or one".into(),
        );
    }

    let admins = all(Some(places), |place| admin(place, variables))?;
    let (mut names, mut tokens) = (HashSet::new(), HashSet::new());
    for Admin { name, token } in &admins {
        if !names.insert(name) {
            file.push("admins", format!("expected each admin once, found `{name}` again"));
        }
        if !tokens.insert(token) {
            file.push(
                "admins",
                format!("expected a token to have one use, found that of `{name}` again"),
            );
        }
    }
    Some(admins)
}

fn admin(place: &Place<'_>, variables: Variables<'_>) -> Option<Admin> {
    let mut table = place.table()?;
    let name = table.required("name").and_then(|place| plain(&place));
    let token = table.required("token").and_then(|place| {
        let key = key(&place, Credential::Token, variables)?;
        if key.ends.is_some() {
            place.push("expected a token without `ends_ms`, found one with it".into());
        }
        Some(key.digest)
    });
    table.close();
    Some(Admin { name: name?, token: token? })
}
