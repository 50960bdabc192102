//! Tells the linker that Node itself brings the functions that an addon calls.

fn main() {
    napi_build::setup();
}
