//! What a gateway knows of its applications. It is replaced as a whole when one of them changes; a
//! request keeps the one that it began with.

use std::{collections::HashMap, sync::Arc};

use sendoff::rate_limit::Policy;

use crate::{
    callers::Callers,
    config::{Application, Cors},
    cors::Pages,
    users::Users,
    windows::Windows,
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

/// The rules of an environment for applications that have none of their own.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) policy: Option<Policy>,
    pub(crate) cors: Option<Cors>,
}

impl Book {
    /// The book of these applications. `windows` finds or makes the windows of an application with a limit.
    ///
    /// # Errors
    ///
    /// A sentence about windows that cannot be made.
    pub(crate) fn new(
        applications: &[Arc<Application>],
        rules: &Rules,
        users: Users,
        windows: impl Fn(&str, Policy) -> Result<Arc<Windows>, String>,
    ) -> Result<Self, String> {
        let limit = |application: &Arc<Application>| {
            let policy = application.policy.unwrap_or(rules.policy)?;
            let windows = windows(&application.name, policy);
            Some(windows.map(|windows| (application.name.clone(), Limit { policy, windows })))
        };
        Ok(Self {
            limits: applications.iter().filter_map(limit).collect::<Result<_, _>>()?,
            pages: rules.cors.clone().map(|cors| Pages::new(cors, applications)),
            callers: Callers::new(applications, users),
        })
    }
}
