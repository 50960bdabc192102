//! A change that somebody asks for: in one transaction, once for each idempotency key, with a row
//! in the audit log.

use std::{collections::HashSet, time::Duration};

use serde_json::{Map, Value, json};
use sqlx::{Any, Row as _, Transaction};

use super::{
    Asked, Database, Entry, Fault,
    change::{Change, Done, apply, refuse},
    document::{Document, Place},
    documents, within,
};

/// How long an answer is kept for a repeated request.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Who asks for a change, as the audit log has it.
#[derive(Clone, Copy)]
pub(crate) struct By<'a> {
    pub(crate) name: &'a str,
    pub(crate) address: &'a str,
    pub(crate) trace_id: &'a str,
}

/// A change that somebody asks for.
pub(crate) struct Order<'a> {
    pub(crate) by: By<'a>,
    /// The idempotency key.
    pub(crate) key: &'a str,
    /// The digest of the request, which differs if another request has the same key.
    pub(crate) request: &'a str,
    /// The body of the request, for the audit log.
    pub(crate) about: Map<String, Value>,
}

/// The answer to a change.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) data: Map<String, Value>,
    /// `true` if it is the answer of an earlier request, without its secret.
    pub(crate) is_repeated: bool,
}

/// A change in a transaction.
struct Attempt {
    transaction: Transaction<'static, Any>,
    /// The number of the change.
    revision: i64,
    /// The time of the database.
    now: i64,
}

impl Database {
    /// Makes a change, or answers as before if a request with this idempotency key was answered.
    ///
    /// # Errors
    ///
    /// The problems of the change. The database is then as it was.
    pub(crate) async fn change(
        &self,
        order: Order<'_>,
        place: &Place,
        change: &Change,
    ) -> Asked<Answer> {
        let mut attempt = self.attempt().await?;
        let key = format!("{}\n{}", order.by.name, order.key);
        if let Some(answer) = attempt.answered(&key, order.request).await? {
            return Ok(answer);
        }

        let done = attempt.apply(place, change, order.by, order.about).await?;
        attempt.keep(&key, order.request, &done).await?;
        within(attempt.transaction.commit()).await?;

        let mut data = object(done.data);
        data.extend(done.secret.map(|secret| ("secret".to_owned(), secret.into())));
        Ok(Answer { status: done.status, data, is_repeated: false })
    }

    /// Makes many applications, or none of them; only in a database without a change, if it `must_be_new`. Returns `false` if it
    /// is not.
    ///
    /// # Errors
    ///
    /// The first problem, with its application.
    pub(crate) async fn import(
        &self,
        all: Vec<(Place, Document)>,
        must_be_new: bool,
    ) -> Result<bool, (Option<Place>, Fault)> {
        let mut attempt = self.attempt().await.map_err(|fault| (None, fault))?;
        if must_be_new && attempt.revision > 1 {
            return Ok(false);
        }
        let mut used = HashSet::new();
        for (place, document) in
            documents(&mut attempt.transaction, None).await.map_err(|fault| (None, fault))?
        {
            let known = document.and_then(|text| Document::read(&text.ok()?).ok());
            let keys = known.iter().flat_map(Document::credentials);
            used.extend(keys.map(|(_, key, _)| (place.environment.clone(), key.sha256)));
        }

        let by = By { name: "import", address: "", trace_id: "" };
        for (place, document) in all {
            let keys: Vec<_> = document.credentials().map(|(_, key, _)| key.sha256).collect();
            let change = Change::Make(Box::new(document));
            let made = async {
                attempt.apply(&place, &change, by, Map::new()).await?;
                if !keys.into_iter().all(|key| used.insert((place.environment.clone(), key))) {
                    let expected = "expected a key or token to have one use, found one that an \
                                    application has";
                    return Err(refuse("", expected.into()));
                }
                attempt.revision = next(&mut attempt.transaction).await?;
                Ok(())
            };
            made.await.map_err(|fault| (Some(place), fault))?;
        }
        within(attempt.transaction.commit()).await.map_err(|fault| (None, fault))?;
        Ok(true)
    }

    /// Begins a change. Another one waits until it ends.
    async fn attempt(&self) -> Asked<Attempt> {
        let mut transaction = within(self.pool.begin()).await?;
        let revision = next(&mut transaction).await?;
        let now = self.now(&mut transaction).await?;
        Ok(Attempt { transaction, revision, now })
    }
}

async fn next(transaction: &mut Transaction<'_, Any>) -> Asked<i64> {
    let next = sqlx::query("UPDATE revision SET number = number + 1 RETURNING number");
    Ok(within(next.fetch_one(&mut **transaction)).await?.try_get(0)?)
}

impl Attempt {
    /// Applies a change to the application at a place, and writes its row of the audit log.
    async fn apply(
        &mut self,
        place: &Place,
        change: &Change,
        by: By<'_>,
        mut about: Map<String, Value>,
    ) -> Asked<Done> {
        let Place { environment, application } = place;
        let found = "SELECT document FROM application WHERE environment = $1 AND name = $2";
        let found = sqlx::query(found).bind(&**environment).bind(&**application);
        let row = within(found.fetch_optional(&mut *self.transaction)).await?;
        let found = row.map(|row| row.try_get(0).map_err(|error| error.to_string()));

        let (document, done) = apply(found, place, change, self.now)?;
        let write = match &document {
            Some(text) => sqlx::query(
                "INSERT INTO application (environment, name, document) VALUES ($1, $2, $3) \
                 ON CONFLICT (environment, name) DO UPDATE SET document = excluded.document",
            )
            .bind(&**environment)
            .bind(&**application)
            .bind(&**text),
            None => sqlx::query("DELETE FROM application WHERE environment = $1 AND name = $2")
                .bind(&**environment)
                .bind(&**application),
        };
        within(write.execute(&mut *self.transaction)).await?;

        if let Some(more) = &done.about {
            for (key, value) in object(more.clone()) {
                about.entry(key).or_insert(value);
            }
            let entry = Entry {
                revision: self.revision,
                made_at: self.now,
                by: by.name.into(),
                address: by.address.into(),
                trace_id: by.trace_id.into(),
                environment: environment.clone(),
                application: application.clone(),
                action: change.as_str().into(),
                about,
            };
            let insert = sqlx::query(
                "INSERT INTO change (revision, environment, application, entry) \
                 VALUES ($1, $2, $3, $4)",
            );
            let insert = insert.bind(self.revision).bind(&**environment).bind(&**application);
            let insert = insert.bind(json!(entry).to_string());
            within(insert.execute(&mut *self.transaction)).await?;
        }
        Ok(done)
    }

    /// The answer of an earlier request with this key.
    async fn answered(&mut self, key: &str, request: &str) -> Asked<Option<Answer>> {
        let found = "SELECT request, status, body FROM answer WHERE idempotency_key = $1";
        let found = sqlx::query(found).bind(key).fetch_optional(&mut *self.transaction);
        let Some(row) = within(found).await? else { return Ok(None) };
        if row.try_get::<String, _>(0)? != request {
            let message = "expected another key for another request, found one that was used for \
                           a different request";
            return Err(refuse("idempotency-key", message.into()));
        }
        let body: String = row.try_get(2)?;
        let data = object(serde_json::from_str(&body).unwrap_or_default());
        let status = u16::try_from(row.try_get::<i64, _>(1)?).unwrap_or(200);
        Ok(Some(Answer { status, data, is_repeated: true }))
    }

    /// Keeps the answer for a repeated request, and forgets those of yesterday.
    async fn keep(&mut self, key: &str, request: &str, done: &Done) -> Asked<()> {
        let kept = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        let old = sqlx::query("DELETE FROM answer WHERE made_at < $1");
        let old = old.bind(self.now.saturating_sub(kept));
        within(old.execute(&mut *self.transaction)).await?;

        let insert = "INSERT INTO answer (idempotency_key, request, status, body, made_at) \
                      VALUES ($1, $2, $3, $4, $5)";
        let insert = sqlx::query(insert).bind(key).bind(request).bind(i64::from(done.status));
        let insert = insert.bind(done.data.to_string()).bind(self.now);
        within(insert.execute(&mut *self.transaction)).await?;
        Ok(())
    }
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}
