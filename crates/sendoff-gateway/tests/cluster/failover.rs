//! Stores of many servers, one of which is lost while gateways count.

use crate::{
    load::{
        ADMITTED, APPLICATIONS, Answers, CALLERS, Front, REFUSED, UNDECIDED, masters, window_of,
    },
    support::{nodes::Nodes, prelude::*},
};

/// Of a master that a replica replaces, exactly those calls are admitted again that the replica did not have. All others are
/// counted exactly.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_replica_admits_again_what_it_did_not_have_and_no_more() {
    const LIMIT: usize = 300;
    const LOST: usize = 7;
    let nodes = Nodes::cluster();
    let front = Front::daily(&nodes, LIMIT, "");
    let masters = masters(&nodes, LIMIT);
    let is_other = |number: &usize| masters[*number] != masters[0];
    let others: Vec<_> = (0..APPLICATIONS).filter(is_other).collect();
    front.admit(0, 10).await;

    // Its replica has the first ten calls only.
    let (replica, window) = (masters[0] + 3, window_of(0, LIMIT));
    wait("replication", || nodes.count(replica, &window) == 10);
    nodes.cut(replica);
    front.admit(0, LOST).await;
    assert_eq!(nodes.count(masters[0], &window), 10 + LOST);

    let load = front.load(&others);
    nodes.take_over(replica);
    // Until it is told, the old master admits calls too, which are lost like the others.
    let is_told = || nodes.says(masters[0], "INFO replication", "role:slave");
    wait("the old master is told", is_told);
    let promoted = Instant::now();
    let answers = Answers(front.call_until(0, REFUSED).await);
    let back = answers.back(0, promoted);
    assert_eq!(nodes.count(replica, &window), LIMIT);
    answers.are_exact(0, LIMIT - 10);

    let mut rest = Vec::new();
    for other in &others {
        rest.extend(front.call_until(*other, REFUSED).await);
    }
    let answers = Answers::end(load, rest).await;
    assert!(back <= answers.back_at_most(Instant::now()), "back after {back:?}");
    for other in others {
        let admitted = answers.count(other, ADMITTED);
        assert!(admitted <= LIMIT, "{other}: {admitted}");
        assert_eq!(nodes.count(masters[other], &window_of(other, LIMIT)), LIMIT, "{other}");
        assert_eq!(answers.twice(other), 0, "{other}");
    }
}

/// A master that is lost with its replica is noticed without a call.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_master_is_noticed_by_itself() {
    let mut nodes = Nodes::cluster();
    let front = Front::daily(&nodes, 300, "");
    front.gateways[0].until("sendoff_store_up", 1).await;
    nodes.process(3).kill();
    nodes.process(0).kill();
    front.gateways[0].until("sendoff_store_up", 0).await;
}

/// What happens to a master.
#[derive(Clone, Copy, Debug)]
enum Loss {
    /// Its process ends.
    Killed,
    /// Its process hangs, and goes on when a replica has taken over.
    Frozen,
}

/// Calls all applications while a master is lost and its replica, which others promote, takes over.
async fn lose(mut nodes: Nodes, loss: Loss, lost: usize, replica: usize, masters: &[usize]) {
    const LIMIT: usize = 600;
    let front = Front::daily(&nodes, LIMIT, "");
    let all: Vec<_> = (0..APPLICATIONS).collect();
    let load = front.load(&all);
    front.until_admitted(300).await;
    let from = Instant::now();
    match loss {
        Loss::Killed => nodes.process(lost).kill(),
        Loss::Frozen => nodes.process(lost).signal("STOP"),
    }
    wait("a replica takes over", || nodes.says(replica, "INFO replication", "role:master"));
    let promoted = Instant::now();
    let mut rest = Vec::new();
    for application in all {
        rest.extend(front.call_until(application, REFUSED).await);
        if application == 0 && matches!(loss, Loss::Frozen) {
            nodes.process(lost).signal("CONT");
        }
    }
    let answers = Answers::end(load, rest).await;

    let (mut twice, mut back) = (0, Duration::ZERO);
    for (application, master) in masters.iter().enumerate() {
        let (admitted, again) = (answers.count(application, ADMITTED), answers.twice(application));
        assert!(admitted <= LIMIT + again, "{loss:?}: {application}: {admitted}, {again} twice");
        if *master == lost {
            twice += again;
            back = back.max(answers.back(application, promoted));
        } else {
            assert_eq!(again, 0, "{loss:?}: {application}");
        }
    }
    let (usual, after) = (answers.back_at_most(from) / 3_000, promoted - from);
    println!("{loss:?}: a call takes {usual:?}; promoted after {after:?}, back {back:?} later");
    println!("{twice} calls were counted twice");
    assert!(back <= answers.back_at_most(from), "{loss:?}: back after {back:?}");
    // Only calls on their way can have been answered by a master whose last writes did not arrive.
    assert!(twice <= CALLERS, "{loss:?}: {twice} calls were counted twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute: `cargo xtask test --all` runs it"]
async fn a_cluster_that_loses_a_master_under_load_goes_on() {
    for loss in [Loss::Killed, Loss::Frozen] {
        let nodes = Nodes::cluster();
        let masters = masters(&nodes, 600);
        lose(nodes, loss, masters[0], masters[0] + 3, &masters).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute: `cargo xtask test --all` runs it"]
async fn sentinels_that_lose_a_master_under_load_name_the_next() {
    for loss in [Loss::Killed, Loss::Frozen] {
        lose(Nodes::sentinels(), loss, 0, 1, &[0; APPLICATIONS]).await;
    }
}

/// While a slot is in two masters, and on a master that does not have the script, every call is counted once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute: `cargo xtask test --all` runs it"]
async fn a_slot_that_moves_under_load_is_counted_exactly() {
    const LIMIT: usize = 2_000;
    let nodes = Nodes::cluster();
    let front = Front::daily(&nodes, LIMIT, "");
    let (from, window) = (masters(&nodes, LIMIT)[0], window_of(0, LIMIT));
    let load = front.load(&[0]);
    front.until_admitted(50).await;
    for (from, to) in [(from, (from + 1) % 3), ((from + 1) % 3, (from + 2) % 3)] {
        nodes.tell(to, "SCRIPT FLUSH");
        nodes.migrate(&window, from, to, Duration::from_millis(200));
    }
    let rest = front.call_until(0, REFUSED).await;
    let answers = Answers::end(load, rest).await;
    assert_eq!((nodes.count((from + 2) % 3, &window), answers.twice(0)), (LIMIT, 0));
    answers.are_exact(0, LIMIT);
}

/// With `store.replicas`, a call passes only after a replica has it, so none is admitted again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute: `cargo xtask test --all` runs it"]
async fn calls_that_a_replica_has_are_not_admitted_again() {
    const LIMIT: usize = 300;
    let nodes = Nodes::cluster();
    let front = Front::daily(&nodes, LIMIT, "store.replicas = 1");
    let (master, window) = (masters(&nodes, LIMIT)[0], window_of(0, LIMIT));
    let replica = master + 3;
    front.admit(0, 50).await;
    nodes.cut(replica);
    for number in 0..4 {
        assert_eq!(front.call(0, number).await.status, UNDECIDED);
    }
    assert!(nodes.count(master, &window) > 50);
    nodes.take_over(replica);
    Answers(front.call_until(0, REFUSED).await).are_exact(0, LIMIT - 50);
}
