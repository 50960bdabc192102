//! A change that somebody asks for: in one transaction, once for each idempotency key, with a row
//! in the audit log.

use std::time::Duration;

use serde_json::{Map, Value};
use sqlx::{Any, Row as _, Transaction};

use super::{
    Asked, Change, Database, Fault, Place,
    apply::{Done, apply, object, refuse},
    change::Draft,
    within,
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
}

/// The answer to a change.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) data: Map<String, Value>,
    /// `true` if it is the answer of an earlier request, without its secret.
    pub(crate) is_repeated: bool,
}

impl Database {
    /// Makes a change, or answers as before if a request with this idempotency key was answered.
    ///
    /// # Errors
    ///
    /// The problems of the change. The database is then as it was.
    pub(crate) async fn change(
        &self,
        order: &Order<'_>,
        place: &Place,
        change: &Change,
    ) -> Asked<Answer> {
        let (mut transaction, revision, now) = self.begin().await?;
        let key = format!("{}\n{}", order.by.name, order.key);
        if let Some(answer) = answered(&mut transaction, &key, order.request).await? {
            return Ok(answer);
        }

        let done = apply(&mut transaction, place, change, now).await?;
        if let Some(about) = &done.about {
            log(&mut transaction, revision, order.by, place, change, about, now).await?;
        }
        keep(&mut transaction, &key, order.request, &done, now).await?;
        within(transaction.commit()).await?;

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
        all: Vec<(Place, Draft)>,
        must_be_new: bool,
    ) -> Result<bool, (Place, Fault)> {
        let Some((first, _)) = all.first() else { return Ok(true) };
        let first = first.clone();
        let (mut transaction, mut revision, now) =
            self.begin().await.map_err(|fault| (first.clone(), fault))?;
        if must_be_new && revision > 1 {
            return Ok(false);
        }
        let by = By { name: "import", address: "", trace_id: "" };

        for (place, draft) in all {
            let change = Change::Make(Box::new(draft));
            let made = async {
                let done = apply(&mut transaction, &place, &change, now).await?;
                let about = done.about.unwrap_or_default();
                log(&mut transaction, revision, by, &place, &change, &about, now).await?;
                let next = sqlx::query("UPDATE revision SET number = number + 1 RETURNING number");
                Ok(within(next.fetch_one(&mut *transaction)).await?.try_get(0)?)
            };
            revision = made.await.map_err(|fault| (place, fault))?;
        }

        within(transaction.commit()).await.map_err(|fault| (first, fault))?;
        Ok(true)
    }
}

/// The answer of an earlier request with this key.
async fn answered(
    transaction: &mut Transaction<'_, Any>,
    key: &str,
    request: &str,
) -> Asked<Option<Answer>> {
    let found = sqlx::query("SELECT request, status, body FROM answer WHERE idempotency_key = $1")
        .bind(key);
    let Some(row) = within(found.fetch_optional(&mut **transaction)).await? else {
        return Ok(None);
    };
    if row.try_get::<String, _>(0)? != request {
        let message = "expected another key for another request, found one that was used for a different request";
        return Err(refuse("idempotency-key", message.into()));
    }
    let body: String = row.try_get(2)?;
    let data = serde_json::from_str(&body).unwrap_or_default();
    let status = u16::try_from(row.try_get::<i64, _>(1)?).unwrap_or(200);
    Ok(Some(Answer { status, data: object(data), is_repeated: true }))
}

/// Keeps the answer for a repeated request, and forgets those of yesterday.
async fn keep(
    transaction: &mut Transaction<'_, Any>,
    key: &str,
    request: &str,
    done: &Done,
    now: i64,
) -> Asked<()> {
    let kept = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
    let old = sqlx::query("DELETE FROM answer WHERE made_at < $1").bind(now.saturating_sub(kept));
    within(old.execute(&mut **transaction)).await?;

    let insert = "INSERT INTO answer (idempotency_key, request, status, body, made_at) VALUES ($1, $2, $3, $4, $5)";
    let insert = sqlx::query(insert).bind(key).bind(request).bind(i64::from(done.status));
    within(insert.bind(done.data.to_string()).bind(now).execute(&mut **transaction)).await?;
    Ok(())
}

/// Writes a row of the audit log.
async fn log(
    transaction: &mut Transaction<'_, Any>,
    revision: i64,
    by: By<'_>,
    place: &Place,
    change: &Change,
    about: &Value,
    now: i64,
) -> Asked<()> {
    let insert = "INSERT INTO change \
                  (revision, made_at, made_by, environment, application, action, about, address, trace_id) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let insert = sqlx::query(insert).bind(revision).bind(now).bind(by.name);
    let insert = insert.bind(&*place.environment).bind(&*place.application);
    let insert = insert.bind(change.as_str()).bind(about.to_string());
    let insert = insert.bind(by.address).bind(by.trace_id);
    within(insert.execute(&mut **transaction)).await?;
    Ok(())
}
