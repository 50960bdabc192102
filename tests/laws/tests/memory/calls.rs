//! No call of a module leaves memory behind. The modules' allocator frees all memory when the next
//! call begins, so a block that something kept, a dependency's cache for example, would be
//! overwritten while it is in use.

use std::path::Path;

use laws::fuzzed::{kept, split};
use sendoff::json::{self, Answer, signature};
use sendoff_wasm::{answer, exchange, room};

use super::counting::BLOCKS;

/// The way to call a function of a module.
type Call = fn(&str, &[Option<&str>]) -> Answer;

/// Calls as JavaScript does. The blocks are counted as the next call begins, when the texts of this one are freed.
fn blocks_left_by(call: Call, name: &str, arguments: &[Option<&str>]) -> isize {
    let texts: Vec<_> = [&[Some(name)], arguments].concat();
    let joined: String = texts.iter().flatten().copied().collect();
    let length = |at: usize| texts.get(at).copied().flatten().map_or(0, |text| text.len() + 1);

    room(0);
    let before = BLOCKS.get();
    let place = room(joined.len());
    // SAFETY: `room` made a buffer of this length.
    unsafe { joined.as_ptr().copy_to_nonoverlapping(place, joined.len()) };
    let answered = exchange(call, length(0), [1, 2, 3, 4, 5].map(length));
    assert!(answered > 0 && !answer().is_null(), "{name}");
    assert!(BLOCKS.get() > before, "{name}: the answer is a block");

    room(0);
    BLOCKS.get() - before
}

#[test]
fn no_call_leaves_memory_behind() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    let vectors = conformance::calls(&[folder]);
    for conformance::Call { name, texts, .. } in &vectors {
        let is_of_signatures = signature::FUNCTIONS.iter().any(|function| function.name == name);
        let call: Call = if is_of_signatures { signature::call } else { json::call };
        let arguments: Vec<_> = texts.iter().map(Option::as_deref).collect();
        assert_eq!(blocks_left_by(call, name, &arguments), 0, "{name} {arguments:?}");
    }

    let inputs = [kept("functions"), kept("wasm")].concat();
    for (function, arguments) in inputs.iter().filter_map(|input| split(input)) {
        assert_eq!(
            blocks_left_by(json::call, function.name, &arguments),
            0,
            "{} {arguments:?}",
            function.name
        );
    }

    println!(
        "{} vectors and {} inputs that fuzzing kept: 0 blocks left",
        vectors.len(),
        inputs.len()
    );
    assert!(vectors.len() > 1_000 && inputs.len() > 100);
}

/// The test notices a block that is kept.
#[test]
fn a_block_that_is_kept_is_counted() {
    let before = BLOCKS.get();
    let kept = Box::new(1);
    assert_eq!(BLOCKS.get() - before, 1);
    drop(kept);
    assert_eq!(BLOCKS.get(), before);
}
