//! The records of a racing client, as lines of text.

use sendoff::rate_limit::Policy;
use sendoff::rate_limit::redis::Ask;

/// The result of one call of one client, and its position among all calls for its caller: the store counts them in the
/// transaction that runs the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// The script's answer, and the stored value directly after it.
    Answer { order: u64, ask: Ask, numbers: [i64; 5], stored: Option<String> },
    /// The store did not know the script.
    Unknown { order: u64 },
    /// The key was deleted.
    Deleted { order: u64 },
    /// The connection was lost before the answer came.
    Unheard,
}

impl Record {
    /// Its position in the order of the store.
    #[must_use]
    pub fn order(&self) -> Option<u64> {
        match self {
            Self::Answer { order, .. } | Self::Unknown { order } | Self::Deleted { order } => {
                Some(*order)
            }
            Self::Unheard => None,
        }
    }

    /// Formats a record as a line.
    #[must_use]
    pub fn to_line(&self) -> String {
        match self {
            Self::Answer { order, ask, numbers: [phase, granted, now, start, count], stored } => {
                let (ask, cost) = match ask {
                    Ask::Admit(cost) => ("admit", cost.value()),
                    Ask::Lease(cost) => ("lease", cost.value()),
                    Ask::Peek(cost) => ("peek", cost.value()),
                    Ask::Touch => ("touch", 0),
                };
                let stored = stored.as_deref().unwrap_or_default();
                format!(
                    "answer {order} {ask} {cost} {phase} {granted} {now} {start} {count} {stored}"
                )
            }
            Self::Unknown { order } => format!("unknown {order}"),
            Self::Deleted { order } => format!("deleted {order}"),
            Self::Unheard => "unheard".into(),
        }
    }

    /// Parses a line.
    #[must_use]
    pub fn of_line(line: &str, policy: &Policy) -> Self {
        let mut words = line.splitn(10, ' ');
        let mut word =
            || words.next().unwrap_or_else(|| panic!("expected a record, found `{line}`"));
        let kind = word();
        if kind == "unheard" {
            return Self::Unheard;
        }
        let order = word().parse().expect("an order");
        match kind {
            "unknown" => Self::Unknown { order },
            "deleted" => Self::Deleted { order },
            _ => {
                let ask = word();
                let cost: u32 = word().parse().expect("a cost");
                let cost = || policy.cost(cost).expect("a cost within the limit");
                let ask = match ask {
                    "admit" => Ask::Admit(cost()),
                    "lease" => Ask::Lease(cost()),
                    "peek" => Ask::Peek(cost()),
                    _ => Ask::Touch,
                };
                let numbers = [(); 5].map(|()| word().parse().expect("an integer"));
                let stored = Some(word()).filter(|text| !text.is_empty()).map(Into::into);
                Self::Answer { order, ask, numbers, stored }
            }
        }
    }
}
