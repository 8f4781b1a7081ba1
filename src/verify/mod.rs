//! Binds exact values, simulated values, declared values and clauses into one verdict.
//!
//! Theory: each numeric comparison is a hypothesis test of the simulation against the
//! exact figure; Holm's step-down correction (Holm 1979) keeps the chance that a right
//! paytable fails any of them at or below alpha. Declared figures are compared with
//! proven enclosures and involve no chance; clauses come from
//! [`regulation`](crate::regulation).
//!
//! Guarantees: a verdict depends on integers, proven bounds and the stated levels alone.
//! Non-goals: computing figures (see [`exact`](crate::exact) and
//! [`engine`](crate::engine)) and writing reports (see [`report`](crate::report)).
//!
//! | file | holds |
//! | --- | --- |
//! | `figures` | estimates from a tally |
//! | `cross_check` | tests of a run against exact figures |
//! | `power`, `requirement` | what a test can see, and what it must be able to see |
//! | `judge` | all tests together: correction, power, verdicts |
//! | `rarity` | whether a run is large enough for its rarest outcome |
//! | `declared`, `guess` | declared figures against enclosures, and where a wrong one comes from |
//! | `bands` | where the return of many wagers lies |
//! | `payouts` | rare payouts and the odds of an award, as 5319.47(a)(2) asks |
//! | `dependence` | what a run shows of dependence, as 5319.47(a)(5) asks |
//! | `splits` | the return split as 5319.47(a)(8) asks |
//! | `settings` | levels and limits: asked for, from a profile, or by default |
//! | `assumptions` | the open points of the text, in words |
//! | `assemble` | a certificate from a paytable and its simulations |
//! | `certificate` | everything joined into a [`Certificate`](crate::document::Certificate) |

mod assemble;
mod assumptions;
mod bands;
mod certificate;
mod cross_check;
mod declared;
mod dependence;
mod figures;
mod guess;
mod judge;
mod payouts;
mod power;
mod rarity;
mod requirement;
mod settings;
mod splits;

pub use assemble::{Terms, Theory, assemble};
pub use assumptions::assumptions;
pub use bands::rtp_bands;
pub use certificate::{CertificateParts, certify};
pub use cross_check::{NumericCheck, Played, cross_check};
pub use declared::compare;
pub use figures::{SimulatedFigures, VerifyError, result_trigger, simulate_trigger};
pub use guess::Guesser;
pub use judge::{POWER, judge_all};
pub use payouts::rare_payouts;
pub use power::{Reach, Seen, TailPoint};
pub use rarity::{LEAST_EXPECTED, rarest_expected};
pub use requirement::{Limit, Row, TABLE as REQUIREMENTS};
pub use settings::{Asked, DEFAULT_ALPHA, DEFAULT_LEVEL, Origin, Setting, Settings};
pub use splits::return_splits;
