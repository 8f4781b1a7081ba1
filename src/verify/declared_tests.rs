//! Tests of declared figures.

use super::*;
use crate::exact::{largest_meter, solve};
use crate::paytable::{PaytableFile, builtin};
use crate::rules::Trigger;

fn verdicts(
    builtin_name: &str,
    trigger: Trigger,
    declared: &str,
) -> Vec<(String, CheckVerdict, String)> {
    let text = builtin::find(builtin_name).unwrap().text;
    let file = PaytableFile::parse(
        "test",
        &format!("{text}\n[declared.{trigger}]\n{declared}\n"),
    )
    .unwrap();
    let exact = solve(&file.paytable, trigger).unwrap();
    file.paytable.declared[&trigger]
        .iter()
        .map(|figure| {
            let guesser = Guesser::new(&file.paytable, std::slice::from_ref(&exact));
            let largest = largest_meter(&file.paytable, trigger);
            let (entry, check) = compare(&exact, largest, figure, &guesser);
            assert_eq!(entry.verdict, check.verdict);
            (entry.figure, entry.verdict, entry.exact)
        })
        .collect()
}

/// Exact values of the design: mean 16.270328687839, variance 150.499522064, so the
/// overall return 3/54 (mean + 1) is 0.95946270...; hit frequency 1 - 0.002199788422871.
#[test]
fn figures_are_compared_at_their_declared_digits() {
    for (declared, expected) in [
        ("mean_meter = \"16.27\"", CheckVerdict::Pass),
        ("mean_meter = \"16.2703287\"", CheckVerdict::Pass),
        ("mean_meter = \"16.2703286\"", CheckVerdict::Fail),
        ("mean_meter = \"16\"", CheckVerdict::Pass),
        ("mean_meter = \"17\"", CheckVerdict::Fail),
        ("variance_meter = \"150.50\"", CheckVerdict::Pass),
        ("variance_meter = \"150.5\"", CheckVerdict::Pass),
        ("variance_meter = \"150.49\"", CheckVerdict::Fail),
        ("rtp = \"95.95%\"", CheckVerdict::Pass),
        ("rtp = \"0.9595\"", CheckVerdict::Pass),
        ("rtp = \"95.94%\"", CheckVerdict::Fail),
        ("rtp = \"0.9594\"", CheckVerdict::Fail),
        ("hit_frequency = \"99.78%\"", CheckVerdict::Pass),
        ("hit_frequency = \"0.22%\"", CheckVerdict::Fail),
        ("max_meter = \"unbounded\"", CheckVerdict::Pass),
        ("max_meter = \"500\"", CheckVerdict::Fail),
    ] {
        assert_eq!(
            verdicts("pa-693-6", Trigger::Two, declared)[0].1,
            expected,
            "{declared}"
        );
    }
}

/// Under a cap the mean is known between two bounds that both moments allow; digits
/// finer than the bounds cannot be decided.
#[test]
fn an_enclosure_across_the_boundary_is_inconclusive() {
    let found = verdicts(
        "pa-693-6-capped",
        Trigger::Five,
        "mean_meter = \"50.756\"\nmax_meter = \"500\"",
    );
    assert_eq!(found[0].1, CheckVerdict::Inconclusive);
    assert!(found[0].2.contains(" to "), "{}", found[0].2);
    assert_eq!(
        (found[1].1, found[1].2.as_str()),
        (CheckVerdict::Pass, "500")
    );
}

#[test]
fn digits_are_written_in_the_declared_form() {
    let like = |text: &str| text.parse::<Decimal>().unwrap();
    assert_eq!(written(&like("95.95%"), &IBig::from(9595)), "95.95%");
    assert_eq!(written(&like("0.05"), &IBig::from(5)), "0.05");
    assert_eq!(written(&like("-1.5"), &IBig::from(-15)), "-1.5");
    assert_eq!(written(&like("7"), &IBig::from(12)), "12");
}

/// A wrong figure and its guess, where there is one.
fn guesses(trigger: Trigger, declared: &str) -> Option<String> {
    let text = builtin::find("pa-693-6").unwrap().text;
    let file = PaytableFile::parse(
        "test",
        &format!("{text}\n[declared.{trigger}]\n{declared}\n"),
    )
    .unwrap();
    let exact = crate::exact::solve_all(&file.paytable).unwrap();
    let guesser = Guesser::new(&file.paytable, &exact);
    let own = exact.iter().find(|exact| exact.trigger == trigger).unwrap();
    let figure = &file.paytable.declared[&trigger][0];
    let (entry, check) = compare(
        own,
        largest_meter(&file.paytable, trigger),
        figure,
        &guesser,
    );
    assert_eq!(check.verdict, CheckVerdict::Fail, "{declared}");
    if let Some(guess) = &entry.guess {
        assert!(check.evidence.ends_with(guess.as_str()));
    }
    entry.guess
}

/// Exact values of the design for two spins: mean 16.270328687839, gross 17.270328687839, overall
/// 0.959462704880, variance 150.499522064, deviation 12.267824667, hits 0.997800211577; for five
/// the overall return is 0.958444409477. With potions that use up their spin the mean is
/// 13.501302822535 and the overall return 0.805627934585; (f)(4)(iii) and (iv).
#[test]
fn a_wrong_figure_is_traced_to_its_slip() {
    for (declared, words) in [
        // Net and gross: 0.959462... - 1, 1 - 0.959462..., 17.27... - 1.
        ("rtp = \"-4.05%\"", "net and gross"),
        ("rtp = \"4.05%\"", "house edge"),
        ("rtp_conditional = \"16.2703\"", "net and gross"),
        ("rtp_conditional = \"18.2703\"", "counted twice"),
        ("mean_meter = \"17.2703\"", "net and gross"),
        // The other reading.
        (
            "rtp = \"80.56%\"",
            "Eat Me is used up, a spin that shows Drink Me is used up",
        ),
        ("mean_meter = \"13.5013\"", "Eat Me is used up"),
        // The complement, 0.002199788.
        ("hit_frequency = \"0.22%\"", "complement"),
        // Deviation and variance.
        (
            "variance_meter = \"12.27\"",
            "standard deviation, not the variance",
        ),
        (
            "std_dev_meter = \"150.5\"",
            "variance, not the standard deviation",
        ),
        // Percentages.
        ("rtp = \"0.9595%\"", "fraction was written as a percentage"),
        ("rtp = \"95.946\"", "percentage was written as a fraction"),
        // 3/54 of 16.2703... is 0.903907149, of 18.2703... 1.015018260.
        (
            "rtp = \"90.39%\"",
            "stake that comes back with a win is forgotten",
        ),
        ("rtp = \"101.50%\"", "counted twice"),
        ("rtp = \"17.2703\"", "given the trigger"),
        ("rtp_conditional = \"0.959463\"", "overall return"),
        ("rtp = \"95.84%\"", "5 Wonderspins"),
    ] {
        let guess = guesses(Trigger::Two, declared);
        assert!(
            guess.as_deref().is_some_and(|guess| guess.contains(words)),
            "{declared}: {guess:?}"
        );
    }
    // 0.0022 of all rounds have a zero meter: 1/18 of that off the overall return.
    let guess = guesses(Trigger::Two, "rtp = \"95.93%\"");
    assert!(guess.is_some_and(|guess| guess.contains("a zero meter loses the wager")));
    // One digit off is no slip that is known.
    assert_eq!(guesses(Trigger::Two, "rtp = \"95.97%\""), None);
    assert_eq!(guesses(Trigger::Two, "mean_meter = \"16.2713\""), None);
}

/// Declared less exact, in the unit of the figure: 0.9594 - 0.959462704880, and 500 - nothing.
#[test]
fn the_difference_is_in_the_unit_of_the_figure() {
    let text = builtin::find("pa-693-6").unwrap().text;
    let file = PaytableFile::parse(
        "test",
        &format!("{text}\n[declared.2]\nrtp = \"95.94%\"\nmax_meter = \"500\"\n"),
    )
    .unwrap();
    let exact = solve(&file.paytable, Trigger::Two).unwrap();
    let guesser = Guesser::new(&file.paytable, std::slice::from_ref(&exact));
    let found: Vec<_> = file.paytable.declared[&Trigger::Two]
        .iter()
        .map(|figure| compare(&exact, LargestMeter::Unbounded, figure, &guesser))
        .collect();
    let difference = found[0].0.difference.unwrap();
    assert!(
        (difference + 0.000_062_704_880).abs() < 1e-12,
        "{difference}"
    );
    // An award without a bound that is declared with one fails with its clauses.
    let (entry, check) = &found[1];
    assert_eq!(
        (entry.verdict, entry.difference),
        (CheckVerdict::Fail, None)
    );
    assert_eq!(check.clause, "693.6(g)");
    assert!(
        check.evidence.contains("5319.47(a)(2)"),
        "{}",
        check.evidence
    );
}
