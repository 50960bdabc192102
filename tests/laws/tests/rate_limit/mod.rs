//! The laws of the rate windows: the window, its small model, and the keyed limiter. The numbers
//! refer to the list of properties in the specification of the windows.

mod limiter;
mod model;
mod process;
mod shared;
mod windows;
