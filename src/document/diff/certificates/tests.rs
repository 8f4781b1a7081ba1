use super::*;

fn chance(p_value: Option<f64>) -> ChanceJson {
    ChanceJson {
        trigger: 2,
        figure: "rtp".into(),
        old: 0.0,
        new: 0.0,
        expected: Enclosure::ZERO.into(),
        std_error: 1.0,
        runs: "independent".into(),
        z: None,
        p_value,
        p_value_adjusted: None,
        explained: None,
    }
}

/// Variance 4 and 9 over 100 and 900 rounds: sqrt(0.04 + 0.01). The first 100 of 400 rounds of
/// variance 4: the mean of 400 is a quarter of the first mean and three quarters of another, so
/// the difference is 3/4 (X - Y) with variance 9/16 (4/100 + 4/300) = 0.03.
#[test]
fn standard_errors_by_hand() {
    let independent = Relation::Independent.std_error((4.0, 100.0), (9.0, 900.0));
    assert!((independent - 0.05_f64.sqrt()).abs() < 1e-15);
    let nested = Relation::Nested.std_error((4.0, 100.0), (4.0, 400.0));
    assert!((nested - 0.03_f64.sqrt()).abs() < 1e-15);
    assert!(Relation::Nested.std_error((4.0, 100.0), (4.0, 100.0)).abs() < 1e-300);
}

/// Holm: 3 x 0.004 is above 0.01, so nothing is rejected; 3 x 0.003 is not.
#[test]
fn tests_are_judged_together_and_untested_figures_not_at_all() {
    let mut all = vec![
        chance(Some(0.004)),
        chance(None),
        chance(Some(0.5)),
        chance(Some(0.9)),
    ];
    judge(&mut all, 0.01);
    assert_eq!(all[0].explained, Some(true));
    assert_eq!(all[1].explained, None);
    all[0].p_value = Some(0.003);
    judge(&mut all, 0.01);
    assert_eq!(all[0].explained, Some(false));
    assert_eq!(all[2].explained, Some(true));
}

#[test]
fn fractions_are_read() {
    assert!((ratio("3/54") - 1.0 / 18.0).abs() < 1e-17);
    assert!((ratio("1") - 1.0).abs() < 1e-17);
}
