//! Citations of the source texts.

use std::fmt;

/// A clause of a source text, cited as `693.6(f)(4)(iv)` or `5319.47(a)(8)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause(&'static str);

macro_rules! clauses {
    ($($(#[$doc:meta])* $name:ident = $citation:literal;)*) => {
        impl Clause {
            $($(#[$doc])* pub const $name: Self = Self($citation);)*
        }
    };
}

clauses! {
    /// The two wheels: an inner one driven by a random number generator, a physical outer one.
    A = "693.6(a)";
    /// Ten inner sections with multipliers 2, 5, 8 and 10.
    B1 = "693.6(b)(1)";
    /// Two inner sections with an additional spin.
    B2 = "693.6(b)(2)";
    /// The clockwise order of the inner wheel.
    B3 = "693.6(b)(3)";
    /// Forty-six outer sections with six characters.
    C1 = "693.6(c)(1)";
    /// Three outer sections with No Win.
    C2 = "693.6(c)(2)";
    /// Three outer sections with Drink Me.
    C3 = "693.6(c)(3)";
    /// Two outer sections with Eat Me.
    C4 = "693.6(c)(4)";
    /// The clockwise order of the outer wheel.
    C5 = "693.6(c)(5)";
    /// A clapper that selects one section.
    C6 = "693.6(c)(6)";
    /// The trigger of two spins.
    D1 = "693.6(d)(1)";
    /// The trigger of five spins.
    D2 = "693.6(d)(2)";
    /// Starting multipliers.
    E = "693.6(e)";
    /// The counter of spins remaining.
    F1 = "693.6(f)(1)";
    /// Inner result: a multiplier goes to the selected character.
    F2I = "693.6(f)(2)(i)";
    /// Inner result: an additional spin.
    F2II = "693.6(f)(2)(ii)";
    /// What makes a spin of the outer wheel valid.
    F3I = "693.6(f)(3)(i)";
    /// A stop between two sections is void.
    F3II = "693.6(f)(3)(ii)";
    /// Outer result: a character.
    F4I = "693.6(f)(4)(i)";
    /// Outer result: No Win.
    F4II = "693.6(f)(4)(ii)";
    /// Outer result: Eat Me.
    F4III = "693.6(f)(4)(iii)";
    /// Outer result: Drink Me, and the floor.
    F4IV = "693.6(f)(4)(iv)";
    /// The round goes on until the counter is zero.
    F5 = "693.6(f)(5)";
    /// The payout.
    G = "693.6(g)";
    /// The rules of the current state, shown before the bonus starts.
    NY_A1 = "5319.47(a)(1)";
    /// The ranges of wins and multipliers.
    NY_A2 = "5319.47(a)(2)";
    /// The progress towards a trigger that is not random.
    NY_A3 = "5319.47(a)(3)";
    /// Symbols needed and symbols collected.
    NY_A4 = "5319.47(a)(4)";
    /// The likelihood of the bonus does not depend on past prizes.
    NY_A5 = "5319.47(a)(5)";
    /// Accrued symbols do not become harder to obtain.
    NY_A6 = "5319.47(a)(6)";
    /// It is clear that the game is in bonus mode.
    NY_A7 = "5319.47(a)(7)";
    /// Bonus awards are part of the game cycle.
    NY_A8 = "5319.47(a)(8)";
    /// The rules of play, the rewards and the progress of an award.
    NY_A9 = "5319.47(a)(9)";
    /// Automatic selection or start, as a whole.
    NY_B = "5319.47(b)";
    /// Automatic start that the player acknowledged.
    NY_B1 = "5319.47(b)(1)";
    /// A single choice with a time-out of at least two minutes.
    NY_B2 = "5319.47(b)(2)";
    /// Community play with the time remaining shown.
    NY_B3 = "5319.47(b)(3)";
}

/// The leaf clauses of 58 Pa. Code 693.6, in the order of the text; (c)(1)(i) to (vi)
/// fold into (c)(1).
pub const PA_693_6: [Clause; 24] = [
    Clause::A,
    Clause::B1,
    Clause::B2,
    Clause::B3,
    Clause::C1,
    Clause::C2,
    Clause::C3,
    Clause::C4,
    Clause::C5,
    Clause::C6,
    Clause::D1,
    Clause::D2,
    Clause::E,
    Clause::F1,
    Clause::F2I,
    Clause::F2II,
    Clause::F3I,
    Clause::F3II,
    Clause::F4I,
    Clause::F4II,
    Clause::F4III,
    Clause::F4IV,
    Clause::F5,
    Clause::G,
];

/// The leaf clauses of 9 NYCRR 5319.47, in the order of the text. The chapeau of (b) stands
/// for itself before its paragraphs, because they are alternatives of it.
pub const NY_5319_47: [Clause; 13] = [
    Clause::NY_A1,
    Clause::NY_A2,
    Clause::NY_A3,
    Clause::NY_A4,
    Clause::NY_A5,
    Clause::NY_A6,
    Clause::NY_A7,
    Clause::NY_A8,
    Clause::NY_A9,
    Clause::NY_B,
    Clause::NY_B1,
    Clause::NY_B2,
    Clause::NY_B3,
];

impl Clause {
    /// The citation, for example `693.6(f)(4)(iv)`.
    #[must_use]
    pub const fn citation(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}
