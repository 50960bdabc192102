//! Changes of a catalogue.

use alloc::vec::Vec;

use super::rules::check_namespace;
use super::{Catalogue, Disabling};
use crate::document::{
    Choice, Field, Fields, Is, Parts, Presence, Record, Row, Said, Table, Typed, Valued, document,
    traits,
};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::text::{WriteText, fill};
use crate::value::{Address, ChainId, TokenAddress, conversions, keyword};

/// A token or a collection of NFTs on some chain.
///
/// ```
/// use sendoff::catalogue::Asset;
///
/// assert_eq!(Asset::Token("".parse()?).to_string(), "the native token");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asset {
    /// A token: `tokenAddress` in JSON.
    Token(TokenAddress),
    /// A collection: `collectionAddress` in JSON.
    Collection(Address),
}

impl WriteText for Asset {
    fn write_text(&self, out: &mut Vec<u8>) {
        match self {
            Self::Token(token) if token.contract().is_none() => "the native token".write_text(out),
            Self::Token(token) => fill("the token `{}`", &[token]).write_text(out),
            Self::Collection(contract) => fill("the collection `{}`", &[contract]).write_text(out),
        }
    }
}

conversions!(displayed Asset);

/// A change of a catalogue: `{type: "enable" | "disable", caip2Id}`, or `{type: "whitelist" | "remove", caip2Id}` with
/// `tokenAddress` or `collectionAddress` in JSON.
///
/// ```
/// use sendoff::catalogue::{Asset, CatalogueStep};
///
/// let step: CatalogueStep = r#"{"type":"whitelist","caip2Id":"eip155:137","tokenAddress":""}"#.parse()?;
/// assert_eq!(step, CatalogueStep::Whitelist("eip155:137".parse()?, Asset::Token("".parse()?)));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CatalogueStep {
    /// Enables a chain.
    Enable(ChainId),
    /// Disables a chain. It hides its tokens and collections, which stay whitelisted.
    Disable(ChainId),
    /// Whitelists a token or collection on an enabled chain.
    Whitelist(ChainId, Asset),
    /// Removes a token or collection from the whitelist.
    Remove(ChainId, Asset),
}

keyword! {
    /// The type of a step.
    enum StepType: "`enable`, `disable`, `whitelist` or `remove`" {
        "enable" => Enable,
        "disable" => Disable,
        "whitelist" => Whitelist,
        "remove" => Remove,
    }
}

impl CatalogueStep {
    const fn kind(&self) -> StepType {
        match self {
            Self::Enable(_) => StepType::Enable,
            Self::Disable(_) => StepType::Disable,
            Self::Whitelist(..) => StepType::Whitelist,
            Self::Remove(..) => StepType::Remove,
        }
    }

    /// The chain.
    #[must_use]
    pub const fn chain(&self) -> &ChainId {
        match self {
            Self::Enable(chain)
            | Self::Disable(chain)
            | Self::Whitelist(chain, _)
            | Self::Remove(chain, _) => chain,
        }
    }

    /// The token or collection, if the step is about one.
    #[must_use]
    pub const fn asset(&self) -> Option<Asset> {
        match self {
            Self::Enable(_) | Self::Disable(_) => None,
            Self::Whitelist(_, asset) | Self::Remove(_, asset) => Some(*asset),
        }
    }
}

/// A step, by its type.
static STEP: Choice = Choice {
    expected: "a step of a catalogue, an object with a `type`",
    tables: &[
        ("enable", &OF_CHAIN),
        ("disable", &OF_CHAIN),
        ("whitelist", &OF_ASSET),
        ("remove", &OF_ASSET),
    ],
    ..STEPS
};

/// A step by its type and its asset, as its schema says it.
const STEPS: Choice = Choice {
    expected: "",
    key: "type",
    tag: StepType::IS,
    tables: &[
        ("enable", &OF_CHAIN),
        ("disable", &OF_CHAIN),
        ("whitelist", &OF_TOKEN),
        ("remove", &OF_TOKEN),
        ("whitelist", &OF_COLLECTION),
        ("remove", &OF_COLLECTION),
    ],
    unknown: "",
    said: Said::new("A change of a catalogue."),
};

const TYPE: Row = Row::of::<StepType>("type", "The type of the step.");
const CHAIN: Row = Row::of::<ChainId>("caip2Id", "The chain.");
const TOKEN: Row =
    Row::of::<TokenAddress>("tokenAddress", "The token's contract; empty for the native token.");
const COLLECTION: Row = Row::of::<Address>("collectionAddress", "The collection's contract.");

static OF_CHAIN: Table = Table {
    check: Some(|step, at, issues| check_chain(Parts::of(step), at, issues)),
    ..Table::said("Enables or disables a chain.", &[TYPE, CHAIN])
};

static OF_ASSET: Table = Table {
    rows: &[TYPE, CHAIN, TOKEN.present(Presence::Optional), COLLECTION.present(Presence::Optional)],
    check: Some(|step, at, issues| check_asset(Parts::of(step), at, issues)),
    ..Table::NONE
};

static OF_TOKEN: Table = Table::said("Whitelists a token, or removes it.", &[TYPE, CHAIN, TOKEN]);

static OF_COLLECTION: Table =
    Table::said("Whitelists a collection, or removes it.", &[TYPE, CHAIN, COLLECTION]);

const CHAIN_ID: Field<CatalogueStep, ChainId> = Field::of("caip2Id");
const TOKEN_ADDRESS: Field<CatalogueStep, TokenAddress> = Field::of_some("tokenAddress");
const COLLECTION_ADDRESS: Field<CatalogueStep, Address> = Field::of_some("collectionAddress");

fn check_chain(step: Parts<'_, CatalogueStep>, at: &Path<'_>, issues: &mut Issues) {
    check_namespace(step.get(CHAIN_ID).as_ref(), at, issues);
}

/// A step has a token or a collection.
fn check_asset(step: Parts<'_, CatalogueStep>, at: &Path<'_>, issues: &mut Issues) {
    check_chain(step, at, issues);

    let found = if step.lacks(TOKEN_ADDRESS) && step.lacks(COLLECTION_ADDRESS) {
        "neither"
    } else if step.get(TOKEN_ADDRESS).is_some() && step.get(COLLECTION_ADDRESS).is_some() {
        "both"
    } else {
        return;
    };
    let message = fill("expected `tokenAddress` or `collectionAddress`, found {}", &[&found]);
    issues.push(at, IssueCode::Rule, message);
}

impl Valued for CatalogueStep {
    const IS: Is = Is::Choice(&STEP);
    const TABLES: &'static [&'static Table] = &[&OF_CHAIN, &OF_ASSET];

    fn record(&self) -> Record {
        let (kind, chain) = (&self.kind(), self.chain());
        match self.asset() {
            None => Record::of(&OF_CHAIN).with(kind).with(chain),
            Some(Asset::Token(token)) => {
                Record::of(&OF_ASSET).with(kind).with(chain).with(&token).without()
            }
            Some(Asset::Collection(collection)) => {
                Record::of(&OF_ASSET).with(kind).with(chain).without().with(&collection)
            }
        }
    }
}

impl Typed for CatalogueStep {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        let (kind, chain) = (fields.next()?, fields.next()?);
        let mut asset = || match fields.next()? {
            Some(token) => Some(Asset::Token(token)),
            None => fields.next().map(Asset::Collection),
        };
        Some(match kind {
            StepType::Enable => Self::Enable(chain),
            StepType::Disable => Self::Disable(chain),
            StepType::Whitelist => Self::Whitelist(chain, asset()?),
            StepType::Remove => Self::Remove(chain, asset()?),
        })
    }
}

traits!(CatalogueStep: read, serialize, schema(|generator| {
    static STEP: Choice = STEPS;
    Is::Choice(&STEP).schema(generator)
}));

document! {
    /// A catalogue after a step: `{catalogue, changed}` in JSON.
    pub struct CatalogueProgress: "", open Ignored, displayed by nobody {
        /// The catalogue to keep.
        "catalogue" => pub catalogue: Catalogue,
        /// `false` if the step changed nothing.
        "changed" => pub changed: bool,
    }
}

/// Returns the catalogue after a step.
///
/// # Errors
///
/// `rule`, the first that applies: at `step.type` for [`CatalogueStep::Disable`] and [`CatalogueStep::Remove`] if the
/// catalogue allows neither; at `step.caip2Id` for a chain that is not in the catalogue, or on which a token or collection is
/// to be whitelisted before it is enabled; at `step.tokenAddress` or `step.collectionAddress` if it is not known on the chain.
pub fn advance(mut catalogue: Catalogue, step: &CatalogueStep) -> Result<CatalogueProgress, Error> {
    check(&catalogue, step)?;
    let changed = apply(&mut catalogue, step);
    Ok(CatalogueProgress { catalogue, changed })
}

/// Checks a step; the error is at the field of the step that breaks a rule.
fn check(catalogue: &Catalogue, step: &CatalogueStep) -> Result<(), Error> {
    let takes_away = matches!(step, CatalogueStep::Disable(_) | CatalogueStep::Remove(..));
    if takes_away && catalogue.disable() == Disabling::Never {
        let template = "expected `enable` or `whitelist`, found `{}` and `disable` `never`";
        return Err(Error::of_step("type", fill(template, &[&step.kind()])));
    }

    let chain = step.chain();
    let Some(known) = catalogue.known_chain(chain) else {
        let message = fill("expected a chain of `chains`, found `{}`", &[chain]);
        return Err(Error::of_step("caip2Id", message));
    };
    if matches!(step, CatalogueStep::Whitelist(..)) && !known.enabled {
        let message = fill("expected an enabled chain, found `{}`", &[chain]);
        return Err(Error::of_step("caip2Id", message));
    }

    match step.asset() {
        Some(asset) if catalogue.is_whitelisted(chain, asset).is_none() => {
            let (key, what) = match asset {
                Asset::Token(_) => ("tokenAddress", "token"),
                Asset::Collection(_) => ("collectionAddress", "collection"),
            };
            let message = fill("expected a known {} on `{}`, found {}", &[&what, chain, &asset]);
            Err(Error::of_step(key, message))
        }
        _ => Ok(()),
    }
}

/// Sets what the step says, and returns `true` if that is a change.
fn apply(catalogue: &mut Catalogue, step: &CatalogueStep) -> bool {
    let (chain, is_on) =
        (step.chain(), matches!(step, CatalogueStep::Enable(_) | CatalogueStep::Whitelist(..)));
    let flag = match step.asset() {
        None => {
            let mut chains = catalogue.chains.as_mut_slice().iter_mut();
            chains.find(|known| known.caip2_id == *chain).map(|known| &mut known.enabled)
        }
        Some(asset) => {
            let tokens = catalogue.tokens.as_mut_slice().iter_mut();
            let tokens = tokens.filter(|known| known.is(chain, asset));
            let collections = catalogue.collections.as_mut_slice().iter_mut();
            let collections = collections.filter(|known| known.is(chain, asset));
            let mut flags = tokens.map(|known| &mut known.whitelisted);
            flags.next().or_else(|| collections.map(|known| &mut known.whitelisted).next())
        }
    };

    flag.is_some_and(|flag| core::mem::replace(flag, is_on) != is_on)
}
