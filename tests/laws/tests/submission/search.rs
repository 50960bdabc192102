//! A search through the worlds of a model, the nearest first.

use std::{
    collections::{HashSet, VecDeque},
    fmt::Debug,
    hash::Hash,
};

/// What everybody holds at one moment, and all that can happen next.
pub(super) trait Model {
    type World: Clone + Eq + Hash;
    type Event: Copy + Debug;

    /// The law that a world breaks.
    fn broken(&self, world: &Self::World) -> Option<&'static str>;

    /// Lists what can happen next, with the worlds after it.
    fn next(&mut self, world: &Self::World, next: &mut Vec<(Self::World, Self::Event)>);

    /// How much farther away a world is after this event.
    fn distance(&self, _: &Self::World, _: Self::Event) -> usize {
        1
    }
}

/// What a search found.
pub(super) struct Found<M: Model> {
    /// The worlds that were visited.
    pub(super) worlds: Vec<M::World>,
    pub(super) transitions: u64,
    /// The distance of the farthest world.
    pub(super) depth: usize,
    /// A sequence of events that breaks a law, and the law.
    pub(super) broken: Option<String>,
    pub(super) model: M,
}

/// Visits at most this number of worlds, within a distance.
pub(super) fn search<M: Model>(
    mut model: M,
    start: M::World,
    most: usize,
    depth: usize,
) -> Found<M> {
    let mut worlds = vec![start.clone()];
    let mut before: Vec<Option<(usize, M::Event)>> = vec![None];
    let mut known = HashSet::from([start]);
    // By distance.
    let mut waiting = vec![VecDeque::from([0])];
    let (mut visited, mut transitions, mut farthest) = (vec![], 0, 0);

    while let Some(distance) = waiting.iter().position(|worlds| !worlds.is_empty())
        && visited.len() < most
    {
        let number: usize = waiting[distance].pop_front().unwrap();
        let world = worlds[number].clone();
        farthest = farthest.max(distance);
        if let Some(law) = model.broken(&world) {
            let mut way = vec![];
            let mut at = number;
            while let Some((earlier, event)) = before[at] {
                way.push(event);
                at = earlier;
            }
            way.reverse();
            let broken = Some(format!("{way:?} => {law}"));
            return Found { worlds: visited, transitions, depth: farthest, broken, model };
        }

        let mut next = vec![];
        if distance < depth {
            model.next(&world, &mut next);
        }
        for (after, event) in next {
            transitions += 1;
            if !known.insert(after.clone()) {
                continue;
            }
            let distance = distance + model.distance(&world, event);
            waiting.resize(waiting.len().max(distance + 1), VecDeque::new());
            waiting[distance].push_back(worlds.len());
            worlds.push(after);
            before.push(Some((number, event)));
        }
        visited.push(world);
    }
    Found { worlds: visited, transitions, depth: farthest, broken: None, model }
}
