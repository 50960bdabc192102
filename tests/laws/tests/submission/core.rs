//! The core, asked once for each step from each state.

use std::collections::HashMap;

use sendoff::submission::{Submission, SubmissionStep, SubmissionVerdict, advance};

use super::steps::Steps;

/// The states that were met, by number, and each step from each of them: the core is asked once.
pub(super) struct Core {
    pub(super) steps: Vec<SubmissionStep>,
    pub(super) states: Vec<Option<Submission>>,
    pub(super) numbers: HashMap<Option<Submission>, u16>,
    pub(super) taken: HashMap<(u16, usize), Option<(u16, SubmissionVerdict)>>,
}

impl Core {
    pub(super) fn new(steps: Steps) -> Self {
        Self {
            steps: steps.list,
            states: vec![None],
            numbers: HashMap::from([(None, 0)]),
            taken: HashMap::new(),
        }
    }

    pub(super) fn state(&self, number: u16) -> Option<&Submission> {
        self.states[usize::from(number)].as_ref()
    }

    /// The state after a step and its verdict; `None` if the step is refused.
    pub(super) fn advance(&mut self, from: u16, step: usize) -> Option<(u16, SubmissionVerdict)> {
        if let Some(known) = self.taken.get(&(from, step)) {
            return *known;
        }

        let progress = advance(self.state(from).cloned(), &self.steps[step]).ok();
        let taken = progress.map(|progress| {
            // A state is stored as JSON.
            let state: Submission =
                serde_json::to_string(&progress.state).unwrap().parse().unwrap();
            assert_eq!(state, progress.state);

            let next = u16::try_from(self.states.len()).unwrap();
            let number = *self.numbers.entry(Some(state.clone())).or_insert(next);
            if number == next {
                self.states.push(Some(state));
            }
            (number, progress.verdict)
        });
        self.taken.insert((from, step), taken);
        taken
    }
}
