//! What a gateway knows of its applications. It is replaced as a whole when one of them changes; a
//! request keeps the one that it began with.

use std::{collections::HashMap, sync::Arc};

use sendoff::rate_limit::Policy;

use crate::{
    callers::{Callers, users::Users},
    config::{Application, Cors},
    limits::{store::Store, windows::Windows},
    request::cors::Pages,
};

/// The applications of an environment: their callers, limits and pages.
#[derive(Debug)]
pub(crate) struct Book {
    pub(crate) callers: Callers,
    /// The limits of the applications, by their names.
    pub(crate) limits: HashMap<String, Limit>,
    pub(crate) pages: Option<Pages>,
}

/// The limit of an application.
#[derive(Debug)]
pub(crate) struct Limit {
    pub(crate) policy: Policy,
    pub(crate) windows: Arc<Windows>,
}

/// The rules of an environment for applications that have none of their own, and the store of their windows.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) policy: Option<Policy>,
    pub(crate) cors: Option<Cors>,
    pub(crate) store: Option<Arc<Store>>,
}

impl Book {
    /// The book of these applications, whose windows are new.
    ///
    /// # Errors
    ///
    /// A sentence about windows that cannot be made.
    pub(crate) fn new(
        applications: &[Arc<Application>],
        rules: &Rules,
        users: Users,
    ) -> Result<Self, String> {
        let none = Self { callers: Callers::new(&[], users), limits: HashMap::new(), pages: None };
        none.renewed(applications, rules)
    }

    /// The book of changed applications. Windows that are there already go on, under the policy of now.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub(crate) fn renewed(
        &self,
        applications: &[Arc<Application>],
        rules: &Rules,
    ) -> Result<Self, String> {
        let mut limits = HashMap::new();
        for application in applications {
            let Some(policy) = application.policy.unwrap_or(rules.policy) else { continue };
            let windows = match self.limits.get(&application.name) {
                Some(known) => {
                    known.windows.adopt(policy).map_err(|error| error.to_string())?;
                    Arc::clone(&known.windows)
                }
                None => {
                    let windows = Windows::new(policy, rules.store.as_ref());
                    Arc::new(windows.map_err(|error| error.to_string())?)
                }
            };
            limits.insert(application.name.clone(), Limit { policy, windows });
        }
        Ok(Self {
            limits,
            pages: rules.cors.clone().map(|cors| Pages::new(cors, applications)),
            callers: Callers::new(applications, self.callers.users().clone()),
        })
    }
}
