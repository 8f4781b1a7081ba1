//! A paytable against a profile. Every verdict compares rational bounds.

use dashu_ratio::RBig;

use super::{Limit, Profile, ProfileFile};
use crate::paytable::{Decimal, Paytable};
use crate::regulation::ClauseVerdict::{self, Fail, Inconclusive, NotApplicable, Pass};
use crate::regulation::award;
use crate::regulation::evidence::{Evidence, ReturnSplit};
use crate::rules::Trigger;

/// What came out for one limit of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileFinding {
    /// `rtp-minimum`, `rtp-maximum` or `award-odds`.
    pub id: &'static str,
    /// Which trigger; `None` where it is about the whole paytable.
    pub trigger: Option<Trigger>,
    /// The limit as it stands in the profile; `None` where no source was found.
    pub limit: Option<String>,
    /// `confirmed`, `secondary` or `not found`.
    pub status: &'static str,
    /// Where the limit stands, or where it was looked for.
    pub citation: String,
    /// What came out.
    pub verdict: ClauseVerdict,
    /// Whether it is inconclusive only for want of a declaration.
    pub waits: bool,
    /// What the verdict rests on.
    pub evidence: String,
}

impl ProfileFile {
    /// The limits of the profile against a paytable: both returns for each trigger, then the
    /// odds of the advertised award.
    ///
    /// A limit without a source is not applicable; bounds that hold a limit within them, or
    /// figures that are not there, are inconclusive.
    #[must_use]
    pub fn judge(&self, paytable: &Paytable, evidence: &Evidence) -> Vec<ProfileFinding> {
        let profile = &self.profile;
        let mut findings = Vec::new();
        for (id, limit, is_floor) in [
            ("rtp-minimum", &profile.rtp_minimum, true),
            ("rtp-maximum", &profile.rtp_maximum, false),
        ] {
            for terms in &paytable.triggers {
                let split = evidence
                    .splits
                    .iter()
                    .find(|split| split.trigger == terms.trigger);
                let (verdict, text) = of_return(limit, split, is_floor);
                findings.push(ProfileFinding {
                    id,
                    trigger: Some(terms.trigger),
                    limit: limit.value.as_ref().map(|value| value.text.clone()),
                    status: limit.status.name(),
                    citation: limit.citation.clone(),
                    verdict,
                    waits: false,
                    evidence: noted(text, &limit.note),
                });
            }
        }
        findings.push(award_odds(profile, paytable, evidence));
        findings
    }
}

fn noted(text: String, note: &str) -> String {
    let note = note.trim();
    if note.is_empty() {
        text
    } else {
        format!("{text}; note: {note}")
    }
}

fn of_return(
    limit: &Limit<Decimal>,
    split: Option<&ReturnSplit>,
    is_floor: bool,
) -> (ClauseVerdict, String) {
    let Some(value) = &limit.value else {
        return (
            NotApplicable,
            "no source was found for such a limit".to_owned(),
        );
    };
    let Some(split) = split else {
        return (
            Inconclusive,
            "the return of the whole wager was not computed".to_owned(),
        );
    };
    // Every stake must keep the limit: the worst one decides.
    let verdict = if is_floor {
        let (lower, upper) = &split.least;
        within(&value.value, lower, upper)
    } else {
        // x <= limit is -x >= -limit.
        let (lower, upper) = &split.greatest;
        within(&-&value.value, &-upper, &-lower)
    };
    let side = if is_floor { "least" } else { "most" };
    let words = match verdict {
        Pass => format!("at {side} {value} as required"),
        Fail => format!("required is at {side} {value}"),
        _ => format!("whether that is at {side} {value} the proven bounds do not decide"),
    };
    (
        verdict,
        format!("return of the whole wager {}; {words}", split.total),
    )
}

/// Whether a number between two bounds is at least the limit.
fn within(limit: &RBig, lower: &RBig, upper: &RBig) -> ClauseVerdict {
    if lower >= limit {
        Pass
    } else if upper < limit {
        Fail
    } else {
        Inconclusive
    }
}

fn award_odds(profile: &Profile, paytable: &Paytable, evidence: &Evidence) -> ProfileFinding {
    let limit = &profile.award_limit;
    let mut waits = false;
    let (verdict, text) = match (&limit.value, award::judge(paytable, evidence)) {
        (None, _) => (
            NotApplicable,
            "no source was found for such a limit".to_owned(),
        ),
        (Some(_), None) => (
            NotApplicable,
            "no number is advertised as the top award".to_owned(),
        ),
        (Some(_), Some(judged)) => {
            waits = judged.verdict == Inconclusive && judged.wants_odds_shown;
            (judged.verdict, judged.words)
        }
    };
    ProfileFinding {
        id: "award-odds",
        trigger: None,
        limit: limit
            .value
            .map(|games| format!("one in {}", award::grouped(&games.to_string()))),
        status: limit.status.name(),
        citation: limit.citation.clone(),
        verdict,
        waits,
        evidence: noted(text, &limit.note),
    }
}
