//! Tests of sweeps. The small game is the one that a person can check: one character at 1, inner
//! wheel `[1]`, outer wheel `[hat, eat-me]`, potions use up their spin.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;

use super::*;
use crate::document::{EnclosureJson, SweepDocument, SweepRow, to_json};
use crate::engine::{EngineKind, Generator, RunPlan, Shard, simulate};
use crate::paytable::{Fault, PaytableFile};
use crate::rules::Trigger;

const GAME: &str = r#"
schema = 1
name = "small"
source = "a game that a person can check"
inner_wheel = { sections = [1] }
outer_wheel = { sections = ["hat", "eat-me"] }
starting_multipliers = { law = "fixed", values = { hat = 1 } }
boost = { law = "uniform" }
payout = { convention = "to-one", zero_meter = "returns-wager" }
[rules]
max_spins = 3
eat_me = { spins = 1, multipliers = 1, consumes_spin = true }
drink_me = { spins = 1, multipliers = -1, consumes_spin = true }
additional_spin = { spins = 1 }
multiplier_floor = 1
[triggers.2]
spins = 1
main_wheel = { sections = 1, of = 54 }
other_return = "0"
"#;

/// Eight paytables: with and without a limit of three spins, one and two spins, 3 and 6 sections.
const EIGHT: &str = r#"
schema = 1
name = "eight"
base = "game.toml"
[[grid]]
key = "rules.max_spins"
values = [3]
without = true
[[grid]]
key = "triggers.2.spins"
values = [1, 2]
[[grid]]
key = "triggers.2.main_wheel.sections"
range = { from = 3, to = 6, step = 3 }
"#;

const PLAYED: &str = "\n[simulate]\nrounds = 20_000\nseed = 7\n";

/// A folder with the small game.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("game.toml"), GAME).expect("a writable folder");
    folder
}

fn sweep(text: &str) -> Sweep {
    Sweep::parse("sweep.toml", text.as_bytes(), folder().path()).expect("a legal sweep")
}

fn all(sweep: &Sweep) -> SweepDocument {
    let finished = run(sweep, 0..sweep.paytables(), &KnownRows::new(), &|_, _| {
        ControlFlow::Continue(())
    });
    document(sweep, None, finished)
}

fn holds(figure: EnclosureJson, truth: f64) -> bool {
    // The truth is written with a few roundings of its own.
    let slack = 1e-13 * truth;
    figure.lower <= truth + slack
        && truth - slack <= figure.upper
        && figure.upper - figure.lower < 1e-9 * truth
}

/// By hand, with H a hat and E an Eat Me, the multiplier 1 at first: it grows by 1 before each
/// result and by 1 more after an E, and H pays it.
///
/// One spin, at most three: H 2, EH 4, EEH 6, EEE 0, so the mean is 11/4 and E[M^2] = 21/2. Two
/// spins, at most three: HH 5, HEH 7, HEE 2, EHH 9, EHE 4, EEH 6, EEE 0: mean 19/4 and E[M^2] =
/// 59/2. Without a limit the meter of one spin is 2 + 2K, K geometric: mean 4, variance 8; of
/// two spins mean 11, variance 40.
#[test]
fn the_rows_are_those_of_a_hand_calculation() {
    let document = all(&sweep(EIGHT));
    assert!(document.complete);
    assert_eq!(document.paytables, 8);
    assert_eq!(
        document.keys,
        [
            "rules.max_spins",
            "triggers.2.spins",
            "triggers.2.main_wheel.sections"
        ]
    );
    let expected = [
        (11.0 / 4.0, 47.0 / 16.0, 7.0 / 8.0, 7.0 / 4.0),
        (19.0 / 4.0, 111.0 / 16.0, 7.0 / 8.0, 11.0 / 4.0),
        (4.0, 8.0, 1.0, 2.0),
        (11.0, 40.0, 1.0, 4.0),
    ];
    assert_eq!(document.rows.len(), 8);
    for (index, row) in document.rows.iter().enumerate() {
        let (mean, variance, hits, spins) = expected[index / 2];
        let figures = row.figures.as_ref().expect("a legal paytable");
        assert_eq!(row.paytable, index as u64);
        assert_eq!(row.trigger, Some(2));
        assert!(holds(figures.mean_meter, mean), "{row:?}");
        assert!(holds(figures.variance_meter, variance), "{row:?}");
        assert!(holds(figures.std_dev_meter, variance.sqrt()), "{row:?}");
        assert!(holds(figures.hit_frequency, hits), "{row:?}");
        assert!(holds(figures.mean_spins, spins), "{row:?}");
        assert!(holds(figures.rtp_conditional, mean + 1.0), "{row:?}");
        let sections = [3.0, 6.0][index % 2];
        assert!(
            holds(figures.rtp, (mean + 1.0) * sections / 54.0),
            "{row:?}"
        );
        // 1.6448536269514722 is the normal quantile at 0.95.
        let index = variance.sqrt() * 1.644_853_626_951_472_2;
        assert!(holds(figures.volatility_index, index), "{row:?}");
    }
    // Twice as many sections, the other outcomes at 0: the very double.
    for pair in document.rows.chunks(2) {
        let [one, two] = [&pair[0], &pair[1]].map(|row| row.figures.clone().expect("figures").rtp);
        assert_eq!((2.0 * one.value).to_bits(), two.value.to_bits());
        assert_eq!((2.0 * one.lower).to_bits(), two.lower.to_bits());
        assert_eq!((2.0 * one.upper).to_bits(), two.upper.to_bits());
    }
}

#[test]
fn a_value_that_is_not_there_is_absent() {
    let document = all(&sweep(EIGHT));
    for (index, row) in document.rows.iter().enumerate() {
        assert_eq!(row.values.contains_key("rules.max_spins"), index < 4);
        let sha256 = row.sha256.as_ref().expect("a legal paytable");
        let same = document
            .rows
            .iter()
            .filter(|other| other.sha256.as_ref() == Some(sha256));
        assert_eq!(same.count(), 1);
    }
}

/// 13.501302822535 and 50.243638207 are the mean and the variance of `pa-693-6-net-zero`,
/// 16.270328687839 and 150.499522064 those of `pa-693-6`, as the tests of `exact` quote them.
#[test]
fn the_potions_are_swept_from_one_reading_to_the_other() {
    let text = r#"
        schema = 1
        name = "potions"
        base = "pa-693-6"
        triggers = [2]
        [[grid]]
        keys = ["rules.drink_me.consumes_spin", "rules.eat_me.consumes_spin"]
        values = [[false, false], [true, true]]
        [simulate]
        rounds = 50_000
    "#;
    let document = all(&sweep(text));
    let figures = |row: usize| document.rows[row].figures.clone().expect("figures");
    assert!((figures(0).mean_meter.value - 16.270_328_687_839).abs() < 2e-8);
    assert!((figures(0).variance_meter.value - 150.499_522_064).abs() < 2e-7);
    assert!((figures(1).mean_meter.value - 13.501_302_822_535).abs() < 2e-8);
    assert!((figures(1).variance_meter.value - 50.243_638_207).abs() < 1e-7);
    // The same mathematics from another file: the same derived seed, the same rounds.
    for (row, name) in document.rows.iter().zip(["pa-693-6", "pa-693-6-net-zero"]) {
        let paytable = PaytableFile::load(name).expect("a built-in").paytable;
        let plan = RunPlan {
            trigger: Trigger::Two,
            seed: crate::engine::Seed::derived(&paytable, None).value,
            rounds: 50_000,
            generator: Generator::default(),
            engine: EngineKind::Scalar,
            detail_rounds: 0,
        };
        let played = simulate(&paytable, &plan, &()).expect("a game").tally;
        let row = row.simulated.as_ref().expect("rounds were asked for");
        assert_eq!(row.seed, plan.seed.to_string());
        assert_eq!(row.digest, played.digest());
        assert_eq!(row.sum_meter, played.sum_meter().to_string());
        assert_eq!(row.zero_rounds, played.zero_rounds().to_string());
        // Two of a normal distribution's: beyond 5 once in a million.
        assert!(row.z_mean.expect("a spread").abs() < 5.0);
    }
}

#[test]
fn points_come_first_and_the_grid_on_top() {
    let text = r#"
        schema = 1
        name = "points"
        base = "game.toml"
        [[point]]
        name = "as it is"
        [[point]]
        name = "free"
        remove = ["rules.max_spins"]
        set = { "starting_multipliers" = { law = "independent", values = [1], weights = [1] }, "payout.zero_meter" = "loses-wager" }
        [[grid]]
        key = "triggers.2.other_return"
        range = { from = "0", to = "0.1", step = "0.05" }
    "#;
    let document = all(&sweep(text));
    let shown: Vec<_> = document
        .rows
        .iter()
        .map(|row| {
            let value = |key: &str| {
                row.values
                    .get(key)
                    .map_or("-".to_owned(), ToString::to_string)
            };
            (
                row.point.clone().expect("a name"),
                value("triggers.2.other_return"),
                value("rules.max_spins"),
                value("payout.zero_meter"),
            )
        })
        .collect();
    let row = |point: &str, value: &str, limit: &str, zero: &str| {
        (
            point.to_owned(),
            value.to_owned(),
            limit.to_owned(),
            zero.to_owned(),
        )
    };
    assert_eq!(
        shown,
        [
            row("as it is", "0.00", "3", "returns-wager"),
            row("as it is", "0.05", "3", "returns-wager"),
            row("as it is", "0.10", "3", "returns-wager"),
            row("free", "0.00", "-", "loses-wager"),
            row("free", "0.05", "-", "loses-wager"),
            row("free", "0.10", "-", "loses-wager"),
        ]
    );
    let rtp = |row: usize| document.rows[row].figures.clone().expect("figures").rtp;
    assert!(holds(rtp(2), 0.1 + 3.75 / 54.0));
    assert!(holds(rtp(5), 0.1 + 5.0 / 54.0));
}

#[test]
fn threads_change_no_byte() {
    let sweep = sweep(&format!("{EIGHT}{PLAYED}"));
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool").install(|| to_json(&all(&sweep)))
    };
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(5));
}

#[test]
fn a_document_is_read_as_it_was_written() {
    let document = all(&sweep(&format!("{EIGHT}{PLAYED}")));
    let read: SweepDocument = serde_json::from_str(&to_json(&document)).expect("a document");
    assert_eq!(read, document);
    assert_eq!(crate::document::rows_sha256(&read.rows), read.rows_sha256);
}

/// Computes until some paytables are finished, each kept.
fn stopped_after(sweep: &Sweep, most: usize, checkpoint: SweepCheckpoint) -> Finished {
    let kept = Mutex::new(checkpoint);
    let count = AtomicUsize::new(0);
    let watch = |_: u64, rows: &[SweepRow]| {
        kept.lock().expect("no panic").add(rows).expect("written");
        if count.fetch_add(1, Ordering::SeqCst) + 1 >= most {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    // With a thread for each paytable all of them would be under way.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    pool.expect("a pool")
        .install(|| run(sweep, 0..sweep.paytables(), &KnownRows::new(), &watch))
}

fn open(path: &Path, sweep: &Sweep) -> Result<Option<KnownRows>, SweepCheckpointError> {
    let header = CheckpointHeader::new(sweep, Shard::WHOLE);
    Ok(SweepCheckpoint::open(path, &header)?.map(|(_, known)| known))
}

#[test]
fn a_stopped_sweep_goes_on_to_the_same_bytes() {
    let folder = folder();
    let path = folder.path().join("sweep.ckpt");
    let sweep = sweep(&format!("{EIGHT}{PLAYED}"));
    let header = CheckpointHeader::new(&sweep, Shard::WHOLE);
    assert!(open(&path, &sweep).expect("no fault").is_none());
    let checkpoint = SweepCheckpoint::create(&path, &header).expect("made");
    assert!(matches!(
        SweepCheckpoint::create(&path, &header),
        Err(SweepCheckpointError::Exists { .. })
    ));
    assert!(matches!(
        SweepCheckpoint::open(&path, &header),
        Err(SweepCheckpointError::Busy { .. })
    ));
    let finished = stopped_after(&sweep, 3, checkpoint);
    assert!(!finished.is_complete);
    // A process that dies while it writes leaves the beginning of a line.
    let mut text = fs::read_to_string(&path).expect("a text");
    let lines = text.lines().count();
    text.push_str("{\"check\":\"12");
    fs::write(&path, &text).expect("writable");
    let (mut checkpoint, known) = SweepCheckpoint::open(&path, &header)
        .expect("no fault")
        .expect("a file");
    assert_eq!(known.len() + 1, lines);
    assert!((3..8).contains(&known.len()));
    let computed = Mutex::new(Vec::new());
    let rest = run(&sweep, 0..8, &known, &|paytable, rows| {
        computed
            .lock()
            .expect("no panic")
            .push((paytable, rows.to_vec()));
        ControlFlow::Continue(())
    });
    let computed = computed.into_inner().expect("no panic");
    assert_eq!(computed.len() + known.len(), 8);
    assert!(
        computed
            .iter()
            .all(|(paytable, _)| !known.contains_key(paytable))
    );
    assert_eq!(
        to_json(&document(&sweep, None, rest)),
        to_json(&all(&sweep))
    );
    for (_, rows) in &computed {
        checkpoint.add(rows).expect("written");
    }
    drop(checkpoint);
    assert_eq!(
        open(&path, &sweep)
            .expect("no fault")
            .expect("a file")
            .len(),
        8
    );
}

#[test]
fn a_foreign_or_altered_checkpoint_is_refused() {
    let folder = folder();
    let path = folder.path().join("sweep.ckpt");
    let own = sweep(EIGHT);
    let header = CheckpointHeader::new(&own, Shard::WHOLE);
    stopped_after(
        &own,
        8,
        SweepCheckpoint::create(&path, &header).expect("made"),
    );
    let whole = fs::read_to_string(&path).expect("a text");

    let other = sweep(&format!("{EIGHT}# another file\n"));
    let error = open(&path, &other).expect_err("another sweep");
    assert!(
        error.to_string().ends_with("is of another sweep"),
        "{error}"
    );
    let part = CheckpointHeader::new(&own, "1/2".parse().expect("a shard"));
    let error = SweepCheckpoint::open(&path, &part).expect_err("another shard");
    assert!(
        error.to_string().ends_with("is of another shard"),
        "{error}"
    );
    fs::write(&path, whole.replacen("0.1.0", "0.0.9", 1)).expect("writable");
    let error = open(&path, &own).expect_err("another version");
    assert!(
        error
            .to_string()
            .ends_with("is of another version of the program"),
        "{error}"
    );

    let mut lines: Vec<&str> = whole.lines().collect();
    let changed = lines[4].replacen("\"lower\":", "\"lower\":1", 1);
    lines[4] = &changed;
    for (text, line) in [
        (lines.join("\n") + "\n", 5),
        (whole.replacen("{\"check\"", "{\"chick\"", 1), 2),
        (
            format!("{whole}{}\n", whole.lines().nth(1).expect("a line")),
            10,
        ),
        ("\n".to_owned(), 1),
    ] {
        fs::write(&path, &text).expect("writable");
        let error = open(&path, &own).expect_err("an altered line");
        assert!(
            matches!(error, SweepCheckpointError::Altered { line: found, .. } if found == line),
            "{error}, expected line {line}"
        );
        assert_eq!(fs::read_to_string(&path).expect("a text"), text);
    }
}

#[test]
fn joined_shards_are_one_run() {
    let folder = folder();
    let sweep = sweep(&format!("{EIGHT}{PLAYED}"));
    let whole = to_json(&all(&sweep));
    for count in [1_u64, 3, 8, 11] {
        let paths: Vec<_> = (1..=count)
            .map(|index| {
                let shard: Shard = format!("{index}/{count}").parse().expect("a shard");
                let range = shard.part_of(sweep.paytables());
                let finished = run(&sweep, range, &KnownRows::new(), &|_, _| {
                    ControlFlow::Continue(())
                });
                let document = document(&sweep, Some(shard), finished);
                let path = folder.path().join(format!("{index}-of-{count}.json"));
                fs::write(&path, to_json(&document)).expect("writable");
                path
            })
            .collect();
        let known = joined(&sweep, &paths).expect("own shards");
        assert_eq!(known.len(), 8, "{count} shards");
        let finished = run(&sweep, 0..8, &known, &|_, _| panic!("nothing is missing"));
        assert_eq!(to_json(&document(&sweep, None, finished)), whole);
        // Without the last one, and another one twice, in another order.
        let mut some = paths.clone();
        some.pop();
        some.extend(paths.first().cloned());
        some.reverse();
        let known = joined(&sweep, &some).expect("own shards");
        let finished = run(&sweep, 0..8, &known, &|_, _| ControlFlow::Continue(()));
        assert_eq!(to_json(&document(&sweep, None, finished)), whole);
    }
}

#[test]
fn foreign_and_altered_shards_are_refused() {
    let folder = folder();
    let own = sweep(EIGHT);
    let whole = to_json(&all(&own));
    let path = folder.path().join("part.json");
    let other = sweep(&format!("{EIGHT}# another file\n"));
    let refused = |sweep: &Sweep, text: &str| {
        fs::write(&path, text).expect("writable");
        let error = joined(sweep, std::slice::from_ref(&path)).expect_err("no shard of it");
        error.fault.to_string()
    };
    assert_eq!(
        refused(&other, &whole),
        "its sweep file is another one than that of this sweep"
    );
    assert_eq!(
        refused(&own, &whole.replace("sweep/1", "sweep/2")),
        "its schema is another one than that of this sweep"
    );
    assert_eq!(
        refused(&own, &whole.replacen("\"lower\": ", "\"lower\": 1", 1)),
        "its rows were altered: their hash is not the one that it states"
    );
    assert_eq!(
        refused(&own, &whole[..whole.len() / 2]),
        "it is no whole document of `wonderspins/sweep/1`"
    );
    // Two files, each consistent in itself, that contradict each other.
    let mut lie: SweepDocument = serde_json::from_str(&whole).expect("a document");
    lie.rows[3].sha256 = Some("0".repeat(64));
    lie.rows_sha256 = crate::document::rows_sha256(&lie.rows);
    let lying = folder.path().join("lie.json");
    fs::write(&lying, to_json(&lie)).expect("writable");
    fs::write(&path, &whole).expect("writable");
    let error = joined(&own, &[path.clone(), lying]).expect_err("a contradiction");
    assert!(matches!(
        error.fault,
        JoinFault::Contradiction { paytable: 3 }
    ));
}

fn faults_of(text: &str) -> Vec<Fault> {
    match Sweep::parse("s.toml", text.as_bytes(), folder().path()) {
        Err(SweepError::Faults(faults)) => faults.as_slice().to_vec(),
        other => panic!("expected faults, found {other:?}"),
    }
}

/// Every fault with its line, key and message.
#[test]
fn all_faults_of_a_file_are_told_at_once() {
    let text = r#"schema = 2
name = ""
bass = "pa-693-6"
triggers = [2, 2]
[[grid]]
key = "rules..x"
values = [1]
[[grid]]
key = "a"
keys = ["a"]
values = [1]
[[grid]]
key = "a"
values = [1.5]
[[grid]]
keys = ["a", "b"]
values = [[1, 2], [1], 3]
[[grid]]
key = "a"
range = { from = 5, to = 1, step = 0 }
[[grid]]
key = "a"
range = { from = "1", to = "2%", step = "x" }
[[grid]]
key = "a"
range = { from = 9, to = 1, step = 1 }
[[grid]]
key = "a"
values = []
[[grid]]
keys = ["a", "b"]
range = { from = 1, to = 2, step = 1 }
[[point]]
name = "p"
set = { "a[" = 1, b = 1979-05-27 }
remove = ["a b"]
[simulate]
rounds = 1
seed = "drawn"
"#;
    let found: Vec<String> = faults_of(text).iter().map(ToString::to_string).collect();
    let value = "a value that a paytable may have: a whole number below 2^63, a text (decimals are text), true or false, \
                 a list or a table of these";
    let path = "a key path such as `rules.multiplier_floor` or `outer_wheel.sections[17]`";
    let expected = [
        "s.toml:1: base: required key `base` is missing from the top level".to_owned(),
        "s.toml:1: schema: found 2, expected 1".to_owned(),
        "s.toml:2: name: found \"\", expected a text of 1 to 200 bytes on one line".to_owned(),
        "s.toml:3: bass: unknown key `bass`, expected one of `schema`, `name`, `base`, `triggers`, `grid`, `point`, \
         `simulate`; perhaps `base` is meant"
            .to_owned(),
        "s.toml:4: triggers: found a list, expected a list of 2 and 5, each once at most".to_owned(),
        format!("s.toml:6: grid[0].key: found \"rules..x\", expected {path}"),
        "s.toml:8: grid[1]: found a table, expected either `key` or `keys`".to_owned(),
        format!("s.toml:14: grid[2].values[0]: found 1.5, expected {value}"),
        "s.toml:17: grid[3].values[1]: found a list of 1 values, expected one value for each of the 2 keys".to_owned(),
        "s.toml:17: grid[3].values[2]: found 3, expected a list of values, one for each of the keys".to_owned(),
        "s.toml:20: grid[4].range.step: found 0, expected an integer in [1, 9223372036854775807], or decimals as text \
         in all three places"
            .to_owned(),
        "s.toml:23: grid[5].range.step: found \"x\", expected a decimal or a percentage such as \"0.0153\" or \"1.53%\""
            .to_owned(),
        "s.toml:26: grid[6].range.to: found 1, expected a number not below `from`".to_owned(),
        "s.toml:29: grid[7].values: found an empty list, expected at least one value".to_owned(),
        "s.toml:32: grid[8].range: found a table, expected `values`: a range belongs to one `key`".to_owned(),
        format!("s.toml:35: point[0].set.\"a[\": found the key \"a[\", expected {path}"),
        format!("s.toml:35: point[0].set.b: found 1979-05-27, expected {value}"),
        format!("s.toml:36: point[0].remove[0]: found \"a b\", expected {path}"),
        "s.toml:38: simulate.rounds: found 1, expected an integer in [2, 1000000000000000]".to_owned(),
        "s.toml:39: simulate.seed: found \"drawn\", expected a number in [0, 18446744073709551615], 0x hexadecimal, or \
         derived[:LABEL]"
            .to_owned(),
    ];
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn faults_of_the_whole_are_told() {
    let head = "schema = 1\nname = \"x\"\nbase = \"game.toml\"\n";
    for (rest, message) in [
        (
            "",
            "s.toml:1: grid: a sweep has `[[grid]]` axes, `[[point]]` entries or both, found neither",
        ),
        (
            "[[grid]]\nkey = \"a\"\nrange = { from = 1, to = 1001, step = 1 }\n\
             [[grid]]\nkey = \"b\"\nrange = { from = 1, to = 1000, step = 1 }\n",
            "s.toml:4: grid: found a product of 1001000 paytables, expected at most 1000000",
        ),
        (
            "[[grid]]\nkey = \"a\"\nrange = { from = 0, to = 1_000_000, step = 1 }\n",
            "s.toml:6: grid[0].range.to: found 1_000_000, expected at most 1000000 steps from `from`",
        ),
        (
            "[[grid]]\nkey = \"a\"\nvalues = [1]\n[[grid]]\nkeys = [\"b\", \"a\"]\nvalues = [[1, 2]]\n",
            "s.toml:7: grid[1]: `a` is on the grid already",
        ),
        (
            "[[point]]\nname = \"p\"\n[[point]]\nname = \"p\"\n",
            "s.toml:7: point[1].name: another point has the name `p`",
        ),
        (
            "[[grid]]\nkey = \"a\"\nrange = { from = \"0.5%\", to = \"1\", step = \"0.1%\" }\n",
            "s.toml:6: grid[0].range.to: found \"1\", expected a percentage, as in `from`",
        ),
    ] {
        let faults = faults_of(&format!("{head}{rest}"));
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(faults[0].to_string(), message);
    }
}

#[test]
fn a_base_that_cannot_be_had_is_told() {
    for (base, cause) in [
        ("nothing.toml", "cannot read the paytable"),
        ("broken.toml", "required key `name` is missing"),
    ] {
        let folder = folder();
        fs::write(folder.path().join("broken.toml"), "schema = 1\n").expect("writable");
        let text =
            format!("schema = 1\nname = \"x\"\nbase = \"{base}\"\n[[point]]\nname = \"p\"\n");
        let error = Sweep::parse("s.toml", text.as_bytes(), folder.path()).expect_err("no base");
        let SweepError::Base(source) = error else {
            panic!("expected a fault of the base, found {error}")
        };
        assert!(source.to_string().contains(cause), "{source}");
    }
}

#[test]
fn illegal_paytables_are_rows_with_their_faults() {
    let text = r#"
        schema = 1
        name = "floors"
        base = "game.toml"
        triggers = [2]
        [[point]]
        name = "own"
        [[point]]
        name = "typing error"
        remove = ["rules.max_spin"]
        [[point]]
        name = "nowhere"
        set = { "outer_wheel.sections[2]" = "hat" }
        [[point]]
        name = "gone"
        set = { "triggers.5" = { spins = 5, main_wheel = { sections = 1, of = 54 }, other_return = "0" } }
        remove = ["triggers.2"]
        [[grid]]
        key = "rules.multiplier_floor"
        values = [1, 0]
    "#;
    let sweep = sweep(text);
    let faults = faults(&sweep, 0..8);
    let told: Vec<_> = faults
        .iter()
        .map(|(variant, fault)| (variant.index, fault.to_string()))
        .collect();
    let floor =
        "rules.multiplier_floor: found 0, expected an integer in [1, 1000000] (693.6(f)(4)(iv))";
    let expected = [
        (1, floor),
        (2, "there is no `rules.max_spin` to remove"),
        (3, "there is no `rules.max_spin` to remove"),
        (4, "`outer_wheel.sections` has 2 items, found an index of 2"),
        (5, "`outer_wheel.sections` has 2 items, found an index of 2"),
        (6, "the paytable has no `[triggers.2]`"),
        (7, floor),
    ];
    assert_eq!(told, expected.map(|(index, text)| (index, text.to_owned())));
    let document = all(&sweep);
    assert!(document.complete);
    assert_eq!(document.faulty_rows(), 7);
    let first: &SweepRow = &document.rows[0];
    assert!(first.fault.is_none() && first.figures.is_some());
    for (row, (_, text)) in document.rows[1..].iter().zip(&told) {
        assert_eq!(row.fault.as_ref(), Some(text));
        assert!(row.figures.is_none() && row.trigger.is_none() && row.sha256.is_none());
    }
}
