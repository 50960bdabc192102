//! Records of a reply.

/// A record of a reply, and its constructor: each field with its type, and its value of what is
/// given.
macro_rules! record {
    ($(
        $(#[$about:meta])*
        $vis:vis $name:ident($($given:ident: $of:ty),*) {
            $($(#[$field_about:meta])* $field:ident: $type:ty = $value:expr,)+
        }
    )+) => { $(
        #[derive(serde::Serialize, schemars::JsonSchema)]
        $(#[$about])*
        $vis struct $name { $($(#[$field_about])* $field: $type),+ }

        impl $name {
            pub(super) fn new($($given: $of),*) -> Self {
                Self { $($field: $value),+ }
            }
        }
    )+ };
}

pub(crate) use record;
