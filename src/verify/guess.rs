//! Where a wrong declared figure may come from.
//!
//! A closed list of slips, tried in order; each has a figure of its own with proven bounds, and
//! a guess is given only where that figure, at the declared digits, is exactly what was
//! declared. With few digits two slips may give the same text: the first in the list is named.
//!
//! | slip | figures |
//! | --- | --- |
//! | a percentage written as a fraction, or a fraction as a percentage | all |
//! | hit frequency as its complement | `hit_frequency` |
//! | a standard deviation given as a variance, or the other way round | `variance_meter`, `std_dev_meter`, `volatility_index` |
//! | net and gross confused | `rtp`, `rtp_conditional`, `mean_meter` |
//! | the stake forgotten, or counted twice | `rtp`, `rtp_conditional` |
//! | overall and conditional return confused | `rtp`, `rtp_conditional` |
//! | the figure of the other trigger | all |
//! | the other reading of a point that the text leaves open | all but `mean_spins` |

use std::cell::OnceCell;

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::analysis::readings::{Additions, Reading, ReadingFigures, ReadingRow, readings};
use crate::exact::{Enclosure, Exact, ReturnPart};
use crate::paytable::{BoostLaw, Decimal, Figure, Paytable, ZeroMeter};
use crate::rules::Trigger;

/// What the guesses of one paytable draw on.
#[derive(Debug)]
pub struct Guesser<'a> {
    paytable: &'a Paytable,
    exact: &'a [Exact],
    /// The figures under every reading: solved where the first wrong figure needs them.
    rows: OnceCell<Vec<ReadingRow>>,
}

/// Bounds of a figure as rationals.
struct Bounds(RBig, RBig);

impl Bounds {
    /// `None` where a bound is infinite.
    fn of(enclosure: Enclosure) -> Option<Self> {
        Some(Self(
            RBig::try_from(enclosure.lower()).ok()?,
            RBig::try_from(enclosure.upper()).ok()?,
        ))
    }

    fn times(&self, factor: &RBig) -> Self {
        Self(&self.0 * factor, &self.1 * factor)
    }

    fn plus(&self, term: &RBig) -> Self {
        Self(&self.0 + term, &self.1 + term)
    }

    /// Whether both bounds have the declared digits.
    fn is_declared(&self, number: &Decimal) -> bool {
        let digits: IBig = number.digits_of(&number.value);
        number.digits_of(&self.0) == digits && number.digits_of(&self.1) == digits
    }
}

impl<'a> Guesser<'a> {
    /// For the exact figures of a paytable, one for each trigger that is certified.
    #[must_use]
    pub const fn new(paytable: &'a Paytable, exact: &'a [Exact]) -> Self {
        Self {
            paytable,
            exact,
            rows: OnceCell::new(),
        }
    }

    /// Where a wrong number may come from, as a sentence; `None` where no slip gives just its
    /// digits.
    ///
    /// # Arguments
    /// - `exact`: the figures of the trigger for which it was declared
    #[must_use]
    pub fn guess(&self, exact: &Exact, figure: Figure, number: &Decimal) -> Option<String> {
        self.slips(exact, figure)
            .into_iter()
            .find(|(bounds, _)| bounds.is_declared(number))
            .map(|(_, words)| words)
            .or_else(|| self.other_reading(exact.trigger, figure, number))
    }

    /// The slips that need no other reading.
    fn slips(&self, exact: &Exact, figure: Figure) -> Vec<(Bounds, String)> {
        let hundred = RBig::from(100);
        let one = RBig::ONE;
        let mut list: Vec<(Option<Bounds>, String)> = Vec::new();
        let mut add = |bounds: Option<Bounds>, words: &str| list.push((bounds, words.to_owned()));
        let own = || Bounds::of(enclosure_of(exact, figure));
        add(
            own().map(|own| own.times(&(&one / &hundred))),
            "a fraction was written as a percentage: it is 100 times as large",
        );
        add(
            own().map(|own| own.times(&hundred)),
            "a percentage was written as a fraction: it is a hundredth of this",
        );
        let returns = &exact.returns;
        let gross = || Bounds::of(returns.rtp_conditional);
        let minus_one = -&one;
        match figure {
            Figure::HitFrequency => add(
                Bounds::of(exact.zero_probability),
                "this is the complement: the probability of a zero meter",
            ),
            Figure::VarianceMeter => add(
                Bounds::of(exact.std_dev_meter),
                "this is the standard deviation, not the variance",
            ),
            Figure::StdDevMeter => add(
                Bounds::of(exact.variance_meter),
                "this is the variance, not the standard deviation",
            ),
            Figure::VolatilityIndex => {
                add(
                    Bounds::of(returns.gross_std_dev),
                    "this is the standard deviation, without the factor of the level",
                );
                add(
                    Bounds::of(returns.gross_variance),
                    "this is the variance of the return, not the volatility index",
                );
            }
            Figure::RtpConditional => {
                add(
                    gross().map(|gross| gross.plus(&minus_one)),
                    "this is the net win: net and gross are confused, the wager that comes back is missing",
                );
                add(
                    Bounds::of(exact.mean_meter),
                    "this is the mean meter: the stake that comes back is forgotten",
                );
                add(
                    gross().map(|gross| gross.plus(&one)),
                    "the wager that comes back is counted twice: net and gross are confused",
                );
                add(
                    Bounds::of(returns.rtp),
                    "this is the overall return, not that given the trigger",
                );
            }
            Figure::Rtp => {
                add(
                    Bounds::of(returns.rtp).map(|rtp| rtp.plus(&minus_one)),
                    "this is the net result, the return less the wager: net and gross are confused",
                );
                add(
                    Bounds::of(returns.house_edge),
                    "this is the house edge: net and gross are confused",
                );
                for (bounds, words) in self.stakes(exact) {
                    add(bounds, words);
                }
                add(
                    gross(),
                    "this is the return given the trigger, not the overall one",
                );
            }
            Figure::MeanMeter => {
                add(
                    gross(),
                    "this is the gross return: net and gross are confused, the stake is no part of the meter",
                );
            }
            Figure::MeanSpins | Figure::MaxMeter => {}
        }
        for other in self
            .exact
            .iter()
            .filter(|other| other.trigger != exact.trigger)
        {
            add(
                Bounds::of(enclosure_of(other, figure)),
                &format!("this is the figure of the {} Wonderspins", other.trigger),
            );
        }
        list.into_iter()
            .filter_map(|(bounds, words)| Some((bounds?, words)))
            .collect()
    }

    /// The overall return without the stake that comes back, and with it twice.
    fn stakes(&self, exact: &Exact) -> [(Option<Bounds>, &'static str); 2] {
        let total = &exact.returns.total;
        let wager = exact
            .returns
            .parts
            .iter()
            .find(|(part, _)| *part == ReturnPart::WagerReturned)
            .map(|(_, wager)| wager);
        let probability = self
            .paytable
            .terms(exact.trigger)
            .map(crate::paytable::TriggerTerms::probability);
        [
            (
                wager.map(|wager| Bounds(&total.lower - &wager.lower, &total.upper - &wager.upper)),
                "the stake that comes back with a win is forgotten",
            ),
            (
                probability.map(|probability| {
                    Bounds(&total.lower + &probability, &total.upper + &probability)
                }),
                "the stake that comes back with a win is counted twice: net and gross are confused",
            ),
        ]
    }

    /// A reading under which the number would be right.
    fn other_reading(&self, trigger: Trigger, figure: Figure, number: &Decimal) -> Option<String> {
        let own = Reading::of(self.paytable);
        let rows = self.rows.get_or_init(|| {
            // No law or cap is added, so nothing can be refused.
            readings(self.paytable, &Additions::default()).unwrap_or_default()
        });
        let mut fitting: Vec<&Reading> = rows
            .iter()
            .filter(|row| !row.is_own)
            .filter(|row| {
                row.figures
                    .iter()
                    .flatten()
                    .find(|figures| figures.trigger == trigger)
                    .and_then(|figures| Bounds::of(read(figures, figure)?))
                    .is_some_and(|bounds| bounds.is_declared(number))
            })
            .map(|row| &row.reading)
            .collect();
        // The reading nearest to the paytable's own is the likeliest.
        fitting.sort_by_key(|reading| differences(reading, &own).len());
        let reading = fitting.first()?;
        Some(format!(
            "this is right under another reading of the text: {}",
            differences(reading, &own).join(", ")
        ))
    }
}

/// What the exact side says of a figure.
pub(super) fn enclosure_of(exact: &Exact, figure: Figure) -> Enclosure {
    match figure {
        Figure::Rtp => exact.returns.rtp,
        Figure::RtpConditional => exact.returns.rtp_conditional,
        Figure::HitFrequency => exact.hit_frequency,
        Figure::MeanMeter | Figure::MaxMeter => exact.mean_meter,
        Figure::VarianceMeter => exact.variance_meter,
        Figure::StdDevMeter => exact.std_dev_meter,
        Figure::MeanSpins => exact.mean_spins,
        Figure::VolatilityIndex => exact.returns.volatility_index.index,
    }
}

/// A figure under a reading, where the matrix of readings has it.
fn read(figures: &ReadingFigures, figure: Figure) -> Option<Enclosure> {
    Some(match figure {
        Figure::Rtp => figures.returns.rtp,
        Figure::RtpConditional => figures.returns.rtp_conditional,
        Figure::HitFrequency => figures.hit_frequency,
        Figure::MeanMeter => figures.mean_meter,
        Figure::VarianceMeter => figures.std_dev_meter * figures.std_dev_meter,
        Figure::StdDevMeter => figures.std_dev_meter,
        Figure::VolatilityIndex => figures.returns.volatility_index.index,
        Figure::MeanSpins | Figure::MaxMeter => return None,
    })
}

/// What a reading says otherwise than the paytable.
fn differences(reading: &Reading, own: &Reading) -> Vec<String> {
    let mut words = Vec::new();
    let mut potion = |name: &str, is_used: bool, own: bool| {
        if is_used != own {
            let not = if is_used { "" } else { " not" };
            words.push(format!("a spin that shows {name} is{not} used up"));
        }
    };
    potion(
        "Eat Me",
        reading.eat_me_consumes_spin,
        own.eat_me_consumes_spin,
    );
    potion(
        "Drink Me",
        reading.drink_me_consumes_spin,
        own.drink_me_consumes_spin,
    );
    if reading.boost != own.boost {
        words.push(
            match reading.boost {
                BoostLaw::Uniform => "a character is selected uniformly",
                BoostLaw::OuterSections => "a character is selected by its outer sections",
                BoostLaw::Weights(_) => "a character is selected by other weights",
            }
            .to_owned(),
        );
    }
    if reading.zero_meter != own.zero_meter {
        words.push(
            match reading.zero_meter {
                ZeroMeter::ReturnsWager => "a zero meter returns the wager",
                ZeroMeter::LosesWager => "a zero meter loses the wager",
            }
            .to_owned(),
        );
    }
    if reading.max_meter != own.max_meter {
        words.push(match reading.max_meter {
            None => "without the cap on the meter".to_owned(),
            Some(cap) => format!("with a cap of {cap} on the meter"),
        });
    }
    words
}
