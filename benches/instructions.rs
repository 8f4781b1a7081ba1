//! Instruction counts by callgrind: the gate that load does not move.
//!
//! ```text
//! cargo bench --bench instructions                          compare with the recorded counts
//! UPDATE_INSTRUCTIONS=1 cargo bench --bench instructions    record them anew
//! ```
//!
//! The program runs itself under valgrind, once for few and once for more of the same work;
//! the difference leaves start-up out. Counts of one build repeat to a few parts in a
//! million, so `instructions.json` is compared with a tolerance that only says what is worth
//! a look: a count above it is a failure, one below it asks to be recorded. Another version
//! of the compiler is a reason to record anew, another processor is none, except that an
//! engine which it (or valgrind) lacks is passed over. Valgrind knows no 512-bit vectors,
//! so AVX-512 is never counted.
//!
//! Rounds are played a batch at a time, because the number of batches that a run plays
//! between two looks at its clock depends on time. The count of a round therefore contains
//! its share of the tables and of the tally of a run of one batch.

#![expect(clippy::print_stdout, reason = "a bench speaks to a person")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use serde::{Deserialize, Serialize};
use wonderspins::engine::{
    BATCH_ROUNDS, EngineError, EngineKind, Generator, RunPlan, simulate_batches,
};
use wonderspins::exact;
use wonderspins::paytable::{Paytable, PaytableFile};
use wonderspins::rules::Trigger;
use wonderspins::yardstick;

/// The argument with which the program is called under valgrind.
const WORK: &str = "--count-this";

/// Few and more of the same work.
const AMOUNTS: [u64; 2] = [2, 8];

/// What is recorded.
#[derive(Serialize, Deserialize)]
struct Recorded {
    /// How much a count may grow, as a share of it.
    tolerance: f64,
    /// Instructions of each piece of work.
    instructions: BTreeMap<String, f64>,
}

/// A piece of work: its name, and how often it is done in one unit.
struct Work {
    name: String,
    per_unit: u64,
}

fn works() -> Vec<Work> {
    let batch = u64::from(BATCH_ROUNDS);
    let mut works = vec![Work {
        name: "moments".to_owned(),
        per_unit: 1,
    }];
    for trigger in Trigger::ALL {
        for engine in ["straightforward", "reference", "scalar", "avx2"] {
            works.push(Work {
                name: format!("round {engine} {trigger}"),
                per_unit: batch,
            });
        }
    }
    works
}

/// Does a piece of work; `false` where it cannot be done here.
fn work(paytable: &Paytable, name: &str, amount: u64) -> Result<bool, Box<dyn Error>> {
    let words: Vec<&str> = name.split(' ').collect();
    match words[..] {
        ["moments"] => {
            for _ in 0..amount {
                exact::solve_all(paytable)?;
            }
        }
        ["round", engine, trigger] => {
            let trigger = Trigger::from_number(trigger.parse()?).ok_or("no such trigger")?;
            if engine == "straightforward" {
                let rounds = amount * u64::from(BATCH_ROUNDS);
                std::hint::black_box(yardstick::play(paytable, trigger, rounds, 1));
                return Ok(true);
            }
            let plan = RunPlan {
                generator: Generator::default(),
                detail_rounds: 0,
                trigger,
                seed: 1,
                rounds: amount * u64::from(BATCH_ROUNDS),
                engine: engine.parse::<EngineKind>()?,
            };
            for batch in 0..amount {
                match simulate_batches(paytable, &plan, batch..batch + 1, &()) {
                    Err(EngineError::Unavailable { .. }) => return Ok(false),
                    result => result?,
                };
            }
        }
        _ => return Err(format!("no such work: {name}").into()),
    }
    Ok(true)
}

/// Exit code of a piece of work that cannot be done here.
const CANNOT: u8 = 3;

/// The instructions of a call of this program under valgrind; `None` where the work cannot be
/// done.
fn count(name: &str, amount: u64, folder: &Path) -> Result<Option<u64>, Box<dyn Error>> {
    let out = folder.join("callgrind.out");
    let run = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe()?)
        .args([WORK, name, &amount.to_string()])
        .output()?;
    if run.status.code() == Some(i32::from(CANNOT)) {
        return Ok(None);
    }
    if !run.status.success() {
        let messages = String::from_utf8_lossy(&run.stderr);
        return Err(format!("{name} failed under valgrind:\n{messages}").into());
    }
    let profile = fs::read_to_string(&out)?;
    let total = profile
        .lines()
        .find_map(|line| line.strip_prefix("totals: "))
        .ok_or("callgrind's file has no line `totals:`")?;
    Ok(Some(total.trim().parse()?))
}

/// Instructions of one piece of work.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn instructions(work: &Work, folder: &Path) -> Result<Option<f64>, Box<dyn Error>> {
    let [few, more] = AMOUNTS;
    let (Some(start), Some(end)) = (
        count(&work.name, few, folder)?,
        count(&work.name, more, folder)?,
    ) else {
        return Ok(None);
    };
    let difference = end
        .checked_sub(start)
        .ok_or("more work, fewer instructions")?;
    Ok(Some(
        difference as f64 / ((more - few) * work.per_unit) as f64,
    ))
}

fn recorded_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.json")
}

/// Compares, or records; `false` where a count has grown.
fn gate() -> Result<bool, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut recorded: Recorded = serde_json::from_str(&fs::read_to_string(recorded_path())?)?;
    let is_update = env::var_os("UPDATE_INSTRUCTIONS").is_some();
    let mut is_good = true;
    for work in works() {
        let Some(found) = instructions(&work, folder.path())? else {
            println!("{:28} not counted: unavailable here", work.name);
            continue;
        };
        let old = recorded.instructions.get(&work.name).copied();
        let change = old.map(|old| found / old - 1.0);
        let remark = match change {
            _ if is_update => "recorded",
            None => "not recorded yet",
            Some(change) if change > recorded.tolerance => {
                is_good = false;
                "GROWN"
            }
            Some(change) if change < -recorded.tolerance => "fewer: worth recording",
            Some(_) => "as recorded",
        };
        let change = change.map_or_else(String::new, |change| format!("{:+.2} %", change * 100.0));
        println!("{:28} {found:14.1} {change:>9}  {remark}", work.name);
        if is_update {
            recorded
                .instructions
                .insert(work.name, (found * 10.0).round() / 10.0);
        }
    }
    if is_update {
        let mut text = serde_json::to_string_pretty(&recorded)?;
        text.push('\n');
        fs::write(recorded_path(), text)?;
    }
    Ok(is_good)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    if let [_, first, name, amount] = &arguments[..]
        && first == WORK
    {
        let paytable = PaytableFile::load("pa-693-6")?.paytable;
        // This very thread is the pool: a second one would spend instructions on waiting.
        rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .use_current_thread()
            .build_global()?;
        return Ok(if work(&paytable, name, amount.parse()?)? {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(CANNOT)
        });
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind is not installed, no instruction was counted");
        return Ok(ExitCode::SUCCESS);
    }
    Ok(if gate()? {
        ExitCode::SUCCESS
    } else {
        println!("a count has grown by more than is allowed");
        ExitCode::FAILURE
    })
}
