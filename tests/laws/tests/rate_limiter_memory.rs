//! The memory of the keyed limiter: at most 24 bytes per caller in addition to the text of its scope. This is a separate test
//! program, because it counts allocations.
#![expect(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a panic is a failure of the test")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time};

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    /// The bytes that this thread has allocated, without those of the test harness.
    static HELD: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.set(HELD.get().wrapping_add_unsigned(layout.size()));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.set(HELD.get().wrapping_sub_unsigned(layout.size()));
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.dealloc(place, layout) }
    }
}

/// The bytes that this thread has allocated since `before`.
fn held_since(before: isize) -> usize {
    usize::try_from(HELD.get() - before).unwrap()
}

#[test]
fn a_caller_needs_at_most_24_bytes_in_addition_to_its_scope() {
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
            // Memory that is reserved for further callers counts more for the first thousands. The limit is for many callers.
            if caller > 20_000 && HELD.get() != before || caller == CALLERS {
                most = most.max((held_since(empty) - scope.capacity() - texts) * 100 / caller);
            }
        }
        println!("{most} bytes a hundred callers, beside {name:?} and a number each");
        assert!(most <= 2_400, "{most} bytes a hundred callers");

        // A new day frees all of it.
        let next_day = Time::from_ms(2 * 86_400_000).unwrap();
        assert!(limiter.admit("one", next_day, Cost::ONE).is_admitted());
        assert_eq!(limiter.len(), 1);
        assert!(held_since(empty) < 1_000);
    }
}
