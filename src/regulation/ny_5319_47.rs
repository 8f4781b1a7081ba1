use super::{ClauseFinding, ReturnSplit};
use crate::paytable::Paytable;
pub(super) fn judge(_: &Paytable, _: &[ReturnSplit]) -> Vec<ClauseFinding> {
    Vec::new()
}
