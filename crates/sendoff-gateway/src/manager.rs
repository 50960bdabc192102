//! Messages to the service manager, as systemd has them (`sd_notify`). Without one, they have no
//! effect.

use sd_notify::NotifyState;

/// All addresses are served, by the configuration in service.
pub(crate) fn ready() {
    tell(&[NotifyState::Ready]);
}

/// The process is about to end.
pub(crate) fn stopping() {
    tell(&[NotifyState::Stopping]);
}

fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "the service manager cannot be notified");
    }
}
