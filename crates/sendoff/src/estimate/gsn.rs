//! The gas station network.

use alloc::vec::Vec;

use crate::document::{Fields, Is, Nothing, Record, Typed, Valued, document, traits};
use crate::value::ChainId;

document! {
    /// The facts about the gas station network for a job.
    ///
    /// ```
    /// use sendoff::estimate::Gsn;
    ///
    /// let gsn: Gsn = r#"{"isPossible":true,"isRequired":true,"requiredNetworks":["eip155:137"],"tokens":[]}"#.parse()?;
    /// assert_eq!(&*gsn.required_networks[0].reference(), "137");
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Default)]
    pub struct Gsn: "the gas station network, an object" {
        /// Whether the network can be used.
        "isPossible" => pub is_possible: bool,
        /// Whether the job needs the network.
        "isRequired" => pub is_required: bool,
        /// The chains on which the job needs it.
        "requiredNetworks" => pub required_networks: Vec<ChainId>,
        /// Its tokens: always an empty list, because the specification does not show the form of a token.
        "tokens" => pub tokens: GsnTokens,
    }
}

/// The tokens of the gas station network: always an empty list, because the specification does not show the form of a
/// token.
///
/// ```
/// use sendoff::estimate::Gsn;
///
/// let gsn = r#"{"isPossible":true,"isRequired":false,"requiredNetworks":[],"tokens":["0x1"]}"#;
/// assert_eq!(gsn.parse::<Gsn>().unwrap_err().issues()[0].path, "tokens");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GsnTokens;

impl Valued for GsnTokens {
    const IS: Is = Is::Nothing(&Nothing {
        expected: "an empty array",
        template: "expected no tokens, whose form is not specified, found {}",
    });

    fn record(&self) -> Record {
        Record::alone(&Vec::<bool>::new())
    }
}

impl Typed for GsnTokens {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        fields.next::<Vec<bool>>().map(|_| Self)
    }
}

traits!(GsnTokens: read, serialize, schema);
