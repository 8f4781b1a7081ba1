//! 693.6(a) to (c): the two wheels.

use crate::paytable::Paytable;
use crate::regulation::ClauseVerdict::{Fail, Inconclusive, Pass};
use crate::regulation::{Judgement, order};
use crate::rules::{Character, InnerSection, OuterSection, Wheel};

/// The order of 693.6(b)(3), clockwise.
const INNER_ORDER: [InnerSection; 12] = {
    use InnerSection::{AdditionalSpin, Multiplier};
    [
        Multiplier(10),
        Multiplier(8),
        Multiplier(2),
        AdditionalSpin,
        Multiplier(2),
        Multiplier(5),
        Multiplier(2),
        Multiplier(8),
        Multiplier(5),
        AdditionalSpin,
        Multiplier(2),
        Multiplier(5),
    ]
};

/// The order of 693.6(c)(5), clockwise, six sections a row.
const OUTER_ORDER: [OuterSection; 54] = {
    const NO_WIN: OuterSection = OuterSection::NoWin;
    const DRINK: OuterSection = OuterSection::DrinkMe;
    const EAT: OuterSection = OuterSection::EatMe;
    const RABBIT: OuterSection = OuterSection::Character(Character::Rabbit);
    const CAT: OuterSection = OuterSection::Character(Character::Cat);
    const CROWN: OuterSection = OuterSection::Character(Character::Crown);
    const BIRD: OuterSection = OuterSection::Character(Character::Bird);
    const MOUSE: OuterSection = OuterSection::Character(Character::Mouse);
    const HAT: OuterSection = OuterSection::Character(Character::Hat);
    #[rustfmt::skip]
    let order = [
        NO_WIN, CROWN, CROWN, CROWN, HAT, HAT, // 1 to 6
        DRINK, CAT, CAT, MOUSE, MOUSE, MOUSE, // 7 to 12
        NO_WIN, HAT, HAT, BIRD, BIRD, BIRD, // 13 to 18
        EAT, HAT, HAT, HAT, CROWN, CROWN, // 19 to 24
        DRINK, HAT, HAT, MOUSE, MOUSE, MOUSE, // 25 to 30
        RABBIT, BIRD, BIRD, BIRD, CAT, CAT, // 31 to 36
        NO_WIN, MOUSE, MOUSE, HAT, HAT, HAT, // 37 to 42
        EAT, MOUSE, MOUSE, MOUSE, HAT, HAT, // 43 to 48
        DRINK, HAT, HAT, BIRD, BIRD, BIRD, // 49 to 54
    ];
    order
};

/// The multipliers of 693.6(b)(1).
const INNER_MULTIPLIERS: [u32; 4] = [2, 5, 8, 10];

pub(super) fn a(paytable: &Paytable) -> Judgement {
    Judgement::computed(
        Pass,
        format!(
            "two wheels of {} and {} sections, each drawn on its own in every spin; the outer one \
             may be biased as a physical wheel is. Which device stands behind each is outside a \
             paytable",
            paytable.inner_wheel.sections.len(),
            paytable.outer_wheel.sections.len()
        ),
    )
}

pub(super) fn b_1(paytable: &Paytable) -> Judgement {
    let wheel = &paytable.inner_wheel;
    let mut faults = Vec::new();
    let mut count = 0;
    for (index, &section) in wheel.sections.iter().enumerate() {
        if let InnerSection::Multiplier(value) = section {
            count += 1;
            if !INNER_MULTIPLIERS.contains(&value) {
                faults.push(format!(
                    "section {}: multiplier {value} is not one of 2, 5, 8 and 10",
                    index + 1
                ));
            }
        }
    }
    if count != 10 {
        faults.push(format!("{count} sections hold a multiplier, expected 10"));
    }
    for value in INNER_MULTIPLIERS {
        if !wheel.sections.contains(&InnerSection::Multiplier(value)) {
            faults.push(format!("no section holds the multiplier {value}"));
        }
    }
    if let Some(text) = unequal(wheel) {
        faults.push(format!("693.6(b) asks for equal sections: {text}"));
    }
    Judgement::by_faults(
        &faults,
        "10 sections hold multipliers, each of 2, 5, 8 and 10 and no other; all sections have the \
         same weight",
    )
}

/// The first section whose weight differs from that of section 1, in words.
fn unequal<S: Copy>(wheel: &Wheel<S>) -> Option<String> {
    let first = *wheel.weights.first()?;
    let (index, weight) = wheel
        .weights
        .iter()
        .enumerate()
        .find(|&(_, &weight)| weight != first)?;
    Some(format!(
        "section {} has weight {weight}, section 1 has {first}",
        index + 1
    ))
}

pub(super) fn b_2(paytable: &Paytable) -> Judgement {
    let count = paytable
        .inner_wheel
        .sections
        .iter()
        .filter(|&&section| section == InnerSection::AdditionalSpin)
        .count();
    exact_count(count, 2, "award an additional spin")
}

pub(super) fn b_3(paytable: &Paytable) -> Judgement {
    let faults: Vec<String> = order::difference(&paytable.inner_wheel.sections, &INNER_ORDER)
        .into_iter()
        .collect();
    Judgement::by_faults(&faults, "all 12 sections are in the order of the text")
}

pub(super) fn c_1(paytable: &Paytable) -> Judgement {
    let mut faults = Vec::new();
    let sections_of = |character| {
        paytable
            .outer_wheel
            .sections
            .iter()
            .filter(|&&section| section == OuterSection::Character(character))
            .count()
    };
    let counts = Character::ALL.map(|character| (character, sections_of(character)));
    let total: usize = counts.iter().map(|&(_, count)| count).sum();
    if total != 46 {
        faults.push(format!("{total} sections show a character, expected 46"));
    }
    for (character, _) in counts.iter().filter(|&&(_, count)| count == 0) {
        faults.push(format!("no section shows the character `{character}`"));
    }
    let listed = counts.map(|(character, count)| format!("{character} {count}"));
    Judgement::by_faults(
        &faults,
        format!("46 sections show a character: {}", listed.join(", ")),
    )
}

pub(super) fn count_of(paytable: &Paytable, section: OuterSection, required: usize) -> Judgement {
    let sections = &paytable.outer_wheel.sections;
    let count = sections.iter().filter(|&&found| found == section).count();
    exact_count(count, required, &format!("show `{section}`"))
}

fn exact_count(count: usize, required: usize, what: &str) -> Judgement {
    let mut faults = Vec::new();
    if count != required {
        faults.push(format!("{count} sections {what}, expected {required}"));
    }
    Judgement::by_faults(&faults, format!("{count} sections {what}"))
}

pub(super) fn c_5(paytable: &Paytable) -> Judgement {
    let wheel = &paytable.outer_wheel;
    let bias = unequal(wheel);
    match (order::difference(&wheel.sections, &OUTER_ORDER), bias) {
        (Some(text), None) => Judgement::computed(Fail, text),
        (Some(text), Some(bias)) => {
            Judgement::computed(Fail, format!("{text}; the wheel is biased: {bias}"))
        }
        (None, None) => Judgement::computed(
            Pass,
            "all 54 sections are in the order of the text and have the same weight",
        ),
        // The text says "equal" of the inner wheel only, so bias is not a fault by its letter;
        // nor can a biased wheel pass unseen.
        (None, Some(bias)) => Judgement::computed(
            Inconclusive,
            format!(
                "all 54 sections are in the order of the text, but the wheel is biased: {bias}; the \
                 text asks for equal sections of the inner wheel only, so this clause does not \
                 decide whether such a wheel may be used"
            ),
        )
        .asking("have the regulator say whether a biased outer wheel may be used; no key decides it"),
    }
}

pub(super) fn c_6(paytable: &Paytable) -> Judgement {
    Judgement::computed(
        Pass,
        format!(
            "the result of an outer spin is one section number from 1 to {}, never none and never \
             two; that the wheel has a clapper is outside a paytable",
            paytable.outer_wheel.sections.len()
        ),
    )
}
