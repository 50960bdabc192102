//! The cost of a transfer on its chain.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use crate::document::{Fields, Is, Pairs, Record, Said, Typed, Valued, document, traits};
use crate::error::{Error, IssueCode, Issues, Path};
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
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
        let mut issues = Issues::default();
        let mut seen = BTreeSet::new();
        for (chain, _) in &list {
            if !seen.insert(chain) {
                let message = "expected each chain once, found it twice";
                let at = Path::Field(&Path::Root, &chain.to_text());
                issues.push(&at, IssueCode::Duplicate, message.into());
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

impl Valued for TransactionFees {
    const IS: Is = Is::Pairs(&Pairs {
        expected: "fees by CAIP-2 chain id, an object",
        key: ChainId::PARSED,
        value: FeeAmount::PARSED,
        said: Said::new("Fees by the chain on which they are paid."),
    });

    fn record(&self) -> Record {
        Record::pairs(self.list.iter().map(|(chain, fee)| (chain.to_text(), fee)))
    }
}

impl Typed for TransactionFees {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        fields.pairs().map(|list| Self { list })
    }
}

traits!(TransactionFees: read, serialize, schema);
