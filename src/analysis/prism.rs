//! One or two characters of a round as a Markov chain in the language of PRISM.
//!
//! An outside witness: a model checker reads the text and computes the expected reward, which
//! is what the hits of the character pay, `E[V_c]`. The model is written from the paytable's data
//! and the text of 693.6, with none of the calculator's algebra: a spin is an inner step, an
//! outer step and, where the character is shown, a step that pays.
//!
//! Counter and multipliers of a round have no upper bound, variables of the language have. With d
//! the change of the counter in a spin and s that of a multiplier, a potion that takes off
//! counted as 0, `theta^n phi^m` is a supermartingale on the running round wherever E[theta^d
//! phi^s] <= 1, so (Ville 1939)
//!
//! ```text
//! P(counter passes N) <= theta^(n0 - N - 1),    P(multiplier passes K) <= theta^n0 phi^(m0 - K - 1).
//! ```
//!
//! N and K make both at most 1e-15; at the bound a variable stays where it is. With `max_spins`
//! they are cut at what that many spins can reach, where the model is exact.
//!
//! Language: M. Kwiatkowska, G. Norman and D. Parker, PRISM 4.0 (2011); probabilities are ratios
//! of integers, so that an exact engine stays exact.

mod bounds;

use dashu_ratio::RBig;
use thiserror::Error;

use crate::paytable::{Paytable, StartLaw, TriggerTerms};
use crate::rules::{Character, InnerSection, OuterSection, Trigger, Wheel};

/// The largest bound of a variable; only near a drift of 0 is it met.
const MAX_BOUND: u64 = 1_000_000_000;

/// Why no model was written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrismError {
    /// The paytable has no such trigger.
    #[error("the paytable has no trigger {trigger} (693.6(d))")]
    UnknownTrigger {
        /// The trigger asked for.
        trigger: Trigger,
    },
    /// The outer wheel does not show the character.
    #[error("the outer wheel shows no `{character}`")]
    UnknownCharacter {
        /// The character asked for.
        character: Character,
    },
    /// A pair has two different characters.
    #[error("a pair has two different characters, found `{character}` twice")]
    SameCharacter {
        /// The character asked for.
        character: Character,
    },
}

/// The chain of one character, or of a pair, as PRISM text.
///
/// # Arguments
/// - `character`: whose hits pay
/// - `partner`: a second character whose multiplier is kept as well
///
/// # Errors
/// - [`PrismError`]: the paytable lacks the trigger or a character, or both are the same
///
/// # Accuracy
/// The expected reward of the chain differs from `E[V_c]` by about 1e-15 times what a round that
/// passes a bound pays; see the module's header.
pub fn model(
    paytable: &Paytable,
    trigger: Trigger,
    character: Character,
    partner: Option<Character>,
) -> Result<String, PrismError> {
    let terms = paytable
        .terms(trigger)
        .ok_or(PrismError::UnknownTrigger { trigger })?;
    if partner == Some(character) {
        return Err(PrismError::SameCharacter { character });
    }
    let characters: Vec<Character> = std::iter::once(character).chain(partner).collect();
    for &character in &characters {
        if !paytable.characters().contains(&character) {
            return Err(PrismError::UnknownCharacter { character });
        }
    }
    let chain = Chain {
        paytable,
        terms,
        starts: starts(paytable, trigger, &characters),
        characters,
    };
    Ok(chain.text())
}

/// The starting multipliers of the characters with their probabilities.
fn starts(
    paytable: &Paytable,
    trigger: Trigger,
    characters: &[Character],
) -> Vec<(RBig, Vec<u32>)> {
    let mut rows: Vec<(RBig, Vec<u32>)> = Vec::new();
    let mut add = |probability: RBig, row: Vec<u32>| match rows.iter_mut().find(|r| r.1 == row) {
        Some(known) => known.0 += probability,
        None => rows.push((probability, row)),
    };
    match paytable.start_law(trigger) {
        StartLaw::Permutation { values } => {
            let one = RBig::ONE / RBig::from(values.len());
            for (i, &first) in values.iter().enumerate() {
                if characters.len() == 1 {
                    add(one.clone(), vec![first]);
                    continue;
                }
                let both = &one / RBig::from(values.len() - 1);
                for (j, &second) in values.iter().enumerate() {
                    if i != j {
                        add(both.clone(), vec![first, second]);
                    }
                }
            }
        }
        StartLaw::Fixed { values } => {
            add(RBig::ONE, characters.iter().map(|c| values[c]).collect());
        }
        StartLaw::Independent { values, weights } => {
            let total: u64 = weights.iter().sum();
            let law = || values.iter().zip(weights);
            for (&first, &weight) in law() {
                let p = RBig::from(weight) / RBig::from(total);
                if characters.len() == 1 {
                    add(p, vec![first]);
                    continue;
                }
                for (&second, &weight) in law() {
                    let both = &p * RBig::from(weight) / RBig::from(total);
                    add(both, vec![first, second]);
                }
            }
        }
        StartLaw::Table { rows: table } => {
            let total: u64 = table.iter().map(|row| row.weight).sum();
            for row in table {
                let values = characters.iter().map(|c| row.values[c]).collect();
                add(RBig::from(row.weight) / RBig::from(total), values);
            }
        }
    }
    rows
}

/// A branch of a command: probability and updates.
type Branch = (RBig, String);

/// Everything that the text needs.
struct Chain<'a> {
    paytable: &'a Paytable,
    terms: &'a TriggerTerms,
    characters: Vec<Character>,
    starts: Vec<(RBig, Vec<u32>)>,
}

/// The results of a wheel with their probabilities, equal sections together, in the order in
/// which they first stand.
fn results<S: Copy + PartialEq>(wheel: &Wheel<S>) -> Vec<(S, RBig)> {
    let total = RBig::from(wheel.total_weight());
    let mut results: Vec<(S, RBig)> = Vec::new();
    for (section, weight) in wheel.iter() {
        let probability = RBig::from(weight) / &total;
        match results.iter_mut().find(|(known, _)| *known == section) {
            Some((_, sum)) => *sum += probability,
            None => results.push((section, probability)),
        }
    }
    results
}

impl Chain<'_> {
    /// Results of the outer wheel: section and probability, characters by name.
    fn outer(&self) -> Vec<(OuterSection, RBig)> {
        results(&self.paytable.outer_wheel)
    }

    /// Results of the inner wheel: multiplier or additional spin, and probability.
    fn inner(&self) -> Vec<(InnerSection, RBig)> {
        results(&self.paytable.inner_wheel)
    }

    /// The chance that a multiplier goes to a character.
    fn selection(&self, character: Character) -> RBig {
        let weights = self.paytable.boost_weights();
        let total = weights
            .iter()
            .fold(RBig::ZERO, |sum, &weight| sum + RBig::from(weight));
        let index = self
            .paytable
            .characters()
            .iter()
            .position(|&c| c == character);
        RBig::from(weights[index.expect("a character of the paytable")]) / total
    }

    /// Changes of counter and multiplier in a spin with their probabilities, for the bounds.
    fn moves(&self, character: Character) -> Vec<(i64, i64, f64)> {
        let selected = self.selection(character).to_f64().value();
        let rules = &self.paytable.rules;
        let mut moves = Vec::new();
        for (inner, p) in self.inner() {
            let p = p.to_f64().value();
            let branches = match inner {
                InnerSection::AdditionalSpin => vec![(i64::from(rules.additional_spin), 0, p)],
                InnerSection::Multiplier(value) => vec![
                    (0, i64::from(value), p * selected),
                    (0, 0, p * (1.0 - selected)),
                ],
            };
            for (spins, add, p) in branches {
                for (section, q) in self.outer() {
                    let (change, delta) = match section {
                        OuterSection::Character(_) | OuterSection::NoWin => (-1, 0),
                        OuterSection::EatMe => potion(rules.eat_me),
                        OuterSection::DrinkMe => potion(rules.drink_me),
                    };
                    let q = p * q.to_f64().value();
                    moves.push((spins + change, add + delta.max(0), q));
                }
            }
        }
        moves
    }

    /// N and K, and whether they are out of reach.
    fn bounds(&self) -> (u64, u64, bool) {
        let start = u64::from(self.terms.spins);
        let highest = self.starts.iter().flat_map(|(_, row)| row).max();
        let highest = u64::from(*highest.expect("a law of starts has a row"));
        let (mut n, mut k) = (0_u64, 0_u64);
        let (mut rise, mut shift) = (0_i64, 0_i64);
        for &character in &self.characters {
            let moves = self.moves(character);
            let (counter, multiplier) = bounds::room(&moves, start);
            n = n.max(start.saturating_add(counter).min(MAX_BOUND));
            k = k.max(highest.saturating_add(multiplier).min(MAX_BOUND));
            for &(change, add, _) in &moves {
                rise = rise.max(change);
                shift = shift.max(add);
            }
        }
        let Some(limit) = self.paytable.rules.max_spins else {
            return (n, k, false);
        };
        // A spin may rise within itself by more than in all, so one rise is added.
        let reach = |from: u64, by: i64| {
            let by = by.unsigned_abs() + 1;
            from.saturating_add(by.saturating_mul(u64::from(limit)))
        };
        let (most_n, most_k) = (reach(start, rise), reach(highest, shift));
        (n.min(most_n), k.min(most_k), n >= most_n && k >= most_k)
    }

    fn multiplier(&self, index: usize) -> &'static str {
        match (self.characters.len(), index) {
            (1, _) => "m",
            (_, 0) => "m1",
            _ => "m2",
        }
    }

    fn text(&self) -> String {
        let (n, k, exact) = self.bounds();
        let rules = &self.paytable.rules;
        let limited = rules.max_spins.is_some();
        let names: Vec<&str> = self.characters.iter().map(|c| c.name()).collect();
        let mut text = format!(
            "// {}\n// sha256 {}\n// {} Wonderspins: what the hits of {} pay in a round, 693.6(e) to (g).\n//\n",
            self.paytable.name.replace(['\n', '\r'], " "),
            self.paytable.sha256(),
            self.terms.trigger,
            names.join(" and of ")
        );
        text.push_str(if exact {
            "// N and K are out of reach within MAX_SPINS spins: the model is exact.\n"
        } else {
            "// A counter at N and a multiplier at K stay there (saturation). A round passes either\n\
             // with a probability of at most 1e-15, which is what the bounds can change.\n"
        });
        text.push_str("//\n// Property to check: R{\"pay\"}=? [ F \"done\" ]\n\ndtmc\n\n");
        text.push_str(&format!("const int N = {n};\nconst int K = {k};\n"));
        text.push_str(&format!("const int FLOOR = {};\n", rules.multiplier_floor));
        if let Some(limit) = rules.max_spins {
            text.push_str(&format!("const int MAX_SPINS = {limit};\n"));
        }
        text.push_str(&format!(
            "\nmodule round\n  // 0 start, 1 before the inner wheel, 2 before the outer wheel, 3{} a hit is paid\n  phase : [0..{}] init 0;\n  n : [0..N] init {};\n",
            if names.len() > 1 { " and 4" } else { "" },
            2 + names.len(),
            self.terms.spins
        ));
        for (index, name) in names.iter().enumerate() {
            let m = self.multiplier(index);
            text.push_str(&format!("  {m} : [FLOOR..K] init FLOOR; // {name}\n"));
        }
        if limited {
            text.push_str("  t : [0..MAX_SPINS] init 0;\n");
        }
        text.push_str("\n  // 693.6(e)\n");
        text.push_str(&command("start", "phase=0", &self.start_branches()));
        let running = if limited { "n>0 & t<MAX_SPINS" } else { "n>0" };
        text.push_str("  // 693.6(f)(2)\n");
        let guard = format!("phase=1 & {running}");
        text.push_str(&command("inner", &guard, &self.inner_branches()));
        text.push_str("  // 693.6(f)(4)\n");
        text.push_str(&command("outer", "phase=2", &self.outer_branches()));
        for phase in 3..3 + names.len() {
            text.push_str(&format!("  [pay] phase={phase} -> 1 : (phase'=1);\n"));
        }
        let ended = if limited {
            "phase=1 & (n=0 | t=MAX_SPINS)"
        } else {
            "phase=1 & n=0"
        };
        text.push_str(&format!(
            "  // 693.6(f)(5)\n  [] {ended} -> 1 : true;\nendmodule\n\nlabel \"done\" = {ended};\n"
        ));
        let mut all = String::new();
        for (index, name) in names.iter().enumerate() {
            let line = format!("  phase={} : {};\n", 3 + index, self.multiplier(index));
            all.push_str(&line);
            if names.len() > 1 {
                text.push_str(&format!("\nrewards \"pay_{name}\"\n{line}endrewards\n"));
            }
        }
        text.push_str(&format!("\nrewards \"pay\"\n{all}endrewards\n"));
        text
    }

    fn start_branches(&self) -> Vec<Branch> {
        self.starts
            .iter()
            .map(|(probability, row)| {
                let mut update = "(phase'=1)".to_owned();
                for (index, value) in row.iter().enumerate() {
                    update.push_str(&format!(" & ({}'={value})", self.multiplier(index)));
                }
                (probability.clone(), update)
            })
            .collect()
    }

    fn inner_branches(&self) -> Vec<Branch> {
        let mut branches = Vec::new();
        let mut elsewhere = RBig::ZERO;
        for (section, probability) in self.inner() {
            let InnerSection::Multiplier(value) = section else {
                let spins = self.paytable.rules.additional_spin;
                let update = format!("(phase'=2) & (n'=min(N,n+{spins}))");
                branches.push((probability, update));
                continue;
            };
            let mut rest = probability.clone();
            for (index, &character) in self.characters.iter().enumerate() {
                let m = self.multiplier(index);
                let part = &probability * self.selection(character);
                rest -= &part;
                branches.push((part, format!("(phase'=2) & ({m}'=min(K,{m}+{value}))")));
            }
            elsewhere += rest;
        }
        branches.push((elsewhere, "(phase'=2)".to_owned()));
        branches
    }

    fn outer_branches(&self) -> Vec<Branch> {
        let spin = if self.paytable.rules.max_spins.is_some() {
            " & (t'=t+1)"
        } else {
            ""
        };
        let mut branches = Vec::new();
        let mut nothing = RBig::ZERO;
        for (section, probability) in self.outer() {
            let moved = match section {
                OuterSection::EatMe => potion(self.paytable.rules.eat_me),
                OuterSection::DrinkMe => potion(self.paytable.rules.drink_me),
                OuterSection::NoWin => {
                    nothing += probability;
                    continue;
                }
                OuterSection::Character(character) => {
                    let index = self.characters.iter().position(|&c| c == character);
                    match index {
                        Some(index) => branches.push((
                            probability,
                            format!("(phase'={}) & (n'=n-1){spin}", 3 + index),
                        )),
                        None => nothing += probability,
                    }
                    continue;
                }
            };
            let (change, delta) = moved;
            let mut update = format!("(phase'=1) & (n'=min(N,n+{change})){spin}");
            for index in 0..self.characters.len() {
                let m = self.multiplier(index);
                update.push_str(&format!(" & ({m}'=max(FLOOR,min(K,{m}+{delta})))"));
            }
            branches.push((probability, update.replace("+-", "-")));
        }
        branches.push((nothing, format!("(phase'=1) & (n'=n-1){spin}")));
        branches
    }
}

/// Change of the counter and of the multipliers.
fn potion(potion: crate::paytable::Potion) -> (i64, i64) {
    (
        i64::from(potion.counter_change()),
        i64::from(potion.multipliers),
    )
}

/// A command, one branch a line; branches that cannot happen are left out.
fn command(action: &str, guard: &str, branches: &[Branch]) -> String {
    let lines: Vec<String> = branches
        .iter()
        .filter(|(probability, _)| !probability.is_zero())
        .map(|(probability, update)| format!("{probability} : {update}"))
        .collect();
    format!(
        "  [{action}] {guard} ->\n      {};\n",
        lines.join("\n    + ")
    )
}

#[cfg(test)]
mod tests;
