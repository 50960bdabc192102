//! JSON: a value that keeps the order of keys and the spelling of numbers.
//!
//! The core's own reader is private, and checks texts before they come here. `serde_json` would
//! sort the keys of replies, and bring floating-point numbers into the WebAssembly module.

use alloc::{collections::BinaryHeap, string::String, vec::Vec};
use core::{fmt, mem};

/// The deepest nesting that is read.
const DEPTH: usize = 64;

/// A JSON value.
///
/// ```
/// use sendoff_sandbox::Json;
///
/// let value = Json::parse(r#"{ "status": "success", "data": [1.50, true] }"#).unwrap();
/// assert_eq!(value.get("status").and_then(Json::as_text), Some("success"));
/// assert_eq!(value.to_string(), r#"{"status":"success","data":[1.50,true]}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Json {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it is spelled.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Self>),
    /// An object; the order of its keys is kept.
    Object(Vec<(String, Self)>),
}

impl Json {
    /// Reads JSON text. Returns `None` for text that is not JSON, is nested deeper than 64, or has a key twice in an object.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text };
        let value = reader.value(DEPTH)?;
        reader.skip();
        reader.rest.is_empty().then_some(value)
    }

    /// The value of a key of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(fields) = self else { return None };
        fields.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The value at a dotted path, such as `data.jobs.0.status`.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<&Self> {
        path.split('.').try_fold(self, |value, key| match value {
            Self::List(items) => items.get(key.parse::<usize>().ok()?),
            _ => value.get(key),
        })
    }

    /// The same, to be changed.
    pub fn at_mut(&mut self, path: &str) -> Option<&mut Self> {
        path.split('.').try_fold(self, |value, key| match value {
            Self::List(items) => items.get_mut(key.parse::<usize>().ok()?),
            Self::Object(fields) => {
                fields.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        })
    }

    /// Sets a key of an object. Other values stay as they are.
    pub fn set(&mut self, key: &str, value: Self) {
        let Self::Object(fields) = self else { return };
        match fields.iter_mut().find(|(name, _)| name == key) {
            Some((_, there)) => *there = value,
            None => fields.push((key.into(), value)),
        }
    }

    /// Removes a key of an object.
    pub fn remove(&mut self, key: &str) {
        if let Self::Object(fields) = self {
            fields.retain(|(name, _)| name != key);
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The items of an array.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(items) = self { Some(items) } else { None }
    }

    /// The value of an integer without a sign.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        if let Self::Number(digits) = self { digits.parse().ok() } else { None }
    }

    /// The text at a key; empty if it is absent or not a string.
    pub(crate) fn text(&self, key: &str) -> &str {
        self.get(key).and_then(Self::as_text).unwrap_or_default()
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Self::Number(digits) => out.push_str(digits),
            Self::Text(text) => quote(text, out),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(fields) => {
                out.push('{');
                for (at, (name, value)) in fields.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    quote(name, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// The JSON text.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Json {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<bool> for Json {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Self {
        Self::Number(alloc::string::ToString::to_string(&number))
    }
}

impl From<usize> for Json {
    fn from(number: usize) -> Self {
        Self::Number(alloc::string::ToString::to_string(&number))
    }
}

impl From<i64> for Json {
    fn from(number: i64) -> Self {
        Self::Number(alloc::string::ToString::to_string(&number))
    }
}

impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

/// An object of these fields.
pub(crate) fn object<const N: usize>(mut fields: [(&str, Json); N]) -> Json {
    moved(&mut fields)
}

/// The same for any number of fields, so that the WebAssembly module has it once.
#[inline(never)]
fn moved(fields: &mut [(&str, Json)]) -> Json {
    let field = |(name, value): &mut (&str, Json)| (String::from(*name), mem::take(value));
    Json::Object(fields.iter_mut().map(field).collect())
}

/// Writes a string with its escapes (RFC 8259, section 7).
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' => {
                let code = u32::from(char);
                out.push_str("\\u00");
                out.extend(
                    [code >> 4, code & 0xf].map(|digit| char::from_digit(digit, 16).unwrap_or('0')),
                );
            }
            _ => out.push(char),
        }
    }
    out.push('"');
}

/// `true` if no name is there twice.
fn are_different(fields: &[(String, Json)]) -> bool {
    let mut names: BinaryHeap<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    let mut last = None;
    while let Some(name) = names.pop() {
        if last.replace(name) == Some(name) {
            return false;
        }
    }
    true
}

/// The rest of a text.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn take(&mut self, token: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(token)?;
        Some(())
    }

    fn is_next(&mut self, token: &str) -> bool {
        self.skip();
        self.take(token).is_some()
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.skip();
        match self.rest.bytes().next()? {
            b'n' => self.take("null").map(|()| Json::Null),
            b't' => self.take("true").map(|()| Json::Bool(true)),
            b'f' => self.take("false").map(|()| Json::Bool(false)),
            b'"' => self.string().map(Json::Text),
            b'[' => self.list(depth.checked_sub(1)?),
            b'{' => self.object(depth.checked_sub(1)?),
            _ => self.number().map(|digits| Json::Number(digits.into())),
        }
    }

    fn list(&mut self, depth: usize) -> Option<Json> {
        let mut items = Vec::new();
        self.take("[")?;
        if self.is_next("]") {
            return Some(Json::List(items));
        }
        loop {
            items.push(self.value(depth)?);
            if self.is_next("]") {
                return Some(Json::List(items));
            }
            self.take(",")?;
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        let mut fields: Vec<(String, Json)> = Vec::new();
        self.take("{")?;
        if self.is_next("}") {
            return Some(Json::Object(fields));
        }
        loop {
            self.skip();
            let name = self.string()?;
            self.skip();
            self.take(":")?;
            fields.push((name, self.value(depth)?));
            if self.is_next("}") {
                return are_different(&fields).then_some(Json::Object(fields));
            }
            self.take(",")?;
        }
    }

    /// A number, by the grammar of RFC 8259, section 6.
    fn number(&mut self) -> Option<&'a str> {
        let whole = self.rest;
        let _: Option<()> = self.take("-");
        if self.take("0").is_none() {
            self.digits()?;
        }
        if self.take(".").is_some() {
            self.digits()?;
        }
        if self.take("e").or_else(|| self.take("E")).is_some() {
            let _: Option<()> = self.take("+").or_else(|| self.take("-"));
            self.digits()?;
        }
        whole.strip_suffix(self.rest)
    }

    fn digits(&mut self) -> Option<()> {
        let rest = self.rest.trim_start_matches(|char: char| char.is_ascii_digit());
        let some = rest.len() < self.rest.len();
        self.rest = rest;
        some.then_some(())
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut text = String::new();
        loop {
            let end = self.rest.find(|char: char| matches!(char, '"' | '\\' | '\0'..='\x1f'))?;
            let (plain, rest) = self.rest.split_at_checked(end)?;
            text.push_str(plain);
            self.rest = rest;
            if self.take("\"").is_some() {
                return Some(text);
            }
            text.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Option<char> {
        self.take("\\")?;
        let mut chars = self.rest.chars();
        let escaped = match chars.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\x08',
            'f' => '\x0c',
            same @ ('"' | '\\' | '/') => same,
            'u' => {
                self.rest = chars.as_str();
                return self.code_point();
            }
            _ => return None,
        };
        self.rest = chars.as_str();
        Some(escaped)
    }

    fn code_point(&mut self) -> Option<char> {
        let high = self.unit()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high);
        }
        self.take("\\u")?;
        let low = self.unit()?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
        char::from_u32(((high & 0x3ff) << 10 | low).checked_add(0x1_0000)?)
    }

    fn unit(&mut self) -> Option<u32> {
        let (digits, rest) = self.rest.split_at_checked(4)?;
        self.rest = rest;
        digits
            .bytes()
            .all(|digit| digit.is_ascii_hexdigit())
            .then(|| u32::from_str_radix(digits, 16).ok())?
    }
}
