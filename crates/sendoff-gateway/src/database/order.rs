//! A change that somebody asks for: in one transaction, once for each idempotency key, with a row
//! in the audit log.

use std::collections::HashSet;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sqlx::{Any, Row as _, Transaction};

use super::change::{Answer, Change, apply, refuse};
use super::document::{Document, Place};
use super::{Asked, Database, Entry, Fault, documents, within};

/// How long an answer is kept for a repeated request.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Who asks, as the audit log has it.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct By {
    /// The name of the admin, or `import`.
    #[serde(rename = "by")]
    pub(crate) name: String,
    /// The address of the admin.
    pub(crate) address: String,
    pub(crate) trace_id: String,
}

/// A change that somebody asks for.
pub(crate) struct Order {
    pub(crate) by: By,
    /// The id of the operation.
    pub(crate) action: &'static str,
    /// The idempotency key.
    pub(crate) key: String,
    /// The digest of the request, which differs if another request has the same key.
    pub(crate) request: String,
    /// The body of the request, for the audit log.
    pub(crate) about: Map<String, Value>,
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
        order: Order,
        place: &Place,
        change: &Change,
    ) -> Asked<Answer> {
        let mut attempt = self.attempt().await?;
        let key = format!("{}\n{}", order.by.name, order.key);
        if let Some(answer) = attempt.answered(&key, &order.request).await? {
            return Ok(answer);
        }

        let answer = attempt.apply(place, change, order.by, order.action, order.about).await?;
        attempt.keep(&key, &order.request, &answer).await?;
        within(attempt.transaction.commit()).await?;
        Ok(answer)
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
    ) -> Result<bool, String> {
        let cannot = |fault: Fault| format!("nothing was imported: {}", fault.as_text());
        let mut attempt = self.attempt().await.map_err(cannot)?;
        if must_be_new && attempt.revision > 1 {
            return Ok(false);
        }
        let mut used = HashSet::new();
        let found = documents(&mut attempt.transaction, None).await;
        for (place, document) in found.map_err(cannot)? {
            let known = document.and_then(|text| Document::read(&text.ok()?).ok());
            let keys = known.iter().flat_map(|document| &document.keys);
            used.extend(keys.map(|key| (place.environment.clone(), key.sha256)));
        }

        let by = By { name: "import".into(), ..By::default() };
        for (place, document) in all {
            let cannot =
                |fault: Fault| format!("nothing was imported: {place}: {}", fault.as_text());
            let keys: Vec<_> = document.keys.iter().map(|key| key.sha256).collect();
            let change = Change::Make(Box::new(document));
            let made = attempt.apply(&place, &change, by.clone(), "makeApplication", Map::new());
            made.await.map_err(cannot)?;
            if !keys.into_iter().all(|key| used.insert((place.environment.clone(), key))) {
                let message =
                    "expected a key or token to have one use, found one that an application has";
                return Err(cannot(refuse("", message.into())));
            }
            (attempt.revision, _) = self.next(&mut attempt.transaction).await.map_err(cannot)?;
        }
        within(attempt.transaction.commit()).await.map_err(cannot)?;
        Ok(true)
    }

    /// Begins a change. Another one waits until it ends.
    async fn attempt(&self) -> Asked<Attempt> {
        let mut transaction = within(self.pool.begin()).await?;
        let (revision, now) = self.next(&mut transaction).await?;
        Ok(Attempt { transaction, revision, now })
    }
}

impl Attempt {
    /// Applies a change to the application at a place, and writes its row of the audit log.
    async fn apply(
        &mut self,
        place: &Place,
        change: &Change,
        by: By,
        action: &str,
        mut about: Map<String, Value>,
    ) -> Asked<Answer> {
        let Place { environment, name } = place;
        let found = "SELECT document FROM application WHERE environment = $1 AND name = $2";
        let found = sqlx::query(found).bind(&**environment).bind(&**name);
        let row = within(found.fetch_optional(&mut *self.transaction)).await?;
        let found = row.map(|row| row.try_get(0).map_err(|error| error.to_string()));

        let (document, answer) = apply(found, place, change, self.now)?;
        let write = match &document {
            Some(text) => sqlx::query(
                "INSERT INTO application (environment, name, document) VALUES ($1, $2, $3) \
                 ON CONFLICT (environment, name) DO UPDATE SET document = excluded.document",
            )
            .bind(&**environment)
            .bind(&**name)
            .bind(&**text),
            None => sqlx::query("DELETE FROM application WHERE environment = $1 AND name = $2")
                .bind(&**environment)
                .bind(&**name),
        };
        within(write.execute(&mut *self.transaction)).await?;

        if let Some(more) = &answer.about {
            for (key, value) in more.as_object().into_iter().flatten() {
                about.entry(key).or_insert_with(|| value.clone());
            }
            let entry = Entry {
                revision: self.revision,
                made_at: self.now,
                by,
                place: place.clone(),
                action: action.into(),
                about,
            };
            let insert = sqlx::query(
                "INSERT INTO change (revision, environment, application, entry) \
                 VALUES ($1, $2, $3, $4)",
            );
            let insert = insert.bind(self.revision).bind(&**environment).bind(&**name);
            let insert = insert.bind(json!(entry).to_string());
            within(insert.execute(&mut *self.transaction)).await?;
        }
        Ok(answer)
    }

    /// The answer of an earlier request with this key.
    async fn answered(&mut self, key: &str, request: &str) -> Asked<Option<Answer>> {
        let found = "SELECT request, status, body FROM answer WHERE idempotency_key = $1";
        let found = sqlx::query_as(found).bind(key).fetch_optional(&mut *self.transaction);
        let found: Option<(String, i64, String)> = within(found).await?;
        let Some((answered, status, body)) = found else { return Ok(None) };
        if answered != request {
            let message = "expected another key for another request, found one that was used for \
                           a different request";
            return Err(refuse("idempotency-key", message.into()));
        }
        let data = serde_json::from_str(&body).unwrap_or_else(|_| json!({}));
        let status = u16::try_from(status).unwrap_or(200);
        Ok(Some(Answer { is_repeated: true, ..Answer::new(status, data, None) }))
    }

    /// Keeps the answer for a repeated request, and forgets those of yesterday.
    async fn keep(&mut self, key: &str, request: &str, answer: &Answer) -> Asked<()> {
        let kept = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        let old = sqlx::query("DELETE FROM answer WHERE made_at < $1");
        let old = old.bind(self.now.saturating_sub(kept));
        within(old.execute(&mut *self.transaction)).await?;

        let insert = "INSERT INTO answer (idempotency_key, request, status, body, made_at) \
                      VALUES ($1, $2, $3, $4, $5)";
        let insert = sqlx::query(insert).bind(key).bind(request).bind(i64::from(answer.status));
        let insert = insert.bind(json!(answer.data).to_string()).bind(self.now);
        within(insert.execute(&mut *self.transaction)).await?;
        Ok(())
    }
}
