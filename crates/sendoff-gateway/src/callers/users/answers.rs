//! Answers that are kept for some time, up to a number of them.

use std::{
    collections::{HashMap, VecDeque},
    time::Instant,
};

use crate::config::Digest;

/// Answers by the digests of tokens. If there are too many, the oldest one goes.
#[derive(Debug)]
pub(super) struct Answers<Answer> {
    most: usize,
    kept: HashMap<Digest, (Answer, Instant)>,
    /// The digests in the order in which they came.
    order: VecDeque<Digest>,
}

impl<Answer: Clone> Answers<Answer> {
    pub(super) fn new(most: usize) -> Self {
        Self { most, kept: HashMap::new(), order: VecDeque::new() }
    }

    /// The answer about a token, if it has not ended.
    pub(super) fn get(&self, token: &Digest) -> Option<Answer> {
        let (answer, until) = self.kept.get(token)?;
        (*until > Instant::now()).then(|| answer.clone())
    }

    /// `true` if there is or was an answer about a token.
    pub(super) fn has(&self, token: &Digest) -> bool {
        self.kept.contains_key(token)
    }

    /// Keeps an answer about a token until a time.
    pub(super) fn put(&mut self, token: Digest, answer: Answer, until: Instant) {
        if self.kept.insert(token, (answer, until)).is_none() {
            self.order.push_back(token);
        }
        while self.kept.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.kept.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_oldest_answer_goes_and_each_ends() {
        let mut answers = Answers::new(2);
        let token = |name: &str| Digest::of(name);
        let later = Instant::now() + Duration::from_secs(60);

        answers.put(token("a"), 1, later);
        answers.put(token("b"), 2, later);
        answers.put(token("a"), 3, later);
        assert_eq!((answers.get(&token("a")), answers.get(&token("b"))), (Some(3), Some(2)));
        answers.put(token("c"), 4, later);
        assert_eq!(
            (answers.get(&token("a")), answers.get(&token("b")), answers.get(&token("c"))),
            (None, Some(2), Some(4))
        );
        answers.put(token("c"), 5, Instant::now());
        assert_eq!(answers.get(&token("c")), None);

        assert_eq!((answers.kept.len(), answers.order.len()), (2, 2));
    }
}
