//! The reader of JSON text.

use alloc::{collections::BinaryHeap, string::String, vec::Vec};

use super::Json;

/// The deepest nesting that is read.
const DEPTH: usize = 64;

/// The value of a whole text.
pub(super) fn read(text: &str) -> Option<Json> {
    let mut reader = Reader { rest: text };
    let value = reader.value(DEPTH)?;
    reader.skip();
    reader.rest.is_empty().then_some(value)
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
        // `strip_suffix` would compare all that follows.
        whole.get(..whole.len().checked_sub(self.rest.len())?)
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
