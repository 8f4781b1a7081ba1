//! Levels and limits of a certificate, and where each came from.

use crate::document::{CertificateProfile, ProfileSettingJson};
use crate::regulation::{AWARD_LIMIT, Limit, Profile, ProfileFile, ProfileFinding};

/// Confidence level of the intervals where nobody says otherwise.
pub const DEFAULT_LEVEL: f64 = 0.99;
/// Family-wise error rate where nobody says otherwise.
pub const DEFAULT_ALPHA: f64 = 0.01;

/// Where a setting came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It was asked for.
    CommandLine,
    /// The profile has it.
    Profile,
    /// Nobody said anything.
    Default,
}

impl Origin {
    /// The word in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CommandLine => "command line",
            Self::Profile => "profile",
            Self::Default => "default",
        }
    }
}

/// What was asked for, which wins over a profile.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Asked {
    /// Confidence level of the intervals, in (0, 1).
    pub level: Option<f64>,
    /// Family-wise error rate of all tests together, in (0, 1).
    pub alpha: Option<f64>,
    /// An advertised award must occur at least once in this many games.
    pub award_limit: Option<u64>,
}

/// A value and where it came from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it came from.
    pub from: Origin,
}

impl<T> Setting<T> {
    fn of(asked: Option<T>, profile: Option<T>, default: T) -> Self {
        match (asked, profile) {
            (Some(value), _) => Self {
                value,
                from: Origin::CommandLine,
            },
            (None, Some(value)) => Self {
                value,
                from: Origin::Profile,
            },
            (None, None) => Self {
                value: default,
                from: Origin::Default,
            },
        }
    }
}

/// The levels and limits of a certificate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Confidence level of the intervals, in (0, 1).
    pub level: Setting<f64>,
    /// Family-wise error rate of all tests together, in (0, 1).
    pub alpha: Setting<f64>,
    /// An advertised award must occur at least once in this many games, else its odds be shown.
    pub award_limit: Setting<u64>,
}

impl Settings {
    /// What was asked for, else what the profile has, else the defaults.
    #[must_use]
    pub fn new(profile: Option<&Profile>, asked: Asked) -> Self {
        let decimal = |pick: fn(&Profile) -> &Limit<crate::paytable::Decimal>| {
            let value = pick(profile?).value.as_ref()?;
            Some(value.value.to_f64().value())
        };
        Self {
            level: Setting::of(
                asked.level,
                decimal(|profile| &profile.confidence_level),
                DEFAULT_LEVEL,
            ),
            alpha: Setting::of(
                asked.alpha,
                decimal(|profile| &profile.alpha),
                DEFAULT_ALPHA,
            ),
            award_limit: Setting::of(
                asked.award_limit,
                profile.and_then(|profile| profile.award_limit.value),
                AWARD_LIMIT,
            ),
        }
    }

    /// What had been asked for when a certificate was made, so that it can be made again.
    #[must_use]
    pub fn asked_of(certificate: &crate::document::Certificate) -> Asked {
        let plan = &certificate.plan;
        let was_asked = |key: &str| {
            certificate.profile.as_ref().is_none_or(|profile| {
                profile
                    .settings
                    .iter()
                    .any(|setting| setting.key == key && setting.from == Origin::CommandLine.name())
            })
        };
        Asked {
            level: was_asked("confidence_level").then_some(plan.confidence_level),
            alpha: was_asked("alpha").then_some(plan.alpha),
            award_limit: plan.award_limit,
        }
    }
}

/// The section of a certificate on its profile.
pub(super) fn section(
    file: &ProfileFile,
    settings: &Settings,
    findings: &[ProfileFinding],
) -> CertificateProfile {
    let profile = &file.profile;
    let (level, alpha, award) = (
        &profile.confidence_level,
        &profile.alpha,
        &profile.award_limit,
    );
    let row =
        |key: &str, value: String, from: Origin, status: &str, citation: &str| ProfileSettingJson {
            key: key.to_owned(),
            value,
            from: from.name().to_owned(),
            status: status.to_owned(),
            citation: citation.to_owned(),
        };
    CertificateProfile {
        name: profile.name.clone(),
        title: profile.title.clone(),
        notes: profile.notes.clone(),
        sha256: file.sha256.clone(),
        text: file.text.clone(),
        settings: vec![
            row(
                "confidence_level",
                settings.level.value.to_string(),
                settings.level.from,
                level.status.name(),
                &level.citation,
            ),
            row(
                "alpha",
                settings.alpha.value.to_string(),
                settings.alpha.from,
                alpha.status.name(),
                &alpha.citation,
            ),
            row(
                "award_limit",
                settings.award_limit.value.to_string(),
                settings.award_limit.from,
                award.status.name(),
                &award.citation,
            ),
        ],
        rows: findings.iter().map(Into::into).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_wins_over_the_profile_and_that_over_the_default() {
        let file = ProfileFile::load("pa-table-game").unwrap();
        let asked = Asked {
            alpha: Some(0.02),
            ..Asked::default()
        };
        let found = Settings::new(Some(&file.profile), asked);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
        assert!(near(found.level.value, 0.95) && found.level.from == Origin::Profile);
        assert!(near(found.alpha.value, 0.02) && found.alpha.from == Origin::CommandLine);
        assert_eq!(
            (found.award_limit.value, found.award_limit.from),
            (100_000_000, Origin::Default)
        );
        let plain = Settings::new(None, Asked::default());
        assert!(near(plain.level.value, 0.99) && near(plain.alpha.value, 0.01));
    }
}
