//! What a gateway knows of its applications. It is replaced as a whole when one of them changes; a
//! request keeps the one that it began with.

use std::collections::HashMap;
use std::sync::Arc;

use crate::callers::Callers;
use crate::callers::cors::Pages;
use crate::callers::users::Users;
use crate::config::Environment;
use crate::database::Application;
use crate::limits::store::Store;
use crate::limits::windows::Windows;

/// The applications of an environment: their callers, limits and pages.
pub(crate) struct Book {
    pub(crate) callers: Callers,
    /// The windows of the applications that have a limit, by their names.
    pub(crate) windows: HashMap<String, Arc<Windows>>,
    pub(crate) pages: Option<Pages>,
}

impl Book {
    /// The book of these applications, whose windows are new.
    pub(crate) fn new(
        applications: &[Arc<Application>],
        environment: &Environment,
        store: Option<&Arc<Store>>,
        users: Users,
    ) -> Self {
        let none = Self { callers: Callers::new(&[], users), windows: HashMap::new(), pages: None };
        none.renewed(applications, environment, store)
    }

    /// The book of changed applications. Windows that are there already go on, under the policy of now.
    pub(crate) fn renewed(
        &self,
        applications: &[Arc<Application>],
        environment: &Environment,
        store: Option<&Arc<Store>>,
    ) -> Self {
        let windows = applications.iter().filter_map(|application| {
            let policy = application.policy.unwrap_or(environment.policy).0?;
            let name = application.name.as_str();
            let windows = self.windows.get(name).map(Arc::clone);
            let windows = windows.unwrap_or_else(|| Arc::new(Windows::new(policy, store)));
            windows.adopt(policy);
            Some((name.to_owned(), windows))
        });
        Self {
            windows: windows.collect(),
            pages: environment.cors.clone().map(|cors| Pages::new(cors, applications)),
            callers: Callers::new(applications, self.callers.users.clone()),
        }
    }
}
