//! A profile of limits and what came out for each.

use serde::{Deserialize, Serialize};

use crate::regulation::{ProfileFile, ProfileFinding};

/// What came out for one limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileRowJson {
    /// `rtp-minimum`, `rtp-maximum` or `award-odds`.
    pub id: String,
    /// 2 or 5; absent where it is about the whole paytable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<u32>,
    /// The limit; absent where no source was found for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// `confirmed`, `secondary` or `not found`.
    pub status: String,
    /// Where the limit stands, or where it was looked for.
    pub citation: String,
    /// `pass`, `fail`, `inconclusive` or `not-applicable`.
    pub verdict: String,
    /// What the verdict rests on.
    pub evidence: String,
}

impl ProfileRowJson {
    /// The limit in words for a table, with its trigger: `rtp-minimum, 2 Wonderspins`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.trigger {
            Some(trigger) => format!("{}, {trigger} Wonderspins", self.id),
            None => self.id.clone(),
        }
    }
}

impl From<&ProfileFinding> for ProfileRowJson {
    fn from(finding: &ProfileFinding) -> Self {
        Self {
            id: finding.id.to_owned(),
            trigger: finding.trigger.map(crate::rules::Trigger::number),
            limit: finding.limit.clone(),
            status: finding.status.to_owned(),
            citation: finding.citation.clone(),
            verdict: finding.verdict.to_string(),
            evidence: finding.evidence.clone(),
        }
    }
}

/// A profile in `check`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileJson {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// What holds for all of it.
    pub notes: String,
    /// SHA-256 of its text.
    pub sha256: String,
    /// Its limits, each with a verdict.
    pub rows: Vec<ProfileRowJson>,
}

impl ProfileJson {
    /// A profile with what came out.
    #[must_use]
    pub fn new(file: &ProfileFile, findings: &[ProfileFinding]) -> Self {
        let profile = &file.profile;
        Self {
            name: profile.name.clone(),
            title: profile.title.clone(),
            notes: profile.notes.clone(),
            sha256: file.sha256.clone(),
            rows: findings.iter().map(Into::into).collect(),
        }
    }
}

/// A setting of a certificate that a profile can give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileSettingJson {
    /// `confidence_level`, `alpha` or `award_limit`.
    pub key: String,
    /// The value that was used.
    pub value: String,
    /// Where it came from: `profile`, `command line` or `default`.
    pub from: String,
    /// How well the profile knows its own value: `confirmed`, `secondary` or `not found`.
    pub status: String,
    /// Where the profile has it from, or looked for it.
    pub citation: String,
}

/// A profile in a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertificateProfile {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// What holds for all of it.
    pub notes: String,
    /// SHA-256 of its text.
    pub sha256: String,
    /// The text, as read.
    pub text: String,
    /// The settings of this certificate that a profile can give.
    pub settings: Vec<ProfileSettingJson>,
    /// Its limits, each with a verdict.
    pub rows: Vec<ProfileRowJson>,
}
