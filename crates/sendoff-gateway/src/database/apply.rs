//! Applies a change, judged by the core.

use std::time::Duration;

use sendoff::{
    catalogue::{Catalogue, CatalogueStep, KnownChain, KnownCollection, KnownToken, advance},
    error::{Error, Issue, IssueCode},
    rate_limit::Policy,
    value::{Address, ChainId},
};
use serde_json::{Map, Value, json};
use sqlx::{Any, Row as _, Transaction};

use super::{
    Alteration, ApplicationName, Asked, ChainPolicies, Change, Changed, Fault, Key, Kind, NewKey,
    Nothing, Place,
    change::{Credential, Draft},
    rows::{self, Clock, Offers, Unreadable},
    secret, within,
};
use crate::config::{Chain, Digest, Origins};

/// The most keys of an application.
const MOST_KEYS: usize = 64;

/// What a change did.
pub(super) struct Done {
    pub(super) status: u16,
    pub(super) data: Value,
    /// What the audit log says; `None` if nothing changed.
    pub(super) about: Option<Value>,
    /// A new key or token, which is not kept.
    pub(super) secret: Option<String>,
}

impl Done {
    fn plain(about: Value) -> Self {
        Self { status: 200, data: json!(Nothing {}), about: Some(about), secret: None }
    }
}

/// Applies a change to the application at a place.
pub(super) async fn apply(
    transaction: &mut Transaction<'_, Any>,
    place: &Place,
    change: &Change,
    now: i64,
) -> Asked<Done> {
    let mut at = At { transaction, place, now };
    let done = at.apply(change).await?;
    // What can be taken away needs no reader.
    if !matches!(change, Change::Remove | Change::End(_)) {
        at.expect_readable().await?;
    }
    Ok(done)
}

/// One application in a transaction.
struct At<'a, 't> {
    transaction: &'a mut Transaction<'t, Any>,
    place: &'a Place,
    now: i64,
}

impl At<'_, '_> {
    async fn apply(&mut self, change: &Change) -> Asked<Done> {
        match change {
            Change::Make(draft) => self.make(draft).await,
            Change::Alter(alteration) => self.alter(alteration).await,
            Change::Remove => self.remove().await,
            Change::MakeCredential(kind, wallet) => {
                self.expect_there().await?;
                self.credential(*kind, *wallet, None).await
            }
            Change::Rotate(id, overlap) => self.rotate(id, *overlap).await,
            Change::End(id) => self.end(id).await,
            Change::Step(step) => self.step(step).await,
            Change::Know(chains, tokens, collections) => {
                self.know(chains, tokens, collections).await
            }
            Change::Sponsor(id, chain) => self.sponsor(id, chain).await,
        }
    }

    /// Reads the application again, as every process will.
    async fn expect_readable(&mut self) -> Asked<()> {
        let (connection, mut offers) = (&mut **self.transaction, Offers::default());
        let clock = Clock::new(self.now);
        let mut read = rows::applications(connection, Some(self.place), &mut offers, clock).await?;
        match read.remove(self.place) {
            Some(Err(why)) => Err(self.unreadable(why)),
            Some(Ok(_)) | None => Ok(()),
        }
    }

    async fn make(&mut self, draft: &Draft) -> Asked<Done> {
        if self.catalogue().await?.is_some() {
            let Place { environment, application } = self.place;
            let message = format!(
                "expected a name that no application of `{environment}` has, found `{application}`"
            );
            return Err(refuse("name", message));
        }

        let insert = "INSERT INTO application (environment, name, client_swa, policy, origins, catalogue) \
                      VALUES ($1, $2, $3, $4, $5, $6)";
        let insert =
            sqlx::query(insert).bind(&*self.place.environment).bind(&*self.place.application);
        let insert = insert
            .bind(draft.client_swa.to_string())
            .bind(draft.policy.as_ref().map(rows::written_policy));
        let insert = insert
            .bind(draft.origins.as_ref().map(rows::written_origins))
            .bind(draft.catalogue.to_string());
        within(insert.execute(&mut **self.transaction)).await?;
        for chain in draft.chains.iter().filter(|chain| **chain != Chain::plain(chain.id.clone())) {
            self.write_chain(&chain.id, chain).await?;
        }
        for Credential { kind, digest, ends_at, wallet } in &draft.credentials {
            self.insert(*kind, digest, *wallet, *ends_at).await?;
        }

        let Place { environment, application } = self.place;
        let data =
            json!(ApplicationName { environment: environment.clone(), name: application.clone() });
        let mut about = about(&Alteration {
            client_swa: Some(draft.client_swa),
            policy: draft.policy.map(Some),
            origins: draft.origins.clone().map(Some),
        });
        about.insert("catalogue".into(), json!(draft.catalogue));
        let ids: Vec<_> = draft.credentials.iter().map(|one| one.digest.start()).collect();
        about.extend((!ids.is_empty()).then(|| ("credentials".to_owned(), json!(ids))));
        Ok(Done { status: 201, data, about: Some(about.into()), secret: None })
    }

    async fn alter(&mut self, to: &Alteration) -> Asked<Done> {
        self.expect_there().await?;
        let Place { environment, application } = self.place;
        let policy = to.policy.as_ref().map(|policy| policy.as_ref().map(rows::written_policy));
        let origins =
            to.origins.as_ref().map(|origins| origins.as_ref().map(rows::written_origins));
        let texts = [
            ("client_swa", to.client_swa.map(|wallet| Some(wallet.to_string()))),
            ("policy", policy),
            ("origins", origins),
        ];
        for (column, text) in texts {
            let Some(text) = text else { continue };
            let update = format!(
                "UPDATE application SET {column} = $1 WHERE environment = $2 AND name = $3"
            );
            let update = sqlx::query(&update).bind(text).bind(&**environment).bind(&**application);
            within(update.execute(&mut **self.transaction)).await?;
        }
        let about = about(to);
        Ok(Done { about: (!about.is_empty()).then_some(about.into()), ..Done::plain(json!({})) })
    }

    async fn remove(&mut self) -> Asked<Done> {
        self.expect_there().await?;
        let delete = sqlx::query("DELETE FROM application WHERE environment = $1 AND name = $2");
        let delete = delete.bind(&*self.place.environment).bind(&*self.place.application);
        within(delete.execute(&mut **self.transaction)).await?;
        Ok(Done::plain(json!({})))
    }

    /// Makes a key or a token, in the place of another one that ends.
    async fn credential(
        &mut self,
        kind: Kind,
        wallet: Option<Address>,
        replaced: Option<(&str, i64)>,
    ) -> Asked<Done> {
        let secret = secret::new(kind)?;
        let digest = Digest::of(&secret);
        self.insert(kind, &digest, wallet, None).await?;

        let key = Key {
            id: digest.start(),
            kind,
            made_at: self.now,
            ends_at: replaced.map(|(_, ends)| ends),
            user_swa: wallet.map(|wallet| wallet.to_string()),
        };
        let replaces = replaced.map(|(id, _)| id.to_owned());
        let data = json!(NewKey { key, replaces, secret: None });
        Ok(Done { status: 201, about: Some(data.clone()), data, secret: Some(secret) })
    }

    /// Adds a key or a token. Those of the application that have ended are swept.
    async fn insert(
        &mut self,
        kind: Kind,
        digest: &Digest,
        wallet: Option<Address>,
        ends: Option<i64>,
    ) -> Asked<()> {
        let Place { environment, application } = self.place;
        let sweep =
            "DELETE FROM credential WHERE environment = $1 AND application = $2 AND ends_at <= $3";
        let sweep = sqlx::query(sweep).bind(&**environment).bind(&**application).bind(self.now);
        within(sweep.execute(&mut **self.transaction)).await?;

        let digest = digest.to_string();
        let known = sqlx::query(
            "SELECT application FROM credential WHERE environment = $1 AND digest = $2",
        );
        let known = known.bind(&**environment).bind(&*digest);
        if within(known.fetch_optional(&mut **self.transaction)).await?.is_some() {
            let message =
                "expected a key or token to have one use, found one that an application has";
            return Err(refuse("", message.into()));
        }
        if kind != Kind::User {
            let count = "SELECT COUNT(*) FROM credential WHERE environment = $1 AND application = $2 AND kind <> 'user'";
            let count = sqlx::query(count).bind(&**environment).bind(&**application);
            let row = within(count.fetch_one(&mut **self.transaction)).await?;
            if usize::try_from(row.try_get::<i64, _>(0)?).is_ok_and(|count| count >= MOST_KEYS) {
                return Err(refuse(
                    "",
                    format!("expected at most {MOST_KEYS} keys of an application, found more"),
                ));
            }
        }

        let insert = "INSERT INTO credential (environment, digest, application, kind, user_swa, made_at, ends_at) \
                      VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let insert = sqlx::query(insert).bind(&**environment).bind(digest).bind(&**application);
        let insert = insert.bind(kind.to_string()).bind(wallet.map(|wallet| wallet.to_string()));
        within(insert.bind(self.now).bind(ends).execute(&mut **self.transaction)).await?;
        Ok(())
    }

    async fn rotate(&mut self, id: &str, overlap: Duration) -> Asked<Done> {
        let known = self.find(id).await?;
        let overlap = i64::try_from(overlap.as_millis()).unwrap_or(i64::MAX);
        let ends = self.now.saturating_add(overlap);
        let ends = known.ends_at.map_or(ends, |earlier| ends.min(earlier));
        // Without an overlap it ends here, whatever the clocks say.
        let statement = if overlap == 0 {
            "DELETE FROM credential WHERE $1 >= 0 AND environment = $2 AND digest = $3"
        } else {
            "UPDATE credential SET ends_at = $1 WHERE environment = $2 AND digest = $3"
        };
        let ended = sqlx::query(statement).bind(ends).bind(&*self.place.environment);
        within(ended.bind(known.digest).execute(&mut **self.transaction)).await?;
        self.credential(known.kind, known.wallet, Some((id, ends))).await
    }

    async fn end(&mut self, id: &str) -> Asked<Done> {
        let known = self.find(id).await?;
        let delete = sqlx::query("DELETE FROM credential WHERE environment = $1 AND digest = $2");
        let delete = delete.bind(&*self.place.environment).bind(known.digest);
        within(delete.execute(&mut **self.transaction)).await?;
        Ok(Done::plain(json!({ "id": id, "kind": known.kind.to_string() })))
    }

    async fn step(&mut self, step: &CatalogueStep) -> Asked<Done> {
        let catalogue = self.expect_there().await?;
        // The document of the request is the step.
        let progress = advance(catalogue, step)
            .map_err(|error| moved(error, |path| path.strip_prefix("step.").map(str::to_owned)))?;
        self.write(&progress.catalogue).await?;
        let changed = progress.changed;
        let about = changed.then(|| serde_json::from_str(&step.to_string()).unwrap_or_default());
        Ok(Done { status: 200, data: json!(Changed { changed }), about, secret: None })
    }

    async fn know(
        &mut self,
        chains: &[KnownChain],
        tokens: &[KnownToken],
        collections: &[KnownCollection],
    ) -> Asked<Done> {
        let known = self.expect_there().await?;
        let lengths = [
            ("chains.", known.known_chains().len()),
            ("tokens.", known.known_tokens().len()),
            ("collections.", known.known_collections().len()),
        ];
        let made = Catalogue::new(
            known.disable(),
            [known.known_chains(), chains].concat(),
            [known.known_tokens(), tokens].concat(),
            [known.known_collections(), collections].concat(),
        );
        // The items of the request are at the ends of the catalogue's lists.
        let made = made.map_err(|error| {
            moved(error, |path| {
                let (list, before) = lengths.iter().find(|(list, _)| path.starts_with(list))?;
                let rest = path.get(list.len()..)?;
                let (index, field) = rest
                    .split_once('.')
                    .map_or((rest, None), |(index, field)| (index, Some(field)));
                let index = index.parse::<usize>().ok()?.checked_sub(*before)?;
                Some(
                    field
                        .map_or(format!("{list}{index}"), |field| format!("{list}{index}.{field}")),
                )
            })
        })?;
        self.write(&made).await?;

        let changed = !(chains.is_empty() && tokens.is_empty() && collections.is_empty());
        let about = json!({ "chains": chains, "tokens": tokens, "collections": collections });
        Ok(Done {
            status: 200,
            data: json!(Changed { changed }),
            about: changed.then_some(about),
            secret: None,
        })
    }

    async fn sponsor(&mut self, id: &ChainId, chain: &Chain) -> Asked<Done> {
        let catalogue = self.expect_there().await?;
        if !catalogue.known_chains().iter().any(|known| known.caip2_id == *id) {
            return Err(refuse("caip2Id", format!("expected a chain of `chains`, found `{id}`")));
        }
        self.write_chain(id, chain).await?;
        Ok(Done::plain(json!(ChainPolicies::from(chain))))
    }

    async fn write_chain(&mut self, id: &ChainId, chain: &Chain) -> Asked<()> {
        let Place { environment, application } = self.place;
        let delete =
            "DELETE FROM sponsorship WHERE environment = $1 AND application = $2 AND caip2_id = $3";
        let delete =
            sqlx::query(delete).bind(&**environment).bind(&**application).bind(id.to_string());
        within(delete.execute(&mut **self.transaction)).await?;

        let insert = "INSERT INTO sponsorship \
                      (environment, application, caip2_id, gsn_enabled, sponsorship_enabled, transaction_fee) \
                      VALUES ($1, $2, $3, $4, $5, $6)";
        let insert =
            sqlx::query(insert).bind(&**environment).bind(&**application).bind(id.to_string());
        let insert = insert.bind(i64::from(chain.policies.gsn_enabled));
        let insert = insert
            .bind(i64::from(chain.policies.sponsorship_enabled))
            .bind(chain.fee().map(|fee| fee.to_string()));
        within(insert.execute(&mut **self.transaction)).await?;
        Ok(())
    }

    async fn write(&mut self, catalogue: &Catalogue) -> Asked<()> {
        let update = sqlx::query(
            "UPDATE application SET catalogue = $1 WHERE environment = $2 AND name = $3",
        );
        let update = update.bind(catalogue.to_string());
        let update = update.bind(&*self.place.environment).bind(&*self.place.application);
        within(update.execute(&mut **self.transaction)).await?;
        Ok(())
    }

    /// The catalogue; `None` if there is no such application.
    async fn catalogue(&mut self) -> Asked<Option<Catalogue>> {
        let found =
            sqlx::query("SELECT catalogue FROM application WHERE environment = $1 AND name = $2");
        let found = found.bind(&*self.place.environment).bind(&*self.place.application);
        let Some(row) = within(found.fetch_optional(&mut **self.transaction)).await? else {
            return Ok(None);
        };
        let text: String = row.try_get(0)?;
        rows::catalogue(&text).map(Some).map_err(|why| self.unreadable(why))
    }

    fn unreadable(&self, why: impl Into<Unreadable>) -> Fault {
        Fault::Unreadable(why.into().at(self.place))
    }

    async fn expect_there(&mut self) -> Asked<Catalogue> {
        self.catalogue().await?.ok_or(Fault::Absent)
    }

    /// The credential with this id that has not ended.
    async fn find(&mut self, id: &str) -> Asked<Found> {
        let Place { environment, application } = self.place;
        let found = "SELECT digest, kind, user_swa, ends_at FROM credential \
                     WHERE environment = $1 AND application = $2 AND substr(digest, 1, 16) = $3";
        let found = sqlx::query(found).bind(&**environment).bind(&**application).bind(id);
        let row =
            within(found.fetch_optional(&mut **self.transaction)).await?.ok_or(Fault::Absent)?;
        let ends_at: Option<i64> = row.try_get(3)?;
        if ends_at.is_some_and(|ends| ends <= self.now) {
            return Err(Fault::Absent);
        }
        let kind: String = row.try_get(1)?;
        let kind = kind.parse().map_err(|why: String| self.unreadable(why))?;
        let wallet: Option<String> = row.try_get(2)?;
        let wallet = wallet.map(|wallet| wallet.parse()).transpose();
        let wallet = wallet.map_err(|error: Error| self.unreadable(error))?;
        Ok(Found { digest: row.try_get(0)?, kind, wallet, ends_at })
    }
}

/// An alteration as the audit log has it: `null` for what the environment decides.
fn about(to: &Alteration) -> Map<String, Value> {
    let policy = |policy: &Option<Policy>| match policy {
        Some(policy) => serde_json::from_str(&policy.to_string()).unwrap_or_default(),
        None => json!("none"),
    };
    let origins = |origins: &Origins| match origins {
        Origins::Every => json!("*"),
        Origins::These(origins) => json!(origins),
    };
    let parts = [
        ("clientSWA", to.client_swa.map(|wallet| json!(wallet.to_string()))),
        ("policy", to.policy.as_ref().map(|to| to.as_ref().map_or(Value::Null, policy))),
        ("origins", to.origins.as_ref().map(|to| to.as_ref().map_or(Value::Null, origins))),
    ];
    let given = parts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    given.collect()
}

/// A credential of the database.
struct Found {
    digest: String,
    kind: Kind,
    wallet: Option<Address>,
    ends_at: Option<i64>,
}

pub(super) fn refuse(path: &str, message: String) -> Fault {
    Fault::Refused(vec![Issue::new(path.into(), IssueCode::Rule, message)])
}

/// An error of the core, whose paths are moved to those of the request.
fn moved(error: Error, to: impl Fn(&str) -> Option<String>) -> Fault {
    let mut issues = error.into_issues();
    for issue in &mut issues {
        if let Some(path) = to(&issue.path) {
            issue.path = path;
        }
    }
    Fault::Refused(issues)
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}
