//! The paytables that come with the program, compiled in.

/// A built-in paytable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// The name by which a command line calls it.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// The TOML text.
    pub text: &'static str,
}

/// The name of the paytable that is meant where none is named.
pub const DEFAULT: &str = "pa-693-6";

/// All built-in paytables, the default first.
pub const ALL: &[Builtin] = &[
    Builtin {
        name: DEFAULT,
        summary: "58 Pa. Code § 693.6 read literally: a potion adds a spin and uses none up",
        text: include_str!("../../paytables/pa-693-6.toml"),
    },
    Builtin {
        name: "pa-693-6-net-zero",
        summary: "the same wheels, a potion's spin is used up by its own additional spin",
        text: include_str!("../../paytables/pa-693-6-net-zero.toml"),
    },
    Builtin {
        name: "pa-693-6-floor",
        summary: "the same wheels, every character starts with a multiplier of 1",
        text: include_str!("../../paytables/pa-693-6-floor.toml"),
    },
    Builtin {
        name: "pa-693-6-capped",
        summary: "the same wheels, a payout cap of 500 to 1",
        text: include_str!("../../paytables/pa-693-6-capped.toml"),
    },
];

/// The built-in paytable with exactly this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}
