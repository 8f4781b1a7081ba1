//! The content of a paytable as plain data, before and after validation.

use std::collections::BTreeMap;

use dashu_ratio::RBig;

use super::decimal::Decimal;
use crate::rules::{Character, InnerSection, OuterSection, Trigger, Wheel};

/// One value for each character of a paytable.
pub type ByCharacter<T> = BTreeMap<Character, T>;

/// Everything that a paytable file states.
///
/// Plain data with public fields; [`Paytable::new`](super::Paytable::new) checks it.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// What the paytable is called in reports.
    pub name: String,
    /// Where its rules come from; one that cites `693.6` is judged against that text.
    pub source: String,
    /// Free text for the reader, such as which figures are illustrative.
    pub notes: String,
    /// The inner wheel, clockwise, 693.6(b).
    pub inner_wheel: Wheel<InnerSection>,
    /// The outer wheel, clockwise, 693.6(c).
    pub outer_wheel: Wheel<OuterSection>,
    /// The law of the starting multipliers, 693.6(e), where a trigger has none of its own.
    pub starting_multipliers: StartLaw,
    /// The law of the character selection, 693.6(f)(2)(i).
    pub boost: BoostLaw,
    /// The rules of a spin, 693.6(f).
    pub rules: Rules,
    /// What the meter pays, 693.6(g).
    pub payout: Payout,
    /// A cap in money, for each stake; absent in the regulation.
    pub limits: Option<Limits>,
    /// The triggers, ascending, one or two, 693.6(d).
    pub triggers: Vec<TriggerTerms>,
    /// The submission's own figures, by trigger.
    pub declared: BTreeMap<Trigger, Vec<DeclaredFigure>>,
    /// Statements for 9 NYCRR 5319.47.
    pub disclosure: Disclosure,
}

/// The law of the starting multipliers, 693.6(e) ("randomly assigned"; the text gives no values).
///
/// Every value is at least the floor and at most 10^6.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartLaw {
    /// As many values as characters, assigned in uniformly random order.
    Permutation {
        /// The multiset of values.
        values: Vec<u32>,
    },
    /// Each character always starts with its own value.
    Fixed {
        /// One value for each character.
        values: ByCharacter<u32>,
    },
    /// Each character draws its value alone from one common law.
    Independent {
        /// The values that can be drawn, distinct.
        values: Vec<u32>,
        /// The weight of each value, in the same order, from 1 to 2^32.
        weights: Vec<u64>,
    },
    /// One row is drawn for all characters together.
    Table {
        /// The rows with their weights.
        rows: Vec<StartRow>,
    },
}

/// A row of [`StartLaw::Table`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartRow {
    /// Weight of the row, from 1 to 2^32.
    pub weight: u64,
    /// One value for each character.
    pub values: ByCharacter<u32>,
}

/// The law by which an inner multiplier selects its character, 693.6(f)(2)(i).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoostLaw {
    /// Every character of the paytable alike.
    Uniform,
    /// In proportion to the number of outer sections that show the character
    /// (sections counted, not their weights).
    OuterSections,
    /// In proportion to the weights, from 1 to 2^32, one for each character.
    Weights(ByCharacter<u64>),
}

/// The rules of a spin that the paytable states, 693.6(f)(2)(ii) and (f)(4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// "Eat Me", 693.6(f)(4)(iii).
    pub eat_me: Potion,
    /// "Drink Me", 693.6(f)(4)(iv).
    pub drink_me: Potion,
    /// What an inner additional spin adds to the counter, 693.6(f)(2)(ii), from 0 to 10.
    pub additional_spin: u32,
    /// The least value that a character's multiplier can have, 693.6(f)(4)(iv), at least 1.
    pub multiplier_floor: u32,
    /// A payout cap: the reported meter is min(meter, cap) and play goes on.
    pub max_meter: Option<u64>,
    /// A limit on the spins of a round: the round ends with this spin.
    pub max_spins: Option<u32>,
}

/// What an Eat Me or a Drink Me does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Potion {
    /// Spins added to the counter, from 0 to 10.
    pub spins: u32,
    /// Added to every character's multiplier, from -10 to 10; never below the floor.
    pub multipliers: i32,
    /// Whether the spin that shows the potion also uses itself up. The text of
    /// 693.6(f)(4)(iii) and (iv) does not say: a reading.
    pub consumes_spin: bool,
}

impl Potion {
    /// Net change of the counter when the potion is shown: `spins` less the spin itself
    /// where it is used up. From -1 to 10.
    ///
    /// # Panics
    /// Where `spins` passes `i32`, which a validated paytable rules out.
    #[must_use]
    pub fn counter_change(self) -> i32 {
        i32::try_from(self.spins).expect("a validated potion adds at most 10 spins")
            - i32::from(self.consumes_spin)
    }
}

/// What the final meter pays, 693.6(g).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payout {
    /// Whether the wager comes back with a win.
    pub convention: Convention,
    /// What a meter of zero pays.
    pub zero_meter: ZeroMeter,
}

impl Payout {
    /// Gross return for each unit wagered, the wager included where it comes back.
    ///
    /// A meter m > 0 pays m + 1 "to one" and m "for one"; a meter of 0 pays 1 or 0, as
    /// the paytable reads "0 to 1".
    ///
    /// # Accuracy
    /// Exact integer; a meter of 2^64 - 1, which no round within checked arithmetic
    /// reaches, is not passed.
    /// # Source
    /// 693.6(g).
    /// # Examples
    /// ```
    /// use wonderspins::paytable::{Convention, Payout, ZeroMeter};
    ///
    /// let payout = Payout { convention: Convention::ToOne, zero_meter: ZeroMeter::LosesWager };
    /// assert_eq!((payout.gross_return(500), payout.net_win(500)), (501, 500));
    /// assert_eq!((payout.gross_return(0), payout.net_win(0)), (0, -1));
    /// ```
    #[must_use]
    pub fn gross_return(self, meter: u64) -> u64 {
        match (meter, self.convention, self.zero_meter) {
            (0, _, ZeroMeter::ReturnsWager) => 1,
            (0, _, ZeroMeter::LosesWager) => 0,
            (_, Convention::ToOne, _) => meter.saturating_add(1),
            (_, Convention::ForOne, _) => meter,
        }
    }

    /// [`gross_return`](Self::gross_return) less the wager of 1.
    #[must_use]
    pub fn net_win(self, meter: u64) -> i128 {
        i128::from(self.gross_return(meter)) - 1
    }
}

/// How odds are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// "500 to 1": the wager comes back with the win, as 693.6(g) has it.
    ToOne,
    /// "500 for 1": the win includes the wager.
    ForOne,
}

/// What "0 to 1" means; 693.6(g) does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZeroMeter {
    /// The wager comes back, nothing else.
    ReturnsWager,
    /// The wager is lost.
    LosesWager,
}

/// A cap on the win in money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The largest win, in the unit of the stakes.
    pub max_win: u64,
    /// The stakes for which figures are wanted; each caps the meter at `max_win / stake`.
    pub stakes: Vec<u64>,
}

/// A trigger and the main wheel behind it, 693.6(d).
#[derive(Debug, Clone, PartialEq)]
pub struct TriggerTerms {
    /// Which trigger.
    pub trigger: Trigger,
    /// Spins on the counter when the round begins, from 1 to 1000.
    pub spins: u32,
    /// Main-wheel sections that start the bonus.
    pub main_wheel_sections: u64,
    /// Main-wheel sections in all.
    pub main_wheel_of: u64,
    /// Expected gross return for each unit wagered on this bet from all other main-wheel outcomes.
    pub other_return: RBig,
    /// Starting multipliers of this trigger alone, where they differ.
    pub starting_multipliers: Option<StartLaw>,
}

impl TriggerTerms {
    /// Probability of the trigger for one main-wheel spin.
    #[must_use]
    pub fn probability(&self) -> RBig {
        RBig::from(self.main_wheel_sections) / RBig::from(self.main_wheel_of)
    }
}

/// The figures that a submission may declare for a trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Figure {
    /// Overall gross return for each unit wagered on this bet.
    Rtp,
    /// Gross return for each unit wagered, given the trigger.
    RtpConditional,
    /// Probability that the meter is above zero.
    HitFrequency,
    /// Expected meter of a round.
    MeanMeter,
    /// Variance of the meter.
    VarianceMeter,
    /// Standard deviation of the meter.
    StdDevMeter,
    /// Expected spins of a round.
    MeanSpins,
    /// Volatility index at the 90 % level, two-sided.
    VolatilityIndex,
    /// Largest meter that can occur.
    MaxMeter,
}

impl Figure {
    /// All figures, in the order in which they are reported.
    pub const ALL: [Self; 9] = [
        Self::Rtp,
        Self::RtpConditional,
        Self::HitFrequency,
        Self::MeanMeter,
        Self::VarianceMeter,
        Self::StdDevMeter,
        Self::MeanSpins,
        Self::VolatilityIndex,
        Self::MaxMeter,
    ];

    /// The key in a paytable file and in JSON documents.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Rtp => "rtp",
            Self::RtpConditional => "rtp_conditional",
            Self::HitFrequency => "hit_frequency",
            Self::MeanMeter => "mean_meter",
            Self::VarianceMeter => "variance_meter",
            Self::StdDevMeter => "std_dev_meter",
            Self::MeanSpins => "mean_spins",
            Self::VolatilityIndex => "volatility_index",
            Self::MaxMeter => "max_meter",
        }
    }

    /// The figure with the given key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.key() == key)
    }
}

/// A figure as a submission declared it.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredFigure {
    /// Which figure.
    pub figure: Figure,
    /// The declared value.
    pub value: DeclaredValue,
}

/// A declared value.
#[derive(Debug, Clone, PartialEq)]
pub enum DeclaredValue {
    /// A number, with as many digits as were declared.
    Number(Decimal),
    /// The word `unbounded`, for the largest meter.
    Unbounded,
}

/// Statements for 9 NYCRR 5319.47; a missing one is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disclosure {
    /// (b): what the player chooses in the bonus.
    pub player_choice: Option<PlayerChoice>,
    /// (b): whether the device selects or starts by itself.
    pub auto_initiate: Option<bool>,
    /// (b)(1): whether the player acknowledges the intent.
    pub acknowledged: Option<bool>,
    /// (b)(3): whether the bonus is community play.
    pub community: Option<bool>,
    /// (b)(3): whether the time remaining is shown.
    pub time_remaining_shown: Option<bool>,
    /// (b): whether the mechanism is explained on the glass or display.
    pub explained_on_display: Option<bool>,
    /// (b)(2): the time-out, in seconds.
    pub timeout_seconds: Option<u64>,
    /// Statements by clause, for example `5319.47(a)(1)`.
    pub statements: BTreeMap<String, Statement>,
}

/// 5319.47(b): how much a player chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerChoice {
    /// Nothing.
    None,
    /// One choice, such as a button that spins the wheel.
    Single,
    /// Several choices.
    Multiple,
}

/// A statement with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What is stated.
    pub text: String,
    /// The file that shows it.
    pub file: Option<String>,
    /// SHA-256 of that file, 64 lower-case hexadecimal digits.
    pub sha256: Option<String>,
    /// The page in that file.
    pub page: Option<u64>,
    /// (a)(2): the declared range of the meter.
    pub meter: Option<DeclaredRange>,
    /// (a)(2): the declared range of a multiplier.
    pub multiplier: Option<DeclaredRange>,
    /// (a)(2): whether the odds of the top award are displayed prominently.
    pub odds_shown: Option<bool>,
}

/// A declared range; no `highest` means `unbounded`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclaredRange {
    /// Smallest value.
    pub lowest: u64,
    /// Largest value, or `None` for `"unbounded"`.
    pub highest: Option<u64>,
}
