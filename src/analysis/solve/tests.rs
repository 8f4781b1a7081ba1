//! The solver against hand calculations, against the calculator, and against itself.

use proptest::prelude::*;

use super::*;
use crate::analysis::starts::parse_starts;
use crate::exact;
use crate::paytable::{BoostLaw, Decimal, Definition, StartLaw, fixture};
use crate::testing::property;

fn rational(text: &str) -> RBig {
    text.parse::<Decimal>().unwrap().value
}

fn request(vary: Vary, target: &str, triggers: &[Trigger]) -> Request {
    Request {
        vary,
        target: rational(target),
        tolerance: rational("0.0005"),
        triggers: triggers.to_vec(),
    }
}

fn solved(definition: &Definition, request: &Request) -> Solution {
    solve(&Paytable::new(definition.clone()).unwrap(), request).unwrap()
}

/// The two sides of a bracket without an undecided part.
fn sides(solution: &TriggerSolution) -> (&Candidate, &Candidate) {
    match &solution.outcome {
        Outcome::Bracket {
            below: Some(below),
            inside: None,
            above: Some(above),
        } => (below, above),
        other => panic!("{other:?}"),
    }
}

/// The RTPs of a candidate, computed again, overlap with those that it states.
fn verify(definition: &Definition, request: &Request, candidate: &Candidate) {
    let changed = changed(
        definition,
        &request.triggers,
        request.vary,
        &candidate.parameter,
    );
    let paytable = Paytable::new(changed).unwrap();
    for (trigger, rtp) in &candidate.rtp {
        let again = exact::solve(&paytable, *trigger).unwrap().returns.rtp;
        assert!(again.overlaps(rtp.enclosure()), "{candidate:?} {again}");
    }
}

/// One character, `[1]`, `hat eat-me`, used up. From start x, one spin: every spin adds 1, every
/// Eat Me 1 more, so M = x + 1 + 2K with P(K = k) = 2^-(k+1): mean x + 3. The bet pays
/// M + 1 on 3 of 54: RTP = (x + 4)/18 + other.
fn toy() -> Definition {
    fixture::tiny(1)
}

#[test]
fn a_start_by_hand() {
    // (x + 4)/18 = 1 at x = 14; 0.97 lies between 13 and 14.
    use crate::rules::Character::Hat;
    let two = [Trigger::Two];
    for (vary, offset) in [(Vary::Start(Hat), 0), (Vary::Shift, 1)] {
        let request = request(vary, "97%", &two);
        let solution = solved(&toy(), &request);
        assert_eq!(solution.status, Status::Bracketed);
        let (below, above) = sides(&solution.triggers[0]);
        assert_eq!(below.parameter, Parameter::Whole(13 - offset));
        assert_eq!(above.parameter, Parameter::Whole(14 - offset));
        verify(&toy(), &request, below);
        verify(&toy(), &request, above);
    }
    let hit = solved(&toy(), &request(Vary::Start(Hat), "1", &two));
    assert_eq!(hit.status, Status::Met);
    let Outcome::Bracket {
        inside: Some(inside),
        ..
    } = &hit.triggers[0].outcome
    else {
        panic!("{hit:?}")
    };
    let (first, last) = &**inside;
    assert_eq!((first, &first.parameter), (last, &Parameter::Whole(14)));
}

#[test]
fn an_other_return_by_hand() {
    // Start 1: 5/18 from the bonus; 0.9 - 5/18 = 28/45 = 0.6222...
    let request = request(Vary::OtherReturn, "0.9", &[Trigger::Two]);
    let solution = solved(&toy(), &request);
    let Outcome::Solved { value, candidate } = &solution.triggers[0].outcome else {
        panic!("{solution:?}")
    };
    assert_eq!(solution.status, Status::Met);
    assert!(
        value
            .enclosure()
            .contains_rational(&(RBig::from(28) / RBig::from(45)))
    );
    assert_eq!(
        candidate.parameter,
        Parameter::Fraction(rational("0.622222222222"))
    );
    verify(&toy(), &request, candidate);
}

#[test]
fn a_factor_by_hand() {
    // Start 2 alone, factor r: RTP (round(2 r) + 4)/18, at 0.97 between the starts 13 and 14,
    // so between the steps [12.5, 13.5)/2 and [13.5, 14.5)/2.
    let mut game = toy();
    game.starting_multipliers = parse_starts("2").unwrap();
    let request = request(Vary::Scale, "0.97", &[Trigger::Two]);
    let solution = solved(&game, &request);
    let (below, above) = sides(&solution.triggers[0]);
    let step = |from: &str, to: &str| Parameter::Factors {
        from: rational(from),
        to: rational(to),
    };
    assert_eq!(below.parameter, step("6.25", "6.75"));
    assert_eq!(above.parameter, step("6.75", "7.25"));
    verify(&game, &request, above);
}

#[test]
fn out_of_reach_states_the_range() {
    // The least start is 1: RTP at least 5/18.
    for vary in [Vary::Shift, Vary::Scale, Vary::OtherReturn] {
        let solution = solved(&toy(), &request(vary, "0.2", &[Trigger::Two]));
        assert_eq!(solution.status, Status::NotReachable, "{vary:?}");
        let Outcome::NotReachable { lowest, highest } = &solution.triggers[0].outcome else {
            panic!("{solution:?}")
        };
        let least = lowest.rtp[0].1.enclosure();
        assert!(least.contains_rational(&(RBig::from(5) / RBig::from(18))));
        assert!(highest.rtp[0].1.lower > RBig::from(100));
    }
    // Without a cap the default table returns 95.95 %: no cap returns more.
    let cap = solved(&fixture::pa(), &request(Vary::Cap, "0.97", &[Trigger::Two]));
    assert_eq!(cap.status, Status::NotReachable);
}

#[test]
fn the_default_table_is_bracketed_by_its_neighbours() {
    let game = fixture::pa();
    let both = [Trigger::Two, Trigger::Five];
    let request = request(Vary::Shift, "0.9667", &both);
    let solution = solved(&game, &request);
    for solution in &solution.triggers {
        let (below, above) = sides(solution);
        assert_eq!(below.parameter, Parameter::Whole(0));
        assert_eq!(above.parameter, Parameter::Whole(1));
        verify(&game, &request, above);
    }
    // 3/54 (16.270328687839 + 1) and 1/54 (50.755998111769 + 1): the second is 0.008255590523
    // short.
    let joint = solution.joint.unwrap();
    assert_eq!(joint.status, Status::NoCommonValue);
    assert_eq!(solution.status, Status::NoCommonValue);
    assert_eq!(joint.nearest.parameter, Parameter::Whole(0));
    let gap = rational("0.9667") - rational("51.755998111769") / RBig::from(54);
    assert!((joint.gap.value.to_f64().value() - gap.to_f64().value()).abs() < 1e-12);
}

#[test]
fn one_value_for_both_bets_within_a_tolerance() {
    let both = [Trigger::Two, Trigger::Five];
    let mut request = request(Vary::OtherReturn, "0.9667", &both);
    // The bets differ by 0.0010182954: half of it remains, whatever is added to both.
    let solution = solved(&fixture::pa(), &request);
    let joint = solution.joint.unwrap();
    assert_eq!(solution.status, Status::NoCommonValue);
    assert!((joint.gap.value.to_f64().value() - 0.000_509_147_7).abs() < 1e-9);
    request.tolerance = rational("0.00051");
    let solution = solved(&fixture::pa(), &request);
    assert_eq!(solution.status, Status::Met);
    verify(&fixture::pa(), &request, &solution.joint.unwrap().nearest);
}

#[test]
fn a_cap_is_undecided_where_its_bounds_are_wide_and_bracketed_by_proofs() {
    let request = request(Vary::Cap, "0.95", &[Trigger::Two]);
    let solution = solved(&fixture::pa(), &request);
    assert_eq!(solution.status, Status::Undecided);
    let Outcome::Bracket {
        below: Some(below),
        inside: Some(inside),
        above: Some(above),
    } = &solution.triggers[0].outcome
    else {
        panic!("{solution:?}")
    };
    let (first, last) = &**inside;
    let cap = |candidate: &Candidate| match candidate.parameter {
        Parameter::Whole(cap) => cap,
        _ => panic!("{candidate:?}"),
    };
    assert_eq!(cap(below) + 1, cap(first));
    assert!(cap(first) < cap(last));
    assert_eq!(cap(last) + 1, cap(above));
    assert!(below.rtp[0].1.upper < request.target && request.target < above.rtp[0].1.lower);
    verify(&fixture::pa(), &request, above);
}

#[test]
fn a_request_that_does_not_fit_is_refused() {
    let paytable = Paytable::new(fixture::pa()).unwrap();
    let refused = |request: &Request| solve(&paytable, request).unwrap_err();
    let hat = Vary::Start(Character::Hat);
    let two = [Trigger::Two];
    assert!(matches!(
        refused(&request(hat, "0.9", &two)),
        SolveError::NoSuchStart { .. }
    ));
    assert!(matches!(
        refused(&request(Vary::Shift, "0", &two)),
        SolveError::NotPositive { what: "target", .. }
    ));
    assert!(matches!(
        refused(&request(Vary::Shift, "0.9", &[])),
        SolveError::NoTrigger
    ));
    let mut no_tolerance = request(Vary::Shift, "0.9", &two);
    no_tolerance.tolerance = RBig::ZERO;
    assert!(matches!(
        refused(&no_tolerance),
        SolveError::NotPositive {
            what: "tolerance",
            ..
        }
    ));
    let tiny = Paytable::new(toy()).unwrap();
    assert!(matches!(
        solve(&tiny, &request(Vary::Shift, "0.9", &[Trigger::Five])),
        Err(SolveError::UnknownTrigger {
            trigger: Trigger::Five
        })
    ));
}

/// A start that belongs to one trigger alone leaves the other's law as it is.
#[test]
fn a_start_changes_for_the_triggers_asked_for() {
    let mut game = fixture::pa();
    let law = parse_starts("fixed:rabbit=10,cat=6,crown=5,bird=4,mouse=3,hat=2").unwrap();
    game.triggers[1].starting_multipliers = Some(law);
    let hat = Vary::Start(Character::Hat);
    let changed = changed(&game, &[Trigger::Five], hat, &Parameter::Whole(9));
    assert_eq!(changed.starting_multipliers, game.starting_multipliers);
    let Some(StartLaw::Fixed { values }) = &changed.triggers[1].starting_multipliers else {
        panic!("a fixed law")
    };
    assert_eq!(values[&Character::Hat], 9);
    let request = request(hat, "0.95", &[Trigger::Five]);
    let solution = solved(&game, &request);
    let (below, above) = sides(&solution.triggers[0]);
    verify(&game, &request, below);
    verify(&game, &request, above);
}

proptest! {
    #![proptest_config(property(4))]

    /// The mean, and with it the RTP, rises with every start: what the search rests on.
    #[test]
    fn the_return_rises_with_every_start(
        starts in prop::array::uniform6(1_u32..9),
        character in 0_usize..6,
        up in 1_u32..4,
        by_sections: bool,
        used_up: bool,
    ) {
        let rtp = |starts: [u32; 6]| {
            let mut game = fixture::pa();
            game.starting_multipliers = StartLaw::Fixed {
                values: Character::ALL.into_iter().zip(starts).collect(),
            };
            if by_sections {
                game.boost = BoostLaw::OuterSections;
            }
            game.rules.eat_me.consumes_spin = used_up;
            game.rules.drink_me.consumes_spin = used_up;
            let solved = exact::solve_all(&Paytable::new(game).unwrap()).unwrap();
            [0, 1].map(|index: usize| solved[index].returns.rtp)
        };
        let before = rtp(starts);
        let mut raised = starts;
        raised[character] += up;
        for (before, after) in before.into_iter().zip(rtp(raised)) {
            prop_assert!(before.upper() < after.lower(), "{} {}", before, after);
        }
    }

    /// A shift is found again from the RTP that it gives.
    #[test]
    fn a_shift_is_found_again(shift in 0_i64..60, part in 1_u32..9) {
        let game = fixture::pa();
        let at = |shift| {
            let two = [Trigger::Two];
            let changed = changed(&game, &two, Vary::Shift, &Parameter::Whole(shift));
            exact::solve(&Paytable::new(changed).unwrap(), Trigger::Two).unwrap()
        };
        let (low, high) = (at(shift).returns.total, at(shift + 1).returns.total);
        let target = &low.upper + (&high.lower - &low.upper) * RBig::from(part) / RBig::from(10);
        let mut request = request(Vary::Shift, "1", &[Trigger::Two]);
        request.target = target;
        let solution = solved(&game, &request);
        let (below, above) = sides(&solution.triggers[0]);
        prop_assert_eq!(&below.parameter, &Parameter::Whole(shift));
        prop_assert_eq!(&above.parameter, &Parameter::Whole(shift + 1));
    }
}
