//! What the keyed limiter takes of memory: at most 24 bytes a caller beside the text of its scope. A test of its own, for
//! it counts what its process allocates.
#![expect(clippy::arithmetic_side_effects, reason = "an overflow is a failure of the test")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time};

#[global_allocator]
static COUNTING: Counting = Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are handed on.
        unsafe { System.dealloc(place, layout) }
    }
}

#[test]
fn a_caller_takes_at_most_24_bytes_beside_its_scope() {
    const CALLERS: usize = 500_000;
    for name in ["", "production:sk_live_0123456789abcdef:"] {
        let mut limiter = RateLimiter::new(Policy::PRODUCTION);
        let (mut text, mut most) = (0, 0.0_f64);
        let empty = HELD.load(Relaxed);
        for caller in 0..CALLERS {
            let scope = format!("{name}{caller}");
            text += scope.len();
            let before = HELD.load(Relaxed);
            assert!(limiter.admit(&scope, Time::EPOCH, Cost::ONE).is_admitted());
            // Few callers have a chunk that is half empty; what counts is many.
            if caller > 20_000 && (HELD.load(Relaxed) != before || caller == CALLERS - 1) {
                most = most.max((HELD.load(Relaxed) - scope.capacity() - empty - text) as f64 / (caller + 1) as f64);
            }
        }
        println!("{most:.2} bytes a caller beside {name:?} and a number");
        assert!(most <= 24.0, "{most} bytes a caller");

        // The next day gives all of it back.
        let next_day = Time::from_ms(2 * 86_400_000).unwrap();
        assert!(limiter.admit("one", next_day, Cost::ONE).is_admitted());
        assert_eq!(limiter.len(), 1);
        assert!(HELD.load(Relaxed) - empty < 1_000);
    }
}
