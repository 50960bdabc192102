//! Lies: the ways in which a reply can be wrong and a service can be bad, each by its name.
//!
//! A lie is asked for by the header `x-sandbox-lie`, one name or several with commas, or by a
//! schedule from a seed. It is told only where it can be: a reply that lies has the header
//! `x-sandbox-lied` with the names of the lies that changed it, or what happens.

mod estimate;
mod service;

use alloc::{string::String, vec::Vec};

use sendoff::error::IssueCode;
use sendoff::http::Operation;

use crate::Json;
use crate::draw::{draw, drawn, number};
use crate::http::{Reply, Request};
use crate::misfit::Misfit;
use crate::record::{Record, record};
use crate::route::{Companion, Named, Route};
use crate::state::State;
use crate::text::{cut, replaced};

pub(crate) use estimate::retold;

/// The header that asks for lies.
pub(crate) const ASKED: &str = "x-sandbox-lie";
/// The header of a reply that lies.
pub(crate) const TOLD: &str = "x-sandbox-lied";

/// A lie.
#[derive(Clone, Copy, Debug)]
pub struct Lie {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// Where it can be told.
    pub on: On,
    /// `true` for an estimate that lies in a part that is not signed: a client that does not read that part may go on.
    pub may_be_ignored: bool,
    /// `true` for a lie about an order that failed. Another lie, `fails-later`, makes an order fail.
    pub needs_failure: bool,
    /// Whose words or form it has, as `owner/name@commit path`; empty for one of our own.
    pub source: &'static str,
    how: How,
}

/// The requests that a lie is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// The estimate.
    Estimate,
    /// Every other write: an order, a mint, an execution, `eth_sendUserOperation`.
    Write,
    /// Reads of orders and of their states.
    Orders,
    /// `eth_getUserOperationReceipt`.
    Receipt,
    /// `eth_sendUserOperation`.
    Send,
    /// Reads that answer with a list.
    List,
    /// Every request.
    Any,
}

impl On {
    /// The word in the table of lies.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Estimate => "estimate",
            Self::Write => "writes",
            Self::Orders => "orders",
            Self::Receipt => "receipt",
            Self::Send => "send",
            Self::List => "lists",
            Self::Any => "every request",
        }
    }
}

/// How a lie is told.
#[derive(Clone, Copy)]
pub(super) enum How {
    /// The estimate of another request or of other facts, in its bytes, in its readable part, or in both.
    Retold(fn(&mut Json, &mut Json), Face),
    /// The reply has this JSON at a path, whether something was there or not.
    Set(&'static str, &'static str),
    /// Fields with one of these names, changed.
    Each(&'static [&'static str], fn(&mut Json)),
    /// Texts with one of these names have something before and behind them.
    Around(&'static [&'static str], &'static [&'static str; 2]),
    /// Texts that are one of these words are another one.
    Reworded(&'static [(&'static str, &'static str)]),
    /// The reply's text has the second of these in the place of the first.
    Spelled(&'static str, &'static str),
    /// The call data has these digits from a byte on.
    Bytes(usize, &'static str),
    /// The reply, changed.
    Edit(fn(&mut Json)),
    /// The operation was accepted, and the answer is this error of JSON-RPC.
    Refused(&'static str),
    /// A receipt without the fields at these paths, and with this JSON at others.
    Receipt(&'static [&'static str], &'static [(&'static str, &'static str)]),
    /// A receipt that says so of the operation that is asked about, before its block too.
    Forged(bool),
    /// Another reply, and nothing is done.
    Instead(fn(&str) -> Reply),
    /// Done, and then the reply is changed or lost.
    After(fn(&mut Reply, &str)),
    /// Changes the orders and operations from these places on.
    Fate(fn(&mut State, [usize; 2]) -> bool),
    /// Several of these, in their order.
    All(&'static [How]),
}

impl core::fmt::Debug for How {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("How")
    }
}

/// The part of an estimate that lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    Bytes,
    Plain,
    Both,
}

/// All lies, in the order of their table.
pub fn lies() -> impl Iterator<Item = &'static Lie> {
    estimate::LIES.iter().chain(service::LIES)
}

fn find(name: &str) -> Option<&'static Lie> {
    lies().find(|lie| lie.name == name)
}

record! {
    /// Lies from a seed: one request in `every` gets one of `names`, or of all.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub(crate) struct Schedule {
        seed: String,
        every: u64,
        names: Vec<String>,
    }
}

impl Schedule {
    /// Reads the option `lies`: `{seed, every, names}`; `names` may be absent.
    pub(crate) fn of(json: &Json) -> Result<Self, Misfit> {
        let mut json = json.clone();
        let has_names = json.get("names").is_some();
        if !has_names {
            json.set("names", Json::List(Vec::new()));
        }
        let mut schedule = Self::default();
        schedule.read(&json).map_err(|misfit| misfit.within("lies"))?;
        schedule.check("lies")?;
        // In a saved state these are all lies.
        if has_names && schedule.names.is_empty() {
            let misfit = Misfit::new("the names of lies", &Json::List(Vec::new()));
            return Err(misfit.within("lies.names"));
        }
        Ok(schedule)
    }

    /// Refuses one that cannot be followed. It is at a key.
    pub(crate) fn check(&self, key: &str) -> Result<(), Misfit> {
        let (field, misfit) = match self.names.iter().find(|name| find(name).is_none()) {
            _ if self.every == 0 => ("every", Misfit::new("an integer from 1", &self.every.into())),
            Some(name) => ("names", Misfit::said(IssueCode::Unknown, &[&unknown(name)])),
            None => return Ok(()),
        };
        Err(misfit.within(field).within(key))
    }
}

fn unknown(name: &str) -> String {
    ["the pocket service knows no lie `", cut(name), "`"].concat()
}

/// The lies of a request, in the order of their turns, and how many of them are told. A lie without effect gives its turn to the next.
pub(crate) fn chosen(
    state: &State,
    request: &Request,
    route: Option<&Route>,
) -> Result<(Vec<&'static Lie>, usize), String> {
    if let Some(names) = request.header(ASKED) {
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        let all = names
            .map(|name| find(name).ok_or_else(|| unknown(name)))
            .collect::<Result<Vec<_>, _>>()?;
        let fitting = all.into_iter().filter(|lie| lie.is_for(route, request)).collect();
        return Ok((fitting, usize::MAX));
    }
    let Some(schedule) = &state.schedule else { return Ok((Vec::new(), 0)) };
    let chance = number(draw(&schedule.seed, "lie", state.requests));
    if chance.checked_rem(schedule.every) != Some(0) {
        return Ok((Vec::new(), 0));
    }
    let is_named =
        |lie: &Lie| schedule.names.is_empty() || schedule.names.iter().any(|name| name == lie.name);
    let fitting = lies().filter(|lie| is_named(lie) && lie.is_for(route, request)).collect();
    Ok((drawn(fitting, number(draw(&schedule.seed, "which lie", state.requests))), 1))
}

impl Lie {
    /// `true` if it can be told to this request. A path that is not known has no route.
    fn is_for(&self, route: Option<&Route>, request: &Request) -> bool {
        let Some(route) = route else { return self.on == On::Any };
        let rpc = || {
            let is_rpc = route.named == Named::Companion(Companion::Rpc);
            let body = Json::parse(&request.body).filter(|_| is_rpc)?;
            Some(String::from(body.text("method")))
        };
        let name = route.name();
        match self.on {
            On::Any => true,
            On::Estimate => route.named == Named::Specified(Operation::Estimate),
            On::Send => rpc().is_some_and(|method| method == "eth_sendUserOperation"),
            On::Receipt => rpc().is_some_and(|method| method == "eth_getUserOperationReceipt"),
            // One that is for other reads changes nothing there, so it is not told.
            On::Orders | On::List => request.method == "GET",
            On::Write => {
                let is_read = name.ends_with("eadContractData") || name.starts_with("serverCreate");
                (route.is_limited() && !is_read)
                    || name == "execute"
                    || rpc().is_some_and(|method| method == "eth_sendUserOperation")
            }
        }
    }

    /// The reply that comes instead of doing anything.
    pub(crate) fn instead(&self, trace: &str) -> Option<Reply> {
        if let How::Instead(reply) = self.how { Some(reply(trace)) } else { None }
    }

    /// Changes the orders and operations from these places on. Returns `true` if it changed any.
    pub(crate) fn decide(&self, state: &mut State, from: [usize; 2]) -> bool {
        self.how.decide(state, from)
    }

    /// Changes the reply to a request.
    pub(crate) fn tell(&self, request: &Request, reply: &mut Reply, trace: &str) {
        self.how.tell(request, reply, trace);
    }
}

impl How {
    fn decide(self, state: &mut State, from: [usize; 2]) -> bool {
        match self {
            Self::Fate(fate) => fate(state, from),
            Self::All(all) => {
                let mut is_any = false;
                for how in all {
                    is_any |= how.decide(state, from);
                }
                is_any
            }
            _ => false,
        }
    }

    fn tell(self, request: &Request, reply: &mut Reply, trace: &str) {
        match self {
            Self::Set(path, json) => edited(reply, &|body| {
                estimate::set(body, path, Json::parse(json).unwrap_or_default());
            }),
            Self::Each(names, change) => edited(reply, &|body| each(body, names, &change)),
            Self::Around(names, [before, behind]) => edited(reply, &|body| {
                each(body, names, &|value| {
                    if let Json::Text(text) = value {
                        *text = [*before, text, behind].concat();
                    }
                });
            }),
            Self::Reworded(words) => edited(reply, &|body| reword(body, words)),
            Self::Spelled(this, other) => reply.body = replaced(&reply.body, this, other),
            Self::Bytes(at, digits) => edited(reply, &|body| {
                estimate::overwrite(body.at_mut(estimate::CALL_DATA), at, digits);
            }),
            Self::Edit(edit) => edited(reply, &edit),
            Self::Refused(error) => edited(reply, &|body| {
                service::refuse(body, Json::parse(error).unwrap_or_default());
            }),
            Self::Receipt(removed, set) => edited(reply, &|body| {
                service::reshape(body, removed, set);
            }),
            Self::Forged(success) => edited(reply, &|body| service::forge(body, request, success)),
            Self::After(change) => change(reply, trace),
            Self::All(all) => all.iter().for_each(|how| how.tell(request, reply, trace)),
            Self::Retold(..) | Self::Instead(_) | Self::Fate(_) => {}
        }
    }
}

/// Changes every field with one of these names.
fn each(json: &mut Json, names: &[&str], change: &dyn Fn(&mut Json)) {
    match json {
        Json::List(items) => items.iter_mut().for_each(|item| each(item, names, change)),
        Json::Object(fields) => {
            for (key, value) in fields {
                if names.contains(&key.as_str()) {
                    change(value);
                } else {
                    each(value, names, change);
                }
            }
        }
        _ => {}
    }
}

/// Replaces a word in every text of a value.
fn reword(json: &mut Json, words: &[(&str, &str)]) {
    match json {
        Json::Text(text) => {
            if let Some((_, other)) = words.iter().find(|(word, _)| word == text) {
                *text = (*other).into();
            }
        }
        Json::List(items) => items.iter_mut().for_each(|item| reword(item, words)),
        Json::Object(fields) => fields.iter_mut().for_each(|(_, value)| reword(value, words)),
        _ => {}
    }
}

/// Changes the JSON of a reply.
fn edited(reply: &mut Reply, edit: &dyn Fn(&mut Json)) {
    if let Some(mut body) = Json::parse(&reply.body) {
        edit(&mut body);
        reply.body = body.to_json();
    }
}
