//! [`sendoff::json`] for WebAssembly: text in, text out.
//!
//! This library is what the modules share: their memory and the passing of texts. A module is a
//! program in `src/bin`, which names the list of functions that it calls.
#![no_std]

extern crate alloc;

mod text;

pub use text::{answer, exchange, room};

/// An allocator in constant time that is small as a module.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// The end of a call that panics, for a module without std. The place stays in the module, so that a test can list all places that can
/// panic; the message does not, and with it goes the code that formats it.
///
/// With a list of functions and names of arguments it is the whole module: `call` calls the function whose name is the first
/// text ([`exchange`]). Such a program is for browsers only.
#[macro_export]
macro_rules! without_std {
    () => {
        #[cfg(target_family = "wasm")]
        #[panic_handler]
        fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
            core::hint::black_box(info.location());
            core::arch::wasm32::unreachable()
        }
    };
    ($functions:path, $($argument:ident),*) => {
        $crate::without_std!();

        /// Calls the function whose name is the first text ([`exchange`](sendoff_wasm::exchange)).
        #[expect(
            unsafe_code,
            reason = "a name that JavaScript calls; no other function of the module has it"
        )]
        #[unsafe(no_mangle)]
        pub extern "C" fn call(name: usize, $($argument: usize),*) -> usize {
            $crate::exchange($functions, name, [$($argument),*])
        }

        #[cfg(not(target_family = "wasm"))]
        fn main() {}
    };
}
