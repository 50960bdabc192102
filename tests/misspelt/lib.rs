//! Faults that the compiler of the core must find.
