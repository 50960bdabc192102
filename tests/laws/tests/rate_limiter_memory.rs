//! What the keyed limiter takes of memory: at most 24 bytes a caller beside the text of its scope. A test of its own, for
//! it counts what is allocated.
#![expect(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a panic is a failure of the test")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time};

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    /// The bytes that this thread holds; what the test's harness does beside it does not count.
    static HELD: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.set(HELD.get().wrapping_add_unsigned(layout.size()));
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.set(HELD.get().wrapping_sub_unsigned(layout.size()));
        // SAFETY: the caller's promises are handed on.
        unsafe { System.dealloc(place, layout) }
    }
}

/// The bytes that this thread came to hold since it held some others.
fn held_since(before: isize) -> usize {
    usize::try_from(HELD.get() - before).unwrap()
}

#[test]
fn a_caller_takes_at_most_24_bytes_beside_its_scope() {
    const CALLERS: usize = 500_000;
    for name in ["", "production:sk_live_0123456789abcdef:"] {
        let mut limiter = RateLimiter::new(Policy::PRODUCTION);
        let (mut texts, mut most) = (0, 0);
        let empty = HELD.get();
        for caller in 1..=CALLERS {
            let scope = format!("{name}{caller}");
            texts += scope.len();
            let before = HELD.get();
            assert!(limiter.admit(&scope, Time::EPOCH, Cost::ONE).is_admitted());
            // What is set aside for the next callers weighs on the first thousands; the bound is for many.
            if caller > 20_000 && HELD.get() != before || caller == CALLERS {
                most = most.max((held_since(empty) - scope.capacity() - texts) * 100 / caller);
            }
        }
        println!("{most} bytes a hundred callers, beside {name:?} and a number each");
        assert!(most <= 2_400, "{most} bytes a hundred callers");

        // A new day gives all of it back.
        let next_day = Time::from_ms(2 * 86_400_000).unwrap();
        assert!(limiter.admit("one", next_day, Cost::ONE).is_admitted());
        assert_eq!(limiter.len(), 1);
        assert!(held_since(empty) < 1_000);
    }
}
