//! The cost of a transfer on its chain.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::document::{Found, Is, Pairs, Said, Typed, Value, Write, document, traits, write_field};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::first_equal::first_equal;
use crate::value::{ChainId, FeeAmount, Text, WriteText};

document! {
    /// The cost of a transfer on its chain.
    ///
    /// ```
    /// use sendoff::estimate::Fees;
    ///
    /// let fees: Fees = r#"{"approxTransactionFeesInUSDT":"","transactionFees":{"eip155:137":"177258950000"}}"#.parse()?;
    /// assert_eq!(fees.transaction_fees.as_slice().len(), 1);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Default)]
    pub struct Fees: "fees, an object of `approxTransactionFeesInUSDT` and `transactionFees`" {
        /// The fees in USDT; empty if they were not computed. The form is not specified.
        "approxTransactionFeesInUSDT" => pub approx_transaction_fees_in_usdt: String,
        /// The fees by chain, in a unit that is not specified.
        "transactionFees" => pub transaction_fees: TransactionFees,
    }
}

/// Fees by the chain on which they are paid, in the given order.
///
/// ```
/// use sendoff::estimate::TransactionFees;
///
/// let fee = ("eip155:137".parse()?, "177258950000".parse()?);
/// assert!(TransactionFees::new(vec![fee.clone()]).is_ok());
/// assert!(TransactionFees::new(vec![fee.clone(), fee]).is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TransactionFees {
    list: Vec<(ChainId, FeeAmount)>,
}

impl TransactionFees {
    /// The fees.
    ///
    /// # Errors
    ///
    /// `duplicate` at a chain that occurs twice.
    pub fn new(list: Vec<(ChainId, FeeAmount)>) -> Result<Self, Error> {
        let chains: Vec<_> = list.iter().map(|(chain, _)| chain.to_text()).collect();
        let keys: Vec<_> = chains.iter().map(|chain| (0, None, &**chain, None)).collect();

        let mut issues = Issues::default();
        for (at, (chain, first)) in chains.iter().zip(first_equal(&keys)).enumerate() {
            if first < at {
                let message = "expected each chain once, found it twice";
                issues.push(&Path::Field(&Path::Root, chain), IssueCode::Duplicate, message.into());
            }
        }

        issues.or(Some(Self { list }))
    }

    /// The chains and their fees.
    #[must_use]
    pub fn as_slice(&self) -> &[(ChainId, FeeAmount)] {
        &self.list
    }
}

impl Typed for TransactionFees {
    const IS: Is = Is::Pairs(&Pairs {
        expected: "fees by CAIP-2 chain id, an object",
        key: ChainId::PARSED,
        value: FeeAmount::PARSED,
        said: Said::new("Fees by the chain on which they are paid."),
    });

    fn of_value(value: Value) -> Option<Self> {
        let Value::Pairs(pairs) = value else { return None };
        let fee = |(key, amount): (Box<str>, Value)| {
            let chain = ChainId::parse(&key).ok()?;
            <FeeAmount as Typed>::of_value(amount).map(|amount| (chain, amount))
        };
        pairs.into_iter().map(fee).collect::<Option<_>>().map(|list| Self { list })
    }

    fn into_value(self) -> Value {
        let pair =
            |(chain, amount): (ChainId, FeeAmount)| (chain.to_text().into(), amount.into_value());
        Value::Pairs(self.list.into_iter().map(pair).collect())
    }
}

/// The chains of the fees that could be read.
impl Found for TransactionFees {
    const KINDS: &'static [Is] = &[<Self as Typed>::IS];

    type Out<'v> = Vec<String>;

    fn found(value: &Value) -> Option<Vec<String>> {
        let Value::Pairs(pairs) = value else { return None };
        let read = pairs.iter().filter(|(_, fee)| fee.is_whole());
        Some(read.map(|(chain, _)| (**chain).into()).collect())
    }
}

impl Write for TransactionFees {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        self.list.iter().for_each(|(chain, fee)| write_field(&chain.to_text(), fee, out));
        out.push(b'}');
    }
}

traits!(TransactionFees: read, serialize, schema);
