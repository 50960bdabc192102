//! Copying bytes where the compiler cannot see that the lengths are equal.

/// Copies bytes; those of another number are left. Unlike `copy_from_slice`, it cannot panic, so no module contains the
/// message.
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    if to.len() == from.len() {
        // A loop that compilers turn into one copy.
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}
