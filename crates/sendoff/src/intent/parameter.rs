//! The parameters of an intent in call data.

use alloc::vec::Vec;

use crate::abi::{Reader, Value};
use crate::document::Keys;
use crate::value::{Address, Amount, ChainId, NftId, NftType, TokenAddress};

/// One parameter.
pub(super) trait Parameter: Sized {
    /// Its type in Solidity.
    const TYPE: &'static str;

    /// Returns the encoded parameter.
    fn encode(&self) -> Value<'_>;

    /// Reads the next parameter of a tuple.
    fn decode(tuple: &mut Reader<'_>) -> Option<Self>;
}

/// All parameters of an intent, a tuple.
pub(super) trait Parameters: Sized {
    /// Returns the parameters in order.
    fn encode(&self) -> Vec<Value<'_>>;

    /// Decodes the parameters.
    fn decode(whole: &mut Reader<'_>) -> Option<Self>;

    /// Returns the keys and the types of the parameters in order.
    fn types() -> Vec<(&'static str, &'static str)>;
}

/// The key of a field in JSON: the field's name, written without `_` and in any case.
pub(super) fn key_of<D: Keys>(field: &str) -> Option<&'static str> {
    let field = field.bytes().filter(|byte| *byte != b'_');
    D::KEYS.iter().copied().find(|key| key.bytes().map(|byte| byte.to_ascii_lowercase()).eq(field.clone()))
}

/// The type of the parameter that is in a field.
pub(super) const fn type_of<D, P: Parameter>(_: fn(&D) -> &P) -> &'static str {
    P::TYPE
}

/// The order of the fields in the tuple; and the fields of the recipient and of the amount that the reply's estimation
/// echoes, if there are any.
macro_rules! parameters {
    ($name:ident: $($field:ident),* $(; recipient $recipient:ident)? $(; estimated $amount:ident)?) => {
        impl $crate::intent::parameter::Parameters for $name {
            fn encode(&self) -> alloc::vec::Vec<$crate::abi::Value<'_>> {
                alloc::vec![$($crate::intent::parameter::Parameter::encode(&self.$field)),*]
            }

            fn decode(whole: &mut $crate::abi::Reader<'_>) -> Option<Self> {
                let mut tuple = whole.tuple([$(stringify!($field)),*].len());
                let details = Self { $($field: $crate::intent::parameter::Parameter::decode(&mut tuple)?),* };
                whole.resume(&tuple);
                Some(details)
            }

            fn types() -> alloc::vec::Vec<(&'static str, &'static str)> {
                use $crate::intent::parameter::{key_of, type_of};
                let types = [$((key_of::<Self>(stringify!($field)), type_of(|details: &Self| &details.$field))),*];
                types.into_iter().filter_map(|(key, name)| key.zip(Some(name))).collect()
            }
        }

        impl $name {
            /// The chain, if it could be read.
            pub(super) const fn chain_of(details: &<Self as $crate::document::Read>::Partial) -> Option<&$crate::value::ChainId> {
                details.caip2_id.as_ref()
            }

            /// The recipient, if there is one and it could be read.
            pub(super) fn recipient_of(details: &<Self as $crate::document::Read>::Partial) -> Option<&$crate::value::Address> {
                let _ = details;
                let recipients: &[&Option<$crate::value::Address>] = &[$(&details.$recipient),*];
                recipients.first()?.as_ref()
            }

            /// The recipient, if there is one.
            pub(super) fn recipient(&self) -> Option<&$crate::value::Address> {
                [$(&self.$recipient),*].into_iter().next()
            }

            /// The amount that the reply's estimation echoes, if there is one.
            pub(super) fn estimated(&self) -> Option<$crate::value::Amount> {
                [$(self.$amount),*].into_iter().next()
            }
        }
    };
}
pub(super) use parameters;

/// Parameters that are encoded as their text.
macro_rules! as_text {
    ($($type:ident),*) => {
        $(impl Parameter for $type {
            const TYPE: &'static str = "string";

            fn encode(&self) -> Value<'_> {
                Value::Text(self)
            }

            fn decode(tuple: &mut Reader<'_>) -> Option<Self> {
                tuple.text()
            }
        })*
    };
}
as_text!(ChainId, NftId, Address, TokenAddress, NftType);

impl Parameter for Amount {
    const TYPE: &'static str = "uint256";

    fn encode(&self) -> Value<'_> {
        Value::Uint(self.value())
    }

    fn decode(tuple: &mut Reader<'_>) -> Option<Self> {
        let amount = tuple.uint().try_into();
        if amount.is_err() {
            tuple.before("an amount above zero");
        }
        amount.ok()
    }
}
