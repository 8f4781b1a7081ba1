//! A third party's check of somebody's certificate.
//!
//! Whoever checks trusts neither the author nor the author's machine: every hash and every
//! exact value is computed anew from the paytable text in the certificate, the runs are
//! added up from the leaves beside it, the whole certificate is made again from both and
//! compared value by value, and leaves that the author could not foresee are played again.
//!
//! | finding | passes where |
//! | --- | --- |
//! | `form` | the file has the bytes that its values have, and no others |
//! | `self-sha256` | its own hash is right |
//! | `paytable` | both hashes are those of the text, and the text is a paytable |
//! | `seed` | a derived seed follows from the paytable and its label |
//! | `side-file` | size and hash of the file with the leaves are those stated |
//! | `leaves` | each leaf is possible, and there is one for each piece of each run |
//! | `values` | everything else is what this program makes of paytable and leaves |
//! | `played-leaves` | the leaves of the challenge, played again, are those stored |
//! | `signature` | the signature is one of the key that is trusted (see the command) |
//!
//! Guarantees: any altered byte of certificate or leaves fails a finding that names it; a
//! finding that cannot be made because an earlier one failed is `inconclusive`.
//! Limits: with a leaf and all hashes above it altered alike, only playing it again tells,
//! which [`escape_probability`] is about.
//!
//! | file | holds |
//! | --- | --- |
//! | `runs` | leaves as the simulations that they add up to |
//! | `compare` | two documents, value by value |

mod compare;
mod runs;

use thiserror::Error;

use crate::commitment::{Challenge, SideFile, escape_probability};
use crate::document::{
    Certificate, ChallengeJson, CheckVerdict, Escape, RecheckDocument, RecheckFinding, Tool,
};
use crate::engine::{EngineError, Seed, SeedOrigin, Simulation, leaves_in, simulate_batches};
use crate::paytable::{PaytableFile, hex};
use crate::regulation::ProfileFile;
use crate::rules::Trigger;
use crate::verify::{Settings, Terms, Theory, VerifyError, assemble};
use sha2::{Digest as _, Sha256};

/// Shares of altered leaves for which the chance to escape is told.
const ALTERED: [f64; 4] = [0.001, 0.01, 0.1, 0.5];

/// Differences that are named, at most.
const MOST_NAMED: usize = 12;

/// Why a certificate cannot be checked at all.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecheckError {
    /// It is no certificate.
    #[error("it is not a certificate that can be read")]
    Unreadable(#[source] serde_json::Error),
    /// It has another schema.
    #[error("`schema` is `{found}`, expected `{}`", Certificate::SCHEMA)]
    Schema {
        /// The schema found.
        found: String,
    },
    /// The certificate states a plan that no run of this program has.
    #[error("the plan cannot be carried out: `{key}` is `{found}`, expected {expected}")]
    Plan {
        /// Key under `plan`.
        key: &'static str,
        /// Its value.
        found: String,
        /// The legal range.
        expected: String,
    },
    /// The exact figures cannot be computed.
    #[error("the figures of the certificate cannot be computed anew")]
    Figures(#[from] VerifyError),
    /// A leaf cannot be played again.
    #[error("a leaf cannot be played again")]
    Engine(#[from] EngineError),
}

/// What is asked of a check.
#[derive(Clone)]
pub struct RecheckOptions<'a> {
    /// The choice of leaves, and whether its seed was drawn (else it was given).
    pub challenge: (Challenge, bool),
    /// How many leaves of all runs together are played again.
    pub leaves: u64,
    /// Told of each leaf before it is played: its place among those chosen, and their number.
    pub progress: &'a dyn Fn(u64, u64),
}

/// Reads a certificate.
///
/// # Errors
/// [`RecheckError::Unreadable`], [`RecheckError::Schema`]
pub fn read(bytes: &[u8]) -> Result<Certificate, RecheckError> {
    #[derive(serde::Deserialize)]
    struct Head {
        schema: String,
    }
    let head: Head = serde_json::from_slice(bytes).map_err(RecheckError::Unreadable)?;
    if head.schema != Certificate::SCHEMA {
        return Err(RecheckError::Schema { found: head.schema });
    }
    serde_json::from_slice(bytes).map_err(RecheckError::Unreadable)
}

/// Checks a certificate.
///
/// # Arguments
/// - `certificate`: as [`read`] from `bytes`, those of `certificate.json`
/// - `side_file`: the bytes of the file that it names, or why they cannot be had
///
/// # Errors
/// [`RecheckError`] where there is nothing to check; whatever is wrong with a certificate
/// that can be read is a finding
pub fn recheck(
    certificate: &Certificate,
    bytes: &[u8],
    side_file: Result<&[u8], &str>,
    options: &RecheckOptions<'_>,
) -> Result<RecheckDocument, RecheckError> {
    let mut findings = Findings::default();
    findings.add("form", form(bytes, certificate));
    findings.add("self-sha256", seal(certificate));
    let file = paytable(certificate);
    findings.add(
        "paytable",
        file.as_ref()
            .map(|(_, said)| said.clone())
            .map_err(Clone::clone),
    );
    let file = file.ok().map(|(file, _)| file);
    let seed = seed(certificate, file.as_ref());
    findings.add(
        "seed",
        seed.as_ref()
            .map(|(_, said)| said.clone())
            .map_err(Clone::clone),
    );
    let leaves = read_side_file(certificate, side_file);
    findings.add(
        "side-file",
        leaves
            .as_ref()
            .map(|(_, said)| said.clone())
            .map_err(Clone::clone),
    );

    let mut challenge = None;
    if let (Some(file), Ok((leaves, _))) = (&file, &leaves) {
        match runs::simulations(certificate, file, leaves)? {
            Ok(simulations) => {
                let count: usize = simulations.iter().map(|run| run.leaves.len()).sum();
                findings.add("leaves", Ok(format!("{count} leaves, each possible")));
                let seed = seed.ok().map(|(seed, _)| seed);
                findings.add("values", values(certificate, file, seed, &simulations)?);
                if options.leaves > 0 {
                    let (finding, chosen) = play_leaves(certificate, file, &simulations, options)?;
                    findings.add("played-leaves", finding);
                    challenge = Some(chosen);
                }
            }
            Err(fault) => {
                findings.add("leaves", Err(fault));
                findings.skip("values");
                findings.skip("played-leaves");
            }
        }
    } else {
        for id in ["leaves", "values", "played-leaves"] {
            findings.skip(id);
        }
    }
    let (seed_origin, seed_meaning) = (
        certificate.plan.seed_origin.clone(),
        meaning(&certificate.plan.seed_origin).to_owned(),
    );
    Ok(RecheckDocument {
        schema: "wonderspins/verify/1".to_owned(),
        tool: Tool::current(),
        name: certificate.paytable.name.clone(),
        certificate_sha256: certificate.self_sha256.clone(),
        verdict: findings.verdict(),
        findings: findings.0,
        seed_origin,
        seed_meaning,
        challenge,
        certified_verdict: certificate.verdict,
    })
}

/// Pass with what was found, or fail with what is wrong.
type Finding = Result<String, String>;

#[derive(Default)]
struct Findings(Vec<RecheckFinding>);

impl Findings {
    fn add(&mut self, id: &str, finding: Finding) {
        let (verdict, evidence) = match finding {
            Ok(evidence) => (CheckVerdict::Pass, evidence),
            Err(evidence) => (CheckVerdict::Fail, evidence),
        };
        self.0.push(RecheckFinding {
            id: id.to_owned(),
            verdict,
            evidence,
        });
    }

    fn skip(&mut self, id: &str) {
        self.0.push(RecheckFinding {
            id: id.to_owned(),
            verdict: CheckVerdict::Inconclusive,
            evidence: "not reached, since something above failed".to_owned(),
        });
    }

    fn verdict(&self) -> CheckVerdict {
        self.0.iter().fold(CheckVerdict::Pass, |worst, finding| {
            worst.and(finding.verdict)
        })
    }
}

fn form(bytes: &[u8], certificate: &Certificate) -> Finding {
    let legal = certificate.to_bytes();
    if bytes == legal {
        return Ok(format!(
            "{} bytes, the one form of their values",
            bytes.len()
        ));
    }
    let same = bytes.iter().zip(&legal).take_while(|(a, b)| a == b).count();
    let line = bytes[..same].split(|&byte| byte == b'\n').count();
    Err(format!(
        "the file is not in the one form of its values: byte {same}, in line {line}, is the first that differs"
    ))
}

fn seal(certificate: &Certificate) -> Finding {
    let expected = certificate.seal();
    if certificate.self_sha256 == expected {
        Ok(expected)
    } else {
        Err(format!(
            "`self_sha256` is {}, but the rest of the file has {expected}",
            certificate.self_sha256
        ))
    }
}

fn paytable(certificate: &Certificate) -> Result<(PaytableFile, String), String> {
    let stated = &certificate.paytable;
    let file = PaytableFile::parse("the paytable of the certificate", &stated.text)
        .map_err(|fault| format!("the text of the paytable cannot be read: {fault}"))?;
    let computed = [
        (
            "file_sha256",
            &stated.file_sha256,
            hex(&Sha256::digest(&stated.text)),
        ),
        ("sha256", &stated.sha256, file.paytable.sha256()),
    ];
    for (key, stated, computed) in computed {
        if *stated != computed {
            return Err(format!(
                "`paytable.{key}` is {stated}, but the text has {computed}"
            ));
        }
    }
    let said = format!("the text has both hashes, canonical {}", stated.sha256);
    Ok((file, said))
}

/// What the origin of a seed means for whoever relies on the run.
fn meaning(origin: &str) -> &'static str {
    if origin.starts_with("derived:") {
        "the seed follows from the mathematics of the paytable and a label; if the laboratory fixed the label, \
         the author had nothing to choose"
    } else if origin == "derived" {
        "the seed follows from the mathematics of the paytable; an author could still choose among paytables that \
         differ in nothing of importance"
    } else {
        "the author named the seed and could have tried others; ask for one derived with a label that you fix"
    }
}

fn seed(certificate: &Certificate, file: Option<&PaytableFile>) -> Result<(Seed, String), String> {
    let plan = &certificate.plan;
    let stated: u64 = plan
        .seed
        .parse()
        .map_err(|_| format!("`plan.seed` is `{}`, expected a number", plan.seed))?;
    let seed = match (plan.seed_origin.as_str(), file) {
        ("given", None) => Seed::given(stated),
        ("drawn", None) => Seed::drawn(stated),
        (_, None) => return Err("without a paytable no seed can be derived".to_owned()),
        (origin, Some(file)) => {
            Seed::stated(&file.paytable, stated, origin).map_err(|fault| fault.to_string())?
        }
    };
    let said = match seed.origin {
        SeedOrigin::Drawn | SeedOrigin::Given => format!("{stated}, {}", plan.seed_origin),
        SeedOrigin::Derived | SeedOrigin::Labelled(_) => {
            format!("{stated}, as {} gives it", plan.seed_origin)
        }
    };
    Ok((seed, said))
}

fn read_side_file(
    certificate: &Certificate,
    bytes: Result<&[u8], &str>,
) -> Result<(SideFile, String), String> {
    let Some(stated) = &certificate.side_file else {
        return Err("the certificate names no file of leaves".to_owned());
    };
    let bytes = bytes.map_err(ToOwned::to_owned)?;
    let found = hex(&Sha256::digest(bytes));
    if bytes.len() as u64 != stated.bytes || found != stated.sha256 {
        return Err(format!(
            "`{}` has {} bytes and SHA-256 {found}, but the certificate says {} bytes and {}",
            stated.name,
            bytes.len(),
            stated.bytes,
            stated.sha256
        ));
    }
    let leaves =
        SideFile::from_bytes(bytes).map_err(|fault| format!("`{}`: {fault}", stated.name))?;
    Ok((
        leaves,
        format!("`{}`, {} bytes, {found}", stated.name, stated.bytes),
    ))
}

/// Makes the certificate again and compares.
fn values(
    certificate: &Certificate,
    file: &PaytableFile,
    seed: Option<Seed>,
    simulations: &[Simulation],
) -> Result<Finding, RecheckError> {
    let Some(seed) = seed else {
        return Ok(Err("without a seed nothing can be made again".to_owned()));
    };
    let triggers: Vec<Trigger> = simulations.iter().map(|run| run.plan.trigger).collect();
    let theory = Theory::compute(file, &triggers)?;
    let profile = match &certificate.profile {
        None => None,
        Some(stated) => {
            let read = ProfileFile::parse("the profile of the certificate", stated.text.as_bytes());
            match read {
                Ok(file) => Some(file),
                Err(fault) => {
                    return Ok(Err(format!(
                        "the text of the profile cannot be read: {fault}"
                    )));
                }
            }
        }
    };
    let terms = Terms {
        seed: &seed,
        settings: Settings::new(
            profile.as_ref().map(|file| &file.profile),
            Settings::asked_of(certificate),
        ),
        profile: profile.as_ref(),
        strict: certificate.plan.strict,
        created: certificate.created.clone(),
    };
    let (mut again, leaves) = assemble(file, &theory, simulations, &terms)?;
    // Another build may check; which one made the certificate is under its own hash.
    again.tool = certificate.tool.clone();
    again.self_sha256.clone_from(&certificate.self_sha256);
    if let (Some(again), Some(stated)) = (&mut again.side_file, &certificate.side_file) {
        again.name.clone_from(&stated.name);
        debug_assert_eq!(leaves.len() as u64, again.bytes);
    }
    let differences = compare::differences(certificate, &again);
    let Some(first) = differences.first() else {
        return Ok(Ok(
            "hashes of the runs, sums, estimates, exact values, checks and verdict are as computed anew".to_owned(),
        ));
    };
    let named: Vec<&str> = differences
        .iter()
        .take(MOST_NAMED)
        .map(String::as_str)
        .collect();
    let more = differences.len().saturating_sub(MOST_NAMED);
    Ok(Err(if differences.len() == 1 {
        first.clone()
    } else if more == 0 {
        named.join("; ")
    } else {
        format!("{}; and {more} more", named.join("; "))
    }))
}

/// Plays the leaves of the challenge again.
fn play_leaves(
    certificate: &Certificate,
    file: &PaytableFile,
    simulations: &[Simulation],
    options: &RecheckOptions<'_>,
) -> Result<(Finding, ChallengeJson), RecheckError> {
    let pieces: Vec<_> = simulations
        .iter()
        .flat_map(|run| {
            let ranges = leaves_in(run.plan.leaf_batches(), &run.batches);
            (0_u64..)
                .zip(ranges)
                .zip(&run.leaves)
                .map(move |piece| (run, piece))
        })
        .collect();
    let total = pieces.len() as u64;
    let (challenge, is_drawn) = &options.challenge;
    let chosen = challenge.choose(&certificate.self_sha256, total, options.leaves);
    let mut wrong = Vec::new();
    for (place, &number) in (1..).zip(&chosen) {
        (options.progress)(place, chosen.len() as u64);
        let index = usize::try_from(number).expect("below the number of leaves");
        let (run, ((leaf, batches), stored)) = &pieces[index];
        let again = simulate_batches(&file.paytable, &run.plan, batches.clone(), &())?;
        if again.leaves.first() != Some(*stored) {
            wrong.push(format!("leaf {leaf} of {} Wonderspins", run.plan.trigger));
        }
    }
    let played = chosen.len() as u64;
    let finding = if wrong.is_empty() {
        Ok(format!(
            "{played} of {total} leaves, played again, are as stored"
        ))
    } else {
        Err(format!("played again, these differ: {}", wrong.join(", ")))
    };
    let escape = ALTERED.map(|altered| Escape {
        altered,
        probability: escape_probability(altered, played, total),
    });
    Ok((
        finding,
        ChallengeJson {
            seed: challenge.seed().to_owned(),
            origin: if *is_drawn { "drawn" } else { "given" }.to_owned(),
            leaves: total,
            played,
            chosen,
            escape: escape.to_vec(),
        },
    ))
}

#[cfg(test)]
mod tests;
