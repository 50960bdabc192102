//! Names of chains and tokens.

use crate::value::{is_short, text_value};

text_value! {
    /// The name of a chain or a token for people: text of 1 to 64 characters without control characters.
    ///
    /// ```
    /// use sendoff::catalogue::CatalogueName;
    ///
    /// assert_eq!("POLYGON".parse::<CatalogueName>()?.as_str(), "POLYGON");
    /// assert!("a\nb".parse::<CatalogueName>().is_err());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct CatalogueName: "a name of 1 to 64 characters without control characters",
        |text| !text.is_empty() && is_short(text, 64) && !text.chars().any(char::is_control),
        schema |_| schemars::json_schema!({
            "type": "string",
            "description": <Self as crate::value::Text>::EXPECTED,
            "minLength": 1,
            "maxLength": 64,
            "pattern": r"^[^\u0000-\u001f\u007f-\u009f]*$",
        })
}
