//! The laws of the rate windows: the window, its small model, the keyed limiter, and the store. The numbers
//! refer to the list of properties in the specification of the windows.

mod limiter;
mod model;
mod process;
mod shared;
mod store;
mod windows;
