//! Schema `wonderspins/readings/1`.

use serde::{Deserialize, Serialize};

use super::{EnclosureJson, PaytableId, Tool};
use crate::analysis::readings::{ReadingFigures, ReadingRow};
use crate::analysis::starts_text;
use crate::paytable::{BoostLaw, PaytableFile, ZeroMeter};
use crate::rules::Trigger;

/// The figures of one trigger under one reading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadingFiguresJson {
    /// Expected meter, capped where the reading has a cap.
    pub mean_meter: EnclosureJson,
    /// Standard deviation of the meter.
    pub std_dev_meter: EnclosureJson,
    /// Probability of a meter above zero.
    pub hit_frequency: EnclosureJson,
    /// Gross return given the trigger; the wager's return is in it.
    pub rtp_conditional: EnclosureJson,
    /// Overall gross return for each unit wagered on this bet.
    pub rtp: EnclosureJson,
}

impl From<&ReadingFigures> for ReadingFiguresJson {
    fn from(figures: &ReadingFigures) -> Self {
        Self {
            mean_meter: figures.mean_meter.into(),
            std_dev_meter: figures.std_dev_meter.into(),
            hit_frequency: figures.hit_frequency.into(),
            rtp_conditional: figures.returns.rtp_conditional.into(),
            rtp: figures.returns.rtp.into(),
        }
    }
}

/// What a reading says of the points that the text leaves open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPointsJson {
    /// The law of the starting multipliers: `2,3,4,5,6,8`, `fixed:rabbit=10,cat=6,...`,
    /// `independent:2=3,5=1` or `table of N rows`.
    pub starting_multipliers: String,
    /// Whether a spin that shows Eat Me uses itself up.
    pub eat_me_consumes_spin: bool,
    /// Whether a spin that shows Drink Me uses itself up.
    pub drink_me_consumes_spin: bool,
    /// `uniform`, `outer-sections` or `weights`.
    pub boost: String,
    /// `returns-wager` or `loses-wager`.
    pub zero_meter: String,
    /// The cap on the meter, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_meter: Option<u64>,
}

/// One reading as one trigger has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadingJson {
    /// Whether it is the paytable's own reading.
    pub own: bool,
    /// Whether the law of starts is the paytable's own.
    pub own_starts: bool,
    /// The reading.
    #[serde(flatten)]
    pub points: OpenPointsJson,
    /// The figures, unless the reading is refused.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<ReadingFiguresJson>,
    /// Why there are no figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// All readings of one trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadingsTrigger {
    /// 2 or 5.
    pub trigger: u32,
    /// The rows of the matrix, in one order for every trigger.
    pub readings: Vec<ReadingJson>,
}

/// `readings --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadingsDocument {
    /// `wonderspins/readings/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// Paytable.
    pub paytable: PaytableId,
    /// One entry for each trigger, ascending.
    pub triggers: Vec<ReadingsTrigger>,
}

impl ReadingsDocument {
    /// The document of a matrix, for the given triggers.
    #[must_use]
    pub fn new(file: &PaytableFile, rows: &[ReadingRow], triggers: &[Trigger]) -> Self {
        let of_trigger = |&trigger: &Trigger| ReadingsTrigger {
            trigger: trigger.number(),
            readings: rows.iter().map(|row| reading(file, row, trigger)).collect(),
        };
        Self {
            schema: "wonderspins/readings/1".to_owned(),
            tool: Tool::current(),
            paytable: file.into(),
            triggers: triggers.iter().map(of_trigger).collect(),
        }
    }
}

fn reading(file: &PaytableFile, row: &ReadingRow, trigger: Trigger) -> ReadingJson {
    let reading = &row.reading;
    let own_starts = file.paytable.start_law(trigger);
    let figures = row.figures.as_ref();
    let points = OpenPointsJson {
        starting_multipliers: starts_text(reading.starts.as_ref().unwrap_or(own_starts)),
        eat_me_consumes_spin: reading.eat_me_consumes_spin,
        drink_me_consumes_spin: reading.drink_me_consumes_spin,
        boost: match reading.boost {
            BoostLaw::Uniform => "uniform",
            BoostLaw::OuterSections => "outer-sections",
            BoostLaw::Weights(_) => "weights",
        }
        .to_owned(),
        zero_meter: match reading.zero_meter {
            ZeroMeter::ReturnsWager => "returns-wager",
            ZeroMeter::LosesWager => "loses-wager",
        }
        .to_owned(),
        max_meter: reading.max_meter,
    };
    ReadingJson {
        own: row.is_own,
        own_starts: reading.starts.is_none(),
        points,
        figures: figures
            .ok()
            .and_then(|all| all.iter().find(|figures| figures.trigger == trigger))
            .map(Into::into),
        refused: figures.err().map(ToString::to_string),
    }
}
